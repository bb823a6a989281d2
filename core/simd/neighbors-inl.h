// The neighbor kernels of one target.
#if defined(MEANDER_CORE_SIMD_NEIGHBORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
#undef MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
#else
#define MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/simd/index_cells-inl.h"
#include "core/simd/near_candidates-inl.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/neighbor_lanes-inl.h"
#include "core/simd/sub_cells-inl.h"
#include "core/steering/flocking.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

// What kernels are compiled for. kMeans: velocities and offsets too; both, for
// a scan seldom asks for one of them.
template <Push push, bool means, int dims, Mode mode>
struct Kind {
  static constexpr Push kPush = push;
  static constexpr bool kMeans = means;
  static constexpr int kDims = dims;
  static constexpr bool kFilters = mode == Mode::kFiltered;
  static constexpr bool kShifts = mode == Mode::kShifted;
  // In space few candidates are near any lane: those are looked for first.
  static constexpr bool kListsNear = dims == 3 && !kFilters;

  using Place = Vec<kDims>;
  using Seeing = Sight<kDims, kShifts>;
};

// The columns of the grid, and the numbers of the query in every lane.
template <typename K>
struct Task {
  GridColumns<K::kDims> places;
  GridColumns<K::kDims> motions;
  Floats radius, radius_squared, least_squared;

  explicit Task(const NeighborBatch& batch)
      : places{batch.grid.x.data(), batch.grid.y.data(), batch.grid.z.data()},
        motions{batch.grid.velocity_x.data(), batch.grid.velocity_y.data(),
                batch.grid.velocity_z.data()},
        radius(Same(batch.scan.query.radius)),
        radius_squared(Same(batch.scan.query.radius_squared)) {
    const float least = LeastDistance(batch.scan.query.radius);
    // Without pushes only those on the very place need care: the agent itself.
    least_squared = Same(K::kPush == Push::kNone ? 0x1p-149f : least * least);
  }
};

template <typename K>
struct Totals {
  Vec<K::kDims> pushes, velocities, offsets;
  Floats nearest;  // squared
  // How many are neighbors, within the radius (without filters), and
  // coincident (with filters); the latter two count the agent itself.
  Ints neighbors, within, coincident;

  static HWY_INLINE Totals None() {
    using V = Vec<K::kDims>;
    const Ints zero = hn::Zero(kInts);
    return {V::None(), V::None(),
            V::None(), Same(std::numeric_limits<float>::infinity()),
            zero,      zero,
            zero};
  }
};

// Adds a candidate to every lane whose neighbor it is.
template <typename K>
HWY_INLINE void AddCandidate(const Task<K>& task,
                             const Filter<K::kDims>& filter,
                             const typename K::Place& place,
                             const typename K::Place& candidate, std::size_t i,
                             Totals<K>& totals) {
  // The way back, of which a processor subtracts what it loads; a sum less it
  // is the sum and the offset, bit for bit.
  const Vec<K::kDims> back =
      K::kFilters ? filter.WayFrom(candidate, place) : place - candidate;
  const Floats squared = LengthSquared(back);
  const LaneMask within = hn::Le(squared, task.radius_squared);
  LaneMask near = hn::And(within, hn::Ge(squared, task.least_squared));
  if constexpr (K::kFilters) {
    totals.coincident =
        Count(hn::Lt(squared, task.least_squared), totals.coincident);
    near = filter.InView(near, back, squared);
  } else {
    totals.within = Count(within, totals.within);
  }
  if constexpr (K::kPush != Push::kNone) {
    totals.pushes = Add(near, totals.pushes,
                        back * PushPerDistance<K::kPush>(squared, task.radius));
  }
  if constexpr (K::kPush == Push::kNearestFade) {
    // Positive numbers are in the order of their bits.
    const Floats nearer = Choose(near, squared, totals.nearest);
    totals.nearest = FloatsOf(hn::Min(BitsOf(nearer), BitsOf(totals.nearest)));
  }
  if (K::kMeans || !K::kFilters)
    totals.neighbors = Count(near, totals.neighbors);
  if constexpr (K::kMeans) {
    totals.velocities = Add(near, totals.velocities, task.motions.Broadcast(i));
    totals.offsets = Subtract(near, totals.offsets, back);
  }
}

template <int kDims>
HWY_INLINE void StoreSum(const Vec<kDims>& sum, LaneSums::Lanes& x,
                         LaneSums::Lanes& y, LaneSums::Lanes& z) {
  Store(sum.x, x.data());
  Store(sum.y, y.data());
  if constexpr (kDims == 3) Store(sum.z, z.data());
}

