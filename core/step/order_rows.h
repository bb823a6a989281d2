// Keeps agents that are near in space near in memory.
//
// Which row an agent has is not state, but a tick is faster when rows are in
// about the canonical order: what it reads and writes of neighbors lies
// together then. So each tick a part of the agents exchange rows, so that they
// are in order among themselves, the whole once in kRowOrderTicks ticks; where
// many are far out of place (they were just spawned, or the world mixes fast)
// all are moved at once, as often at most. Changes no bit of any state.
// Threads: one world, one caller.
#ifndef MEANDER_CORE_STEP_ORDER_ROWS_H_
#define MEANDER_CORE_STEP_ORDER_ROWS_H_

#include <cstdint>

#include "core/parallel_for.h"
#include "core/world_state.h"

namespace meander::core {

inline constexpr std::int64_t kRowOrderTicks = 64;
// Fewer agents than this are near in memory anyhow.
inline constexpr std::size_t kFewestOrdered = 2048;

// Precondition: state.neighbors.grid is of the state as it is. Moves rows, and
// locations in the grid and in the index with them. `tick` chooses the part.
void OrderRows(WorldState& state, std::int64_t tick, ParallelFor& parallel);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_ORDER_ROWS_H_
