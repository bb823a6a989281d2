// Which cells of a grid can hold neighbors: a superset, whatever rounding does.
//
// Across a seam of bounds that wrap, an interval of cells is two. Pure
// functions; the grid must not change meanwhile.
#ifndef MEANDER_CORE_SPACE_CELL_INTERVAL_H_
#define MEANDER_CORE_SPACE_CELL_INTERVAL_H_

#include <algorithm>
#include <cstdint>

#include "core/math/limit.h"
#include "core/space/neighbor_grid.h"

namespace meander::core {

// Cells [low, high] of an axis, or, across a seam, [0, high] and [low, last].
struct CellInterval {
  std::uint32_t low = 0;
  std::uint32_t high = kLastCell;
  bool crosses = false;  // a seam: offsets need the minimum image
  // Where it is split: whether what reaches so far is at the low face, and
  // whether all of a part are seen through the same image by all of those.
  bool at_low_face = false;
  bool one_image = false;

  bool split() const { return low > high; }
  bool Holds(std::uint32_t cell) const {
    return split() ? cell <= high || cell >= low : cell >= low && cell <= high;
  }
};

// How coordinates p and q are subtracted: (q - a) - (p - b), where a and b are
// 0, the high and the low face, or the low and the high one. With the right one
// these are the bits of DeltaCoordinate.
enum class Image : std::uint32_t { kSame = 0, kBelow = 1, kAbove = 2 };

// Of what is in a cell of the interval. Precondition: it does not cross, or
// one_image.
inline Image ImageOf(const CellInterval& interval, std::uint32_t cell) {
  if (!interval.crosses) return Image::kSame;
  const bool upper = cell >= interval.low;
  if (interval.at_low_face) return upper ? Image::kBelow : Image::kSame;
  return upper ? Image::kSame : Image::kAbove;
}

// How far neighbors can be, in cells: the radius, and a margin for all that
// rounding does to offsets and indices. An index is off by at most two
// roundings of a number up to the extent, on either side, and a minimum image
// by two more: together under 2^-21 of it.
inline float ReachOf(const GridAxis& axis, float radius) {
  constexpr float kWiden = 1.0f + 0x1p-20f;
  return radius * kWiden / axis.cell_size + axis.extent * 0x1p-20f + 0x1p-20f;
}

// The cells within reach of places from `low` to `high` cells; `scale` cells
// count as one.
inline CellInterval Around(const GridAxis& axis, float scale, float low,
                           float high, float reach) {
  const float from = low - reach;
  const float to = high + reach;
  if (!axis.wraps) return {CellIndex(from), CellIndex(to), false};
  const float extent = scale * axis.extent;
  const CellInterval all{0, kLastCell, true};
  const bool below = from < 0.0f;
  const bool above = to >= extent;
  if (below && above) return all;
  if (!below && !above) return {CellIndex(from), CellIndex(to), false};
  // A cell more on either side, for those whose cells are cut off; a hundredth
  // for all rounding.
  const bool one_image = 2.0f * (to - from + 2.0f) < 0.99f * extent;
  const CellInterval split{CellIndex(below ? from + extent : from),
                           CellIndex(above ? to - extent : to), true, below,
                           one_image};
  // Both ends have met.
  return split.split() ? split : all;
}

// function(first, end) for the one or two runs of elements of [first, end),
// ascending by cell(element), that lie in the interval.
template <typename Element, typename Cell, typename Function>
void ForEachRun(const Element* first, const Element* end,
                const CellInterval& interval, Cell cell, Function function) {
  const auto at_least = [&](const Element* from, std::uint32_t wanted) {
    return std::partition_point(from, end, [&](const Element& element) {
      return cell(element) < wanted;
    });
  };
  if (interval.split()) {
    const Element* const low_end = at_least(first, interval.high + 1);
    function(first, low_end);
    function(at_least(low_end, interval.low), end);
  } else {
    const Element* const begin = at_least(first, interval.low);
    function(begin, at_least(begin, interval.high + 1));
  }
}

// function(row) for each row within the intervals, in order, until it is false.
template <typename Function>
void ForEachRow(const NeighborGrid& grid, const CellInterval& cells_z,
                const CellInterval& cells_y, Function function) {
  bool go_on = true;
  const auto rows_of = [&](const NeighborGrid::Slab& slab) {
    ForEachRun(
        grid.rows.data() + slab.first, grid.rows.data() + slab.end, cells_y,
        [](const NeighborGrid::Row& row) { return row.y; },
        [&](const NeighborGrid::Row* row, const NeighborGrid::Row* end) {
          for (; row < end && go_on; ++row) go_on = function(*row);
        });
  };
  ForEachRun(
      grid.slabs.data(), grid.slabs.data() + grid.slabs.size(), cells_z,
      [](const NeighborGrid::Slab& slab) { return slab.z; },
      [&](const NeighborGrid::Slab* slab, const NeighborGrid::Slab* end) {
        for (; slab < end && go_on; ++slab) rows_of(*slab);
      });
}

}  // namespace meander::core

#endif  // MEANDER_CORE_SPACE_CELL_INTERVAL_H_
