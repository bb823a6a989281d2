// One thread that knows when each world is due.
//
// Timers fire once and are armed again by their owner, so a world that is
// still busy is never asked twice. An armed timer is shared by the scheduler.
// Arming does not allocate once as many timers were armed at a time before.
// Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_TICK_SCHEDULER_H_
#define MEANDER_SERVER_HOSTING_TICK_SCHEDULER_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "server/hosting/clock.h"

namespace meander::hosting {

class TickTimer {
 public:
  virtual ~TickTimer() = default;

  // The time has come. Called by the scheduler's thread with no lock held;
  // must not block.
  virtual void OnDue() = 0;

 private:
  friend class TickScheduler;
  static constexpr std::size_t kNotArmed = static_cast<std::size_t>(-1);

  // Guarded by TickScheduler::mutex_.
  std::chrono::nanoseconds due_{0};
  std::size_t place_ = kNotArmed;  // in the heap
};

class TickScheduler {
 public:
  explicit TickScheduler(Clock& clock);
  // Stops the thread and lets all timers go.
  ~TickScheduler();
  TickScheduler(const TickScheduler&) = delete;
  TickScheduler& operator=(const TickScheduler&) = delete;

  // Fires once at `due`, at once when that is past. Instead of what the timer
  // was armed for before.
  void Arm(const std::shared_ptr<TickTimer>& timer,
           std::chrono::nanoseconds due);
  // Forgets a timer. A call of OnDue that has begun may still be running.
  void Disarm(TickTimer& timer);

  std::size_t armed() const;

 private:
  void Loop();
  std::shared_ptr<TickTimer> RemoveAt(std::size_t place);
  void SiftUp(std::size_t place);
  void SiftDown(std::size_t place);
  void Put(std::size_t place, std::shared_ptr<TickTimer> timer);

  Clock& clock_;
  mutable std::mutex mutex_;  // guards all below but thread_
  std::condition_variable wake_;
  std::vector<std::shared_ptr<TickTimer>> heap_;  // earliest first
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_TICK_SCHEDULER_H_
