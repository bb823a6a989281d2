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

#include <cstddef>
#include <cstdint>

#include "core/archetype.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "core/space/wrap.h"
#include "core/steering/combine.h"
#include "core/world_state.h"

namespace meander::core {

// How one archetype moves its agents in one step.
struct MotionRules {
  Plane world_plane = Plane::kNone;  // all is +0 off it
  Plane force_plane = Plane::kNone;  // kNone where the world has a plane
  float dt = 0.0f;                   // seconds
  float max_speed = 0.0f;
  float max_force = 0.0f;
  float velocity_per_force = 0.0f;
  float overspeed_kept = 0.0f;
  bool turns = false;
  float turn_share = 0.0f;
  float min_facing_speed = 0.0f;
  bool wraps = false;
  Wrap wrap;
  Vec3 low;  // the bounds
  Vec3 high;
};
MotionRules MotionRulesOf(const Archetype& archetype,
                          const SimulationConfig& config);

// What is moved, and by what force: pointers to `rows` elements each, at most
// kBlockRows.
struct MotionRows {
  std::size_t rows = 0;
  float* position_x = nullptr;
  float* position_y = nullptr;
  float* position_z = nullptr;
  float* velocity_x = nullptr;
  float* velocity_y = nullptr;
  float* velocity_z = nullptr;
  float* facing_x = nullptr;
  float* facing_y = nullptr;
  float* facing_z = nullptr;
  ForceColumns force;
};

// Moves the rows. Returns how many agents were stopped at a face.
std::int64_t Integrate(const MotionRules& rules, const MotionRows& rows);

// Integrate for one block, with forces that begin at its first row, or with
// those of its force columns.
std::int64_t IntegrateBlock(WorldState& state, const AgentBlock& block,
                            const ForceColumns& force);
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
