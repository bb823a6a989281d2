#include "server/stream/published_state.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace meander::stream {

struct StateBuffer {
  PublishedState state;
  std::atomic<std::size_t> references{0};
  std::shared_ptr<StateShelf> shelf;  // set while the buffer is held
};

// Where free buffers wait. Shared by the pool and by each held buffer, so that
// either may go first.
class StateShelf {
 public:
  StateShelf(std::size_t buffers, std::function<void()> on_free)
      : on_free_(std::move(on_free)) {
    free_.reserve(buffers);
    for (std::size_t i = 0; i < buffers; ++i) {
      free_.push_back(std::make_unique<StateBuffer>());
    }
  }

  std::unique_ptr<StateBuffer> Take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      missed_ = true;
      return nullptr;
    }
    std::unique_ptr<StateBuffer> buffer = std::move(free_.back());
    free_.pop_back();
    return buffer;
  }

  void Put(std::unique_ptr<StateBuffer> buffer) {
    std::unique_lock lock(mutex_);
    if (closed_) {
      lock.unlock();
      return;  // and the buffer dies here
    }
    free_.push_back(std::move(buffer));
    const bool call = std::exchange(missed_, false) && on_free_;
    lock.unlock();
    if (call) on_free_();
  }

  void Close() {
    std::vector<std::unique_ptr<StateBuffer>> dying;
    const std::lock_guard lock(mutex_);
    closed_ = true;
    dying.swap(free_);
  }

  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return free_.size();
  }

 private:
  const std::function<void()> on_free_;
  std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<StateBuffer>> free_;
  bool missed_ = false;  // a Take has failed since the last call
  bool closed_ = false;
};

namespace {

void Release(StateBuffer* buffer) {
  if (buffer == nullptr) return;
  if (buffer->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  buffer->state.cold.reset();  // shared; a free buffer keeps only its own
  const std::shared_ptr<StateShelf> shelf = std::move(buffer->shelf);
  shelf->Put(std::unique_ptr<StateBuffer>(buffer));
}

}  // namespace

PublishedStateRef::PublishedStateRef(const PublishedStateRef& other)
    : buffer_(other.buffer_) {
  if (buffer_ == nullptr) return;
  buffer_->references.fetch_add(1, std::memory_order_relaxed);
}

PublishedStateRef::~PublishedStateRef() { Release(buffer_); }

const PublishedState& PublishedStateRef::operator*() const {
  return buffer_->state;
}

DraftState::~DraftState() { Release(buffer_); }

PublishedState& DraftState::operator*() { return buffer_->state; }

PublishedStatePool::PublishedStatePool(std::size_t buffers,
                                       std::function<void()> on_free)
    : shelf_(std::make_shared<StateShelf>(buffers, std::move(on_free))) {}

PublishedStatePool::~PublishedStatePool() { shelf_->Close(); }

std::optional<DraftState> PublishedStatePool::Acquire() {
  std::unique_ptr<StateBuffer> buffer = shelf_->Take();
  if (buffer == nullptr) return std::nullopt;
  buffer->references.store(1, std::memory_order_relaxed);
  buffer->shelf = shelf_;
  return DraftState(buffer.release());
}

std::size_t PublishedStatePool::free_buffers() const { return shelf_->size(); }

}  // namespace meander::stream
