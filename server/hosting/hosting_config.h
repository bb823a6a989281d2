// How a server runs a world, and what its client calls it. Never changes a bit
// of its state.
//
// Plain data; a host takes only what Validate finds nothing wrong with.
#ifndef MEANDER_SERVER_HOSTING_HOSTING_CONFIG_H_
#define MEANDER_SERVER_HOSTING_HOSTING_CONFIG_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "server/hosting/limits.h"

namespace meander::hosting {

enum class ClockMode : std::uint8_t {
  kRealtime,     // tick_rate_hz * time_scale ticks a second of the clock
  kManual,       // WorldHost::Step alone
  kUnthrottled,  // as fast as it goes, up to until_tick
};

// What an acknowledged command survives.
enum class Durability : std::uint8_t {
  kNone,
  kAsync,      // not available yet
  kCommitted,  // not available yet
};

inline constexpr double kMinTimeScale = 0.01;
inline constexpr double kMaxTimeScale = 100.0;
inline constexpr std::int64_t kMaxHashInterval = 1'000'000;
// Far beyond any clock, and so far below 2^63 that no sum of ticks overflows.
inline constexpr std::int64_t kMaxUntilTick = std::int64_t{1} << 60;
inline constexpr std::chrono::seconds kMinIdleTtl{1};
inline constexpr std::chrono::hours kMaxIdleTtl{30 * 24};

struct HostingConfig {
  ClockMode clock_mode = ClockMode::kRealtime;
  Durability durability = Durability::kNone;
  double time_scale = 1.0;               // kMinTimeScale to kMaxTimeScale
  std::int64_t input_delay_ticks = 1;    // 1 to Limits::max_ticks_ahead
  std::int64_t hash_interval_ticks = 1;  // 1 to kMaxHashInterval
  std::chrono::nanoseconds idle_ttl{0};  // 0 for never; see above
  std::int64_t until_tick = 0;           // kUnthrottled: 1 to kMaxUntilTick

  bool operator==(const HostingConfig&) const = default;
};

using Labels = std::map<std::string, std::string, std::less<>>;
inline constexpr std::size_t kMaxLabels = 64;
inline constexpr std::size_t kMaxLabelLength = 63;  // of keys and of values

struct WorldSettings {
  HostingConfig hosting;
  Labels labels;

  bool operator==(const WorldSettings&) const = default;
};

// What changes of a world's settings.
struct SettingsPatch {
  std::optional<ClockMode> clock_mode;
  std::optional<Durability> durability;  // must be what it is
  std::optional<double> time_scale;
  std::optional<std::int64_t> input_delay_ticks;
  std::optional<std::int64_t> hash_interval_ticks;
  std::optional<std::chrono::nanoseconds> idle_ttl;
  std::optional<std::int64_t> until_tick;
  std::optional<Labels> labels;  // all of them

  void ApplyTo(WorldSettings& settings) const;
};

// Whether labels can have such a key.
bool IsLabelKey(std::string_view key);
bool IsLabelValue(std::string_view value);

// Fields at fault, named below `path` as in the protocol's World. Whether a
// durability can be had is no matter of form.
core::Violations Validate(const WorldSettings& settings, const Limits& limits,
                          std::string_view path);

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_HOSTING_CONFIG_H_
