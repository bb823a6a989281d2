// Overspeed: how fast an agent above its max_speed may still be.
//
//   limit = S + (|v| - S) * exp(-dt / tau)   when |v| > S and tau > 0
//   limit = S                                else
// with v the velocity before the step, so that the excess falls to 1/e of
// itself in tau seconds at any dt. Pure functions.
#ifndef MEANDER_CORE_STEERING_OVERSPEED_H_
#define MEANDER_CORE_STEERING_OVERSPEED_H_

#include "core/math/trig.h"

namespace meander::core {

// exp(-dt / tau): what a step leaves of the excess; 0 for tau = 0. Seconds.
inline float OverspeedKept(float time_constant, float dt) {
  return time_constant > 0.0f ? Exp(-(dt / time_constant)) : 0.0f;
}

// `kept` is OverspeedKept; the others in units/s.
inline float SpeedLimit(float speed, float max_speed, float kept) {
  if (!(speed > max_speed)) return max_speed;
  return max_speed + (speed - max_speed) * kept;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_OVERSPEED_H_
