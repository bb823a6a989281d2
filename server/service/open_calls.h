// How many calls are open: what a server that drains waits for.
//
// gRPC's own shutdown also waits for connections to close, which a client that
// hangs never does. A call counts from its first moment until gRPC says that
// nothing more will happen to it. Thread-safe.
#ifndef MEANDER_SERVER_SERVICE_OPEN_CALLS_H_
#define MEANDER_SERVER_SERVICE_OPEN_CALLS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace meander::service {

class OpenCalls {
 public:
  // Waits until no call is open; false when `timeout` has passed before.
  bool WaitForNone(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return none_.wait_for(lock, timeout, [this] { return open_ == 0; });
  }

  std::int64_t count() const {
    const std::lock_guard lock(mutex_);
    return open_;
  }

 private:
  friend class OpenCall;

  void Enter() {
    const std::lock_guard lock(mutex_);
    ++open_;
  }
  void Leave() {
    // Under the lock: the object may be gone once the last call has left.
    const std::lock_guard lock(mutex_);
    if (--open_ == 0) none_.notify_all();
  }

  mutable std::mutex mutex_;  // guards open_
  std::condition_variable none_;
  std::int64_t open_ = 0;
};

// Counts as one open call for as long as it lives.
class OpenCall {
 public:
  explicit OpenCall(OpenCalls& calls) : calls_(calls) { calls_.Enter(); }
  ~OpenCall() { calls_.Leave(); }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

 private:
  OpenCalls& calls_;
};

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_OPEN_CALLS_H_
