#include "core/step/integrate.h"

namespace meander::core {

std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block) {
  Population& population = state.populations[block.population];
  const Archetype& archetype = population.archetype;
  AgentColumns& agents = population.agents;
  const Vec3& low = state.config.bounds_min;
  const Vec3& high = state.config.bounds_max;
  const float dt = StepSeconds(state.config);
  const float velocity_per_force = dt / archetype.mass;
  std::int64_t stops = 0;
  const std::size_t end = std::size_t{block.first_row} + block.rows;
  for (std::size_t i = block.first_row; i < end; ++i) {
    const Vec3 force =
        ClampLength({agents.force_x[i], agents.force_y[i], agents.force_z[i]},
                    archetype.max_force);
    const Vec3 old_velocity{agents.velocity_x[i], agents.velocity_y[i],
                            agents.velocity_z[i]};
    Vec3 velocity = ClampLength(old_velocity + force * velocity_per_force,
                                archetype.max_speed);
    Vec3 position =
        Vec3{agents.position_x[i], agents.position_y[i], agents.position_z[i]} +
        velocity * dt;
    bool stopped = StopAtFace(low.x, high.x, position.x, velocity.x);
    stopped = StopAtFace(low.y, high.y, position.y, velocity.y) || stopped;
    stopped = StopAtFace(low.z, high.z, position.z, velocity.z) || stopped;
    if (stopped) ++stops;
    agents.velocity_x[i] = velocity.x;
    agents.velocity_y[i] = velocity.y;
    agents.velocity_z[i] = velocity.z;
    agents.position_x[i] = position.x;
    agents.position_y[i] = position.y;
    agents.position_z[i] = position.z;
  }
  return stops;
}

}  // namespace meander::core
