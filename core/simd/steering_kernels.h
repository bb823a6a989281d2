// The kernels that steer and move the agents of one block.
//
// Each does what the scalar function of its name does, whose header says what
// that is (steering/, step/integrate.h).
#ifndef MEANDER_CORE_SIMD_STEERING_KERNELS_H_
#define MEANDER_CORE_SIMD_STEERING_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/archetype.h"
#include "core/behavior.h"
#include "core/simd/simd_target.h"

namespace meander::core {

struct ForceColumns;
struct HeadingOffsetColumns;
struct HeadingOffsetUniforms;
struct MotionRows;
struct MotionRules;
struct NeighborSums;
struct PlaneAxes;
struct SphericalColumns;
struct SphericalUniforms;
struct SteeringBlock;
struct StepDraw;
struct TargetBlock;

struct SteeringKernels {
  void (*draw_uniforms)(const StepDraw&);

  void (*add_seek)(const SteeringBlock&, const TargetBlock&);
  void (*add_flee)(const SteeringBlock&, const Flee&, const TargetBlock&);
  void (*add_arrive)(const SteeringBlock&, const Arrive&, const TargetBlock&);
  void (*add_keep_away)(const SteeringBlock&, const KeepAway&,
                        const TargetBlock&);
  void (*add_brake)(const SteeringBlock&);
  void (*add_pursue)(const SteeringBlock&, const Pursue&, const TargetBlock&);
  void (*add_evade)(const SteeringBlock&, const Evade&, const TargetBlock&);

  void (*add_wander_world_angle)(const SteeringBlock&, const WanderWorldAngle&,
                                 const PlaneAxes&, std::span<const float>,
                                 std::span<std::uint32_t>);
  void (*add_wander_spherical)(const SteeringBlock&, const WanderSpherical&,
                               const SphericalUniforms&,
                               const SphericalColumns&);
  void (*add_wander_heading_offset)(const SteeringBlock&,
                                    const WanderHeadingOffset&, Plane,
                                    const HeadingOffsetUniforms&,
                                    const HeadingOffsetColumns&);

  void (*add_separation)(const SteeringBlock&, const Separation&,
                         const NeighborSums&);
  void (*add_alignment)(const SteeringBlock&, const NeighborSums&);
  void (*add_cohesion)(const SteeringBlock&, const Cohesion&,
                       const NeighborSums&);

  void (*combine_level)(Combine, float max_force, const ForceColumns& level,
                        const ForceColumns& total, std::size_t rows);
  std::int64_t (*integrate)(const MotionRules&, const MotionRows&);
};

// Null when this build has none for the target.
const SteeringKernels* SteeringKernelsOf(SimdTarget target);

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMD_STEERING_KERNELS_H_
