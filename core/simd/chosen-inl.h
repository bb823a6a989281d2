// The sums over neighbors that are chosen first: the nearest, those of groups,
// in view, or across seams as each pair has it. And which sums a batch gets.
#if defined(MEANDER_CORE_SIMD_CHOSEN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_CHOSEN_INL_H_
#undef MEANDER_CORE_SIMD_CHOSEN_INL_H_
#else
#define MEANDER_CORE_SIMD_CHOSEN_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/simd/nearest-inl.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/neighbor_lanes-inl.h"
#include "core/simd/neighbor_rows-inl.h"
#include "core/simd/neighbors-inl.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

template <int kDims>
HWY_INLINE void ListMoreRows(const NeighborBatch& batch,
                             const CandidateRange* ranges, std::size_t count,
                             Progress& next, NearRows<kDims>& rows,
                             Ints& coincident) {
  const float least = LeastSquared(batch.scan);
  switch (batch.seam) {
    case Seam::kNone:
      return ListRows<kDims, Seam::kNone>(batch, ranges, count, least, next,
                                          rows, coincident);
    case Seam::kOfRanges:
      return ListRows<kDims, Seam::kOfRanges>(batch, ranges, count, least, next,
                                              rows, coincident);
    case Seam::kOfPairs:
      return ListRows<kDims, Seam::kOfPairs>(batch, ranges, count, least, next,
                                             rows, coincident);
  }
}

// Adds the rows that are up to `squared` to the totals.
template <typename K>
HWY_INLINE void AddRows(const Task<K>& task, Floats squared,
                        const NearRows<K::kDims>& rows, Totals<K>& totals) {
  std::array<std::uint32_t, NearRows<K::kDims>::kMost + 1> taken;
  std::size_t size = 0;
  for (std::size_t row = 0; row < rows.size; ++row) {
    taken[size] = static_cast<std::uint32_t>(row);
    size += static_cast<std::size_t>(!None(hn::Le(rows.Squared(row), squared)));
  }
  for (std::size_t at = 0; at < size; ++at) {
    const std::size_t row = taken[at];
    const Floats here = rows.Squared(row);
    AddNeighbor<K>(task, hn::Le(here, squared), rows.Back(row), here,
                   rows.agents[row], totals);
  }
}

template <typename K>
std::uint32_t SumChosen(const NeighborBatch& batch,
                        const CandidateRange* ranges, std::size_t count,
                        LaneSums& sums) {
  const Task<K> task(batch);
  const NeighborQuery& query = batch.scan.query;
  Totals<K> totals = Totals<K>::None();
  NearRows<K::kDims> rows;
  Ints coincident = hn::Zero(kInts);
  for (Progress next; next.range < count;) {
    if (!rows.HasRoom()) {
      if (query.most == 0) {
        AddRows<K>(task, task.radius_squared, rows, totals);
        rows.size = 0;
      } else if (!MakeRoom(query.most, task.radius_squared, rows)) {
        StoreTotals<K>(totals, sums);
        return (1u << batch.lanes) - 1;
      }
    }
    const std::size_t listed = rows.size;
    ListMoreRows(batch, ranges, count, next, rows, coincident);
    if (!query.all_round) KeepInView(batch, listed, rows);
  }
  Floats squared = task.radius_squared;
  if (query.most != 0) {
    const Nearest nearest = FindNearest(query.most, task.radius_squared, rows);
    Settle(batch, nearest, rows);
    squared = nearest.high;
  }
  AddRows<K>(task, squared, rows, totals);
  StoreTotals<K>(totals, sums);
  return VoidLanes(batch, coincident, CountThemselves(batch));
}

// Choosing is dear enough for what nobody asked for not to matter.
template <int kDims>
std::uint32_t SumChosenAsked(const NeighborBatch& batch,
                             const CandidateRange* ranges, std::size_t count,
                             LaneSums& sums) {
  const Separation* const separation = batch.scan.separation;
  if (separation == nullptr) {
    return SumChosen<Kind<Push::kNone, true, kDims, Seam::kNone>>(batch, ranges,
                                                                  count, sums);
  }
  if (separation->falloff == Falloff::kLinear) {
    return SumChosen<Kind<Push::kLinear, true, kDims, Seam::kNone>>(
        batch, ranges, count, sums);
  }
  return SumChosen<Kind<Push::kNearestFade, true, kDims, Seam::kNone>>(
      batch, ranges, count, sums);
}

// Whether every candidate within the radius is a neighbor, with an offset that
// its range tells.
inline bool TakesAll(const NeighborBatch& batch) {
  const NeighborQuery& query = batch.scan.query;
  return query.most == 0 && query.any_group && query.all_round &&
         batch.seam != Seam::kOfPairs;
}

template <int kDims>
std::uint32_t SumOneBatch(const NeighborBatch& batch,
                          const CandidateRange* ranges, std::size_t count,
                          LaneSums& sums) {
  if (!TakesAll(batch)) {
    return SumChosenAsked<kDims>(batch, ranges, count, sums);
  }
  return batch.seam == Seam::kNone
             ? SumAsked<kDims, Seam::kNone>(batch, ranges, count, sums)
             : SumAsked<kDims, Seam::kOfRanges>(batch, ranges, count, sums);
}

inline std::uint32_t SumBatch(const NeighborBatch& batch,
                              const CandidateRange* ranges, std::size_t count,
                              LaneSums& sums) {
  return batch.grid.planar() ? SumOneBatch<2>(batch, ranges, count, sums)
                             : SumOneBatch<3>(batch, ranges, count, sums);
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_CHOSEN_INL_H_
