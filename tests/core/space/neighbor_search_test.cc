#include "core/space/neighbor_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "core/math/trig.h"
#include "gtest/gtest.h"
#include "tests/core/counting_new.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using Neighbors = std::map<AgentId, std::vector<AgentId>>;

Neighbors Found(const NeighborScene& scene, const Neighborhood& neighborhood) {
  NeighborScene with_archetype = scene;
  with_archetype.archetypes = {FlockArchetype(neighborhood)};
  NeighborGrid grid;
  Rebuild(StateOf(with_archetype), grid);
  const auto found = FoundNeighbors(grid, neighborhood);
  Neighbors result;
  for (std::size_t i = 0; i < grid.size(); ++i) result[grid.id[i]] = found[i];
  return result;
}

Neighbors Expected(const NeighborScene& scene,
                   const Neighborhood& neighborhood) {
  const std::vector<std::size_t> order = CanonicalOrder(scene);
  Neighbors result;
  for (std::size_t i = 0; i < scene.agents.size(); ++i) {
    std::vector<AgentId>& ids = result[scene.agents[i].id];
    for (const Neighbor& neighbor :
         NeighborsByBruteForce(scene, order, i, neighborhood)) {
      ids.push_back(scene.agents[neighbor.index].id);
    }
  }
  return result;
}

std::size_t Pairs(const Neighbors& neighbors) {
  std::size_t pairs = 0;
  for (const auto& [id, ids] : neighbors) pairs += ids.size();
  return pairs;
}

NeighborScene SceneIn(const SimulationConfig& config) {
  NeighborScene scene;
  scene.config = config;
  return scene;
}

SimulationConfig Torus(Plane plane, float half, float cell_size) {
  SimulationConfig config = SmallConfig(plane);
  config.bounds_min = {-half, -half, -half};
  config.bounds_max = {half, half, half};
  config.bounds_mode = BoundsMode::kWrap;
  config.cell_size = cell_size;
  return Normalized(config);
}

// Uniform in a box about the center, in the plane.
void AddRandom(NeighborScene& scene, std::size_t agents, float half,
               std::mt19937& random, const Vec3& center = {}) {
  std::uniform_real_distribution<float> number(-half, half);
  for (std::size_t i = 0; i < agents; ++i) {
    const float x = number(random);
    const float y = number(random);
    const float z = number(random);
    scene.Add(HeldPlace(scene.config, center + Vec3{x, y, z}), {x, z, y});
  }
}

