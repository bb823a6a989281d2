// What the neighbor pass leaves for the kernels of flocking: for each neighbor
// term of an archetype, sums over the neighbors of each of its agents.
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

// One term's sums, for each row of a population. Only what the term reads is
// allocated.
struct NeighborSumColumns {
  std::vector<float> x, y, z;
  std::vector<std::uint32_t> count;
  std::vector<float> nearest_squared;
};

// The sums of a block: pointers to its first row. In the world's axes.
struct NeighborSums {
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;
  const std::uint32_t* count = nullptr;
  const float* nearest_squared = nullptr;

  Vec3 Sum(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

// Terms of one archetype that look at the same neighbors: one scan serves them.
struct NeighborScan {
  NeighborQuery query;
  std::size_t term_count = 0;
  std::array<std::uint8_t, kMaxTerms> terms;  // indices into the archetype's
};

// Both empty for an archetype without neighbor terms, and without agents.
struct PopulationScans {
  std::vector<NeighborScan> scans;
  std::vector<NeighborSumColumns> sums;  // by index of the term
};

// What OrderRows (step/order_rows.h) needs for some of the agents.
struct RowOrder {
  std::vector<std::uint32_t> places;  // in the grid
  std::vector<std::uint32_t> from, to;
  std::vector<std::byte> room;
};

struct NeighborScratch {
  NeighborGrid grid;
  std::vector<RowOrder> row_orders;
  std::size_t ordered_agents = 0;
  std::vector<PopulationScans> populations;  // as in WorldState

  // Precondition: this tick's FindNeighbors filled the term's sums.
  NeighborSums Sums(std::uint32_t population, std::size_t term,
                    std::uint32_t first_row) const {
    const NeighborSumColumns& columns = populations[population].sums[term];
    const auto from = [first_row](const auto& column) {
      return column.empty() ? nullptr : column.data() + first_row;
    };
    return {from(columns.x), from(columns.y), from(columns.z),
            from(columns.count), from(columns.nearest_squared)};
  }
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_NEIGHBOR_SUMS_H_
