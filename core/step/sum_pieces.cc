#include "core/step/sum_pieces.h"

#include <algorithm>
#include <cmath>

#include "core/step/sum_neighbors.h"

namespace meander::core {
namespace {

// Fewer leave lanes of a kernel empty.
constexpr std::size_t kFewestSummed = NeighborBatch::kMostLanes;

// How far anybody looks: in sub-cells along a row, and in rows.
struct Reach {
  float sub_cells = 0.0f;
  float rows = 1.0f;
};

float Across(float cells) { return 2.0f * std::ceil(cells) + 1.0f; }

Reach WidestReach(const NeighborGrid& grid,
                  std::span<const PopulationScans> populations) {
  Reach widest;
  for (const PopulationScans& population : populations) {
    for (const NeighborScan& scan : population.scans) {
      const NeighborQuery& query = scan.query;
      const float rows = Across(query.reach_y) *
                         (grid.planar() ? 1.0f : Across(query.reach_z));
      widest.sub_cells = std::max(widest.sub_cells, query.reach_x);
      widest.rows = std::max(widest.rows, rows);
    }
  }
  return widest;
}

// About how many candidates an agent of the row has, as if all rows within
// reach were like its own.
std::uint64_t CandidatesOf(const NeighborGrid& grid,
                           const NeighborGrid::Row& row, std::size_t agent,
                           const Reach& reach) {
  const std::uint32_t* const cells = grid.sub_cell.data();
  const auto cell = static_cast<float>(cells[agent]);
  const std::uint32_t* const first = std::lower_bound(
      cells + row.first, cells + agent, CellIndex(cell - reach.sub_cells));
  const std::uint32_t* const end = std::upper_bound(
      cells + agent, cells + row.end, CellIndex(cell + reach.sub_cells));
  const auto along = static_cast<double>(end - first);
  const auto all = static_cast<double>(grid.size());
  return static_cast<std::uint64_t>(
      std::min(along * static_cast<double>(reach.rows), all));
}

// Agents of a piece where there is room: the more of a large world the longer a
// thread reads on, and threads end together all the same.
std::size_t RoomyPiece(std::size_t agents) {
  constexpr std::size_t kFewest = 512;
  constexpr std::size_t kPieces = 256;
  return std::clamp(agents / kPieces, kFewest, kMostSummed);
}

}  // namespace

void ListPieces(const NeighborGrid& grid,
                std::span<const PopulationScans> populations,
                std::vector<std::uint32_t>& pieces) {
  pieces.clear();
  const Reach reach = WidestReach(grid, populations);
  const std::size_t agents = grid.size();
  const std::size_t each = RoomyPiece(agents);
  std::size_t row = 0;
  for (std::size_t first = 0; first < agents; first += each) {
    const std::size_t end = std::min(first + each, agents);
    // One of them stands for all: a throng of more than two pieces has such.
    const std::size_t middle = first + (end - first) / 2;
    while (grid.rows[row].end <= middle) ++row;
    const std::uint64_t pairs =
        (end - first) * CandidatesOf(grid, grid.rows[row], middle, reach);
    const std::size_t parts =
        std::clamp<std::uint64_t>((pairs + kMostPairs - 1) / kMostPairs, 1,
                                  (end - first) / kFewestSummed + 1);
    for (std::size_t part = 0; part < parts; ++part) {
      pieces.push_back(
          static_cast<std::uint32_t>(first + (end - first) * part / parts));
    }
  }
  pieces.push_back(static_cast<std::uint32_t>(agents));
}

}  // namespace meander::core
