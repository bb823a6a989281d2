#include "server/service/world_message.h"

#include <cstddef>

#include "server/convert/quote.h"
#include "server/convert/world_convert.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;
using hosting::ClockMode;
using hosting::Durability;

constexpr std::string_view kWorldPrefix = "worlds/";

v1::ClockMode ToMessage(ClockMode mode) {
  return mode == ClockMode::kManual ? v1::CLOCK_MODE_MANUAL
                                    : v1::CLOCK_MODE_REALTIME;
}

v1::Durability ToMessage(Durability durability) {
  switch (durability) {
    case Durability::kCommitted:
      return v1::DURABILITY_COMMITTED;
    case Durability::kAsync:
      return v1::DURABILITY_ASYNC;
    case Durability::kNone:
      break;
  }
  return v1::DURABILITY_NONE;
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

hosting::HostingConfig ToHosting(const v1::HostingConfig& hosting,
                                 std::string_view path,
                                 core::Violations& violations) {
  const auto refuse = [&](std::string_view field, int value) {
    violations.push_back({ErrorCode::kMalformed,
                          std::string(path) + '.' + std::string(field),
                          std::to_string(value) + " is not one of its values"});
  };
  hosting::HostingConfig out;
  switch (hosting.clock_mode()) {
    case v1::CLOCK_MODE_UNSPECIFIED:
      break;
    case v1::CLOCK_MODE_REALTIME:
      out.clock_mode = ClockMode::kRealtime;
      break;
    case v1::CLOCK_MODE_MANUAL:
      out.clock_mode = ClockMode::kManual;
      break;
    default:  // Enums of the protocol are open.
      refuse("clock_mode", hosting.clock_mode());
  }
  switch (hosting.durability()) {
    case v1::DURABILITY_UNSPECIFIED:
      break;
    case v1::DURABILITY_COMMITTED:
      out.durability = Durability::kCommitted;
      break;
    case v1::DURABILITY_ASYNC:
      out.durability = Durability::kAsync;
      break;
    case v1::DURABILITY_NONE:
      out.durability = Durability::kNone;
      break;
    default:
      refuse("durability", hosting.durability());
  }
  return out;
}

v1::World ToMessage(const hosting::WorldIdentity& identity,
                    const hosting::WorldStatus& status) {
  v1::World world;
  world.set_name(WorldName(identity.id));
  world.set_uid(identity.uid);
  convert::ToProto({identity.config, identity.seed},
                   *world.mutable_simulation());
  world.mutable_hosting()->set_clock_mode(
      ToMessage(identity.hosting.clock_mode));
  world.mutable_hosting()->set_durability(
      ToMessage(identity.hosting.durability));
  world.set_tick(status.tick);
  world.set_epoch(status.epoch);
  world.set_state_hash(status.state_hash);
  world.set_agent_count(status.agent_count);
  world.set_archetype_count(status.archetype_count);
  world.set_pending_command_count(status.pending_commands);
  SetOutcomes(status, *world.mutable_command_outcomes());
  world.set_bound_stops(status.bound_stops);
  world.set_slipped_ticks(status.slipped_ticks);
  return world;
}

}  // namespace meander::service
