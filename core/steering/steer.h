// Steering of one block: the forces of an archetype's terms, combined.
//
// Terms act level by level in ascending order, within a level as they are
// listed; each reads the state before the step. What becomes of the levels is
// for combine.h. Writes forces and, for a wander, the agents' own state. Blocks
// may run on any threads side by side.
#ifndef MEANDER_CORE_STEERING_STEER_H_
#define MEANDER_CORE_STEERING_STEER_H_

#include <cstdint>

#include "core/steering/combine.h"
#include "core/world_state.h"

namespace meander::core {

// Preconditions: FindNeighbors ran on this state, and nobody writes positions,
// velocities or targets meanwhile. `tick` is the one that the step produces.
// Returns how many slots that terms read name nobody without that having been
// told: see step/tell_losses.h.
// Forces go to columns that begin at the block's first row and have room for
// kBlockRows, or to the agents' own, which must be there.
std::uint32_t SteerBlock(WorldState& state, const AgentBlock& block,
                         std::int64_t tick, const ForceColumns& total);
std::uint32_t SteerBlock(WorldState& state, const AgentBlock& block,
                         std::int64_t tick);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_STEER_H_
