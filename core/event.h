// What a step tells beside the state that it leaves.
//
// Each event is told once, by the step of its tick. Events are not state; what
// keeps one from being told again is (Target::loss_told). Plain data.
#ifndef MEANDER_CORE_EVENT_H_
#define MEANDER_CORE_EVENT_H_

#include <cstdint>

#include "core/operation.h"

namespace meander::core {

enum class EventKind : std::uint8_t {
  // A term of the agent's archetype, of any level and weight, reads a slot that
  // names nobody: it is not set, its agent does not live, or it is the agent
  // itself. The term abstains from this tick on, for as long as that is so.
  // Told once for each slot, until SetTarget sets the slot again.
  kTargetLost = 1,
};

struct Event {
  std::int64_t tick = 0;  // that the step produced
  AgentId agent_id = 0;
  EventKind kind = EventKind::kTargetLost;
  std::int32_t slot = 0;  // kTargetLost: which, 0 to kTargetSlots - 1

  bool operator==(const Event&) const = default;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_EVENT_H_
