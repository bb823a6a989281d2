// When each world is due, the earliest first.
//
// A timer is in one heap at most, which shares it. Waits for nothing and knows
// no clock: its owner looks. One thread at a time, also for all heaps that a
// timer is moved between.
#ifndef MEANDER_SERVER_HOSTING_TIMER_HEAP_H_
#define MEANDER_SERVER_HOSTING_TIMER_HEAP_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace meander::hosting {

class TimerHeap;

class TickTimer {
 public:
  virtual ~TickTimer() = default;

  // The time has come: the turn itself, called by a worker with no lock held.
  virtual void OnDue() = 0;

 private:
  friend class TimerHeap;

  TimerHeap* heap_ = nullptr;  // where it is
  std::size_t place_ = 0;      // in there
  std::chrono::nanoseconds due_{0};
};

class TimerHeap {
 public:
  TimerHeap() = default;
  // Lets its timers go, which may outlive it.
  ~TimerHeap();
  TimerHeap(const TimerHeap&) = delete;
  TimerHeap& operator=(const TimerHeap&) = delete;

  static constexpr std::chrono::nanoseconds kNever =
      std::chrono::nanoseconds::max();

  // For so many timers, adding does not allocate.
  void Reserve(std::size_t timers);
  // Precondition: the timer is in no heap.
  void Add(std::shared_ptr<TickTimer> timer, std::chrono::nanoseconds due);

  // When the earliest is due and the one after it; kNever when there is none.
  std::chrono::nanoseconds First() const;
  std::chrono::nanoseconds Second() const;

  // Precondition: it is not empty.
  std::shared_ptr<TickTimer> TakeFirst() { return RemoveAt(0); }
  // From the heap in which it is; null when it is in none.
  static std::shared_ptr<TickTimer> Remove(TickTimer& timer);

  std::size_t size() const { return timers_.size(); }

 private:
  std::chrono::nanoseconds DueAt(std::size_t place) const;
  std::shared_ptr<TickTimer> RemoveAt(std::size_t place);
  void SiftUp(std::size_t place);
  void SiftDown(std::size_t place);
  void Put(std::size_t place, std::shared_ptr<TickTimer> timer);

  std::vector<std::shared_ptr<TickTimer>> timers_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_TIMER_HEAP_H_
