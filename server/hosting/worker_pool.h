// The threads that step worlds.
//
// Tasks (worlds that want a turn) come in two kinds. Those that are due soon
// are served first come, first served; those that use up their slice of time
// are background, and go only to some of the threads, in one order with the
// others, so that however many and however heavy they are a thread is left for
// what is due. A single thread serves all in order. It also is a ParallelFor
// for the tasks' inner loops: the calling thread always takes part; workers
// that have no task join it, and leave it for one. Since nobody waits for a
// worker that has not joined, it cannot deadlock however many call at once.
// Neither posting nor Run allocates. Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_WORKER_POOL_H_
#define MEANDER_SERVER_HOSTING_WORKER_POOL_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/parallel_for.h"

namespace meander::hosting {

enum class Urgency : std::uint8_t { kSoon, kBackground };

class WorkerTask {
 public:
  virtual ~WorkerTask() = default;

  // Called once for each Post, with no lock held.
  virtual void RunTurn() = 0;

 private:
  friend class WorkerPool;
  // Guarded by WorkerPool::mutex_.
  std::shared_ptr<WorkerTask> next_;
  std::uint64_t place_ = 0;  // in the order of all posts
};

class WorkerPool final : public core::ParallelFor {
 public:
  // 0 means one for each processor.
  explicit WorkerPool(std::size_t threads = 0);
  // Waits for the tasks that run; what is queued is dropped.
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Precondition: the task is not in a queue.
  void Post(std::shared_ptr<WorkerTask> task, Urgency urgency = Urgency::kSoon);

  void Run(std::size_t count, core::IndexFunction body) override;

  std::size_t threads() const { return threads_.size(); }

 private:
  struct Job;

  // First in, first out.
  struct Queue {
    std::shared_ptr<WorkerTask> first;
    WorkerTask* last = nullptr;
    std::atomic<bool> waits = false;  // read without the mutex, as a hint

    void Push(std::shared_ptr<WorkerTask> task);
    std::shared_ptr<WorkerTask> Pop();
  };
  // What a kind of worker takes, and how it is woken up.
  struct Crew {
    bool background = true;  // takes background tasks, too
    std::size_t idle = 0;    // workers that wait
    std::size_t calls = 0;   // of those that were woken up and still wait
    std::condition_variable wake;
  };

  void Loop(Crew& crew);
  bool TaskWaits(const Crew& crew) const;
  std::shared_ptr<WorkerTask> TakeTask(const Crew& crew);
  // False when nobody of the crew is left to be woken up.
  static bool WakeOne(Crew& crew);
  void Help(Job& job, const Crew& crew, std::unique_lock<std::mutex>& lock);
  void Unlist(const Job& job);

  std::mutex mutex_;  // guards all below but threads_
  Queue soon_;
  Queue background_;
  std::uint64_t posts_ = 0;
  Crew all_round_;
  Crew reserved_{.background = false, .idle = 0, .calls = 0, .wake = {}};
  Job* first_job_ = nullptr;  // those that have pieces left
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORKER_POOL_H_
