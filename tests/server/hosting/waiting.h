// Waiting in tests without looking at a clock.
#ifndef MEANDER_TESTS_SERVER_HOSTING_WAITING_H_
#define MEANDER_TESTS_SERVER_HOSTING_WAITING_H_

#include <atomic>
#include <functional>
#include <thread>
#include <utility>

#include "server/hosting/worker_pool.h"

namespace meander::hosting {

// Waits for what must come.
template <typename Condition>
void Until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

// A function as a task, whose turns can be waited for. Thread-safe.
class Task final : public WorkerTask {
 public:
  explicit Task(std::function<void()> body) : body_(std::move(body)) {}

  void RunTurn() override {
    body_();
    ++turns_;
    turns_.notify_all();
  }
  void Await(int turns) const {
    for (int now = turns_; now < turns; now = turns_) turns_.wait(now);
  }

 private:
  const std::function<void()> body_;
  std::atomic<int> turns_ = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_WAITING_H_
