#include "core/space/index_cells.h"

#include "core/space/neighbor_grid.h"

namespace meander::core {

void IndexCells(const CellNumbers& numbers, const PlaceColumns& places,
                std::size_t count, std::uint32_t* cells) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t cell = 0;
    for (std::size_t k = 0; k < numbers.axes.size(); ++k) {
      const CellNumbers::Axis& axis = numbers.axes[k];
      if (axis.stride == 0) continue;
      const float index =
          axis.parts * ((places[k][i] - axis.low) / axis.cell_size);
      cell += (CellIndex(index) - axis.first) * axis.stride;
    }
    cells[i] = cell;
  }
}

}  // namespace meander::core
