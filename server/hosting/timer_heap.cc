#include "server/hosting/timer_heap.h"

#include <algorithm>
#include <utility>

namespace meander::hosting {

TimerHeap::~TimerHeap() {
  for (const auto& timer : timers_) timer->heap_ = nullptr;
}

void TimerHeap::Reserve(std::size_t timers) {
  if (timers <= timers_.capacity()) return;
  timers_.reserve(std::max(timers, 2 * timers_.capacity()));
}

void TimerHeap::Add(std::shared_ptr<TickTimer> timer,
                    std::chrono::nanoseconds due) {
  timer->heap_ = this;
  timer->due_ = due;
  timers_.push_back(std::move(timer));
  SiftUp(timers_.size() - 1);
}

std::chrono::nanoseconds TimerHeap::First() const { return DueAt(0); }

std::chrono::nanoseconds TimerHeap::Second() const {
  return std::min(DueAt(1), DueAt(2));
}

std::chrono::nanoseconds TimerHeap::DueAt(std::size_t place) const {
  return place < timers_.size() ? timers_[place]->due_ : kNever;
}

std::shared_ptr<TickTimer> TimerHeap::Remove(TickTimer& timer) {
  if (timer.heap_ == nullptr) return nullptr;
  return timer.heap_->RemoveAt(timer.place_);
}

std::shared_ptr<TickTimer> TimerHeap::RemoveAt(std::size_t place) {
  std::shared_ptr<TickTimer> removed = std::move(timers_[place]);
  removed->heap_ = nullptr;
  std::shared_ptr<TickTimer> last = std::move(timers_.back());
  timers_.pop_back();
  if (place < timers_.size()) {
    Put(place, std::move(last));
    SiftUp(place);
    SiftDown(place);
  }
  return removed;
}

void TimerHeap::SiftUp(std::size_t place) {
  std::shared_ptr<TickTimer> timer = std::move(timers_[place]);
  while (place > 0) {
    const std::size_t above = (place - 1) / 2;
    if (timers_[above]->due_ <= timer->due_) break;
    Put(place, std::move(timers_[above]));
    place = above;
  }
  Put(place, std::move(timer));
}

void TimerHeap::SiftDown(std::size_t place) {
  std::shared_ptr<TickTimer> timer = std::move(timers_[place]);
  for (std::size_t below = 2 * place + 1; below < timers_.size();
       below = 2 * place + 1) {
    if (below + 1 < timers_.size() &&
        timers_[below + 1]->due_ < timers_[below]->due_) {
      ++below;
    }
    if (timer->due_ <= timers_[below]->due_) break;
    Put(place, std::move(timers_[below]));
    place = below;
  }
  Put(place, std::move(timer));
}

void TimerHeap::Put(std::size_t place, std::shared_ptr<TickTimer> timer) {
  timer->place_ = place;
  timers_[place] = std::move(timer);
}

}  // namespace meander::hosting
