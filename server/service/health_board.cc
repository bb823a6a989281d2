#include "server/service/health_board.h"

#include <utility>

namespace meander::service {

void HealthWatcher::Tell(Health health) {
  Lock lock(mutex_);
  if (drained_) return;
  told_ = health;
  Advance(std::move(lock));
}

void HealthWatcher::Drain(Health health) {
  Lock lock(mutex_);
  if (drained_) return;
  told_ = health;
  drained_ = true;
  Advance(std::move(lock));
}

void HealthWatcher::WriteDone(bool ok) {
  Lock lock(mutex_);
  writing_ = false;
  gone_ = gone_ || !ok;
  Advance(std::move(lock));
}

void HealthWatcher::Cancel() {
  Lock lock(mutex_);
  gone_ = true;
  Advance(std::move(lock));
}

// Starts what is due next, if anything is.
void HealthWatcher::Advance(Lock lock) {
  if (writing_ || finished_) return;
  if (!gone_ && told_ && told_ != written_) {
    writing_ = true;
    written_ = told_;
    const Health health = *told_;
    lock.unlock();
    sink_.Write(health);
    return;
  }
  if (!gone_ && !drained_) return;
  finished_ = true;
  const WatchEnd end = gone_ ? WatchEnd::kReaderGone : WatchEnd::kDrained;
  lock.unlock();
  sink_.Finish(end);
}

HealthBoard::HealthBoard(std::vector<std::string> services)
    : services_([&services] {
        std::set<std::string, std::less<>> all(services.begin(),
                                               services.end());
        all.emplace();
        return all;
      }()) {}

Health HealthBoard::Check(std::string_view service) const {
  if (!Knows(service)) return Health::kUnknownService;
  const std::lock_guard lock(mutex_);
  return drained_ ? Health::kNotServing : Health::kServing;
}

void HealthBoard::Add(std::string_view service,
                      const std::shared_ptr<HealthWatcher>& watcher) {
  const bool known = Knows(service);
  bool drained = false;
  {
    const std::lock_guard lock(mutex_);
    drained = drained_;
    if (!drained) watchers_.emplace(watcher, known);
  }
  if (drained) {
    watcher->Drain(known ? Health::kNotServing : Health::kUnknownService);
  } else {
    // Has no effect when a drain came between.
    watcher->Tell(known ? Health::kServing : Health::kUnknownService);
  }
}

void HealthBoard::Remove(const std::shared_ptr<HealthWatcher>& watcher) {
  const std::lock_guard lock(mutex_);
  watchers_.erase(watcher);
}

void HealthBoard::Drain() {
  std::map<std::shared_ptr<HealthWatcher>, bool> watchers;
  {
    const std::lock_guard lock(mutex_);
    if (drained_) return;
    drained_ = true;
    watchers.swap(watchers_);
  }
  for (const auto& [watcher, known] : watchers) {
    watcher->Drain(known ? Health::kNotServing : Health::kUnknownService);
  }
}

}  // namespace meander::service
