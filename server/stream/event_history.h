// The newest events of a world, for subscribers who ask for them.
//
// Events are numbered from 0 in the order in which they are added: a reader
// that remembers the number of the next one is told each once, and how many it
// has missed when the history no longer holds them. Holds at most max_events,
// and allocates nothing once it has held as many. Not thread-safe.
#ifndef MEANDER_SERVER_STREAM_EVENT_HISTORY_H_
#define MEANDER_SERVER_STREAM_EVENT_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/event.h"

namespace meander::stream {

// What one frame tells one reader, oldest first.
struct FrameEvents {
  std::vector<core::Event> events;
  std::int64_t dropped = 0;  // older ones that were not held any more
  std::int64_t left = 0;     // newer ones, for the frame after

  bool operator==(const FrameEvents&) const = default;
};

class EventHistory {
 public:
  // At least 1.
  explicit EventHistory(std::size_t max_events) : max_events_(max_events) {}

  void Add(std::span<const core::Event> events);
  // The number that the next event will have.
  std::int64_t end() const { return end_; }

  // Events from number `begin` to below `end`, the first `most` that are held.
  // Precondition: begin <= end <= end().
  FrameEvents Read(std::int64_t begin, std::int64_t end,
                   std::size_t most) const;

  // Holds none from now on, and gives back the memory. Numbers go on.
  void Clear();

 private:
  const core::Event& At(std::int64_t number) const;

  const std::size_t max_events_;
  std::int64_t first_ = 0;  // lies in ring_[0], or did
  std::int64_t end_ = 0;
  std::vector<core::Event> ring_;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_EVENT_HISTORY_H_
