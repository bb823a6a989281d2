// Which scans serve the neighbor terms of an archetype, and room for what they
// sum.
//
// Terms with the same Neighborhood share a scan, but for separations that push
// in different ways. Archetypes that differ in other things may look alike:
// their agents are summed together. Pure but for memory, which is kept from
// tick to tick.
#ifndef MEANDER_CORE_STEP_PLAN_SCANS_H_
#define MEANDER_CORE_STEP_PLAN_SCANS_H_

#include <span>

#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"
#include "core/world_state.h"

namespace meander::core {

bool HasNeighborTerms(const Archetype& archetype);

// For the agents that the population has. The plan points to its archetype.
void PlanScans(const Population& population, const NeighborGrid& grid,
               PopulationScans& planned);

// Finds out who looks as another. Where there are many kinds of looks, not all
// of it. Precondition: the scans of all are planned.
void FindLookalikes(std::span<PopulationScans> populations);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_PLAN_SCANS_H_
