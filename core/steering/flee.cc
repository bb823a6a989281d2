#include "core/steering/flee.h"

#include <cmath>

namespace meander::core {
namespace {

bool InRange(const Flee& flee, float distance) {
  if (!flee.range) return true;
  return flee.edge_inclusive ? distance <= *flee.range : distance < *flee.range;
}

}  // namespace

void AddFlee(const SteeringBlock& block, const Flee& flee,
             const TargetBlock& targets) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    const Vec3 offset = block.OffsetTo(i, targets.Position(i));
    const float distance_squared = LengthSquared(offset);
    if (!InRange(flee, std::sqrt(distance_squared))) continue;
    if (distance_squared == 0.0f && flee.at_center == AtCenter::kZero) continue;
    block.AddForce(i, FleeForce(offset, block.Velocity(i), block.max_speed));
  }
}

void AddKeepAway(const SteeringBlock& block, const KeepAway& keep_away,
                 const TargetBlock& targets) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    const Vec3 offset = block.OffsetTo(i, targets.Position(i));
    const float distance = Length(offset);
    if (!(distance > 0.0f && distance < keep_away.radius)) continue;
    const float strength = 1.0f - distance / keep_away.radius;
    block.AddForce(
        i, strength * FleeForce(offset, block.Velocity(i), block.max_speed));
  }
}

}  // namespace meander::core
