// When the ticks of a REALTIME world are due.
//
// Tick k (from 1) is due k + slipped periods after the start, computed in
// integers from the start, so that nothing drifts. A world that is behind by
// up to kMaxCatchUpTicks takes its ticks back to back; beyond that simulated
// time slips by whole periods, which are counted. No tick is ever skipped.
// Plain data with no clock of its own: one thread at a time.
#ifndef MEANDER_SERVER_HOSTING_TICK_SCHEDULE_H_
#define MEANDER_SERVER_HOSTING_TICK_SCHEDULE_H_

#include <chrono>
#include <cstdint>

namespace meander::hosting {

inline constexpr std::int64_t kMaxCatchUpTicks = 4;

class TickSchedule {
 public:
  // rate_hz * time_scale ticks a second, the scale rounded to thousandths; the
  // first is due one period after `start`. Precondition: rate_hz is 1 to 1000,
  // time_scale 0.001 to 1000.
  TickSchedule(std::chrono::nanoseconds start, std::int32_t rate_hz,
               double time_scale = 1.0);

  // When the next tick is due.
  std::chrono::nanoseconds NextDue() const;

  // Takes the next tick if it is due at `now`; slips first if it must.
  bool TakeIfDue(std::chrono::nanoseconds now);
  // Takes every tick that is due at `now`, without a slip, and tells how many:
  // for a world whose steps cost nothing.
  std::int64_t TakeAllDue(std::chrono::nanoseconds now);

  std::int64_t taken_ticks() const { return taken_; }
  std::int64_t slipped_ticks() const { return slipped_; }

 private:
  // Whole periods that have begun at `now`: the k of the last due tick of a
  // schedule that never slipped.
  std::int64_t PeriodsUntil(std::chrono::nanoseconds now) const;

  std::chrono::nanoseconds start_;
  std::int64_t ticks_per_1000s_;
  std::int64_t taken_ = 0;
  std::int64_t slipped_ = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_TICK_SCHEDULE_H_
