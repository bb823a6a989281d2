// One source for all targets: this file includes itself once for each.
#include "core/simd/neighbor_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/neighbor_kernels.cc"
#include "core/simd/each_target.h"
// Above must come before what is included for each target.
#if MEANDER_HAS_VECTORS
#include "core/simd/chosen-inl.h"
#include "core/simd/index_cells-inl.h"
#include "core/simd/sub_cells-inl.h"

namespace meander::core::HWY_NAMESPACE {

inline constexpr NeighborKernels kNeighborKernels = {
    .index_cells = neighbors::IndexCells,
    .lanes = kLanes,
    .bounds = neighbors::Bounds,
    .advance = neighbors::Advance,
    .sum = neighbors::SumBatch,
};

}  // namespace meander::core::HWY_NAMESPACE
#endif

#if HWY_ONCE
namespace meander::core {
namespace {

constexpr NeighborKernels kScalarNeighbors;

}  // namespace

const NeighborKernels* NeighborKernelsOf(SimdTarget target) {
  static constexpr std::array<const NeighborKernels*, kSimdTargets.size()>
      kByTarget = MEANDER_KERNELS_BY_TARGET(kScalarNeighbors, kNeighborKernels);
  return kByTarget[static_cast<std::size_t>(target)];
}

}  // namespace meander::core
#endif  // HWY_ONCE
