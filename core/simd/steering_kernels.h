// The kernels that steer and move the agents of one block.
//
// Each does what the scalar function of its name does, whose header says what
// that is (steering/, step/integrate.h).
#ifndef MEANDER_CORE_SIMD_STEERING_KERNELS_H_
#define MEANDER_CORE_SIMD_STEERING_KERNELS_H_

#include "core/behavior.h"
#include "core/simd/simd_target.h"

namespace meander::core {

struct SteeringBlock;
struct TargetBlock;

struct SteeringKernels {
  void (*add_seek)(const SteeringBlock&, const TargetBlock&);
  void (*add_brake)(const SteeringBlock&);
};

// Null when this build has none for the target.
const SteeringKernels* SteeringKernelsOf(SimdTarget target);

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMD_STEERING_KERNELS_H_
