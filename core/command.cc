#include "core/command.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/math/float_environment.h"
#include "core/math/trig.h"
#include "core/validation.h"

namespace meander::core {
namespace {

void CheckTarget(FieldChecker& check, std::string_view name,
                 const Target& target, const SimulationConfig& config) {
  if (!IsTidy(target)) {
    check.Fail(ErrorCode::kMalformed, name,
               "sets what a target of its kind does not have");
    return;
  }
  switch (target.kind) {
    case Target::Kind::kNone:
      return;
    case Target::Kind::kPoint:
      check.Place(JoinPath(name, "point"), target.point, config);
      return;
    case Target::Kind::kAgent:
      if (target.agent >= 1) return;
      check.Fail(ErrorCode::kOutOfBounds, JoinPath(name, "agent_id"),
                 "must be at least 1; it is " + std::to_string(target.agent));
      return;
  }
  check.Fail(ErrorCode::kMalformed, name, "is not a target");
}

void CheckArchetypeId(FieldChecker& check, ArchetypeId id) {
  check.Integer("archetype_id", id, 1, kMaxArchetypeId);
}

// A direction may have any length that can be made 1.
void CheckDirection(FieldChecker& check, std::string_view name,
                    const std::optional<Vec3>& direction,
                    const SimulationConfig& config) {
  if (!direction) return;
  if (!check.Vector(name, *direction, kMaxGivenDirection, config)) return;
  if (LengthSquared(*direction) >= kMinGivenDirection * kMinGivenDirection) {
    return;
  }
  check.Fail(ErrorCode::kOutOfBounds, name,
             "must be at least " + Show(kMinGivenDirection) + " long");
}

void CheckNewAgent(FieldChecker check, const NewAgent& agent,
                   const SimulationConfig& config, float max_speed) {
  CheckArchetypeId(check, agent.archetype_id);
  check.Place("position", agent.position, config);
  check.Vector("velocity", agent.velocity, max_speed, config);
  for (std::size_t slot = 0; slot < agent.targets.size(); ++slot) {
    CheckTarget(check, IndexPath("targets", slot), agent.targets[slot], config);
  }
  if (agent.wander_angle) {
    check.Number("wander_angle", *agent.wander_angle, -kMaxGivenAngle,
                 kMaxGivenAngle);
  }
  if (agent.wander_elevation) {
    check.Number("wander_elevation", *agent.wander_elevation, -kHalfPi,
                 kHalfPi);
  }
  CheckDirection(check, "facing", agent.facing, config);
  CheckDirection(check, "wander_offset", agent.wander_offset, config);
  CheckDirection(check, "wander_heading", agent.wander_heading, config);
}

// A center with a radius, whose extent along the axes of `flat` lies in bounds.
void CheckRound(FieldChecker& check, std::string_view name, const Vec3& center,
                float radius, Plane flat, const SimulationConfig& config) {
  if (!check.Place(JoinPath(name, "center"), center, config)) return;
  if (!check.Number(JoinPath(name, "radius"), radius, 0.0f, 2 * kMaxBound)) {
    return;
  }
  const Vec3 extent = PlaneMask(flat) * radius;
  const Vec3 low = center - extent;
  const Vec3 high = center + extent;
  const Vec3& least = config.bounds_min;
  const Vec3& most = config.bounds_max;
  if (low.x >= least.x && low.y >= least.y && low.z >= least.z &&
      high.x <= most.x && high.y <= most.y && high.z <= most.z) {
    return;
  }
  check.Fail(ErrorCode::kOutOfBounds, JoinPath(name, "radius"),
             "reaches beyond the world's bounds; it is " + Show(radius));
}

struct AreaCheck {
  FieldChecker& check;
  const SimulationConfig& config;

