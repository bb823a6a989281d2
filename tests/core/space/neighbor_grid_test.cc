#include "core/space/neighbor_grid.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tests/core/counting_new.h"
#include "tests/core/floats.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

NeighborScene FlockIn(const SimulationConfig& config) {
  NeighborScene scene;
  scene.config = config;
  scene.archetypes = {FlockArchetype({.radius = 8.0f})};
  return scene;
}

std::vector<AgentId> IdsOf(const NeighborScene& scene,
                           const std::vector<std::size_t>& order) {
  std::vector<AgentId> ids;
  for (const std::size_t i : order) ids.push_back(scene.agents[i].id);
  return ids;
}

TEST(NeighborGridTest, SortsAgentsIntoTheCanonicalOrder) {
  std::mt19937 random(11);
  NeighborGrid grid;
  for (int round = 0; round < 500; ++round) {
    NeighborScene scene = RandomScene(random);
    scene.archetypes = {FlockArchetype({.radius = 1.0f})};
    Rebuild(StateOf(scene), grid);
    ASSERT_EQ(grid.id, IdsOf(scene, CanonicalOrder(scene))) << round;
  }
}

#if !defined(__wasm__)
// Whoever lends a thread may have set it to round otherwise: in these worlds
// places next to borders of cells would then be on the other side.
TEST(NeighborGridTest, CellsAreTheSameWhateverThreadsThatAreLentRoundTo) {
  class UpwardFor final : public ParallelFor {
   public:
    void Run(std::size_t count, IndexFunction body) override {
      for (std::size_t i = 0; i < count; ++i) {
        std::fesetround(FE_UPWARD);
        body(i);
        std::fesetround(FE_TONEAREST);
      }
    }
  };
  for (const Plane plane : {Plane::kXY, Plane::kNone}) {
    SimulationConfig config = SmallConfig(plane);
    config.cell_size = 2.9f;
    NeighborScene scene = FlockIn(config);
    // So many are more than one piece of work, which threads are lent for.
    for (int i = 0; i < 12'000; ++i) {
      const float border = -100.0f + static_cast<float>(i % 270) * 0.25f * 2.9f;
      scene.Add({i % 2 == 0 ? Above(border) : border, 0.0f, 0.0f});
    }
    const WorldState state = StateOf(scene);
    NeighborGrid expected;
    Rebuild(state, expected);
    NeighborGrid grid;
    UpwardFor upward;
    RebuildGrid(state, grid, upward);
    EXPECT_EQ(grid.sub_cell, expected.sub_cell);
    EXPECT_EQ(grid.id, expected.id);
  }
}
#endif

// So many that they are several pieces of rows and several bands of cells, some
// in crowds.
TEST(NeighborGridTest, SortsManyAgentsOfSeveralPopulations) {
  for (const Plane plane : kPlanes) {
    NeighborScene scene = FlockIn(SmallConfig(plane));
    scene.archetypes = {FlockArchetype({.radius = 1.0f}, 1),
                        FlockArchetype({.radius = 2.0f}, 2)};
    std::mt19937 random(15);
    std::uniform_real_distribution<float> number(-100.0f, 100.0f);
    for (int i = 0; i < 30'000; ++i) {
      Vec3 place{number(random), number(random), number(random)};
      if (i % 10 == 0) place = {1.0f, 2.0f, static_cast<float>(i % 3)};
      scene.Add(Flatten(place, plane));
      if (i % 4 == 0) scene.archetype_of.back() = 2;
    }
    std::vector<std::size_t> order(scene.agents.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    NeighborGrid grid;
    Rebuild(StateOf(scene, order), grid);
    EXPECT_TRUE(grid.keys.empty()) << "sorted by radix";
    ASSERT_EQ(grid.id, IdsOf(scene, CanonicalOrder(scene)));
  }
}

TEST(NeighborGridTest, OrdersByZThenYThenQuarterOfXThenId) {
  NeighborScene scene = FlockIn(SmallConfig());  // from -100, cells of 8
  scene.Add({-99.0f, -99.0f, -91.0f});           // second cell in z
  scene.Add({-99.0f, -91.0f, -99.0f});           // second cell in y
  scene.Add({-97.0f, -99.0f, -99.0f});           // second quarter in x
  scene.Add({-98.5f, -99.0f, -99.0f});
  scene.Add({-99.5f, -99.0f, -99.0f});
  NeighborGrid grid;
  Rebuild(StateOf(scene), grid);
  EXPECT_EQ(grid.id, (std::vector<AgentId>{4, 5, 3, 2, 1}));
  ASSERT_EQ(grid.rows.size(), 3u);
  EXPECT_EQ(grid.rows[0].end, 3u);
  EXPECT_EQ(grid.slabs.size(), 2u);
  const std::vector<std::uint32_t> sub_cells{0, 0, 1, 0, 0};
  EXPECT_TRUE(
      std::equal(sub_cells.begin(), sub_cells.end(), grid.sub_cell.begin()));
}

TEST(NeighborGridTest, CarriesEachAgentsColumns) {
  std::mt19937 random(12);
  NeighborScene scene = RandomScene(random);
  scene.config.plane = Plane::kNone;
  scene.archetypes = {FlockArchetype({.radius = 1.0f})};
  const WorldState state = StateOf(scene);
  NeighborGrid grid;
  Rebuild(state, grid);
  const std::vector<std::size_t> order = CanonicalOrder(scene);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const AgentRow& agent = scene.agents[order[i]];
    EXPECT_EQ(grid.Position(i), agent.position);
    EXPECT_EQ(grid.Velocity(i), agent.velocity);
    EXPECT_EQ(grid.Groups(i), agent.groups);
    EXPECT_EQ(grid.Location(i), *state.index.Find(agent.id));
  }
}

