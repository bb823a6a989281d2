#include "core/step/integrate.h"

#include "core/math/limit.h"
#include "core/space/wrap.h"
#include "core/steering/facing.h"
#include "core/steering/overspeed.h"

namespace meander::core {
namespace {

// Whether the agent was stopped.
bool StopAtFaces(const MotionRules& rules, Vec3& position, Vec3& velocity) {
  const Vec3& low = rules.low;
  const Vec3& high = rules.high;
  bool stopped = StopAtFace(low.x, high.x, position.x, velocity.x);
  stopped = StopAtFace(low.y, high.y, position.y, velocity.y) || stopped;
  stopped = StopAtFace(low.z, high.z, position.z, velocity.z) || stopped;
  return stopped;
}

// The vector with the component off the plane that `other` has.
Vec3 WithNormalOf(const Vec3& other, const Vec3& in_plane, Plane plane) {
  const Vec3 mask = PlaneMask(plane);
  return {mask.x == 0.0f ? other.x : in_plane.x,
          mask.y == 0.0f ? other.y : in_plane.y,
          mask.z == 0.0f ? other.z : in_plane.z};
}

float LimitOf(const MotionRules& rules, const Vec3& velocity) {
  if (rules.overspeed_kept == 0.0f) return rules.max_speed;
  const float limit =
      SpeedLimit(Length(velocity), rules.max_speed, rules.overspeed_kept);
  // Where next to nothing of the excess is lost, rounding would add up.
  return AtMost(limit, kMaxSpeedOrForce);
}

// The velocity after a step with this force. Off the plane of the forces it is
// left alone.
Vec3 NewVelocity(const MotionRules& rules, const Vec3& velocity,
                 const Vec3& force) {
  const Vec3 before = Flatten(velocity, rules.force_plane);
  const Vec3 change =
      ClampLength(force, rules.max_force) * rules.velocity_per_force;
  const Vec3 after = ClampLength(before + change, LimitOf(rules, before));
  if (rules.force_plane == Plane::kNone) return after;
  // Both parts may be as long as a velocity can be.
  return ClampLength(WithNormalOf(velocity, after, rules.force_plane),
                     kMaxSpeedOrForce);
}

Vec3 NewFacing(const MotionRules& rules, const Vec3& facing,
               const Vec3& velocity) {
  const Vec3 along = Flatten(velocity, rules.force_plane);
  const float still = rules.min_facing_speed;
  if (LengthSquared(along) <= still * still) return facing;
  if (rules.world_plane != Plane::kNone) {
    return TurnFacingInPlane(facing, along, rules.turn_share,
                             rules.world_plane);
  }
  return TurnFacing(facing, along, rules.turn_share, rules.force_plane);
}

ForceColumns ForcesOf(AgentColumns& agents, const AgentBlock& block) {
  return {agents.force_x.data() + block.first_row,
          agents.force_y.data() + block.first_row,
          agents.force_z.data() + block.first_row};
}

}  // namespace

MotionRules MotionRulesOf(const Archetype& archetype,
                          const SimulationConfig& config) {
  const float dt = StepSeconds(config);
  const Facing facing = archetype.facing.value_or(Facing{});
  return {
      .world_plane = config.plane,
      .force_plane = archetype.force_plane,
      .dt = dt,
      .max_speed = archetype.max_speed,
      .max_force = archetype.max_force,
      .velocity_per_force = dt / archetype.mass,
      .overspeed_kept = OverspeedKept(archetype.overspeed_time_constant, dt),
      .turns = archetype.facing.has_value(),
      .turn_share = FacingShare(facing.turn_rate, dt),
      .min_facing_speed = facing.min_facing_speed,
      .wraps = config.bounds_mode == BoundsMode::kWrap,
      .wrap = WrapOf(config),
      .low = config.bounds_min,
      .high = config.bounds_max,
  };
}

std::int64_t Integrate(const MotionRules& rules, const MotionRows& rows) {
  std::int64_t stops = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const Vec3 force{rows.force.x[i], rows.force.y[i], rows.force.z[i]};
    Vec3 velocity{rows.velocity_x[i], rows.velocity_y[i], rows.velocity_z[i]};
    Vec3 position{rows.position_x[i], rows.position_y[i], rows.position_z[i]};
    velocity = NewVelocity(rules, velocity, force);
    position += Flatten(velocity, rules.force_plane) * rules.dt;
    if (rules.wraps) {
      position = WrapPlace(rules.wrap, position);
    } else if (StopAtFaces(rules, position, velocity)) {
      ++stops;
    }
    rows.velocity_x[i] = velocity.x;
    rows.velocity_y[i] = velocity.y;
    rows.velocity_z[i] = velocity.z;
    rows.position_x[i] = position.x;
    rows.position_y[i] = position.y;
    rows.position_z[i] = position.z;
    if (!rules.turns) continue;
    const Vec3 facing =
        NewFacing(rules, {rows.facing_x[i], rows.facing_y[i], rows.facing_z[i]},
                  velocity);
    rows.facing_x[i] = facing.x;
    rows.facing_y[i] = facing.y;
    rows.facing_z[i] = facing.z;
  }
  return stops;
}

std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block,
                            const ForceColumns& force) {
  Population& population = state.populations[block.population];
  if (population.archetype.external) return 0;
  AgentColumns& agents = population.agents;
  const std::size_t first = block.first_row;
  return SteeringKernelsFor(state, block)
      .integrate(MotionRulesOf(population.archetype, state.config),
                 {
                     .rows = block.rows,
                     .position_x = &agents.position_x[first],
                     .position_y = &agents.position_y[first],
                     .position_z = &agents.position_z[first],
                     .velocity_x = &agents.velocity_x[first],
                     .velocity_y = &agents.velocity_y[first],
                     .velocity_z = &agents.velocity_z[first],
                     .facing_x = &agents.facing_x[first],
                     .facing_y = &agents.facing_y[first],
                     .facing_z = &agents.facing_z[first],
                     .force = force,
                 });
}

std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block) {
  AgentColumns& agents = state.populations[block.population].agents;
  return IntegrateBlock(state, block, ForcesOf(agents, block));
}

}  // namespace meander::core
