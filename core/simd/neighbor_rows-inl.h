// The neighbors of any lane of a batch, as rows that hold a number a lane: for
// sums over those that must be chosen first.
#if defined(MEANDER_CORE_SIMD_NEIGHBOR_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEIGHBOR_ROWS_INL_H_
#undef MEANDER_CORE_SIMD_NEIGHBOR_ROWS_INL_H_
#else
#define MEANDER_CORE_SIMD_NEIGHBOR_ROWS_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/simd/block-inl.h"
#include "core/simd/near_candidates-inl.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/neighbor_lanes-inl.h"
#include "core/space/neighbor_grid.h"
#include "core/space/neighbor_search.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

// Neighbors of any lane, in canonical order.
template <int kDims>
struct NearRows {
  // So many are listed at once.
  static constexpr std::size_t kMostAtOnce = kMostNear;
  static constexpr std::size_t kMost = 640;
  // A row more, so that their number is even.
  static constexpr std::size_t kRoom = kMost + 1;
  using Columns = float[kRoom * kLanes];
  using Depth = float[(kDims == 3 ? kRoom : 1) * kLanes];

  std::size_t size = 0;
  std::array<std::uint32_t, kRoom> agents;
  // To lanes whose neighbor it is not: infinite.
  alignas(64) Columns squared;
  // The way back from it.
  alignas(64) Columns x;
  alignas(64) Columns y;
  alignas(64) Depth z;

  bool HasRoom() const { return size + kMostAtOnce <= kMost; }
  HWY_INLINE Floats Squared(std::size_t row) const {
    return hn::Load(kFloats, squared + row * kLanes);
  }
  HWY_INLINE void SetSquared(std::size_t row, Floats distances) {
    hn::Store(distances, kFloats, squared + row * kLanes);
  }
  HWY_INLINE Vec<kDims> Back(std::size_t row) const {
    const std::size_t at = row * kLanes;
    if constexpr (kDims == 2) return {Load(x + at), Load(y + at)};
    if constexpr (kDims == 3) return {Load(x + at), Load(y + at), Load(z + at)};
  }
  HWY_INLINE void Write(std::size_t row, std::uint32_t agent, Floats distances,
                        const Vec<kDims>& back) {
    const std::size_t at = row * kLanes;
    agents[row] = agent;
    SetSquared(row, distances);
    Store(back.x, x + at);
    Store(back.y, y + at);
    if constexpr (kDims == 3) Store(back.z, z + at);
  }
};

// What stands on a thread's stack (see ParallelFor).
static_assert(sizeof(NearRows<3>) <= 176 * 1024);

HWY_INLINE Floats Infinite() {
  return Same(std::numeric_limits<float>::infinity());
}

// The minimum image of the way from q to p.
template <int kDims>
HWY_INLINE Vec<kDims> ShortestWayBack(const NeighborGrid& grid,
                                      const Vec<kDims>& p,
                                      const Vec<kDims>& q) {
  const Floats x = DeltaCoordinate(grid.axis_x.wrap, p.x, q.x);
  const Floats y = DeltaCoordinate(grid.axis_y.wrap, p.y, q.y);
  if constexpr (kDims == 2) return {hn::Neg(x), hn::Neg(y)};
  if constexpr (kDims == 3) {
    const Floats z = DeltaCoordinate(grid.axis_z.wrap, p.z, q.z);
    return {hn::Neg(x), hn::Neg(y), hn::Neg(z)};
  }
}

inline bool Passes(const NeighborBatch& batch, std::size_t agent) {
  const NeighborQuery& query = batch.scan.query;
  return query.any_group || (batch.grid.Groups(agent) & query.groups) != 0;
}

// 1 in lanes whose own agent passes.
inline Ints CountThemselves(const NeighborBatch& batch) {
  HWY_ALIGN std::int32_t passes[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    passes[lane] = static_cast<std::int32_t>(Passes(batch, batch.agents[lane]));
  }
  return hn::Load(kInts, passes);
}

// Drops those of other groups; returns how many stay.
inline std::size_t KeepGroups(const NeighborBatch& batch, NearCandidates& near,
                              std::size_t size) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < size; ++at) {
    const std::uint32_t candidate = near[at];
    near[kept] = candidate;
    kept += static_cast<std::size_t>(Passes(batch, candidate & kAgentMask));
  }
  return kept;
}