  void operator()(const Disc& disc) const {
    const Plane plane =
        config.plane == Plane::kNone ? Plane::kXY : config.plane;
    CheckRound(check, "disc", disc.center, disc.radius, plane, config);
  }
  void operator()(const Box& box) const {
    if (!check.Place("box.min", box.min, config) ||
        !check.Place("box.max", box.max, config)) {
      return;
    }
    if (box.min.x <= box.max.x && box.min.y <= box.max.y &&
        box.min.z <= box.max.z) {
      return;
    }
    check.Fail(ErrorCode::kOutOfBounds, "box.max",
               "must not lie below box.min on any axis");
  }
  void operator()(const Ball& ball) const {
    if (config.plane != Plane::kNone) {
      check.Fail(ErrorCode::kMalformed, "ball",
                 "needs a world without a plane; use disc");
      return;
    }
    CheckRound(check, "ball", ball.center, ball.radius, Plane::kNone, config);
  }
};

// Whether an id can be one; names the field when it cannot.
bool CheckAgentId(FieldChecker& check, const std::string& name, AgentId id) {
  if (id >= 1) return true;
  check.Fail(ErrorCode::kOutOfBounds, name,
             "must be at least 1; it is " + std::to_string(id));
  return false;
}

void CheckEachOnce(FieldChecker& check, std::string_view list,
                   std::vector<AgentId> ids) {
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice == ids.end()) return;
  check.Fail(ErrorCode::kMalformed, list,
             "names agent " + std::to_string(*twice) + " twice");
}

void CheckAgentIds(FieldChecker& check, const std::vector<AgentId>& ids,
                   const SimulationConfig& config) {
  if (ids.empty()) {
    check.Fail(ErrorCode::kMalformed, "agent_ids",
               "must name at least one agent");
    return;
  }
  if (ids.size() > static_cast<std::size_t>(config.max_agents)) {
    check.Fail(ErrorCode::kOutOfBounds, "agent_ids",
               "must name at most " + std::to_string(config.max_agents) +
                   " agents, the world's max_agents; it names " +
                   std::to_string(ids.size()));
    return;
  }
  const auto no_id =
      std::find_if(ids.begin(), ids.end(), [](AgentId id) { return id < 1; });
  if (no_id != ids.end()) {
    const auto at = static_cast<std::size_t>(no_id - ids.begin());
    CheckAgentId(check, IndexPath("agent_ids", at), *no_id);
    return;
  }
  CheckEachOnce(check, "agent_ids", ids);
}

void CheckMotion(FieldChecker check, const AgentMotion& motion,
                 const SimulationConfig& config) {
  CheckAgentId(check, "agent_id", motion.agent_id);
  if (!motion.position && !motion.velocity) {
    check.Fail(ErrorCode::kMalformed, "", "must set position or velocity");
  }
  if (motion.position) check.Place("position", *motion.position, config);
  if (motion.velocity) {
    check.Vector("velocity", *motion.velocity, kMaxCommandedSpeed, config);
  }
}

// Checks one operation; stops at the first agent at fault, for a list can be
// long.
struct OperationCheck {
  Violations& violations;
  const SimulationConfig& config;
  std::string_view path;

