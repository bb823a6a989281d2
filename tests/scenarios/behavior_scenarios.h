// Worlds that move by every behavior, and flocks of any size. See scenario.h.
#ifndef MEANDER_TESTS_SCENARIOS_BEHAVIOR_SCENARIOS_H_
#define MEANDER_TESTS_SCENARIOS_BEHAVIOR_SCENARIOS_H_

#include <cstdint>
#include <vector>

#include "tests/scenarios/scenario.h"

namespace meander::scenarios {

// `count` agents of one archetype (id 1: separation, alignment and cohesion
// within 5 units, max_speed 6, max_force 12) on a torus at 60 Hz, XY or without
// a plane, so dense that each has about 12 neighbors.
Scenario Flock2d(std::int64_t count, std::uint64_t seed);
Scenario Flock3d(std::int64_t count, std::uint64_t seed);

// Those that have golden hashes: together they use every behavior, variant and
// way to combine.
std::vector<Scenario> BehaviorScenarios();

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_BEHAVIOR_SCENARIOS_H_
