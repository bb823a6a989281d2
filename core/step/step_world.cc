#include "core/step/step_world.h"

#include <atomic>
#include <cstdint>

#include "core/math/float_environment.h"
#include "core/steering/steer.h"
#include "core/step/apply_commands.h"
#include "core/step/find_neighbors.h"
#include "core/step/integrate.h"
#include "core/step/tell_losses.h"

namespace meander::core {
namespace {

// Each thread that lends itself computes in the same floating-point
// environment, whatever its host had set.
template <typename Body>
void ForEachBlock(WorldState& state, ParallelFor& parallel, Body body) {
  parallel.Run(state.blocks.size(), [&](std::size_t i) {
    const ScopedFloatEnvironment environment;
    body(state.blocks[i]);
  });
}

}  // namespace

void StepWorld(WorldState& state, std::span<const AdmittedCommand> commands,
               std::span<CommandOutcome> outcomes, ParallelFor& parallel) {
  const ScopedFloatEnvironment environment;
  const std::int64_t tick = state.tick + 1;

  ApplyCommands(state, tick, commands, outcomes);

  FindNeighbors(state, parallel);

  ForEachBlock(state, parallel, [&](AgentBlock& block) {
    block.losses = SteerBlock(state, block, tick);
  });

  TellLosses(state, tick);

  std::atomic<std::int64_t> stops = 0;
  ForEachBlock(state, parallel, [&](const AgentBlock& block) {
    stops.fetch_add(IntegrateBlock(state, block), std::memory_order_relaxed);
  });

  if (state.config.bounds_mode == BoundsMode::kOpen) state.bound_stops += stops;
  state.tick = tick;
}

}  // namespace meander::core
