#include "core/space/grid_sort.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/math/float_environment.h"
#include "core/math/limit.h"

namespace meander::core {
namespace {

// Counting is for at most so many cells an agent, and some.
constexpr std::uint64_t kCellsPerAgent = 4;
constexpr std::uint64_t kFewCells = 256;
// Rows that are one piece of work, and agents that are one band, about.
constexpr std::size_t kPieceRows = 8192;
constexpr std::size_t kBandAgents = 2048;
constexpr unsigned kMostBands = 64;
// So many agents of one cell are sorted; fewer are inserted one by one.
constexpr std::uint32_t kCrowd = 24;

// The box of cells that holds all agents.
struct CellBox {
  std::uint32_t low_x = 0;  // sub-cells
  std::uint32_t low_y = 0;
  std::uint32_t low_z = 0;
  std::uint64_t width = 1;
  std::uint64_t height = 1;
  std::uint64_t depth = 1;

  // Of a box that has at most so many, which 64 bits hold.
  std::uint64_t cells() const { return width * height * depth; }
  // The product of all three may be 2^65.
  bool HasMoreThan(std::uint64_t most) const {
    return width > most || height > most / width ||
           depth > most / (width * height);
  }
};

CellBox BoxOf(const NeighborGrid& grid, const Vec3& low, const Vec3& high) {
  CellBox box;
  box.low_x = CellIndex(kSubCells * grid.axis_x.Cells(low.x));
  box.low_y = CellIndex(grid.axis_y.Cells(low.y));
  box.width = CellIndex(kSubCells * grid.axis_x.Cells(high.x)) - box.low_x + 1u;
  box.height = CellIndex(grid.axis_y.Cells(high.y)) - box.low_y + 1u;
  if (!grid.planar()) {
    box.low_z = CellIndex(grid.axis_z.Cells(low.z));
    box.depth = CellIndex(grid.axis_z.Cells(high.z)) - box.low_z + 1u;
  }
  return box;
}

// The whole world's box, or, if that has too many cells, the agents'.
CellBox ChooseBox(const NeighborGrid& grid, std::uint64_t most) {
  const Vec3 low{grid.axis_x.low, grid.axis_y.low, grid.axis_z.low};
  const CellBox whole =
      BoxOf(grid, low, {grid.axis_x.high, grid.axis_y.high, grid.axis_z.high});
  if (!whole.HasMoreThan(most)) return whole;
  Vec3 lowest{grid.axis_x.high, grid.axis_y.high, grid.axis_z.high};
  Vec3 highest = low;
  for (const GridSource& source : grid.sources) {
    for (std::uint32_t row = 0; row < source.rows; ++row) {
      lowest.x = AtMost(source.x[row], lowest.x);
      highest.x = AtLeast(source.x[row], highest.x);
      lowest.y = AtMost(source.y[row], lowest.y);
      highest.y = AtLeast(source.y[row], highest.y);
      if (source.z == nullptr) continue;
      lowest.z = AtMost(source.z[row], lowest.z);
      highest.z = AtLeast(source.z[row], highest.z);
    }
  }
  return BoxOf(grid, lowest, highest);
}

// Puts agent i, which has this id, before those of its cell that have higher
// ones.
void InsertById(NeighborGrid& grid, std::size_t first, std::size_t i,
                AgentId id) {
  std::size_t to = i;
  while (to > first && grid.sub_cell[to - 1] == grid.sub_cell[i] &&
         grid.id[to - 1] > id) {
    --to;
  }
  std::uint32_t* const locations = grid.location.data();
  std::rotate(locations + to, locations + i, locations + i + 1);
  AgentId* const ids = grid.id.data();
  std::copy_backward(ids + to, ids + i, ids + i + 1);
  ids[to] = id;
}

// Fetches the ids of agents [first, end). Where kUnordered, those of one cell
// are in any order before, and `sub_cell` holds cells.
template <bool kUnordered>
void GatherIds(NeighborGrid& grid, std::size_t first, std::size_t end) {
  const std::uint32_t* const cells = grid.sub_cell.data();
  AgentId* const ids = grid.id.data();
  // Most follow one of their own population.
  std::uint32_t population = UnpackLocation(grid.location[first]).population;
  const AgentId* from = grid.sources[population].id;
  std::uint32_t cell_before = ~std::uint32_t{0};
  AgentId id_before = 0;
  for (std::size_t i = first; i < end; ++i) {
    const AgentLocation location = UnpackLocation(grid.location[i]);
    if (location.population != population) {
      population = location.population;
      from = grid.sources[population].id;
    }
    const AgentId id = from[location.row];
    // One seldom jump: that cells are the same is anybody's guess.
    const bool behind = (cells[i] == cell_before) & (id < id_before);
    if (kUnordered && behind) {
      InsertById(grid, first, i, id);
      continue;
    }
    cell_before = cells[i];
    id_before = id;
    ids[i] = id;
  }
}

// Calls copy(source, i, row) for each agent of [first, end).
template <typename Copy>
void ForEachLocation(const NeighborGrid& grid, std::size_t first,
                     std::size_t end, Copy copy) {
  const std::uint32_t* const locations = grid.location.data();
  if (grid.sources.size() == 1) {
    const GridSource source = grid.sources[0];
    for (std::size_t i = first; i < end; ++i) copy(source, i, locations[i]);
    return;
  }
  for (std::size_t i = first; i < end; ++i) {
    const AgentLocation location = UnpackLocation(locations[i]);
    copy(grid.sources[location.population], i, location.row);
  }
}

// Copies agents [first, end) from where they lie.
void GatherColumns(NeighborGrid& grid, std::size_t first, std::size_t end) {
  float* const x = grid.x.data();
  float* const y = grid.y.data();
  float* const velocity_x = grid.velocity_x.data();
  float* const velocity_y = grid.velocity_y.data();
  ForEachLocation(
      grid, first, end,
      [=](const GridSource& source, std::size_t i, std::uint32_t row) {
        x[i] = source.x[row];
        y[i] = source.y[row];
        velocity_x[i] = source.velocity_x[row];
        velocity_y[i] = source.velocity_y[row];
      });
  if (!grid.planar()) {
    float* const z = grid.z.data();
    float* const velocity_z = grid.velocity_z.data();
    ForEachLocation(
        grid, first, end,
        [=](const GridSource& source, std::size_t i, std::uint32_t row) {
          z[i] = source.z[row];
          velocity_z[i] = source.velocity_z[row];
        });
  }
  if (!grid.groups.empty()) {
    std::uint32_t* const groups = grid.groups.data();
    ForEachLocation(grid, first, end,
                    [=](const GridSource& source, std::size_t i,
                        std::uint32_t row) { groups[i] = source.groups[row]; });
  }
}

// The cells of a row stand side by side, then rows, then slabs.
CellNumbers NumbersOf(const CellBox& box, const NeighborGrid& grid) {
  const auto axis = [](const GridAxis& of, float parts, std::uint32_t first,
                       std::uint64_t stride) {
    return CellNumbers::Axis{.low = of.low,
                             .cell_size = of.cell_size,
                             .parts = parts,
                             .first = first,
                             .stride = static_cast<std::uint32_t>(stride)};
  };
  return {{axis(grid.axis_x, kSubCells, box.low_x, 1),
           axis(grid.axis_y, 1.0f, box.low_y, box.width),
           axis(grid.axis_z, 1.0f, box.low_z,
                grid.planar() ? 0 : box.width * box.height)}};
}

class CountingSort {
 public:
  CountingSort(const NeighborKernels& kernels, NeighborGrid& grid,
               const CellBox& box)
      : kernels_(kernels),
        grid_(grid),
        box_(box),
        width_(static_cast<std::uint32_t>(box.width)),
        cells_(static_cast<std::uint32_t>(box.cells())),
        pieces_((grid.size() + kPieceRows - 1) / kPieceRows) {
    const auto wanted = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(grid.size() / kBandAgents, 1, kMostBands));
    // Cells of a band: a power of two.
    band_bits_ = static_cast<unsigned>(std::bit_width((cells_ - 1) / wanted));
    bands_ = ((cells_ - 1) >> band_bits_) + 1;
    ResizeScratch(grid.band_places, pieces_ * bands_);
    ResizeScratch(grid.cell_ends, cells_);
  }

