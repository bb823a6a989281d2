#include "server/hosting/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/error.h"

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

void WorkerPool::Queue::Push(std::shared_ptr<WorkerTask> task) {
  WorkerTask* const added = task.get();
  (first == nullptr ? first : last->next_) = std::move(task);
  last = added;
  waits = true;
}

std::shared_ptr<WorkerTask> WorkerPool::Queue::Pop() {
  std::shared_ptr<WorkerTask> task = std::move(first);
  first = std::move(task->next_);
  waits = first != nullptr;
  return task;
}

WorkerPool::WorkerPool(std::size_t threads) {
  if (threads == 0) {
    threads = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  }
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    Crew& crew = i == 0 && threads > 1 ? reserved_ : all_round_;
    threads_.emplace_back([this, &crew] { Loop(crew); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  all_round_.wake.notify_all();
  reserved_.wake.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (Queue* queue : {&soon_, &background_}) {
    while (queue->first != nullptr) queue->Pop();  // a chain would recurse
  }
}

void WorkerPool::Post(std::shared_ptr<WorkerTask> task, Urgency urgency) {
  const std::lock_guard lock(mutex_);
  task->place_ = ++posts_;
  const bool soon = urgency == Urgency::kSoon;
  (soon ? soon_ : background_).Push(std::move(task));
  if (soon && WakeOne(reserved_)) return;
  WakeOne(all_round_);
}

bool WorkerPool::WakeOne(Crew& crew) {
  if (crew.calls == crew.idle) return false;
  ++crew.calls;
  crew.wake.notify_one();
  return true;
}

void WorkerPool::Run(std::size_t count, core::IndexFunction body) {
  if (count <= 1 || threads_.size() <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  Job job(count, body);
  {
    const std::lock_guard lock(mutex_);
    job.next_job = std::exchange(first_job_, &job);
    std::size_t helpers = count - 1;
    while (helpers > 0 && (WakeOne(all_round_) || WakeOne(reserved_))) {
      --helpers;
    }
  }
  while (job.TakePiece()) {
  }
  std::unique_lock lock(mutex_);
  Unlist(job);
  job.left.wait(lock, [&job] { return job.helpers == 0; });
}

void WorkerPool::Loop(Crew& crew) {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (TaskWaits(crew)) {
      std::shared_ptr<WorkerTask> task = TakeTask(crew);
      lock.unlock();
      task->RunTurn();
      task.reset();
      lock.lock();
    } else if (first_job_ != nullptr) {
      Help(*first_job_, crew, lock);
    } else {
      ++crew.idle;
      crew.wake.wait(lock, [&] { return crew.calls > 0 || stopping_; });
      --crew.idle;
      if (crew.calls > 0) --crew.calls;
    }
  }
}

// Under the mutex the answer is exact, else a hint.
bool WorkerPool::TaskWaits(const Crew& crew) const {
  return soon_.waits || (crew.background && background_.waits);
}

// Precondition: one waits for this crew.
std::shared_ptr<WorkerTask> WorkerPool::TakeTask(const Crew& crew) {
  if (!crew.background || background_.first == nullptr) return soon_.Pop();
  if (soon_.first == nullptr) return background_.Pop();
  const bool soon_came_first = soon_.first->place_ < background_.first->place_;
  return (soon_came_first ? soon_ : background_).Pop();
}

void WorkerPool::Help(Job& job, const Crew& crew,
                      std::unique_lock<std::mutex>& lock) {
  ++job.helpers;
  lock.unlock();
  bool pieces_left = true;
  while (pieces_left && !TaskWaits(crew)) pieces_left = job.TakePiece();
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
