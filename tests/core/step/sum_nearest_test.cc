// The sums over the nearest neighbors alone, and over those of groups or in
// view.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/simd/kernels.h"
#include "core/space/wrap.h"
#include "gtest/gtest.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/step/sum_bits.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr std::int32_t kMost[] = {0, 1, 2, 6, 7, 20, 100};
constexpr float kHalf = 64.0f;  // of the bounds

// On a lattice many are equally far from one another.
enum class Scatter { kAnywhere, kLattice, kShared };

float Number(std::mt19937& random, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(random);
}

Vec3 PlaceOf(Scatter scatter, std::mt19937& random, float reach) {
  Vec3 place{Number(random, -reach, reach), Number(random, -reach, reach),
             Number(random, -reach, reach)};
  if (scatter == Scatter::kAnywhere) return place;
  const float apart = scatter == Scatter::kLattice ? 4.0f : 8.0f;
  for (float* const number : {&place.x, &place.y, &place.z}) {
    *number = std::floor(*number / apart) * apart;
  }
  return place;
}

bool IsTaken(const NeighborScene& scene, const Vec3& place) {
  return std::any_of(
      scene.agents.begin(), scene.agents.end(),
      [&place](const AgentRow& agent) { return agent.position == place; });
}

// Agents in a box that reaches so far, in any order of ids.
NeighborScene SceneOf(Plane plane, BoundsMode mode, Scatter scatter,
                      std::size_t agents, float reach, std::mt19937& random) {
  NeighborScene scene;
  scene.config = SmallConfig(plane);
  scene.config.bounds_min = {-kHalf, -kHalf, -kHalf};
  scene.config.bounds_max = {kHalf, kHalf, kHalf};
  scene.config.bounds_mode = mode;
  scene.config.cell_size = 8.0f;
  scene.config = Normalized(scene.config);
  while (scene.agents.size() < agents) {
    const Vec3 place = HeldPlace(scene.config, PlaceOf(scatter, random, reach));
    if (scatter == Scatter::kLattice && IsTaken(scene, place)) continue;
    const Vec3 velocity{Number(random, -5.0f, 5.0f),
                        Number(random, -5.0f, 5.0f),
                        Number(random, -5.0f, 5.0f)};
    const bool rests = random() % 8 == 0;
    AgentRow& agent =
        scene.Add(place, rests ? Vec3{} : Flatten(velocity, plane));
    agent.groups = 1 + static_cast<std::uint32_t>(random() % 3);
  }
  return scene;
}

// All agents look so, as two populations.
void LookAround(const Neighborhood& around, NeighborScene& scene) {
  scene.archetypes = {EveryTerm(around, 1), EveryTerm(around, 2)};
  // Of whom only the means are asked for.
  std::vector<Term>& terms = scene.archetypes[1].terms;
  terms.erase(terms.begin());
  terms.resize(2);
  for (std::size_t i = 0; i < scene.agents.size(); ++i) {
    scene.archetype_of[i] = i % 3 == 0 ? 2 : 1;
  }
}

// All round, ahead, for a group, and both.
std::vector<Neighborhood> WaysToLook(float radius, std::int32_t most) {
  Neighborhood around{.radius = radius, .max_neighbors = most};
  Neighborhood ahead = around;
  ahead.field_of_view = 4.0f;
  Neighborhood grouped = around;
  grouped.neighbor_groups = 2;
  Neighborhood both = ahead;
  both.neighbor_groups = 2;
  return {around, ahead, grouped, both};
}

