// Bytes of admitted commands, as the log, snapshots and lockstep carry them.
//
// All numbers little-endian; f32 are raw IEEE-754 bits; counts are u64.
//
//   record    := u8 version (3), u8 kind, i64 sequence, i64 apply_tick,
//                i64 first_agent_id, operation by kind
//   kind 1    DefineArchetype := archetype
//   kind 2    SpawnAgents one by one := count, new_agent*
//   kind 3    SpawnAgents in an area := i64 count, new_agent, area
//   kind 4    DespawnAgents := count, i64 agent_id*
//   kind 5    SetTarget := i32 slot, target, count, i64 agent_id*
//   kind 6    RemoveArchetype := i32 archetype_id
//   kind 7    SetArchetype := i32 archetype_id, count, i64 agent_id*
//   kind 8    SetMotion := count, motion*
//   kind 9    ApplyImpulse := vec3 impulse, count, i64 agent_id*
//   kind 10   SetCellSize := f32 cell_size
//   archetype := as in archetype_codec.h
//   new_agent := i32 archetype_id, vec3 position, vec3 velocity,
//                u8 flags (given: 1 seed, 2 wander_angle, 4 wander_elevation,
//                8 wander_offset, 16 wander_heading, 32 facing), u64 seed,
//                u64 tag, u32 groups, target * 4, f32 wander_angle,
//                f32 wander_elevation, vec3 wander_offset,
//                vec3 wander_heading, vec3 facing
//   motion    := i64 agent_id, u8 flags (1 position given, 2 velocity given),
//                vec3 position, vec3 velocity
//   target    := u8 kind (0 none, 1 point, 2 agent), vec3 point, i64 agent
//   area      := u8 kind: 1 disc (vec3 center, f32 radius),
//                2 box (vec3 min, vec3 max), 3 ball (vec3 center, f32 radius)
//   vec3      := f32 x, f32 y, f32 z
//
// What is not given is 0, so that equal commands have equal bytes. A decoder
// takes only what an encoder writes; whether the values are valid for a world
// is for Validate. Pure functions.
#ifndef MEANDER_CORE_CODEC_COMMAND_CODEC_H_
#define MEANDER_CORE_CODEC_COMMAND_CODEC_H_

#include <string>
#include <string_view>

#include "core/codec/byte_io.h"
#include "core/command.h"
#include "core/error.h"

namespace meander::core {

// Appends one record.
void EncodeCommand(const AdmittedCommand& command, std::string& out);

// Gives one record, whole and by itself, its place in the order of things. The
// three numbers stand at the same bytes whatever the operation, so that a
// command can be encoded before it is admitted.
void SetPlace(std::int64_t sequence, std::int64_t apply_tick,
              AgentId first_agent_id, std::string& record);

// Decodes exactly one record. kCorrupt when `bytes` is anything else.
Result<AdmittedCommand> DecodeCommand(std::string_view bytes);

// The pieces that other codecs are made of. Readers fail on bad bytes.
inline constexpr std::size_t kTargetBytes = 1 + 12 + 8;
void EncodeTarget(const Target& target, ByteWriter& out);
Target DecodeTarget(ByteReader& in);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_COMMAND_CODEC_H_
