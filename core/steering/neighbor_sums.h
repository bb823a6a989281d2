// What the neighbor pass leaves for the kernels of flocking: for each neighbor
// term of an archetype, sums over the neighbors of each of its agents. Terms
// that look at the same neighbors share them.
//
// Scratch of a step: written whole by FindNeighbors (step/find_neighbors.h),
// read by the kernels of the same step (steering/flocking.h). Memory is kept
// from tick to tick. Threads: many, each on its own rows.
#ifndef MEANDER_CORE_STEERING_NEIGHBOR_SUMS_H_
#define MEANDER_CORE_STEERING_NEIGHBOR_SUMS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/agents/column.h"
#include "core/archetype.h"
#include "core/math/vec3.h"
#include "core/space/neighbor_grid.h"
#include "core/space/neighbor_search.h"

namespace meander::core {

// Of one agent and term.
struct NeighborSum {
  // Separation: of pushes away from neighbors (flocking.h says what a push
  // is); alignment: of velocities, units/s; cohesion: of offsets, units.
  Vec3 sum;
  std::uint32_t count = 0;
  // To the nearest neighbor that is not coincident; infinite when there is
  // none. Separation with NEAREST_FADE alone.
  float nearest_squared = std::numeric_limits<float>::infinity();
};

// A vector for each row of a population, in the axes of the grid. Nothing where
// nobody reads it; in a plane, and for no row, nothing off it.
struct SumColumns {
  Column<float> x, y, z;
};

// What a term reads of the sums of its scan.
enum class SumKind : std::uint8_t { kNone, kPushes, kVelocities, kOffsets };

// Terms of one archetype that look at the same neighbors: one scan serves them.
// Of separations only those that push alike.
struct NeighborScan {
  NeighborQuery query;
  bool moves = false;                      // whether to sum velocities
  bool gathers = false;                    // whether to sum offsets
  const Separation* separation = nullptr;  // of the archetype, if any pushes
  SumColumns pushes;
  SumColumns velocities;
  SumColumns offsets;
  Column<std::uint32_t> count;    // with velocities or offsets
  Column<float> nearest_squared;  // with NEAREST_FADE
};

// The sums of a block: pointers to its first row. In the world's axes; 0 off a
// plane. Whole vectors may be read.
struct NeighborSums {
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;
  const std::uint32_t* count = nullptr;
  const float* nearest_squared = nullptr;

  Vec3 Sum(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

// Where the sums of a term are.
struct TermSums {
  std::uint8_t scan = 0;
  SumKind kind = SumKind::kNone;
};

// Both empty for an archetype without neighbor terms, and without agents.
struct PopulationScans {
  std::vector<NeighborScan> scans;
  std::vector<TermSums> terms;  // by index of the term
  // A population, this or one before, whose scans look for the same and add up
  // the same, one by one.
  std::uint32_t looks_as = 0;
};

// What OrderRows (step/order_rows.h) needs for some of the agents.
struct RowOrder {
  std::vector<std::uint32_t> places;  // in the grid
  std::vector<std::uint32_t> from, to;
  std::vector<std::byte> room;
};

// What RowRanks (step/row_ranks.h) needs for all of them, in pieces.
struct AllRowsOrder {
  // By piece and population.
  std::vector<std::uint32_t> first_ranks, next_ranks;
  std::vector<std::size_t> away;  // in the pieces before
  // Kept where many are out of order again and again.
  std::vector<std::uint32_t> from;
  std::vector<std::uint64_t> room;
};

struct NeighborScratch {
  NeighborGrid grid;
  std::vector<RowOrder> row_orders;
  AllRowsOrder all_rows;
  std::size_t ordered_agents = 0;
  std::vector<PopulationScans> populations;  // as in WorldState
  std::vector<std::uint32_t> sum_pieces;     // see step/sum_pieces.h

  // Precondition: this tick's FindNeighbors filled the term's sums.
  NeighborSums Sums(std::uint32_t population, std::size_t term,
                    std::uint32_t first_row) const;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_NEIGHBOR_SUMS_H_
