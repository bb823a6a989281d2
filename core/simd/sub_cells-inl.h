// Where in the rows of a grid candidates are.
#if defined(MEANDER_CORE_SIMD_SUB_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#undef MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#else
#define MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/simd/neighbor_kernels.h"
#include "core/simd/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

HWY_INLINE Ints SameCell(std::uint32_t cell) {
  return hn::Set(kInts, static_cast<std::int32_t>(cell));
}

// Bit i: whether element i of a vector's worth is above `low`.
HWY_INLINE std::uint32_t Above(const std::uint32_t* cells, Ints low) {
  const auto here =
      hn::LoadU(kInts, reinterpret_cast<const std::int32_t*>(cells));
  std::uint8_t bytes[8];
  hn::StoreMaskBits(kInts, hn::Gt(here, low), bytes);
  return kLanes > 8 ? bytes[0] | std::uint32_t{bytes[1]} << 8 : bytes[0];
}

// The first of [from, end), ascending, that is above `low`. Reads up to two
// vectors past the end. Two at a time, for most are found there, and nobody
// guesses in which.
HWY_INLINE std::uint32_t FirstAbove(const std::uint32_t* cells,
                                    std::uint32_t from, std::uint32_t end,
                                    Ints low) {
  for (; from < end; from += 2 * kLanes) {
    const std::uint64_t above = Above(cells + from, low) |
                                std::uint64_t{Above(cells + from + kLanes, low)}
                                    << kLanes;
    if (above != 0) {
      return std::min(
          from + static_cast<std::uint32_t>(std::countr_zero(above)), end);
    }
  }
  return end;
}

// In integers in the order of the numbers (math/limit.h).
inline void Bounds(const float* column, std::size_t begin, std::size_t end,
                   float& least, float& largest) {
  Ints low = OrderOf(Same(column[begin]));
  Ints high = low;
  for (std::size_t i = begin; i < end; i += kLanes) {
    const Ints here = hn::IfThenElse(hn::FirstN(kInts, end - i),
                                     OrderOf(Load(column + i)), low);
    low = hn::Min(low, here);
    high = hn::Max(high, here);
  }
  // OrderOf is its own inverse.
  const auto number = [](Ints order) {
    return hn::GetLane(FloatsOf(OrderOf(FloatsOf(order))));
  };
  least = number(hn::MinOfLanes(kInts, low));
  largest = number(hn::MaxOfLanes(kInts, high));
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

#endif  // MEANDER_CORE_SIMD_SUB_CELLS_INL_H_
