#include "server/hosting/tick_schedule.h"

namespace meander::hosting {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // in nanoseconds

}  // namespace

// Whole seconds and the rest apart, so that nothing overflows in any lifetime.

std::chrono::nanoseconds TickSchedule::NextDue() const {
  const std::int64_t periods = taken_ + slipped_ + 1;
  const std::int64_t seconds = periods / rate_hz_;
  const std::int64_t rest = periods % rate_hz_;
  return start_ + std::chrono::nanoseconds(seconds * kSecond +
                                           rest * kSecond / rate_hz_);
}

bool TickSchedule::TakeIfDue(std::chrono::nanoseconds now) {
  const std::int64_t behind = PeriodsUntil(now) - (taken_ + slipped_);
  if (behind <= 0) return false;
  if (behind > kMaxCatchUpTicks) slipped_ += behind - kMaxCatchUpTicks;
  ++taken_;
  return true;
}

// The largest k with floor(k * kSecond / rate) <= elapsed, that is with
// k * kSecond < (elapsed + 1) * rate.
std::int64_t TickSchedule::PeriodsUntil(std::chrono::nanoseconds now) const {
  const std::int64_t elapsed = (now - start_).count();
  if (elapsed < 0) return 0;
  const std::int64_t seconds = (elapsed + 1) / kSecond;
  const std::int64_t rest = (elapsed + 1) % kSecond;
  const std::int64_t whole = seconds * rate_hz_;
  if (rest == 0) return whole - 1;
  return whole + (rest * rate_hz_ - 1) / kSecond;
}

}  // namespace meander::hosting
