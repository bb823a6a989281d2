// The neighbor kernels of one target.
#if defined(MEANDER_CORE_SIMD_NEIGHBORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
#undef MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
#else
#define MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/simd/neighbor_kernels.h"
#include "core/space/cell_interval.h"
#include "core/space/neighbor_grid.h"
#include "core/steering/flocking.h"
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

// All sums of a scan. kMeans: velocities and offsets too; both, for a scan
// seldom asks for one of them.
template <Push kPush, bool kMeans, int kDims, Mode kMode>
std::uint32_t Sum(const NeighborBatch& batch, const CandidateRange* ranges,
                  std::size_t count, LaneSums& sums) {
  constexpr bool kFilters = kMode == Mode::kFiltered;
  const NeighborGrid& grid = batch.grid;
  const NeighborScan& scan = batch.scan;
  const Pointers<kDims> places{grid.x.data(), grid.y.data(), grid.z.data()};
  const Pointers<kDims> motions{grid.velocity_x.data(), grid.velocity_y.data(),
                                grid.velocity_z.data()};
  const Ints agents = hn::LoadU(
      kInts, reinterpret_cast<const std::int32_t*>(batch.agents.data()));
  const Vector<kDims> unshifted = places.Gather(agents);
  const Shifts<kDims> shifts(grid);
  const Floats radius = Same(scan.query.radius);
  const Floats radius_squared = Same(scan.query.radius_squared);
  // Without pushes only those on the very place need care: the agent itself.
  const float least = LeastDistance(scan.query.radius);
  const Floats least_squared =
      Same(kPush == Push::kNone ? 0x1p-149f : least * least);
  const Filter<kDims> filter(batch, motions, agents);

  Vector<kDims> pushes = Vector<kDims>::None();
  Vector<kDims> velocities = Vector<kDims>::None();
  Vector<kDims> offsets = Vector<kDims>::None();
  Floats nearest = Same(std::numeric_limits<float>::infinity());
  Ints neighbors = hn::Zero(kInts);
  Ints within_radius = hn::Zero(kInts);
  Ints coincident = hn::Zero(kInts);
  // In space few candidates are near any lane: those are looked for first.
  constexpr bool kListsNear = kDims == 3 && !kFilters;
  constexpr bool kShifts = kMode == Mode::kShifted;
  std::array<std::uint32_t, kListsNear ? kMostNear + 1 : 1> near_any;
  Vector<kDims> place = unshifted;
  Vector<kDims> shift = unshifted;
  Progress next;
  while (next.range < count) {
    const CandidateRange& range = ranges[next.range];
    if constexpr (kShifts) {
      place = Minus(unshifted, shifts.OfAgents(range));
      shift = shifts.OfCandidates(range);
    }
    std::size_t size = range.end - range.begin;
    if constexpr (kListsNear) {
      size = ListNear<kDims, kShifts>(places, place, shift, radius_squared,
                                      ranges, kShifts ? next.range + 1 : count,
                                      next, near_any.data());
    } else {
      ++next.range;
    }
    for (std::size_t at = 0; at < size; ++at) {
      const std::size_t i = kListsNear ? near_any[at] : range.begin + at;
      if (kFilters && !filter.Passes(i)) continue;
      Vector<kDims> other = places.Broadcast(i);
      if constexpr (kShifts) other = Minus(other, shift);
      Vector<kDims> offset = Minus(other, place);
      if (kFilters) offset = filter.OffsetTo(place, other);
      const Floats squared = Dot(offset, offset);
      const Mask within = hn::Le(squared, radius_squared);
      Mask near = hn::And(within, hn::Ge(squared, least_squared));
      if constexpr (kFilters) {
        coincident = Count(hn::Lt(squared, least_squared), coincident);
        near = filter.InView(near, offset, squared);
      } else {
        within_radius = Count(within, within_radius);
      }
      if constexpr (kPush != Push::kNone) {
        pushes = Subtract(near, pushes, offset,
                          PushPerDistance<kPush>(squared, radius));
      }
      if constexpr (kPush == Push::kNearestFade) {
        // Positive numbers are in the order of their bits.
        const Floats near_squared = hn::IfThenElse(near, squared, nearest);
        nearest = hn::BitCast(kFloats,
                              hn::Min(BitsOf(near_squared), BitsOf(nearest)));
      }
      if (kMeans || !kFilters) neighbors = Count(near, neighbors);
      if constexpr (kMeans) {
        velocities = Add(near, velocities, motions.Broadcast(i));
        offsets = Add(near, offsets, offset);
      }
    }
  }
  if constexpr (!kFilters) coincident = within_radius - neighbors;

  if constexpr (kPush != Push::kNone) {
    hn::Store(pushes.x, kFloats, sums.push_x.data());
    hn::Store(pushes.y, kFloats, sums.push_y.data());
    hn::Store(pushes.z, kFloats, sums.push_z.data());
    hn::Store(nearest, kFloats, sums.nearest_squared.data());
  }
  if constexpr (kMeans) {
    hn::Store(velocities.x, kFloats, sums.velocity_x.data());
    hn::Store(velocities.y, kFloats, sums.velocity_y.data());
    hn::Store(velocities.z, kFloats, sums.velocity_z.data());
    hn::Store(offsets.x, kFloats, sums.offset_x.data());
    hn::Store(offsets.y, kFloats, sums.offset_y.data());
    hn::Store(offsets.z, kFloats, sums.offset_z.data());
  }
  hn::Store(neighbors, kInts, sums.count.data());
  // One is the agent itself, where it passes.
  alignas(64) std::int32_t found[kLanes];
  hn::Store(coincident, kInts, found);
  std::uint32_t void_lanes = 0;
  for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
    const bool self = !kFilters || filter.Passes(batch.agents[lane]);
    const bool is_void = found[lane] != static_cast<std::int32_t>(self);
    void_lanes |= static_cast<std::uint32_t>(is_void) << lane;
  }
  return void_lanes;
}

