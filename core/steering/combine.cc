#include "core/steering/combine.h"

namespace meander::core {

Vec3 CombineForces(Combine combine, float max_force, const Vec3& total,
                   const Vec3& level) {
  switch (combine) {
    case Combine::kWeightedSum:
      break;
    case Combine::kPriorityBudget:
      return total + ClampLength(level, max_force - Length(total));
    case Combine::kFirstNonzero:
      return total == Vec3{} ? level : total;
  }
  return total + level;
}

void CombineLevel(Combine combine, float max_force, const ForceColumns& level,
                  const ForceColumns& total, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    const Vec3 force =
        CombineForces(combine, max_force, {total.x[i], total.y[i], total.z[i]},
                      {level.x[i], level.y[i], level.z[i]});
    total.x[i] = force.x;
    total.y[i] = force.y;
    total.z[i] = force.z;
  }
}

}  // namespace meander::core
