#include "server/hosting/clock.h"

namespace meander::hosting {

std::chrono::nanoseconds MonotonicClock::Now() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

void MonotonicClock::WaitUntil(std::unique_lock<std::mutex>& lock,
                               std::condition_variable& condition,
                               std::chrono::nanoseconds deadline) {
  condition.wait_until(lock, std::chrono::steady_clock::time_point(deadline));
}

}  // namespace meander::hosting
