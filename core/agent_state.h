// Columns of a tick as readers see them: copies in ascending order of id.
//
// Row r of all columns is the same agent. MotionColumns change with every
// tick; ColdColumns, and the archetypes beside them, only when
// World::cold_version does, so copies of them can be shared by many ticks.
// Plain data; safe to read from any thread once made.
#ifndef MEANDER_CORE_AGENT_STATE_H_
#define MEANDER_CORE_AGENT_STATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/archetype.h"
#include "core/command.h"
#include "core/math/vec3.h"

namespace meander::core {

// How much of agents' motion is copied.
enum class MotionDetail : std::uint8_t {
  kShown,  // what frames show: id, position, velocity; the rest is empty
  kAll,
};

struct MotionColumns {
  std::vector<AgentId> id;
  std::vector<float> position_x, position_y, position_z;  // units
  std::vector<float> velocity_x, velocity_y, velocity_z;  // units/s
  std::vector<float> facing_x, facing_y, facing_z;        // unit vectors
  // See wander_state.h.
  std::vector<std::uint32_t> wander_turn;
  std::vector<float> wander_elevation;
  std::vector<float> wander_offset_x, wander_offset_y, wander_offset_z;
  std::vector<float> wander_heading_x, wander_heading_y, wander_heading_z;

  std::size_t size() const { return id.size(); }
  // Whether columns that frames do not show are there too.
  bool complete() const { return facing_x.size() == size(); }
  // Keeps what is allocated.
  void Resize(std::size_t rows, MotionDetail detail = MotionDetail::kAll);
};

struct ColdColumns {
  std::vector<ArchetypeId> archetype_id;
  std::vector<std::uint64_t> seed;
  std::vector<std::uint64_t> tag;
  std::vector<std::uint32_t> groups;
  std::vector<std::int64_t> spawn_tick;  // the tick that the agent's first step
                                         // produced
  std::vector<TargetSlots> targets;

  // Not a column: all that are defined, in ascending order of id.
  std::vector<Archetype> archetypes;

  std::size_t size() const { return archetype_id.size(); }
  // Of the columns alone.
  void Resize(std::size_t rows);
};

// One agent at one tick.
struct AgentState {
  AgentId id = 0;
  ArchetypeId archetype_id = 0;
  Vec3 position;  // units
  Vec3 velocity;  // units/s
  std::uint64_t seed = 0;
  std::uint64_t tag = 0;
  std::int64_t step_count = 0;
  TargetSlots targets;
  std::uint32_t groups = 0;
  Vec3 facing;  // a unit vector, to rounding
  // 0 where the form of the archetype's wander has no such thing.
  float wander_angle = 0.0f;      // radians, -pi to below pi
  float wander_elevation = 0.0f;  // radians, -pi/2 to pi/2
  Vec3 wander_offset;             // unit vectors, to rounding
  Vec3 wander_heading;

  bool operator==(const AgentState&) const = default;
};

// The row of an agent; none when it is not there. O(log n).
std::optional<std::size_t> FindRow(const MotionColumns& motion, AgentId id);

// The agent of a row at `tick`. Both columns must be of that tick.
AgentState MakeAgentState(const MotionColumns& motion, const ColdColumns& cold,
                          std::size_t row, std::int64_t tick);

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENT_STATE_H_
