// The inner loops of a tick, as a table of functions for each SimdTarget.
//
// A kernel works on whole vectors: it may read and write up to kVectorRows - 1
// elements past the rows that it is given (agents/column.h keeps room for
// them) and leaves anything there. All tables compute the same bits. Tables
// live as long as the process; any thread may use them.
#ifndef MEANDER_CORE_SIMD_KERNELS_H_
#define MEANDER_CORE_SIMD_KERNELS_H_

#include "core/simd/hash_kernels.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/simd_target.h"
#include "core/simd/steering_kernels.h"

namespace meander::core {

struct Kernels {
  SimdTarget target = SimdTarget::kScalar;
  SteeringKernels steering;
  NeighborKernels neighbors;
  HashKernels hash;
};

// Whether this build has a table for the target.
bool HasKernels(SimdTarget target);

// Precondition: HasKernels, and the machine can run them.
const Kernels& KernelsOf(SimdTarget target);

// KernelsOf(BestSimdTarget()).
const Kernels& BestKernels();

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMD_KERNELS_H_
