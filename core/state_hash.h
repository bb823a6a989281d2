// The 64-bit state hash: equal states hash alike, whatever the order in which
// agents were made, lie in memory, or were cut into blocks.
//
//   value = sum of AgentMix(agent) + MixTick + MixConfig
//           + sum of MixArchetype(archetype)               (modulo 2^64)
//
// AgentMix is the sum of two chains of 64-bit words that start from the agent's
// id. One over what changes with every step: bits of position x and y; z and
// velocity x; velocity y and z; wander turn and elevation; and, where the
// archetype's wander is a heading offset, 0 and x, y and z of the offset, then
// of the heading. One over the rest: archetype id; seed; tag; step count;
// groups and facing x; facing y and z; per slot kind, plus 256 where its loss
// was told, and bits of the point's x; y and z; agent id). Each word goes
// through a bijection of 64 bits, so one changed word always changes the mix.
// The other mixes are XXH3-64, seeded by kind, over codec bytes (of the seed
// and the config, of an archetype) or the 8 bytes of the tick.
//
// The next agent id, the log sequence, pending commands and bound_stops are
// not hashed. Not cryptographic. Pure functions.
#ifndef MEANDER_CORE_STATE_HASH_H_
#define MEANDER_CORE_STATE_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/archetype.h"
#include "core/parallel_for.h"
#include "core/simulation_config.h"
#include "core/world_state.h"

namespace meander::core {

inline constexpr std::size_t kHashBuckets = 256;

struct StateHash {
  std::uint64_t value = 0;
  // Sums of AgentMix by id & 255: two parties that differ find the first
  // differing agent by exchanging these 2 KB.
  std::array<std::uint64_t, kHashBuckets> buckets{};

  bool operator==(const StateHash&) const = default;
};

// Precondition: the state is settled.
StateHash HashState(const WorldState& state, ParallelFor& parallel);

std::uint64_t MixConfig(const SimulationConfig& config, std::uint64_t seed);
std::uint64_t MixArchetype(const Archetype& archetype);

}  // namespace meander::core

#endif  // MEANDER_CORE_STATE_HASH_H_
