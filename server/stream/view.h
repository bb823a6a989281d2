// What a subscriber wants to see. Subscribers with equal views share bytes.
//
// Plain data.
#ifndef MEANDER_SERVER_STREAM_VIEW_H_
#define MEANDER_SERVER_STREAM_VIEW_H_

#include <compare>
#include <cstdint>

namespace meander::stream {

inline constexpr std::int32_t kMaxIntervalTicks = 3'600;

struct View {
  std::int32_t interval_ticks = 1;  // 1 to kMaxIntervalTicks
  // Whether each frame tells the events since the one before, and leaves room
  // for them; the first has none.
  bool events = false;

  // Whether a frame of this tick, at least 0, belongs to the view.
  bool Selects(std::int64_t tick) const { return tick % interval_ticks == 0; }

  // How many ticks of the view lie strictly between two ticks of a world;
  // 0 <= after < before.
  std::int64_t SelectedBetween(std::int64_t after, std::int64_t before) const {
    return (before - 1) / interval_ticks - after / interval_ticks;
  }

  auto operator<=>(const View&) const = default;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_VIEW_H_
