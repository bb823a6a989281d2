// How the neighbor pass is cut into pieces of work.
//
// Agents [pieces[i], pieces[i + 1]) of the grid are piece i. Many, as long as
// few of their pairs are near, which are summed in some tens of microseconds;
// in a throng few, down to a kernel's batch, for a thread that sums does
// nothing else meanwhile. Depends on the grid and on what is looked for alone.
#ifndef MEANDER_CORE_STEP_SUM_PIECES_H_
#define MEANDER_CORE_STEP_SUM_PIECES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"

namespace meander::core {

// So many candidates are about a piece's, unless a batch has more.
inline constexpr std::uint64_t kMostPairs = 1u << 18;

// Preconditions: the grid is rebuilt and scans are planned. Allocates only
// where there are more pieces than ever before.
void ListPieces(const NeighborGrid& grid,
                std::span<const PopulationScans> populations,
                std::vector<std::uint32_t>& pieces);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_SUM_PIECES_H_
