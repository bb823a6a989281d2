// A clock that moves only when told.
//
// Advance returns when everybody whose time has come has been woken up.
// Thread-safe; who waits must outlive the Advance that wakes it.
#ifndef MEANDER_TESTS_SERVER_HOSTING_FAKE_CLOCK_H_
#define MEANDER_TESTS_SERVER_HOSTING_FAKE_CLOCK_H_

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "server/hosting/clock.h"

namespace meander::hosting {

// From tick to tick at 60 Hz, rounded up.
inline constexpr std::chrono::nanoseconds kPeriod{16'666'667};

class FakeClock final : public Clock {
 public:
  // Afterwards to wait does not allocate.
  FakeClock() { waiters_.reserve(64); }

  std::chrono::nanoseconds Now() const override {
    const std::lock_guard lock(mutex_);
    ++looks_[std::this_thread::get_id()];
    return now_;
  }

  // All the time, but for what was passed in Stall.
  std::chrono::nanoseconds ThreadCpu() const override {
    const std::lock_guard lock(mutex_);
    return now_ - stalled_;
  }

  void WaitUntil(std::unique_lock<std::mutex>& lock,
                 std::condition_variable& condition,
                 std::chrono::nanoseconds deadline) override {
    const Waiter waiter{lock.mutex(), &condition, deadline,
                        std::this_thread::get_id()};
    {
      const std::lock_guard mine(mutex_);
      if (now_ >= deadline) return;
      waiters_.push_back(waiter);
    }
    condition.wait(lock);
    const std::lock_guard mine(mutex_);
    waiters_.erase(std::find(waiters_.begin(), waiters_.end(), waiter));
  }

  // The thread that waits until then; none when nobody does.
  std::thread::id WhoWaitsUntil(std::chrono::nanoseconds deadline) const {
    const std::lock_guard lock(mutex_);
    for (const Waiter& waiter : waiters_) {
      if (waiter.deadline == deadline) return waiter.thread;
    }
    return {};
  }

  // How often each thread has asked for the time. A worker does when it starts,
  // when it wakes up and when it has served something.
  std::map<std::thread::id, int> looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
  }

  // Advances, but nobody can compute meanwhile.
  void Stall(std::chrono::nanoseconds step) {
    {
      const std::lock_guard lock(mutex_);
      stalled_ += step;
    }
    Advance(step);
  }

  void Advance(std::chrono::nanoseconds step) {
    std::vector<Waiter> waiters;
    {
      const std::lock_guard lock(mutex_);
      now_ += step;
      std::copy_if(
          waiters_.begin(), waiters_.end(), std::back_inserter(waiters),
          [this](const Waiter& waiter) { return waiter.deadline <= now_; });
    }
    for (const Waiter& waiter : waiters) {
      // Once its mutex was free the waiter either waits or has looked again.
      { const std::lock_guard lock(*waiter.mutex); }
      waiter.condition->notify_all();
    }
  }

 private:
  struct Waiter {
    std::mutex* mutex;
    std::condition_variable* condition;
    std::chrono::nanoseconds deadline;
    std::thread::id thread;

    bool operator==(const Waiter&) const = default;
  };

  mutable std::mutex mutex_;  // taken after those of the waiters
  std::chrono::nanoseconds now_{1'000'000'007};
  std::chrono::nanoseconds stalled_{0};
  std::vector<Waiter> waiters_;
  mutable std::map<std::thread::id, int> looks_;
};

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_FAKE_CLOCK_H_
