#include "tests/bench/scenes.h"

#include <algorithm>
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
constexpr int kTilesAlong = 10;  // of FiveTerms

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

// `place` moved by a third of the world along an axis that wraps.
float ThirdFrom(float place, float low, float high) {
  const float period = high - low;
  const float moved = place + period / 3.0f;
  return moved < high ? moved : moved - period;
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

// Those of a tile go a third of the world away, further than they get: as a
// whole the crowd moves on and stays about as dense as it is.
Scenario FiveTerms(std::int64_t agents) {
  Scenario scenario = Flock2d(agents);
  std::vector<core::Term>& terms = ArchetypeOf(scenario).terms;
  terms.insert(
      terms.begin(),
      {.weight = 0.5f, .behavior = core::WanderWorldAngle{2.0f, 3.0f, 8.0f}});
  terms.push_back(
      {.weight = 0.5f,
       .behavior = core::Arrive{.slot = 0, .slowing_radius = 10.0f}});

  AreaPlacement placement = PlacementOf(scenario);
  scenario.commands.pop_back();
  const Vec3 low = scenario.config.bounds_min;
  const Vec3 high = scenario.config.bounds_max;
  const float tile = (high.x - low.x) / kTilesAlong;
  constexpr std::int64_t kTiles = kTilesAlong * kTilesAlong;
  for (std::int64_t i = 0; i < kTiles; ++i) {
    const Vec3 corner{low.x + tile * static_cast<float>(i % kTilesAlong),
                      low.y + tile * static_cast<float>(i / kTilesAlong), 0.0f};
    placement.count = agents * (i + 1) / kTiles - agents * i / kTiles;
    placement.area = core::Box{corner,
                               {std::min(corner.x + tile, high.x),
                                std::min(corner.y + tile, high.y), 0.0f}};
    placement.prototype.targets[0] = {
        .kind = core::Target::Kind::kPoint,
        .point = {ThirdFrom(corner.x, low.x, high.x),
                  ThirdFrom(corner.y, low.y, high.y), 0.0f}};
    scenario.commands.push_back({1, SpawnAgents{placement}});
  }
  return scenario;
}

Scenario Crowd(std::int64_t agents) {
  Scenario scenario = FiveTerms(agents);
  std::vector<core::Term>& terms = ArchetypeOf(scenario).terms;
  terms = {terms[1], terms.back()};
  return scenario;
}

}  // namespace meander::bench
