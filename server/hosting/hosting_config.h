// How a server runs a world. Never changes a bit of its state.
//
// Plain data.
#ifndef MEANDER_SERVER_HOSTING_HOSTING_CONFIG_H_
#define MEANDER_SERVER_HOSTING_HOSTING_CONFIG_H_

#include <cstdint>

namespace meander::hosting {

enum class ClockMode : std::uint8_t {
  kRealtime,  // tick_rate_hz ticks a second of the monotonic clock
  kManual,    // WorldHost::Step alone
};

// What an acknowledged command survives.
enum class Durability : std::uint8_t {
  kNone,
  kAsync,      // not available yet
  kCommitted,  // not available yet
};

struct HostingConfig {
  ClockMode clock_mode = ClockMode::kRealtime;
  Durability durability = Durability::kNone;

  bool operator==(const HostingConfig&) const = default;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_HOSTING_CONFIG_H_
