// How RebuildGrid brings agents in canonical order: two ways, one result.
//
// By counting, where the cells between the outermost agents are not many more
// than the agents: agents are dealt out to bands of cells, each of which is
// counted out for itself; those of one cell are put in order of id. By radix
// else. Pieces and bands depend on the agents alone, and the order is total, so
// threads change nothing.
#ifndef MEANDER_CORE_SPACE_GRID_SORT_H_
#define MEANDER_CORE_SPACE_GRID_SORT_H_

#include <cstddef>
#include <cstdint>

#include "core/agents/agent_index.h"
#include "core/parallel_for.h"
#include "core/simd/neighbor_kernels.h"
#include "core/space/neighbor_grid.h"

namespace meander::core {

// Both fill the columns, rows and slabs of the grid. Preconditions: its axes
// and sources are set, and its columns have room for all agents.
// False when there are too many cells; then nothing is done.
bool SortByCounting(const NeighborKernels& kernels, NeighborGrid& grid,
                    ParallelFor& parallel);
void SortByRadix(const AgentIndex& index, NeighborGrid& grid,
                 ParallelFor& parallel);

// Copies agents [first, end) from where they lie.
void GatherAgents(NeighborGrid& grid, std::size_t first, std::size_t end);

}  // namespace meander::core

#endif  // MEANDER_CORE_SPACE_GRID_SORT_H_
