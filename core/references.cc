#include "core/references.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "core/validation.h"

namespace meander::core {
namespace {

// Makes paths only of what it refuses, for lists can be long.
struct ReferenceCheck {
  using Refusal = std::optional<Error>;

  const Admitted& before;
  std::string_view path;

  Refusal operator()(const DefineArchetype&) const { return std::nullopt; }
  Refusal operator()(const RemoveArchetype& remove) const {
    return Defined(remove.archetype_id, "remove_archetype.archetype_id");
  }
  Refusal operator()(const SpawnAgents& spawn) const {
    const std::string below = JoinPath(path, "spawn_agents");
    if (const auto* area = std::get_if<AreaPlacement>(&spawn.placement)) {
      return Refuse(area->prototype, JoinPath(below, "area.prototype"));
    }
    const auto& agents = std::get<std::vector<NewAgent>>(spawn.placement);
    for (std::size_t i = 0; i < agents.size(); ++i) {
      if (IsKnown(agents[i])) continue;
      return Refuse(agents[i], IndexPath(JoinPath(below, "agents.agents"), i));
    }
    return std::nullopt;
  }
  Refusal operator()(const DespawnAgents& despawn) const {
    return Ids(despawn.agent_ids, "despawn_agents.agent_ids");
  }
  Refusal operator()(const SetTarget& set) const {
    if (Refusal refusal = Ids(set.agent_ids, "set_target.agent_ids")) {
      return refusal;
    }
    if (IsKnown(set.target)) return std::nullopt;
    return NoSuchAgent(set.target.agent,
                       JoinPath(path, "set_target.target.agent_id"));
  }
  Refusal operator()(const SetArchetype& set) const {
    if (Refusal refusal = Ids(set.agent_ids, "set_archetype.agent_ids")) {
      return refusal;
    }
    return Defined(set.archetype_id, "set_archetype.archetype_id");
  }
  Refusal operator()(const SetMotion& set) const {
    for (std::size_t i = 0; i < set.motions.size(); ++i) {
      const AgentId id = set.motions[i].agent_id;
      if (id < before.next_agent_id) continue;
      const std::string list = JoinPath(path, "set_motion.motions");
      return NoSuchAgent(id, JoinPath(IndexPath(list, i), "agent_id"));
    }
    return std::nullopt;
  }
  Refusal operator()(const ApplyImpulse& push) const {
    return Ids(push.agent_ids, "apply_impulse.agent_ids");
  }
  Refusal operator()(const SetCellSize&) const { return std::nullopt; }

 private:
  bool IsKnown(const Target& target) const {
    return target.agent < before.next_agent_id;
  }
  bool IsDefined(ArchetypeId id) const {
    return before.archetypes.test(static_cast<std::size_t>(id));
  }
  bool IsKnown(const NewAgent& agent) const {
    return IsDefined(agent.archetype_id) &&
           std::all_of(
               agent.targets.begin(), agent.targets.end(),
               [this](const Target& target) { return IsKnown(target); });
  }

  // Why an agent is refused; none when it is not.
  Refusal Refuse(const NewAgent& agent, const std::string& below) const {
    if (!IsDefined(agent.archetype_id)) {
      return NoSuchArchetype(agent.archetype_id,
                             JoinPath(below, "archetype_id"));
    }
    for (std::size_t i = 0; i < agent.targets.size(); ++i) {
      if (IsKnown(agent.targets[i])) continue;
      return NoSuchAgent(
          agent.targets[i].agent,
          JoinPath(IndexPath(JoinPath(below, "targets"), i), "agent_id"));
    }
    return std::nullopt;
  }

  Refusal Ids(const std::vector<AgentId>& ids, std::string_view name) const {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < before.next_agent_id) continue;
      return NoSuchAgent(ids[i], IndexPath(JoinPath(path, name), i));
    }
    return std::nullopt;
  }

  Refusal Defined(ArchetypeId id, std::string_view name) const {
    if (IsDefined(id)) return std::nullopt;
    return NoSuchArchetype(id, JoinPath(path, name));
  }

  static Refusal NoSuchArchetype(ArchetypeId id, std::string field) {
    return Error{ErrorCode::kArchetypeUnknown, std::move(field),
                 "names archetype " + std::to_string(id) +
                     ", which no command admitted before defines"};
  }

  static Refusal NoSuchAgent(AgentId id, std::string field) {
    return Error{ErrorCode::kAgentNotFound, std::move(field),
                 "names agent " + std::to_string(id) +
                     ", whose spawn was never admitted"};
  }
};

}  // namespace

std::optional<Error> CheckReferences(const Operation& operation,
                                     const Admitted& before,
                                     std::string_view path) {
  return std::visit(ReferenceCheck{before, path}, operation);
}

}  // namespace meander::core
