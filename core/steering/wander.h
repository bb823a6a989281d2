// Wander in the axes of the world: a point on a circle ahead of the agent is
// sought, and its angle walks at random.
//
// The circle has its center at p + v/|v| * distance (at p when the agent is at
// rest) and lies in the world's plane: x and y without one, x and z in XZ, y
// and z in YZ. Each step the angle changes by U(-jitter * dt, jitter * dt) and
// exactly one uniform is used, whatever comes of it. The angle is held as a
// fraction of a turn, 2^32 to the turn, which wraps by itself. The walk depends
// on dt: at half the tick rate the heading turns faster.
// Source: C. Reynolds, GDC 1999, in the form with a world-fixed angle.
#ifndef MEANDER_CORE_STEERING_WANDER_H_
#define MEANDER_CORE_STEERING_WANDER_H_

#include <cstdint>
#include <span>

#include "core/behavior.h"
#include "core/simulation_config.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// The angle's change, modulo a turn, for a uniform in [0, 1): (2u - 1) *
// jitter * dt, given as a fraction of a turn. `reach` is jitter * dt / (2 pi).
std::uint32_t TurnChange(float uniform, float reach);

// The reach of one step. Jitter in radians/s, dt in seconds.
inline float TurnReach(float jitter, float dt) {
  constexpr float kTurns = 0.15915494f;  // in a radian: 1 / (2 pi)
  return jitter * dt * kTurns;
}

// Moves each agent's angle by its uniform and adds the force. `uniforms` and
// `turns` hold block.rows elements.
void AddWanderWorldAngle(const SteeringBlock& block,
                         const WanderWorldAngle& wander, const PlaneAxes& axes,
                         std::span<const float> uniforms,
                         std::span<std::uint32_t> turns);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_WANDER_H_
