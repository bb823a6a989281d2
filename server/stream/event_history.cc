#include "server/stream/event_history.h"

#include <algorithm>

#include "core/error.h"

namespace meander::stream {

void EventHistory::Add(std::span<const core::Event> events) {
  for (const core::Event& event : events) {
    if (ring_.size() < max_events_) {
      ring_.push_back(event);
    } else {
      ring_[static_cast<std::size_t>(end_ - first_) % max_events_] = event;
    }
    ++end_;
  }
}

FrameEvents EventHistory::Read(std::int64_t begin, std::int64_t end,
                               std::size_t most) const {
  MEANDER_CHECK(begin <= end && end <= end_);
  const std::int64_t held = end_ - static_cast<std::int64_t>(ring_.size());
  const std::int64_t from = std::clamp(held, begin, end);
  const std::int64_t to = std::min(end, from + static_cast<std::int64_t>(most));
  FrameEvents told{.events = {}, .dropped = from - begin, .left = end - to};
  told.events.reserve(static_cast<std::size_t>(to - from));
  for (std::int64_t number = from; number < to; ++number) {
    told.events.push_back(At(number));
  }
  return told;
}

void EventHistory::Clear() {
  first_ = end_;
  ring_ = {};
}

const core::Event& EventHistory::At(std::int64_t number) const {
  return ring_[static_cast<std::size_t>(number - first_) % max_events_];
}

}  // namespace meander::stream
