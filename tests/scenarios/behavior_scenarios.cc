#include "tests/scenarios/behavior_scenarios.h"

#include <cstddef>
#include <string>
#include <utility>

#include "core/archetype.h"
#include "core/behavior.h"

namespace meander::scenarios {
namespace {

using core::Alignment;
using core::Archetype;
using core::Ball;
using core::Box;
using core::Cohesion;
using core::DefineArchetype;
using core::Disc;
using core::NewAgent;
using core::Plane;
using core::Separation;
using core::SetTarget;
using core::SpawnAgents;
using core::Target;
using core::Term;

constexpr float kFlockRadius = 5.0f;
constexpr float kNeighbors = 12.0f;

core::Command SpawnIn(std::int64_t tick, std::int64_t count,
                      const NewAgent& prototype, core::Area area) {
  return {tick, SpawnAgents{core::AreaPlacement{count, prototype, area}}};
}

// Each agent of [first, last] after the one `ahead` ids further, round about.
void Follow(std::int64_t tick, std::int32_t slot, core::AgentId first,
            core::AgentId last, core::AgentId ahead, Scenario& scenario) {
  const core::AgentId count = last - first + 1;
  for (core::AgentId id = first; id <= last; ++id) {
    const core::AgentId other = first + (id - first + ahead) % count;
    scenario.commands.push_back(
        {tick,
         SetTarget{
             {id}, slot, {.kind = Target::Kind::kAgent, .agent = other}}});
  }
}

Archetype Flocker(core::ArchetypeId id) {
  const core::Neighborhood around{.radius = kFlockRadius};
  return {.id = id,
          .max_speed = 6.0f,
          .max_force = 12.0f,
          .terms = {{.weight = 1.5f, .behavior = Separation{around}},
                    {.behavior = Alignment{around}},
                    {.behavior = Cohesion{around}}}};
}

Scenario Flock(std::string name, Plane plane, std::int64_t count,
               std::uint64_t seed) {
  Scenario scenario{.name = std::move(name), .seed = seed, .ticks = 300};
  // No root of the platform's library: it may differ in the last bit.
  const bool planar = plane != Plane::kNone;
  const float room = static_cast<float>(count) / kNeighbors * kFlockRadius *
                     kFlockRadius *
                     (planar ? 3.14159f : 4.18879f * kFlockRadius);
  float half = kFlockRadius;
  while (4.0f * half * half * (planar ? 1.0f : 2.0f * half) < room) {
    half += 0.5f;
  }
  scenario.config.plane = plane;
  scenario.config.bounds_mode = core::BoundsMode::kWrap;
  scenario.config.bounds_min = {-half, -half, -half};
  scenario.config.bounds_max = {half, half, half};
  scenario.config = core::Normalized(scenario.config);
  scenario.config.max_agents = count;
  scenario.config.cell_size = kFlockRadius;
  scenario.commands.push_back({1, DefineArchetype{Flocker(1)}});
  NewAgent prototype;
  prototype.velocity = {3.0f, 1.0f, 0.0f};
  scenario.commands.push_back(
      SpawnIn(1, count, prototype,
              Box{scenario.config.bounds_min, scenario.config.bounds_max}));
  return scenario;
}

// Hunters, prey and bystanders: what is foreseen, fled from and stopped at.
Scenario Hunt() {
  Scenario scenario{.name = "hunt", .seed = 51, .ticks = 400};
  scenario.config.plane = Plane::kXZ;
  scenario.config.bounds_mode = core::BoundsMode::kWrap;
  scenario.config.bounds_min = {-70.0f, 0.0f, -61.0f};
  scenario.config.bounds_max = {70.0f, 0.0f, 63.5f};
  auto& commands = scenario.commands;
  const core::WanderHeadingOffset idle{1.0f, 2.0f, 3.0f, Plane::kNone};
  const core::Facing facing{.turn_rate = 6.0f};
  commands.push_back(
      {1, DefineArchetype{{.id = 1,
                           .max_speed = 7.0f,
                           .max_force = 20.0f,
                           .terms = {{.behavior = core::Pursue{.slot = 0}}},
                           .facing = facing}}});
  commands.push_back(
      {1, DefineArchetype{
              {.id = 2,
               .max_speed = 6.0f,
               .max_force = 25.0f,
               .mass = 1.5f,
               .terms = {{.behavior = core::Evade{.lead = core::Lead::kClosing,
                                                  .max_prediction = 2.0f},
                          .level = 0},
                         {.weight = 0.5f, .behavior = idle, .level = 1}},
               .overspeed_time_constant = 0.4f,
               .combine = core::Combine::kPriorityBudget,
               .facing = facing}}});
  const core::Flee scared{.slot = 1,
                          .range = 12.0f,
                          .edge_inclusive = true,
                          .at_center = core::AtCenter::kZero};
  commands.push_back(
      {1, DefineArchetype{
              {.id = 3,
               .max_speed = 4.0f,
               .max_force = 9.0f,
               .terms = {{.behavior = scared, .level = 0},
                         {.behavior = core::Arrive{.slot = 0, .stop = true},
                          .level = 1}},
               .combine = core::Combine::kFirstNonzero}}});
  commands.push_back(
      {1,
       DefineArchetype{
           {.id = 4,
            .max_speed = 5.0f,
            .max_force = 8.0f,
            .terms = {{.behavior = core::Pursue{.lead = core::Lead::kDistance,
                                                .slowing_radius = 6.0f}},
                      {.weight = 2.0f,
                       .behavior = core::KeepAway{.slot = 1, .radius = 9.0f}},
                      {.weight = 0.1f, .behavior = core::Brake{}}},
            .limit_each_term = true}}});
  for (core::ArchetypeId id = 1; id <= 4; ++id) {
    commands.push_back(SpawnIn(1, 100, {.archetype_id = id}, Disc{{}, 55.0f}));
  }
  Follow(2, 0, 1, 200, 100, scenario);   // hunter and prey, each the other's
  Follow(2, 1, 201, 300, 50, scenario);  // bystanders are shy
  Follow(2, 0, 301, 400, 3, scenario);   // a chain that keeps apart
  Follow(3, 1, 301, 400, 1, scenario);
  SetTarget home{
      {}, 0, {.kind = Target::Kind::kPoint, .point = {69.0f, 0.0f, -60.0f}}};
  for (core::AgentId id = 201; id <= 300; ++id) home.agent_ids.push_back(id);
  commands.push_back({3, home});
  commands.push_back({200, core::DespawnAgents{{5, 105, 301, 302}}});
  commands.push_back({210, core::ApplyImpulse{{110, 111, 112}, {90, 0, -40}}});
  return scenario;
}

// In space: both walks on a sphere, schools with a view, agents that stay at
// their height.
Scenario School() {
  Scenario scenario{.name = "school", .seed = 52, .ticks = 300};
  scenario.config.bounds_mode = core::BoundsMode::kClamp;
  scenario.config.bounds_min = {-30.0f, -25.0f, -20.0f};
  scenario.config.bounds_max = {31.0f, 25.0f, 20.0f};
  scenario.config.cell_size = 4.0f;
  auto& commands = scenario.commands;
  const core::Neighborhood seen{.radius = 6.0f,
                                .field_of_view = 4.0f,
                                .neighbor_groups = 6,
                                .max_neighbors = 7};
  const core::Neighborhood close{.radius = 2.0f, .neighbor_groups = 6};
  const core::WanderSpherical swim{1.17f, 1.403f, 8.974f};
  const core::WanderHeadingOffset drift{1.5f, 3.0f, 3.0f, Plane::kNone};
  const Term apart{.weight = 2.0f,
                   .behavior = Separation{close, core::Falloff::kNearestFade,
                                          core::Coincident::kSpread}};
  const Term together{.behavior = Cohesion{seen, core::CohesionMode::kPull}};
  Archetype fish{.id = 1,
                 .max_speed = 5.0f,
                 .max_force = 15.0f,
                 .terms = {{.weight = 0.5f, .behavior = swim},
                           apart,
                           {.behavior = Alignment{seen}},
                           together},
                 .facing = core::Facing{.turn_rate = 3.0f}};
  Archetype ray = fish;
  ray.id = 2;
  ray.terms[0].behavior = drift;
  const Archetype crab{
      .id = 3,
      .max_speed = 3.0f,
      .max_force = 6.0f,
      .terms = {{.behavior =
                     core::WanderHeadingOffset{1.0f, 2.0f, 4.0f, Plane::kXZ},
                 .gain = 2.0f},
                apart},
      .force_plane = Plane::kXZ,
      .facing = core::Facing{.turn_rate = 60.0f, .min_facing_speed = 0.0f}};
  for (const Archetype& archetype : {fish, ray, crab}) {
    commands.push_back({1, DefineArchetype{archetype}});
  }
  for (core::ArchetypeId id = 1; id <= 3; ++id) {
    NewAgent prototype{.archetype_id = id, .velocity = {0.0f, 0.1f, 0.0f}};
    prototype.groups = 1u << static_cast<unsigned>(id);
    commands.push_back(SpawnIn(1, 250, prototype, Ball{{}, 15.0f}));
  }
  // Form after form, in mid-run; then a wander less.
  commands.push_back({100, core::SetArchetype{{1, 2, 3, 600, 601}, 2}});
  ray.terms[0].behavior = swim;
  commands.push_back({150, DefineArchetype{ray}});
  commands.push_back({200, core::SetArchetype{{1, 300, 301}, 3}});
  commands.push_back({220, core::SetCellSize{1.5f}});
  fish.terms.erase(fish.terms.begin());
  commands.push_back({250, DefineArchetype{fish}});
  return scenario;
}

// Everybody on one point, and radii far above and below the cell size.
Scenario Crowd() {
  Scenario scenario{.name = "crowd", .seed = 53, .ticks = 300};
  scenario.config.plane = Plane::kXY;
  scenario.config.bounds_mode = core::BoundsMode::kWrap;
  scenario.config.bounds_min = {-20.0f, -9.0f, 0.0f};
  scenario.config.bounds_max = {20.0f, 9.0f, 0.0f};
  scenario.config.cell_size = 3.0f;
  auto& commands = scenario.commands;
  const core::Neighborhood tiny{.radius = 0.5f};
  const core::Neighborhood half_a_world{.radius = 9.0f, .max_neighbors = 20};
  commands.push_back(
      {1, DefineArchetype{{.id = 1,
                           .max_speed = 4.0f,
                           .max_force = 30.0f,
                           .terms = {{.behavior = Separation{tiny}}}}}});
  commands.push_back(
      {1, DefineArchetype{
              {.id = 2,
               .max_speed = 4.0f,
               .max_force = 30.0f,
               .terms = {
                   {.weight = 3.0f,
                    .behavior = Separation{half_a_world, core::Falloff::kLinear,
                                           core::Coincident::kSpread}},
                   {.behavior = Cohesion{half_a_world}},
                   {.weight = 0.3f,
                    .behavior = core::WanderWorldAngle{1.0f, 2.0f, 5.0f}}}}}});
  commands.push_back(SpawnIn(1, 120, {.archetype_id = 1}, Disc{{}, 0.0f}));
  commands.push_back(
      SpawnIn(1, 200, {.archetype_id = 2}, Disc{{11.0f, 0.0f, 0.0f}, 8.5f}));
  commands.push_back({120, core::SetCellSize{0.25f}});
  commands.push_back({180, core::SetCellSize{100.0f}});
  return scenario;
}

}  // namespace

Scenario Flock2d(std::int64_t count, std::uint64_t seed) {
  return Flock("flock_2d", Plane::kXY, count, seed);
}

Scenario Flock3d(std::int64_t count, std::uint64_t seed) {
  return Flock("flock_3d", Plane::kNone, count, seed);
}

std::vector<Scenario> BehaviorScenarios() {
  return {Flock2d(1000, 54), Flock3d(700, 55), Hunt(), School(), Crowd()};
}

}  // namespace meander::scenarios
