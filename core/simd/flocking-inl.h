// Forces of finished sums over neighbors: steering/flocking.h, many agents at a
// time, in two coordinates or three.
#if defined(MEANDER_CORE_SIMD_FLOCKING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_FLOCKING_INL_H_
#undef MEANDER_CORE_SIMD_FLOCKING_INL_H_
#else
#define MEANDER_CORE_SIMD_FLOCKING_INL_H_
#endif

#include "core/simd/targets-inl.h"
#include "core/steering/flocking.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

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

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_FLOCKING_INL_H_
