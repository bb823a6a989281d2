#include "core/step/find_neighbors.h"

#include <algorithm>
#include <cstddef>

#include "core/math/float_environment.h"
#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"
#include "core/step/order_rows.h"
#include "core/step/plan_scans.h"
#include "core/step/sum_neighbors.h"

namespace meander::core {
namespace {

bool AnyoneLooks(const WorldState& state) {
  return std::any_of(state.populations.begin(), state.populations.end(),
                     [](const Population& population) {
                       return population.agents.size() != 0 &&
                              HasNeighborTerms(population.archetype);
                     });
}

// Agents of a piece of work: the more of a large world the longer a thread
// reads on, and threads end together all the same.
std::size_t SummedAtOnce(std::size_t agents) {
  constexpr std::size_t kFewest = 512;
  constexpr std::size_t kPieces = 256;
  return std::clamp(agents / kPieces, kFewest, kMostSummed);
}

}  // namespace

void FindNeighbors(WorldState& state, ParallelFor& parallel) {
  NeighborScratch& scratch = state.neighbors;
  if (!AnyoneLooks(state)) {
    if (!scratch.populations.empty()) scratch = {};
    return;
  }
  RebuildGrid(state, scratch.grid, parallel);
  OrderRows(state, state.tick, parallel);
  scratch.populations.resize(state.populations.size());
  for (std::size_t p = 0; p < state.populations.size(); ++p) {
    PlanScans(state.populations[p], scratch.grid, scratch.populations[p]);
  }
  FindLookalikes(scratch.populations);
  const std::size_t agents = scratch.grid.size();
  const std::size_t each = SummedAtOnce(agents);
  RunPieces(parallel, (agents + each - 1) / each, [&](std::size_t piece) {
    const ScopedFloatEnvironment environment;
    const std::size_t first = piece * each;
    SumNeighbors(state.kernels->neighbors, scratch, first,
                 std::min(first + each, agents));
  });
}

}  // namespace meander::core
