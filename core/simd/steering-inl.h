// The steering kernels of one target.
#if defined(MEANDER_CORE_SIMD_STEERING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_STEERING_INL_H_
#undef MEANDER_CORE_SIMD_STEERING_INL_H_
#else
#define MEANDER_CORE_SIMD_STEERING_INL_H_
#endif

#include "core/simd/block-inl.h"
#include "core/simd/vector-inl.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

template <int kDims>
HWY_INLINE Vec<kDims> SeekForce(const Vec<kDims>& offset,
                                const Vec<kDims>& velocity, Floats max_speed) {
  const Floats squared = LengthSquared(offset);
  const Floats scale =
      Only(hn::Gt(squared, Zero()), max_speed / hn::Sqrt(squared));
  return offset * scale - velocity;
}

template <int kDims>
void AddSeekIn(const SteeringBlock& steering, const TargetBlock& located) {
  const Block<kDims> block(steering);
  const Targets<kDims> targets(steering, located);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const Vec<kDims> offset = block.OffsetTo(i, targets.Position(i));
    block.AddForce(i, targets.Present(i),
                   SeekForce(offset, block.Velocity(i), block.max_speed));
  }
}

inline void AddSeek(const SteeringBlock& steering, const TargetBlock& located) {
  steering.plane == Plane::kNone ? AddSeekIn<3>(steering, located)
                                 : AddSeekIn<2>(steering, located);
}

template <int kDims>
void AddBrakeIn(const SteeringBlock& steering) {
  const Block<kDims> block(steering);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    block.AddForce(i, Vec<kDims>::None() - block.Velocity(i));
  }
}

inline void AddBrake(const SteeringBlock& steering) {
  steering.plane == Plane::kNone ? AddBrakeIn<3>(steering)
                                 : AddBrakeIn<2>(steering);
}

inline constexpr SteeringKernels kSteeringKernels = {
    .add_seek = AddSeek,
    .add_brake = AddBrake,
};

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // MEANDER_CORE_SIMD_STEERING_INL_H_
