// Frames as bytes on the wire: serialized meander.v1.Frame messages.
//
// The messages of a frame are the same for all its readers; what differs from
// reader to reader (`skipped`, events) is a second, small piece, for
// concatenated messages merge. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_FRAME_CONVERT_H_
#define MEANDER_SERVER_CONVERT_FRAME_CONVERT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/agent_state.h"
#include "core/event.h"

namespace meander::convert {

struct FrameHead {
  std::int64_t tick = 0;
  std::int64_t epoch = 0;
  std::optional<std::uint64_t> state_hash;  // none where it was not computed
};

// What one reader is told with a frame.
struct FrameOwnFields {
  std::int64_t skipped = 0;
  std::span<const core::Event> events;
  std::int64_t dropped_events = 0;
  std::int64_t remaining_events = 0;
};

// What a message holds at most beside its columns and events.
inline constexpr std::size_t kFrameHeadBytes = 128;

// Of the bytes of the longest message, those kept free for events in the frames
// of who asks for them, and how many events they hold.
constexpr std::size_t EventRoom(std::size_t max_message_bytes) {
  return max_message_bytes / 8;
}
std::size_t MostEvents(std::size_t max_message_bytes);

// One message for each part, at least one, each at most `max_message_bytes`
// (at least kFrameHeadBytes and one agent) long, with room for own fields but
// for their events.
std::vector<std::string> EncodeFrame(const FrameHead& head,
                                     const core::MotionColumns& motion,
                                     std::size_t max_message_bytes);

// To be sent before or after part 0; empty when all of it is 0.
std::string EncodeOwnFields(const FrameOwnFields& own);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_FRAME_CONVERT_H_
