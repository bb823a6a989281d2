// One source for all targets: this file includes itself once for each.
#include "core/simd/steering_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/steering_kernels.cc"
#include "core/simd/each_target.h"
// Above must come before what is included for each target.
#if MEANDER_HAS_VECTORS
#include "core/simd/combine-inl.h"
#include "core/simd/flocking-inl.h"
#include "core/simd/motion-inl.h"
#include "core/simd/pursue-inl.h"
#include "core/simd/random-inl.h"
#include "core/simd/targets-inl.h"
#include "core/simd/wander-inl.h"

namespace meander::core::HWY_NAMESPACE {

inline constexpr SteeringKernels kSteeringKernels = {
    .draw_uniforms = DrawUniforms,
    .add_seek = AddSeek,
    .add_flee = AddFlee,
    .add_arrive = AddArrive,
    .add_keep_away = AddKeepAway,
    .add_brake = AddBrake,
    .add_pursue = AddPursue,
    .add_evade = AddEvade,
    .add_wander_world_angle = AddWanderWorldAngle,
    .add_wander_spherical = AddWanderSpherical,
    .add_wander_heading_offset = AddWanderHeadingOffset,
    .add_separation = AddSeparation,
    .add_alignment = AddAlignment,
    .add_cohesion = AddCohesion,
    .combine_level = CombineLevel,
    .integrate = Integrate,
};

}  // namespace meander::core::HWY_NAMESPACE
#endif  // MEANDER_HAS_VECTORS

#if HWY_ONCE
#include "core/random/agent_random.h"
#include "core/steering/arrive.h"
#include "core/steering/brake.h"
#include "core/steering/combine.h"
#include "core/steering/flee.h"
#include "core/steering/flocking.h"
#include "core/steering/pursue.h"
#include "core/steering/seek.h"
#include "core/steering/wander.h"
#include "core/steering/wander_heading_offset.h"
#include "core/steering/wander_spherical.h"
#include "core/step/integrate.h"

namespace meander::core {
namespace {

constexpr SteeringKernels kScalarSteering = {
    .draw_uniforms = DrawUniforms,
    .add_seek = AddSeek,
    .add_flee = AddFlee,
    .add_arrive = AddArrive,
    .add_keep_away = AddKeepAway,
    .add_brake = AddBrake,
    .add_pursue = AddPursue,
    .add_evade = AddEvade,
    .add_wander_world_angle = AddWanderWorldAngle,
    .add_wander_spherical = AddWanderSpherical,
    .add_wander_heading_offset = AddWanderHeadingOffset,
    .add_separation = AddSeparation,
    .add_alignment = AddAlignment,
    .add_cohesion = AddCohesion,
    .combine_level = CombineLevel,
    .integrate = Integrate,
};

}  // namespace

const SteeringKernels* SteeringKernelsOf(SimdTarget target) {
  static constexpr std::array<const SteeringKernels*, kSimdTargets.size()>
      kByTarget = MEANDER_KERNELS_BY_TARGET(kScalarSteering, kSteeringKernels);
  return kByTarget[static_cast<std::size_t>(target)];
}

}  // namespace meander::core
#endif  // HWY_ONCE
