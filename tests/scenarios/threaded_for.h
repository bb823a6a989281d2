// A ParallelFor over threads of its own that hands pieces out in a shuffled
// order: what a test wants of a host, and no host would do.
//
// The threads live as long as it does and sleep between runs. One thread calls.
#ifndef MEANDER_TESTS_SCENARIOS_THREADED_FOR_H_
#define MEANDER_TESTS_SCENARIOS_THREADED_FOR_H_

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "core/parallel_for.h"

namespace meander::scenarios {

class ThreadedFor final : public core::ParallelFor {
 public:
  // `threads` at least 1; the caller's is one of them.
  explicit ThreadedFor(int threads) {
    for (int i = 1; i < threads; ++i) {
      threads_.emplace_back([this] { Serve(); });
    }
  }
  ~ThreadedFor() override {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void Run(std::size_t count, core::IndexFunction body) override {
    std::unique_lock lock(mutex_);
    body_ = &body;
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::shuffle(order_.begin(), order_.end(), random_);
    ++run_;
    changed_.notify_all();
    Work(lock);
    changed_.wait(lock, [this] { return working_ == 0; });
  }

 private:
  void Serve() {
    std::unique_lock lock(mutex_);
    std::uint64_t seen = 0;
    while (true) {
      changed_.wait(lock, [&] { return stopping_ || run_ != seen; });
      if (stopping_) return;
      seen = run_;
      Work(lock);
      changed_.notify_all();
    }
  }

  // Does pieces as long as there are any. The mutex is held between them.
  void Work(std::unique_lock<std::mutex>& lock) {
    ++working_;
    while (!order_.empty()) {
      const std::size_t piece = order_.back();
      order_.pop_back();
      const core::IndexFunction body = *body_;
      lock.unlock();
      body(piece);
      lock.lock();
    }
    --working_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::uint64_t run_ = 0;
  const core::IndexFunction* body_ = nullptr;
  std::vector<std::size_t> order_;  // pieces that nobody has taken
  int working_ = 0;
  std::mt19937 random_{1};
  std::vector<std::thread> threads_;
};

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_THREADED_FOR_H_
