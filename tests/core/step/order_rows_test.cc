#include "core/step/order_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "core/step/find_neighbors.h"
#include "gtest/gtest.h"
#include "tests/core/counting_new.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

// What the agent with this id goes for.
Target TargetOf(AgentId id) {
  const auto number = static_cast<float>(id);
  return {.kind = Target::Kind::kPoint,
          .point = {number, number + 0.25f, number + 0.5f}};
}

// Two populations in any order of rows.
NeighborScene Shuffled(std::size_t agents) {
  std::mt19937 random(51);
  std::uniform_real_distribution<float> number(-100.0f, 100.0f);
  NeighborScene scene;
  scene.config = SmallConfig(Plane::kXY);
  scene.archetypes = {FlockArchetype({.radius = 2.0f}, 1),
                      FlockArchetype({.radius = 3.0f}, 2)};
  for (std::size_t i = 0; i < agents; ++i) {
    const float x = number(random);
    AgentRow& agent = scene.Add({x, number(random), 0.0f});
    agent.tag = static_cast<std::uint64_t>(agent.id) * 7;
    agent.targets[1] = TargetOf(agent.id);
    if (i % 3 == 0) scene.archetype_of.back() = 2;
  }
  return scene;
}

// How far agents that follow one another in the grid are apart in memory, on
// average. Adjacent ones of two populations do not count.
double RowsApart(const NeighborGrid& grid) {
  double apart = 0.0;
  for (std::size_t i = 1; i < grid.size(); ++i) {
    const AgentLocation a = grid.Location(i - 1);
    const AgentLocation b = grid.Location(i);
    if (a.population != b.population) continue;
    apart += a.row < b.row ? b.row - a.row : a.row - b.row;
  }
  return apart / static_cast<double>(grid.size());
}

void ExpectWhole(const WorldState& state) {
  for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
    const AgentColumns& agents = state.populations[p].agents;
    for (std::uint32_t row = 0; row < agents.size(); ++row) {
      ASSERT_EQ(*state.index.Find(agents.id[row]), (AgentLocation{p, row}));
      ASSERT_EQ(agents.tag[row],
                static_cast<std::uint64_t>(agents.id[row]) * 7);
      ASSERT_EQ(agents.TargetAt(row, 1), Pack(TargetOf(agents.id[row])));
    }
  }
  NeighborGrid grid;
  Rebuild(state, grid);
  EXPECT_EQ(grid.location, state.neighbors.grid.location);
  EXPECT_EQ(grid.id, state.neighbors.grid.id);
}

TEST(OrderRowsTest, BringsManyThatWereSpawnedAnyhowInOrderAtOnce) {
  WorldState state = StateOf(Shuffled(6000));
  const StateHash hash = HashOf(state);
  SerialFor serial;
  Rebuild(state, state.neighbors.grid);
  const double before = RowsApart(state.neighbors.grid);
  OrderRows(state, 1, serial);
  EXPECT_LT(RowsApart(state.neighbors.grid), before / 100);
  ExpectWhole(state);
  EXPECT_EQ(HashOf(state).value, hash.value);
}

TEST(OrderRowsTest, FewAreLeftWhereTheyAre) {
  WorldState state = StateOf(Shuffled(kFewestOrdered - 1));
  SerialFor serial;
  Rebuild(state, state.neighbors.grid);
  const std::vector<std::uint32_t> before = state.neighbors.grid.location;
  OrderRows(state, 1, serial);
  EXPECT_EQ(state.neighbors.grid.location, before);
}

// The most that a row is from where it would be if all were in order.
std::int64_t FarthestAway(const WorldState& state) {
  const NeighborGrid& grid = state.neighbors.grid;
  std::vector<std::int64_t> next(state.populations.size(), 0);
  std::int64_t farthest = 0;
  for (std::size_t place = 0; place < grid.size(); ++place) {
    const AgentLocation at = grid.Location(place);
    const std::int64_t away = at.row - next[at.population]++;
    farthest = std::max(farthest, away < 0 ? -away : away);
  }
  return farthest;
}

TEST(OrderRowsTest, BringsTheFewHomeThatAreFarAway) {
  WorldState state = StateOf(Shuffled(6000));
  SerialFor serial;
  Rebuild(state, state.neighbors.grid);
  OrderRows(state, 1, serial);
  // To the other end of the world, and back from there.
  for (Population& population : state.populations) {
    AgentColumns& agents = population.agents;
    const std::size_t rows = agents.size();
    for (std::size_t row = 0; row < 20; ++row) {
      agents.SetPosition(row, {agents.position_x[row], 99.0f, 0.0f});
      agents.SetPosition(rows - 1 - row,
                         {agents.position_x[rows - 1 - row], -99.0f, 0.0f});
    }
  }
  Rebuild(state, state.neighbors.grid);
  EXPECT_GT(FarthestAway(state), 1500);
  OrderRows(state, kRowOrderTicks, serial);
  EXPECT_LT(FarthestAway(state), 500);
  ExpectWhole(state);
}

