// What a watcher has seen: counted frame by frame on one thread, read on
// another.
//
// Invariant: what Now returns belongs to whole frames alone. Thread-safe.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_WATCH_STATS_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_WATCH_STATS_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "client_examples/meanderctl/frame_rows.h"
#include "meander/v1/frame.pb.h"

namespace meander::ctl {

using SteadyClock = std::chrono::steady_clock;

// Between the lines that tell of them where nothing is redrawn.
inline constexpr std::chrono::seconds kLine{1};

struct Watched {
  std::int64_t frames = 0;
  std::int64_t bytes = 0;
  std::int64_t skipped = 0;
  std::int64_t first_tick = 0;
  std::int64_t tick = 0;
  std::int64_t agents = 0;
  // The newest there was, for not every tick is hashed.
  std::optional<std::uint64_t> hash;
  std::int64_t hash_tick = 0;
  std::int64_t events = 0;
  std::int64_t dropped_events = 0;
  std::int64_t remaining_events = 0;  // that the next frame will tell
  std::vector<FrameRow> rows;         // the first agents of the newest frame
};

class WatchStats {
 public:
  // With `keeps_events` they are kept for TakeEvents, else only counted.
  explicit WatchStats(std::size_t rows, bool keeps_events = false)
      : rows_(rows), keeps_events_(keeps_events) {}

  // One message of the stream. False when it is not whole in itself; then
  // nothing is counted.
  bool Add(const v1::Frame& part);
  // No more will come.
  void End();

  Watched Now() const;
  // What was told since the last call.
  std::vector<v1::Event> TakeEvents();
  // Waits for the first frame, or the end.
  void WaitForFirst() const;
  // Waits until then, or the end. True at the end.
  bool WaitForEnd(SteadyClock::time_point until) const;

 private:
  const std::size_t rows_;
  const bool keeps_events_;
  // Of the frame that is coming in; only Add uses them.
  std::int64_t part_bytes_ = 0;
  std::int64_t part_skipped_ = 0;
  std::vector<FrameRow> part_rows_;
  v1::Frame part_news_;  // its events alone

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Watched watched_;
  std::vector<v1::Event> events_;
  bool ended_ = false;
};

// How fast ticks, frames and bytes come, over the last moments.
class WatchRate {
 public:
  explicit WatchRate(SteadyClock::duration window) : window_(window) {}

  void Add(SteadyClock::time_point now, const Watched& watched);
  double TicksPerSecond() const;
  double FramesPerSecond() const;
  double BytesPerSecond() const;

 private:
  struct Sample {
    SteadyClock::time_point time;
    std::int64_t tick;
    std::int64_t frames;
    std::int64_t bytes;
  };
  double PerSecond(std::int64_t Sample::*what) const;

  const SteadyClock::duration window_;
  std::deque<Sample> samples_;
};

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_WATCH_STATS_H_
