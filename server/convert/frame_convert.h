// Frames as bytes on the wire: serialized meander.v1.Frame messages.
//
// The messages of a frame are the same for all its readers; what differs from
// reader to reader (`skipped`) is a second, tiny piece, for concatenated
// messages merge. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_FRAME_CONVERT_H_
#define MEANDER_SERVER_CONVERT_FRAME_CONVERT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/agent_state.h"

namespace meander::convert {

struct FrameHead {
  std::int64_t tick = 0;
  std::int64_t epoch = 0;
  std::optional<std::uint64_t> state_hash;  // none where it was not computed
};

// What a message holds at most beside its columns, `skipped` included.
inline constexpr std::size_t kFrameHeadBytes = 128;

// One message for each part, at least one, each at most `max_message_bytes`
// (at least kFrameHeadBytes and one agent) long, with room for `skipped`.
std::vector<std::string> EncodeFrame(const FrameHead& head,
                                     const core::MotionColumns& motion,
                                     std::size_t max_message_bytes);

// The field `skipped`, to be sent before or after part 0; nothing for 0.
std::string EncodeSkipped(std::int64_t skipped);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_FRAME_CONVERT_H_
