#include "core/step/sum_neighbors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/math/limit.h"
#include "core/space/cell_interval.h"
#include "core/space/neighbor_search.h"
#include "core/steering/flocking.h"

namespace meander::core {
namespace {

// A batch ends where its agents are so far apart, in agents of the row or in
// radii, that candidates would be near few of them.
constexpr std::uint32_t kMostBetween = 128;
constexpr float kMostReaches = 64.0f;
// Rows of the grid that a batch looks at; agents that reach more go one by one.
constexpr std::size_t kMostRows = 128;

constexpr std::uint32_t RowOf(std::uint32_t packed) {
  return packed & ((1u << kRowBits) - 1);
}

// Sums of all terms of one scan, for one agent at a time.
class AgentSums final : public NeighborVisitor {
 public:
  AgentSums(const NeighborGrid& grid, NeighborSearch& search)
      : grid_(grid), search_(search) {}

  void operator()(std::uint32_t agent, NeighborScan& scan) {
    agent_ = agent;
    scan_ = &scan;
    pushes_ = velocities_ = offsets_ = {};
    search_.ForEachNeighbor(agent, scan.query, *this);
    const std::uint32_t row = RowOf(grid_.location[agent]);
    if (scan.separation != nullptr) Store(pushes_.sum, row, scan.pushes);
    if (scan.moves) Store(velocities_.sum, row, scan.velocities);
    if (scan.gathers) Store(offsets_.sum, row, scan.offsets);
    if (!scan.count.empty()) {
      scan.count[row] = scan.moves ? velocities_.count : offsets_.count;
    }
    if (!scan.nearest_squared.empty()) {
      scan.nearest_squared[row] = pushes_.nearest_squared;
    }
  }

  void Visit(const NeighborChunk& chunk) override {
    if (scan_->separation != nullptr) {
      SumSeparation(*scan_->separation, grid_, agent_, chunk, pushes_);
    }
    if (scan_->moves) SumAlignment(grid_, chunk, velocities_);
    if (scan_->gathers) SumCohesion(chunk, offsets_);
  }

 private:
  static void Store(const Vec3& sum, std::uint32_t row, SumColumns& columns) {
    columns.x[row] = sum.x;
    columns.y[row] = sum.y;
    if (!columns.z.empty()) columns.z[row] = sum.z;
  }

  const NeighborGrid& grid_;
  NeighborSearch& search_;
  std::uint32_t agent_ = 0;
  const NeighborScan* scan_ = nullptr;
  NeighborSum pushes_;
  NeighborSum velocities_;
  NeighborSum offsets_;
};

// Sums of one scan for agents of one row of the grid, in batches.
class BatchSums {
 public:
  BatchSums(const NeighborKernels& kernels, const NeighborGrid& grid,
            NeighborScan& scan, AgentSums& one)
      : kernels_(kernels), grid_(grid), scan_(scan), one_(one) {}

  // Lists the rows within reach of places from `low` to `high`. False when
  // there are too many.
  bool Reach(const Vec3& low, const Vec3& high) {
    const NeighborQuery& query = scan_.query;
    const GridAxis& axis_y = grid_.axis_y;
    const GridAxis& axis_z = grid_.axis_z;
    const CellInterval cells_y = Around(axis_y, 1.0f, axis_y.Cells(low.y),
                                        axis_y.Cells(high.y), query.reach_y);
    CellInterval cells_z;
    if (!grid_.planar()) {
      cells_z = Around(axis_z, 1.0f, axis_z.Cells(low.z), axis_z.Cells(high.z),
                       query.reach_z);
    }
    seam_ = Worse(SeamOf(cells_y), SeamOf(cells_z));
    count_ = 0;
    bool listed = true;
    ForEachRow(grid_, cells_z, cells_y, [&](const NeighborGrid::Row& row) {
      listed = count_ < kMostRows;
      if (!listed) return false;
      rows_[count_++] = {row.first,
                         row.first,
                         row.end,
                         {0, ImageIn(cells_y, row.y), ImageIn(cells_z, row.z)}};
      return true;
    });
    return listed;
  }