template <int kDims, Mode kMode, bool kMeans>
HWY_INLINE std::uint32_t SumFalloff(Falloff falloff, const NeighborBatch& batch,
                                    const CandidateRange* ranges,
                                    std::size_t count, LaneSums& sums) {
  switch (falloff) {
    case Falloff::kInverse:
      break;
    case Falloff::kNearestFade:
      return Sum<Push::kNearestFade, kMeans, kDims, kMode>(batch, ranges, count,
                                                           sums);
    case Falloff::kLinear:
      return Sum<Push::kLinear, kMeans, kDims, kMode>(batch, ranges, count,
                                                      sums);
  }
  // Filters are dear enough for the nearest not to matter.
  constexpr Push kPush =
      kMode == Mode::kFiltered ? Push::kNearestFade : Push::kInverse;
  return Sum<kPush, kMeans, kDims, kMode>(batch, ranges, count, sums);
}

template <int kDims, Mode kMode>
std::uint32_t SumAsked(const NeighborBatch& batch, const CandidateRange* ranges,
                       std::size_t count, LaneSums& sums) {
  const NeighborScan& scan = batch.scan;
  if (scan.separation == nullptr) {
    return Sum<Push::kNone, true, kDims, kMode>(batch, ranges, count, sums);
  }
  const Falloff falloff = scan.separation->falloff;
  if (kMode == Mode::kFiltered || scan.moves || scan.gathers) {
    return SumFalloff<kDims, kMode, true>(falloff, batch, ranges, count, sums);
  }
  return SumFalloff<kDims, kMode, kMode == Mode::kFiltered>(
      falloff, batch, ranges, count, sums);
}

template <int kDims>
std::uint32_t SumInMode(const NeighborBatch& batch,
                        const CandidateRange* ranges, std::size_t count,
                        LaneSums& sums) {
  const NeighborQuery& query = batch.scan.query;
  if (batch.seam == Seam::kOfPairs || !query.any_group || !query.all_round) {
    return SumAsked<kDims, Mode::kFiltered>(batch, ranges, count, sums);
  }
  return batch.seam == Seam::kNone
             ? SumAsked<kDims, Mode::kPlain>(batch, ranges, count, sums)
             : SumAsked<kDims, Mode::kShifted>(batch, ranges, count, sums);
}

inline std::uint32_t SumBatch(const NeighborBatch& batch,
                              const CandidateRange* ranges, std::size_t count,
                              LaneSums& sums) {
  return batch.grid.planar() ? SumInMode<2>(batch, ranges, count, sums)
                             : SumInMode<3>(batch, ranges, count, sums);
}

