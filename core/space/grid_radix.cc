#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/math/float_environment.h"
#include "core/space/grid_sort.h"

namespace meander::core {
namespace {

using Key = NeighborGrid::Key;

constexpr std::size_t kPieceAgents = 8192;  // that are gathered at once
// Bits of a key that one pass sorts by. More make fewer passes, but a table
// that few agents need not pay for.
constexpr unsigned kMostDigitBits = 11;
constexpr unsigned kLeastDigitBits = 6;

// Smallest and largest of one part of the keys.
struct KeyRange {
  std::uint32_t low = ~std::uint32_t{0};
  std::uint32_t high = 0;

  void Add(std::uint32_t value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct KeyRanges {
  KeyRange x;
  KeyRange y;
  KeyRange z;
};

// The keys in order of id.
KeyRanges MakeKeys(const AgentIndex& index, NeighborGrid& grid) {
  ResizeScratch(grid.keys, grid.size());
  ResizeScratch(grid.other_keys, grid.size());
  KeyRanges ranges;
  std::size_t rank = 0;
  index.ForEach([&](AgentId, const AgentLocation& location) {
    const GridSource& source = grid.sources[location.population];
    const std::uint32_t row = location.row;
    Key key{.x = CellIndex(kSubCells * grid.axis_x.Cells(source.x[row])),
            .y = CellIndex(grid.axis_y.Cells(source.y[row])),
            .source = PackLocation(location)};
    if (source.z != nullptr) {
      key.z = CellIndex(grid.axis_z.Cells(source.z[row]));
    }
    ranges.x.Add(key.x);
    ranges.y.Add(key.y);
    ranges.z.Add(key.z);
    grid.keys[rank++] = key;
  });
  return ranges;
}

// One stable pass of a radix sort.
template <std::uint32_t Key::*kPart>
void SortByDigit(NeighborGrid& grid, std::uint32_t low, unsigned shift,
                 unsigned bits) {
  std::array<std::uint32_t, 1u << kMostDigitBits> places;
  const std::uint32_t digits = 1u << bits;
  std::fill_n(places.begin(), digits, 0u);
  const auto digit = [low, shift, digits](const Key& key) {
    return ((key.*kPart - low) >> shift) & (digits - 1);
  };
  for (const Key& key : grid.keys) ++places[digit(key)];
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < digits; ++i) {
    const std::uint32_t here = places[i];
    places[i] = before;
    before += here;
  }
  for (const Key& key : grid.keys) grid.other_keys[places[digit(key)]++] = key;
  grid.keys.swap(grid.other_keys);
}

// Passes over those bits of a part in which keys can differ.
template <std::uint32_t Key::*kPart>
void SortByPart(NeighborGrid& grid, const KeyRange& range) {
  if (range.high <= range.low) return;
  const auto bits =
      static_cast<unsigned>(std::bit_width(range.high - range.low));
  const unsigned most =
      std::clamp(static_cast<unsigned>(std::bit_width(grid.keys.size())),
                 kLeastDigitBits, kMostDigitBits);
  const unsigned passes = 1 + (bits - 1) / most;
  const unsigned digit_bits = (bits + passes - 1) / passes;
  for (unsigned shift = 0; shift < bits; shift += digit_bits) {
    SortByDigit<kPart>(grid, range.low, shift, digit_bits);
  }
}

void ListRows(NeighborGrid& grid) {
  grid.rows.clear();
  grid.slabs.clear();
  std::uint32_t agent = 0;
  for (const Key& key : grid.keys) {
    const bool new_slab = grid.slabs.empty() || grid.slabs.back().z != key.z;
    if (new_slab || grid.rows.back().y != key.y) {
      grid.rows.push_back({key.z, key.y, agent, agent});
    }
    grid.location[agent] = key.source;
    grid.sub_cell[agent] = key.x;
    grid.rows.back().end = ++agent;
    const auto rows = static_cast<std::uint32_t>(grid.rows.size());
    if (new_slab) grid.slabs.push_back({key.z, rows - 1, rows});
    grid.slabs.back().end = rows;
  }
}

}  // namespace

void SortByRadix(const AgentIndex& index, NeighborGrid& grid,
                 ParallelFor& parallel) {
  const KeyRanges ranges = MakeKeys(index, grid);
  SortByPart<&Key::x>(grid, ranges.x);
  SortByPart<&Key::y>(grid, ranges.y);
  SortByPart<&Key::z>(grid, ranges.z);
  ListRows(grid);
  const std::size_t agents = grid.size();
  RunPieces(parallel, (agents + kPieceAgents - 1) / kPieceAgents,
            [&](std::size_t piece) {
              const std::size_t first = piece * kPieceAgents;
              GatherAgents(grid, first, std::min(first + kPieceAgents, agents));
            });
}

}  // namespace meander::core
