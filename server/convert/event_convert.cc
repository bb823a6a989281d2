#include "server/convert/event_convert.h"

#include <string>

#include "core/validation.h"

namespace meander::convert {

std::optional<core::Error> CheckEventKinds(
    const google::protobuf::RepeatedField<int>& kinds, std::string_view field) {
  for (int i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == v1::EVENT_KIND_TARGET_LOST) continue;
    return core::Error{core::ErrorCode::kMalformed,
                       core::IndexPath(field, static_cast<std::size_t>(i)),
                       std::to_string(kinds[i]) + " is not a kind of event"};
  }
  return std::nullopt;
}

void ToProto(const core::Event& event, v1::Event& out) {
  out.set_tick(event.tick);
  out.set_agent_id(event.agent_id);
  switch (event.kind) {
    case core::EventKind::kTargetLost:
      out.mutable_target_lost()->set_slot(event.slot);
      break;
  }
}

}  // namespace meander::convert
