#include "core/step/find_neighbors.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "core/math/float_environment.h"
#include "core/space/neighbor_grid.h"
#include "core/space/neighbor_search.h"
#include "core/steering/flocking.h"
#include "core/steering/neighbor_sums.h"
#include "core/step/order_rows.h"

namespace meander::core {
namespace {

// Agents that follow one another in the grid and are one task.
constexpr std::size_t kTaskAgents = 256;

bool HasNeighborTerms(const Archetype& archetype) {
  return std::any_of(archetype.terms.begin(), archetype.terms.end(),
                     [](const Term& term) {
                       return NeighborhoodOf(term.behavior) != nullptr;
                     });
}

bool AnyoneLooks(const WorldState& state) {
  return std::any_of(state.populations.begin(), state.populations.end(),
                     [](const Population& population) {
                       return population.agents.size() != 0 &&
                              HasNeighborTerms(population.archetype);
                     });
}

void ResizeSums(const Behavior& behavior, std::size_t rows,
                NeighborSumColumns& sums) {
  const auto* separation = std::get_if<Separation>(&behavior);
  const bool fades =
      separation != nullptr && separation->falloff == Falloff::kNearestFade;
  ResizeScratch(sums.x, rows);
  ResizeScratch(sums.y, rows);
  ResizeScratch(sums.z, rows);
  ResizeScratch(sums.count, separation == nullptr ? rows : 0);
  ResizeScratch(sums.nearest_squared, fades ? rows : 0);
}

// The scan of the terms with this neighborhood; `seen` are the neighborhoods of
// the scans.
NeighborScan& ScanFor(const Neighborhood& neighborhood,
                      const NeighborGrid& grid, PopulationScans& planned,
                      std::array<const Neighborhood*, kMaxTerms>& seen) {
  for (std::size_t i = 0; i < planned.scans.size(); ++i) {
    if (*seen[i] == neighborhood) return planned.scans[i];
  }
  seen[planned.scans.size()] = &neighborhood;
  NeighborScan& scan = planned.scans.emplace_back();
  scan.query = NeighborQuery(grid, neighborhood);
  return scan;
}

void PlanScans(const Population& population, const NeighborGrid& grid,
               PopulationScans& planned) {
  planned.scans.clear();
  const std::vector<Term>& terms = population.archetype.terms;
  const std::size_t rows = population.agents.size();
  if (rows == 0 || !HasNeighborTerms(population.archetype)) {
    planned.sums.clear();
    return;
  }
  planned.scans.reserve(kMaxTerms);
  planned.sums.resize(terms.size());
  std::array<const Neighborhood*, kMaxTerms> seen{};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Neighborhood* neighborhood = NeighborhoodOf(terms[i].behavior);
    if (neighborhood == nullptr) {
      planned.sums[i] = {};
      continue;
    }
    ResizeSums(terms[i].behavior, rows, planned.sums[i]);
    NeighborScan& scan = ScanFor(*neighborhood, grid, planned, seen);
    scan.terms[scan.term_count++] = static_cast<std::uint8_t>(i);
  }
}

// Sums of all terms of one scan, for one agent at a time.
class TermSums final : public NeighborVisitor {
 public:
  explicit TermSums(const NeighborGrid& grid) : grid_(grid) {}

  void Start(std::size_t agent, const Archetype& archetype,
             const NeighborScan& scan) {
    agent_ = agent;
    archetype_ = &archetype;
    scan_ = &scan;
    std::fill_n(sums_.begin(), scan.term_count, NeighborSum{});
  }

  void Visit(const NeighborChunk& chunk) override {
    for (std::size_t i = 0; i < scan_->term_count; ++i) {
      const Behavior& behavior = archetype_->terms[scan_->terms[i]].behavior;
      if (const auto* separation = std::get_if<Separation>(&behavior)) {
        SumSeparation(*separation, grid_, agent_, chunk, sums_[i]);
      } else if (std::holds_alternative<Alignment>(behavior)) {
        SumAlignment(grid_, chunk, sums_[i]);
      } else {
        SumCohesion(chunk, sums_[i]);
      }
    }
  }

  void Store(PopulationScans& planned, std::size_t row) const {
    for (std::size_t i = 0; i < scan_->term_count; ++i) {
      NeighborSumColumns& columns = planned.sums[scan_->terms[i]];
      const Vec3 sum = FromGridAxes(grid_.plane, sums_[i].sum);
      columns.x[row] = sum.x;
      columns.y[row] = sum.y;
      columns.z[row] = sum.z;
      if (!columns.count.empty()) columns.count[row] = sums_[i].count;
      if (!columns.nearest_squared.empty()) {
        columns.nearest_squared[row] = sums_[i].nearest_squared;
      }
    }
  }

 private:
  const NeighborGrid& grid_;
  std::size_t agent_ = 0;
  const Archetype* archetype_ = nullptr;
  const NeighborScan* scan_ = nullptr;
  std::array<NeighborSum, kMaxTerms> sums_;
};

void SumNeighbors(WorldState& state, std::size_t task) {
  NeighborScratch& scratch = state.neighbors;
  const NeighborGrid& grid = scratch.grid;
  const std::size_t first = task * kTaskAgents;
  const std::size_t end = std::min(grid.size(), first + kTaskAgents);
  NeighborSearch search(grid, first, end);
  TermSums sums(grid);
  for (std::size_t agent = first; agent < end; ++agent) {
    const AgentLocation location = grid.Location(agent);
    PopulationScans& planned = scratch.populations[location.population];
    const Archetype& archetype =
        state.populations[location.population].archetype;
    for (const NeighborScan& scan : planned.scans) {
      sums.Start(agent, archetype, scan);
      search.ForEachNeighbor(agent, scan.query, sums);
      sums.Store(planned, location.row);
    }
  }
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
  const std::size_t tasks =
      (scratch.grid.size() + kTaskAgents - 1) / kTaskAgents;
  parallel.Run(tasks, [&](std::size_t task) {
    const ScopedFloatEnvironment environment;
    SumNeighbors(state, task);
  });
}

}  // namespace meander::core
