// A few agents as lanes, and who is near any of them: what the neighbor kernels
// are made of. Vectors have at most 8 lanes, also where wider ones are there:
// lanes that are further apart have fewer candidates in common.
#if defined(MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#undef MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#else
#define MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/simd/neighbor_kernels.h"
#include "core/space/cell_interval.h"
#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 8>;
using IntTag = hn::RebindToSigned<Tag>;
using Floats = hn::Vec<Tag>;
using Ints = hn::Vec<IntTag>;
using Mask = hn::Mask<Tag>;

inline constexpr Tag kFloats;
inline constexpr IntTag kInts;
inline constexpr std::size_t kLanes = hn::MaxLanes(Tag());

// What separation adds up: nothing, or by its falloff.
enum class Push { kNone, kInverse, kNearestFade, kLinear };
// Every candidate within the radius is a neighbor; offsets to some ranges cross
// a seam; or candidates must pass a filter.
enum class Mode { kPlain, kShifted, kFiltered };

HWY_INLINE Floats Same(float value) { return hn::Set(kFloats, value); }
HWY_INLINE Ints BitsOf(Floats value) { return hn::BitCast(kInts, value); }

// Sums begin with +0, so that to add or subtract +0 changes none of their bits:
// a lane that is left out may do so. What is left out may be NaN.
HWY_INLINE Floats Add(Mask lanes, Floats sum, Floats value) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(lanes, hn::Add(sum, value), sum);
#else
  return hn::Add(sum, hn::IfThenElseZero(lanes, value));
#endif
}
HWY_INLINE Floats Subtract(Mask lanes, Floats sum, Floats value) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(lanes, hn::Sub(sum, value), sum);
#else
  return hn::Sub(sum, hn::IfThenElseZero(lanes, value));
#endif
}
HWY_INLINE Ints Count(Mask lanes, Ints count) {
  const auto these = hn::RebindMask(kInts, lanes);
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(these, hn::Add(count, hn::Set(kInts, 1)), count);
#else
  return hn::Sub(count, hn::VecFromMask(kInts, these));
#endif
}

HWY_INLINE Floats Offset(const WrapAxis& axis, Floats p, Floats q) {
  const Floats d = q - p;
  const Floats low = Same(axis.low);
  const Floats high = Same(axis.high);
  const Floats half = Same(axis.half_period);
  const Floats down = (q - high) - (p - low);
  const Floats up = (q - low) - (p - high);
  return hn::IfThenElse(hn::Ge(d, half), down,
                        hn::IfThenElse(hn::Lt(d, hn::Neg(half)), up, d));
}

template <int kDims>
struct Vector {
  Floats x, y;
  Floats z;  // anything in a plane

  static HWY_INLINE Vector None() {
    const Floats zero = hn::Zero(kFloats);
    return {zero, zero, zero};
  }
};

template <int kDims>
HWY_INLINE Vector<kDims> Add(Mask lanes, const Vector<kDims>& sum,
                             const Vector<kDims>& v) {
  return {Add(lanes, sum.x, v.x), Add(lanes, sum.y, v.y),
          kDims == 3 ? Add(lanes, sum.z, v.z) : sum.z};
}
template <int kDims>
HWY_INLINE Vector<kDims> Subtract(Mask lanes, const Vector<kDims>& sum,
                                  const Vector<kDims>& v, Floats scale) {
  return {Subtract(lanes, sum.x, v.x * scale),
          Subtract(lanes, sum.y, v.y * scale),
          kDims == 3 ? Subtract(lanes, sum.z, v.z * scale) : sum.z};
}

// In a plane the product off it is +0, and no comparison minds its sign.
template <int kDims>
HWY_INLINE Floats Dot(const Vector<kDims>& a, const Vector<kDims>& b) {
  const Floats sum = a.x * b.x + a.y * b.y;
  return kDims == 3 ? sum + a.z * b.z : sum;
}

// Columns of the grid.
template <int kDims>
struct Pointers {
  const float* x;
  const float* y;
  const float* z;

  HWY_INLINE Vector<kDims> Broadcast(std::size_t i) const {
    return {Same(x[i]), Same(y[i]),
            kDims == 3 ? Same(z[i]) : hn::Zero(kFloats)};
  }
  HWY_INLINE Vector<kDims> Gather(Ints from) const {
    return {hn::GatherIndex(kFloats, x, from),
            hn::GatherIndex(kFloats, y, from),
            kDims == 3 ? hn::GatherIndex(kFloats, z, from) : hn::Zero(kFloats)};
  }
};

