// The sums over all neighbors of a batch.
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

#include "core/simd/near_candidates-inl.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/neighbor_lanes-inl.h"
#include "core/steering/flocking.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

// What kernels are compiled for. kMeans: velocities and offsets too; both, for
// a scan seldom asks for one of them.
template <Push push, bool means, int dims, Seam seam>
struct Kind {
  static constexpr Push kPush = push;
  static constexpr bool kMeans = means;
  static constexpr int kDims = dims;
  static constexpr bool kShifts = seam == Seam::kOfRanges;
  // In space few candidates are near any lane: those are looked for first.
  static constexpr bool kListsNear = dims == 3;

  using Place = Vec<kDims>;
  using Seeing = Sight<kDims, kShifts>;
};

// Neighbors that are nearer are coincident. Without pushes only those on the
// very place need care: the agent itself.
inline float LeastSquared(const NeighborScan& scan) {
  const float least = LeastDistance(scan.query.radius);
  return scan.separation == nullptr ? 0x1p-149f : least * least;
}

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
        radius_squared(Same(batch.scan.query.radius_squared)),
        least_squared(Same(LeastSquared(batch.scan))) {}
};

template <typename K>
struct Totals {
  Vec<K::kDims> pushes, velocities, offsets;
  Floats nearest;  // squared
  // How many are neighbors, and within the radius: the agent itself too.
  Ints neighbors, within;

  static HWY_INLINE Totals None() {
    using V = Vec<K::kDims>;
    const Ints zero = hn::Zero(kInts);
    return {V::None(), V::None(),
            V::None(), Same(std::numeric_limits<float>::infinity()),
            zero,      zero};
  }
};

// Adds agent `i` to the lanes `near`, whose neighbor it is. `back` is the way
// from it, of which a processor subtracts what it loads; a sum less it is the
// sum and the offset, bit for bit.
template <typename K>
HWY_INLINE void AddNeighbor(const Task<K>& task, LaneMask near,
                            const Vec<K::kDims>& back, Floats squared,
                            std::size_t i, Totals<K>& totals) {
  if constexpr (K::kPush != Push::kNone) {
    totals.pushes = Add(near, totals.pushes,
                        back * PushPerDistance<K::kPush>(squared, task.radius));
  }
  if constexpr (K::kPush == Push::kNearestFade) {
    // Positive numbers are in the order of their bits.
    const Floats nearer = Choose(near, squared, totals.nearest);
    totals.nearest = FloatsOf(hn::Min(BitsOf(nearer), BitsOf(totals.nearest)));
  }
  totals.neighbors = Count(near, totals.neighbors);
  if constexpr (K::kMeans) {
    totals.velocities = Add(near, totals.velocities, task.motions.Broadcast(i));
    totals.offsets = Subtract(near, totals.offsets, back);
  }
}

// Adds a candidate to every lane whose neighbor it is.
template <typename K>
HWY_INLINE void AddCandidate(const Task<K>& task,
                             const typename K::Place& place,
                             const typename K::Place& candidate, std::size_t i,
                             Totals<K>& totals) {
  const Vec<K::kDims> back = place - candidate;
  const Floats squared = LengthSquared(back);
  const LaneMask within = hn::Le(squared, task.radius_squared);
  const LaneMask near = hn::And(within, hn::Ge(squared, task.least_squared));
  totals.within = Count(within, totals.within);
  AddNeighbor<K>(task, near, back, squared, i, totals);
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

// The lanes that have a coincident neighbor: others than the agent itself, who
// may count or not.
HWY_INLINE std::uint32_t VoidLanes(const NeighborBatch& batch, Ints coincident,
                                   Ints itself) {
  std::array<std::uint8_t, 8> bits{};
  hn::StoreMaskBits(kInts, hn::Ne(coincident, itself), bits.data());
  const std::uint32_t others = bits[0] | std::uint32_t{bits[1]} << 8;
  return others & ((1u << batch.lanes) - 1);
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
        add(near[at] >> kWayShift, near[at] & kAgentMask);
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
  const Vec<K::kDims> place = task.places.Gather(AgentsOf(batch));
  const typename K::Seeing sight(batch.grid, place, ranges, count);
  Totals<K> totals = Totals<K>::None();
  ForEachCandidate<K>(
      task, sight, batch, ranges, count, [&](Way way, std::size_t i) {
        AddCandidate<K>(task, K::kShifts ? sight.Places(way) : place,
                        sight.Candidates(way, task.places.Broadcast(i)), i,
                        totals);
      });
  StoreTotals<K>(totals, sums);
  return VoidLanes(batch, totals.within - totals.neighbors, hn::Set(kInts, 1));
}

template <int kDims, Seam kSeam, bool kMeans>
HWY_INLINE std::uint32_t SumFalloff(Falloff falloff, const NeighborBatch& batch,
                                    const CandidateRange* ranges,
                                    std::size_t count, LaneSums& sums) {
  switch (falloff) {
    case Falloff::kInverse:
      break;
    case Falloff::kNearestFade:
      return Sum<Kind<Push::kNearestFade, kMeans, kDims, kSeam>>(batch, ranges,
                                                                 count, sums);
    case Falloff::kLinear:
      return Sum<Kind<Push::kLinear, kMeans, kDims, kSeam>>(batch, ranges,
                                                            count, sums);
  }
  return Sum<Kind<Push::kInverse, kMeans, kDims, kSeam>>(batch, ranges, count,
                                                         sums);
}

template <int kDims, Seam kSeam>
std::uint32_t SumAsked(const NeighborBatch& batch, const CandidateRange* ranges,
                       std::size_t count, LaneSums& sums) {
  const NeighborScan& scan = batch.scan;
  if (scan.separation == nullptr) {
    return Sum<Kind<Push::kNone, true, kDims, kSeam>>(batch, ranges, count,
                                                      sums);
  }
  const Falloff falloff = scan.separation->falloff;
  if (scan.moves || scan.gathers) {
    return SumFalloff<kDims, kSeam, true>(falloff, batch, ranges, count, sums);
  }
  return SumFalloff<kDims, kSeam, false>(falloff, batch, ranges, count, sums);
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_NEIGHBORS_INL_H_
