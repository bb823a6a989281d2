#include "core/step/find_neighbors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/math/float_environment.h"
#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"
#include "core/step/order_rows.h"
#include "core/step/plan_scans.h"
#include "core/step/sum_neighbors.h"
#include "core/step/sum_pieces.h"

namespace meander::core {
namespace {

bool AnyoneLooks(const WorldState& state) {
  return std::any_of(state.populations.begin(), state.populations.end(),
                     [](const Population& population) {
                       return population.agents.size() != 0 &&
                              HasNeighborTerms(population.archetype);
                     });
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
  ListPieces(scratch.grid, scratch.populations, scratch.sum_pieces);
  const std::vector<std::uint32_t>& pieces = scratch.sum_pieces;
  RunPieces(parallel, pieces.size() - 1, [&](std::size_t piece) {
    if (parallel.Abandoned()) return;
    const ScopedFloatEnvironment environment;
    SumNeighbors(state.kernels->neighbors, scratch, pieces[piece],
                 pieces[piece + 1]);
  });
}

}  // namespace meander::core
