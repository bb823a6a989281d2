// The threads that encode frames and start writes, for all worlds.
//
// A queue of streams with something new to deliver. A stream is at most once
// in the queue and with at most one thread; queued while it is being
// delivered, it is delivered once more. The thread that ticks only queues.
// Queueing does not allocate. Thread-safe.
#ifndef MEANDER_SERVER_STREAM_BROADCASTER_H_
#define MEANDER_SERVER_STREAM_BROADCASTER_H_

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace meander::stream {

// What can be queued: WorldStream, or a test's.
class Delivery {
 public:
  virtual ~Delivery() = default;

  // Called by one thread at a time, with no lock held.
  virtual void Deliver() = 0;

 private:
  friend class Broadcaster;
  enum class State { kIdle, kQueued, kRunning, kRunningAgain };

  State state_ = State::kIdle;      // guarded by Broadcaster::mutex_
  std::shared_ptr<Delivery> next_;  // guarded by Broadcaster::mutex_
};

class Broadcaster {
 public:
  explicit Broadcaster(std::size_t threads = 1);
  // Stops the threads; what is queued is dropped. Streams may live on, but
  // must not be queued any more.
  ~Broadcaster();
  Broadcaster(const Broadcaster&) = delete;
  Broadcaster& operator=(const Broadcaster&) = delete;

  void Queue(const std::shared_ptr<Delivery>& delivery);

 private:
  void Loop();
  void Push(std::shared_ptr<Delivery> delivery);
  std::shared_ptr<Delivery> Pop();

  std::mutex mutex_;  // guards all below but threads_
  std::condition_variable wake_;
  std::shared_ptr<Delivery> first_;
  Delivery* last_ = nullptr;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_BROADCASTER_H_
