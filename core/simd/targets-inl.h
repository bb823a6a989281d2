// Seek, flee, arrive, keep away and brake: steering/seek.h and its neighbors,
// many agents at a time, in two coordinates or three.
#if defined(MEANDER_CORE_SIMD_TARGETS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_TARGETS_INL_H_
#undef MEANDER_CORE_SIMD_TARGETS_INL_H_
#else
#define MEANDER_CORE_SIMD_TARGETS_INL_H_
#endif

#include "core/math/limit.h"
#include "core/simd/block-inl.h"
#include "core/simd/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

// Calls a kernel in the coordinates that the world has.
#define MEANDER_IN_SPACE(kernel, block, ...)              \
  do {                                                    \
    if ((block).plane == Plane::kNone) {                  \
      kernel(Block<3>(block) __VA_OPT__(, ) __VA_ARGS__); \
    } else {                                              \
      kernel(Block<2>(block) __VA_OPT__(, ) __VA_ARGS__); \
    }                                                     \
  } while (false)

template <int kDims>
HWY_INLINE Vec<kDims> SeekForce(const Vec<kDims>& offset,
                                const Vec<kDims>& velocity, Floats max_speed) {
  const Floats squared = LengthSquared(offset);
  const Floats scale =
      Only(hn::Gt(squared, Zero()), max_speed / hn::Sqrt(squared));
  return offset * scale - velocity;
}

template <int kDims>
HWY_INLINE Vec<kDims> FleeForce(const Vec<kDims>& offset,
                                const Vec<kDims>& velocity, Floats max_speed) {
  return SeekForce(Negative(offset), velocity, max_speed);
}

template <int kDims>
HWY_INLINE Vec<kDims> ArriveForce(const Vec<kDims>& offset,
                                  const Vec<kDims>& velocity, Floats max_speed,
                                  float slowing_radius) {
  const Floats radius = Same(slowing_radius);
  const Floats distance = Length(offset);
  const Floats speed = Choose(hn::Lt(distance, radius),
                              max_speed * (distance / radius), max_speed);
  const Vec<kDims> desired =
      Only(hn::Gt(distance, Zero()), offset * (speed / distance));
  return desired - velocity;
}

template <int kDims>
HWY_INLINE Vec<kDims> StopForce(const SteeringBlock& block,
                                const Vec<kDims>& offset,
                                const Vec<kDims>& velocity) {
  constexpr float kUse = 0.8f;
  const float braking = kUse * block.max_force / block.mass;
  const float half_step = braking * block.dt * 0.5f;
  const Floats distance = Length(offset);
  const Floats twice_work = Same(2.0f * braking) * distance;
  const Floats sum =
      hn::Sqrt(Same(half_step * half_step) + twice_work) + Same(half_step);
  Floats speed = Only(hn::Gt(sum, Zero()), twice_work / sum);
  const Floats at_once = distance / Same(block.dt);
  speed = Choose(hn::Lt(at_once, speed), at_once, speed);
  const Floats most = Same(block.max_speed);
  speed = Choose(hn::Lt(most, speed), most, speed);
  const Vec<kDims> desired =
      Only(hn::Gt(distance, Zero()), offset * (speed / distance));
  return ClampLength((desired - velocity) * Same(block.mass / block.dt),
                     Same(block.max_force));
}

template <int kDims>
void AddSeekIn(const Block<kDims>& block, const TargetBlock& located) {
  const Targets<kDims> targets(block, located);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    block.AddForce(i, targets.Present(i),
                   SeekForce(block.OffsetTo(i, targets.Position(i)),
                             block.Velocity(i), block.max_speed));
  }
}
inline void AddSeek(const SteeringBlock& block, const TargetBlock& targets) {
  MEANDER_IN_SPACE(AddSeekIn, block, targets);
}

template <int kDims>
void AddFleeIn(const Block<kDims>& block, const Flee& flee,
               const TargetBlock& located) {
  const Targets<kDims> targets(block, located);
  const Floats range = Same(flee.range.value_or(0.0f));
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const Vec<kDims> offset = block.OffsetTo(i, targets.Position(i));
    const Floats squared = LengthSquared(offset);
    LaneMask flees = targets.Present(i);
    if (flee.range) {
      const Floats distance = hn::Sqrt(squared);
      flees = hn::And(flees, flee.edge_inclusive ? hn::Le(distance, range)
                                                 : hn::Lt(distance, range));
    }
    if (flee.at_center == AtCenter::kZero) {
      flees = hn::And(flees, hn::Ne(squared, Zero()));
    }
    block.AddForce(i, flees,
                   FleeForce(offset, block.Velocity(i), block.max_speed));
  }
}
inline void AddFlee(const SteeringBlock& block, const Flee& flee,
                    const TargetBlock& targets) {
  MEANDER_IN_SPACE(AddFleeIn, block, flee, targets);
}

template <int kDims>
void AddArriveIn(const Block<kDims>& block, const Arrive& arrive,
                 const TargetBlock& located) {
  const Targets<kDims> targets(block, located);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const Vec<kDims> offset = block.OffsetTo(i, targets.Position(i));
    const Vec<kDims> velocity = block.Velocity(i);
    block.AddForce(i, targets.Present(i),
                   arrive.stop ? StopForce(block.scalars, offset, velocity)
                               : ArriveForce(offset, velocity, block.max_speed,
                                             arrive.slowing_radius));
  }
}
inline void AddArrive(const SteeringBlock& block, const Arrive& arrive,
                      const TargetBlock& targets) {
  MEANDER_IN_SPACE(AddArriveIn, block, arrive, targets);
}

template <int kDims>
void AddKeepAwayIn(const Block<kDims>& block, const KeepAway& keep_away,
                   const TargetBlock& located) {
  const Targets<kDims> targets(block, located);
  const Floats radius = Same(keep_away.radius);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const Vec<kDims> offset = block.OffsetTo(i, targets.Position(i));
    const Floats distance = Length(offset);
    const LaneMask near =
        hn::And(targets.Present(i),
                hn::And(hn::Gt(distance, Zero()), hn::Lt(distance, radius)));
    const Floats strength = Same(1.0f) - distance / radius;
    block.AddForce(
        i, near,
        FleeForce(offset, block.Velocity(i), block.max_speed) * strength);
  }
}
inline void AddKeepAway(const SteeringBlock& block, const KeepAway& keep_away,
                        const TargetBlock& targets) {
  MEANDER_IN_SPACE(AddKeepAwayIn, block, keep_away, targets);
}

template <int kDims>
void AddBrakeIn(const Block<kDims>& block) {
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    block.AddForce(i, Vec<kDims>::None() - block.Velocity(i));
  }
}
inline void AddBrake(const SteeringBlock& block) {
  MEANDER_IN_SPACE(AddBrakeIn, block);
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_TARGETS_INL_H_
