#include "client_examples/meanderctl/watch_stats.h"

#include <utility>

namespace meander::ctl {

bool WatchStats::Add(const v1::Frame& part) {
  if (!IsWhole(part)) return false;
  if (part.part() == 0) {
    part_bytes_ = 0;
    part_skipped_ = part.skipped();
    part_rows_ = Rows(part, rows_);
    *part_news_.mutable_events() = part.events();
    part_news_.set_dropped_events(part.dropped_events());
    part_news_.set_remaining_events(part.remaining_events());
  }
  part_bytes_ += static_cast<std::int64_t>(part.ByteSizeLong());
  if (part.part() + 1 < part.parts()) return true;

  const std::lock_guard lock(mutex_);
  if (watched_.frames == 0) watched_.first_tick = part.tick();
  ++watched_.frames;
  watched_.bytes += part_bytes_;
  watched_.skipped += part_skipped_;
  watched_.tick = part.tick();
  watched_.agents = part.agent_count();
  watched_.rows = std::move(part_rows_);
  if (part.has_state_hash()) {
    watched_.hash = part.state_hash();
    watched_.hash_tick = part.tick();
  }
  watched_.events += part_news_.events_size();
  watched_.dropped_events += part_news_.dropped_events();
  watched_.remaining_events = part_news_.remaining_events();
  if (keeps_events_) {
    events_.insert(events_.end(), part_news_.events().begin(),
                   part_news_.events().end());
  }
  if (watched_.frames == 1) changed_.notify_all();
  return true;
}

std::vector<v1::Event> WatchStats::TakeEvents() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

void WatchStats::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Watched WatchStats::Now() const {
  const std::lock_guard lock(mutex_);
  return watched_;
}

void WatchStats::WaitForFirst() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || watched_.frames > 0; });
}

bool WatchStats::WaitForEnd(SteadyClock::time_point until) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, until, [this] { return ended_; });
}

void WatchRate::Add(SteadyClock::time_point now, const Watched& watched) {
  samples_.push_back({now, watched.tick, watched.frames, watched.bytes});
  // One sample that is as old as the window stays, to count from.
  while (samples_.size() > 2 && now - samples_[1].time >= window_) {
    samples_.pop_front();
  }
}

double WatchRate::TicksPerSecond() const { return PerSecond(&Sample::tick); }

double WatchRate::FramesPerSecond() const { return PerSecond(&Sample::frames); }

double WatchRate::BytesPerSecond() const { return PerSecond(&Sample::bytes); }

double WatchRate::PerSecond(std::int64_t Sample::*what) const {
  if (samples_.size() < 2) return 0.0;
  const Sample& first = samples_.front();
  const Sample& last = samples_.back();
  const std::chrono::duration<double> passed = last.time - first.time;
  if (passed.count() <= 0.0) return 0.0;
  return static_cast<double>(last.*what - first.*what) / passed.count();
}

}  // namespace meander::ctl
