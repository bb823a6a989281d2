#include "core/step/sum_pieces.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "core/simd/neighbor_kernels.h"
#include "gtest/gtest.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

// The pieces of a tick, of which agents `throng` and more stand within a
// thousandth of a unit, and the others anywhere.
std::vector<std::uint32_t> PiecesOf(Plane plane, int agents, int throng,
                                    float radius) {
  NeighborScene scene;
  scene.config = SmallConfig(plane);
  scene.archetypes = {FlockArchetype({.radius = radius})};
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(-100.0f, 100.0f);
  for (int i = 0; i < agents; ++i) {
    Vec3 place{anywhere(random), anywhere(random), anywhere(random)};
    if (i >= throng) place = place * 1.0e-5f;
    scene.Add(Flatten(place, plane));
  }
  WorldState state = StateOf(scene);
  // Nobody is looked for: that would take long.
  state.populations[0].archetype.terms.clear();
  Rebuild(state, state.neighbors.grid);
  PopulationScans scans;
  scans.scans.emplace_back().query =
      NeighborQuery(state.neighbors.grid, {.radius = radius});
  std::vector<std::uint32_t> pieces;
  ListPieces(state.neighbors.grid, {&scans, 1}, pieces);
  return pieces;
}

std::uint32_t LargestOf(const std::vector<std::uint32_t>& pieces) {
  std::uint32_t largest = 0;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    largest = std::max(largest, pieces[i] - pieces[i - 1]);
  }
  return largest;
}

TEST(SumPiecesTest, AreAllAgentsInOrder) {
  for (const Plane plane : kPlanes) {
    const auto pieces = PiecesOf(plane, 3'000, 1'000, 5.0f);
    EXPECT_EQ(pieces.front(), 0u);
    EXPECT_EQ(pieces.back(), 3'000u);
    EXPECT_TRUE(std::adjacent_find(pieces.begin(), pieces.end(),
                                   std::greater_equal<>()) == pieces.end());
  }
}

TEST(SumPiecesTest, AreLargeWhereFewAreNear) {
  const auto pieces = PiecesOf(Plane::kXY, 5'120, 5'120, 5.0f);
  EXPECT_EQ(pieces.size(), 11u);
  EXPECT_EQ(LargestOf(pieces), 512u);
}

TEST(SumPiecesTest, AreOfFewAgentsInAThrong) {
  for (const Plane plane : kPlanes) {
    const auto pieces = PiecesOf(plane, 40'000, 0, 5.0f);
    EXPECT_LE(LargestOf(pieces), NeighborBatch::kMostLanes);
  }
}

TEST(SumPiecesTest, ASmallThrongAmongManyIsCutToo) {
  const auto pieces = PiecesOf(Plane::kXY, 40'000, 36'000, 1.0f);
  EXPECT_GT(pieces.size(), 40'000u / 512 + 20);
}

TEST(SumPiecesTest, AreOfFewAgentsWhoLookAcrossTheWorld) {
  const auto pieces = PiecesOf(Plane::kNone, 30'000, 30'000, 90.0f);
  EXPECT_LE(LargestOf(pieces), 50u);
}

}  // namespace
}  // namespace meander::core
