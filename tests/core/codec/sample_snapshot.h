// Small worlds whose every number can be checked by hand, and where the fields
// of a snapshot lie: for tests of the codec, and as the vectors in
// tests/vectors/snapshot.txt.
#ifndef MEANDER_TESTS_CORE_CODEC_SAMPLE_SNAPSHOT_H_
#define MEANDER_TESTS_CORE_CODEC_SAMPLE_SNAPSHOT_H_

#include <cstddef>
#include <string>

#include "tests/core/codec/archetype_layout.h"
#include "tests/core/test_world.h"
#include "tests/scenarios/sealed.h"

namespace meander::core {

// At tick 5 of a world in plane XZ at 4 Hz: four agents of two archetypes, one
// of them stopped at a face, agent 2 gone; five commands pending. Nothing is
// drawn at random: speeds are constant, jitter 0 and angles given.
TestWorld SampleWorld();
std::string SampleSnapshot();

// At tick 2 of a torus in plane XZ with cells of another size: a player that
// is moved from outside, faster than its archetype says, and a chaser at rest;
// archetype 4 was removed, and a pending command names it.
TestWorld TorusWorld();
std::string TorusSnapshot();

// At tick 2 of a world without a plane, at 4 Hz: agents 1 and 3 wander on a
// sphere, 2 by a heading offset in a plane of its own; all fly on, for they
// have no force, and those on the sphere face where they fly. A pending spawn
// gives all that can be given.
TestWorld SpaceWorld();
std::string SpaceSnapshot();

// The sample with four values in each column, also where the format has one for
// all, and without what tells which it is. Packed() makes a snapshot of it, but
// for the checksum.
std::string DenseSample();
std::string Packed(const std::string& dense);

// Offsets in DenseSample(), from the grammars in snapshot.h and
// agents_codec.h.
struct SampleLayout {
  static constexpr std::size_t kAgents = 4;

  std::size_t format = 8;
  std::size_t simulation_version = 12;
  std::size_t config = 16;
  std::size_t plane = config + 4;
  std::size_t bounds_mode = config + 5;
  std::size_t bounds_min = config + 6;
  std::size_t bounds_max = bounds_min + 12;
  std::size_t max_agents = bounds_max + 12;
  std::size_t cell_size = max_agents + 8;
  std::size_t seed = cell_size + 4;
  std::size_t tick = seed + 8;
  std::size_t next_agent_id = tick + 8;
  std::size_t next_sequence = next_agent_id + 8;
  std::size_t bound_stops = next_sequence + 8;
  std::size_t archetype_count = bound_stops + 8;
  std::size_t archetypes = archetype_count + 8;
  // Id 2 has a seek and a wander, id 7 no terms.
  std::size_t first_term = archetypes + ArchetypeLayout().terms;
  std::size_t second_term = first_term + ArchetypeLayout().behavior + 4;
  std::size_t second_archetype = second_term + ArchetypeLayout().behavior + 12;
  std::size_t agent_count = second_archetype + ArchetypeLayout().terms;
  std::size_t id = agent_count + 8;
  std::size_t archetype_id = id + 8 * kAgents;
  std::size_t position_x = archetype_id + 4 * kAgents;
  std::size_t position_y = position_x + 4 * kAgents;
  std::size_t position_z = position_y + 4 * kAgents;
  std::size_t velocity_x = position_z + 4 * kAgents;
  std::size_t velocity_y = velocity_x + 4 * kAgents;
  std::size_t velocity_z = velocity_y + 4 * kAgents;
  std::size_t wander_turn = velocity_z + 4 * kAgents;
  std::size_t wander_elevation = wander_turn + 4 * kAgents;
  // Columns of x, y and z.
  std::size_t wander_offset = wander_elevation + 4 * kAgents;
  std::size_t wander_heading = wander_offset + 3 * 4 * kAgents;
  std::size_t facing = wander_heading + 3 * 4 * kAgents;
  std::size_t agent_seed = facing + 3 * 4 * kAgents;
  std::size_t tag = agent_seed + 8 * kAgents;
  std::size_t groups = tag + 8 * kAgents;
  std::size_t step_count = groups + 4 * kAgents;
  std::size_t slots = step_count + 8 * kAgents;
  // 2, 3 and 7.
  std::size_t admitted_count = slots + 4 * 21 * kAgents;
  std::size_t admitted = admitted_count + 8;
  std::size_t pending_count = admitted + 3 * 4;
  std::size_t pending = pending_count + 8;

  // Columns of a slot, then rows of it.
  std::size_t TargetKind(std::size_t slot) const {
    return slots + slot * 21 * kAgents;
  }
  std::size_t TargetPoint(std::size_t slot, std::size_t axis) const {
    return TargetKind(slot) + kAgents + axis * 4 * kAgents;
  }
  std::size_t TargetAgent(std::size_t slot) const {
    return TargetKind(slot) + 13 * kAgents;
  }
};

using scenarios::Sealed;

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_CODEC_SAMPLE_SNAPSHOT_H_
