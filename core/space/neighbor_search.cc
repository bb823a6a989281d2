#include "core/space/neighbor_search.h"

#include <algorithm>
#include <cmath>

#include "core/math/limit.h"
#include "core/math/trig.h"
#include "core/space/cell_interval.h"

namespace meander::core {
namespace {

using Row = NeighborGrid::Row;

// Rows up to this long are scanned whole where nobody remembers a place.
constexpr std::uint32_t kShortRow = 16;

}  // namespace

NeighborQuery::NeighborQuery(const NeighborGrid& grid,
                             const Neighborhood& neighborhood)
    : radius(neighborhood.radius),
      radius_squared(neighborhood.radius * neighborhood.radius),
      reach_x(kSubCells * ReachOf(grid.axis_x, neighborhood.radius)),
      reach_y(ReachOf(grid.axis_y, neighborhood.radius)),
      reach_z(ReachOf(grid.axis_z, neighborhood.radius)),
      all_round(neighborhood.field_of_view.value_or(kMaxFieldOfView) >=
                kMaxFieldOfView),
      any_group((grid.common_groups & neighborhood.neighbor_groups) != 0),
      groups(neighborhood.neighbor_groups),
      most(static_cast<std::size_t>(
          std::clamp(neighborhood.max_neighbors, 0, kMaxNearest))) {
  if (!all_round) cosine = SinCos(0.5f * *neighborhood.field_of_view).cos;
}

NeighborSearch::NeighborSearch(const NeighborGrid& grid, std::size_t first,
                               std::size_t end)
    : grid_(grid), end_(end) {
  run_first_ = run_end_ = static_cast<std::uint32_t>(first);
}

void NeighborSearch::ForEachNeighbor(std::size_t agent,
                                     const NeighborQuery& query,
                                     NeighborVisitor& visitor) {
  agent_ = static_cast<std::uint32_t>(agent);
  if (agent_ < run_first_ || agent_ >= run_end_) StartRun(agent_);
  query_ = &query;
  visitor_ = &visitor;
  place_ = grid_.Position(agent);
  const float x = kSubCells * grid_.axis_x.Cells(place_.x);
  const float y = grid_.axis_y.Cells(place_.y);
  cells_x_ = Around(grid_.axis_x, kSubCells, x, x, query.reach_x);
  cells_y_ = Around(grid_.axis_y, 1.0f, y, y, query.reach_y);
  if (!grid_.planar()) {
    const float z = grid_.axis_z.Cells(place_.z);
    cells_z_ = Around(grid_.axis_z, 1.0f, z, z, query.reach_z);
  }
  crosses_ = cells_x_.crosses || cells_y_.crosses || cells_z_.crosses;
  chunk_.size = 0;
  nearest_count_ = 0;
  Reach& reach = FindReach(query);
  if (reach.listed) {
    ScanReach(reach);
  } else {
    ScanEveryRow();
  }
  Flush();
  if (query.most != 0) VisitNearest();
}

void NeighborSearch::StartRun(std::uint32_t agent) {
  const auto row = std::partition_point(
      grid_.rows.begin(), grid_.rows.end(),
      [agent](const Row& there) { return there.end <= agent; });
  run_row_ = static_cast<std::uint32_t>(row - grid_.rows.begin());
  run_first_ = agent;
  run_end_ = std::min(row->end, static_cast<std::uint32_t>(end_));
  run_low_ = run_high_ = grid_.Position(agent);
  for (std::uint32_t i = run_first_; i < run_end_; ++i) {
    run_low_.y = AtMost(grid_.y[i], run_low_.y);
    run_high_.y = AtLeast(grid_.y[i], run_high_.y);
    if (grid_.planar()) continue;
    run_low_.z = AtMost(grid_.z[i], run_low_.z);
    run_high_.z = AtLeast(grid_.z[i], run_high_.z);
  }
  reach_count_ = 0;
  next_reach_ = 0;
}

NeighborSearch::Reach& NeighborSearch::FindReach(const NeighborQuery& query) {
  for (std::size_t i = 0; i < reach_count_; ++i) {
    if (reaches_[i].radius == query.radius) return reaches_[i];
  }
  Reach& reach = reaches_[next_reach_];
  next_reach_ = (next_reach_ + 1) % reaches_.size();
  reach_count_ = std::min(reach_count_ + 1, reaches_.size());
  ListReach(query, reach);
  return reach;
}

void NeighborSearch::ListReach(const NeighborQuery& query, Reach& reach) {
  reach.radius = query.radius;
  reach.listed = true;
  reach.rows = 0;
  const GridAxis& axis_y = grid_.axis_y;
  const GridAxis& axis_z = grid_.axis_z;
  const CellInterval cells_y = Around(axis_y, 1.0f, axis_y.Cells(run_low_.y),
                                      axis_y.Cells(run_high_.y), query.reach_y);
  const CellInterval cells_z = Around(axis_z, 1.0f, axis_z.Cells(run_low_.z),
                                      axis_z.Cells(run_high_.z), query.reach_z);
  ForEachRow(grid_, cells_z, cells_y, [&](const Row& row) {
    if (reach.rows == reach.cursors.size()) {
      reach.listed = false;
      return false;
    }
    Cursor& cursor = reach.cursors[reach.rows++];
    cursor.row = static_cast<std::uint32_t>(&row - grid_.rows.data());
    const std::uint32_t* const cells = grid_.sub_cell.data();
    const std::uint32_t* const begin =
        std::lower_bound(cells + row.first, cells + row.end, cells_x_.low);
    cursor.begin = static_cast<std::uint32_t>(begin - cells);
    cursor.end = cursor.begin;
    return true;
  });
}

void NeighborSearch::ScanReach(Reach& reach) {
  const std::uint32_t* const cells = grid_.sub_cell.data();
  for (std::size_t i = 0; i < reach.rows; ++i) {
    Cursor& cursor = reach.cursors[i];
    const Row& row = grid_.rows[cursor.row];
    if (!cells_y_.Holds(row.y) || !cells_z_.Holds(row.z)) continue;
    // The first agent at or after the low cell, and the first after the high.
    std::uint32_t begin = cursor.begin;
    while (begin > row.first && cells[begin - 1] >= cells_x_.low) --begin;
    while (begin < row.end && cells[begin] < cells_x_.low) ++begin;
    std::uint32_t end = cursor.end;
    while (end > row.first && cells[end - 1] > cells_x_.high) --end;
    while (end < row.end && cells[end] <= cells_x_.high) ++end;
    cursor.begin = begin;
    cursor.end = end;
    ScanRow(row, begin, end);
  }
}

void NeighborSearch::ScanEveryRow() {
  const std::uint32_t* const cells = grid_.sub_cell.data();
  ForEachRow(grid_, cells_z_, cells_y_, [&](const Row& row) {
    if (row.end - row.first <= kShortRow) {
      Scan(row.first, row.end);
      return true;
    }
    const std::uint32_t* const first = cells + row.first;
    const std::uint32_t* const last = cells + row.end;
    const auto begin = std::lower_bound(first, last, cells_x_.low);
    const auto end = std::upper_bound(first, last, cells_x_.high);
    ScanRow(row, static_cast<std::uint32_t>(begin - cells),
            static_cast<std::uint32_t>(end - cells));
    return true;
  });
}

void NeighborSearch::ScanRow(const Row& row, std::uint32_t begin,
                             std::uint32_t end) {
  if (cells_x_.split()) {
    Scan(row.first, end);
    Scan(begin, row.end);
  } else {
    Scan(begin, end);
  }
}

void NeighborSearch::Scan(std::uint32_t begin, std::uint32_t end) {
  if (crosses_) {
    grid_.planar() ? ScanBatches<true, true>(begin, end)
                   : ScanBatches<false, true>(begin, end);
  } else if (grid_.planar()) {
    ScanBatches<true, false>(begin, end);
  } else {
    ScanBatches<false, false>(begin, end);
  }
}

// Squares are computed for whole batches, past the end too, so that they can be
// vectors; a neighbor is kept by moving on behind it, without a branch. Few are
// near enough: their offsets are made again when the chunk is handed on.
template <bool kPlanar, bool kCrosses>
void NeighborSearch::ScanBatches(std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kBatch = NeighborChunk::kBatch;
  const Vec3 place = place_;
  const float radius_squared = query_->radius_squared;
  std::uint32_t* const kept = chunk_.agent.data();
  std::size_t size = chunk_.size;
  for (std::uint32_t first = begin; first < end; first += kBatch) {
    const float* const x = grid_.x.data() + first;
    const float* const y = grid_.y.data() + first;
    // In a plane z is 0 everywhere.
    const float* const z = kPlanar ? nullptr : grid_.z.data() + first;
    float squared[kBatch];
    for (std::size_t i = 0; i < kBatch; ++i) {
      squared[i] = LengthSquared(OffsetTo<kPlanar, kCrosses>(
          place, Vec3{x[i], y[i], kPlanar ? 0.0f : z[i]}));
    }
    const std::uint32_t count = std::min(kBatch, end - first);
    for (std::uint32_t i = 0; i < count; ++i) {
      kept[size] = first + i;
      size += static_cast<std::size_t>(squared[i] <= radius_squared);
    }
    if (size > NeighborChunk::kMost - kBatch) {
      chunk_.size = size;
      Flush();
      size = 0;
    }
  }
  chunk_.size = size;
}

template <bool kPlanar, bool kCrosses>
Vec3 NeighborSearch::OffsetTo(const Vec3& from, const Vec3& to) const {
  if constexpr (kCrosses) return grid_.Offset(from, to);
  return {to.x - from.x, to.y - from.y, kPlanar ? 0.0f : to.z - from.z};
}

// Makes the offsets and drops the agent itself.
template <bool kPlanar, bool kCrosses>
void NeighborSearch::MakeOffsets() {
  const Vec3 place = place_;
  const std::uint32_t self = agent_;
  std::size_t size = 0;
  for (std::size_t i = 0; i < chunk_.size; ++i) {
    const std::uint32_t agent = chunk_.agent[i];
    const Vec3 offset =
        OffsetTo<kPlanar, kCrosses>(place, grid_.Position(agent));
    chunk_.x[size] = offset.x;
    chunk_.y[size] = offset.y;
    chunk_.z[size] = offset.z;
    chunk_.squared[size] = LengthSquared(offset);
    chunk_.agent[size] = agent;
    size += static_cast<std::size_t>(agent != self);
  }
  chunk_.size = size;
}

// Hands on what has been found near enough, and makes room.
void NeighborSearch::Flush() {
  if (crosses_) {
    grid_.planar() ? MakeOffsets<true, true>() : MakeOffsets<false, true>();
  } else if (grid_.planar()) {
    MakeOffsets<true, false>();
  } else {
    MakeOffsets<false, false>();
  }
  if (!query_->any_group || !query_->all_round) KeepWhoPasses();
  if (chunk_.size == 0) return;
  if (query_->most == 0) {
    visitor_->Visit(chunk_);
  } else {
    KeepNearest();
  }
  chunk_.size = 0;
}

// Drops those of other groups or out of view.
void NeighborSearch::KeepWhoPasses() {
  const Vec3 velocity = grid_.Velocity(agent_);
  const float speed_squared = LengthSquared(velocity);
  const bool all_round = query_->all_round || speed_squared == 0.0f;
  const float speed = std::sqrt(speed_squared);
  std::size_t size = 0;
  for (std::size_t i = 0; i < chunk_.size; ++i) {
    const std::uint32_t agent = chunk_.agent[i];
    if ((grid_.Groups(agent) & query_->groups) == 0) continue;
    const Vec3 offset = chunk_.Offset(i);
    const float squared = chunk_.squared[i];
    if (!all_round && !(Dot(velocity, offset) >=
                        query_->cosine * (speed * std::sqrt(squared)))) {
      continue;
    }
    chunk_.x[size] = offset.x;
    chunk_.y[size] = offset.y;
    chunk_.z[size] = offset.z;
    chunk_.squared[size] = squared;
    chunk_.agent[size] = agent;
    ++size;
  }
  chunk_.size = size;
}

// A total order, as no two agents share an id.
bool NeighborSearch::Nearer(const Candidate& a, const Candidate& b) const {
  if (a.squared != b.squared) return a.squared < b.squared;
  return grid_.id[a.agent] < grid_.id[b.agent];
}

// Takes the chunk into the heap of the nearest.
void NeighborSearch::KeepNearest() {
  const auto nearer = [this](const Candidate& a, const Candidate& b) {
    return Nearer(a, b);
  };
  const auto heap = nearest_.begin();
  for (std::size_t i = 0; i < chunk_.size; ++i) {
    const Candidate candidate{chunk_.squared[i], chunk_.agent[i]};
    if (nearest_count_ == query_->most) {
      if (!Nearer(candidate, nearest_[0])) continue;
      std::pop_heap(heap, heap + static_cast<std::ptrdiff_t>(nearest_count_),
                    nearer);
      --nearest_count_;
    }
    nearest_[nearest_count_++] = candidate;
    std::push_heap(heap, heap + static_cast<std::ptrdiff_t>(nearest_count_),
                   nearer);
  }
}

void NeighborSearch::VisitNearest() {
  const auto first = nearest_.begin();
  std::sort(
      first, first + static_cast<std::ptrdiff_t>(nearest_count_),
      [](const Candidate& a, const Candidate& b) { return a.agent < b.agent; });
  for (std::size_t i = 0; i < nearest_count_; ++i) {
    const Vec3 offset = grid_.Offset(place_, grid_.Position(nearest_[i].agent));
    const std::size_t at = chunk_.size++;
    chunk_.x[at] = offset.x;
    chunk_.y[at] = offset.y;
    chunk_.z[at] = offset.z;
    chunk_.squared[at] = nearest_[i].squared;
    chunk_.agent[at] = nearest_[i].agent;
    if (chunk_.size == NeighborChunk::kMost || i + 1 == nearest_count_) {
      visitor_->Visit(chunk_);
      chunk_.size = 0;
    }
  }
}

}  // namespace meander::core
