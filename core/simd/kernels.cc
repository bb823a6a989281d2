#include "core/simd/kernels.h"

#include <array>
#include <cstddef>

#include "core/error.h"

namespace meander::core {
namespace {

using Tables = std::array<Kernels, kSimdTargets.size()>;

// Those that this build has; the others stay empty.
const Tables& AllTables() {
  static const Tables tables = [] {
    Tables made;
    for (const SimdTarget target : kSimdTargets) {
      if (!HasKernels(target)) continue;
      made[static_cast<std::size_t>(target)] = {
          .target = target,
          .steering = *SteeringKernelsOf(target),
          .neighbors = *NeighborKernelsOf(target),
          .hash = *HashKernelsOf(target),
      };
    }
    return made;
  }();
  return tables;
}

}  // namespace

bool HasKernels(SimdTarget target) {
  return SteeringKernelsOf(target) != nullptr;
}

const Kernels& KernelsOf(SimdTarget target) {
  MEANDER_CHECK(HasKernels(target));
  return AllTables()[static_cast<std::size_t>(target)];
}

const Kernels& BestKernels() {
  static const Kernels& best = KernelsOf(BestSimdTarget());
  return best;
}

}  // namespace meander::core
