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

// Sums of one scan, that of `looks` and of all who look alike, for agents of
// one row of the grid, in batches.
class BatchSums {
 public:
  BatchSums(const NeighborKernels& kernels, NeighborScratch& scratch,
            std::uint32_t looks, std::size_t scan, AgentSums& one)
      : kernels_(kernels),
        scratch_(scratch),
        grid_(scratch.grid),
        number_(scan),
        scan_(scratch.populations[looks].scans[scan]),
        one_(one) {}

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
    while (!agents.empty()) {
      NeighborBatch batch{.grid = grid_, .scan = scan_};
      CellInterval cells = Take(agents, kernels_.lanes, batch);
      // Fewer may see all they see through one image.
      if (cells.crosses && !cells.one_image) {
        cells = Take(agents, batch.lanes / 2 + 1, batch);
      }
      for (std::size_t lane = batch.lanes; lane < kernels_.lanes; ++lane) {
        batch.agents[lane] = batch.agents[0];
      }
      batch.seam = Worse(seam_, SeamOf(cells));
      if (cells.crosses) FindFar(cells, batch);
      SumWithin(batch, cells);
      agents = agents.subspan(batch.lanes);
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

  // Gives the first agents lanes, `most` at most. Returns which cells in x can
  // hold neighbors of theirs.
  CellInterval Take(std::span<const std::uint32_t> agents, std::size_t most,
                    NeighborBatch& batch) const {
    const auto widest = CellIndex(kMostReaches * scan_.query.reach_x);
    const std::uint32_t first = agents[0];
    const std::uint32_t low = grid_.sub_cell[first];
    std::uint32_t last = first;
    batch.lanes = 0;
    for (const std::uint32_t agent :
         agents.first(std::min(agents.size(), most))) {
      if (agent - first > kMostBetween ||
          grid_.sub_cell[agent] - low > widest) {
        break;
      }
      last = agent;
      batch.agents[batch.lanes++] = agent;
    }
    return Around(grid_.axis_x, kSubCells, static_cast<float>(low),
                  static_cast<float>(grid_.sub_cell[last] + 1),
                  scan_.query.reach_x);
  }

  // Which lanes look across the seam in x.
  void FindFar(const CellInterval& cells, NeighborBatch& batch) const {
    const auto crosses = [&](std::size_t lane) {
      const auto cell = static_cast<float>(grid_.sub_cell[batch.agents[lane]]);
      return Around(grid_.axis_x, kSubCells, cell, cell + 1.0f,
                    scan_.query.reach_x)
          .crosses;
    };
    batch.far_end = batch.lanes;
    if (!cells.split()) return;
    if (cells.at_low_face) {
      while (!crosses(batch.far_end - 1)) --batch.far_end;
    } else {
      while (!crosses(batch.far_first)) ++batch.far_first;
    }
  }

  void SumWithin(const NeighborBatch& batch, const CellInterval& cells) {
    if (!cells.crosses) {
      MoveOn(near_, cells.low, cells.high);
      Sum(batch, near_.ranges.data(), count_);
    } else if (cells.split()) {
      SumAcross(batch, cells);
    } else {
      for (std::size_t i = 0; i < count_; ++i) rows_[i].end = rows_[i].row_end;
      Sum(batch, rows_.data(), count_);
    }
  }

  // Of a batch that looks across a seam in x: at both ends of each row.
  void SumAcross(const NeighborBatch& batch, const CellInterval& cells) {
    // Both ends go forth with the agents, as long as these look below the low
    // face, and again once they look above the high one.
    Ranges& head = cells.at_low_face ? near_ : far_;
    Ranges& tail = cells.at_low_face ? far_ : near_;
    MoveOn(head, 0, cells.high);
    MoveOn(tail, cells.low, kLastCell);
    std::array<CandidateRange, 2 * kMostRows> ranges;
    for (std::size_t i = 0; i < count_; ++i) {
      ranges[2 * i] = head.ranges[i];
      ranges[2 * i].images[0] = ImageIn(cells, cells.high);
      ranges[2 * i + 1] = tail.ranges[i];
      ranges[2 * i + 1].images[0] = ImageIn(cells, cells.low);
    }
    Sum(batch, ranges.data(), 2 * count_);
  }

  // A part of each of rows_, which only moves on.
  struct Ranges {
    std::uint32_t low = kLastCell;
    std::uint32_t high = kLastCell;
    std::array<CandidateRange, kMostRows> ranges;
  };

  // To the agents whose sub-cell is in [low, high].
  void MoveOn(Ranges& part, std::uint32_t low, std::uint32_t high) {
    if (low < part.low || high < part.high) Place(part, low);
    part.low = low;
    part.high = high;
    kernels_.advance(grid_.sub_cell.data(), low, high, part.ranges.data(),
                     count_);
  }

  void Place(Ranges& part, std::uint32_t low) {
    const std::uint32_t* const cells = grid_.sub_cell.data();
    for (std::size_t i = 0; i < count_; ++i) {
      CandidateRange& range = part.ranges[i];
      range = rows_[i];
      range.end = range.begin;
      if (low == 0) continue;
      range.begin = range.end = static_cast<std::uint32_t>(
          std::lower_bound(cells + range.begin, cells + range.row_end, low) -
          cells);
    }
  }

  using Lanes = std::array<std::uint32_t, NeighborBatch::kMostLanes>;

  void Sum(const NeighborBatch& batch, const CandidateRange* ranges,
           std::size_t count) {
    LaneSums sums;
    const std::uint32_t void_lanes = kernels_.sum(batch, ranges, count, sums);
    Lanes populations;
    Lanes rows;
    for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
      const AgentLocation at = grid_.Location(batch.agents[lane]);
      populations[lane] = at.population;
      rows[lane] = at.row;
    }
    for (std::size_t lane = 0; lane < batch.lanes;) {
      std::size_t end = lane + 1;
      while (end < batch.lanes && populations[end] == populations[lane]) ++end;
      Store(sums, rows, lane, end,
            scratch_.populations[populations[lane]].scans[number_]);
      lane = end;
    }
    if (void_lanes == 0) return;
    // Over what was stored.
    for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
      if ((void_lanes >> lane & 1) == 0) continue;
      one_(batch.agents[lane],
           scratch_.populations[populations[lane]].scans[number_]);
    }
  }

  // Of lanes [first, end), whose agents are of the scan's population.
  static void Store(const LaneSums& sums, const Lanes& rows, std::size_t first,
                    std::size_t end, NeighborScan& scan) {
    const auto store = [&](const auto& lanes, auto& column) {
      if (column.empty()) return;
      for (std::size_t lane = first; lane < end; ++lane) {
        column[rows[lane]] =
            static_cast<std::remove_reference_t<decltype(column[0])>>(
                lanes[lane]);
      }
    };
    store(sums.push_x, scan.pushes.x);
    store(sums.push_y, scan.pushes.y);
    store(sums.push_z, scan.pushes.z);
    store(sums.velocity_x, scan.velocities.x);
    store(sums.velocity_y, scan.velocities.y);
    store(sums.velocity_z, scan.velocities.z);
    store(sums.offset_x, scan.offsets.x);
    store(sums.offset_y, scan.offsets.y);
    store(sums.offset_z, scan.offsets.z);
    store(sums.nearest_squared, scan.nearest_squared);
    store(sums.count, scan.count);
  }

  const NeighborKernels& kernels_;
  NeighborScratch& scratch_;
  const NeighborGrid& grid_;
  const std::size_t number_;  // of the scan, in each population
  NeighborScan& scan_;
  AgentSums& one_;
  // The rows within reach. Of them, what the last batch looked at: near its
  // agents in x, and on the other side of the seam.
  std::array<CandidateRange, kMostRows> rows_;
  std::size_t count_ = 0;
  Ranges near_;
  Ranges far_;
  Seam seam_ = Seam::kNone;  // of y and z
};

