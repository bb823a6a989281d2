#include "core/steering/brake.h"

namespace meander::core {

void AddBrake(const SteeringBlock& block) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    // 0 - v, so that an agent at rest feels +0.
    block.AddForce(i, Vec3{} - block.Velocity(i));
  }
}

}  // namespace meander::core
