#include "core/step/order_rows.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/space/neighbor_grid.h"
#include "core/step/row_ranks.h"

namespace meander::core {
namespace {

// An agent is a stray when it is further from its place than such a part of all
// agents.
constexpr std::size_t kAgentsPerAway = 16;
// All are moved at once when strays are more than one in so many.
constexpr std::size_t kAgentsPerStray = 8;
// Where there were nearly so many, the next time there may be.
constexpr std::size_t kOftener = 4;
constexpr std::size_t kTaskAgents = 256;
constexpr std::size_t kMostTasks = 8;

// The agents at `places` of the grid, ascending, exchange rows so that each
// population's rows ascend. Uses `order`.
void ExchangeRows(WorldState& state, RowOrder& order) {
  NeighborGrid& grid = state.neighbors.grid;
  std::vector<std::uint32_t>& places = order.places;
  const auto population_at = [&grid](std::uint32_t place) {
    return grid.Location(place).population;
  };
  const auto by_population = [&](std::uint32_t a, std::uint32_t b) {
    return population_at(a) < population_at(b);
  };
  if (!std::is_sorted(places.begin(), places.end(), by_population)) {
    std::sort(places.begin(), places.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                const std::uint32_t of_a = population_at(a);
                const std::uint32_t of_b = population_at(b);
                return of_a != of_b ? of_a < of_b : a < b;
              });
  }
  order.from.clear();
  for (const std::uint32_t place : places) {
    order.from.push_back(grid.location[place]);
  }
  order.to = order.from;
  std::sort(order.to.begin(), order.to.end());
  constexpr std::uint32_t kRowMask = (1u << kRowBits) - 1;
  for (std::size_t first = 0; first < places.size();) {
    const std::uint32_t population = population_at(places[first]);
    std::size_t end = first;
    for (; end < places.size() && order.to[end] >> kRowBits == population;
         ++end) {
      grid.location[places[end]] = order.to[end];
      order.from[end] &= kRowMask;
      order.to[end] &= kRowMask;
    }
    AgentColumns& agents = state.populations[population].agents;
    agents.MoveRows(std::span(order.from).subspan(first, end - first),
                    std::span(order.to).subspan(first, end - first),
                    order.room);
    for (std::size_t i = first; i < end; ++i) {
      if (order.from[i] == order.to[i]) continue;
      state.index.Move(agents.id[order.to[i]], {population, order.to[i]});
    }
    first = end;
  }
}

// Strays exchange rows, at most `most` of them; all agents do where many are.
// `again`: they were in order before.
void OrderStrays(WorldState& state, std::size_t most, bool again,
                 ParallelFor& parallel, RowOrder& order) {
  const std::size_t agents = state.neighbors.grid.size();
  const auto away = static_cast<std::int64_t>(agents / kAgentsPerAway);
  RowRanks ranks(state, parallel);
  const std::size_t strays = ranks.CountAway(away);
  const bool many = strays * kAgentsPerStray > agents;
  if (many) {
    ranks.OrderAll();
  } else {
    ranks.ListAway(away, most, order.places);
    ExchangeRows(state, order);
  }
  if (again && strays * kAgentsPerStray * kOftener > agents) return;
  ResizeScratch(state.neighbors.all_rows.from, 0);
  ResizeScratch(state.neighbors.all_rows.room, 0);
}

}  // namespace

void OrderRows(WorldState& state, std::int64_t tick, ParallelFor& parallel) {
  NeighborScratch& scratch = state.neighbors;
  const std::size_t agents = scratch.grid.size();
  if (agents < kFewestOrdered) {
    scratch.row_orders.clear();
    scratch.all_rows = {};
    scratch.ordered_agents = 0;
    return;
  }
  constexpr auto kParts = static_cast<std::size_t>(kRowOrderTicks);
  const std::size_t part = agents / kParts + 1;
  const auto phase = static_cast<std::size_t>(tick % kRowOrderTicks);
  // Every other time by half a part further on, so that agents get from part
  // to part.
  const bool odd = tick / kRowOrderTicks % 2 != 0;
  const std::size_t first =
      std::min(phase * part + (odd ? part / 2 : 0), agents);
  const std::size_t end = std::min(first + part, agents);
  const std::size_t tasks =
      std::clamp<std::size_t>(part / kTaskAgents, 1, kMostTasks);
  scratch.row_orders.resize(tasks);
  const bool again = agents / 8 * 7 <= scratch.ordered_agents;
  if (phase == 0 || !again) {
    scratch.ordered_agents = agents;
    // With the memory of a task.
    OrderStrays(state, part / tasks, again, parallel, scratch.row_orders[0]);
  }
  RunPieces(parallel, tasks, [&](std::size_t task) {
    RowOrder& order = scratch.row_orders[task];
    order.places.clear();
    const std::size_t last = first + (end - first) * (task + 1) / tasks;
    for (std::size_t place = first + (end - first) * task / tasks; place < last;
         ++place) {
      order.places.push_back(static_cast<std::uint32_t>(place));
    }
    if (!order.places.empty()) ExchangeRows(state, order);
  });
}

}  // namespace meander::core
