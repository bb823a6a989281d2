#include "server/hosting/world_clock.h"

#include <algorithm>

namespace meander::hosting {

WorldClock::WorldClock(std::int32_t tick_rate_hz, const HostingConfig& hosting,
                       std::chrono::nanoseconds now)
    : tick_rate_hz_(tick_rate_hz),
      mode_(hosting.clock_mode),
      time_scale_(hosting.time_scale),
      until_tick_(hosting.until_tick),
      schedule_(now, tick_rate_hz, hosting.time_scale),
      overload_(now) {}

void WorldClock::Set(const HostingConfig& hosting,
                     std::chrono::nanoseconds now) {
  until_tick_ = hosting.until_tick;
  if (hosting.clock_mode == mode_ && hosting.time_scale == time_scale_) return;
  mode_ = hosting.clock_mode;
  time_scale_ = hosting.time_scale;
  Restart(now);
}

void WorldClock::Pause() { paused_ = true; }

void WorldClock::Resume(std::chrono::nanoseconds now) {
  if (!paused_) return;
  paused_ = false;
  Restart(now);
}

void WorldClock::Restart(std::chrono::nanoseconds now) {
  slipped_before_ = slipped_ticks();
  schedule_ = TickSchedule(now, tick_rate_hz_, time_scale_);
  overload_ = OverloadMeter(now);
}

ClockState WorldClock::state() const {
  if (paused_) return ClockState::kPaused;
  return overload_.overloaded() ? ClockState::kOverloaded
                                : ClockState::kRunning;
}

bool WorldClock::TakeIfDue(std::chrono::nanoseconds now, std::int64_t tick) {
  if (!Goes()) return false;
  if (mode_ == ClockMode::kUnthrottled) return tick < until_tick_;
  const bool taken = schedule_.TakeIfDue(now);
  overload_.Note(now, schedule_.taken_ticks(), schedule_.slipped_ticks());
  return taken;
}

std::int64_t WorldClock::TakeAllDue(std::chrono::nanoseconds now,
                                    std::int64_t tick) {
  if (!Goes()) return 0;
  if (mode_ == ClockMode::kUnthrottled) {
    return std::max<std::int64_t>(0, until_tick_ - tick);
  }
  const std::int64_t taken = schedule_.TakeAllDue(now);
  overload_.Note(now, schedule_.taken_ticks(), schedule_.slipped_ticks());
  return taken;
}

std::optional<std::chrono::nanoseconds> WorldClock::NextDue(
    std::int64_t tick) const {
  if (!Goes()) return std::nullopt;
  if (mode_ == ClockMode::kRealtime) return schedule_.NextDue();
  if (tick < until_tick_) return std::chrono::nanoseconds{0};
  return std::nullopt;
}

}  // namespace meander::hosting
