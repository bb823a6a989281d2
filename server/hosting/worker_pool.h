// The threads that step worlds.
//
// A queue of tasks (worlds that want a turn), first come first served, and a
// ParallelFor for the tasks' inner loops: the calling thread always takes
// part; workers that have no task join it, and leave it for one. Since nobody
// waits for a worker that has not joined, it cannot deadlock however many call
// at once. Neither posting nor Run allocates. Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_WORKER_POOL_H_
#define MEANDER_SERVER_HOSTING_WORKER_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/parallel_for.h"

namespace meander::hosting {

class WorkerTask {
 public:
  virtual ~WorkerTask() = default;

  // Called once for each Post, with no lock held.
  virtual void RunTurn() = 0;

 private:
  friend class WorkerPool;
  std::shared_ptr<WorkerTask> next_;  // guarded by WorkerPool::mutex_
};

class WorkerPool final : public core::ParallelFor {
 public:
  // 0 means one for each processor.
  explicit WorkerPool(std::size_t threads = 0);
  // Waits for the tasks that run; what is queued is dropped.
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Precondition: the task is not in the queue.
  void Post(std::shared_ptr<WorkerTask> task);

  void Run(std::size_t count, core::IndexFunction body) override;

  std::size_t threads() const { return threads_.size(); }

 private:
  struct Job;

  void Loop();
  void Help(Job& job, std::unique_lock<std::mutex>& lock);
  std::shared_ptr<WorkerTask> PopTask();
  void Unlist(const Job& job);

  std::mutex mutex_;  // guards all below but threads_
  std::condition_variable wake_;
  std::shared_ptr<WorkerTask> first_task_;
  WorkerTask* last_task_ = nullptr;
  std::atomic<bool> tasks_wait_ = false;  // read without the mutex, as a hint
  Job* first_job_ = nullptr;              // those that have pieces left
  std::size_t idle_ = 0;                  // workers that wait
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORKER_POOL_H_
