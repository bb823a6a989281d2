#include "server/hosting/tick_schedule.h"

#include <cmath>

namespace meander::hosting {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // in nanoseconds
constexpr std::int64_t kThousand = 1000;

}  // namespace

// Whole seconds and the rest apart, so that nothing overflows in any lifetime:
// ticks_per_1000s_ is below 2^30.

TickSchedule::TickSchedule(std::chrono::nanoseconds start, std::int32_t rate_hz,
                           double time_scale)
    : start_(start),
      ticks_per_1000s_(rate_hz * static_cast<std::int64_t>(std::llround(
                                     time_scale * double{kThousand}))) {}

std::chrono::nanoseconds TickSchedule::NextDue() const {
  const std::int64_t periods = taken_ + slipped_ + 1;
  const std::int64_t seconds = periods * kThousand / ticks_per_1000s_;
  const std::int64_t rest = periods * kThousand % ticks_per_1000s_;
  return start_ + std::chrono::nanoseconds(seconds * kSecond +
                                           rest * kSecond / ticks_per_1000s_);
}

bool TickSchedule::TakeIfDue(std::chrono::nanoseconds now) {
  const std::int64_t behind = PeriodsUntil(now) - (taken_ + slipped_);
  if (behind <= 0) return false;
  if (behind > kMaxCatchUpTicks) slipped_ += behind - kMaxCatchUpTicks;
  ++taken_;
  return true;
}

std::int64_t TickSchedule::TakeAllDue(std::chrono::nanoseconds now) {
  const std::int64_t behind = PeriodsUntil(now) - (taken_ + slipped_);
  if (behind <= 0) return 0;
  taken_ += behind;
  return behind;
}

// The largest k that is due, which is floor(k * 1000 * kSecond / n) <= elapsed,
// that is k * 1000 * kSecond < (elapsed + 1) * n.
std::int64_t TickSchedule::PeriodsUntil(std::chrono::nanoseconds now) const {
  const std::int64_t elapsed = (now - start_).count();
  if (elapsed < 0) return 0;
  const std::int64_t seconds = (elapsed + 1) / kSecond;
  const std::int64_t nanoseconds = (elapsed + 1) % kSecond;
  const std::int64_t in_seconds = seconds * ticks_per_1000s_;  // thousandths
  const std::int64_t whole = in_seconds / kThousand;
  const std::int64_t rest =
      in_seconds % kThousand * kSecond + nanoseconds * ticks_per_1000s_;
  constexpr std::int64_t kPeriod = kThousand * kSecond;
  return whole + (rest + kPeriod - 1) / kPeriod - 1;
}

}  // namespace meander::hosting
