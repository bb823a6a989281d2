// What the neighbor pass left for an agent, as bits to compare.
#ifndef MEANDER_TESTS_CORE_STEP_SUM_BITS_H_
#define MEANDER_TESTS_CORE_STEP_SUM_BITS_H_

#include <cstdint>
#include <vector>

#include "core/archetype.h"
#include "core/world_state.h"

namespace meander::core {

// Separation, alignment and cohesion, in all their forms.
Archetype EveryTerm(const Neighborhood& neighborhood, ArchetypeId id = 1);

// Bits of all sums of one agent, term by term.
using SumBits = std::vector<std::uint32_t>;

void Append(const Vec3& sum, SumBits& bits);

// Precondition: FindNeighbors has run.
SumBits SumsOf(const WorldState& state, AgentId id);

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_STEP_SUM_BITS_H_
