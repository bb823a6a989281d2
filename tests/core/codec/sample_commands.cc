#include "tests/core/codec/sample_commands.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "tests/core/test_world.h"

namespace meander::core {
namespace {

Archetype TwoTerms() {
  return {
      .id = 1024,
      .max_speed = 6.5f,
      .max_force = 12.0f,
      .mass = 0.75f,
      .terms = {{-2.5f, Seek{3}}, {1.0f, WanderWorldAngle{2.0f, 3.25f, 8.0f}}}};
}

NewAgent Plain() {
  NewAgent agent = AgentAt({1.5f, -2.0f, 0.0f}, 2);
  agent.velocity = {0.5f, -0.0f, 0.25f};
  return agent;
}

NewAgent Full() {
  NewAgent agent = AgentAt({-100.0f, 0.1f, 64.0f}, 1024);
  agent.velocity = {-1.0f, 2.0f, -3.0f};
  agent.seed = 0xfedcba9876543210u;
  agent.tag = 0x0123456789abcdefu;
  agent.targets = {PointTarget({4.0f, 5.0f, 6.0f}), Target{},
                   AgentTarget(AgentId{1} << 40), AgentTarget(1)};
  agent.wander_angle = -3.0f;
  return agent;
}

// What is given is told apart from what is not, although the values are 0.
NewAgent GivenAsZero() {
  NewAgent agent;
  agent.seed = 0;
  agent.wander_angle = 0.0f;
  return agent;
}

}  // namespace

std::vector<SampleCommand> SampleCommands() {
  std::vector<SampleCommand> samples;
  const auto add = [&](std::string name, Operation operation) {
    AdmittedCommand command;
    command.sequence = static_cast<std::int64_t>(samples.size()) + 1;
    command.apply_tick = 3600 + command.sequence;
    if (SpawnCount(operation) > 0) command.first_agent_id = 70'000'000'000;
    command.operation = std::move(operation);
    samples.push_back({std::move(name), std::move(command)});
  };
  add("define_archetype_without_terms", DefineArchetype{{.id = 1,
                                                         .max_speed = 0.0f,
                                                         .max_force = 0.0f,
                                                         .mass = 1.0f,
                                                         .terms = {}}});
  add("define_archetype_with_seek_and_wander", DefineArchetype{TwoTerms()});
  add("spawn_one_agent", Spawn({Plain()}));
  add("spawn_three_agents", Spawn({Full(), Plain(), GivenAsZero()}));
  add("spawn_in_a_disc",
      SpawnAgents{AreaPlacement{1000, {}, Disc{{1.0f, 2.0f, 3.0f}, 45.5f}}});
  NewAgent prototype = Full();
  prototype.position = {};
  add("spawn_in_a_box",
      SpawnAgents{AreaPlacement{
          3, prototype, Box{{-1.0f, -2.0f, -3.0f}, {4.0f, 5.0f, 6.0f}}}});
  add("spawn_in_a_ball",
      SpawnAgents{AreaPlacement{1'000'000, GivenAsZero(),
                                Ball{{-0.5f, 0.0f, 0.5f}, 0.0f}}});
  add("despawn_two_agents",
      DespawnAgents{{7, std::numeric_limits<AgentId>::max()}});
  add("clear_a_target", SetTarget{{1}, 0, Target{}});
  add("target_a_point",
      SetTarget{{3, 2, 4}, 1, PointTarget({16.0f, -0.25f, 1.0e-3f})});
  add("target_an_agent", SetTarget{{5}, 3, AgentTarget(6)});
  add("define_an_external_archetype", DefineArchetype{{.id = 9,
                                                       .max_speed = 5.0f,
                                                       .max_force = 0.0f,
                                                       .mass = 80.0f,
                                                       .terms = {},
                                                       .external = true}});
  add("remove_an_archetype", RemoveArchetype{1024});
  add("set_an_archetype", SetArchetype{{8, 3}, 2});
  add("set_motion_of_three_agents",
      SetMotion{{{9, Vec3{1.0f, -2.0f, 100.0f}, Vec3{-0.0f, 3.0f, 0.5f}},
                 {2, Vec3{0.0f, 0.25f, -100.0f}, std::nullopt},
                 {4, std::nullopt, Vec3{}}}});
  add("apply_an_impulse", ApplyImpulse{{1, 6}, {-12.5f, 0.0f, 9.0e5f}});
  add("set_the_cell_size", SetCellSize{0.015625f});
  return samples;
}

}  // namespace meander::core
