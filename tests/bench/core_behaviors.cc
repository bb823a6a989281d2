#include "tests/bench/core_behaviors.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "core/archetype.h"
#include "core/command.h"
#include "core/operation.h"

namespace meander::bench {
namespace {

using core::Archetype;
using core::Behavior;
using core::Combine;
using core::Falloff;
using core::Lead;
using core::Neighborhood;
using core::Term;
using scenarios::Scenario;

constexpr core::AgentId kAhead = 37;  // ids to the one who is pursued
constexpr float kWide = 1.0e4f;       // units: everything acts everywhere

Archetype& OnlyArchetype(Scenario& scenario) {
  return std::get<core::DefineArchetype>(scenario.commands[0].operation)
      .archetype;
}

Scenario With(Scenario scenario, std::vector<Term> terms) {
  OnlyArchetype(scenario).facing.reset();
  OnlyArchetype(scenario).terms = std::move(terms);
  return scenario;
}

// In the plane, without neighbors.
Scenario Alone(std::int64_t agents, const Behavior& behavior) {
  return With(Wander(agents), {{.behavior = behavior}});
}

// The same with a point for each agent.
Scenario AtPoints(std::int64_t agents, std::vector<Term> terms) {
  Scenario scenario = With(Wander(agents), std::move(terms));
  SetPlaces(agents, scenario);
  return scenario;
}
Scenario AtPoints(std::int64_t agents, const Behavior& behavior) {
  return AtPoints(agents, {Term{.behavior = behavior}});
}

// The same with another agent for each.
Scenario AfterAgents(std::int64_t agents, const Behavior& behavior) {
  Scenario scenario = Alone(agents, behavior);
  for (core::AgentId id = 1; id <= agents; ++id) {
    scenario.commands.push_back(
        {1,
         core::SetTarget{.agent_ids = {id},
                         .slot = 0,
                         .target = {.kind = core::Target::Kind::kAgent,
                                    .agent = (id - 1 + kAhead) % agents + 1}}});
  }
  return scenario;
}

Scenario AmongOthers(std::int64_t agents, const Behavior& behavior) {
  return With(Flock2d(agents), {{.behavior = behavior}});
}

// A flock whose three terms look so.
Scenario Flocking(Scenario flock, const Neighborhood& around) {
  return With(std::move(flock),
              {{.weight = 1.5f, .behavior = core::Separation{around}},
               {.behavior = core::Alignment{around}},
               {.behavior = core::Cohesion{around}}});
}

template <auto kFlock>
Scenario LookingAhead(std::int64_t agents) {
  return Flocking(kFlock(agents),
                  {.radius = kAround.radius, .field_of_view = 4.0f});
}

// Half of the agents are of a group that nobody looks for.
template <auto kFlock>
Scenario PassingBy(std::int64_t agents) {
  Scenario scenario = Flocking(
      kFlock(agents), {.radius = kAround.radius, .neighbor_groups = 1});
  auto spawn = std::get<core::SpawnAgents>(scenario.commands[1].operation);
  auto& others = std::get<core::AreaPlacement>(spawn.placement);
  others.prototype.groups = 2;
  others.count = agents / 2;
  std::get<core::AreaPlacement>(
      std::get<core::SpawnAgents>(scenario.commands[1].operation).placement)
      .count -= others.count;
  scenario.commands.push_back({1, std::move(spawn)});
  return scenario;
}

template <auto kFlock, std::int32_t kMost>
Scenario AmongNearest(std::int64_t agents) {
  return Flocking(kFlock(agents),
                  {.radius = kAround.radius, .max_neighbors = kMost});
}

// So heavy that it does not stand still before it was measured.
Scenario Braking(std::int64_t agents) {
  Scenario scenario = Alone(agents, core::Brake{});
  OnlyArchetype(scenario).mass = 100.0f;
  auto& spawn = std::get<core::SpawnAgents>(scenario.commands[1].operation);
  std::get<core::AreaPlacement>(spawn.placement).prototype.velocity = {
      4.0f, 3.0f, 0.0f};
  return scenario;
}

Scenario Facing(std::int64_t agents) {
  Scenario scenario = AtPoints(agents, core::Seek{});
  OnlyArchetype(scenario).facing = core::Facing{.turn_rate = 6.0f};
  return scenario;
}

// Three terms of a level each.
Scenario Combining(std::int64_t agents, Combine combine, bool limit) {
  Scenario scenario = AtPoints(
      agents,
      {{.behavior = core::KeepAway{.radius = 10.0f}, .level = 0},
       {.behavior = core::Seek{}, .level = 1},
       {.behavior = core::WanderWorldAngle{2.0f, 3.0f, 8.0f}, .level = 2}});
  OnlyArchetype(scenario).combine = combine;
  OnlyArchetype(scenario).limit_each_term = limit;
  return scenario;
}

template <Falloff kFalloff>
Scenario Separating(std::int64_t agents) {
  return AmongOthers(agents, core::Separation{kAround, kFalloff});
}

template <core::CohesionMode kMode>
Scenario Cohering(std::int64_t agents) {
  return AmongOthers(agents, core::Cohesion{kAround, kMode});
}

template <Lead kLead>
Scenario Pursuing(std::int64_t agents) {
  return AfterAgents(agents, core::Pursue{.lead = kLead});
}

template <Combine kCombine, bool kLimit = false>
Scenario Combined(std::int64_t agents) {
  return Combining(agents, kCombine, kLimit);
}

constexpr std::array kBehaviors{
    Scene{"seek", [](auto n) { return AtPoints(n, core::Seek{}); }, false},
    Scene{"flee", [](auto n) { return AtPoints(n, core::Flee{}); }, false},
    Scene{"arrive",
          [](auto n) {
            return AtPoints(n, core::Arrive{.slowing_radius = 10.0f});
          },
          false},
    Scene{"arrive_stop",
          [](auto n) { return AtPoints(n, core::Arrive{.stop = true}); },
          false},
    Scene{"keep_away",
          [](auto n) { return AtPoints(n, core::KeepAway{.radius = kWide}); },
          false},
    Scene{"brake", Braking, false},
    Scene{"pursue_intercept", Pursuing<Lead::kIntercept>, false},
    Scene{"pursue_closing", Pursuing<Lead::kClosing>, false},
    Scene{"pursue_distance", Pursuing<Lead::kDistance>, false},
    Scene{"evade", [](auto n) { return AfterAgents(n, core::Evade{}); }, false},
    Scene{"wander_world_angle",
          [](auto n) {
            return Alone(n, core::WanderWorldAngle{2.0f, 3.0f, 8.0f});
          },
          false},
    Scene{"wander_spherical",
          [](auto n) {
            return With(
                Wander3d(n),
                {{.behavior = core::WanderSpherical{2.0f, 3.0f, 8.0f}}});
          },
          false},
    Scene{"wander_heading_offset",
          [](auto n) {
            return Alone(n, core::WanderHeadingOffset{2.0f, 3.0f, 8.0f});
          },
          false},
    Scene{"separation_inverse", Separating<Falloff::kInverse>, true},
    Scene{"separation_nearest_fade", Separating<Falloff::kNearestFade>, true},
    Scene{"separation_linear", Separating<Falloff::kLinear>, true},
    Scene{"alignment",
          [](auto n) { return AmongOthers(n, core::Alignment{kAround}); },
          true},
    Scene{"cohesion_seek", Cohering<core::CohesionMode::kSeek>, true},
    Scene{"cohesion_pull", Cohering<core::CohesionMode::kPull>, true},
    Scene{"field_of_view", LookingAhead<Flock2d>, true},
    Scene{"field_of_view3d", LookingAhead<Flock3d>, true},
    Scene{"groups", PassingBy<Flock2d>, true},
    Scene{"groups3d", PassingBy<Flock3d>, true},
    Scene{"nearest", AmongNearest<Flock2d, 6>, true},
    Scene{"nearest3d", AmongNearest<Flock3d, 6>, true},
    Scene{"nearest_of_more", AmongNearest<Flock2d, 10>, true},
    Scene{"weighted_sum", Combined<Combine::kWeightedSum>, false},
    Scene{"limit_each_term", Combined<Combine::kWeightedSum, true>, false},
    Scene{"priority_budget", Combined<Combine::kPriorityBudget>, false},
    Scene{"first_nonzero", Combined<Combine::kFirstNonzero>, false},
    Scene{"facing", Facing, false},
};

// As many archetypes as there are agents of each.
Scenario OfMany(Scenario scenario, std::int64_t agents, std::int64_t each) {
  Archetype archetype = OnlyArchetype(scenario);
  auto spawn = std::get<core::SpawnAgents>(scenario.commands[1].operation);
  auto& area = std::get<core::AreaPlacement>(spawn.placement);
  area.count = each;
  scenario.commands.clear();
  for (archetype.id = 1; archetype.id <= agents / each; ++archetype.id) {
    area.prototype.archetype_id = archetype.id;
    scenario.commands.push_back({1, core::DefineArchetype{archetype}});
    scenario.commands.push_back({1, spawn});
  }
  return scenario;
}

template <std::int64_t kEach>
Scenario FewWander(std::int64_t agents) {
  return OfMany(Wander(agents), agents, kEach);
}

template <std::int64_t kEach>
Scenario FewFlock(std::int64_t agents) {
  return OfMany(Flock2d(agents), agents, kEach);
}

constexpr std::array kFew{
    FewScene{{"few/1", FewWander<1>, false}, 1},
    FewScene{{"few/4", FewWander<4>, false}, 4},
    FewScene{{"few/16", FewWander<16>, false}, 16},
    FewScene{{"few/64", FewWander<64>, false}, 64},
    FewScene{{"few/flock2d/1", FewFlock<1>, true}, 1},
    FewScene{{"few/flock2d/4", FewFlock<4>, true}, 4},
    FewScene{{"few/flock2d/16", FewFlock<16>, true}, 16},
    FewScene{{"few/flock2d/64", FewFlock<64>, true}, 64},
};

}  // namespace

std::span<const Scene> BehaviorScenes() { return kBehaviors; }

std::span<const FewScene> FewScenes() { return kFew; }

std::int64_t FewScene::Agents(std::int64_t agents) const {
  return std::min<std::int64_t>(agents / each, core::kMaxArchetypeId) * each;
}

}  // namespace meander::bench
