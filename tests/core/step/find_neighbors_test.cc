#include "core/step/find_neighbors.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "core/steering/flocking.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/counting_new.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/step/sum_bits.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

std::vector<SumBits> AllSums(const NeighborScene& scene,
                             const std::vector<std::size_t>& order = {},
                             ParallelFor* parallel = nullptr,
                             SimdTarget target = BestSimdTarget()) {
  WorldState state = StateOf(scene, order);
  state.kernels = &KernelsOf(target);
  SerialFor serial;
  FindNeighbors(state, parallel == nullptr ? serial : *parallel);
  std::vector<SumBits> sums;
  for (const AgentRow& agent : scene.agents) {
    sums.push_back(SumsOf(state, agent.id));
  }
  return sums;
}

// The same by definition.
SumBits SumsByBruteForce(const NeighborScene& scene,
                         const std::vector<std::size_t>& order,
                         std::size_t agent, const Archetype& archetype) {
  SumBits bits;
  const AgentRow& self = scene.agents[agent];
  for (const Term& term : archetype.terms) {
    const Neighborhood* neighborhood = NeighborhoodOf(term.behavior);
    if (neighborhood == nullptr) continue;
    const auto* separation = std::get_if<Separation>(&term.behavior);
    const float radius = neighborhood->radius;
    const float least = std::max(1.0e-6f * radius, 0x1p-40f);
    Vec3 sum;
    std::uint32_t count = 0;
    float nearest = std::numeric_limits<float>::infinity();
    for (const Neighbor& neighbor :
         NeighborsByBruteForce(scene, order, agent, *neighborhood)) {
      const AgentRow& other = scene.agents[neighbor.index];
      ++count;
      if (std::holds_alternative<Alignment>(term.behavior)) {
        sum = sum + other.velocity;
      } else if (std::holds_alternative<Cohesion>(term.behavior)) {
        sum = sum + neighbor.offset;
      } else if (neighbor.squared < least * least) {
        if (separation->coincident == Coincident::kSkip) continue;
        const bool linear = separation->falloff == Falloff::kLinear;
        sum = sum + FromGridAxes(
                        scene.config.plane,
                        SpreadDirection(self.id, other.id,
                                        scene.config.plane != Plane::kNone)) *
                        (linear ? 1.0f : 1.0f / least);
      } else {
        nearest = std::min(nearest, neighbor.squared);
        const float distance = std::sqrt(neighbor.squared);
        const float push = separation->falloff == Falloff::kLinear
                               ? (1.0f - distance / radius) / distance
                               : 1.0f / neighbor.squared;
        sum = sum - neighbor.offset * push;
      }
    }
    Append(sum, bits);
    if (separation == nullptr) {
      bits.push_back(count);
    } else if (separation->falloff == Falloff::kNearestFade) {
      bits.push_back(std::bit_cast<std::uint32_t>(nearest));
    }
  }
  return bits;
}

NeighborScene Crowd(std::size_t agents, const SimulationConfig& config) {
  std::mt19937 random(31);
  std::uniform_real_distribution<float> number(-60.0f, 60.0f);
  NeighborScene scene;
  scene.config = config;
  scene.archetypes = {EveryTerm({.radius = 8.0f})};
  for (std::size_t i = 0; i < agents; ++i) {
    const float x = number(random);
    const float y = number(random);
    scene.Add({x, y, 0.0f}, {y, x, 0.0f});
  }
  return scene;
}

TEST(FindNeighborsTest, SumsEqualThoseOfBruteForceBitForBit) {
  std::mt19937 random(32);
  for (int round = 0; round < 1000; ++round) {
    NeighborScene scene = RandomScene(random);
    scene.archetypes = {EveryTerm(RandomNeighborhood(scene, random))};
    // A term that looks elsewhere.
    std::get<Cohesion>(scene.archetypes[0].terms[2].behavior) =
        Cohesion{RandomNeighborhood(scene, random)};
    const std::vector<SumBits> sums =
        AllSums(scene, {}, nullptr,
                round % 2 == 0 ? SimdTarget::kScalar : BestSimdTarget());
    const std::vector<std::size_t> order = CanonicalOrder(scene);
    for (std::size_t i = 0; i < scene.agents.size(); ++i) {
      ASSERT_EQ(sums[i], SumsByBruteForce(scene, order, i, scene.archetypes[0]))
          << "round " << round << ", agent " << i;
    }
  }
}

