// One tick of a world, in the order in which it happens.
//
// Agents step from the same old state: forces read positions and velocities
// that no one has changed, and only when all forces stand does anything move.
#ifndef MEANDER_CORE_STEP_STEP_WORLD_H_
#define MEANDER_CORE_STEP_STEP_WORLD_H_

#include <span>

#include "core/command.h"
#include "core/parallel_for.h"
#include "core/world_state.h"

namespace meander::core {

// Preconditions: as World::Step.
void StepWorld(WorldState& state, std::span<const AdmittedCommand> commands,
               std::span<CommandOutcome> outcomes, ParallelFor& parallel);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_STEP_WORLD_H_