  void operator()(ParallelFor& parallel) {
    RunPieces(parallel, pieces_, [&](std::size_t piece) {
      const ScopedFloatEnvironment environment;
      MakeCells(piece);
    });
    PlaceBands();
    RunPieces(parallel, pieces_, [&](std::size_t piece) { DealOut(piece); });
    RunPieces(parallel, bands_, [&](std::size_t band) { CountOut(band); });
    ListRows();
  }

 private:
  // function(source, population, first row, end row) for each population's
  // part of a piece.
  template <typename Function>
  void ForEachSource(std::size_t piece, Function function) const {
    const std::size_t first = piece * kPieceRows;
    const std::size_t end = std::min(first + kPieceRows, grid_.size());
    auto source = std::partition_point(
        grid_.sources.begin(), grid_.sources.end(),
        [first](const GridSource& s) { return s.first + s.rows <= first; });
    for (; source != grid_.sources.end() && source->first < end; ++source) {
      const auto population =
          static_cast<std::uint32_t>(source - grid_.sources.begin());
      const std::size_t from = std::max<std::size_t>(first, source->first);
      const std::size_t to =
          std::min<std::size_t>(end, source->first + source->rows);
      function(*source, population,
               static_cast<std::uint32_t>(from - source->first),
               static_cast<std::uint32_t>(to - source->first));
    }
  }

