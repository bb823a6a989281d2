// What the neighbor pass leaves for agents, as bits to compare.
#ifndef MEANDER_TESTS_CORE_STEP_SUM_BITS_H_
#define MEANDER_TESTS_CORE_STEP_SUM_BITS_H_

#include <cstdint>
#include <vector>

#include "core/archetype.h"
#include "core/simd/kernels.h"
#include "core/world_state.h"
#include "tests/core/space/neighbor_scene.h"

namespace meander::core {

// Separation, alignment and cohesion, in all their forms.
Archetype EveryTerm(const Neighborhood& neighborhood, ArchetypeId id = 1);

// Bits of all sums of one agent, term by term.
using SumBits = std::vector<std::uint32_t>;

void Append(const Vec3& sum, SumBits& bits);

// Precondition: FindNeighbors has run.
SumBits SumsOf(const WorldState& state, AgentId id);

// Of each agent of a scene.
std::vector<SumBits> SumsWith(const Kernels& kernels,
                              const NeighborScene& scene);

// Fails where a target that runs here has other sums than the scalar one.
void ExpectAlike(const NeighborScene& scene);

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_STEP_SUM_BITS_H_