  // `agents` ascend.
  void operator()(std::span<const std::uint32_t> agents) {
    bool placed = false;
    const GridAxis& axis = grid_.axis_x;
    const auto widest = CellIndex(kMostReaches * scan_.query.reach_x);
    for (std::size_t next = 0; next < agents.size();) {
      NeighborBatch batch{.grid = grid_, .scan = scan_};
      const std::uint32_t first = agents[next];
      const std::uint32_t low = grid_.sub_cell[first];
      std::uint32_t last = first;
      while (next < agents.size() && batch.lanes < kernels_.lanes) {
        const std::uint32_t agent = agents[next];
        if (agent - first > kMostBetween ||
            grid_.sub_cell[agent] - low > widest) {
          break;
        }
        last = agent;
        batch.agents[batch.lanes++] = agent;
        ++next;
      }
      for (std::size_t lane = batch.lanes; lane < kernels_.lanes; ++lane) {
        batch.agents[lane] = first;
      }
      const CellInterval cells = Around(
          axis, kSubCells, static_cast<float>(low),
          static_cast<float>(grid_.sub_cell[last] + 1), scan_.query.reach_x);
      batch.seam = Worse(seam_, SeamOf(cells));
      if (cells.crosses) {
        SumAcross(batch, cells);
        continue;
      }
      if (!placed) PlaceCursors(cells.low);
      placed = true;
      kernels_.advance(grid_.sub_cell.data(), cells.low, cells.high,
                       cursors_.data(), count_);
      Sum(batch, cursors_.data(), count_);
    }
  }

 private:
  static Seam SeamOf(const CellInterval& cells) {
    if (!cells.crosses) return Seam::kNone;
    return cells.split() && cells.one_image ? Seam::kOfRanges : Seam::kOfPairs;
  }
  static Seam Worse(Seam a, Seam b) { return a > b ? a : b; }

  static std::uint8_t ImageIn(const CellInterval& cells, std::uint32_t cell) {
    return static_cast<std::uint8_t>(ImageOf(cells, cell));
  }

  void PlaceCursors(std::uint32_t low) {
    const std::uint32_t* const cells = grid_.sub_cell.data();
    for (std::size_t i = 0; i < count_; ++i) {
      CandidateRange& cursor = cursors_[i];
      cursor = rows_[i];
      cursor.begin = cursor.end = static_cast<std::uint32_t>(
          std::lower_bound(cells + cursor.begin, cells + cursor.row_end, low) -
          cells);
    }
  }

  // Of a batch that looks across a seam in x.
  void SumAcross(const NeighborBatch& batch, const CellInterval& cells) {
    if (!cells.split()) {
      for (std::size_t i = 0; i < count_; ++i) rows_[i].end = rows_[i].row_end;
      Sum(batch, rows_.data(), count_);
      return;
    }
    std::array<CandidateRange, 2 * kMostRows> ranges;
    const std::size_t count =
        kernels_.split(grid_.sub_cell.data(), cells.low, cells.high,
                       rows_.data(), count_, ranges.data());
    for (std::size_t i = 0; i < count; i += 2) {
      ranges[i].images[0] = ImageIn(cells, cells.high);
      ranges[i + 1].images[0] = ImageIn(cells, cells.low);
    }
    Sum(batch, ranges.data(), count);
  }

  void Sum(const NeighborBatch& batch, const CandidateRange* ranges,
           std::size_t count) {
    LaneSums sums;
    const std::uint32_t coincident = kernels_.sum(batch, ranges, count, sums);
    std::array<std::uint32_t, NeighborBatch::kMostLanes> rows;
    for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
      rows[lane] = RowOf(grid_.location[batch.agents[lane]]);
    }
    const auto store = [&](const auto& lanes, auto& column) {
      if (column.empty()) return;
      for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
        column[rows[lane]] =
            static_cast<std::remove_reference_t<decltype(column[0])>>(
                lanes[lane]);
      }
    };
    store(sums.push_x, scan_.pushes.x);
    store(sums.push_y, scan_.pushes.y);
    store(sums.push_z, scan_.pushes.z);
    store(sums.velocity_x, scan_.velocities.x);
    store(sums.velocity_y, scan_.velocities.y);
    store(sums.velocity_z, scan_.velocities.z);
    store(sums.offset_x, scan_.offsets.x);
    store(sums.offset_y, scan_.offsets.y);
    store(sums.offset_z, scan_.offsets.z);
    store(sums.nearest_squared, scan_.nearest_squared);
    store(sums.count, scan_.count);
    if (coincident == 0) return;
    for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
      if ((coincident >> lane & 1) != 0) one_(batch.agents[lane], scan_);
    }
  }

  const NeighborKernels& kernels_;
  const NeighborGrid& grid_;
  NeighborScan& scan_;
  AgentSums& one_;
  // The rows within reach: where they begin, and where the last batch was.
  std::array<CandidateRange, kMostRows> rows_;
  std::array<CandidateRange, kMostRows> cursors_;
  std::size_t count_ = 0;
  Seam seam_ = Seam::kNone;  // of y and z
};

