#include "server/convert/command_convert.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/validation.h"
#include "server/convert/agent_convert.h"
#include "server/convert/archetype_convert.h"
#include "server/convert/error_table.h"
#include "server/convert/quote.h"
#include "server/convert/status.h"

namespace meander::convert {
namespace {

using core::Error;
using core::ErrorCode;
using core::IndexPath;
using core::JoinPath;
using core::Result;

Error Malformed(std::string field, std::string reason) {
  return {ErrorCode::kMalformed, std::move(field), std::move(reason)};
}

Result<core::Operation> ToOperation(const v1::DefineArchetype& define,
                                    const std::string& path) {
  const std::string below = JoinPath(path, "archetype");
  if (!define.has_archetype()) return Malformed(below, "must be set");
  Result<core::Archetype> archetype = ToCore(define.archetype(), below);
  if (!archetype.ok()) return archetype.error();
  return core::Operation(core::DefineArchetype{*std::move(archetype)});
}

// What is wrong, with a field below the agent.
std::optional<Error> ToNewAgent(const v1::NewAgent& agent,
                                core::NewAgent& out) {
  if (agent.targets_size() > core::kTargetSlots) {
    return Malformed("targets",
                     "holds " + std::to_string(agent.targets_size()) +
                         " targets; an agent has " +
                         std::to_string(core::kTargetSlots) + " slots");
  }
  out.archetype_id = agent.archetype_id();
  out.position = ToCore(agent.position());
  out.velocity = ToCore(agent.velocity());
  if (agent.has_seed()) out.seed = agent.seed();
  out.tag = agent.tag();
  for (int slot = 0; slot < agent.targets_size(); ++slot) {
    out.targets[static_cast<std::size_t>(slot)] = ToCore(agent.targets(slot));
  }
  if (agent.has_groups()) out.groups = agent.groups();
  if (agent.has_facing()) out.facing = ToCore(agent.facing());
  if (agent.has_wander_angle()) out.wander_angle = agent.wander_angle();
  if (agent.has_wander_elevation()) {
    out.wander_elevation = agent.wander_elevation();
  }
  if (agent.has_wander_offset()) {
    out.wander_offset = ToCore(agent.wander_offset());
  }
  if (agent.has_wander_heading()) {
    out.wander_heading = ToCore(agent.wander_heading());
  }
  return std::nullopt;
}

Result<core::Operation> ToList(const v1::AgentList& list,
                               const core::SimulationConfig& config,
                               const std::string& path) {
  // Before anything is allocated for so many.
  const auto count = static_cast<std::size_t>(list.agents_size());
  if (auto error = core::CheckListSize(count, config, path)) {
    return *std::move(error);
  }
  std::vector<core::NewAgent> agents(count);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    auto error = ToNewAgent(list.agents(static_cast<int>(i)), agents[i]);
    if (!error) continue;
    error->field = JoinPath(IndexPath(path, i), error->field);
    return *std::move(error);
  }
  return core::Operation(core::SpawnAgents{std::move(agents)});
}

Result<core::Operation> ToPlacement(const v1::AreaPlacement& area,
                                    const std::string& path) {
  core::AreaPlacement out;
  out.count = area.count();
  const std::string prototype = JoinPath(path, "prototype");
  if (!area.has_prototype()) return Malformed(prototype, "must be set");
  if (area.prototype().has_position()) {
    return Malformed(JoinPath(prototype, "position"),
                     "must not be set, for the area gives the places");
  }
  if (auto error = ToNewAgent(area.prototype(), out.prototype)) {
    error->field = JoinPath(prototype, error->field);
    return *std::move(error);
  }
  switch (area.area_case()) {
    case v1::AreaPlacement::kDisc:
      out.area = core::Disc{ToCore(area.disc().center()), area.disc().radius()};
      break;
    case v1::AreaPlacement::kBox:
      out.area = core::Box{ToCore(area.box().min()), ToCore(area.box().max())};
      break;
    case v1::AreaPlacement::kBall:
      out.area = core::Ball{ToCore(area.ball().center()), area.ball().radius()};
      break;
    case v1::AreaPlacement::AREA_NOT_SET:
      return Malformed(path, "must set one area: disc, box or ball");
  }
  return core::Operation(core::SpawnAgents{out});
}

Result<core::Operation> ToOperation(const v1::SpawnAgents& spawn,
                                    const core::SimulationConfig& config,
                                    const std::string& path) {
  switch (spawn.placement_case()) {
    case v1::SpawnAgents::kAgents:
      return ToList(spawn.agents(), config, JoinPath(path, "agents.agents"));
    case v1::SpawnAgents::kArea:
      return ToPlacement(spawn.area(), JoinPath(path, "area"));
    case v1::SpawnAgents::PLACEMENT_NOT_SET:
      break;
  }
  return Malformed(path, "must set one placement: agents or area");
}

Result<core::Operation> ToOperation(const v1::SetMotion& set,
                                    const core::SimulationConfig& config,
                                    const std::string& path) {
  // Before anything is allocated for so many.
  const auto count = static_cast<std::size_t>(set.motions_size());
  if (auto error =
          core::CheckListSize(count, config, JoinPath(path, "motions"))) {
    return *std::move(error);
  }
  core::SetMotion out;
  out.motions.reserve(count);
  for (const v1::AgentMotion& motion : set.motions()) {
    core::AgentMotion& moved = out.motions.emplace_back();
    moved.agent_id = motion.agent_id();
    if (motion.has_position()) moved.position = ToCore(motion.position());
    if (motion.has_velocity()) moved.velocity = ToCore(motion.velocity());
  }
  return core::Operation(std::move(out));
}

std::vector<core::AgentId> ToIds(
    const google::protobuf::RepeatedField<std::int64_t>& ids) {
  return {ids.begin(), ids.end()};
}

Result<core::Operation> ToOperation(const v1::Command& command,
                                    const core::SimulationConfig& config,
                                    std::string_view path) {
  switch (command.operation_case()) {
    case v1::Command::kDefineArchetype:
      return ToOperation(command.define_archetype(),
                         JoinPath(path, "define_archetype"));
    case v1::Command::kSpawnAgents:
      return ToOperation(command.spawn_agents(), config,
                         JoinPath(path, "spawn_agents"));
    case v1::Command::kDespawnAgents:
      return core::Operation(
          core::DespawnAgents{ToIds(command.despawn_agents().agent_ids())});
    case v1::Command::kSetTarget: {
      const v1::SetTarget& set = command.set_target();
      return core::Operation(core::SetTarget{ToIds(set.agent_ids()), set.slot(),
                                             ToCore(set.target())});
    }
    case v1::Command::kRemoveArchetype:
      return core::Operation(
          core::RemoveArchetype{command.remove_archetype().archetype_id()});
    case v1::Command::kSetArchetype: {
      const v1::SetArchetype& set = command.set_archetype();
      return core::Operation(
          core::SetArchetype{ToIds(set.agent_ids()), set.archetype_id()});
    }
    case v1::Command::kSetMotion:
      return ToOperation(command.set_motion(), config,
                         JoinPath(path, "set_motion"));
    case v1::Command::kApplyImpulse: {
      const v1::ApplyImpulse& push = command.apply_impulse();
      return core::Operation(
          core::ApplyImpulse{ToIds(push.agent_ids()), ToCore(push.impulse())});
    }
    case v1::Command::kSetCellSize:
      return core::Operation(
          core::SetCellSize{command.set_cell_size().cell_size()});
    case v1::Command::OPERATION_NOT_SET:
      break;
  }
  return Malformed(std::string(path), "must set one operation");
}

}  // namespace

