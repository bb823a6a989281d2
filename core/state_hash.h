// The 64-bit state hash: equal states hash alike, whatever the order in which
// agents were made, lie in memory, or were cut into blocks.
//
//   value = sum of AgentMix(agent) + MixTick + MixConfig
//           + sum of MixArchetype(archetype)               (modulo 2^64)
//
// AgentMix is the sum of two mixes of 32-bit words (agents/agent_mix.h says how
// words are mixed, and where each stands). One over what changes with every
// step: id; bits of position, velocity and facing; wander turn, elevation,
// offset and heading. One over the rest: id; archetype id; groups; seed; tag;
// the tick of its first step; per slot the kind, plus 256 where its loss was
// told, and the bits of the point, or the two halves of the agent's id and 0.
// The second changes by commands, and by losses that are told, alone: its sums
// stand in the state and follow each change. The other mixes are XXH3-64,
// seeded by kind, over codec bytes (of the seed and the config, of an
// archetype) or the 8 bytes of the tick.
//
// The next agent id, the log sequence, pending commands and bound_stops are
// not hashed. Not cryptographic. Pure functions.
#ifndef MEANDER_CORE_STATE_HASH_H_
#define MEANDER_CORE_STATE_HASH_H_

#include <cstdint>

#include "core/agents/agent_index.h"
#include "core/archetype.h"
#include "core/parallel_for.h"
#include "core/simulation_config.h"
#include "core/world_state.h"

namespace meander::core {

struct StateHash {
  std::uint64_t value = 0;
  // Sums of AgentMix by id & 255: two parties that differ find the first
  // differing agent by exchanging these 2 KB.
  BucketSums buckets{};

  bool operator==(const StateHash&) const = default;
};

// Precondition: the state is settled, and its sums of cold mixes are right.
StateHash HashState(const WorldState& state, ParallelFor& parallel);

// Whoever changes a cold word of an agent, or its archetype, takes its mix out
// of state.cold_sums before and puts it in again after.
void AddColdMix(WorldState& state, const AgentLocation& at);
void SubtractColdMix(WorldState& state, const AgentLocation& at);

// What state.cold_sums has to be. Precondition: the state is settled.
BucketSums SumColdMixes(const WorldState& state);

std::uint64_t MixConfig(const SimulationConfig& config, std::uint64_t seed);
std::uint64_t MixArchetype(const Archetype& archetype);

}  // namespace meander::core

#endif  // MEANDER_CORE_STATE_HASH_H_