// So many agents of a population in one row make it worth while to look for
// them together.
constexpr std::size_t kFewestLanes = 3;

class TaskSums {
 public:
  TaskSums(const NeighborKernels& kernels, NeighborScratch& scratch,
           std::size_t first, std::size_t end)
      : kernels_(kernels),
        scratch_(scratch),
        grid_(scratch.grid),
        search_(scratch.grid, first, end),
        one_(scratch.grid, search_),
        first_(static_cast<std::uint32_t>(first)),
        end_(static_cast<std::uint32_t>(end)) {}

  void operator()() {
    auto row = std::partition_point(
        grid_.rows.begin(), grid_.rows.end(),
        [this](const NeighborGrid::Row& r) { return r.end <= first_; });
    for (; row != grid_.rows.end() && row->first < end_; ++row) {
      SumRun(std::max(row->first, first_), std::min(row->end, end_));
    }
  }

 private:
  // Agents [first, end) of one row.
  void SumRun(std::uint32_t first, std::uint32_t end) {
    if (kernels_.lanes != 0) {
      kernels_.bounds(grid_.y.data(), first, end, low_.y, high_.y);
      if (!grid_.planar()) {
        kernels_.bounds(grid_.z.data(), first, end, low_.z, high_.z);
      }
    }
    // One population after another.
    std::size_t left = end - first;
    std::iota(left_.begin(), left_.begin() + left, first);
    if (grid_.sources.size() == 1) {
      SumAgents(0, std::span(left_).first(left));
      return;
    }
    while (left > 0) {
      const std::uint32_t population = PopulationOf(left_[0]);
      std::size_t others = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < left; ++i) {
        const std::uint32_t agent = left_[i];
        const bool one_of_them = PopulationOf(agent) == population;
        of_population_[count] = agent;
        left_[others] = agent;
        count += static_cast<std::size_t>(one_of_them);
        others += static_cast<std::size_t>(!one_of_them);
      }
      left = others;
      SumAgents(population, std::span(of_population_).first(count));
    }
  }

  std::uint32_t PopulationOf(std::uint32_t agent) const {
    return grid_.location[agent] >> kRowBits;
  }

  void SumAgents(std::uint32_t population,
                 std::span<const std::uint32_t> agents) {
    const bool enough = kernels_.lanes != 0 && agents.size() >= kFewestLanes;
    for (NeighborScan& scan : scratch_.populations[population].scans) {
      if (enough && scan.query.most == 0) {
        BatchSums sums(kernels_, grid_, scan, one_);
        if (sums.Reach(low_, high_)) {
          sums(agents);
          continue;
        }
      }
      for (const std::uint32_t agent : agents) one_(agent, scan);
    }
  }

  const NeighborKernels& kernels_;
  NeighborScratch& scratch_;
  const NeighborGrid& grid_;
  NeighborSearch search_;
  AgentSums one_;
  const std::uint32_t first_;
  const std::uint32_t end_;
  Vec3 low_;  // of the run's places
  Vec3 high_;
  std::array<std::uint32_t, kSummedAgents> left_;
  std::array<std::uint32_t, kSummedAgents> of_population_;
};

}  // namespace

void SumNeighbors(const NeighborKernels& kernels, NeighborScratch& scratch,
                  std::size_t first, std::size_t end) {
  TaskSums sums(kernels, scratch, first, end);
  sums();
}

}  // namespace meander::core
