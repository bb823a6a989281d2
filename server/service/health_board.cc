#include "server/service/health_board.h"

#include <utility>

namespace meander::service {

void HealthWatcher::Tell(Health health) {
  Lock lock(mutex_);
  if (end_) return;
  told_ = health;
  Advance(std::move(lock));
}

void HealthWatcher::End(Health health, const core::Error& error) {
  Lock lock(mutex_);
  if (end_) return;
  told_ = health;
  end_ = error;
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
  if (!gone_ && !end_) return;
  finished_ = true;
  std::optional<core::Error> error = end_;
  lock.unlock();
  sink_.Finish(std::move(error));
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
  std::optional<core::Error> drained;
  {
    const std::lock_guard lock(mutex_);
    drained = drained_;
    if (!drained) watchers_.emplace(watcher, known);
  }
  if (drained) {
    watcher->End(known ? Health::kNotServing : Health::kUnknownService,
                 *drained);
  } else {
    // Has no effect when a drain came between.
    watcher->Tell(known ? Health::kServing : Health::kUnknownService);
  }
}

void HealthBoard::Remove(const std::shared_ptr<HealthWatcher>& watcher) {
  const std::lock_guard lock(mutex_);
  watchers_.erase(watcher);
}

void HealthBoard::Drain(const core::Error& error) {
  std::map<std::shared_ptr<HealthWatcher>, bool> watchers;
  {
    const std::lock_guard lock(mutex_);
    if (drained_) return;
    drained_ = error;
    watchers.swap(watchers_);
  }
  for (const auto& [watcher, known] : watchers) {
    watcher->End(known ? Health::kNotServing : Health::kUnknownService, error);
  }
}

}  // namespace meander::service
