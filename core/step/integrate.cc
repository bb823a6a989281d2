#include "core/step/integrate.h"

#include "core/space/wrap.h"

namespace meander::core {
namespace {

// Whether the agent was stopped.
bool StopAtFaces(const SimulationConfig& config, Vec3& position,
                 Vec3& velocity) {
  const Vec3& low = config.bounds_min;
  const Vec3& high = config.bounds_max;
  bool stopped = StopAtFace(low.x, high.x, position.x, velocity.x);
  stopped = StopAtFace(low.y, high.y, position.y, velocity.y) || stopped;
  stopped = StopAtFace(low.z, high.z, position.z, velocity.z) || stopped;
  return stopped;
}

}  // namespace

std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block) {
  Population& population = state.populations[block.population];
  const Archetype& archetype = population.archetype;
  if (archetype.external) return 0;
  AgentColumns& agents = population.agents;
  const bool wraps = state.config.bounds_mode == BoundsMode::kWrap;
  const Wrap wrap = WrapOf(state.config);
  const float dt = StepSeconds(state.config);
  const float velocity_per_force = dt / archetype.mass;
  std::int64_t stops = 0;
  const std::size_t end = std::size_t{block.first_row} + block.rows;
  for (std::size_t i = block.first_row; i < end; ++i) {
    const Vec3 force =
        ClampLength({agents.force_x[i], agents.force_y[i], agents.force_z[i]},
                    archetype.max_force);
    Vec3 velocity = ClampLength(agents.Velocity(i) + force * velocity_per_force,
                                archetype.max_speed);
    Vec3 position = agents.Position(i) + velocity * dt;
    if (wraps) {
      position = WrapPlace(wrap, position);
    } else if (StopAtFaces(state.config, position, velocity)) {
      ++stops;
    }
    agents.SetVelocity(i, velocity);
    agents.SetPosition(i, position);
  }
  return stops;
}

}  // namespace meander::core