Result<core::Command> ToCore(const v1::SubmitCommandsRequest& request,
                             std::size_t index,
                             const core::SimulationConfig& config) {
  const v1::Command& command = request.commands(static_cast<int>(index));
  Result<core::Operation> operation =
      ToOperation(command, config, IndexPath("commands", index));
  if (!operation.ok()) return operation.error();
  return core::Command{command.apply_tick(), *std::move(operation)};
}

void ToProto(const Error& error, v1::CommandRejection& out) {
  const ErrorEntry& entry = Describe(error.code);
  out.set_code(entry.status);
  out.set_reason(std::string(entry.name));
  out.set_field(Printable(error.field, kMaxFieldBytes));
  out.set_description(Printable(error.reason, kMaxDescriptionBytes));
}

v1::CommandOutcome ToProto(core::CommandOutcome outcome) {
  switch (outcome) {
    case core::CommandOutcome::kApplied:
      return v1::COMMAND_OUTCOME_APPLIED;
    case core::CommandOutcome::kAgentGone:
      return v1::COMMAND_OUTCOME_AGENT_GONE;
    case core::CommandOutcome::kArchetypeUnknown:
      return v1::COMMAND_OUTCOME_ARCHETYPE_UNKNOWN;
    case core::CommandOutcome::kWorldFull:
      return v1::COMMAND_OUTCOME_WORLD_FULL;
    case core::CommandOutcome::kArchetypeInUse:
      return v1::COMMAND_OUTCOME_ARCHETYPE_IN_USE;
  }
  return v1::COMMAND_OUTCOME_UNSPECIFIED;
}

void BoundDescriptions(std::size_t limit,
                       v1::SubmitCommandsResponse& response) {
  std::size_t size = response.ByteSizeLong();
  for (int i = response.results_size(); i-- > 0 && size > limit;) {
    v1::CommandResult& result = *response.mutable_results(i);
    if (!result.has_rejection()) continue;
    std::string& text = *result.mutable_rejection()->mutable_description();
    // Its tag and length go too; counting the text alone is on the safe side.
    size -= text.size();
    text.clear();
  }
}

}  // namespace meander::convert
