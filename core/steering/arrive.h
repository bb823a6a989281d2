// Arrive: toward a target, and slower the nearer it is.
//
// D is the desired velocity, toward the target. With a slowing radius R its
// speed is S outside R and S * d/R inside; 0 is seek. This is a spring damped
// at 0.5 * sqrt(gain * R/S): it overshoots unless R >= 4S/gain.
//
// With `stop` the braking distance follows from what the agent can do:
//   a = 0.8 * max_force / mass, h = a * dt / 2
//   speed = min(S, d / dt, sqrt(h^2 + 2 a d) - h)
//   force = mass * (D - v) / dt, cut to max_force, then times the gain
// The last speed is the greatest from which steps that each take a * dt off
// it, moving after braking, come to rest within d. It is 0 at the target and
// turns back at most once.
// Source: C. Reynolds, GDC 1999; the stop of our own. Pure functions.
#ifndef MEANDER_CORE_STEERING_ARRIVE_H_
#define MEANDER_CORE_STEERING_ARRIVE_H_

#include "core/behavior.h"
#include "core/math/vec3.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// D - v with a slowing radius (units): S * d/R inside it, else S; S = max_speed
// (units/s), offset (units) from the agent to the target. -v when |offset|^2
// is 0.
Vec3 ArriveForce(const Vec3& offset, const Vec3& velocity, float max_speed,
                 float slowing_radius);

// The force of `stop` for an agent with the block's limits, before gain.
Vec3 StopForce(const SteeringBlock& block, const Vec3& offset,
               const Vec3& velocity);

// Adds ArriveForce or StopForce for each agent that has a target.
void AddArrive(const SteeringBlock& block, const Arrive& arrive,
               const TargetBlock& targets);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_ARRIVE_H_
