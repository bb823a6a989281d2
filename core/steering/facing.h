// Facing: a unit vector that turns toward the velocity by a share of the angle
// between them, the short way round.
//
// When the two are opposite, within 1e-6 radians, it turns negative: from the
// plane's second axis toward its first, which is clockwise. Without a plane it
// then turns as in XY, and from +-z toward +-y. Pure functions.
#ifndef MEANDER_CORE_STEERING_FACING_H_
#define MEANDER_CORE_STEERING_FACING_H_

#include "core/math/limit.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"

namespace meander::core {

// From the opposite of the velocity, in radians: its tangent.
inline constexpr float kOppositeAngle = 1.0e-6f;

// The share of the angle turned in one step: turn_rate (1/s) * dt (s), at most
// 1.
inline float FacingShare(float turn_rate, float dt) {
  const float share = turn_rate * dt;
  return AtMost(share, 1.0f);
}

// A quarter turn from the facing, the negative way.
Vec3 NegativeQuarter(const Vec3& facing, Plane plane);

// The new facing, a unit vector to rounding; for a share of 1 exactly
// UnitVector of the velocity. Preconditions: |facing| is near 1, |v|^2 > 0, 0
// <= share <= 1. `plane` is where both lie, or kNone.
Vec3 TurnFacing(const Vec3& facing, const Vec3& velocity, float share,
                Plane plane);

// The same in a world that has this plane, where all is +0 off it: by the
// signed angle between the two.
Vec3 TurnFacingInPlane(const Vec3& facing, const Vec3& velocity, float share,
                       Plane plane);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_FACING_H_
