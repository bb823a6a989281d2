// What makes one world step: its mode, its pauses, its schedule, and whether it
// can keep it.
//
// Plain data with no clock of its own: told the time, it says what is due. A
// clock that begins to go, again or at another rate, begins at that moment and
// makes up for nothing. One thread at a time.
#ifndef MEANDER_SERVER_HOSTING_WORLD_CLOCK_H_
#define MEANDER_SERVER_HOSTING_WORLD_CLOCK_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "server/hosting/hosting_config.h"
#include "server/hosting/overload_meter.h"
#include "server/hosting/tick_schedule.h"

namespace meander::hosting {

enum class ClockState : std::uint8_t { kRunning, kPaused, kOverloaded };

class WorldClock {
 public:
  WorldClock(std::int32_t tick_rate_hz, const HostingConfig& hosting,
             std::chrono::nanoseconds now);

  // Takes effect from `now` on.
  void Set(const HostingConfig& hosting, std::chrono::nanoseconds now);
  void Pause();
  void Resume(std::chrono::nanoseconds now);

  // Whether it makes the world step by itself; else the world may be stepped.
  bool Goes() const { return !paused_ && mode_ != ClockMode::kManual; }
  ClockState state() const;
  std::int64_t slipped_ticks() const {
    return slipped_before_ + schedule_.slipped_ticks();
  }

  // Takes the tick after `tick` if it is due at `now`.
  bool TakeIfDue(std::chrono::nanoseconds now, std::int64_t tick);
  // Takes every tick after `tick` that is due at `now` and tells how many: for
  // a world whose steps cost nothing, which never slips.
  std::int64_t TakeAllDue(std::chrono::nanoseconds now, std::int64_t tick);
  // When the tick after `tick` is due, which may be past; none when the clock
  // will not bring it.
  std::optional<std::chrono::nanoseconds> NextDue(std::int64_t tick) const;

 private:
  void Restart(std::chrono::nanoseconds now);

  std::int32_t tick_rate_hz_;
  ClockMode mode_;
  double time_scale_;
  std::int64_t until_tick_;
  bool paused_ = false;
  TickSchedule schedule_;
  OverloadMeter overload_;
  std::int64_t slipped_before_ = 0;  // the schedule began
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_CLOCK_H_
