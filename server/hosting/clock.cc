#include "server/hosting/clock.h"

#include <ctime>

namespace meander::hosting {

std::chrono::nanoseconds MonotonicClock::Now() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

std::chrono::nanoseconds MonotonicClock::ThreadCpu() const {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return std::chrono::seconds(spent.tv_sec) +
         std::chrono::nanoseconds(spent.tv_nsec);
}

void MonotonicClock::WaitUntil(std::unique_lock<std::mutex>& lock,
                               std::condition_variable& condition,
                               std::chrono::nanoseconds deadline) {
  condition.wait_until(lock, std::chrono::steady_clock::time_point(deadline));
}

}  // namespace meander::hosting
