#include "server/hosting/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace meander::hosting {

// One call of Run, on the stack of its caller. In the list while it has pieces
// left; its caller leaves when no worker is inside.
struct WorkerPool::Job {
  Job(std::size_t piece_count, core::IndexFunction function)
      : count(piece_count), body(function) {}

  // False when none is left.
  bool TakePiece() {
    const std::size_t piece = next_piece.fetch_add(1);
    if (piece >= count) return false;
    body(piece);
    return true;
  }

  const std::size_t count;
  const core::IndexFunction body;
  std::atomic<std::size_t> next_piece{0};

  // Guarded by WorkerPool::mutex_.
  std::size_t helpers = 0;
  std::condition_variable left;  // by the last helper
  Job* next_job = nullptr;
};

void WorkerPool::Line::Push(std::shared_ptr<WorkerTask> task) {
  WorkerTask* const added = task.get();
  (first == nullptr ? first : last->next_) = std::move(task);
  last = added;
  Note();
}

WorkerPool::Line::Order WorkerPool::Line::First() const {
  const Order timer{timers.First(), 0};
  if (first == nullptr) return timer;
  return std::min(timer, Order{first->posted_, first->place_});
}

// Precondition: there is something.
WorkerPool::Work WorkerPool::Line::TakeFirst() {
  Work work;
  if (first == nullptr || timers.First() <= first->posted_) {
    work.timer = timers.TakeFirst();
  } else {
    work.task = std::move(first);
    first = std::move(work.task->next_);
  }
  Note();
  return work;
}

