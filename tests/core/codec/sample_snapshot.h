// A small world whose every number can be checked by hand, and where the
// fields of its snapshot lie: for tests of the codec, and as the vector in
// tests/vectors/snapshot.txt.
#ifndef MEANDER_TESTS_CORE_CODEC_SAMPLE_SNAPSHOT_H_
#define MEANDER_TESTS_CORE_CODEC_SAMPLE_SNAPSHOT_H_

#include <cstddef>
#include <string>

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

// Offsets in SampleSnapshot(), from the grammar in snapshot.h.
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
  std::size_t second_archetype = archetypes + 18 + 9 + 17;
  std::size_t agent_count = second_archetype + 18;
  std::size_t id = agent_count + 8;
  std::size_t archetype_id = id + 8 * kAgents;
  std::size_t position_x = archetype_id + 4 * kAgents;
  std::size_t position_y = position_x + 4 * kAgents;
  std::size_t position_z = position_y + 4 * kAgents;
  std::size_t velocity_x = position_z + 4 * kAgents;
  std::size_t velocity_y = velocity_x + 4 * kAgents;
  std::size_t velocity_z = velocity_y + 4 * kAgents;
  std::size_t wander_turn = velocity_z + 4 * kAgents;
  std::size_t agent_seed = wander_turn + 4 * kAgents;
  std::size_t tag = agent_seed + 8 * kAgents;
  std::size_t step_count = tag + 8 * kAgents;
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