// Agents that drift, and some that are set down anywhere.
TEST(OrderRowsTest, KeepsAgentsInOrderThatMove) {
  WorldState state = StateOf(Shuffled(6000));
  std::mt19937 random(52);
  std::uniform_real_distribution<float> step(-0.2f, 0.2f);
  std::uniform_real_distribution<float> anywhere(-100.0f, 100.0f);
  SerialFor serial;
  for (std::int64_t tick = 0; tick < 4 * kRowOrderTicks; ++tick) {
    for (Population& population : state.populations) {
      AgentColumns& agents = population.agents;
      for (std::size_t row = 0; row < agents.size(); ++row) {
        const Vec3 at = agents.Position(row);
        const bool leaps = random() % 2000 == 0;
        const float x = leaps ? anywhere(random) : at.x + step(random);
        const float y = leaps ? anywhere(random) : at.y + step(random);
        agents.SetPosition(row, {std::clamp(x, -100.0f, 100.0f),
                                 std::clamp(y, -100.0f, 100.0f), 0.0f});
      }
    }
    Rebuild(state, state.neighbors.grid);
    OrderRows(state, tick, serial);
  }
  // In any order it would be a thousand.
  EXPECT_LT(RowsApart(state.neighbors.grid), 150.0);
  ExpectWhole(state);
}

// Runs each piece on a thread of its own.
class ThreadEach final : public ParallelFor {
 public:
  void Run(std::size_t count, IndexFunction body) override {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back(body, i);
    for (std::thread& thread : threads) thread.join();
  }
};

TEST(OrderRowsTest, ThreadsOrderTheSameRows) {
  const NeighborScene scene = Shuffled(140'000);
  WorldState one = StateOf(scene);
  WorldState many = StateOf(scene);
  SerialFor serial;
  ThreadEach threads;
  for (std::int64_t tick = 0; tick < 3; ++tick) {
    RebuildGrid(one, one.neighbors.grid, serial);
    OrderRows(one, tick, serial);
    RebuildGrid(many, many.neighbors.grid, threads);
    OrderRows(many, tick, threads);
  }
  EXPECT_GT(many.neighbors.row_orders.size(), 1u) << "there was one thread";
  EXPECT_EQ(one.neighbors.grid.id, many.neighbors.grid.id);
  EXPECT_EQ(one.neighbors.grid.location, many.neighbors.grid.location);
  ExpectWhole(many);
}

// Puts every agent anywhere.
void Mix(WorldState& state, std::mt19937& random) {
  std::uniform_real_distribution<float> anywhere(-100.0f, 100.0f);
  for (Population& population : state.populations) {
    for (std::size_t row = 0; row < population.agents.size(); ++row) {
      const float x = anywhere(random);
      population.agents.SetPosition(row, {x, anywhere(random), 0.0f});
    }
  }
}

TEST(OrderRowsTest, WhetherAgentsMixOrNotNothingIsAllocated) {
  for (const bool mixes : {true, false}) {
    WorldState state = StateOf(Shuffled(6000));
    std::mt19937 random(53);
    SerialFor serial;
    for (std::int64_t tick = 0; tick < 5 * kRowOrderTicks; ++tick) {
      if (mixes) Mix(state, random);
      const AllocationCount allocated;
      FindNeighbors(state, serial);
      // Once all were out of order again.
      if (tick > kRowOrderTicks) {
        ASSERT_EQ(allocated.calls(), 0u) << tick << (mixes ? "" : ", calm");
      }
      ++state.tick;
    }
    ExpectWhole(state);
  }
}

// The memory for that is not kept for worlds that do not mix.
TEST(OrderRowsTest, WhoIsInOrderNeedsNoMemoryToBeOrdered) {
  WorldState state = StateOf(Shuffled(6000));
  SerialFor serial;
  std::mt19937 random(54);
  for (state.tick = 0; state.tick <= kRowOrderTicks; ++state.tick) {
    if (state.tick == kRowOrderTicks) Mix(state, random);
    FindNeighbors(state, serial);
    EXPECT_EQ(state.neighbors.all_rows.from.capacity() != 0,
              state.tick == kRowOrderTicks)
        << state.tick;
  }
  for (; state.tick <= 2 * kRowOrderTicks; ++state.tick) {
    FindNeighbors(state, serial);
  }
  EXPECT_EQ(state.neighbors.all_rows.from.capacity(), 0u);
}

}  // namespace
}  // namespace meander::core
