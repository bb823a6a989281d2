// space/index_cells.h, many places at a time.
#if defined(MEANDER_CORE_SIMD_INDEX_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_INDEX_CELLS_INL_H_
#undef MEANDER_CORE_SIMD_INDEX_CELLS_INL_H_
#else
#define MEANDER_CORE_SIMD_INDEX_CELLS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/simd/vector-inl.h"
#include "core/space/index_cells.h"
#include "core/space/neighbor_grid.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

HWY_INLINE Words CellIndex(Floats cells) {
  const Floats held =
      AtMost(AtLeast(cells, Zero()), Same(static_cast<float>(kLastCell)));
  return hn::BitCast(kWords, hn::ConvertTo(kInts, held));
}

HWY_INLINE Words Share(const CellNumbers::Axis& axis, const float* places) {
  const Floats index = Same(axis.parts) *
                       ((Load(places) - Same(axis.low)) / Same(axis.cell_size));
  return (CellIndex(index) - hn::Set(kWords, axis.first)) *
         hn::Set(kWords, axis.stride);
}

inline void IndexCells(const CellNumbers& numbers, const PlaceColumns& places,
                       std::size_t count, std::uint32_t* cells) {
  const auto& axes = numbers.axes;
  for (std::size_t i = 0; i < count; i += kLanes) {
    Words cell = Share(axes[0], places[0] + i) + Share(axes[1], places[1] + i);
    if (axes[2].stride != 0) cell = cell + Share(axes[2], places[2] + i);
    if (count - i >= kLanes) {
      hn::StoreU(cell, kWords, cells + i);
    } else {
      // What comes next may be another thread's.
      HWY_ALIGN std::uint32_t last[kLanes];
      hn::Store(cell, kWords, last);
      std::copy_n(last, count - i, cells + i);
    }
  }
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_INDEX_CELLS_INL_H_
