// The steering kernels but for wander: those of steering/, many agents at a
// time, in two coordinates or three.
#if defined(MEANDER_CORE_SIMD_STEERING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_STEERING_INL_H_
#undef MEANDER_CORE_SIMD_STEERING_INL_H_
#else
#define MEANDER_CORE_SIMD_STEERING_INL_H_
#endif

#include "core/math/limit.h"
#include "core/simd/block-inl.h"
#include "core/simd/vector-inl.h"
#include "core/steering/combine.h"
#include "core/steering/flocking.h"
#include "core/steering/neighbor_sums.h"
#include "core/steering/pursue.h"

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

// What the neighbor pass found, as vectors.
template <int kDims>
class Sums {
 public:
  Sums(const Block<kDims>& block, const NeighborSums& sums)
      : sum_(block.scalars.plane, sums.x, sums.y, sums.z), sums_(sums) {}

  HWY_INLINE Vec<kDims> Sum(std::size_t i) const {
    return LoadVec<kDims>(sum_, i);
  }
  HWY_INLINE Floats NearestSquared(std::size_t i) const {
    return Load(sums_.nearest_squared + i);
  }
  HWY_INLINE Ints Count(std::size_t i) const {
    return hn::BitCast(kInts, hn::LoadU(kWords, sums_.count + i));
  }

 private:
  const ConstColumns sum_;
  const NeighborSums& sums_;
};

// Whether there are any, and the mean of what was summed over them.
template <int kDims>
struct MeanOf {
  LaneMask any;
  Vec<kDims> mean;

  HWY_INLINE MeanOf(const Sums<kDims>& sums, std::size_t i)
      : any(hn::RebindMask(kFloats, hn::Ne(sums.Count(i), hn::Zero(kInts)))),
        mean(sums.Sum(i) / hn::ConvertTo(kFloats, sums.Count(i))) {}
};

// 1 - d/R of the nearest neighbor.
HWY_INLINE Floats FadeOf(Floats nearest_squared, float radius) {
  const Ints exponent = hn::Set(kInts, 0x7f800000);
  const auto none =
      hn::Eq(hn::And(BitsOf(nearest_squared), exponent), exponent);
  const Floats fade =
      AtLeast(Same(1.0f) - hn::Sqrt(nearest_squared) / Same(radius), Zero());
  return Choose(hn::RebindMask(kFloats, none), Same(1.0f), fade);
}

template <int kDims>
void AddSeparationIn(const Block<kDims>& block, const Separation& separation,
                     const NeighborSums& found) {
  const Sums<kDims> sums(block, found);
  const bool linear = separation.falloff == Falloff::kLinear;
  const bool fades = separation.falloff == Falloff::kNearestFade;
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const Vec<kDims> pushes = sums.Sum(i);
    const Floats squared = LengthSquared(pushes);
    const Floats scale =
        linear ? block.max_speed : block.max_speed / hn::Sqrt(squared);
    Vec<kDims> force = pushes * scale - block.Velocity(i);
    if (fades) {
      force = force *
              FadeOf(sums.NearestSquared(i), separation.neighborhood.radius);
    }
    block.AddForce(i, hn::Ne(squared, Zero()), force);
  }
}
inline void AddSeparation(const SteeringBlock& block,
                          const Separation& separation,
                          const NeighborSums& sums) {
  MEANDER_IN_SPACE(AddSeparationIn, block, separation, sums);
}

template <int kDims>
void AddAlignmentIn(const Block<kDims>& block, const NeighborSums& found) {
  const Sums<kDims> sums(block, found);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const MeanOf<kDims> velocities(sums, i);
    block.AddForce(
        i, velocities.any,
        ClampLength(velocities.mean, block.max_speed) - block.Velocity(i));
  }
}
inline void AddAlignment(const SteeringBlock& block, const NeighborSums& sums) {
  MEANDER_IN_SPACE(AddAlignmentIn, block, sums);
}

template <int kDims>
void AddCohesionIn(const Block<kDims>& block, const Cohesion& cohesion,
                   const NeighborSums& found) {
  const Sums<kDims> sums(block, found);
  const Floats pull =
      Same(block.scalars.max_speed /
           core::AtLeast(cohesion.neighborhood.radius, kLeastDistance));
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const MeanOf<kDims> offsets(sums, i);
    block.AddForce(
        i, offsets.any,
        cohesion.mode == CohesionMode::kPull
            ? offsets.mean * pull
            : SeekForce(offsets.mean, block.Velocity(i), block.max_speed));
  }
}
inline void AddCohesion(const SteeringBlock& block, const Cohesion& cohesion,
                        const NeighborSums& sums) {
  MEANDER_IN_SPACE(AddCohesionIn, block, cohesion, sums);
}

HWY_INLINE Vec<3> CombineForces(Combine combine, Floats max_force,
                                const Vec<3>& total, const Vec<3>& level) {
  switch (combine) {
    case Combine::kWeightedSum:
      break;
    case Combine::kPriorityBudget:
      return total + ClampLength(level, max_force - Length(total));
    case Combine::kFirstNonzero: {
      const LaneMask none =
          hn::And(hn::Eq(total.x, Zero()),
                  hn::And(hn::Eq(total.y, Zero()), hn::Eq(total.z, Zero())));
      return Choose(none, level, total);
    }
  }
  return total + level;
}

inline void CombineLevel(Combine combine, float max_force,
                         const ForceColumns& level, const ForceColumns& total,
                         std::size_t rows) {
  const Columns to(Plane::kNone, total.x, total.y, total.z);
  const Columns from(Plane::kNone, level.x, level.y, level.z);
  for (std::size_t i = 0; i < rows; i += kLanes) {
    StoreVec(CombineForces(combine, Same(max_force), LoadVec<3>(to, i),
                           LoadVec<3>(from, i)),
             to, i);
  }
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_STEERING_INL_H_
