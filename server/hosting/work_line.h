// What wants a turn, of one urgency: tasks in the order of their posts, timers
// by when they are due; whichever came first is the first.
//
// One thread at a time, but for a look at FirstComes. Pushing and taking do not
// allocate.
#ifndef MEANDER_SERVER_HOSTING_WORK_LINE_H_
#define MEANDER_SERVER_HOSTING_WORK_LINE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "server/hosting/timer_heap.h"

namespace meander::hosting {

class WorkerTask {
 public:
  virtual ~WorkerTask() = default;

  // Called once for each Post, with no lock held.
  virtual void RunTurn() = 0;

 private:
  friend class WorkLine;
  // Of the line that it is in.
  std::shared_ptr<WorkerTask> next_;
  std::chrono::nanoseconds posted_{0};
  std::uint64_t place_ = 0;  // in the order of all posts
};

// What a worker serves: one of the two.
struct Work {
  std::shared_ptr<WorkerTask> task;
  std::shared_ptr<TickTimer> timer;

  explicit operator bool() const { return task || timer; }
  void Serve() const { task ? task->RunTurn() : timer->OnDue(); }
};

class WorkLine {
 public:
  // When something comes, and among what is posted at that time in which order;
  // timers come before tasks.
  using Order = std::pair<std::chrono::nanoseconds, std::uint64_t>;

  WorkLine() = default;
  ~WorkLine();
  WorkLine(const WorkLine&) = delete;
  WorkLine& operator=(const WorkLine&) = delete;

  // Precondition: the task is in no line. `order` is after those before.
  void Push(std::shared_ptr<WorkerTask> task, Order order);
  Order First() const;
  // Precondition: there is something.
  Work TakeFirst();

  // Whoever changes the timers says so with Note.
  TimerHeap& timers() { return timers_; }
  const TimerHeap& timers() const { return timers_; }
  void Note() { first_comes_ = First().first; }
  // As of the last change: under the owner's lock it is exact, else a hint.
  std::chrono::nanoseconds FirstComes() const { return first_comes_.load(); }

 private:
  std::shared_ptr<WorkerTask> first_;  // of the tasks, in their order
  WorkerTask* last_ = nullptr;
  TimerHeap timers_;
  std::atomic<std::chrono::nanoseconds> first_comes_{TimerHeap::kNever};
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORK_LINE_H_
