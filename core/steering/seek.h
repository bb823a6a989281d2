// Seek: toward a target at full speed.
//
// Source: C. Reynolds, "Steering Behaviors For Autonomous Characters", GDC
// 1999: desired velocity minus velocity. Pure functions.
#ifndef MEANDER_CORE_STEERING_SEEK_H_
#define MEANDER_CORE_STEERING_SEEK_H_

#include <cmath>

#include "core/math/vec3.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// S * offset / |offset| - v, with S = max_speed (units/s) and offset (units)
// from the agent to the target; -v when |offset|^2 is 0.
inline Vec3 SeekForce(const Vec3& offset, const Vec3& velocity,
                      float max_speed) {
  const float length_squared = LengthSquared(offset);
  const float scale =
      length_squared > 0.0f ? max_speed / std::sqrt(length_squared) : 0.0f;
  return offset * scale - velocity;
}

// Adds SeekForce for each agent that has a target.
void AddSeek(const SteeringBlock& block, const TargetBlock& targets);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_SEEK_H_
