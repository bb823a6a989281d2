// All agents of a world in canonical order, so that neighbors are found without
// looking at everybody. Made anew each tick; not state.
//
// Order: by cell in z, then in y, then by sub-cell in x (a quarter of a cell),
// then by id. Invariant: it depends on ids, positions, bounds and cell_size
// alone, not on rows, threads or insertion. Indices count from bounds_min:
//   z and y: floor((p - min) / cell_size)    x: floor(4 * ((p - min) / size))
// in binary32. In a plane its two axes count as x and y (XZ: x and z; YZ: y and
// z) and z is 0; all places and offsets here are in these axes. Memory follows
// the agents, never the extent: only rows (z, y) with agents are listed.
// Units: world units. Threads: one writer, or many readers.
#ifndef MEANDER_CORE_SPACE_NEIGHBOR_GRID_H_
#define MEANDER_CORE_SPACE_NEIGHBOR_GRID_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/agents/agent_index.h"
#include "core/agents/column.h"
#include "core/archetype.h"
#include "core/math/limit.h"
#include "core/math/vec3.h"
#include "core/operation.h"
#include "core/parallel_for.h"
#include "core/simulation_config.h"
#include "core/space/wrap.h"

namespace meander::core {

struct WorldState;

inline constexpr float kSubCells = 4.0f;  // of a cell, in x
// Above every index: (2 * kMaxBound / kMinCellSize) * kSubCells is 2^23.
inline constexpr std::uint32_t kLastCell = (1u << 24) - 1;

// Numbers are not negative: what the conversion cuts off is the fraction.
inline std::uint32_t CellIndex(float cells) {
  // By way of a signed number, which vectors convert to.
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(
      AtMost(AtLeast(cells, 0.0f), static_cast<float>(kLastCell))));
}

// A location in 32 bits.
inline constexpr unsigned kRowBits = 21;
static_assert(kMaxAgents < std::int64_t{1} << kRowBits);
static_assert(kMaxArchetypeId <= 1 << (32 - kRowBits));
constexpr std::uint32_t PackLocation(const AgentLocation& location) {
  return location.population << kRowBits | location.row;
}
constexpr AgentLocation UnpackLocation(std::uint32_t packed) {
  return {packed >> kRowBits, packed & ((1u << kRowBits) - 1)};
}

struct GridAxis {
  float low = 0.0f;
  float high = 0.0f;
  float cell_size = 1.0f;
  float extent = 0.0f;  // in cells
  bool wraps = false;
  WrapAxis wrap;

  // A place in cells from the lower bound.
  float Cells(float place) const { return (place - low) / cell_size; }
};

// Where the agents of one population lie, as the axes of the grid see them.
struct GridSource {
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;  // none in a plane
  const float* velocity_x = nullptr;
  const float* velocity_y = nullptr;
  const float* velocity_z = nullptr;
  const AgentId* id = nullptr;
  const std::uint32_t* groups = nullptr;
  std::uint32_t first = 0;  // of its rows among those of all populations
  std::uint32_t rows = 0;
};

struct NeighborGrid {
  // Agents of one cell in y and z, in order of x.
  struct Row {
    std::uint32_t z = 0;
    std::uint32_t y = 0;
    std::uint32_t first = 0;  // agents [first, end)
    std::uint32_t end = 0;
  };
  // Rows of one cell in z, in order of y.
  struct Slab {
    std::uint32_t z = 0;
    std::uint32_t first = 0;  // rows [first, end)
    std::uint32_t end = 0;
  };
  struct Key {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
    std::uint32_t source = 0;  // a packed location
  };
  // So many elements may be read past the last agent's.
  static constexpr std::size_t kPadding = 2 * kVectorRows;

  Plane plane = Plane::kNone;
  GridAxis axis_x;
  GridAxis axis_y;
  GridAxis axis_z;

  // One element for each agent (and padding), in canonical order. In a plane
  // there are no elements of z: they are 0.
  std::vector<float> x, y, z;
  std::vector<float> velocity_x, velocity_y, velocity_z;
  std::vector<std::uint32_t> sub_cell;  // in x
  // One for each agent.
  std::vector<AgentId> id;
  std::vector<std::uint32_t> location;  // packed
  // None where all have the same.
  std::vector<std::uint32_t> groups;
  // The bits that are set in the groups of every agent.
  std::uint32_t common_groups = 0;

  std::vector<Row> rows;
  std::vector<Slab> slabs;

  // What sorting needs.
  std::vector<GridSource> sources;
  std::vector<Key> keys, other_keys;
  std::vector<std::uint32_t> cell_ends;
  std::vector<std::uint32_t> band_places;

  std::size_t size() const { return id.size(); }
  bool planar() const { return plane != Plane::kNone; }
  Vec3 Position(std::size_t agent) const {
    return {x[agent], y[agent], planar() ? 0.0f : z[agent]};
  }
  Vec3 Velocity(std::size_t agent) const {
    return {velocity_x[agent], velocity_y[agent],
            planar() ? 0.0f : velocity_z[agent]};
  }
  std::uint32_t Groups(std::size_t agent) const {
    return groups.empty() ? common_groups : groups[agent];
  }
  AgentLocation Location(std::size_t agent) const {
    return UnpackLocation(location[agent]);
  }
  // The minimum image of the way from p to q.
  Vec3 Offset(const Vec3& p, const Vec3& q) const {
    return {DeltaCoordinate(axis_x.wrap, p.x, q.x),
            DeltaCoordinate(axis_y.wrap, p.y, q.y),
            DeltaCoordinate(axis_z.wrap, p.z, q.z)};
  }
};

// Between the world's axes and those of the grid.
inline Vec3 ToGridAxes(Plane plane, const Vec3& world) {
  if (plane == Plane::kXZ) return {world.x, world.z, world.y};
  if (plane == Plane::kYZ) return {world.y, world.z, world.x};
  return world;
}
inline Vec3 FromGridAxes(Plane plane, const Vec3& grid) {
  if (plane == Plane::kXZ) return {grid.x, grid.z, grid.y};
  if (plane == Plane::kYZ) return {grid.z, grid.x, grid.y};
  return grid;
}

// Sorts all agents of the state, external ones too. Precondition: the state is
// settled. Allocates only where there are more agents than ever before, and
// gives back what few of them use.
void RebuildGrid(const WorldState& state, NeighborGrid& grid,
                 ParallelFor& parallel);

// Resizes what is filled anew each tick: keeps memory, but for a lot unused.
template <typename Column>
void ResizeScratch(Column& column, std::size_t size) {
  constexpr std::size_t kKept = 64;
  column.resize(size);
  if (column.capacity() > 4 * size + kKept) column.shrink_to_fit();
}

}  // namespace meander::core

#endif  // MEANDER_CORE_SPACE_NEIGHBOR_GRID_H_