// Lists the next candidates that pass, near or not; returns how many.
inline std::size_t ListAll(const NeighborBatch& batch,
                           const CandidateRange* ranges, std::size_t count,
                           Progress& next, NearCandidates& near) {
  std::size_t size = 0;
  for (; next.range < count; ++next.range, next.taken = 0) {
    const CandidateRange& range = ranges[next.range];
    for (std::size_t i = range.begin + next.taken; i < range.end; ++i) {
      if (size == near.size()) {
        next.taken = i - range.begin;
        return size;
      }
      near[size] = static_cast<std::uint32_t>(i);
      size += static_cast<std::size_t>(Passes(batch, i));
    }
  }
  return size;
}

// Goes on to list neighbors of any lane, also those out of view, kMostAtOnce at
// most. Counts who passes and is coincident with each lane, the agent itself
// too.
template <int kDims, Seam kSeam>
HWY_NOINLINE void ListRows(const NeighborBatch& batch,
                           const CandidateRange* ranges, std::size_t count,
                           float least, Progress& next, NearRows<kDims>& rows,
                           Ints& coincident) {
  constexpr bool kShifts = kSeam == Seam::kOfRanges;
  const NeighborGrid& grid = batch.grid;
  const NeighborQuery& query = batch.scan.query;
  const GridColumns<kDims> places{grid.x.data(), grid.y.data(), grid.z.data()};
  const Floats radius_squared = Same(query.radius_squared);
  const Floats least_squared = Same(least);
  const Vec<kDims> place = places.Gather(AgentsOf(batch));
  const Sight<kDims, kShifts> sight(grid, place, ranges, count);
  NearCandidates near;
  std::size_t size;
  if constexpr (kSeam == Seam::kOfPairs) {
    size = ListAll(batch, ranges, count, next, near);
  } else {
    size = ListNear(places, sight, batch, radius_squared, ranges, count, next,
                    near);
    if (!query.any_group) size = KeepGroups(batch, near, size);
  }
  Ints same_place = coincident;
  for (std::size_t at = 0; at < size; ++at) {
    const Way way = near[at] >> kWayShift;
    const std::uint32_t agent = near[at] & kAgentMask;
    const Vec<kDims> candidate = sight.Candidates(way, places.Broadcast(agent));
    Vec<kDims> back = (kShifts ? sight.Places(way) : place) - candidate;
    if constexpr (kSeam == Seam::kOfPairs) {
      back = ShortestWayBack(grid, place, candidate);
    }
    const Floats squared = LengthSquared(back);
    const LaneMask coincides = hn::Lt(squared, least_squared);
    const LaneMask neighbors =
        hn::AndNot(coincides, hn::Le(squared, radius_squared));
    same_place = Count(coincides, same_place);
    rows.Write(rows.size, agent, Choose(neighbors, squared, Infinite()), back);
    // Only what was not looked at before may be nobody's neighbor.
    const bool kept = kSeam != Seam::kOfPairs || !None(neighbors);
    rows.size += static_cast<std::size_t>(kept);
  }
  coincident = same_place;
}

// Makes squared distances to what is out of view infinite, from row `first` on.
template <int kDims>
HWY_NOINLINE void KeepInView(const NeighborBatch& batch, std::size_t first,
                             NearRows<kDims>& rows) {
  const NeighborGrid& grid = batch.grid;
  const GridColumns<kDims> motions{
      grid.velocity_x.data(), grid.velocity_y.data(), grid.velocity_z.data()};
  const Vec<kDims> velocity = motions.Gather(AgentsOf(batch));
  const Floats speed_squared = LengthSquared(velocity);
  const Floats speed = hn::Sqrt(speed_squared);
  const LaneMask rests = hn::Eq(speed_squared, Zero());
  const Floats cosine = Same(batch.scan.query.cosine);
  for (std::size_t row = first; row < rows.size; ++row) {
    const Floats squared = rows.Squared(row);
    const Floats least = cosine * (speed * hn::Sqrt(squared));
    const Floats ahead = hn::Neg(Dot(velocity, rows.Back(row)));
    const LaneMask seen = hn::Or(rests, hn::Ge(ahead, least));
    rows.SetSquared(row, Choose(seen, squared, Infinite()));
  }
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_NEIGHBOR_ROWS_INL_H_