// As many cells at once as there can be: a batch moves on by about as many.
using CellTag = hn::ScalableTag<std::int32_t>;
inline constexpr std::uint32_t kCellLanes = hn::MaxLanes(CellTag());

HWY_INLINE hn::Vec<CellTag> SameCell(std::uint32_t cell) {
  return hn::Set(CellTag(), static_cast<std::int32_t>(cell));
}

// The first of [from, end), ascending, that is above `low`. Reads up to a
// vector past the end.
HWY_INLINE std::uint32_t FirstAbove(const std::uint32_t* cells,
                                    std::uint32_t from, std::uint32_t end,
                                    hn::Vec<CellTag> low) {
  for (; from < end; from += kCellLanes) {
    const auto here = hn::LoadU(
        CellTag(), reinterpret_cast<const std::int32_t*>(cells + from));
    const auto found = hn::FindFirstTrue(CellTag(), hn::Gt(here, low));
    if (found >= 0) {
      return std::min(from + static_cast<std::uint32_t>(found), end);
    }
  }
  return end;
}

HWY_INLINE hn::Vec<CellTag> OrderOf(hn::Vec<CellTag> bits) {
  return bits ^ (hn::ShiftRight<31>(bits) & hn::Set(CellTag(), 0x7fffffff));
}

// In integers in the order of the numbers (math/limit.h).
inline void Bounds(const float* column, std::size_t begin, std::size_t end,
                   float& least, float& largest) {
  const hn::RebindToFloat<CellTag> floats;
  auto low = OrderOf(hn::BitCast(CellTag(), hn::Set(floats, column[begin])));
  auto high = low;
  for (std::size_t i = begin; i < end; i += kCellLanes) {
    const auto here = hn::IfThenElse(
        hn::FirstN(CellTag(), end - i),
        OrderOf(hn::BitCast(CellTag(), hn::LoadU(floats, column + i))), low);
    low = hn::Min(low, here);
    high = hn::Max(high, here);
  }
  // OrderOf is its own inverse.
  least =
      hn::GetLane(hn::BitCast(floats, OrderOf(hn::MinOfLanes(CellTag(), low))));
  largest = hn::GetLane(
      hn::BitCast(floats, OrderOf(hn::MaxOfLanes(CellTag(), high))));
}

inline void Advance(const std::uint32_t* sub_cells, std::uint32_t low,
                    std::uint32_t high, CandidateRange* ranges,
                    std::size_t count) {
  const auto below = SameCell(low - 1);
  const auto last = SameCell(high);
  for (std::size_t i = 0; i < count; ++i) {
    CandidateRange& range = ranges[i];
    range.begin = FirstAbove(sub_cells, range.begin, range.row_end, below);
    range.end = FirstAbove(sub_cells, range.end, range.row_end, last);
  }
}

inline std::size_t Split(const std::uint32_t* sub_cells, std::uint32_t low,
                         std::uint32_t high, const CandidateRange* rows,
                         std::size_t count, CandidateRange* ranges) {
  const auto below = SameCell(low - 1);
  const auto last = SameCell(high);
  CandidateRange* range = ranges;
  for (std::size_t i = 0; i < count; ++i) {
    const CandidateRange& row = rows[i];
    const std::uint32_t end =
        FirstAbove(sub_cells, row.begin, row.row_end, last);
    // From the end of the row back.
    std::uint32_t from = row.row_end;
    while (from - end > kCellLanes && sub_cells[from - kCellLanes] >= low) {
      from -= kCellLanes;
    }
    const std::uint32_t first =
        from - end > kCellLanes ? from - kCellLanes : end;
    const std::uint32_t begin = FirstAbove(sub_cells, first, from, below);
    *range++ = {row.begin, end, row.row_end, row.images};
    *range++ = {begin, row.row_end, row.row_end, row.images};
  }
  return static_cast<std::size_t>(range - ranges);
}

}  // namespace neighbors

inline constexpr NeighborKernels kNeighborKernels = {
    .lanes = neighbors::kLanes,
    .bounds = neighbors::Bounds,
    .advance = neighbors::Advance,
    .split = neighbors::Split,
    .sum = neighbors::SumBatch,
};

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
