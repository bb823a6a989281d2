// The sums of the neighbor pass for agents that follow one another in the grid.
//
// Agents of one row of the grid that look alike go through a kernel in batches
// (simd/neighbor_kernels.h). One by one, through a NeighborSearch, go those
// that are too few, that reach too many rows, that look in one of many ways,
// and whose sums a kernel calls void; and all where there is no kernel. Both
// ways give the same bits. Threads: many, each with agents of its own.
#ifndef MEANDER_CORE_STEP_SUM_NEIGHBORS_H_
#define MEANDER_CORE_STEP_SUM_NEIGHBORS_H_

#include <cstddef>

#include "core/simd/neighbor_kernels.h"
#include "core/steering/neighbor_sums.h"

namespace meander::core {

// Agents that one call sums for, at most.
inline constexpr std::size_t kMostSummed = 2048;

// Sums of every scan for agents [first, end) of the grid, at most kMostSummed.
// Precondition: the grid is rebuilt and scans are planned.
void SumNeighbors(const NeighborKernels& kernels, NeighborScratch& scratch,
                  std::size_t first, std::size_t end);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_SUM_NEIGHBORS_H_