WorkerPool::WorkerPool(Clock& clock, std::size_t threads) : clock_(clock) {
  if (threads == 0) {
    threads = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  }
  for (std::size_t i = 0; i < threads; ++i) {
    workers_.emplace_back(/*for_what_is_due=*/i == 0 && threads > 1);
  }
  threads_.reserve(threads);
  for (Worker& worker : workers_) {
    threads_.emplace_back([this, &worker] { Loop(worker); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  for (Worker& worker : workers_) worker.wake.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (Line& line : lines_) {
    while (line.first != nullptr) {  // a chain would recurse
      line.first = std::exchange(line.first->next_, nullptr);
    }
  }
}

void WorkerPool::Post(std::shared_ptr<WorkerTask> task, Urgency urgency) {
  Worker* called = nullptr;
  {
    const std::lock_guard lock(mutex_);
    task->posted_ = clock_.Now();
    task->place_ = ++posts_;
    LineOf(urgency).Push(std::move(task));
    called = Call(LineOf(urgency));
  }
  Notify({called});
}

void WorkerPool::Arm(const std::shared_ptr<TickTimer>& timer,
                     std::chrono::nanoseconds due, Urgency urgency) {
  Called called{};
  {
    const std::lock_guard lock(mutex_);
    ArmLocked(timer, due, LineOf(urgency));
    called = PassOn();
  }
  Notify(called);
}

void WorkerPool::ArmNext(const std::shared_ptr<TickTimer>& timer,
                         std::chrono::nanoseconds due, Urgency urgency) {
  const std::lock_guard lock(mutex_);
  ArmLocked(timer, due, LineOf(urgency));
}

void WorkerPool::ArmLocked(const std::shared_ptr<TickTimer>& timer,
                           std::chrono::nanoseconds due, Line& line) {
  TimerHeap::Remove(*timer);
  // Any of them may change its urgency later, and must not allocate then.
  const std::size_t armed =
      lines_[0].timers.size() + lines_[1].timers.size() + 1;
  for (Line& any : lines_) any.timers.Reserve(armed);
  line.timers.Add(timer, due);
  for (Line& changed : lines_) changed.Note();
}

void WorkerPool::Disarm(TickTimer& timer) {
  std::shared_ptr<TickTimer> dropped;  // outlives the lock
  const std::lock_guard lock(mutex_);
  dropped = TimerHeap::Remove(timer);
  for (Line& line : lines_) line.Note();
}

bool WorkerPool::AtRest() const {
  const std::lock_guard lock(mutex_);
  return std::all_of(
      workers_.begin(), workers_.end(),
      [](const Worker& worker) { return worker.idle && !worker.called; });
}

std::size_t WorkerPool::armed() const {
  const std::lock_guard lock(mutex_);
  return lines_[0].timers.size() + lines_[1].timers.size();
}

void WorkerPool::Run(std::size_t count, core::IndexFunction body) {
  Worker* const self = count > 1 ? Self() : nullptr;
  if (count <= 1 || (threads_.size() <= 1 && self == nullptr)) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  Job job(count, body);
  {
    const std::lock_guard lock(mutex_);
    job.next_job = std::exchange(first_job_, &job);
    for (std::size_t helpers = count - 1; helpers > 0; --helpers) {
      Worker* called = Call(LineOf(Urgency::kBackground));
      if (called == nullptr) called = Call(LineOf(Urgency::kSoon));
      if (called == nullptr) break;
      Notify({called});
    }
  }
  while (job.TakePiece()) {
    if (self != nullptr) ServeWhatIsDue(*self);
  }
  std::unique_lock lock(mutex_);
  Unlist(job);
  job.left.wait(lock, [&job] { return job.helpers == 0; });
}

thread_local WorkerPool::Seat WorkerPool::seat_;

void WorkerPool::Loop(Worker& self) {
  seat_ = {this, &self};
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (Work work = Take(self)) {
      ++serving_;
      Serve(std::move(work), lock);
      --serving_;
    } else if (first_job_ != nullptr) {
      Help(*first_job_, self, lock);
    } else {
      Wait(self, lock);
    }
  }
}

// With the lock let go meanwhile.
void WorkerPool::Serve(Work work, std::unique_lock<std::mutex>& lock) {
  const Called called = PassOn();
  lock.unlock();
  Notify(called);
  work.Serve();
  work = {};
  lock.lock();
}

// The worker whose thread calls; null for any other thread.
WorkerPool::Worker* WorkerPool::Self() const {
  return seat_.pool == this ? seat_.worker : nullptr;
}

// Between two pieces: turns that are due, in the midst of the caller's own,
// unless somebody else is there for them. Those that came up to now, not what
// they bring: the caller's turn goes on.
void WorkerPool::ServeWhatIsDue(Worker& self) {
  if (serving_ < workers_.size()) return;
  const std::chrono::nanoseconds now = clock_.Now();
  Line& soon = LineOf(Urgency::kSoon);
  if (now < self.yields_from || soon.first_comes.load() > now) return;
  std::unique_lock lock(mutex_);
  const Line::Order last{now, posts_};
  const auto yields_from = std::exchange(self.yields_from, TimerHeap::kNever);
  while (!stopping_ && soon.First() <= last) Serve(soon.TakeFirst(), lock);
  self.yields_from = yields_from;
  // Turns have armed timers at which their worker, this one, does not look
  // before its own turn is over.
  const Called called = PassOn();
  lock.unlock();
  Notify(called);
}

// Until it is called, its time has come, or for no reason at all.
void WorkerPool::Wait(Worker& self, std::unique_lock<std::mutex>& lock) {
  self.until = WaitsUntil(self);
  self.idle = true;
  ++idle_;
  Notify(PassOn());  // the reserved one does not look at all that it armed
  if (self.until == TimerHeap::kNever) {
    self.wake.wait(lock);
  } else {
    clock_.WaitUntil(lock, self.wake, self.until);
  }
  --idle_;
  self.idle = false;
  self.called = false;
}

// For the first timer of a line for which nobody waits; for the second, so
// that it need not be called, when somebody waits for the first alone.
std::chrono::nanoseconds WorkerPool::WaitsUntil(const Worker& self) const {
  std::chrono::nanoseconds until = TimerHeap::kNever;
  for (const Line& line : LinesOf(self)) {
    const std::chrono::nanoseconds first = line.First().first;
    const std::chrono::nanoseconds second = line.timers.Second();
    if (Lookouts(line, first) == 0) {
      until = std::min(until, first);
    } else if (Lookouts(line, second) == 1) {
      until = std::min(until, second);
    }
  }
  return until;
}

// How many of the idle look at the line by then, whatever else happens.
std::size_t WorkerPool::Lookouts(const Line& line,
                                 std::chrono::nanoseconds time) const {
  if (idle_ == 0) return 0;
  return static_cast<std::size_t>(std::count_if(
      workers_.begin(), workers_.end(), [&](const Worker& worker) {
        return worker.idle && Serves(worker, line) &&
               (worker.called || worker.until <= time);
      }));
}

// Who serves the line and can best be spared: the reserved one, then whoever
// would wake up last. To be notified; null when all have been called.
WorkerPool::Worker* WorkerPool::Call(const Line& line) {
  if (idle_ == 0) return nullptr;
  Worker* best = nullptr;
  for (Worker& worker : workers_) {
    if (!worker.idle || worker.called || !Serves(worker, line)) continue;
    if (best == nullptr || worker.until > best->until) best = &worker;
    if (worker.reserved) break;
  }
  if (best != nullptr) best->called = true;
  return best;
}

// Sees to it that whatever comes first is looked at, if anybody is idle.
WorkerPool::Called WorkerPool::PassOn() {
  Called called{};
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::chrono::nanoseconds first_comes = lines_[i].first_comes;
    if (first_comes == TimerHeap::kNever) continue;
    if (Lookouts(lines_[i], first_comes) == 0) called[i] = Call(lines_[i]);
  }
  return called;
}

// Best with no lock held, which the called would have to wait for.
void WorkerPool::Notify(const Called& called) {
  for (Worker* const worker : called) {
    if (worker != nullptr) worker->wake.notify_one();
  }
}

// Under the mutex the answer is exact, else a hint.
bool WorkerPool::HasCome(const Worker& worker,
                         std::chrono::nanoseconds now) const {
  const std::span<const Line> lines = LinesOf(worker);
  return std::any_of(lines.begin(), lines.end(), [now](const Line& line) {
    return line.first_comes.load() <= now;
  });
}

// Nothing when nothing has come.
WorkerPool::Work WorkerPool::Take(Worker& worker) {
  const std::chrono::nanoseconds now = clock_.Now();
  if (!HasCome(worker, now)) return {};
  auto& [soon, background] = lines_;
  const bool is_soon = worker.reserved || soon.First() <= background.First();
  worker.yields_from = is_soon ? now + kPatience : now;
  return (is_soon ? soon : background).TakeFirst();
}

void WorkerPool::Help(Job& job, const Worker& self,
                      std::unique_lock<std::mutex>& lock) {
  ++job.helpers;
  const Called called = PassOn();
  lock.unlock();
  Notify(called);
  bool pieces_left = true;
  while (pieces_left && !HasCome(self, clock_.Now())) {
    pieces_left = job.TakePiece();
  }
  lock.lock();
  if (!pieces_left) Unlist(job);
  // Under the lock: the job is gone as soon as its caller gets it.
  if (--job.helpers == 0) job.left.notify_one();
}

void WorkerPool::Unlist(const Job& job) {
  for (Job** at = &first_job_; *at != nullptr; at = &(*at)->next_job) {
    if (*at != &job) continue;
    *at = job.next_job;
    return;
  }
}

}  // namespace meander::hosting
