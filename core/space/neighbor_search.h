// Who is near an agent: visited in canonical order, a chunk at a time.
//
// Neighbors of an agent at p are the other agents at q with |Offset(p, q)|^2 <=
// radius^2 in binary32 (that test alone decides: what is scanned is a superset
// of it), that share a group bit and, unless the view is all-round, with
//   Dot(v, d) >= cos(field_of_view / 2) * (|v| * |d|),   d = Offset(p, q)
// which holds for an agent at the same place. Of these the max_neighbors
// nearest by (|d|^2, id), where that is not 0. Order: ascending in the grid,
// with absolute indices also across a seam; each once.
// Use one NeighborSearch per thread; agents that follow one another in the grid
// are cheapest. Does not allocate. The grid must not change meanwhile.
#ifndef MEANDER_CORE_SPACE_NEIGHBOR_SEARCH_H_
#define MEANDER_CORE_SPACE_NEIGHBOR_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/behavior.h"
#include "core/space/cell_interval.h"
#include "core/space/neighbor_grid.h"

namespace meander::core {

// A few neighbors: offsets to them (units, in the axes of the grid), their
// squares, and which agents of the grid they are.
struct NeighborChunk {
  static constexpr std::size_t kMost = 64;
  // A scan writes whole batches, of which it keeps some.
  static constexpr std::size_t kBatch = 8;
  static constexpr std::size_t kRoom = kMost + kBatch;

  std::size_t size = 0;  // at most kMost
  std::array<float, kRoom> x;
  std::array<float, kRoom> y;
  std::array<float, kRoom> z;
  std::array<float, kRoom> squared;
  std::array<std::uint32_t, kRoom> agent;

  Vec3 Offset(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

class NeighborVisitor {
 public:
  virtual ~NeighborVisitor() = default;
  // The next neighbors in order, at least one.
  virtual void Visit(const NeighborChunk& chunk) = 0;
};

// A Neighborhood, made ready for a grid.
struct NeighborQuery {
  float radius = 0.0f;
  float radius_squared = 0.0f;
  float reach_x = 0.0f;  // cells that surely hold all neighbors, each way
  float reach_y = 0.0f;
  float reach_z = 0.0f;
  bool all_round = true;
  float cosine = -1.0f;   // of half the field of view
  bool any_group = true;  // that every agent passes
  std::uint32_t groups = 0;
  std::size_t most = 0;  // 0: all

  NeighborQuery() = default;
  NeighborQuery(const NeighborGrid& grid, const Neighborhood& neighborhood);
  bool operator==(const NeighborQuery&) const = default;
};

class NeighborSearch {
 public:
  // For agents [first, end) of the grid.
  NeighborSearch(const NeighborGrid& grid, std::size_t first, std::size_t end);

  void ForEachNeighbor(std::size_t agent, const NeighborQuery& query,
                       NeighborVisitor& visitor);

 private:
  // A row within reach, and where in it the scan of the last agent was.
  struct Cursor {
    std::uint32_t row;
    std::uint32_t begin;
    std::uint32_t end;
  };
  // The rows that agents of the current run can reach.
  struct Reach {
    float radius;
    bool listed;  // else there are too many
    std::size_t rows;
    std::array<Cursor, 48> cursors;
  };
  struct Candidate {
    float squared;
    std::uint32_t agent;
  };

  void StartRun(std::uint32_t agent);
  Reach& FindReach(const NeighborQuery& query);
  void ListReach(const NeighborQuery& query, Reach& reach);
  void ScanReach(Reach& reach);
  void ScanEveryRow();
  void ScanRow(const NeighborGrid::Row& row, std::uint32_t begin,
               std::uint32_t end);
  void Scan(std::uint32_t begin, std::uint32_t end);
  template <bool kPlanar, bool kCrosses>
  void ScanBatches(std::uint32_t begin, std::uint32_t end);
  template <bool kPlanar, bool kCrosses>
  Vec3 OffsetTo(const Vec3& from, const Vec3& to) const;
  template <bool kPlanar, bool kCrosses>
  void MakeOffsets();
  void Flush();
  void KeepWhoPasses();
  bool Nearer(const Candidate& a, const Candidate& b) const;
  void KeepNearest();
  void VisitNearest();

  const NeighborGrid& grid_;
  const std::size_t end_;

  // The agents of one row that the search is for.
  std::uint32_t run_row_ = 0;
  std::uint32_t run_first_ = 0;
  std::uint32_t run_end_ = 0;
  Vec3 run_low_;  // of their places
  Vec3 run_high_;
  std::array<Reach, 3> reaches_;
  std::size_t reach_count_ = 0;
  std::size_t next_reach_ = 0;

  // The agent that is searched for.
  const NeighborQuery* query_ = nullptr;
  NeighborVisitor* visitor_ = nullptr;
  std::uint32_t agent_ = 0;
  Vec3 place_;
  CellInterval cells_x_;
  CellInterval cells_y_;
  CellInterval cells_z_;
  bool crosses_ = false;

  NeighborChunk chunk_;
  std::size_t nearest_count_ = 0;
  std::array<Candidate, kMaxNearest> nearest_;  // a heap: the farthest first
};

}  // namespace meander::core

#endif  // MEANDER_CORE_SPACE_NEIGHBOR_SEARCH_H_