TEST(FindNeighborsTest, OrderOfInsertionAndRowsChangeNoBit) {
  std::mt19937 random(33);
  const NeighborScene scene = Crowd(600, SmallConfig(Plane::kXY));
  const std::vector<SumBits> expected = AllSums(scene);
  std::vector<std::size_t> order(scene.agents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round < 5; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    EXPECT_EQ(AllSums(scene, order), expected);
  }
}

// Threads that take the pieces as they can, each with its own idea of rounding.
class HostileThreads final : public ParallelFor {
 public:
  explicit HostileThreads(int threads) : threads_(threads) {}

  void Run(std::size_t count, IndexFunction body) override {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < threads_; ++i) {
      threads.emplace_back([&, i] {
        constexpr int kModes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
        std::fesetround(kModes[i % 3]);
        for (std::size_t at = next++; at < count; at = next++) {
          body(count - 1 - at);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  int threads_;
};

TEST(FindNeighborsTest, AnyThreadsGiveTheSameBits) {
  const NeighborScene scene = Crowd(2000, SmallConfig(Plane::kXY));
  const std::vector<SumBits> expected = AllSums(scene);
  for (const int threads : {1, 2, 3, 8}) {
    HostileThreads parallel(threads);
    EXPECT_EQ(AllSums(scene, {}, &parallel), expected) << threads;
  }
}

TEST(FindNeighborsTest, ASeamIsLikeAnyOtherPlace) {
  SimulationConfig config = SmallConfig(Plane::kXY);
  config.bounds_min = {-64.0f, -64.0f, 0.0f};
  config.bounds_max = {64.0f, 64.0f, 0.0f};
  config.bounds_mode = BoundsMode::kWrap;
  NeighborScene inside = Crowd(300, config);
  NeighborScene across = inside;
  for (AgentRow& agent : across.agents) {
    agent.position =
        HeldPlace(config, agent.position + Vec3{64.0f, 64.0f, 0.0f});
  }
  const std::vector<SumBits> a = AllSums(inside);
  const std::vector<SumBits> b = AllSums(across);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Of cohesion: offsets up to 8 each, of up to 20 neighbors.
    ASSERT_EQ(a[i][10], b[i][10]) << "the same number of them";
    for (const std::size_t at : {7, 8, 9}) {
      EXPECT_NEAR(std::bit_cast<float>(a[i][at]),
                  std::bit_cast<float>(b[i][at]), 1.0e-3f);
    }
  }
}

TEST(FindNeighborsTest, AllocatesNothingOnceWarm) {
  NeighborScene scene = Crowd(1000, SmallConfig(Plane::kXY));
  scene.archetypes.push_back(EveryTerm({.radius = 2.0f}, 2));
  for (std::size_t i = 0; i < scene.agents.size(); i += 2) {
    scene.archetype_of[i] = 2;
  }
  WorldState state = StateOf(scene);
  SerialFor serial;
  std::mt19937 random(34);
  std::uniform_real_distribution<float> number(-99.0f, 99.0f);
  for (int tick = 0; tick < 50; ++tick) {
    for (Population& population : state.populations) {
      for (std::size_t row = 0; row < population.agents.size(); ++row) {
        const float x = number(random);
        population.agents.SetPosition(row, {x, number(random), 0.0f});
      }
    }
    const AllocationCount count;
    FindNeighbors(state, serial);
    if (tick > 0) {
      ASSERT_EQ(count.calls(), 0u) << tick;
    }
  }
}

TEST(FindNeighborsTest, TermsThatLookAlikeShareAScan) {
  NeighborScene scene = Crowd(10, SmallConfig(Plane::kXY));
  scene.archetypes[0].terms[1].behavior = Alignment{{.radius = 9.0f}};
  WorldState state = StateOf(scene);
  SerialFor serial;
  FindNeighbors(state, serial);
  const PopulationScans& planned = state.neighbors.populations[0];
  ASSERT_EQ(planned.scans.size(), 4u);
  std::vector<int> terms(planned.scans.size());
  for (const TermSums& term : planned.terms) {
    if (term.kind != SumKind::kNone) ++terms[term.scan];
  }
  EXPECT_EQ(terms[0], 2) << "separation and cohesion";
  EXPECT_EQ(terms[1], 1) << "alignment looks elsewhere";
  // Of a scan all pushes are alike.
  EXPECT_EQ(terms[2], 1);
  EXPECT_EQ(terms[3], 1);
}

std::vector<std::uint32_t> LooksOf(const NeighborScene& scene) {
  WorldState state = StateOf(scene);
  SerialFor serial;
  FindNeighbors(state, serial);
  std::vector<std::uint32_t> looks;
  for (const PopulationScans& planned : state.neighbors.populations) {
    looks.push_back(planned.looks_as);
  }
  return looks;
}

Archetype With(const std::vector<Behavior>& behaviors, ArchetypeId id) {
  Archetype archetype = SeekerArchetype(id);
  archetype.terms.clear();
  for (const Behavior& behavior : behaviors) {
    archetype.terms.push_back({.behavior = behavior});
  }
  return archetype;
}

// Whatever else they do.
TEST(FindNeighborsTest, ArchetypesThatLookForTheSameAreAlike) {
  constexpr Neighborhood kNear{.radius = 5.0f};
  constexpr Neighborhood kFar{.radius = 6.0f};
  constexpr Neighborhood kFew{.radius = 5.0f, .max_neighbors = 3};
  NeighborScene scene = Crowd(100, SmallConfig(Plane::kXY));
  scene.archetypes = {With({Alignment{kNear}}, 1),
                      With({Alignment{kFar}}, 2),
                      With({Seek{}, Alignment{kNear}}, 3),
                      With({Alignment{kFew}}, 4),
                      With({Cohesion{kNear}}, 5),
                      With({Separation{kNear}}, 6),
                      With({Separation{kNear, Falloff::kLinear}}, 7),
                      With({Alignment{kNear}, Cohesion{kFar}}, 8),
                      With({Cohesion{kFar}, Alignment{kNear}}, 9),
                      SeekerArchetype(10),
                      With({Alignment{kNear}}, 11),
                      With({Alignment{kNear}, Cohesion{kNear}}, 12),
                      With({Alignment{kFar}}, 13)};
  // Of the last there are no agents.
  for (std::size_t i = 0; i < scene.agents.size(); ++i) {
    scene.archetype_of[i] = 1 + static_cast<ArchetypeId>(i % 12);
  }
  EXPECT_THAT(LooksOf(scene),
              testing::ElementsAre(0, 1, 0, 3, 4, 5, 6, 7, 8, 9, 0, 11, 9));
  ExpectAlike(scene);
}

TEST(FindNeighborsTest, ManyArchetypesMayEachLookInTheirOwnWay) {
  NeighborScene scene = Crowd(300, SmallConfig(Plane::kXY));
  scene.archetypes.clear();
  std::vector<std::uint32_t> own;
  for (ArchetypeId id = 1; id <= 50; ++id) {
    // As two before, one that is among the few ways to look that are told from
    // each other, and one that is not.
    const ArchetypeId as = id == 50 ? 1 : id == 41 ? 40 : id;
    scene.archetypes.push_back(
        EveryTerm({.radius = 5.0f + static_cast<float>(as)}, id));
    own.push_back(static_cast<std::uint32_t>(id == 50 ? as : id) - 1);
  }
  for (std::size_t i = 0; i < scene.agents.size(); ++i) {
    scene.archetype_of[i] = 1 + static_cast<ArchetypeId>(i % 50);
  }
  EXPECT_EQ(LooksOf(scene), own);
  ExpectAlike(scene);
}

TEST(FindNeighborsTest, WhoDoesNotLookCostsNothing) {
  NeighborScene scene = Crowd(300, SmallConfig(Plane::kXY));
  scene.archetypes.push_back(SeekerArchetype(2));
  for (ArchetypeId& archetype : scene.archetype_of) archetype = 2;
  WorldState state = StateOf(scene);
  SerialFor serial;
  {
    const AllocationCount count;
    FindNeighbors(state, serial);
    EXPECT_EQ(count.calls(), 0u) << "nobody has the archetype that looks";
    EXPECT_EQ(state.neighbors.grid.size(), 0u);
  }
  MoveAgent(state, 7, 1);
  Settle(state);
  FindNeighbors(state, serial);
  EXPECT_EQ(state.neighbors.grid.size(), 300u);
  const std::size_t seekers = state.index.Find(1)->population;
  EXPECT_TRUE(state.neighbors.populations[seekers].terms.empty());
  EXPECT_TRUE(state.neighbors.populations[seekers].scans.empty());
  // And when the last one has gone, so has the grid.
  RemoveAgent(state, 7);
  Settle(state);
  FindNeighbors(state, serial);
  EXPECT_EQ(state.neighbors.grid.x.capacity(), 0u);
}

TEST(FindNeighborsTest, ExternalAgentsAreNeighbors) {
  NeighborScene scene;
  scene.config = SmallConfig();
  Archetype moved;
  moved.id = 2;
  moved.external = true;
  scene.archetypes = {FlockArchetype({.radius = 8.0f}), moved};
  scene.Add({0, 0, 0});
  scene.Add({2, 0, 0}, {0, 3, 0});
  scene.archetype_of[1] = 2;
  WorldState state = StateOf(scene);
  SerialFor serial;
  FindNeighbors(state, serial);
  const std::uint32_t flock = state.index.Find(1)->population;
  EXPECT_EQ(state.neighbors.Sums(flock, 0, 0).Sum(0), (Vec3{-0.5f, 0, 0}));
  EXPECT_EQ(state.neighbors.Sums(flock, 1, 0).Sum(0), (Vec3{0, 3, 0}));
  EXPECT_EQ(state.neighbors.Sums(flock, 2, 0).Sum(0), (Vec3{2, 0, 0}));
  EXPECT_EQ(state.neighbors.Sums(flock, 2, 0).count[0], 1u);
}

TEST(FindNeighborsTest, SparseAgentsInTinyCellsCostNoExtent) {
  SimulationConfig config = SmallConfig();
  config.bounds_min = {-16384.0f, -16384.0f, -16384.0f};
  config.bounds_max = {16384.0f, 16384.0f, 16384.0f};
  config.cell_size = kMinCellSize;
  NeighborScene scene;
  scene.config = config;
  scene.archetypes = {FlockArchetype({.radius = 2000.0f})};
  std::mt19937 random(35);
  std::uniform_real_distribution<float> number(-16384.0f, 16384.0f);
  for (int i = 0; i < 2000; ++i) {
    const float x = number(random);
    const float y = number(random);
    scene.Add({x, y, number(random)});
  }
  const std::vector<SumBits> sums = AllSums(scene);
  const std::vector<std::size_t> order = CanonicalOrder(scene);
  for (std::size_t i = 0; i < scene.agents.size(); i += 100) {
    EXPECT_EQ(sums[i], SumsByBruteForce(scene, order, i, scene.archetypes[0]));
  }
}

// What is left out is what may take long; all else is as it must be.
TEST(FindNeighborsTest, NobodyIsLookedForOnceTheStepIsAbandoned) {
  class Gone final : public ParallelFor {
   public:
    void Run(std::size_t count, IndexFunction body) override {
      for (std::size_t i = 0; i < count; ++i) body(i);
    }
    bool Abandoned() const override { return true; }
  };
  const NeighborScene scene = Crowd(300, SmallConfig(Plane::kXY));
  WorldState state = StateOf(scene);
  Gone gone;
  FindNeighbors(state, gone);
  EXPECT_EQ(state.neighbors.grid.size(), 300u);
  const NeighborSums sums = state.neighbors.Sums(0, 0, 0);
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    ASSERT_EQ(sums.Sum(row), Vec3{}) << row;
  }
  SerialFor serial;
  FindNeighbors(state, serial);
  EXPECT_NE(state.neighbors.Sums(0, 0, 0).Sum(0), Vec3{});
}

}  // namespace
}  // namespace meander::core
