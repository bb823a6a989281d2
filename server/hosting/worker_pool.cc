#include "server/hosting/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace meander::hosting {
namespace {

// About a fiftieth of a millisecond.
constexpr int kLingerLooks = 500;

// Leaves what a processor has to a thread that shares it.
void Relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

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

  // Guarded by WorkerPool::mutex_, but for a look at helpers.
  std::atomic<std::size_t> helpers = 0;
  std::condition_variable left;  // by the last helper
  Job* next_job = nullptr;
};

WorkerPool::WorkerPool(Clock& clock, std::size_t threads,
                       PoolObserver* observer)
    : clock_(clock), observer_(observer) {
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
}

void WorkerPool::Post(std::shared_ptr<WorkerTask> task, Urgency urgency) {
  Worker* called = nullptr;
  {
    const std::lock_guard lock(mutex_);
    LineOf(urgency).Push(std::move(task), {clock_.Now(), ++posts_});
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
                           std::chrono::nanoseconds due, WorkLine& line) {
  TimerHeap::Remove(*timer);
  // Any of them may change its urgency later, and must not allocate then.
  const std::size_t armed =
      lines_[0].timers().size() + lines_[1].timers().size() + 1;
  for (WorkLine& any : lines_) any.timers().Reserve(armed);
  line.timers().Add(timer, due);
  for (WorkLine& changed : lines_) changed.Note();
}

void WorkerPool::Disarm(TickTimer& timer) {
  std::shared_ptr<TickTimer> dropped;  // outlives the lock
  const std::lock_guard lock(mutex_);
  dropped = TimerHeap::Remove(timer);
  for (WorkLine& line : lines_) line.Note();
}

bool WorkerPool::AtRest() const {
  const std::lock_guard lock(mutex_);
  return std::all_of(
      workers_.begin(), workers_.end(),
      [](const Worker& worker) { return worker.idle && !worker.called; });
}

std::size_t WorkerPool::armed() const {
  const std::lock_guard lock(mutex_);
  return lines_[0].timers().size() + lines_[1].timers().size();
}

void WorkerPool::Run(std::size_t count, core::IndexFunction body) {
  Worker* const self = Self();
  if (count <= 1 || (threads_.size() <= 1 && self == nullptr)) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    if (self != nullptr) ServeWhatIsDue(*self);
    return;
  }
  Job job(count, body);
  {
    const std::lock_guard lock(mutex_);
    job.next_job = first_job_.exchange(&job);
    for (std::size_t helpers = count - 1; helpers > 0; --helpers) {
      Worker* called = Call(LineOf(Urgency::kBackground));
      if (called == nullptr) called = Call(LineOf(Urgency::kSoon));
      if (called == nullptr) break;
      Notify({called});
    }
  }
  if (self != nullptr) Tell(PoolMoment::kPiece);
  while (job.TakePiece()) {
    if (self != nullptr) ServeWhatIsDue(*self);
  }
  if (self != nullptr) Tell(PoolMoment::kAwaitsHelpers);
  {
    std::unique_lock lock(mutex_);
    Unlist(job);
    if (job.helpers != 0) {
      lock.unlock();
      Linger([&job] { return job.helpers == 0; });
      lock.lock();
    }
    job.left.wait(lock, [&job] { return job.helpers == 0; });
  }
  if (self != nullptr) ServeWhatIsDue(*self);
}

std::chrono::nanoseconds WorkerPool::TurnCpu() const {
  const Worker* const self = Self();
  const auto others =
      self == nullptr ? std::chrono::nanoseconds(0) : self->nested_cpu;
  return clock_.ThreadCpu() - others;
}

thread_local WorkerPool::Seat WorkerPool::seat_;

// Until `over`, but not for longer than to go to sleep and be woken up would
// take.
template <typename Over>
void WorkerPool::Linger(Over over) {
  for (int looks = 0; looks < kLingerLooks && !over(); ++looks) Relax();
}

