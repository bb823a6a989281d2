// vector-inl.h with what only sums over neighbors need: additions that leave
// lanes out, and the grid's columns.
#if defined(MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#undef MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#else
#define MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

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

HWY_INLINE Ints AgentsOf(const NeighborBatch& batch) {
  return hn::LoadU(kInts,
                   reinterpret_cast<const std::int32_t*>(batch.agents.data()));
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
