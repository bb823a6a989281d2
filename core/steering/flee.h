// Flee and keep away: from a target.
//
// Flee wants full speed away, everywhere within its range; keep away fades
// from full strength at the target to none at its radius.
// Source: C. Reynolds, GDC 1999. Pure functions.
#ifndef MEANDER_CORE_STEERING_FLEE_H_
#define MEANDER_CORE_STEERING_FLEE_H_

#include "core/behavior.h"
#include "core/math/vec3.h"
#include "core/steering/seek.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// -S * offset / |offset| - v, with offset (units) from the agent to what it
// flees from; -v when |offset|^2 is 0.
inline Vec3 FleeForce(const Vec3& offset, const Vec3& velocity,
                      float max_speed) {
  return SeekForce(-offset, velocity, max_speed);
}

// Adds FleeForce for each agent whose target is nearer than the range, or just
// as near with edge_inclusive. At |offset|^2 = 0 at_center says what it adds.
void AddFlee(const SteeringBlock& block, const Flee& flee,
             const TargetBlock& targets);

// Adds FleeForce * (1 - d/R) for each agent at a distance d from its target, 0
// < d < R.
void AddKeepAway(const SteeringBlock& block, const KeepAway& keep_away,
                 const TargetBlock& targets);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_FLEE_H_