TEST(NeighborSearchTest, FindsWhomBruteForceFinds) {
  std::mt19937 random(21);
  std::size_t pairs = 0;
  for (int round = 0; round < 1000; ++round) {
    const NeighborScene scene = RandomScene(random);
    const Neighborhood neighborhood = RandomNeighborhood(scene, random);
    const Neighbors expected = Expected(scene, neighborhood);
    ASSERT_EQ(Found(scene, neighborhood), expected)
        << "round " << round << ", radius " << neighborhood.radius;
    pairs += Pairs(expected);
  }
  EXPECT_GT(pairs, 100'000u);
}

TEST(NeighborSearchTest, FindsAgentOnCellBorder) {
  SimulationConfig config = SmallConfig();
  config.cell_size = 4.0f;
  for (const float radius : {0.0f, 4.0f, 3.99f, 8.0f, 1.0f}) {
    NeighborScene scene = SceneIn(config);
    for (const float x : {-100.0f, -96.0f, -4.0f, 0.0f, 4.0f, 96.0f, 100.0f}) {
      for (const float y : {-100.0f, -4.0f, 0.0f, 4.0f, 100.0f}) {
        scene.Add({x, y, 0.0f});
        scene.Add({std::nextafter(x, 0.0f), y, 4.0f});
        scene.Add({x, std::nextafter(y, 0.0f), 0.0f});
      }
    }
    EXPECT_EQ(Found(scene, {.radius = radius}),
              Expected(scene, {.radius = radius}))
        << radius;
  }
}

// At the coarsest rounding that is legal: the distance test alone decides.
TEST(NeighborSearchTest, RoundingHidesNoOneFarFromTheOrigin) {
  std::mt19937 random(22);
  for (const BoundsMode mode : {BoundsMode::kClamp, BoundsMode::kWrap}) {
    SimulationConfig config = SmallConfig(Plane::kXY);
    config.bounds_min = {-16384.0f, -16384.0f, 0.0f};
    config.bounds_max = {16384.0f, 16384.0f, 0.0f};
    config.bounds_mode = mode;
    config.cell_size = kMinCellSize;
    NeighborScene scene = SceneIn(config);
    for (int i = 0; i < 300; ++i) {
      // On the grid of numbers near the upper corner, where radii are exact.
      const float x = 16383.0f + static_cast<float>(random() % 50) * 0x1p-10f;
      const float y = 16383.0f + static_cast<float>(random() % 50) * 0x1p-10f;
      scene.Add({x, y, 0.0f});
    }
    for (const float radius : {0x1p-10f, 0x1p-6f, 0x1.8p-5f, 0.25f}) {
      const Neighbors expected = Expected(scene, {.radius = radius});
      EXPECT_GT(Pairs(expected), 0u);
      EXPECT_EQ(Found(scene, {.radius = radius}), expected) << radius;
    }
  }
}

// Whatever the division by a cell size makes of their cells.
TEST(NeighborSearchTest, AgentsAtExactlyTheRadiusAreNeighbors) {
  std::mt19937 random(29);
  for (const float cell : {0.0157f, 0.1f, 0.3f, 0.7f}) {
    SimulationConfig config = SmallConfig();
    config.bounds_min = {-16384.0f, -16384.0f, -16384.0f};
    config.bounds_max = {16384.0f, 16384.0f, 16384.0f};
    config.cell_size = cell;
    for (const float radius : {0x1p-10f, 0x1.8p-4f, 0.5f, 1.0f}) {
      NeighborScene scene = SceneIn(config);
      const auto number = [&random] {
        return static_cast<float>(random() % 16'000'000) * 0x1p-10f;
      };
      for (int i = 0; i < 200; ++i) {
        const float x = number();
        const float y = number();
        const Vec3 place{x, y, number()};
        scene.Add(place);
        scene.Add(place +
                  (i % 2 == 0 ? Vec3{0, radius, 0} : Vec3{0, 0, radius}));
      }
      const Neighbors found = Found(scene, {.radius = radius});
      for (const auto& [id, ids] : found) {
        EXPECT_FALSE(ids.empty()) << cell << ", " << radius;
      }
    }
  }
}

TEST(NeighborSearchTest, TheSixNearestInADiscOf200) {
  std::mt19937 random(23);
  std::uniform_real_distribution<float> number(-3.0f, 3.0f);
  NeighborScene scene = SceneIn(SmallConfig(Plane::kXY));
  while (scene.agents.size() < 200) {
    const float x = number(random);
    const float y = number(random);
    if (x * x + y * y <= 9.0f) scene.Add({x, y, 0.0f});
  }
  const Neighborhood six{.radius = 8.0f, .max_neighbors = 6};
  const Neighbors found = Found(scene, six);
  for (const auto& [id, ids] : found) EXPECT_EQ(ids.size(), 6u);
  EXPECT_EQ(found, Expected(scene, six));
}

TEST(NeighborSearchTest, AmongEquallyFarTheLowerIdsAreNearest) {
  NeighborScene scene = SceneIn(SmallConfig(Plane::kXY));
  scene.Add({0, 0, 0});
  for (const float x : {9.0f, -9.0f, 9.0f, -9.0f}) scene.Add({x, 0, 0});
  const Neighbors found = Found(scene, {.radius = 9.0f, .max_neighbors = 3});
  // 2, 3 and 4 in canonical order.
  EXPECT_EQ(found.at(1), (std::vector<AgentId>{3, 2, 4}));
}

TEST(NeighborSearchTest, TakesUpToAThousandNearest) {
  std::mt19937 random(24);
  NeighborScene scene = SceneIn(SmallConfig(Plane::kXZ));
  AddRandom(scene, 1500, 5.0f, random);
  const Neighborhood most{.radius = 20.0f, .max_neighbors = kMaxNearest};
  const Neighbors found = Found(scene, most);
  EXPECT_EQ(found.at(1).size(), 1024u);
  const std::vector<std::size_t> order = CanonicalOrder(scene);
  for (const std::size_t agent : {std::size_t{0}, std::size_t{777}}) {
    std::vector<AgentId> expected;
    for (const Neighbor& neighbor :
         NeighborsByBruteForce(scene, order, agent, most)) {
      expected.push_back(scene.agents[neighbor.index].id);
    }
    EXPECT_EQ(found.at(scene.agents[agent].id), expected);
  }
}

TEST(NeighborSearchTest, SeesInTheFullAngleAboutTheVelocity) {
  NeighborScene scene = SceneIn(SmallConfig(Plane::kXY));
  scene.Add({0, 0, 0}, {2, 0, 0});
  scene.Add({5, 0, 0});
  scene.Add({0, 5, 0});
  scene.Add({0, -5, 0});
  scene.Add({-1, 5, 0});
  scene.Add({-5, 0, 0});
  scene.Add({0, 0, 0});
  const auto seen = [&scene](float view) {
    const std::vector<AgentId> ids =
        Found(scene, {.radius = 6.0f, .field_of_view = view}).at(1);
    return std::set<AgentId>(ids.begin(), ids.end());
  };
  EXPECT_EQ(seen(0.0f), (std::set<AgentId>{2, 7}));
  EXPECT_EQ(seen(kPi), (std::set<AgentId>{2, 3, 4, 7})) << "inclusive";
  EXPECT_EQ(seen(4.0f), (std::set<AgentId>{2, 3, 4, 5, 7}));
  EXPECT_EQ(seen(6.28f), (std::set<AgentId>{2, 3, 4, 5, 7}));
  EXPECT_EQ(seen(kMaxFieldOfView).size(), 6u) << "all-round";
  scene.agents[0].velocity = {};
  EXPECT_EQ(seen(0.0f).size(), 6u) << "at rest";
}

TEST(NeighborSearchTest, NeighborsShareAGroup) {
  NeighborScene scene = SceneIn(SmallConfig());
  for (const std::uint32_t groups : {1u, 2u, 3u, 0u, 0x80000000u}) {
    scene.Add({1, 2, 3}).groups = groups;
  }
  EXPECT_EQ(Found(scene, {.radius = 1.0f}).at(1),
            (std::vector<AgentId>{2, 3, 5}));
  EXPECT_EQ(Found(scene, {.radius = 1.0f, .neighbor_groups = 2u}).at(1),
            (std::vector<AgentId>{2, 3}));
  EXPECT_EQ(Found(scene, {.radius = 1.0f, .neighbor_groups = 0u}).at(1),
            std::vector<AgentId>{});
}

TEST(NeighborSearchTest, AMovedSceneHasTheSameNeighbors) {
  std::mt19937 random(25);
  NeighborScene here = SceneIn(SmallConfig(Plane::kXY));
  here.config.bounds_min = {-16384.0f, -16384.0f, 0.0f};
  here.config.bounds_max = {16384.0f, 16384.0f, 0.0f};
  NeighborScene there = here;
  for (int i = 0; i < 500; ++i) {
    const float x = static_cast<float>(random() % 20000) * 0x1p-10f;
    const float y = static_cast<float>(random() % 20000) * 0x1p-10f;
    here.Add({x, y, 0.0f});
    there.Add({x + 8000.0f, y + 8000.0f, 0.0f});
  }
  for (const float radius : {0.5f, 1.0f, 2.0f, 7.0f, 8.0f, 12.0f}) {
    Neighbors a = Found(here, {.radius = radius});
    Neighbors b = Found(there, {.radius = radius});
    EXPECT_GT(Pairs(a), 100u);
    for (Neighbors* neighbors : {&a, &b}) {
      for (auto& [id, ids] : *neighbors) std::sort(ids.begin(), ids.end());
    }
    EXPECT_EQ(a, b) << radius;
  }
}

TEST(NeighborSearchTest, AcrossASeamCellsComeInAbsoluteOrder) {
  NeighborScene scene = SceneIn(Torus(Plane::kXY, 32.0f, 8.0f));
  scene.Add({31, 31, 0});
  for (const float y : {30.0f, -30.0f}) {
    for (const float x : {30.0f, -30.0f}) scene.Add({x, y, 0});
  }
  EXPECT_EQ(Found(scene, {.radius = 8.0f}).at(1),
            (std::vector<AgentId>{5, 4, 3, 2}));
}

TEST(NeighborSearchTest, FewCellsAreEachVisitedOnce) {
  std::mt19937 random(26);
  for (const Plane plane : {Plane::kNone, Plane::kYZ}) {
    for (const float cell : {0.7f, 3.0f, 7.9f, 8.0f, 8.1f, 16.0f, 100.0f}) {
      NeighborScene scene = SceneIn(Torus(plane, 8.0f, cell));
      AddRandom(scene, 80, 8.0f, random);
      for (const float radius : {0.5f, 5.0f, 7.99f, 8.0f}) {
        EXPECT_EQ(Found(scene, {.radius = radius}),
                  Expected(scene, {.radius = radius}))
            << cell << ", " << radius;
      }
    }
  }
}

// Rows that outnumber the cursors, and several radii at a time.
TEST(NeighborSearchTest, RadiiMayBeManyCells) {
  std::mt19937 random(27);
  for (const BoundsMode mode : {BoundsMode::kOpen, BoundsMode::kWrap}) {
    SimulationConfig config = Torus(Plane::kNone, 16.0f, 0.25f);
    config.bounds_mode = mode;
    NeighborScene scene = SceneIn(config);
    AddRandom(scene, 200, 16.0f, random);
    AddRandom(scene, 50, 0.2f, random);
    for (const float radius : {0.1f, 1.0f, 4.0f, 16.0f}) {
      EXPECT_EQ(Found(scene, {.radius = radius}),
                Expected(scene, {.radius = radius}))
          << radius;
    }
  }
}

class NobodyCounts final : public NeighborVisitor {
 public:
  void Visit(const NeighborChunk& chunk) override { count += chunk.size; }
  std::size_t count = 0;
};

TEST(NeighborSearchTest, AgentsMayBeVisitedInAnyOrderWithAnyRadii) {
  std::mt19937 random(28);
  NeighborScene scene = SceneIn(SmallConfig(Plane::kXY));
  scene.archetypes = {FlockArchetype({.radius = 1.0f})};
  AddRandom(scene, 400, 30.0f, random);
  NeighborGrid grid;
  Rebuild(StateOf(scene), grid);
  std::vector<NeighborQuery> queries;
  for (const float radius : {1.0f, 5.0f, 2.0f, 3.0f, 8.0f, 30.0f}) {
    queries.emplace_back(grid, Neighborhood{.radius = radius});
  }
  NeighborSearch kept(grid, 0, grid.size());
  for (int round = 0; round < 3000; ++round) {
    const std::size_t agent = random() % grid.size();
    const NeighborQuery& query = queries[random() % queries.size()];
    NobodyCounts expected;
    NeighborSearch fresh(grid, agent, agent + 1);
    fresh.ForEachNeighbor(agent, query, expected);
    NobodyCounts counted;
    const AllocationCount allocations;
    kept.ForEachNeighbor(agent, query, counted);
    ASSERT_EQ(allocations.calls(), 0u);
    ASSERT_EQ(counted.count, expected.count) << round;
  }
}

}  // namespace
}  // namespace meander::core
