// One source for all targets: this file includes itself once for each.
#include "core/simd/neighbor_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/neighbor_kernels.cc"
#include "core/simd/each_target.h"
// Above must come before what is included for each target.
#include "core/simd/neighbors-inl.h"

#if HWY_ONCE
namespace meander::core {
namespace {

constexpr NeighborKernels kScalarNeighbors;

}  // namespace

const NeighborKernels* NeighborKernelsOf(SimdTarget target) {
  MEANDER_CHOOSE_KERNELS(target, kScalarNeighbors, kNeighborKernels);
}

}  // namespace meander::core
#endif  // HWY_ONCE
