#include "tests/bench/scenes.h"

#include <utility>
#include <variant>
#include <vector>

#include "core/archetype.h"
#include "core/command.h"
#include "core/operation.h"
#include "tests/scenarios/behavior_scenarios.h"

namespace meander::bench {
namespace {

using core::Archetype;
using core::AreaPlacement;
using core::SpawnAgents;
using core::Vec3;
using scenarios::Scenario;

constexpr std::uint64_t kSeed = 1;
constexpr std::int64_t kPlacesAlong = 10;  // of SetPlaces

// The scenes that tests have define their archetype first, then spawn.
Archetype& ArchetypeOf(Scenario& scenario) {
  return std::get<core::DefineArchetype>(scenario.commands[0].operation)
      .archetype;
}

AreaPlacement& PlacementOf(Scenario& scenario) {
  return std::get<AreaPlacement>(
      std::get<SpawnAgents>(scenario.commands[1].operation).placement);
}

Scenario WithFacing(Scenario scenario) {
  ArchetypeOf(scenario).facing = core::Facing{.turn_rate = 6.0f};
  return scenario;
}

}  // namespace

Scenario Wander(std::int64_t agents) {
  return WithFacing(scenarios::Wanderers(agents, kSeed));
}

Scenario Wander3d(std::int64_t agents) {
  Scenario scenario = WithFacing(scenarios::Wanderers(agents, kSeed));
  const float reach = scenario.config.bounds_max.x;
  scenario.config.plane = core::Plane::kNone;
  scenario.config.bounds_min = {-reach, -reach, -reach};
  scenario.config.bounds_max = {reach, reach, reach};
  ArchetypeOf(scenario).terms = {
      {.behavior = core::WanderSpherical{2.0f, 3.0f, 8.0f}}};
  PlacementOf(scenario).area = core::Ball{{}, reach / 2.0f};
  return scenario;
}

Scenario Flock2d(std::int64_t agents) {
  return WithFacing(scenarios::Flock2d(agents, kSeed));
}

Scenario Flock3d(std::int64_t agents) {
  return WithFacing(scenarios::Flock3d(agents, kSeed));
}

Scenario FiveTerms(std::int64_t agents) {
  Scenario scenario = Flock2d(agents);
  std::vector<core::Term>& terms = ArchetypeOf(scenario).terms;
  terms.insert(
      terms.begin(),
      {.weight = 0.5f, .behavior = core::WanderWorldAngle{2.0f, 3.0f, 8.0f}});
  terms.push_back(
      {.weight = 0.5f,
       .behavior = core::Arrive{.slot = 0, .slowing_radius = 10.0f}});

  SetPlaces(agents, scenario);
  return scenario;
}

void SetPlaces(std::int64_t agents, Scenario& scenario) {
  const Vec3 low = scenario.config.bounds_min;
  const Vec3 high = scenario.config.bounds_max;
  const float apart = (high.x - low.x) / static_cast<float>(kPlacesAlong);
  constexpr std::int64_t kPlaces = kPlacesAlong * kPlacesAlong;
  for (std::int64_t place = 0; place < kPlaces; ++place) {
    core::SetTarget go;
    for (core::AgentId id = place + 1; id <= agents; id += kPlaces) {
      go.agent_ids.push_back(id);
    }
    go.target = {
        .kind = core::Target::Kind::kPoint,
        .point = {low.x + apart * static_cast<float>(place % kPlacesAlong),
                  low.y + apart * static_cast<float>(place / kPlacesAlong),
                  0.0f}};
    scenario.commands.push_back({1, std::move(go)});
  }
}

Scenario Crowd(std::int64_t agents) {
  Scenario scenario = FiveTerms(agents);
  std::vector<core::Term>& terms = ArchetypeOf(scenario).terms;
  terms = {terms[1], terms.back()};
  return scenario;
}

}  // namespace meander::bench
