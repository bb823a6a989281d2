#include "core/step/step_world.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/math/float_environment.h"
#include "core/steering/steer.h"
#include "core/step/apply_commands.h"
#include "core/step/find_neighbors.h"
#include "core/step/integrate.h"
#include "core/step/tell_losses.h"

namespace meander::core {
namespace {

// Blocks that a thread takes at once. To hand out pieces costs as much as some
// agents' steps, and memory is read faster the longer it goes on; but threads
// end together only where there are many pieces.
std::size_t BlocksOfPiece(std::size_t blocks) {
  constexpr std::size_t kFewest = 4;
  constexpr std::size_t kMost = 32;
  constexpr std::size_t kPieces = 64;
  return std::clamp(blocks / kPieces, kFewest, kMost);
}

// Each thread that lends itself computes in the same floating-point
// environment, whatever its host had set.
template <typename Body>
void ForEachBlock(WorldState& state, ParallelFor& parallel, Body body) {
  const std::size_t blocks = state.blocks.size();
  const std::size_t each = BlocksOfPiece(blocks);
  parallel.Run((blocks + each - 1) / each, [&](std::size_t piece) {
    const ScopedFloatEnvironment environment;
    const std::size_t end = std::min(blocks, (piece + 1) * each);
    for (std::size_t i = piece * each; i < end; ++i) {
      body(state.blocks[i]);
    }
  });
}

// Whether the force on an agent may depend on the motion of another that the
// neighbor pass has no copy of.
bool AnyoneReadsAgents(const WorldState& state) {
  return std::any_of(
      state.populations.begin(), state.populations.end(),
      [](const Population& population) {
        const std::vector<Term>& terms = population.archetype.terms;
        return std::any_of(
            terms.begin(), terms.end(), [&population](const Term& term) {
              const std::optional<std::int32_t> slot = SlotOf(term.behavior);
              return slot && population.agents.NamesAgents(
                                 static_cast<std::size_t>(*slot));
            });
      });
}

// Forces of all agents, then motion of all.
std::int64_t SteerThenMove(WorldState& state, std::int64_t tick,
                           ParallelFor& parallel) {
  for (Population& population : state.populations) {
    population.agents.BringForces();
  }
  ForEachBlock(state, parallel, [&](AgentBlock& block) {
    block.losses = SteerBlock(state, block, tick);
  });

  TellLosses(state, tick);

  std::atomic<std::int64_t> stops = 0;
  ForEachBlock(state, parallel, [&](const AgentBlock& block) {
    stops.fetch_add(IntegrateBlock(state, block), std::memory_order_relaxed);
  });
  return stops;
}

// The same where no agent's force depends on what another's motion changes:
// block by block, while its agents are at hand.
std::int64_t SteerAndMove(WorldState& state, std::int64_t tick,
                          ParallelFor& parallel) {
  for (Population& population : state.populations) {
    population.agents.DropForces();
  }
  std::atomic<std::int64_t> stops = 0;
  ForEachBlock(state, parallel, [&](AgentBlock& block) {
    alignas(64) std::array<std::array<float, kBlockRows>, 3> forces;
    const ForceColumns force{forces[0].data(), forces[1].data(),
                             forces[2].data()};
    block.losses = SteerBlock(state, block, tick, force);
    stops.fetch_add(IntegrateBlock(state, block, force),
                    std::memory_order_relaxed);
  });

  TellLosses(state, tick);
  return stops;
}

}  // namespace

void StepWorld(WorldState& state, std::span<const AdmittedCommand> commands,
               std::span<CommandOutcome> outcomes, ParallelFor& parallel) {
  const ScopedFloatEnvironment environment;
  const std::int64_t tick = state.tick + 1;

  ApplyCommands(state, tick, commands, outcomes);

  FindNeighbors(state, parallel);

  const std::int64_t stops = AnyoneReadsAgents(state)
                                 ? SteerThenMove(state, tick, parallel)
                                 : SteerAndMove(state, tick, parallel);

  if (state.config.bounds_mode == BoundsMode::kOpen) state.bound_stops += stops;
  state.tick = tick;
}

}  // namespace meander::core
