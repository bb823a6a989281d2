#include "server/service/world_message.h"

#include <cstddef>
#include <utility>

#include "server/convert/quote.h"
#include "server/convert/world_convert.h"
#include "server/service/settings_message.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;
using hosting::ClockState;

constexpr std::string_view kWorldPrefix = "worlds/";

v1::WorldState StateOf(ClockState state) {
  switch (state) {
    case ClockState::kPaused:
      return v1::WORLD_STATE_PAUSED;
    case ClockState::kOverloaded:
      return v1::WORLD_STATE_OVERLOADED;
    case ClockState::kRunning:
      break;
  }
  return v1::WORLD_STATE_RUNNING;
}

void SetOutcomes(const hosting::WorldStatus& status,
                 v1::CommandOutcomeCounts& out) {
  const auto count = [&status](core::CommandOutcome outcome) {
    return status.outcomes[static_cast<std::size_t>(outcome)];
  };
  out.set_applied(count(core::CommandOutcome::kApplied));
  out.set_agent_gone(count(core::CommandOutcome::kAgentGone));
  out.set_archetype_unknown(count(core::CommandOutcome::kArchetypeUnknown));
  out.set_world_full(count(core::CommandOutcome::kWorldFull));
  out.set_archetype_in_use(count(core::CommandOutcome::kArchetypeInUse));
}

}  // namespace

std::string WorldName(std::string_view id) {
  return std::string(kWorldPrefix).append(id);
}

core::Result<std::shared_ptr<hosting::WorldHost>> FindWorld(
    const hosting::WorldRegistry& worlds, std::string_view name,
    std::string_view field) {
  const bool prefixed = name.starts_with(kWorldPrefix);
  const std::string_view id =
      prefixed ? name.substr(kWorldPrefix.size()) : std::string_view();
  if (!hosting::IsWorldId(id)) {
    return Error{ErrorCode::kMalformed, std::string(field),
                 "must be \"worlds/\" and 1 to 63 lower-case letters, digits "
                 "and '-', the first a letter, the last not '-'; it is " +
                     convert::Quoted(name)};
  }
  auto host = worlds.Find(id);
  if (host == nullptr) {
    return Error{ErrorCode::kWorldNotFound, "",
                 "there is no world " + convert::Quoted(name)};
  }
  return host;
}

v1::World ToMessage(const hosting::WorldIdentity& identity,
                    const hosting::WorldStatus& status) {
  v1::World world;
  world.set_name(WorldName(identity.id));
  world.set_uid(identity.uid);
  convert::ToProto({identity.config, identity.seed},
                   *world.mutable_simulation());
  world.mutable_simulation()->set_cell_size(status.cell_size);
  ToMessage(*status.settings, world);
  world.set_tick(status.tick);
  world.set_epoch(status.epoch);
  if (status.state_hash) world.set_state_hash(*status.state_hash);
  world.set_agent_count(status.agent_count);
  world.set_archetype_count(status.archetype_count);
  world.set_pending_command_count(status.pending_commands);
  SetOutcomes(status, *world.mutable_command_outcomes());
  world.set_bound_stops(status.bound_stops);
  world.set_slipped_ticks(status.slipped_ticks);
  world.set_state(StateOf(status.clock));
  if (auto hint =
          convert::CellSizeHint(status.cell_size, status.neighbor_radius)) {
    world.add_hints(*std::move(hint));
  }
  return world;
}

}  // namespace meander::service