  // Until the agents are dealt out, `location` holds cells, in order of rows.
  void MakeCells(std::size_t piece) {
    std::array<std::uint32_t, kMostBands> counts{};
    const CellNumbers numbers = NumbersOf(box_, grid_);
    ForEachSource(piece, [&](const GridSource& source, std::uint32_t,
                             std::uint32_t first, std::uint32_t end) {
      std::uint32_t* const cells = &grid_.location[source.first];
      const float* const z = source.z == nullptr ? nullptr : source.z + first;
      kernels_.index_cells(numbers, {source.x + first, source.y + first, z},
                           end - first, cells + first);
      for (std::uint32_t row = first; row < end; ++row) {
        ++counts[cells[row] >> band_bits_];
      }
    });
    for (std::uint32_t band = 0; band < bands_; ++band) {
      grid_.band_places[band * pieces_ + piece] = counts[band];
    }
  }

  void PlaceBands() {
    std::uint32_t before = 0;
    for (std::uint32_t band = 0; band < bands_; ++band) {
      band_first_[band] = before;
      for (std::size_t piece = 0; piece < pieces_; ++piece) {
        std::uint32_t& place = grid_.band_places[band * pieces_ + piece];
        const std::uint32_t count = place;
        place = before;
        before += count;
      }
    }
    band_first_[bands_] = before;
  }

  // Until a band is counted out, `id` holds its agents: cell and location.
  void DealOut(std::size_t piece) {
    std::array<std::uint32_t, kMostBands> places;
    for (std::uint32_t band = 0; band < bands_; ++band) {
      places[band] = grid_.band_places[band * pieces_ + piece];
    }
    ForEachSource(piece, [&](const GridSource& source, std::uint32_t population,
                             std::uint32_t first, std::uint32_t end) {
      const std::uint32_t* const cells = &grid_.location[source.first];
      const std::uint32_t location = PackLocation({population, 0});
      for (std::uint32_t row = first; row < end; ++row) {
        const std::uint32_t cell = cells[row];
        grid_.id[places[cell >> band_bits_]++] =
            static_cast<AgentId>(std::uint64_t{cell} << 32 | (location + row));
      }
    });
  }

