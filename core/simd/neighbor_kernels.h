// The kernels of the neighbor pass: sums over the neighbors of a few agents at
// once, one agent a lane.
//
// Candidates are added one at a time in canonical order, each to all lanes
// whose neighbor it is, so every lane adds its own neighbors in that order,
// however they were found: the bits of the scalar pass (space/neighbor_search.h
// with steering/flocking.h).
#ifndef MEANDER_CORE_SIMD_NEIGHBOR_KERNELS_H_
#define MEANDER_CORE_SIMD_NEIGHBOR_KERNELS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/simd/simd_target.h"
#include "core/space/index_cells.h"

namespace meander::core {

struct NeighborGrid;
struct NeighborScan;

// Agents [begin, end) of a grid's row, which ends at row_end, and the images
// (space/cell_interval.h) of x, y and z through which they are seen.
struct CandidateRange {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t row_end;
  std::array<std::uint8_t, 3> images;
};

// Whether offsets cross a seam: nowhere, in ranges, or as each pair has it.
enum class Seam : std::uint8_t { kNone, kOfRanges, kOfPairs };

// Agents of one row of the grid, of populations that look alike; the scan is
// that of one of these.
struct NeighborBatch {
  static constexpr std::size_t kMostLanes = 16;

  const NeighborGrid& grid;
  const NeighborScan& scan;
  std::size_t lanes = 0;                         // with an agent of their own
  std::array<std::uint32_t, kMostLanes> agents;  // lane 0's in other lanes
  Seam seam = Seam::kNone;
  // Lanes [far_first, far_end) alone have neighbors in ranges on the other side
  // of a seam in x (images[0] is not kSame).
  std::size_t far_first = 0;
  std::size_t far_end = 0;
};

// What a kernel sums, lane by lane, in the axes of the grid. What the scan does
// not ask for, and z in a plane, is anything.
struct LaneSums {
  static constexpr std::size_t kRoom = NeighborBatch::kMostLanes;
  using Lanes = std::array<float, kRoom>;

  alignas(64) Lanes push_x;
  alignas(64) Lanes push_y;
  alignas(64) Lanes push_z;
  alignas(64) Lanes velocity_x;
  alignas(64) Lanes velocity_y;
  alignas(64) Lanes velocity_z;
  alignas(64) Lanes offset_x;
  alignas(64) Lanes offset_y;
  alignas(64) Lanes offset_z;
  alignas(64) Lanes nearest_squared;
  alignas(64) std::array<std::int32_t, kRoom> count;
};

struct NeighborKernels {
  // space/index_cells.h.
  void (*index_cells)(const CellNumbers& numbers, const PlaceColumns& places,
                      std::size_t count, std::uint32_t* cells) = IndexCells;

  // Of a batch; 0: there are no kernels here, and agents go one by one.
  std::size_t lanes = 0;

  // The least and the largest of [begin, end) of a column, one at least.
  void (*bounds)(const float* column, std::size_t begin, std::size_t end,
                 float& least, float& largest) = nullptr;

  // Moves ranges on to the agents whose sub-cell is in [low, high].
  // Precondition: begin and end of each are not past theirs.
  void (*advance)(const std::uint32_t* sub_cells, std::uint32_t low,
                  std::uint32_t high, CandidateRange* ranges,
                  std::size_t count) = nullptr;

  // Sums over the ranges, which ascend and hold all neighbors. Returns the
  // lanes, as bits, whose sums are void, for the agent has coincident
  // neighbors, or the nearest that it asks for are among too many.
  std::uint32_t (*sum)(const NeighborBatch& batch, const CandidateRange* ranges,
                       std::size_t count, LaneSums& sums) = nullptr;
};

// Null when this build has none for the target.
const NeighborKernels* NeighborKernelsOf(SimdTarget target);

}  // namespace meander::core

#endif  // MEANDER_CORE_SIMD_NEIGHBOR_KERNELS_H_
