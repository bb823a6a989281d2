// The agents of a snapshot as bytes.
//
//   agents    := count n, then, when n is not 0, columns of n in ascending
//   order
//                of id: i64 id, i32 archetype_id, f32 position x, y, z,
//                f32 velocity x, y, z, u32 wander turn, f32 wander elevation,
//                f32 wander offset x, y, z, f32 wander heading x, y, z,
//                f32 facing x, y, z, u64 seed, u64 tag, u32 groups,
//                i64 step_count, and per slot u8 kind (0x80 more where its
//                loss was told), f32 x, y, z, i64 agent
//   column    := u8 0, the value that all n have, bit for bit
//              | u8 1, n values that are not all the same
//
// Pure functions; see snapshot.h.
#ifndef MEANDER_CORE_CODEC_AGENTS_CODEC_H_
#define MEANDER_CORE_CODEC_AGENTS_CODEC_H_

#include <cstddef>
#include <optional>

#include "core/codec/byte_io.h"
#include "core/error.h"
#include "core/operation.h"
#include "core/world_state.h"

namespace meander::core {

// Allocates for these bytes, and `after` more that follow them, at once.
// Precondition: the state is settled.
void EncodeAgents(const WorldState& state, std::size_t after, ByteWriter& out);

// Adds the agents to a state that has none, but all else that a snapshot says
// of it; caches and blocks are left to be made. What is wrong, if anything is;
// then the state is of no use.
std::optional<Error> DecodeAgents(ByteReader& in, AgentId next_agent_id,
                                  WorldState& state);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_AGENTS_CODEC_H_
