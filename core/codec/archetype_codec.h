// Bytes of archetypes, as commands, snapshots and the state hash carry them.
//
// All numbers little-endian; f32 are raw IEEE-754 bits.
//
//   archetype    := i32 id, f32 max_speed, f32 max_force, f32 mass,
//                   bool external, f32 overspeed_time_constant, u8 combine,
//                   bool limit_each_term, u8 force_plane, facing,
//                   u8 term count, term*
//   facing       := bool given, f32 turn_rate, f32 min_facing_speed
//   term         := f32 weight, f32 gain, i32 level, u8 kind, behavior by kind
//   kind 1       seek := i32 slot
//   kind 2       wander_world_angle := walk
//   kind 3       flee := i32 slot, maybe range, bool edge_inclusive,
//                u8 at_center
//   kind 4       arrive := i32 slot, f32 slowing_radius, bool stop
//   kind 5       keep_away := i32 slot, f32 radius
//   kind 6       brake := nothing
//   kind 7       pursue := i32 slot, u8 lead, maybe max_prediction,
//                f32 slowing_radius
//   kind 8       evade := i32 slot, u8 lead, maybe max_prediction
//   kind 9       wander_spherical := walk
//   kind 10      wander_heading_offset := walk, u8 plane
//   kind 11      separation := neighborhood, u8 falloff, u8 coincident
//   kind 12      alignment := neighborhood
//   kind 13      cohesion := neighborhood, u8 mode
//   walk         := f32 radius, f32 distance, f32 jitter
//   neighborhood := f32 radius, maybe field_of_view, u32 neighbor_groups,
//                   i32 max_neighbors
//   maybe        := bool given, f32
//   bool         := u8, 0 or 1
//
// The values of enumerations are those of behavior.h and archetype.h. What is
// not given is 0, so that archetypes of equal bits have equal bytes; a decoder
// takes only what an encoder writes. Pure functions.
#ifndef MEANDER_CORE_CODEC_ARCHETYPE_CODEC_H_
#define MEANDER_CORE_CODEC_ARCHETYPE_CODEC_H_

#include <cstddef>

#include "core/archetype.h"
#include "core/codec/byte_io.h"

namespace meander::core {

// Bytes of an archetype without terms: the fewest there are.
inline constexpr std::size_t kLeastArchetypeBytes =
    4 + 4 + 4 + 4 + 1 + 4 + 3 + (1 + 4 + 4) + 1;

void EncodeArchetype(const Archetype& archetype, ByteWriter& out);
// The reader fails on bad bytes.
Archetype DecodeArchetype(ByteReader& in);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_ARCHETYPE_CODEC_H_