TEST(NeighborGridTest, InAPlaneItsTwoAxesAreXAndY) {
  const Vec3 place{1.0f, 2.0f, 3.0f};
  const Vec3 seen[] = {{1, 2, 3}, {1, 2, 3}, {1, 3, 2}, {2, 3, 1}};
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    const Vec3 in_grid = ToGridAxes(plane, place);
    EXPECT_EQ(in_grid, seen[static_cast<std::size_t>(plane)]);
    EXPECT_EQ(FromGridAxes(plane, in_grid), place);
  }
}

// The box of these two has 2^64 cells, the world's more.
TEST(NeighborGridTest, NoNumberOfCellsIsTooLargeToBeCounted) {
  SimulationConfig config = SmallConfig();
  config.bounds_min = {-kMaxBound, -kMaxBound, -kMaxBound};
  config.bounds_max = {kMaxBound, kMaxBound, kMaxBound};
  config.bounds_mode = BoundsMode::kClamp;
  config.cell_size = kMinCellSize;
  NeighborScene scene = FlockIn(config);
  const float last = kMaxBound - kMinCellSize;
  scene.Add({-0x1p-9f, last, last});
  scene.Add({-kMaxBound, -kMaxBound, -kMaxBound});
  NeighborGrid grid;
  Rebuild(StateOf(scene), grid);
  EXPECT_EQ(grid.id, IdsOf(scene, CanonicalOrder(scene)));
}

TEST(NeighborGridTest, AgentsOnTheUpperFaceHaveACell) {
  for (const float bound : {100.0f, 16384.0f}) {
    for (const float cell : {kMinCellSize, 8.0f, kMaxCellSize}) {
      for (const BoundsMode mode : {BoundsMode::kClamp, BoundsMode::kWrap}) {
        SimulationConfig config = SmallConfig();
        config.bounds_min = {-bound, -bound, -bound};
        config.bounds_max = {bound, bound, bound};
        config.bounds_mode = mode;
        config.cell_size = cell;
        NeighborScene scene = FlockIn(config);
        const float below = std::nextafter(bound, 0.0f);
        if (mode == BoundsMode::kClamp) scene.Add({bound, bound, bound});
        scene.Add({below, below, below});
        scene.Add({-bound, -bound, -bound});
        NeighborGrid grid;
        Rebuild(StateOf(scene), grid);
        EXPECT_EQ(grid.id, IdsOf(scene, CanonicalOrder(scene)))
            << bound << ", " << cell;
        for (std::size_t i = 0; i < grid.size(); ++i) {
          EXPECT_LE(static_cast<float>(grid.sub_cell[i]), 8.0f * bound / cell);
        }
        for (const NeighborGrid::Row& row : grid.rows) {
          EXPECT_LE(static_cast<float>(std::max(row.y, row.z)),
                    2.0f * bound / cell);
        }
      }
    }
  }
}

TEST(NeighborGridTest, RowsOfAgentsDoNotMatter) {
  std::mt19937 random(13);
  NeighborScene scene = RandomScene(random);
  scene.archetypes = {FlockArchetype({.radius = 1.0f}, 1),
                      FlockArchetype({.radius = 2.0f}, 2)};
  for (std::size_t i = 0; i < scene.agents.size(); i += 3) {
    scene.archetype_of[i] = 2;
  }
  NeighborGrid grid;
  Rebuild(StateOf(scene), grid);
  std::vector<std::size_t> order(scene.agents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  NeighborGrid shuffled;
  Rebuild(StateOf(scene, order), shuffled);
  EXPECT_EQ(grid.id, shuffled.id);
  EXPECT_EQ(grid.x, shuffled.x);
  EXPECT_NE(grid.location, shuffled.location);
}

TEST(NeighborGridTest, MemoryFollowsTheAgentsAndNotTheExtent) {
  SimulationConfig config = SmallConfig();
  config.bounds_min = {-16384.0f, -16384.0f, -16384.0f};
  config.bounds_max = {16384.0f, 16384.0f, 16384.0f};
  config.cell_size = kMinCellSize;
  NeighborScene scene = FlockIn(config);
  std::mt19937 random(14);
  std::uniform_real_distribution<float> number(-16384.0f, 16384.0f);
  for (int i = 0; i < 1000; ++i) {
    const float x = number(random);
    const float y = number(random);
    scene.Add({x, y, number(random)});
  }
  const WorldState state = StateOf(scene);
  NeighborGrid grid;
  {
    const AllocationCount count;
    Rebuild(state, grid);
    EXPECT_LT(count.bytes(), 1000u * 250u);
  }
  EXPECT_EQ(grid.id, IdsOf(scene, CanonicalOrder(scene)));
  const AllocationCount count;
  Rebuild(state, grid);
  EXPECT_EQ(count.calls(), 0u) << "once warm";
}

TEST(NeighborGridTest, GivesBackWhatFewAgentsUse) {
  NeighborScene scene = FlockIn(SmallConfig());
  for (int i = 0; i < 5000; ++i) {
    scene.Add({static_cast<float>(i % 100), static_cast<float>(i / 100), 0});
  }
  NeighborGrid grid;
  Rebuild(StateOf(scene), grid);
  EXPECT_GE(grid.id.capacity(), 5000u);
  scene.agents.resize(10);
  Rebuild(StateOf(scene), grid);
  EXPECT_LE(grid.id.capacity(), 200u);
  EXPECT_LE(grid.cell_ends.capacity(), 400u);
  EXPECT_LE(grid.x.capacity(), 200u);
}

}  // namespace
}  // namespace meander::core
