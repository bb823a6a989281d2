#include "core/space/neighbor_grid.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/math/limit.h"
#include "core/world_state.h"

namespace meander::core {
namespace {

using Key = NeighborGrid::Key;

// Bits of a key that one pass sorts by. More make fewer passes, but a table
// that few agents need not pay for.
constexpr unsigned kMostDigitBits = 11;
constexpr unsigned kLeastDigitBits = 6;

GridAxis GridAxisOf(float low, float high, float cell_size,
                    const WrapAxis& wrap, bool wraps) {
  return {.low = low,
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

// Numbers are not negative: what the conversion cuts off is the fraction.
std::uint32_t Cell(float cells) {
  return static_cast<std::uint32_t>(
      AtMost(AtLeast(cells, 0.0f), static_cast<float>(kLastCell)));
}

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
KeyRanges MakeKeys(const WorldState& state, NeighborGrid& grid) {
  const std::size_t agents = state.index.size();
  ResizeScratch(grid.keys, agents);
  ResizeScratch(grid.other_keys, agents);
  ResizeScratch(grid.located, agents);
  KeyRanges ranges;
  std::uint32_t rank = 0;
  state.index.ForEach([&](AgentId, const AgentLocation& location) {
    const AgentColumns& columns = state.populations[location.population].agents;
    const Vec3 place = ToGridAxes(grid.plane, columns.Position(location.row));
    const Key key{Cell(kSubCells * grid.axis_x.Cells(place.x)),
                  Cell(grid.axis_y.Cells(place.y)),
                  Cell(grid.axis_z.Cells(place.z)), rank};
    ranges.x.Add(key.x);
    ranges.y.Add(key.y);
    ranges.z.Add(key.z);
    grid.keys[rank] = key;
    grid.located[rank] = location;
    ++rank;
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

// Copies the agents in the order of the keys.
void GatherAgents(const WorldState& state, NeighborGrid& grid) {
  const std::size_t agents = grid.keys.size();
  for (std::vector<float>* column :
       {&grid.x, &grid.y, &grid.z, &grid.velocity_x, &grid.velocity_y,
        &grid.velocity_z}) {
    ResizeScratch(*column, agents + NeighborGrid::kPadding);
  }
  ResizeScratch(grid.id, agents);
  ResizeScratch(grid.groups, agents);
  ResizeScratch(grid.sub_cell, agents);
  ResizeScratch(grid.location, agents);
  grid.common_groups = ~std::uint32_t{0};
  for (std::size_t i = 0; i < agents; ++i) {
    const AgentLocation from = grid.located[grid.keys[i].source];
    const AgentColumns& columns = state.populations[from.population].agents;
    const Vec3 place = ToGridAxes(grid.plane, columns.Position(from.row));
    const Vec3 velocity = ToGridAxes(grid.plane, columns.Velocity(from.row));
    grid.x[i] = place.x;
    grid.y[i] = place.y;
    grid.z[i] = place.z;
    grid.velocity_x[i] = velocity.x;
    grid.velocity_y[i] = velocity.y;
    grid.velocity_z[i] = velocity.z;
    grid.id[i] = columns.id[from.row];
    grid.groups[i] = columns.groups[from.row];
    grid.common_groups &= grid.groups[i];
    grid.sub_cell[i] = grid.keys[i].x;
    grid.location[i] = from;
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
    grid.rows.back().end = ++agent;
    const auto rows = static_cast<std::uint32_t>(grid.rows.size());
    if (new_slab) grid.slabs.push_back({key.z, rows - 1, rows});
    grid.slabs.back().end = rows;
  }
  ResizeScratch(grid.rows, grid.rows.size());
  ResizeScratch(grid.slabs, grid.slabs.size());
}

}  // namespace

void RebuildGrid(const WorldState& state, NeighborGrid& grid) {
  SetAxes(state.config, grid);
  const KeyRanges ranges = MakeKeys(state, grid);
  SortByPart<&Key::x>(grid, ranges.x);
  SortByPart<&Key::y>(grid, ranges.y);
  SortByPart<&Key::z>(grid, ranges.z);
  GatherAgents(state, grid);
  ListRows(grid);
}

}  // namespace meander::core
