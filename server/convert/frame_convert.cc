#include "server/convert/frame_convert.h"

#include "core/codec/frame_codec.h"
#include "core/error.h"
#include "meander/v1/frame.pb.h"
#include "server/convert/event_convert.h"
#include "server/convert/wire_type.h"

namespace meander::convert {
namespace {

void AppendVarint(std::size_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

}  // namespace

std::vector<std::string> EncodeFrame(const FrameHead& head,
                                     const core::MotionColumns& motion,
                                     std::size_t max_message_bytes) {
  MEANDER_CHECK(max_message_bytes >=
                kFrameHeadBytes + core::kColumnsBytesPerAgent);
  const auto parts =
      core::SplitIntoParts(motion, (max_message_bytes - kFrameHeadBytes) /
                                       core::kColumnsBytesPerAgent);
  v1::Frame frame;
  frame.set_tick(head.tick);
  frame.set_epoch(head.epoch);
  if (head.state_hash) frame.set_state_hash(*head.state_hash);
  frame.set_agent_count(static_cast<std::int64_t>(motion.size()));
  frame.set_parts(static_cast<std::int32_t>(parts.size()));

  std::vector<std::string> messages(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const core::FramePart& part = parts[i];
    std::string& message = messages[i];
    frame.set_part(static_cast<std::int32_t>(i));
    frame.set_part_agent_count(static_cast<std::int32_t>(part.rows));
    frame.set_id_base(part.id_base);
    const std::size_t bytes = part.rows * core::kColumnsBytesPerAgent;
    message.reserve(kFrameHeadBytes + bytes);
    frame.AppendToString(&message);
    if (bytes == 0) continue;
    // The columns go straight into the message: it is the bulk of it.
    AppendVarint(
        std::size_t{v1::Frame::kColumnsFieldNumber} << 3 | kLengthDelimited,
        message);
    AppendVarint(bytes, message);
    core::EncodeColumns(motion, part, message);
  }
  return messages;
}

std::size_t MostEvents(std::size_t max_message_bytes) {
  return EventRoom(max_message_bytes) / kMostEventBytes;
}

std::string EncodeOwnFields(const FrameOwnFields& own) {
  v1::Frame frame;
  frame.set_skipped(own.skipped);
  for (const core::Event& event : own.events) {
    ToProto(event, *frame.add_events());
  }
  frame.set_dropped_events(own.dropped_events);
  frame.set_remaining_events(own.remaining_events);
  return frame.SerializeAsString();
}

}  // namespace meander::convert
