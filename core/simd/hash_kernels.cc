// One source for all targets: this file includes itself once for each.
#include "core/simd/hash_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/hash_kernels.cc"
#include "core/simd/each_target.h"
// Above must come before what is included for each target.
#if MEANDER_HAS_VECTORS
#include "core/simd/hash-inl.h"
#endif

#if HWY_ONCE
#include <array>
#include <cstddef>

#include "core/agents/agent_mix.h"

namespace meander::core {
namespace {

constexpr HashKernels kScalarHash = {
    .mix_rows = MixRows,
};

}  // namespace

const HashKernels* HashKernelsOf(SimdTarget target) {
  static constexpr std::array<const HashKernels*, kSimdTargets.size()>
      kByTarget = MEANDER_KERNELS_BY_TARGET(kScalarHash, kHashKernels);
  return kByTarget[static_cast<std::size_t>(target)];
}

}  // namespace meander::core
#endif  // HWY_ONCE
