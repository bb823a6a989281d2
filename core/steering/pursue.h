// Pursue and evade: toward, or from, where a moving target will be.
//
// With r the shortest way to the target, u its velocity, d = |r| and S =
// max_speed, the place foreseen lies at r + u * t, t seconds ahead:
//   INTERCEPT  the least t >= 0 with |r + u t| = S t; d/S when there is none
//   CLOSING    d / (S + |u|)
//   DISTANCE   d / S
// Source: C. Reynolds, GDC 1999; the quadratic's discriminant as S^2 r^2 - |r x
// u|^2 (Lagrange's identity) and its roots without cancellation. Pure
// functions.
#ifndef MEANDER_CORE_STEERING_PURSUE_H_
#define MEANDER_CORE_STEERING_PURSUE_H_

#include <optional>

#include "core/behavior.h"
#include "core/math/vec3.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// Nobody looks further ahead: beyond it the direction is that of u, to
// rounding, and products stay finite. Seconds.
inline constexpr float kMaxLead = 0x1p24f;

// t in seconds, 0 to max_prediction (when given) and kMaxLead. 0 when no t is
// finite, as for S = 0. Never NaN.
float LeadTime(Lead lead, const Vec3& r, const Vec3& u, float max_speed,
               std::optional<float> max_prediction);

// Adds ArriveForce (arrive.h), with pursue.slowing_radius, toward the place
// foreseen, for each agent that has a target.
void AddPursue(const SteeringBlock& block, const Pursue& pursue,
               const TargetBlock& targets);

// Adds FleeForce (flee.h) from the place foreseen for each agent that has a
// target.
void AddEvade(const SteeringBlock& block, const Evade& evade,
              const TargetBlock& targets);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_PURSUE_H_
