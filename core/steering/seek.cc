#include "core/steering/seek.h"

namespace meander::core {

void AddSeek(const SteeringBlock& block, const TargetBlock& targets,
             float weight) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    const Vec3 target{targets.x[i], targets.y[i], targets.z[i]};
    const Vec3 force = SeekForce(block.OffsetTo(i, target), block.Velocity(i),
                                 block.max_speed);
    block.AddForce(i, weight * force);
  }
}

}  // namespace meander::core
