// Agents as lanes and candidates near them: what the neighbor kernels are made
// of. vector-inl.h with what only sums over neighbors need.
#if defined(MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#undef MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#else
#define MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/block-inl.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/vector-inl.h"
#include "core/space/cell_interval.h"
#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

// What separation adds up: nothing, or by its falloff.
enum class Push { kNone, kInverse, kNearestFade, kLinear };
// Every candidate within the radius is a neighbor; offsets to some ranges cross
// a seam; or candidates must pass a filter.
enum class Mode { kPlain, kShifted, kFiltered };

// Sums begin with +0, so that to add or subtract +0 changes none of their bits:
// a lane that is left out may do so. What is left out may be NaN.
HWY_INLINE Floats Add(LaneMask lanes, Floats sum, Floats value) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(lanes, hn::Add(sum, value), sum);
#else
  return hn::Add(sum, hn::IfThenElseZero(lanes, value));
#endif
}
HWY_INLINE Floats Subtract(LaneMask lanes, Floats sum, Floats value) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(lanes, hn::Sub(sum, value), sum);
#else
  return hn::Sub(sum, hn::IfThenElseZero(lanes, value));
#endif
}
HWY_INLINE Ints Count(LaneMask lanes, Ints count) {
  const auto these = hn::RebindMask(kInts, lanes);
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(these, hn::Add(count, hn::Set(kInts, 1)), count);
#else
  return hn::Sub(count, hn::VecFromMask(kInts, these));
#endif
}

template <int kDims>
HWY_INLINE Vec<kDims> Add(LaneMask lanes, const Vec<kDims>& sum,
                          const Vec<kDims>& v) {
  if constexpr (kDims == 2) {
    return {Add(lanes, sum.x, v.x), Add(lanes, sum.y, v.y)};
  }
  if constexpr (kDims == 3) {
    return {Add(lanes, sum.x, v.x), Add(lanes, sum.y, v.y),
            Add(lanes, sum.z, v.z)};
  }
}
template <int kDims>
HWY_INLINE Vec<kDims> Subtract(LaneMask lanes, const Vec<kDims>& sum,
                               const Vec<kDims>& v) {
  if constexpr (kDims == 2) {
    return {Subtract(lanes, sum.x, v.x), Subtract(lanes, sum.y, v.y)};
  }
  if constexpr (kDims == 3) {
    return {Subtract(lanes, sum.x, v.x), Subtract(lanes, sum.y, v.y),
            Subtract(lanes, sum.z, v.z)};
  }
}

// Columns of the grid.
template <int kDims>
struct GridColumns {
  const float* x;
  const float* y;
  const float* z;

  // Of agent i, in every lane.
  HWY_INLINE Vec<kDims> Broadcast(std::size_t i) const {
    if constexpr (kDims == 2) return {Same(x[i]), Same(y[i])};
    if constexpr (kDims == 3) return {Same(x[i]), Same(y[i]), Same(z[i])};
  }
  // Of agents from i on.
  HWY_INLINE Vec<kDims> Next(std::size_t i) const {
    if constexpr (kDims == 2) return {Load(x + i), Load(y + i)};
    if constexpr (kDims == 3) return {Load(x + i), Load(y + i), Load(z + i)};
  }
  HWY_INLINE Vec<kDims> Gather(Ints from) const {
    const Floats gathered_x = hn::GatherIndex(kFloats, x, from);
    const Floats gathered_y = hn::GatherIndex(kFloats, y, from);
    if constexpr (kDims == 2) return {gathered_x, gathered_y};
    if constexpr (kDims == 3) {
      return {gathered_x, gathered_y, hn::GatherIndex(kFloats, z, from)};
    }
  }
};

// Who among those near enough counts as a neighbor.
template <int kDims>
class Filter {
 public:
  Filter(const NeighborBatch& batch, const GridColumns<kDims>& velocities,
         Ints agents)
      : grid_(batch.grid),
        query_(batch.scan.query),
        crosses_(batch.seam != Seam::kNone),
        velocity_(velocities.Gather(agents)),
        speed_squared_(LengthSquared(velocity_)) {
    speed_ = hn::Sqrt(speed_squared_);
  }

  // The way from q to p.
  HWY_INLINE Vec<kDims> WayFrom(const Vec<kDims>& q,
                                const Vec<kDims>& p) const {
    if (!crosses_) return p - q;
    const Floats x = DeltaCoordinate(grid_.axis_x.wrap, p.x, q.x);
    const Floats y = DeltaCoordinate(grid_.axis_y.wrap, p.y, q.y);
    if constexpr (kDims == 2) return {hn::Neg(x), hn::Neg(y)};
    if constexpr (kDims == 3) {
      const Floats z = DeltaCoordinate(grid_.axis_z.wrap, p.z, q.z);
      return {hn::Neg(x), hn::Neg(y), hn::Neg(z)};
    }
  }

  HWY_INLINE bool Passes(std::size_t agent) const {
    return query_.any_group || (grid_.Groups(agent) & query_.groups) != 0;
  }

  HWY_INLINE LaneMask InView(LaneMask lanes, const Vec<kDims>& from,
                             Floats squared) const {
    if (query_.all_round) return lanes;
    const Floats least = Same(query_.cosine) * (speed_ * hn::Sqrt(squared));
    const LaneMask seen = hn::Ge(hn::Neg(Dot(velocity_, from)), least);
    return hn::And(lanes, hn::Or(seen, hn::Eq(speed_squared_, Zero())));
  }

 private:
  const NeighborGrid& grid_;
  const NeighborQuery& query_;
  const bool crosses_;
  const Vec<kDims> velocity_;
  const Floats speed_squared_;
  Floats speed_;
};

template <Push kPush>
HWY_INLINE Floats PushPerDistance(Floats squared, Floats radius) {
  if constexpr (kPush == Push::kLinear) {
    const Floats distance = hn::Sqrt(squared);
    return (Same(1.0f) - distance / radius) / distance;
  } else {
    return Same(1.0f) / squared;
  }
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