// So many agents in one row that look alike make it worth while to look for
// them together.
constexpr std::size_t kFewestLanes = 3;
// And so many ways to look; what is left of one row then goes one by one, for
// each pass looks at all that are left.
constexpr std::size_t kMostPasses = 32;

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
    // Those who look alike, and then others.
    std::size_t left = end - first;
    std::iota(left_.begin(), left_.begin() + left, first);
    if (grid_.sources.size() == 1) {
      SumAgents(0, std::span(left_).first(left));
      return;
    }
    for (std::size_t pass = 0; pass < kMostPasses && left > 0; ++pass) {
      const std::uint32_t looks = LooksAs(left_[0]);
      std::size_t others = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < left; ++i) {
        const std::uint32_t agent = left_[i];
        const bool one_of_them = LooksAs(agent) == looks;
        alike_[count] = agent;
        left_[others] = agent;
        count += static_cast<std::size_t>(one_of_them);
        others += static_cast<std::size_t>(!one_of_them);
      }
      left = others;
      SumAgents(looks, std::span(alike_).first(count));
    }
    for (const std::uint32_t agent : std::span(left_).first(left))
      SumOne(agent);
  }

  std::uint32_t PopulationOf(std::uint32_t agent) const {
    return grid_.location[agent] >> kRowBits;
  }
  std::uint32_t LooksAs(std::uint32_t agent) const {
    return scratch_.populations[PopulationOf(agent)].looks_as;
  }

  void SumOne(std::uint32_t agent) {
    for (NeighborScan& scan : scratch_.populations[PopulationOf(agent)].scans) {
      one_(agent, scan);
    }
  }

  // Agents of populations that look as `looks` does.
  void SumAgents(std::uint32_t looks, std::span<const std::uint32_t> agents) {
    const bool enough = kernels_.lanes != 0 && agents.size() >= kFewestLanes;
    const std::size_t scans = scratch_.populations[looks].scans.size();
    for (std::size_t scan = 0; scan < scans; ++scan) {
      if (enough) {
        BatchSums sums(kernels_, scratch_, looks, scan, one_);
        if (sums.Reach(low_, high_)) {
          sums(agents);
          continue;
        }
      }
      for (const std::uint32_t agent : agents) {
        one_(agent, scratch_.populations[PopulationOf(agent)].scans[scan]);
      }
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
  std::array<std::uint32_t, kMostSummed> left_;
  std::array<std::uint32_t, kMostSummed> alike_;
};

}  // namespace

void SumNeighbors(const NeighborKernels& kernels, NeighborScratch& scratch,
                  std::size_t first, std::size_t end) {
  TaskSums sums(kernels, scratch, first, end);
  sums();
}

}  // namespace meander::core
