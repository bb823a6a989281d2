#include "server/hosting/work_line.h"

#include <algorithm>
#include <tuple>

namespace meander::hosting {

WorkLine::~WorkLine() {
  while (first_ != nullptr) {  // a chain would recurse
    first_ = std::exchange(first_->next_, nullptr);
  }
}

void WorkLine::Push(std::shared_ptr<WorkerTask> task, Order order) {
  std::tie(task->posted_, task->place_) = order;
  WorkerTask* const added = task.get();
  (first_ == nullptr ? first_ : last_->next_) = std::move(task);
  last_ = added;
  Note();
}

WorkLine::Order WorkLine::First() const {
  const Order timer{timers_.First(), 0};
  if (first_ == nullptr) return timer;
  return std::min(timer, Order{first_->posted_, first_->place_});
}

Work WorkLine::TakeFirst() {
  Work work;
  if (first_ == nullptr || timers_.First() <= first_->posted_) {
    work.timer = timers_.TakeFirst();
  } else {
    work.task = std::move(first_);
    first_ = std::move(work.task->next_);
  }
  Note();
  return work;
}

}  // namespace meander::hosting
