#include "core/step/integrate.h"

#include "core/math/limit.h"
#include "core/space/wrap.h"
#include "core/steering/facing.h"
#include "core/steering/overspeed.h"

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

// The vector with the component off the plane that `other` has.
Vec3 WithNormalOf(const Vec3& other, const Vec3& in_plane, Plane plane) {
  switch (plane) {
    case Plane::kNone:
      break;
    case Plane::kXY:
      return {in_plane.x, in_plane.y, other.z};
    case Plane::kXZ:
      return {in_plane.x, other.y, in_plane.z};
    case Plane::kYZ:
      return {other.x, in_plane.y, in_plane.z};
  }
  return in_plane;
}

// How one archetype moves its agents in one step.
class Mover {
 public:
  Mover(const Archetype& archetype, const SimulationConfig& config)
      : archetype_(archetype),
        plane_(config.plane == Plane::kNone ? archetype.force_plane
                                            : config.plane) {
    const float dt = StepSeconds(config);
    velocity_per_force_ = dt / archetype.mass;
    overspeed_kept_ = OverspeedKept(archetype.overspeed_time_constant, dt);
    if (archetype.facing) {
      turn_share_ = FacingShare(archetype.facing->turn_rate, dt);
    }
  }

  // The part of a velocity that is steered, and that moves the agent.
  Vec3 Steered(const Vec3& velocity) const {
    return Flatten(velocity, archetype_.force_plane);
  }

  // The velocity after a step with this force. Off the plane of the forces it
  // is left alone.
  Vec3 NewVelocity(const Vec3& velocity, const Vec3& force) const {
    const Vec3 before = Steered(velocity);
    const Vec3 after = ClampLength(
        before + ClampLength(force, archetype_.max_force) * velocity_per_force_,
        Limit(before));
    if (archetype_.force_plane == Plane::kNone) return after;
    // Both parts may be as long as a velocity can be.
    return ClampLength(WithNormalOf(velocity, after, archetype_.force_plane),
                       kMaxSpeedOrForce);
  }

  bool turns() const { return archetype_.facing.has_value(); }
  Vec3 NewFacing(const Vec3& facing, const Vec3& velocity) const {
    const Vec3 along = Steered(velocity);
    const float still = archetype_.facing->min_facing_speed;
    if (LengthSquared(along) <= still * still) return facing;
    return TurnFacing(facing, along, turn_share_, plane_);
  }

 private:
  float Limit(const Vec3& velocity) const {
    if (overspeed_kept_ == 0.0f) return archetype_.max_speed;
    const float limit =
        SpeedLimit(Length(velocity), archetype_.max_speed, overspeed_kept_);
    // Where next to nothing of the excess is lost, rounding would add up.
    return AtMost(limit, kMaxSpeedOrForce);
  }

  const Archetype& archetype_;
  Plane plane_;  // of forces and facing; kNone: all axes
  float velocity_per_force_ = 0.0f;
  float overspeed_kept_ = 0.0f;
  float turn_share_ = 0.0f;
};

}  // namespace

std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block) {
  Population& population = state.populations[block.population];
  if (population.archetype.external) return 0;
  AgentColumns& agents = population.agents;
  const bool wraps = state.config.bounds_mode == BoundsMode::kWrap;
  const Wrap wrap = WrapOf(state.config);
  const float dt = StepSeconds(state.config);
  const Mover mover(population.archetype, state.config);
  std::int64_t stops = 0;
  const std::size_t end = std::size_t{block.first_row} + block.rows;
  for (std::size_t i = block.first_row; i < end; ++i) {
    const Vec3 force{agents.force_x[i], agents.force_y[i], agents.force_z[i]};
    Vec3 velocity = mover.NewVelocity(agents.Velocity(i), force);
    Vec3 position = agents.Position(i) + mover.Steered(velocity) * dt;
    if (wraps) {
      position = WrapPlace(wrap, position);
    } else if (StopAtFaces(state.config, position, velocity)) {
      ++stops;
    }
    agents.SetVelocity(i, velocity);
    agents.SetPosition(i, position);
    if (mover.turns()) {
      agents.SetFacing(i, mover.NewFacing(agents.FacingOf(i), velocity));
    }
  }
  return stops;
}

}  // namespace meander::core
