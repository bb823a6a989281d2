// The piece of work that steering kernels share: up to kBlockRows agents of one
// archetype.
//
// Kernels read the old state and hand the force of their behavior to AddForce;
// no kernel reads another's force or writes another block, so blocks can go to
// any thread in any order. Pointers are to the block's first row and hold
// `rows` elements each; positions in units, velocities in units/s.
#ifndef MEANDER_CORE_STEERING_STEERING_BLOCK_H_
#define MEANDER_CORE_STEERING_STEERING_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/math/vec3.h"
#include "core/space/wrap.h"
#include "core/world_state.h"

namespace meander::core {

// What becomes of a behavior's force before it is added: see AddForce.
struct TermScale {
  float weight = 1.0f;
  float gain = 1.0f;
  // What gain * force is cut to; none: not at all.
  std::optional<float> limit;
  // 1 for each axis that forces may have (Archetype::force_plane), else 0.
  Vec3 axes{1.0f, 1.0f, 1.0f};
};

struct SteeringBlock {
  std::size_t rows = 0;
  const float* position_x = nullptr;
  const float* position_y = nullptr;
  const float* position_z = nullptr;
  const float* velocity_x = nullptr;
  const float* velocity_y = nullptr;
  const float* velocity_z = nullptr;
  // Where the forces of a level are summed.
  float* force_x = nullptr;
  float* force_y = nullptr;
  float* force_z = nullptr;
  float max_speed = 0.0f;  // units/s
  float max_force = 0.0f;
  float mass = 1.0f;
  float dt = 0.0f;             // seconds
  Plane plane = Plane::kNone;  // of the world: all is +0 off it
  Wrap wrap;
  TermScale term;

  Vec3 Position(std::size_t i) const {
    return {position_x[i], position_y[i], position_z[i]};
  }
  Vec3 Velocity(std::size_t i) const {
    return {velocity_x[i], velocity_y[i], velocity_z[i]};
  }
  // The shortest way to a place.
  Vec3 OffsetTo(std::size_t i, const Vec3& place) const {
    return Delta(wrap, Position(i), place);
  }
  // Adds weight * clamp(gain * (force along the axes), limit).
  void AddForce(std::size_t i, const Vec3& force) const {
    const Vec3& axes = term.axes;
    Vec3 scaled{axes.x == 0.0f ? 0.0f : force.x * term.gain,
                axes.y == 0.0f ? 0.0f : force.y * term.gain,
                axes.z == 0.0f ? 0.0f : force.z * term.gain};
    if (term.limit) scaled = ClampLength(scaled, *term.limit);
    force_x[i] += term.weight * scaled.x;
    force_y[i] += term.weight * scaled.y;
    force_z[i] += term.weight * scaled.z;
  }
};

// Where the targets of one slot are and how they move, for each agent of a
// block. A point is at rest.
struct TargetBlock {
  std::array<float, kBlockRows> x;
  std::array<float, kBlockRows> y;
  std::array<float, kBlockRows> z;
  std::array<float, kBlockRows> velocity_x;
  std::array<float, kBlockRows> velocity_y;
  std::array<float, kBlockRows> velocity_z;
  // 1 where there is a target, 0 where the term abstains.
  std::array<std::uint32_t, kBlockRows> present;

  Vec3 Position(std::size_t i) const { return {x[i], y[i], z[i]}; }
  Vec3 Velocity(std::size_t i) const {
    return {velocity_x[i], velocity_y[i], velocity_z[i]};
  }
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_STEERING_BLOCK_H_
