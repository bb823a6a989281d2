// The state of one tick as readers share it: immutable, reference-counted,
// made only while somebody looks.
//
// A pool owns a few buffers. One that is free is filled as a DraftState by the
// thread that ticks, sealed into a PublishedStateRef, and returns to the pool,
// with what it has allocated, when the last reference goes; so a warm pool
// publishes without allocating. When all are held Acquire gives nothing: that
// tick is not published, and nobody is waited for. References may outlive the
// pool. Thread-safe, except that one reference is one thread's.
#ifndef MEANDER_SERVER_STREAM_PUBLISHED_STATE_H_
#define MEANDER_SERVER_STREAM_PUBLISHED_STATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/agent_state.h"

namespace meander::stream {

struct PublishedState {
  std::int64_t tick = 0;
  std::int64_t epoch = 1;
  std::optional<std::uint64_t> state_hash;  // none where it was not computed
  core::MotionColumns motion;  // perhaps only those that frames show
  // Of the same tick and rows; null when nobody asked for them.
  std::shared_ptr<const core::ColdColumns> cold;
};

// One buffer of a pool, and the shelf where it waits; see the .cc.
struct StateBuffer;
class StateShelf;

class PublishedStateRef {
 public:
  PublishedStateRef() = default;
  PublishedStateRef(const PublishedStateRef& other);
  PublishedStateRef(PublishedStateRef&& other) noexcept
      : buffer_(std::exchange(other.buffer_, nullptr)) {}
  PublishedStateRef& operator=(PublishedStateRef other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~PublishedStateRef();

  explicit operator bool() const { return buffer_ != nullptr; }
  // Precondition of both: not empty.
  const PublishedState& operator*() const;
  const PublishedState* operator->() const { return &**this; }

 private:
  friend class DraftState;
  explicit PublishedStateRef(StateBuffer* buffer) : buffer_(buffer) {}

  StateBuffer* buffer_ = nullptr;
};

// A buffer that one thread fills. Goes back to its pool unless it is sealed.
class DraftState {
 public:
  DraftState(DraftState&& other) noexcept
      : buffer_(std::exchange(other.buffer_, nullptr)) {}
  DraftState& operator=(DraftState&&) = delete;
  ~DraftState();

  PublishedState& operator*();
  PublishedState* operator->() { return &**this; }

  // From now on it is read only.
  PublishedStateRef Seal() && {
    return PublishedStateRef(std::exchange(buffer_, nullptr));
  }

 private:
  friend class PublishedStatePool;
  explicit DraftState(StateBuffer* buffer) : buffer_(buffer) {}

  StateBuffer* buffer_;
};

class PublishedStatePool {
 public:
  // `on_free` is called, by whichever thread lets a buffer go and with no lock
  // held, once after each run of failed Acquires: trying again may succeed.
  explicit PublishedStatePool(std::size_t buffers,
                              std::function<void()> on_free = {});
  ~PublishedStatePool();
  PublishedStatePool(const PublishedStatePool&) = delete;
  PublishedStatePool& operator=(const PublishedStatePool&) = delete;

  // A buffer with the leftovers of its last use; none when all are held.
  std::optional<DraftState> Acquire();

  std::size_t free_buffers() const;

 private:
  std::shared_ptr<StateShelf> shelf_;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_PUBLISHED_STATE_H_
