// What a term of an archetype can do: one struct for each behavior. Plain data.
//
// A behavior names a desired velocity D; its force is D - v unless said
// otherwise. S is max_speed, d the distance to the target and R the radius. A
// target slot that is unset, dead or the agent itself makes its term abstain,
// and is told once as an event (event.h). What the fields may be is checked by
// Validate (archetype.h). The values of all enumerations stand in command
// records, snapshots and state hashes.
// Source: C. Reynolds, "Steering Behaviors For Autonomous Characters", GDC
// 1999; the formulas stand at the kernels in steering/.
#ifndef MEANDER_CORE_BEHAVIOR_H_
#define MEANDER_CORE_BEHAVIOR_H_

#include <cstdint>
#include <optional>
#include <variant>

#include "core/simulation_config.h"

namespace meander::core {

inline constexpr std::int32_t kTargetSlots = 4;
inline constexpr float kMaxJitter = 1.0e6f;  // radians/s, or units/sqrt(s)
inline constexpr float kMaxTime = 1.0e6f;    // s
inline constexpr float kMaxFieldOfView = 0x1.921fb6p+2f;  // radians: 2 pi
inline constexpr std::int32_t kMaxNearest = 1'024;

// D = S toward the target; 0 at the target.
struct Seek {
  std::int32_t slot = 0;  // 0 to kTargetSlots - 1

  bool operator==(const Seek&) const = default;
};

// What a fleeing agent does at the very point that it flees from.
enum class AtCenter : std::uint8_t { kBrake = 0, kZero = 1 };

// D = S away from the target; no force beyond the range.
struct Flee {
  std::int32_t slot = 0;
  std::optional<float> range;   // units, 0 to kMaxBound; else unlimited
  bool edge_inclusive = false;  // whether it acts at d == range
  AtCenter at_center = AtCenter::kBrake;

  bool operator==(const Flee&) const = default;
};

// D = S toward the target, S * d / R inside R; 0 at the target.
struct Arrive {
  std::int32_t slot = 0;
  float slowing_radius = 0.0f;  // units, 0 to kMaxBound; 0 is seek
  // The braking distance follows from max_force and mass instead; then
  // slowing_radius is 0. See steering/arrive.h.
  bool stop = false;

  bool operator==(const Arrive&) const = default;
};

// Force (S away from the target - v) * (1 - d/R) for 0 < d < R, else none.
struct KeepAway {
  std::int32_t slot = 0;
  float radius = 0.0f;  // units, 0 to kMaxBound

  bool operator==(const KeepAway&) const = default;
};

// D = 0.
struct Brake {
  bool operator==(const Brake&) const = default;
};

// How far ahead the motion of a target is foreseen; see steering/pursue.h.
enum class Lead : std::uint8_t { kIntercept = 0, kClosing = 1, kDistance = 2 };

// Arrive (seek with slowing_radius 0) at where the target will be.
struct Pursue {
  std::int32_t slot = 0;
  Lead lead = Lead::kIntercept;
  std::optional<float> max_prediction;  // s, 0 to kMaxTime; else unlimited
  float slowing_radius = 0.0f;          // units, 0 to kMaxBound

  bool operator==(const Pursue&) const = default;
};

// Flee from where the target will be.
struct Evade {
  std::int32_t slot = 0;
  Lead lead = Lead::kIntercept;
  std::optional<float> max_prediction;  // s, 0 to kMaxTime; else unlimited

  bool operator==(const Evade&) const = default;
};

// A point on a circle ahead is sought; its angle, in the axes of the world's
// plane, walks at random. Draws one uniform a step.
struct WanderWorldAngle {
  float radius = 0.0f;    // units, 0 to kMaxBound
  float distance = 0.0f;  // units, 0 to kMaxBound
  float jitter = 0.0f;    // radians/s, 0 to kMaxJitter

  bool operator==(const WanderWorldAngle&) const = default;
};

// A point on a sphere ahead is sought; its azimuth and elevation walk at
// random. Only in worlds without a plane. Draws two uniforms a step.
struct WanderSpherical {
  float radius = 0.0f;    // units, 0 to kMaxBound
  float distance = 0.0f;  // units, 0 to kMaxBound
  float jitter = 0.0f;    // radians/s, 0 to kMaxJitter

  bool operator==(const WanderSpherical&) const = default;
};

// A point on a sphere (a circle in a plane) ahead is sought; where on it walks
// at random and turns with the heading. Draws three uniforms a step.
struct WanderHeadingOffset {
  float radius = 0.0f;    // units, 0 to kMaxBound
  float distance = 0.0f;  // units, 0 to kMaxBound
  float jitter = 0.0f;    // units/sqrt(s), 0 to kMaxJitter
  // Where offset and heading lie: the world's plane, in a world that has one;
  // else this, kNone for all axes.
  Plane plane = Plane::kNone;

  bool operator==(const WanderHeadingOffset&) const = default;
};

// Whom a term counts as neighbors: never the agent itself.
struct Neighborhood {
  float radius = 0.0f;  // units, inclusive, 0 to kMaxBound; where bounds wrap
                        // at most half a period
  // Full angle about the velocity in radians, 0 to kMaxFieldOfView; unset, or
  // at rest, all-round.
  std::optional<float> field_of_view;
  // Neighbors share a bit of their groups with it.
  std::uint32_t neighbor_groups = ~std::uint32_t{0};
  // The nearest so many by (squared distance, id), up to kMaxNearest; 0 is all.
  std::int32_t max_neighbors = 0;

  bool operator==(const Neighborhood&) const = default;
};

// How the push of a neighbor fades with distance; see steering/flocking.h.
enum class Falloff : std::uint8_t {
  kInverse = 0,
  kNearestFade = 1,
  kLinear = 2
};
// Neighbors at less than 1e-6 of the radius are pushed apart in a direction
// made from the two ids, or passed over.
enum class Coincident : std::uint8_t { kSpread = 0, kSkip = 1 };

// Away from neighbors.
struct Separation {
  Neighborhood neighborhood;
  Falloff falloff = Falloff::kInverse;
  Coincident coincident = Coincident::kSpread;

  bool operator==(const Separation&) const = default;
};

// D = the mean velocity of the neighbors, cut to S.
struct Alignment {
  Neighborhood neighborhood;

  bool operator==(const Alignment&) const = default;
};

enum class CohesionMode : std::uint8_t { kSeek = 0, kPull = 1 };

// Toward the mean position of the neighbors: seek it, or force (mean - p) *
// S/R.
struct Cohesion {
  Neighborhood neighborhood;
  CohesionMode mode = CohesionMode::kSeek;

  bool operator==(const Cohesion&) const = default;
};

using Behavior =
    std::variant<Seek, Flee, Arrive, KeepAway, Brake, Pursue, Evade,
                 WanderWorldAngle, WanderSpherical, WanderHeadingOffset,
                 Separation, Alignment, Cohesion>;

// The neighborhood that a behavior looks at; null when it looks at none.
const Neighborhood* NeighborhoodOf(const Behavior& behavior);

// The target slot that a behavior reads; none when it reads none.
std::optional<std::int32_t> SlotOf(const Behavior& behavior);

}  // namespace meander::core

#endif  // MEANDER_CORE_BEHAVIOR_H_
