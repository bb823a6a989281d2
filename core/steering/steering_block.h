// The piece of work that steering kernels share: up to kBlockRows agents of one
// archetype.
//
// Kernels read the old state and add weight * force of their term to the
// block's forces; no kernel reads another's force or writes another block, so
// blocks can go to any thread in any order. Pointers are to the block's first
// row and hold `rows` elements each; positions in units, velocities in
// units/s.
#ifndef MEANDER_CORE_STEERING_STEERING_BLOCK_H_
#define MEANDER_CORE_STEERING_STEERING_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/math/vec3.h"
#include "core/space/wrap.h"
#include "core/world_state.h"

namespace meander::core {

struct SteeringBlock {
  std::size_t rows = 0;
  const float* position_x = nullptr;
  const float* position_y = nullptr;
  const float* position_z = nullptr;
  const float* velocity_x = nullptr;
  const float* velocity_y = nullptr;
  const float* velocity_z = nullptr;
  float* force_x = nullptr;
  float* force_y = nullptr;
  float* force_z = nullptr;
  float max_speed = 0.0f;
  Wrap wrap;

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
  void AddForce(std::size_t i, const Vec3& force) const {
    force_x[i] += force.x;
    force_y[i] += force.y;
    force_z[i] += force.z;
  }
};

// Where the targets of one slot are, for each agent of a block.
struct TargetBlock {
  std::array<float, kBlockRows> x;
  std::array<float, kBlockRows> y;
  std::array<float, kBlockRows> z;
  // 1 where there is a target, 0 where the term abstains.
  std::array<std::uint8_t, kBlockRows> present;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_STEERING_BLOCK_H_
