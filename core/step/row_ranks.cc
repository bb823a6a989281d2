#include "core/step/row_ranks.h"

#include <algorithm>
#include <span>

#include "core/space/neighbor_grid.h"

namespace meander::core {
namespace {

// Agents of a piece; more where there would be too many pieces.
constexpr std::size_t kRankedAgents = 16'384;
constexpr std::size_t kMostPieces = 64;

std::size_t PiecesOf(std::size_t agents) {
  return std::clamp<std::size_t>(agents / kRankedAgents, 1, kMostPieces);
}

}  // namespace

RowRanks::RowRanks(WorldState& state, ParallelFor& parallel)
    : state_(state),
      parallel_(parallel),
      order_(state.neighbors.all_rows),
      populations_(state.populations.size()),
      pieces_(PiecesOf(state.neighbors.grid.size())) {
  const NeighborGrid& grid = state.neighbors.grid;
  order_.first_ranks.assign(pieces_ * populations_, 0);
  order_.next_ranks.resize(pieces_ * populations_);
  order_.away.resize(pieces_);
  RunPieces(parallel, pieces_, [&](std::size_t piece) {
    std::uint32_t* const counts = &order_.first_ranks[piece * populations_];
    const std::size_t end = grid.size() * (piece + 1) / pieces_;
    for (std::size_t i = grid.size() * piece / pieces_; i < end; ++i) {
      ++counts[grid.location[i] >> kRowBits];
    }
  });
  for (std::size_t population = 0; population < populations_; ++population) {
    std::uint32_t before = 0;
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      std::uint32_t& rank =
          order_.first_ranks[piece * populations_ + population];
      const std::uint32_t count = rank;
      rank = before;
      before += count;
    }
  }
}

// function(place, location, rank) for the agents of a piece.
template <typename Function>
void RowRanks::ForEachAgent(std::size_t piece, Function function) {
  const NeighborGrid& grid = state_.neighbors.grid;
  const std::uint32_t* const first = &order_.first_ranks[piece * populations_];
  std::uint32_t* const next = &order_.next_ranks[piece * populations_];
  std::copy(first, first + populations_, next);
  const std::size_t end = grid.size() * (piece + 1) / pieces_;
  for (std::size_t i = grid.size() * piece / pieces_; i < end; ++i) {
    const AgentLocation at = grid.Location(i);
    function(static_cast<std::uint32_t>(i), at, next[at.population]++);
  }
}

// function(place) for those that are further than so many rows.
template <typename Function>
void RowRanks::ForEachAway(std::size_t piece, std::int64_t rows,
                           Function function) {
  ForEachAgent(piece, [&](std::uint32_t place, const AgentLocation& at,
                          std::uint32_t rank) {
    const std::int64_t away = std::int64_t{at.row} - std::int64_t{rank};
    if (away > rows || away < -rows) function(place);
  });
}

std::size_t RowRanks::CountAway(std::int64_t rows) {
  RunPieces(parallel_, pieces_, [&](std::size_t piece) {
    std::size_t count = 0;
    ForEachAway(piece, rows, [&count](std::uint32_t) { ++count; });
    order_.away[piece] = count;
  });
  std::size_t before = 0;
  for (std::size_t& away : order_.away) {
    const std::size_t count = away;
    away = before;
    before += count;
  }
  return before;
}

void RowRanks::ListAway(std::int64_t rows, std::size_t most,
                        std::vector<std::uint32_t>& places) {
  places.clear();
  for (std::size_t piece = 0; piece < pieces_; ++piece) {
    if (order_.away[piece] >= most) break;
    ForEachAway(piece, rows, [&](std::uint32_t place) {
      if (places.size() < most) places.push_back(place);
    });
  }
}

void RowRanks::OrderAll() {
  NeighborGrid& grid = state_.neighbors.grid;
  // Before anything is said to have moved, for this may throw.
  order_.from.resize(grid.size());
  if (order_.room.size() < grid.size()) order_.room.resize(grid.size());
  RunPieces(parallel_, pieces_, [&](std::size_t piece) {
    ForEachAgent(piece, [&](std::uint32_t place, const AgentLocation& at,
                            std::uint32_t rank) {
      order_.from[grid.sources[at.population].first + rank] = at.row;
      grid.location[place] = PackLocation({at.population, rank});
    });
  });
  for (std::uint32_t population = 0; population < populations_; ++population) {
    OrderPopulation(population, grid.sources[population].first);
  }
}

void RowRanks::OrderPopulation(std::uint32_t population, std::size_t first) {
  AgentColumns& agents = state_.populations[population].agents;
  const std::size_t rows = agents.size();
  if (rows == 0) return;
  const auto from = std::span(order_.from).subspan(first, rows);
  agents.OrderRows(from, order_.room, parallel_);
  const std::size_t pieces = PiecesOf(rows);
  RunPieces(parallel_, pieces, [&](std::size_t piece) {
    const std::size_t end = rows * (piece + 1) / pieces;
    for (std::size_t i = rows * piece / pieces; i < end; ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      if (from[i] != row) state_.index.Move(agents.id[i], {population, row});
    }
  });
}

}  // namespace meander::core
