// Steering of one block: the forces of an archetype's terms, summed.
//
// Terms act in the order of the archetype's list (WEIGHTED_SUM); each reads
// the state before the step. Writes the block's force columns and, for a
// wander, the agents' own angles. Blocks may run on any threads side by side.
#ifndef MEANDER_CORE_STEERING_STEER_H_
#define MEANDER_CORE_STEERING_STEER_H_

#include "core/world_state.h"

namespace meander::core {

// Precondition: the state is settled and nobody writes positions, velocities
// or targets meanwhile. `tick` is the one that the step produces.
void SteerBlock(WorldState& state, const AgentBlock& block, std::int64_t tick);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_STEER_H_
