#include "core/agent_state.h"

#include <algorithm>

#include "core/math/trig.h"

namespace meander::core {

void MotionColumns::Resize(std::size_t rows, MotionDetail detail) {
  id.resize(rows);
  for (auto* column : {&position_x, &position_y, &position_z, &velocity_x,
                       &velocity_y, &velocity_z}) {
    column->resize(rows);
  }
  const std::size_t more = detail == MotionDetail::kAll ? rows : 0;
  wander_turn.resize(more);
  for (auto* column :
       {&facing_x, &facing_y, &facing_z, &wander_elevation, &wander_offset_x,
        &wander_offset_y, &wander_offset_z, &wander_heading_x,
        &wander_heading_y, &wander_heading_z}) {
    column->resize(more);
  }
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
