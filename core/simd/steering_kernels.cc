// One source for all targets: this file includes itself once for each.
#include "core/simd/steering_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/steering_kernels.cc"
#include "core/simd/each_target.h"
// Above must come before what is included for each target.
#include "core/simd/steering-inl.h"

#if HWY_ONCE
#include "core/steering/brake.h"
#include "core/steering/seek.h"

namespace meander::core {
namespace {

constexpr SteeringKernels kScalarSteering = {
    .add_seek = AddSeek,
    .add_brake = AddBrake,
};

}  // namespace

const SteeringKernels* SteeringKernelsOf(SimdTarget target) {
  MEANDER_CHOOSE_KERNELS(target, kScalarSteering, kSteeringKernels);
}

}  // namespace meander::core
#endif  // HWY_ONCE
