#include "core/steering/seek.h"

namespace meander::core {

void AddSeek(const SteeringBlock& block, const TargetBlock& targets) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    block.AddForce(i, SeekForce(block.OffsetTo(i, targets.Position(i)),
                                block.Velocity(i), block.max_speed));
  }
}

}  // namespace meander::core