// Who among those near enough counts as a neighbor.
template <int kDims>
class Filter {
 public:
  Filter(const NeighborBatch& batch, const Pointers<kDims>& velocities,
         Ints agents)
      : grid_(batch.grid),
        query_(batch.scan.query),
        crosses_(batch.seam != Seam::kNone),
        velocity_(velocities.Gather(agents)),
        speed_squared_(Dot(velocity_, velocity_)) {
    speed_ = hn::Sqrt(speed_squared_);
  }

  HWY_INLINE Vector<kDims> OffsetTo(const Vector<kDims>& p,
                                    const Vector<kDims>& q) const {
    if (!crosses_) {
      return {q.x - p.x, q.y - p.y, kDims == 3 ? q.z - p.z : p.z};
    }
    return {Offset(grid_.axis_x.wrap, p.x, q.x),
            Offset(grid_.axis_y.wrap, p.y, q.y),
            kDims == 3 ? Offset(grid_.axis_z.wrap, p.z, q.z) : p.z};
  }

  HWY_INLINE bool Passes(std::size_t agent) const {
    return query_.any_group || (grid_.Groups(agent) & query_.groups) != 0;
  }

  HWY_INLINE Mask InView(Mask lanes, const Vector<kDims>& offset,
                         Floats squared) const {
    if (query_.all_round) return lanes;
    const Floats least = Same(query_.cosine) * (speed_ * hn::Sqrt(squared));
    const Mask seen = hn::Ge(Dot(velocity_, offset), least);
    return hn::And(lanes,
                   hn::Or(seen, hn::Eq(speed_squared_, hn::Zero(kFloats))));
  }

 private:
  const NeighborGrid& grid_;
  const NeighborQuery& query_;
  const bool crosses_;
  const Vector<kDims> velocity_;
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

// What is subtracted from coordinates before they are from one another, for
// each Image.
template <int kDims>
class Shifts {
 public:
  explicit Shifts(const NeighborGrid& grid)
      : axes_{&grid.axis_x, &grid.axis_y, &grid.axis_z} {}

  HWY_INLINE Vector<kDims> OfAgents(const CandidateRange& range) const {
    return {Same(Face(range, 0, Image::kAbove)),
            Same(Face(range, 1, Image::kAbove)),
            Same(kDims == 3 ? Face(range, 2, Image::kAbove) : 0.0f)};
  }
  HWY_INLINE Vector<kDims> OfCandidates(const CandidateRange& range) const {
    return {Same(Face(range, 0, Image::kBelow)),
            Same(Face(range, 1, Image::kBelow)),
            Same(kDims == 3 ? Face(range, 2, Image::kBelow) : 0.0f)};
  }

 private:
  // 0, or the high face for the image `of_high`, else the low one.
  HWY_INLINE float Face(const CandidateRange& range, std::size_t axis,
                        Image of_high) const {
    const auto image = static_cast<Image>(range.images[axis]);
    if (image == Image::kSame) return 0.0f;
    return image == of_high ? axes_[axis]->high : axes_[axis]->low;
  }

  const GridAxis* axes_[3];
};

template <int kDims>
HWY_INLINE Vector<kDims> Minus(const Vector<kDims>& a, const Vector<kDims>& b) {
  return {a.x - b.x, a.y - b.y, kDims == 3 ? a.z - b.z : a.z};
}

// How far a look through ranges has come.
struct Progress {
  std::size_t range = 0;
  std::size_t taken = 0;  // of that range
};
inline constexpr std::size_t kMostNear = 256;

// Lists candidates of ranges up to `end` that any lane has within its radius,
// at most kMostNear; returns how many.
template <int kDims, bool kShifts>
HWY_INLINE std::size_t ListNear(const Pointers<kDims>& places,
                                const Vector<kDims>& place,
                                const Vector<kDims>& shift,
                                Floats radius_squared,
                                const CandidateRange* ranges, std::size_t end,
                                Progress& next, std::uint32_t* near) {
  std::size_t size = 0;
  for (; next.range < end; ++next.range, next.taken = 0) {
    const CandidateRange& range = ranges[next.range];
    const std::size_t first = range.begin + next.taken;
    const std::size_t last =
        std::min<std::size_t>(range.end, first + kMostNear - size);
    for (std::size_t i = first; i < last; ++i) {
      Vector<kDims> other = places.Broadcast(i);
      if constexpr (kShifts) other = Minus(other, shift);
      const Vector<kDims> offset = Minus(other, place);
      const Mask within = hn::Le(Dot(offset, offset), radius_squared);
      near[size] = static_cast<std::uint32_t>(i);
      size += static_cast<std::size_t>(!hn::AllFalse(kFloats, within));
    }
    if (last < range.end) {
      next.taken = last - range.begin;
      break;
    }
  }
  return size;
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // MEANDER_CORE_SIMD_NEIGHBOR_LANES_INL_H_
