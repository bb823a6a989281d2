// The neighbor pass of a step: for each agent with neighbor terms, the sums
// over its neighbors, left in WorldState::neighbors for the steering kernels.
//
// Reads positions, velocities, ids and groups before the step; writes scratch
// alone. One scan serves all terms of an archetype that have the same
// Neighborhood. A world in which no agent has a neighbor term has no grid.
#ifndef MEANDER_CORE_STEP_FIND_NEIGHBORS_H_
#define MEANDER_CORE_STEP_FIND_NEIGHBORS_H_

#include "core/parallel_for.h"
#include "core/world_state.h"

namespace meander::core {

// Precondition: the state is settled. The result is the same bits for any
// threads and any rows. Does not allocate once warm.
void FindNeighbors(WorldState& state, ParallelFor& parallel);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_FIND_NEIGHBORS_H_
