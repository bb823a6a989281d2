// Where in the rows of a grid candidates are. Vectors as wide as can be.
#if defined(MEANDER_CORE_SIMD_SUB_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#undef MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#else
#define MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
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

// Bit i: whether element i of a vector's worth is above `low`.
HWY_INLINE std::uint32_t Above(const std::uint32_t* cells,
                               hn::Vec<CellTag> low) {
  const auto here =
      hn::LoadU(CellTag(), reinterpret_cast<const std::int32_t*>(cells));
  std::uint8_t bytes[8];
  hn::StoreMaskBits(CellTag(), hn::Gt(here, low), bytes);
  return kCellLanes > 8 ? bytes[0] | std::uint32_t{bytes[1]} << 8 : bytes[0];
}

// The first of [from, end), ascending, that is above `low`. Reads up to two
// vectors past the end. Two at a time, for most are found there, and nobody
// guesses in which.
HWY_INLINE std::uint32_t FirstAbove(const std::uint32_t* cells,
                                    std::uint32_t from, std::uint32_t end,
                                    hn::Vec<CellTag> low) {
  for (; from < end; from += 2 * kCellLanes) {
    const std::uint64_t above =
        Above(cells + from, low) |
        std::uint64_t{Above(cells + from + kCellLanes, low)} << kCellLanes;
    if (above != 0) {
      return std::min(
          from + static_cast<std::uint32_t>(std::countr_zero(above)), end);
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

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
