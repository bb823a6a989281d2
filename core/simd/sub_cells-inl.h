// Where in the rows of a grid candidates are. Vectors as wide as can be.
#if defined(MEANDER_CORE_SIMD_SUB_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#undef MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#else
#define MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/simd/neighbor_kernels.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

namespace hn = hwy::HWY_NAMESPACE;

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
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
