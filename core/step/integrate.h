// From forces to motion: semi-implicit Euler, limits, bounds.
//
// Per agent: force cut to max_force; v += force * (dt / mass); v cut to
// max_speed, or to what overspeed.h says, at most kMaxSpeedOrForce; p += v *
// dt; then p is kept within the bounds, face by face, and the outward velocity
// set to 0, or it is wrapped (space/wrap.h) and the velocity kept; at last the
// facing follows (facing.h). With a force_plane, v is the part of the velocity
// in that plane: height and vertical speed stay what they are, but that the
// whole velocity is at most kMaxSpeedOrForce. Agents of an external archetype
// stay as they are. Blocks may run on any threads side by side.
#ifndef MEANDER_CORE_STEP_INTEGRATE_H_
#define MEANDER_CORE_STEP_INTEGRATE_H_

#include <cstdint>

#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "core/world_state.h"

namespace meander::core {

// Sets position and velocity of one block from its forces. Returns how many
// agents were stopped at a face.
std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block);

// Keeps one coordinate within [low, high]. True when it was beyond.
inline bool StopAtFace(float low, float high, float& position,
                       float& velocity) {
  if (position > high) {
    position = high;
    if (velocity > 0.0f) velocity = 0.0f;
    return true;
  }
  if (position < low) {
    position = low;
    if (velocity < 0.0f) velocity = 0.0f;
    return true;
  }
  return false;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_INTEGRATE_H_