template <typename K>
HWY_INLINE void StoreTotals(const Totals<K>& totals, LaneSums& sums) {
  if constexpr (K::kPush != Push::kNone) {
    StoreSum(totals.pushes, sums.push_x, sums.push_y, sums.push_z);
    Store(totals.nearest, sums.nearest_squared.data());
  }
  if constexpr (K::kMeans) {
    StoreSum(totals.velocities, sums.velocity_x, sums.velocity_y,
             sums.velocity_z);
    StoreSum(totals.offsets, sums.offset_x, sums.offset_y, sums.offset_z);
  }
  hn::Store(totals.neighbors, kInts, sums.count.data());
}

// The lanes that have a coincident neighbor, beside the agent itself.
template <typename K>
HWY_INLINE std::uint32_t VoidLanes(const NeighborBatch& batch,
                                   const Filter<K::kDims>& filter,
                                   const Totals<K>& totals) {
  HWY_ALIGN std::int32_t coincident[kLanes];
  hn::Store(K::kFilters ? totals.coincident : totals.within - totals.neighbors,
            kInts, coincident);
  std::uint32_t lanes = 0;
  for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
    const bool self = !K::kFilters || filter.Passes(batch.agents[lane]);
    const bool others = coincident[lane] != static_cast<std::int32_t>(self);
    lanes |= static_cast<std::uint32_t>(others) << lane;
  }
  return lanes;
}

// Calls add(way, i) for each candidate of the ranges that may be a neighbor.
template <typename K, typename Function>
HWY_INLINE void ForEachCandidate(const Task<K>& task,
                                 const typename K::Seeing& sight,
                                 const NeighborBatch& batch,
                                 const CandidateRange* ranges,
                                 std::size_t count, Function add) {
  if constexpr (K::kListsNear) {
    NearCandidates near;
    Progress next;
    while (next.range < count) {
      const std::size_t size =
          ListNear(task.places, sight, batch, task.radius_squared, ranges,
                   count, next, near);
      for (std::size_t at = 0; at < size; ++at) {
        add(near[at] >> kWayShift, near[at] & ((1u << kWayShift) - 1));
      }
    }
  } else {
    for (std::size_t range = 0; range < count; ++range) {
      const Way way = sight.WayOf(ranges[range]);
      for (std::size_t i = ranges[range].begin; i < ranges[range].end; ++i) {
        add(way, i);
      }
    }
  }
}

template <typename K>
std::uint32_t Sum(const NeighborBatch& batch, const CandidateRange* ranges,
                  std::size_t count, LaneSums& sums) {
  const Task<K> task(batch);
  const Ints agents = hn::LoadU(
      kInts, reinterpret_cast<const std::int32_t*>(batch.agents.data()));
  const Vec<K::kDims> place = task.places.Gather(agents);
  const typename K::Seeing sight(batch.grid, place, ranges, count);
  const Filter<K::kDims> filter(batch, task.motions, agents);
  Totals<K> totals = Totals<K>::None();
  ForEachCandidate<K>(
      task, sight, batch, ranges, count, [&](Way way, std::size_t i) {
        if (K::kFilters && !filter.Passes(i)) return;
        AddCandidate<K>(task, filter, K::kShifts ? sight.Places(way) : place,
                        sight.Candidates(way, task.places.Broadcast(i)), i,
                        totals);
      });
  StoreTotals<K>(totals, sums);
  return VoidLanes<K>(batch, filter, totals);
}

template <int kDims, Mode kMode, bool kMeans>
HWY_INLINE std::uint32_t SumFalloff(Falloff falloff, const NeighborBatch& batch,
                                    const CandidateRange* ranges,
                                    std::size_t count, LaneSums& sums) {
  switch (falloff) {
    case Falloff::kInverse:
      break;
    case Falloff::kNearestFade:
      return Sum<Kind<Push::kNearestFade, kMeans, kDims, kMode>>(batch, ranges,
                                                                 count, sums);
    case Falloff::kLinear:
      return Sum<Kind<Push::kLinear, kMeans, kDims, kMode>>(batch, ranges,
                                                            count, sums);
  }
  // Filters are dear enough for the nearest not to matter.
  constexpr Push kPush =
      kMode == Mode::kFiltered ? Push::kNearestFade : Push::kInverse;
  return Sum<Kind<kPush, kMeans, kDims, kMode>>(batch, ranges, count, sums);
}

template <int kDims, Mode kMode>
std::uint32_t SumAsked(const NeighborBatch& batch, const CandidateRange* ranges,
                       std::size_t count, LaneSums& sums) {
  const NeighborScan& scan = batch.scan;
  if (scan.separation == nullptr) {
    return Sum<Kind<Push::kNone, true, kDims, kMode>>(batch, ranges, count,
                                                      sums);
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

}  // namespace neighbors

inline constexpr NeighborKernels kNeighborKernels = {
    .index_cells = neighbors::IndexCells,
    .lanes = kLanes,
    .bounds = neighbors::Bounds,
    .advance = neighbors::Advance,
    .sum = neighbors::SumBatch,
};

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
