// The threads that step worlds, and wait for the time to step them.
//
// A task (a world that wants a turn) comes when it is posted, a timer (a world
// whose next tick has its time) when it is due. Both are of two kinds. What is
// due soon goes to every thread; what uses up its slice of time is background
// and goes to all but one, who take both in the order in which they came. So
// however much and however heavy it is, a thread is left for what is due. A
// single thread takes all in order, but for what interrupts (below).
//
// No thread only keeps time: while somebody is idle, somebody idle wakes up by
// itself when the first timer of each kind is due, and serves it then and
// there. Who stops waiting calls another one to take over, unless one waits
// for the next timer already: two idle threads wait for two timers.
//
// The pool also is a ParallelFor for inner loops: the calling thread always
// takes part; workers that have nothing to serve join it, and leave it after
// the piece during which something comes. As a step is a number of Runs they
// stay awake for a moment after each. Since nobody waits for a worker that has
// not joined, it cannot deadlock however many call at once. Neither Post nor
// Run allocates, nor Arm once as many timers were armed at a time before.
// Thread-safe.
//
// A turn may be interrupted when it is background or has lasted kPatience: at
// the end of each piece that its thread runs and of each Run it then serves
// what is due, if all threads are at turns, or if it has been due for kGrace
// and whoever is there for it has not come, as one that has no processor. What
// a turn does outside of Run is not interrupted, nor is one that interrupts.
//
// So what is due is taken, once all that was due before it has been, after at
// most one piece of a Run, or one stretch of a turn outside of Run, and
// kGrace more where a thread waits for a processor. But where all threads that
// have a processor are at turns that must not be interrupted, when the first of
// these ends or may be; and where one of them awaits the last piece of another
// that has lost its processor, when that piece ends.
#ifndef MEANDER_SERVER_HOSTING_WORKER_POOL_H_
#define MEANDER_SERVER_HOSTING_WORKER_POOL_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/parallel_for.h"
#include "server/hosting/clock.h"
#include "server/hosting/pool_observer.h"
#include "server/hosting/timer_heap.h"
#include "server/hosting/work_line.h"

namespace meander::hosting {

enum class Urgency : std::uint8_t { kSoon, kBackground };

class WorkerPool final : public core::ParallelFor {
 public:
  // 0 means one for each processor.
  explicit WorkerPool(Clock& clock, std::size_t threads = 0,
                      PoolObserver* observer = nullptr);
  // Waits for what is being served; tasks in a queue and timers are let go.
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Precondition: the task is not in a queue.
  void Post(std::shared_ptr<WorkerTask> task, Urgency urgency = Urgency::kSoon);

  // Calls OnDue once at `due`, at once when that is past. Instead of what the
  // timer was armed for before, unless a worker has taken it already.
  void Arm(const std::shared_ptr<TickTimer>& timer,
           std::chrono::nanoseconds due, Urgency urgency = Urgency::kSoon);
  // The same, as the last act of a turn: its worker looks at the timers next,
  // so that nobody need be woken up to do so.
  void ArmNext(const std::shared_ptr<TickTimer>& timer,
               std::chrono::nanoseconds due, Urgency urgency = Urgency::kSoon);
  // Forgets a timer. One that a worker has taken already still comes.
  void Disarm(TickTimer& timer);
  std::size_t armed() const;

  // To be called with no lock held: it may serve turns of others.
  void Run(std::size_t count, core::IndexFunction body) override;

  // As Clock::ThreadCpu, for the length of a turn: less what the calling thread
  // has computed in turns that interrupted it.
  std::chrono::nanoseconds TurnCpu() const;

  std::size_t threads() const { return threads_.size(); }
  // Whether all of them wait and none has been called; for tests.
  bool AtRest() const;

  // How long a turn that was due itself is not interrupted.
  static constexpr std::chrono::milliseconds kPatience{2};
  // How long what is due is left to a thread that is there for it: twice as
  // long as one takes to wake up.
  static constexpr std::chrono::microseconds kGrace{100};

 private:
  struct Job;

  // Guarded by mutex_ but for `reserved`.
  struct Worker {
    explicit Worker(bool for_what_is_due) : reserved(for_what_is_due) {}

    const bool reserved;  // takes nothing of the background
    bool idle = false;
    bool called = false;                // woken up, but idle still
    std::chrono::nanoseconds until{0};  // when it wakes up by itself
    // From when on its turn may be interrupted. Of its thread alone.
    std::chrono::nanoseconds yields_from{TimerHeap::kNever};
    // Of all turns that have interrupted others. Of its thread alone.
    std::chrono::nanoseconds nested_cpu{0};
    std::condition_variable wake;
  };
  // Those that have been called and are still to be notified.
  using Called = std::array<Worker*, 2>;

  template <typename Over>
  static void Linger(Over over);
  void Loop(Worker& self);
  void Wait(Worker& self, std::unique_lock<std::mutex>& lock);
  std::chrono::nanoseconds WaitsUntil(const Worker& self) const;
  std::size_t Lookouts(const WorkLine& line,
                       std::chrono::nanoseconds time) const;
  Worker* Call(const WorkLine& line);
  Called PassOn();
  static void Notify(const Called& called);

  WorkLine& LineOf(Urgency urgency) {
    return lines_[static_cast<std::size_t>(urgency)];
  }
  std::span<const WorkLine> LinesOf(const Worker& worker) const {
    return std::span(lines_).first(worker.reserved ? 1 : lines_.size());
  }
  bool Serves(const Worker& worker, const WorkLine& line) const {
    return !worker.reserved || &line == &lines_.front();
  }
  bool HasCome(const Worker& worker, std::chrono::nanoseconds now) const;
  Work Take(Worker& worker);
  void Serve(Work work, std::unique_lock<std::mutex>& lock);
  void ArmLocked(const std::shared_ptr<TickTimer>& timer,
                 std::chrono::nanoseconds due, WorkLine& line);

  Worker* Self() const;
  void ServeWhatIsDue(Worker& self);
  void Help(Job& job, const Worker& self, std::unique_lock<std::mutex>& lock);
  void Unlist(const Job& job);

  // Where a thread of a pool sits.
  struct Seat {
    const WorkerPool* pool = nullptr;
    Worker* worker = nullptr;
  };
  static thread_local Seat seat_;

  void Tell(PoolMoment moment, std::chrono::nanoseconds came = {}) const {
    if (observer_ != nullptr) observer_->On(moment, came);
  }

  Clock& clock_;
  PoolObserver* const observer_;
  // Guards what follows but threads_; atomics are written under it, and read
  // without.
  mutable std::mutex mutex_;
  std::array<WorkLine, 2> lines_;  // by Urgency
  std::uint64_t posts_ = 0;
  std::deque<Worker> workers_;            // the reserved one first
  std::size_t idle_ = 0;                  // of the workers
  std::atomic<std::size_t> serving_ = 0;  // of them
  // Those that have pieces left.
  std::atomic<Job*> first_job_ = nullptr;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORKER_POOL_H_
