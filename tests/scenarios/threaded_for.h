// A ParallelFor over threads of its own that hands pieces out in a shuffled
// order: what a test wants of a host, and no host would do.
#ifndef MEANDER_TESTS_SCENARIOS_THREADED_FOR_H_
#define MEANDER_TESTS_SCENARIOS_THREADED_FOR_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "core/parallel_for.h"

namespace meander::scenarios {

class ThreadedFor final : public core::ParallelFor {
 public:
  // `threads` at least 1.
  explicit ThreadedFor(int threads) : threads_(threads) {}

  void Run(std::size_t count, core::IndexFunction body) override {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) body(order[i]);
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < threads_; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }

 private:
  int threads_;
  std::mt19937 random_{1};
};

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_THREADED_FOR_H_
