// Time as hosting sees it: nanoseconds of a monotonic clock with an origin of
// its own. Tests have one that moves only when told.
//
// Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_CLOCK_H_
#define MEANDER_SERVER_HOSTING_CLOCK_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace meander::hosting {

class Clock {
 public:
  virtual ~Clock() = default;

  virtual std::chrono::nanoseconds Now() const = 0;
  // How long the calling thread has computed, which does not go on while others
  // keep it from it. Costs ten times as much as Now.
  virtual std::chrono::nanoseconds ThreadCpu() const = 0;

  // Waits until `deadline`, or until `condition` is notified, or for no reason
  // at all; the caller looks again. `lock` is held on entry and return.
  virtual void WaitUntil(std::unique_lock<std::mutex>& lock,
                         std::condition_variable& condition,
                         std::chrono::nanoseconds deadline) = 0;
};

class MonotonicClock final : public Clock {
 public:
  std::chrono::nanoseconds Now() const override;
  std::chrono::nanoseconds ThreadCpu() const override;
  void WaitUntil(std::unique_lock<std::mutex>& lock,
                 std::condition_variable& condition,
                 std::chrono::nanoseconds deadline) override;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_CLOCK_H_