class SumNearestTest : public testing::TestWithParam<Plane> {
 protected:
  void ExpectAlikeIn(NeighborScene scene, float radius, std::int32_t most) {
    for (const Neighborhood& around : WaysToLook(radius, most)) {
      SCOPED_TRACE(testing::Message()
                   << "radius " << radius << ", most " << most << ", view "
                   << around.field_of_view.value_or(0.0f) << ", groups "
                   << around.neighbor_groups);
      LookAround(around, scene);
      ExpectAlike(scene);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(SumNearestTest, EveryTargetHasTheBitsOfTheScalarPass) {
  std::mt19937 random(43);
  const bool planar = GetParam() != Plane::kNone;
  for (const BoundsMode mode : {BoundsMode::kClamp, BoundsMode::kWrap}) {
    for (const Scatter scatter :
         {Scatter::kAnywhere, Scatter::kLattice, Scatter::kShared}) {
      for (const std::int32_t most : kMost) {
        const NeighborScene scene =
            SceneOf(GetParam(), mode, scatter, planar ? 250 : 500,
                    planar ? kHalf : 0.5f * kHalf, random);
        // In the last every pair has its own way across seams.
        for (const float radius : {8.0f, 20.0f, 0.9f * kHalf}) {
          ExpectAlikeIn(scene, radius, most);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// More neighbors than there is room for, of whom few are the nearest, or most.
TEST_P(SumNearestTest, EveryTargetHasTheBitsOfTheScalarPassInAThrong) {
  std::mt19937 random(44);
  const bool even = GetParam() == Plane::kNone || GetParam() == Plane::kXY;
  const Scatter scatter = even ? Scatter::kLattice : Scatter::kAnywhere;
  const NeighborScene scene = SceneOf(GetParam(), BoundsMode::kWrap, scatter,
                                      640, 0.98f * kHalf, random);
  for (const std::int32_t most : {0, 8, 100, 1000}) {
    ExpectAlikeIn(scene, kHalf, most);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Planes, SumNearestTest, testing::ValuesIn(kPlanes),
                         [](const testing::TestParamInfo<Plane>& plane) {
                           return "plane_" +
                                  std::to_string(static_cast<int>(plane.param));
                         });

// Lanes of a kernel that counts, and how many of them were void.
const NeighborKernels* counted = nullptr;
std::size_t lanes_summed = 0;
std::size_t lanes_void = 0;

std::uint32_t CountLanes(const NeighborBatch& batch,
                         const CandidateRange* ranges, std::size_t count,
                         LaneSums& sums) {
  const std::uint32_t lanes = counted->sum(batch, ranges, count, sums);
  lanes_summed += batch.lanes;
  lanes_void += static_cast<std::size_t>(std::popcount(lanes));
  return lanes;
}

// What is equally far, too, goes the fast way.
TEST(SumNearestLanesTest, OfUpToHundredsOnlyWhoCoincidesIsSummedAlone) {
  std::mt19937 random(45);
  for (const SimdTarget target : kSimdTargets) {
    if (target == SimdTarget::kScalar || !CanRun(target)) continue;
    Kernels kernels = KernelsOf(target);
    counted = &KernelsOf(target).neighbors;
    kernels.neighbors.sum = CountLanes;
    for (const Scatter scatter :
         {Scatter::kAnywhere, Scatter::kLattice, Scatter::kShared}) {
      for (const Plane plane : {Plane::kXY, Plane::kNone}) {
        for (const std::int32_t most : kMost) {
          NeighborScene scene =
              SceneOf(plane, BoundsMode::kWrap, scatter, 900, kHalf, random);
          // Who is of another group himself.
          LookAround({.radius = 20.0f,
                      .neighbor_groups = most % 2 == 0 ? 2u : ~0u,
                      .max_neighbors = most},
                     scene);
          lanes_summed = lanes_void = 0;
          SumsWith(kernels, scene);
          // In space more rows have too few agents.
          EXPECT_GT(lanes_summed, plane == Plane::kXY ? 1500u : 1000u)
              << NameOf(target);
          EXPECT_EQ(lanes_void > 0, scatter == Scatter::kShared)
              << NameOf(target) << ", most " << most;
        }
      }
    }
  }
}

}  // namespace
}  // namespace meander::core
