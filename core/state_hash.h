// The 64-bit state hash: equal states hash alike, whatever the order in which
// agents were made, lie in memory, or were cut into blocks.
//
// value = sum over agents of AgentMix + GlobalMix(tick, seed, config,
// archetypes), all sums modulo 2^64. Columns and encodings are listed in
// state_hash.cc. The next agent id, the log sequence, pending commands and
// bound_stops are not hashed. Not cryptographic.
#ifndef MEANDER_CORE_STATE_HASH_H_
#define MEANDER_CORE_STATE_HASH_H_

#include <array>
#include <cstdint>

#include "core/parallel_for.h"
#include "core/world_state.h"

namespace meander::core {

inline constexpr std::size_t kHashBuckets = 256;

struct StateHash {
  std::uint64_t value = 0;
  // Sums of the agents' mixes by id & 255: two parties that differ find the
  // first differing agent by exchanging these 2 KB.
  std::array<std::uint64_t, kHashBuckets> buckets{};

  bool operator==(const StateHash&) const = default;
};

StateHash HashState(const WorldState& state, ParallelFor& parallel);

}  // namespace meander::core

#endif  // MEANDER_CORE_STATE_HASH_H_
