#include "tests/core/test_world.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "core/error.h"

namespace meander::core {

SimulationConfig SmallConfig(Plane plane) {
  SimulationConfig config;
  config.plane = plane;
  config.bounds_min = {-100.0f, -100.0f, -100.0f};
  config.bounds_max = {100.0f, 100.0f, 100.0f};
  config.bounds_mode = BoundsMode::kClamp;
  config.max_agents = 10'000;
  return Normalized(config);
}

Archetype SeekerArchetype(ArchetypeId id) {
  return {.id = id,
          .max_speed = 6.0f,
          .max_force = 12.0f,
          .mass = 1.0f,
          .terms = {{1.0f, Seek{0}}}};
}

Archetype WandererArchetype(ArchetypeId id) {
  return {.id = id,
          .max_speed = 6.0f,
          .max_force = 12.0f,
          .mass = 1.0f,
          .terms = {{1.0f, WanderWorldAngle{2.0f, 3.0f, 8.0f}}}};
}

NewAgent AgentAt(const Vec3& position, ArchetypeId archetype) {
  NewAgent agent;
  agent.archetype_id = archetype;
  agent.position = position;
  return agent;
}

NewAgent AgentToward(const Vec3& position, const Target& target) {
  NewAgent agent = AgentAt(position);
  agent.targets[0] = target;
  return agent;
}

SpawnAgents Spawn(std::vector<NewAgent> agents) {
  return SpawnAgents{std::move(agents)};
}

Target PointTarget(const Vec3& point) {
  return {.kind = Target::Kind::kPoint, .point = point};
}

Target AgentTarget(AgentId id) {
  return {.kind = Target::Kind::kAgent, .agent = id};
}

void TestWorld::Submit(Operation operation, std::int64_t tick) {
  const std::int64_t next = world_.tick() + 1;
  AdmittedCommand command{admission_.next_sequence++, tick == 0 ? next : tick,
                          0, std::move(operation)};
  MEANDER_CHECK(command.apply_tick >= next);
  MEANDER_CHECK(
      Validate({command.apply_tick, command.operation}, world_.config(), "")
          .empty());
  if (const std::int64_t spawned = SpawnCount(command.operation)) {
    command.first_agent_id = admission_.next_agent_id;
    admission_.next_agent_id += spawned;
  }
  if (const auto* define = std::get_if<DefineArchetype>(&command.operation)) {
    admission_.archetypes.set(static_cast<std::size_t>(define->archetype.id));
  }
  admission_.pending.push_back(std::move(command));
}

std::vector<CommandOutcome> TestWorld::Step() {
  const std::int64_t tick = world_.tick() + 1;
  std::vector<AdmittedCommand> due;
  for (const AdmittedCommand& command : admission_.pending) {
    if (command.apply_tick == tick) due.push_back(command);
  }
  std::erase_if(admission_.pending, [tick](const AdmittedCommand& command) {
    return command.apply_tick == tick;
  });
  std::vector<CommandOutcome> outcomes(due.size());
  SerialFor serial;
  world_.Step(due, outcomes, serial);
  return outcomes;
}

void TestWorld::StepTo(std::int64_t tick) {
  while (world_.tick() < tick) Step();
}

CommandOutcome TestWorld::Apply(Operation operation) {
  Submit(std::move(operation));
  return Step().back();
}

StateHash HashOf(const WorldState& state) {
  SerialFor serial;
  return HashState(state, serial);
}

StateHash TestWorld::Hash() const {
  SerialFor serial;
  return world_.Hash(serial);
}

AgentState TestWorld::Agent(AgentId id) const {
  const std::optional<AgentState> agent = world_.Find(id);
  MEANDER_CHECK(agent.has_value());
  return *agent;
}

}  // namespace meander::core
