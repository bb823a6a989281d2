#include "core/space/neighbor_grid.h"

#include <algorithm>

#include "core/space/grid_sort.h"
#include "core/world_state.h"

namespace meander::core {
namespace {

GridAxis GridAxisOf(float low, float high, float cell_size,
                    const WrapAxis& wrap, bool wraps) {
  return {.low = low,
          .high = high,
          .cell_size = cell_size,
          .extent = (high - low) / cell_size,
          .wraps = wraps,
          .wrap = wrap};
}

void SetAxes(const SimulationConfig& config, NeighborGrid& grid) {
  const Vec3 low = ToGridAxes(config.plane, config.bounds_min);
  const Vec3 high = ToGridAxes(config.plane, config.bounds_max);
  const Wrap wrap = WrapOf(config);
  const bool wraps = config.bounds_mode == BoundsMode::kWrap;
  const float size = config.cell_size;
  const bool planar = config.plane != Plane::kNone;
  const WrapAxis& wrap_x = config.plane == Plane::kYZ ? wrap.y : wrap.x;
  const WrapAxis& wrap_y =
      config.plane == Plane::kXZ || config.plane == Plane::kYZ ? wrap.z
                                                               : wrap.y;
  grid.plane = config.plane;
  grid.axis_x = GridAxisOf(low.x, high.x, size, wrap_x, wraps);
  grid.axis_y = GridAxisOf(low.y, high.y, size, wrap_y, wraps);
  grid.axis_z = GridAxisOf(low.z, high.z, size, planar ? WrapAxis{} : wrap.z,
                           wraps && !planar);
}

// Lists where the agents lie, and whether their groups differ.
void ListSources(const WorldState& state, NeighborGrid& grid) {
  grid.sources.clear();
  std::uint32_t first = 0;
  for (const Population& population : state.populations) {
    const AgentColumns& agents = population.agents;
    const auto rows = static_cast<std::uint32_t>(agents.size());
    GridSource& source = grid.sources.emplace_back();
    source = {.x = agents.position_x.data(),
              .y = agents.position_y.data(),
              .velocity_x = agents.velocity_x.data(),
              .velocity_y = agents.velocity_y.data(),
              .id = agents.id.data(),
              .groups = agents.groups.data(),
              .first = first,
              .rows = rows};
    if (grid.plane == Plane::kXZ || grid.plane == Plane::kYZ) {
      source.y = agents.position_z.data();
      source.velocity_y = agents.velocity_z.data();
    }
    if (grid.plane == Plane::kYZ) {
      source.x = agents.position_y.data();
      source.velocity_x = agents.velocity_y.data();
    }
    if (grid.plane == Plane::kNone) {
      source.z = agents.position_z.data();
      source.velocity_z = agents.velocity_z.data();
    }
    first += rows;
  }
}

void ResizeColumns(std::size_t agents, NeighborGrid& grid) {
  std::uint32_t common = ~std::uint32_t{0};
  std::uint32_t any = 0;
  for (const GridSource& source : grid.sources) {
    for (std::uint32_t row = 0; row < source.rows; ++row) {
      common &= source.groups[row];
      any |= source.groups[row];
    }
  }
  grid.common_groups = common;
  const std::size_t padded = agents + NeighborGrid::kPadding;
  for (auto* column : {&grid.x, &grid.y, &grid.velocity_x, &grid.velocity_y}) {
    ResizeScratch(*column, padded);
  }
  ResizeScratch(grid.z, grid.planar() ? 0 : padded);
  ResizeScratch(grid.velocity_z, grid.planar() ? 0 : padded);
  ResizeScratch(grid.sub_cell, padded);
  ResizeScratch(grid.id, agents);
  ResizeScratch(grid.location, agents);
  ResizeScratch(grid.groups, any == common ? 0 : agents);
}

}  // namespace

void RebuildGrid(const WorldState& state, NeighborGrid& grid,
                 ParallelFor& parallel) {
  SetAxes(state.config, grid);
  ListSources(state, grid);
  ResizeColumns(state.index.size(), grid);
  if (SortByCounting(state.kernels->neighbors, grid, parallel)) {
    ResizeScratch(grid.keys, 0);
    ResizeScratch(grid.other_keys, 0);
  } else {
    ResizeScratch(grid.cell_ends, 0);
    SortByRadix(state.index, grid, parallel);
  }
  ResizeScratch(grid.rows, grid.rows.size());
  ResizeScratch(grid.slabs, grid.slabs.size());
}

}  // namespace meander::core
