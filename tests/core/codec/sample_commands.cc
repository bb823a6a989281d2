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

// Between them these have every behavior, and each of its parameters once as it
// is not given and once as it is. Agents of some samples, and of the world in
// sample_snapshot.h, have the archetypes.
Archetype AfterTargets() {
  return {.id = 2,
          .max_speed = 6.5f,
          .max_force = 12.0f,
          .mass = 1.5f,
          .terms = {{1.0f, Flee{}},
                    {0.5f, Flee{1, 7.5f, true, AtCenter::kZero}, 2.0f, 1},
                    {1.0f, Arrive{2, 4.0f, false}},
                    {1.0f, Arrive{3, 0.0f, true}, -0.25f, 1000},
                    {-1.0f, KeepAway{1, 3.0f}},
                    {1.0f, Brake{}, 0.125f, 2}},
          .overspeed_time_constant = 0.5f,
          .combine = Combine::kPriorityBudget,
          .limit_each_term = true};
}

Archetype AfterMovingTargets() {
  return {.id = 3,
          .max_speed = 9.0f,
          .max_force = 20.0f,
          .mass = 1.0f,
          .terms = {{1.0f, Pursue{}},
                    {2.0f, Pursue{1, Lead::kClosing, 1.5f, 6.0f}},
                    {1.0f, Evade{2, Lead::kDistance, std::nullopt}, 1.0f, 3},
                    {1.0f, Evade{3, Lead::kIntercept, 0.0f}},
                    {0.5f, WanderSpherical{1.0f, 2.5f, 12.0f}}},
          .force_plane = Plane::kXZ,
          .facing = Facing{.turn_rate = 10.0f, .min_facing_speed = 0.0f}};
}

Archetype AmongNeighbors() {
  const Neighborhood all{.radius = 2.5f};
  const Neighborhood some{.radius = 16.0f,
                          .field_of_view = 4.5f,
                          .neighbor_groups = 0x80000005u,
                          .max_neighbors = 7};
  return {
      .id = 7,
      .max_speed = 3.0f,
      .max_force = 5.0f,
      .mass = 1.0f,
      .terms = {{1.5f, Separation{all, Falloff::kInverse, Coincident::kSkip}},
                {1.0f, Separation{some, Falloff::kNearestFade}},
                {1.0f, Alignment{some}},
                {1.0f, Cohesion{all, CohesionMode::kSeek}},
                {1.0f, Cohesion{some, CohesionMode::kPull}, 0.5f, 1}},
      .combine = Combine::kFirstNonzero,
      .facing = Facing{}};
}

Archetype Strolling() {
  return {.id = 1,
          .max_speed = 2.0f,
          .max_force = 8.0f,
          .terms = {{1.0f, Alignment{Neighborhood{.field_of_view = 0.0f}}},
                    {1.0f, WanderHeadingOffset{1.25f, 2.0f, 3.0f, Plane::kXZ}},
                    {1.0f, Separation{{}, Falloff::kLinear}}}};
}

NewAgent PlainAgent() {
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
  agent.groups = 0x80000001u;
  agent.wander_angle = -3.0f;
  agent.wander_elevation = 0.75f;
  agent.wander_offset = {0.0f, -2.0f, 0.5f};
  agent.wander_heading = {-1.0e6f, 0.0f, -0.0f};
  agent.facing = {0.0f, 1.0e-6f, 3.0f};
  return agent;
}

NewAgent Turned() {
  NewAgent agent;
  agent.groups = 0;
  agent.wander_heading = {0.0f, 1.0f, 0.0f};
  agent.facing = {-4.0f, 0.0f, 0.0f};
  return agent;
}

// What is given is told apart from what is not, although the values are 0.
NewAgent GivenAsZero() {
  NewAgent agent;
  agent.seed = 0;
  agent.wander_angle = 0.0f;
  agent.wander_elevation = 0.0f;
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
  add("define_archetype_after_targets", DefineArchetype{AfterTargets()});
  add("define_archetype_after_moving_targets",
      DefineArchetype{AfterMovingTargets()});
  add("define_archetype_among_neighbors", DefineArchetype{AmongNeighbors()});
  add("define_archetype_with_a_heading", DefineArchetype{Strolling()});
  add("spawn_one_agent", Spawn({PlainAgent()}));
  add("spawn_three_agents", Spawn({Full(), PlainAgent(), GivenAsZero()}));
  add("spawn_an_agent_that_faces_somewhere", Spawn({Turned()}));
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