void WorkerPool::Loop(Worker& self) {
  seat_ = {this, &self};
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    Tell(PoolMoment::kLooks);
    if (Work work = Take(self)) {
      ++serving_;
      Serve(std::move(work), lock);
      --serving_;
    } else if (first_job_ != nullptr) {
      Help(*first_job_, self, lock);
      // A step is a number of Runs with little in between.
      lock.unlock();
      Linger([&] {
        return first_job_ != nullptr || stopping_ ||
               HasCome(self, clock_.Now());
      });
      lock.lock();
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

// Turns that are due, in the midst of the caller's own, when nobody else comes
// for them. Those that came up to now, not what they bring: the caller's turn
// goes on.
void WorkerPool::ServeWhatIsDue(Worker& self) {
  Tell(PoolMoment::kPiece);
  const std::chrono::nanoseconds now = clock_.Now();
  if (now < self.yields_from) return;
  const bool others_are_there = serving_ < workers_.size();
  WorkLine& soon = LineOf(Urgency::kSoon);
  if (soon.FirstComes() > (others_are_there ? now - kGrace : now)) return;
  const std::chrono::nanoseconds cpu = clock_.ThreadCpu();
  std::unique_lock lock(mutex_);
  const WorkLine::Order last{now, posts_};
  const auto yields_from = std::exchange(self.yields_from, TimerHeap::kNever);
  while (!stopping_ && soon.First() <= last) {
    Tell(PoolMoment::kNestedTurn, soon.First().first);
    Serve(soon.TakeFirst(), lock);
  }
  self.yields_from = yields_from;
  // Turns have armed timers at which their worker, this one, does not look
  // before its own turn is over.
  const Called called = PassOn();
  lock.unlock();
  Notify(called);
  self.nested_cpu += clock_.ThreadCpu() - cpu;
  Tell(PoolMoment::kPiece);
}

// Until it is called, its time has come, or for no reason at all.
void WorkerPool::Wait(Worker& self, std::unique_lock<std::mutex>& lock) {
  self.until = WaitsUntil(self);
  self.idle = true;
  ++idle_;
  Notify(PassOn());  // the reserved one does not look at all that it armed
  Tell(PoolMoment::kRests);
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
  for (const WorkLine& line : LinesOf(self)) {
    const std::chrono::nanoseconds first = line.First().first;
    const std::chrono::nanoseconds second = line.timers().Second();
    if (Lookouts(line, first) == 0) {
      until = std::min(until, first);
    } else if (Lookouts(line, second) == 1) {
      until = std::min(until, second);
    }
  }
  return until;
}

// How many of the idle look at the line by then, whatever else happens.
std::size_t WorkerPool::Lookouts(const WorkLine& line,
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
WorkerPool::Worker* WorkerPool::Call(const WorkLine& line) {
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
    const std::chrono::nanoseconds first_comes = lines_[i].FirstComes();
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
  const std::span<const WorkLine> lines = LinesOf(worker);
  return std::any_of(lines.begin(), lines.end(), [now](const WorkLine& line) {
    return line.FirstComes() <= now;
  });
}

// Nothing when nothing has come.
Work WorkerPool::Take(Worker& worker) {
  const std::chrono::nanoseconds now = clock_.Now();
  if (!HasCome(worker, now)) return {};
  auto& [soon, background] = lines_;
  const bool is_soon = worker.reserved || soon.First() <= background.First();
  worker.yields_from = is_soon ? now + kPatience : now;
  Tell(is_soon ? PoolMoment::kTurn : PoolMoment::kBackgroundTurn,
       (is_soon ? soon : background).First().first);
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
    Tell(PoolMoment::kHelpersPiece);
    pieces_left = job.TakePiece();
  }
  lock.lock();
  if (!pieces_left) Unlist(job);
  // Under the lock: the job is gone as soon as its caller gets it.
  if (--job.helpers == 0) job.left.notify_one();
}

void WorkerPool::Unlist(const Job& job) {
  if (first_job_ == &job) {
    first_job_ = job.next_job;
    return;
  }
  for (Job* at = first_job_; at != nullptr; at = at->next_job) {
    if (at->next_job != &job) continue;
    at->next_job = job.next_job;
    return;
  }
}

}  // namespace meander::hosting
