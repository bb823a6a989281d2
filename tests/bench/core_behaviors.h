// A world for each behavior alone, for each way to look for neighbors and to
// combine several terms, and worlds of many archetypes: what the kernels of
// SIMD targets are compared on. As in scenes.h, but that facings keep still
// where nothing else is said.
#ifndef MEANDER_TESTS_BENCH_CORE_BEHAVIORS_H_
#define MEANDER_TESTS_BENCH_CORE_BEHAVIORS_H_

#include <cstdint>
#include <span>

#include "tests/bench/scenes.h"

namespace meander::bench {

// Points that are sought, and the like, lie all over the world; whoever is
// pursued is another agent for each. Those that look for neighbors do so in
// Flock2d.
std::span<const Scene> BehaviorScenes();

// Wander, or Flock2d, whose agents are of archetypes of `each` agents, all
// alike, as far as there are ids for archetypes. The name is of those.
struct FewScene {
  Scene scene;
  std::int64_t each = 0;

  // The most agents up to `agents` that it can have.
  std::int64_t Agents(std::int64_t agents) const;
};
std::span<const FewScene> FewScenes();

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_CORE_BEHAVIORS_H_
