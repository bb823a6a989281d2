// What callbacks answered, to be waited for.
#ifndef MEANDER_TESTS_SERVER_HOSTING_ANSWER_H_
#define MEANDER_TESTS_SERVER_HOSTING_ANSWER_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.h"

namespace meander::hosting {

// A callback's answer. Thread-safe.
template <typename T>
class Answer {
 public:
  std::function<void(core::Result<T>)> Callback() {
    return [shared = shared_](core::Result<T> result) {
      const std::lock_guard lock(shared->mutex);
      shared->results.push_back(std::move(result));
      shared->changed.notify_all();
    };
  }

  // Waits for it.
  core::Result<T> Get() const {
    std::unique_lock lock(shared_->mutex);
    shared_->changed.wait(lock, [this] { return !shared_->results.empty(); });
    return shared_->results.front();
  }
  // How often it has come so far.
  std::size_t count() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->results.size();
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<core::Result<T>> results;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_ANSWER_H_
