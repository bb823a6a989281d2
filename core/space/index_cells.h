// Numbers the cells of a box, and says in which of them places are.
//
// Scalar reference of NeighborKernels::index_cells. Pure functions.
#ifndef MEANDER_CORE_SPACE_INDEX_CELLS_H_
#define MEANDER_CORE_SPACE_INDEX_CELLS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace meander::core {

// A cell's number is the sum over axes of (its index - first) * stride.
struct CellNumbers {
  struct Axis {
    float low = 0.0f;        // units
    float cell_size = 1.0f;  // units
    float parts = 1.0f;      // that a cell is divided into
    std::uint32_t first = 0;
    std::uint32_t stride = 0;
  };
  std::array<Axis, 3> axes;
};

// A coordinate of many places for each axis, those with stride 0 aside.
using PlaceColumns = std::array<const float*, 3>;

// Writes `count` numbers, of places from their first on, and not one more.
// Preconditions: no place is before its axis' first cell; columns have room
// for whole vectors.
void IndexCells(const CellNumbers& numbers, const PlaceColumns& places,
                std::size_t count, std::uint32_t* cells);

}  // namespace meander::core

#endif  // MEANDER_CORE_SPACE_INDEX_CELLS_H_
