// The worlds that the core's benchmarks step, at any size.
//
// All at 60 Hz, of one archetype (id 1, max_speed 6, max_force 12) whose agents
// have seeds of their own and turn their facing after their velocity. The same
// density at every size. Pure functions of the size.
#ifndef MEANDER_TESTS_BENCH_SCENES_H_
#define MEANDER_TESTS_BENCH_SCENES_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "core/behavior.h"
#include "tests/scenarios/scenario.h"

namespace meander::bench {

// How far the agents of the flocks look.
inline constexpr core::Neighborhood kAround{.radius = 5.0f};

// World-angle wander in the plane, bounds that clamp; spherical wander in
// space.
scenarios::Scenario Wander(std::int64_t agents);
scenarios::Scenario Wander3d(std::int64_t agents);
// Separation, alignment and cohesion, about 12 neighbors each, on a torus.
scenarios::Scenario Flock2d(std::int64_t agents);
scenarios::Scenario Flock3d(std::int64_t agents);
// Flock2d's terms after wander, before an arrive at one of a hundred places all
// over the world: whoever is near each other goes elsewhere, so that the crowd
// stays about as dense as it is.
scenarios::Scenario FiveTerms(std::int64_t agents);

// Gives each of the agents from 1 to `agents` one of these places.
void SetPlaces(std::int64_t agents, scenarios::Scenario& scenario);

// FiveTerms with separation and arrive alone.
scenarios::Scenario Crowd(std::int64_t agents);

struct Scene {
  std::string_view name;
  scenarios::Scenario (*make)(std::int64_t agents);
  bool flocks;  // looks for neighbors
};
inline constexpr std::array kScenes{
    Scene{"wander", Wander, false}, Scene{"wander3d", Wander3d, false},
    Scene{"flock2d", Flock2d, true}, Scene{"flock3d", Flock3d, true},
    Scene{"five_terms", FiveTerms, true}};

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_SCENES_H_
