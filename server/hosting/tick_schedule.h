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
  // Tick 1 is due one period after `start`; rate_hz at least 1.
  TickSchedule(std::chrono::nanoseconds start, std::int32_t rate_hz)
      : start_(start), rate_hz_(rate_hz) {}

  // When the next tick is due.
  std::chrono::nanoseconds NextDue() const;

  // Takes the next tick if it is due at `now`; slips first if it must.
  bool TakeIfDue(std::chrono::nanoseconds now);

  std::int64_t taken_ticks() const { return taken_; }
  std::int64_t slipped_ticks() const { return slipped_; }

 private:
  // Whole periods that have begun at `now`: the k of the last due tick of a
  // schedule that never slipped.
  std::int64_t PeriodsUntil(std::chrono::nanoseconds now) const;

  std::chrono::nanoseconds start_;
  std::int32_t rate_hz_;
  std::int64_t taken_ = 0;
  std::int64_t slipped_ = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_TICK_SCHEDULE_H_
