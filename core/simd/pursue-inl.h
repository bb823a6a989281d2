// Pursue and evade: steering/pursue.h, many agents at a time, in two
// coordinates or three.
#if defined(MEANDER_CORE_SIMD_PURSUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_PURSUE_INL_H_
#undef MEANDER_CORE_SIMD_PURSUE_INL_H_
#else
#define MEANDER_CORE_SIMD_PURSUE_INL_H_
#endif

#include "core/simd/targets-inl.h"
#include "core/steering/pursue.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

// |a x b|.
HWY_INLINE Floats CrossLength(const Vec<2>& a, const Vec<2>& b) {
  const Floats cross = a.x * b.y - a.y * b.x;
  return hn::Sqrt(cross * cross);
}
HWY_INLINE Floats CrossLength(const Vec<3>& a, const Vec<3>& b) {
  return Length(Cross(a, b));
}

// InterceptTime, or `otherwise` where there is none.
template <int kDims>
HWY_INLINE Floats InterceptTime(const Vec<kDims>& r, const Vec<kDims>& u,
                                Floats max_speed, Floats otherwise) {
  const Floats across = CrossLength(r, u);
  const Floats reach = max_speed * Length(r);
  const Floats root = hn::Sqrt((reach - across) * (reach + across));
  const Floats closing = hn::Neg(Dot(r, u));
  const Floats target_speed = Length(u);
  const LaneMask nearing = hn::Gt(closing, Zero());
  const LaneMask faster = hn::Gt(max_speed, target_speed);
  const Floats ahead = LengthSquared(r) / (closing + root);
  const Floats behind = (root - closing) / ((max_speed - target_speed) *
                                            (max_speed + target_speed));
  const Floats time = Choose(nearing, ahead, Choose(faster, behind, otherwise));
  return Choose(hn::Gt(across, reach), otherwise, time);
}

template <int kDims>
HWY_INLINE Floats UnlimitedLeadTime(Lead lead, const Vec<kDims>& r,
                                    const Vec<kDims>& u, Floats max_speed) {
  const Floats distance = Length(r);
  if (lead == Lead::kClosing) return distance / (max_speed + Length(u));
  const Floats straight = distance / max_speed;
  if (lead == Lead::kDistance) return straight;
  return InterceptTime(r, u, max_speed, straight);
}

template <int kDims>
HWY_INLINE Floats LeadTime(Lead lead, const Vec<kDims>& r, const Vec<kDims>& u,
                           Floats max_speed, Floats most) {
  const Floats time = UnlimitedLeadTime(lead, r, u, max_speed);
  const Ints exponent = hn::Set(kInts, 0x7f800000);
  const auto finite = hn::Ne(hn::And(BitsOf(time), exponent), exponent);
  return Only(hn::RebindMask(kFloats, finite),
              Choose(hn::Lt(time, most), time, most));
}

template <int kDims, typename Behavior>
HWY_INLINE Vec<kDims> OffsetForeseen(const Block<kDims>& block,
                                     const Targets<kDims>& targets,
                                     std::size_t i, const Behavior& behavior) {
  const Vec<kDims> offset = block.OffsetTo(i, targets.Position(i));
  const Vec<kDims> velocity = targets.Velocity(i);
  const float most =
      core::AtMost(behavior.max_prediction.value_or(kMaxLead), kMaxLead);
  const Floats time =
      LeadTime(behavior.lead, offset, velocity, block.max_speed, Same(most));
  return block.Shortest(offset + velocity * time);
}

template <int kDims>
void AddPursueIn(const Block<kDims>& block, const Pursue& pursue,
                 const TargetBlock& located) {
  const Targets<kDims> targets(block, located);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    block.AddForce(
        i, targets.Present(i),
        ArriveForce(OffsetForeseen(block, targets, i, pursue),
                    block.Velocity(i), block.max_speed, pursue.slowing_radius));
  }
}
inline void AddPursue(const SteeringBlock& block, const Pursue& pursue,
                      const TargetBlock& targets) {
  MEANDER_IN_SPACE(AddPursueIn, block, pursue, targets);
}

template <int kDims>
void AddEvadeIn(const Block<kDims>& block, const Evade& evade,
                const TargetBlock& located) {
  const Targets<kDims> targets(block, located);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    block.AddForce(i, targets.Present(i),
                   FleeForce(OffsetForeseen(block, targets, i, evade),
                             block.Velocity(i), block.max_speed));
  }
}
inline void AddEvade(const SteeringBlock& block, const Evade& evade,
                     const TargetBlock& targets) {
  MEANDER_IN_SPACE(AddEvadeIn, block, evade, targets);
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_PURSUE_INL_H_
