// Snapshots: the whole state of a world as bytes.
//
// All numbers little-endian; f32 are raw IEEE-754 bits; counts are u64.
//
//   snapshot  := magic "MEANDERS", u32 format (5), u32 simulation_version,
//                config (config_codec.h), u64 seed, i64 tick, i64
//                next_agent_id, i64 next_sequence, i64 bound_stops, archetypes,
//                agents, admission (admission_codec.h), u64 XXH3-64 of all
//                before it
//   archetypes:= count, archetype* in ascending order of id (archetype_codec.h)
//   agents    := agents_codec.h
//
// Encoding is a pure function of the state: no caches, no order of rows.
// EncodeSnapshot(DecodeSnapshot(s)) == s, byte for byte, and the decoded world
// hashes like the original at each later tick. A decoder takes only what an
// encoder can have written, so that no snapshot brings a non-finite number, a
// place outside the bounds or an unknown archetype into a world; it allocates
// no more than a constant times the size of its input. Pure functions.
#ifndef MEANDER_CORE_CODEC_SNAPSHOT_H_
#define MEANDER_CORE_CODEC_SNAPSHOT_H_

#include <string>
#include <string_view>

#include "core/codec/admission_codec.h"
#include "core/error.h"
#include "core/world.h"

namespace meander::core {

struct Snapshot {
  World world;
  Admission admission;
};

std::string EncodeSnapshot(const World& world, const Admission& admission);

// kSimulationVersionMismatch for another simulation version (the reason names
// both); kCorrupt, with what and where, for anything else that is wrong.
Result<Snapshot> DecodeSnapshot(std::string_view bytes);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_SNAPSHOT_H_
