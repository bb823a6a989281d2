// The kernel that mixes what the state hash sums up.
//
// It does what the scalar function of its name does, whose header says what
// that is (agents/agent_mix.h); there must be room for kVectorRows mixes more.
#ifndef MEANDER_CORE_SIMD_HASH_KERNELS_H_
#define MEANDER_CORE_SIMD_HASH_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "core/simd/simd_target.h"

namespace meander::core {

class MixColumns;

struct HashKernels {
  void (*mix_rows)(const MixColumns&, std::size_t rows, std::uint64_t* mixes);
};

// Null when this build has none for the target.
const HashKernels* HashKernelsOf(SimdTarget target);

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMD_HASH_KERNELS_H_
