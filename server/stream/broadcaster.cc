#include "server/stream/broadcaster.h"

#include <utility>

namespace meander::stream {

Broadcaster::Broadcaster(std::size_t threads) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Loop(); });
  }
}

Broadcaster::~Broadcaster() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  while (first_ != nullptr) Pop();  // one by one: a chain would recurse
}

void Broadcaster::Queue(const std::shared_ptr<Delivery>& delivery) {
  {
    const std::lock_guard lock(mutex_);
    switch (delivery->state_) {
      case Delivery::State::kIdle:
        Push(delivery);
        break;
      case Delivery::State::kRunning:
        delivery->state_ = Delivery::State::kRunningAgain;
        return;
      case Delivery::State::kQueued:
      case Delivery::State::kRunningAgain:
        return;
    }
  }
  wake_.notify_one();
}

void Broadcaster::Loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || first_ != nullptr; });
    if (stopping_) return;
    std::shared_ptr<Delivery> delivery = Pop();
    delivery->state_ = Delivery::State::kRunning;
    lock.unlock();
    delivery->Deliver();
    lock.lock();
    const bool again = delivery->state_ == Delivery::State::kRunningAgain;
    delivery->state_ = Delivery::State::kIdle;
    if (again) Push(delivery);
    lock.unlock();
    delivery.reset();  // may be the last one to know it
    lock.lock();
  }
}

void Broadcaster::Push(std::shared_ptr<Delivery> delivery) {
  delivery->state_ = Delivery::State::kQueued;
  Delivery* const last = delivery.get();
  (first_ == nullptr ? first_ : last_->next_) = std::move(delivery);
  last_ = last;
}

std::shared_ptr<Delivery> Broadcaster::Pop() {
  std::shared_ptr<Delivery> delivery = std::move(first_);
  first_ = std::move(delivery->next_);
  return delivery;
}

}  // namespace meander::stream