  void CountOut(std::size_t band) {
    const std::uint32_t first = band_first_[band];
    const std::uint32_t end = band_first_[band + 1];
    const auto first_cell = static_cast<std::uint32_t>(band << band_bits_);
    const auto end_cell = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        cells_, std::uint64_t{first_cell} + (std::uint64_t{1} << band_bits_)));
    std::uint32_t* const ends = grid_.cell_ends.data();
    std::fill(ends + first_cell, ends + end_cell, 0u);
    const AgentId* const entries = grid_.id.data();
    for (std::uint32_t i = first; i < end; ++i) {
      ++ends[static_cast<std::uint64_t>(entries[i]) >> 32];
    }
    std::uint32_t before = first;
    std::uint32_t most = 0;
    for (std::uint32_t cell = first_cell; cell < end_cell; ++cell) {
      const std::uint32_t count = ends[cell];
      ends[cell] = before;
      before += count;
      most = std::max(most, count);
    }
    for (std::uint32_t i = first; i < end; ++i) {
      const auto entry = static_cast<std::uint64_t>(entries[i]);
      const auto cell = static_cast<std::uint32_t>(entry >> 32);
      const std::uint32_t place = ends[cell]++;
      grid_.location[place] = static_cast<std::uint32_t>(entry);
      grid_.sub_cell[place] = cell;
    }
    if (most > kCrowd) SortCrowds(first, first_cell, end_cell);
    if (first == end) return;
    GatherIds<true>(grid_, first, end);
    GatherColumns(grid_, first, end);
    SubtractRows(first, end);
  }

  // Brings agents of full cells in order of id.
  void SortCrowds(std::uint32_t first, std::uint32_t first_cell,
                  std::uint32_t end_cell) {
    std::uint32_t begin = first;
    for (std::uint32_t cell = first_cell; cell < end_cell; ++cell) {
      const std::uint32_t end = grid_.cell_ends[cell];
      if (end - begin > kCrowd) {
        std::sort(&grid_.location[begin], &grid_.location[0] + end,
                  [this](std::uint32_t a, std::uint32_t b) {
                    return IdAt(a) < IdAt(b);
                  });
      }
      begin = end;
    }
  }

  AgentId IdAt(std::uint32_t packed) const {
    const AgentLocation location = UnpackLocation(packed);
    return grid_.sources[location.population].id[location.row];
  }

  // Makes sub-cells of cells.
  void SubtractRows(std::uint32_t first, std::uint32_t end) {
    std::uint32_t row_cell = 0;
    std::uint32_t next_cell = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      const std::uint32_t cell = grid_.sub_cell[i];
      if (cell >= next_cell) {
        row_cell = cell / width_ * width_;
        next_cell = row_cell + width_;
      }
      grid_.sub_cell[i] = cell - row_cell + box_.low_x;
    }
  }

  void ListRows() {
    grid_.rows.clear();
    grid_.slabs.clear();
    std::uint32_t begin = 0;
    std::uint32_t cell = 0;
    for (std::uint32_t z = 0; z < box_.depth; ++z) {
      const auto first = static_cast<std::uint32_t>(grid_.rows.size());
      for (std::uint32_t y = 0; y < box_.height; ++y) {
        cell += width_;
        const std::uint32_t end = grid_.cell_ends[cell - 1];
        if (end != begin) {
          grid_.rows.push_back({box_.low_z + z, box_.low_y + y, begin, end});
        }
        begin = end;
      }
      const auto rows = static_cast<std::uint32_t>(grid_.rows.size());
      if (rows != first) grid_.slabs.push_back({box_.low_z + z, first, rows});
    }
  }

  const NeighborKernels& kernels_;
  NeighborGrid& grid_;
  const CellBox box_;
  const std::uint32_t width_;
  const std::uint32_t cells_;
  const std::size_t pieces_;
  unsigned band_bits_ = 0;
  std::uint32_t bands_ = 1;
  std::array<std::uint32_t, kMostBands + 1> band_first_;
};

}  // namespace

void GatherAgents(NeighborGrid& grid, std::size_t first, std::size_t end) {
  GatherIds<false>(grid, first, end);
  GatherColumns(grid, first, end);
}

bool SortByCounting(const NeighborKernels& kernels, NeighborGrid& grid,
                    ParallelFor& parallel) {
  const std::uint64_t most = kCellsPerAgent * grid.size() + kFewCells;
  const CellBox box = ChooseBox(grid, most);
  if (box.HasMoreThan(most)) return false;
  CountingSort sort(kernels, grid, box);
  sort(parallel);
  return true;
}

}  // namespace meander::core
