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

WorkerPool::WorkerPool(std::size_t threads) {
  if (threads == 0) {
    threads = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  }
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Loop(); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  while (first_task_ != nullptr) PopTask();  // a chain would recurse
}

void WorkerPool::Post(std::shared_ptr<WorkerTask> task) {
  {
    const std::lock_guard lock(mutex_);
    WorkerTask* const last = task.get();
    (first_task_ == nullptr ? first_task_ : last_task_->next_) =
        std::move(task);
    last_task_ = last;
    tasks_wait_ = true;
  }
  wake_.notify_one();
}

void WorkerPool::Run(std::size_t count, core::IndexFunction body) {
  if (count <= 1 || threads_.size() <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  Job job(count, body);
  std::size_t helpers = 0;
  {
    const std::lock_guard lock(mutex_);
    job.next_job = std::exchange(first_job_, &job);
    helpers = std::min(idle_, count - 1);
  }
  for (std::size_t i = 0; i < helpers; ++i) wake_.notify_one();
  while (job.TakePiece()) {
  }
  std::unique_lock lock(mutex_);
  Unlist(job);
  job.left.wait(lock, [&job] { return job.helpers == 0; });
}

void WorkerPool::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (first_task_ != nullptr) {
      std::shared_ptr<WorkerTask> task = PopTask();
      lock.unlock();
      task->RunTurn();
      task.reset();
      lock.lock();
    } else if (first_job_ != nullptr) {
      Help(*first_job_, lock);
    } else {
      ++idle_;
      wake_.wait(lock);
      --idle_;
    }
  }
}

void WorkerPool::Help(Job& job, std::unique_lock<std::mutex>& lock) {
  ++job.helpers;
  lock.unlock();
  bool pieces_left = true;
  while (pieces_left && !tasks_wait_) pieces_left = job.TakePiece();
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

std::shared_ptr<WorkerTask> WorkerPool::PopTask() {
  std::shared_ptr<WorkerTask> task = std::move(first_task_);
  first_task_ = std::move(task->next_);
  tasks_wait_ = first_task_ != nullptr;
  return task;
}

}  // namespace meander::hosting
