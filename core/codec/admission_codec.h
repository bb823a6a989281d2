// Where admission stands, as a part of a snapshot.
//
//   admission := count, i32 archetype_id* in ascending order: every one that a
//                command admitted so far defines; count, (count of bytes,
//                record as in command_codec.h)* in ascending order of sequence:
//                the pending commands
//
// The next agent id and sequence stand in the head of the snapshot. Pure
// functions.
#ifndef MEANDER_CORE_CODEC_ADMISSION_CODEC_H_
#define MEANDER_CORE_CODEC_ADMISSION_CODEC_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/codec/byte_io.h"
#include "core/command.h"
#include "core/error.h"
#include "core/references.h"
#include "core/world_state.h"

namespace meander::core {

// Where admission stands, and what it admitted that no step has applied yet:
// carried beside the state, never hashed.
struct Admission {
  AgentId next_agent_id = 1;
  std::int64_t next_sequence = 1;
  ArchetypeSet archetypes;               // as in Admitted
  std::vector<AdmittedCommand> pending;  // ascending by sequence

  bool operator==(const Admission&) const = default;
};

void EncodeAdmission(const Admission& admission, ByteWriter& out);

// Reads what EncodeAdmission wrote beside `state`, whose agents and archetypes
// are there, and beside the next id and sequence in `admission`. What is wrong
// (kCorrupt), else nothing.
std::optional<Error> DecodeAdmission(ByteReader& in, const WorldState& state,
                                     Admission& admission);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_ADMISSION_CODEC_H_
