#include "core/agent_state.h"

#include <algorithm>

#include "core/math/trig.h"

namespace meander::core {

void MotionColumns::Resize(std::size_t rows) {
  id.resize(rows);
  position_x.resize(rows);
  position_y.resize(rows);
  position_z.resize(rows);
  velocity_x.resize(rows);
  velocity_y.resize(rows);
  velocity_z.resize(rows);
  facing_x.resize(rows);
  facing_y.resize(rows);
  facing_z.resize(rows);
  wander_turn.resize(rows);
  wander_elevation.resize(rows);
  wander_offset_x.resize(rows);
  wander_offset_y.resize(rows);
  wander_offset_z.resize(rows);
  wander_heading_x.resize(rows);
  wander_heading_y.resize(rows);
  wander_heading_z.resize(rows);
}

void ColdColumns::Resize(std::size_t rows) {
  archetype_id.resize(rows);
  seed.resize(rows);
  tag.resize(rows);
  groups.resize(rows);
  spawn_tick.resize(rows);
  targets.resize(rows);
}

std::optional<std::size_t> FindRow(const MotionColumns& motion, AgentId id) {
  const auto found = std::lower_bound(motion.id.begin(), motion.id.end(), id);
  if (found == motion.id.end() || *found != id) return std::nullopt;
  return static_cast<std::size_t>(found - motion.id.begin());
}

AgentState MakeAgentState(const MotionColumns& motion, const ColdColumns& cold,
                          std::size_t row, std::int64_t tick) {
  AgentState agent;
  agent.id = motion.id[row];
  agent.archetype_id = cold.archetype_id[row];
  agent.position = {motion.position_x[row], motion.position_y[row],
                    motion.position_z[row]};
  agent.velocity = {motion.velocity_x[row], motion.velocity_y[row],
                    motion.velocity_z[row]};
  agent.seed = cold.seed[row];
  agent.tag = cold.tag[row];
  agent.step_count = tick - cold.spawn_tick[row] + 1;
  agent.targets = cold.targets[row];
  agent.groups = cold.groups[row];
  agent.facing = {motion.facing_x[row], motion.facing_y[row],
                  motion.facing_z[row]};
  agent.wander_angle = RadiansFromTurn(motion.wander_turn[row]);
  agent.wander_elevation = motion.wander_elevation[row];
  agent.wander_offset = {motion.wander_offset_x[row],
                         motion.wander_offset_y[row],
                         motion.wander_offset_z[row]};
  agent.wander_heading = {motion.wander_heading_x[row],
                          motion.wander_heading_y[row],
                          motion.wander_heading_z[row]};
  return agent;
}

}  // namespace meander::core
