// What decides a world's motion beside its seed and its commands.
//
// Everything here can change a bit of the state and is hashed; how a world is
// hosted is not here. A config is valid when Validate finds nothing; core
// takes only valid ones. Plain data.
#ifndef MEANDER_CORE_SIMULATION_CONFIG_H_
#define MEANDER_CORE_SIMULATION_CONFIG_H_

#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "core/math/vec3.h"

namespace meander::core {

inline constexpr std::int32_t kMaxTickRateHz = 1000;
inline constexpr float kMaxBound = 16384.0f;       // units
inline constexpr float kDefaultBound = 2048.0f;    // units
inline constexpr float kMaxSpeedOrForce = 1.0e6f;  // units/s, units/s^2 * m
inline constexpr std::int64_t kMaxAgents = 1'000'000;
inline constexpr float kLeastPeriod = 1.0f;      // units
inline constexpr float kMinCellSize = 0x1p-6f;   // units
inline constexpr float kMaxCellSize = 32768.0f;  // units
inline constexpr float kDefaultCellSize = 8.0f;  // units

// The values stand in snapshots and in the state hash.
enum class Plane : std::uint8_t { kNone = 0, kXY = 1, kXZ = 2, kYZ = 3 };
enum class BoundsMode : std::uint8_t { kOpen = 0, kClamp = 1, kWrap = 2 };

struct SimulationConfig {
  std::int32_t tick_rate_hz = 60;  // 1 to kMaxTickRateHz
  Plane plane = Plane::kNone;
  // Inclusive, in units, within +-kMaxBound; min < max on the plane's axes.
  // With kWrap max is min again, at least kLeastPeriod above it (space/wrap.h).
  // Off the plane both are 0 (see Normalized).
  Vec3 bounds_min{-kDefaultBound, -kDefaultBound, -kDefaultBound};
  Vec3 bounds_max{kDefaultBound, kDefaultBound, kDefaultBound};
  BoundsMode bounds_mode = BoundsMode::kOpen;
  std::int64_t max_agents = 100'000;  // 1 to kMaxAgents
  // Edge of the cells that order sums over neighbors, kMinCellSize to
  // kMaxCellSize. The command SetCellSize changes it.
  float cell_size = kDefaultCellSize;

  bool operator==(const SimulationConfig&) const = default;
};

// 1 for each axis of the plane, 0 for the one outside it.
Vec3 PlaneMask(Plane plane);

// The vector with +0 outside the plane.
Vec3 Flatten(Vec3 value, Plane plane);

// The two unit vectors that span the plane; x and y when there is none.
struct PlaneAxes {
  Vec3 first;
  Vec3 second;
};
PlaneAxes AxesOf(Plane plane);

// The config with its bounds 0 off the plane.
SimulationConfig Normalized(SimulationConfig config);

// Seconds of one step: 1 / tick_rate_hz in binary32.
float StepSeconds(const SimulationConfig& config);

// Fields at fault, named below `path` as in the protocol's SimulationConfig.
// Bounds off the plane are not looked at.
Violations Validate(const SimulationConfig& config, std::string_view path);

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMULATION_CONFIG_H_
