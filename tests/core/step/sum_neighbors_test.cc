#include "core/step/sum_neighbors.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/simd/kernels.h"
#include "gtest/gtest.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/step/sum_bits.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr ArchetypeId kArchetypes = 4;

float Between(std::mt19937& random, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(random);
}

// A world of many cells, so dense that batches are full; some agents stand on
// others, some on faces.
NeighborScene DenseScene(std::mt19937& random) {
  NeighborScene scene;
  SimulationConfig& config = scene.config;
  config = SmallConfig(kPlanes[random() % 4]);
  config.bounds_mode =
      random() % 2 == 0 ? BoundsMode::kWrap : BoundsMode::kOpen;
  config.cell_size = std::ldexp(10.0f, static_cast<int>(random() % 4) - 1);
  const bool planar = config.plane != Plane::kNone;
  const std::size_t agents = planar ? 500 : 1500;
  for (std::size_t i = 0; i < agents; ++i) {
    Vec3 place{Between(random, -100.0f, 99.0f), Between(random, -100.0f, 99.0f),
               Between(random, -100.0f, 99.0f)};
    if (i > 0 && random() % 64 == 0) place = scene.agents[i - 1].position;
    if (random() % 64 == 0) place.x = -100.0f;
    const Vec3 velocity{Between(random, -5.0f, 5.0f),
                        Between(random, -5.0f, 5.0f),
                        Between(random, -5.0f, 5.0f)};
    scene.Add(Flatten(place, config.plane), Flatten(velocity, config.plane));
  }
  return scene;
}

// A crowd about an edge of a torus in space: whoever looks has hundreds of
// candidates, on either side of seams.
NeighborScene CrowdedScene(std::mt19937& random) {
  NeighborScene scene;
  scene.config = SmallConfig(Plane::kNone);
  scene.config.bounds_mode = BoundsMode::kWrap;
  scene.config.cell_size = Between(random, 5.0f, 10.0f);
  for (int i = 0; i < 900; ++i) {
    Vec3 place{Between(random, 75.0f, 125.0f), Between(random, 90.0f, 110.0f),
               Between(random, -10.0f, 10.0f)};
    if (place.x >= 100.0f) place.x -= 200.0f;
    if (place.y >= 100.0f) place.y -= 200.0f;
    AgentRow& agent =
        scene.Add(place, {Between(random, -5.0f, 5.0f), 0.0f, 1.0f});
    agent.groups = 1 + static_cast<std::uint32_t>(random() % 3);
  }
  return scene;
}

// Archetypes of one population or of several, that look where they like.
void Populate(std::mt19937& random, NeighborScene& scene) {
  const bool dense = scene.agents.size() > 200;
  const ArchetypeId archetypes =
      1 + static_cast<ArchetypeId>(random() % kArchetypes);
  scene.archetypes.clear();
  for (ArchetypeId id = 1; id <= archetypes; ++id) {
    Neighborhood around = RandomNeighborhood(scene, random);
    if (dense) around.radius = Between(random, 5.0f, 25.0f);
    scene.archetypes.push_back(EveryTerm(around, id));
    // Only pushes; only means; and one that looks elsewhere.
    std::vector<Term>& terms = scene.archetypes.back().terms;
    if (random() % 3 == 0) terms.erase(terms.begin() + 1, terms.begin() + 3);
    if (random() % 3 == 0) terms.erase(terms.begin());
    around.radius *= 0.5f;
    around.max_neighbors = 0;
    terms.push_back({.weight = 1.0f, .behavior = Alignment{around}});
    // Or one that looks as the one before.
    if (id > 1 && random() % 2 == 0) {
      scene.archetypes.back() = scene.archetypes.end()[-2];
      scene.archetypes.back().id = id;
    }
  }
  for (std::size_t i = 0; i < scene.agents.size(); ++i) {
    scene.archetype_of[i] =
        1 +
        static_cast<ArchetypeId>(random() % static_cast<unsigned>(archetypes));
  }
}

TEST(SumNeighborsTest, EveryTargetHasTheBitsOfTheScalarPassInOddWorlds) {
  std::mt19937 random(41);
  for (int round = 0; round < 400; ++round) {
    NeighborScene scene = RandomScene(random);
    Populate(random, scene);
    SCOPED_TRACE(round);
    ExpectAlike(scene);
    if (HasFatalFailure()) return;
  }
}

TEST(SumNeighborsTest, EveryTargetHasTheBitsOfTheScalarPassInDenseWorlds) {
  std::mt19937 random(42);
  for (int round = 0; round < 60; ++round) {
    NeighborScene scene = DenseScene(random);
    Populate(random, scene);
    SCOPED_TRACE(round);
    ExpectAlike(scene);
    if (HasFatalFailure()) return;
  }
}

TEST(SumNeighborsTest, EveryTargetHasTheBitsOfTheScalarPassInACrowdAtASeam) {
  std::mt19937 random(43);
  for (int round = 0; round < 20; ++round) {
    NeighborScene scene = CrowdedScene(random);
    Neighborhood around{.radius = Between(random, 4.0f, 9.0f)};
    // All, the nearest, those ahead, those of a group, and all that together.
    const int way = round % 5;
    if (way == 1 || way == 4) around.max_neighbors = round % 2 == 0 ? 8 : 100;
    if (way == 2 || way == 4) around.field_of_view = 4.0f;
    if (way == 3 || way == 4) around.neighbor_groups = 2;
    scene.archetypes = {EveryTerm(around)};
    SCOPED_TRACE(round);
    ExpectAlike(scene);
    if (HasFatalFailure()) return;
  }
}

// The kernels are there, and are what steps.
TEST(SumNeighborsTest, OnlyTheScalarTargetHasNoKernels) {
  for (const SimdTarget target : kSimdTargets) {
    if (!HasKernels(target)) continue;
    EXPECT_EQ(KernelsOf(target).neighbors.lanes == 0,
              target == SimdTarget::kScalar);
    EXPECT_LE(KernelsOf(target).neighbors.lanes, NeighborBatch::kMostLanes);
  }
}

}  // namespace
}  // namespace meander::core