  void operator()(const DefineArchetype& define) const {
    violations = Validate(define.archetype, config,
                          JoinPath(path, "define_archetype.archetype"));
  }
  void operator()(const RemoveArchetype& remove) const {
    FieldChecker check(violations, JoinPath(path, "remove_archetype"));
    CheckArchetypeId(check, remove.archetype_id);
  }
  void operator()(const SpawnAgents& spawn) const {
    const std::string below = JoinPath(path, "spawn_agents");
    if (const auto* area = std::get_if<AreaPlacement>(&spawn.placement)) {
      CheckArea(*area, JoinPath(below, "area"));
      return;
    }
    const auto& agents = std::get<std::vector<NewAgent>>(spawn.placement);
    const std::string list = JoinPath(below, "agents.agents");
    if (auto error = CheckListSize(agents.size(), config, list)) {
      violations.push_back(*std::move(error));
    }
    for (std::size_t i = 0; i < agents.size() && violations.empty(); ++i) {
      violations = Validate(agents[i], config, IndexPath(list, i));
    }
  }
  void operator()(const DespawnAgents& despawn) const {
    FieldChecker check(violations, JoinPath(path, "despawn_agents"));
    CheckAgentIds(check, despawn.agent_ids, config);
  }
  void operator()(const SetTarget& set) const {
    FieldChecker check(violations, JoinPath(path, "set_target"));
    CheckAgentIds(check, set.agent_ids, config);
    check.Integer("slot", set.slot, 0, kTargetSlots - 1);
    CheckTarget(check, "target", set.target, config);
  }
  void operator()(const SetArchetype& set) const {
    FieldChecker check(violations, JoinPath(path, "set_archetype"));
    CheckAgentIds(check, set.agent_ids, config);
    CheckArchetypeId(check, set.archetype_id);
  }
  void operator()(const SetMotion& set) const {
    const std::string list = JoinPath(path, "set_motion.motions");
    const std::size_t count = set.motions.size();
    if (auto error = CheckListSize(count, config, list)) {
      violations.push_back(*std::move(error));
    }
    for (std::size_t i = 0; i < count && violations.empty(); ++i) {
      CheckMotion(FieldChecker(violations, IndexPath(list, i)), set.motions[i],
                  config);
    }
    if (!violations.empty()) return;
    std::vector<AgentId> ids;
    ids.reserve(count);
    for (const AgentMotion& motion : set.motions)
      ids.push_back(motion.agent_id);
    FieldChecker check(violations, list);
    CheckEachOnce(check, "", std::move(ids));
  }
  void operator()(const ApplyImpulse& push) const {
    FieldChecker check(violations, JoinPath(path, "apply_impulse"));
    CheckAgentIds(check, push.agent_ids, config);
    check.Vector("impulse", push.impulse, kMaxImpulse, config);
  }
  void operator()(const SetCellSize& set) const {
    FieldChecker check(violations, JoinPath(path, "set_cell_size"));
    check.Number("cell_size", set.cell_size, kMinCellSize, kMaxCellSize);
  }

  void CheckArea(const AreaPlacement& area, const std::string& below) const {
    FieldChecker check(violations, below);
    check.Integer("count", area.count, 1, config.max_agents);
    if (area.prototype.position != Vec3{}) {
      check.Fail(ErrorCode::kMalformed, "prototype.position",
                 "must not be set, for the area gives the places");
      return;
    }
    NewAgent anywhere = area.prototype;
    anywhere.position = config.bounds_min;
    CheckNewAgent(FieldChecker(violations, JoinPath(below, "prototype")),
                  anywhere, config, kMaxCommandedSpeed);
    std::visit(AreaCheck{check, config}, area.area);
  }
};

}  // namespace

std::optional<Error> CheckListSize(std::size_t agents,
                                   const SimulationConfig& config,
                                   std::string_view path) {
  if (agents == 0) {
    return Error{ErrorCode::kMalformed, std::string(path),
                 "must hold at least one agent"};
  }
  const auto most =
      static_cast<std::size_t>(std::min(config.max_agents, kMaxListedAgents));
  if (agents <= most) return std::nullopt;
  return Error{ErrorCode::kOutOfBounds, std::string(path),
               "must hold at most " + std::to_string(most) +
                   " agents; it holds " + std::to_string(agents)};
}

Violations Validate(const NewAgent& agent, const SimulationConfig& config,
                    std::string_view path, float max_speed) {
  const ScopedFloatEnvironment environment;
  Violations violations;
  CheckNewAgent(FieldChecker(violations, path), agent, config, max_speed);
  return violations;
}

Violations Validate(const Command& command, const SimulationConfig& config,
                    std::string_view path) {
  const ScopedFloatEnvironment environment;
  Violations violations;
  std::visit(OperationCheck{violations, config, path}, command.operation);
  if (command.apply_tick < 0) {
    FieldChecker(violations, path)
        .Fail(ErrorCode::kOutOfBounds, "apply_tick",
              "must not be negative; it is " +
                  std::to_string(command.apply_tick));
  }
  return violations;
}

}  // namespace meander::core
