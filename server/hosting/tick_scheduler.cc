#include "server/hosting/tick_scheduler.h"

#include <utility>

namespace meander::hosting {

TickScheduler::TickScheduler(Clock& clock)
    : clock_(clock), thread_([this] { Loop(); }) {}

TickScheduler::~TickScheduler() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void TickScheduler::Arm(const std::shared_ptr<TickTimer>& timer,
                        std::chrono::nanoseconds due) {
  {
    const std::lock_guard lock(mutex_);
    if (timer->place_ != TickTimer::kNotArmed) RemoveAt(timer->place_);
    timer->due_ = due;
    heap_.push_back(timer);
    SiftUp(heap_.size() - 1);
    if (heap_.front() != timer) return;  // the thread wakes up before
  }
  wake_.notify_one();
}

void TickScheduler::Disarm(TickTimer& timer) {
  std::shared_ptr<TickTimer> dropped;  // outlives the lock
  const std::lock_guard lock(mutex_);
  if (timer.place_ != TickTimer::kNotArmed) dropped = RemoveAt(timer.place_);
}

std::size_t TickScheduler::armed() const {
  const std::lock_guard lock(mutex_);
  return heap_.size();
}

void TickScheduler::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (heap_.empty()) {
      wake_.wait(lock);
    } else if (heap_.front()->due_ > clock_.Now()) {
      clock_.WaitUntil(lock, wake_, heap_.front()->due_);
    } else {
      std::shared_ptr<TickTimer> timer = RemoveAt(0);
      lock.unlock();
      timer->OnDue();
      timer.reset();
      lock.lock();
    }
  }
}

std::shared_ptr<TickTimer> TickScheduler::RemoveAt(std::size_t place) {
  std::shared_ptr<TickTimer> removed = std::move(heap_[place]);
  removed->place_ = TickTimer::kNotArmed;
  std::shared_ptr<TickTimer> last = std::move(heap_.back());
  heap_.pop_back();
  if (place < heap_.size()) {
    Put(place, std::move(last));
    SiftUp(place);
    SiftDown(place);
  }
  return removed;
}

void TickScheduler::SiftUp(std::size_t place) {
  std::shared_ptr<TickTimer> timer = std::move(heap_[place]);
  while (place > 0) {
    const std::size_t above = (place - 1) / 2;
    if (heap_[above]->due_ <= timer->due_) break;
    Put(place, std::move(heap_[above]));
    place = above;
  }
  Put(place, std::move(timer));
}

void TickScheduler::SiftDown(std::size_t place) {
  std::shared_ptr<TickTimer> timer = std::move(heap_[place]);
  for (std::size_t below = 2 * place + 1; below < heap_.size();
       below = 2 * place + 1) {
    if (below + 1 < heap_.size() &&
        heap_[below + 1]->due_ < heap_[below]->due_) {
      ++below;
    }
    if (timer->due_ <= heap_[below]->due_) break;
    Put(place, std::move(heap_[below]));
    place = below;
  }
  Put(place, std::move(timer));
}

void TickScheduler::Put(std::size_t place, std::shared_ptr<TickTimer> timer) {
  timer->place_ = place;
  heap_[place] = std::move(timer);
}

}  // namespace meander::hosting
