#include "core/steering/flocking.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <variant>
#include <vector>

#include "core/math/vec3.h"
#include "core/parallel_for.h"
#include "core/space/wrap.h"
#include "core/step/find_neighbors.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"
#include "tests/core/space/neighbor_scene.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

struct AddTerm {
  const SteeringBlock& block;
  const NeighborSums& sums;

  void operator()(const Separation& term) const {
    AddSeparation(block, term, sums);
  }
  void operator()(const Alignment&) const { AddAlignment(block, sums); }
  void operator()(const Cohesion& term) const {
    AddCohesion(block, term, sums);
  }
  template <typename Other>
  void operator()(const Other&) const {
    FAIL() << "looks at no neighbors";
  }
};

// Agents in a world, and the forces that one behavior gives them.
class Flock {
 public:
  explicit Flock(const SimulationConfig& config = SmallConfig()) {
    scene_.config = config;
    scene_.archetypes = {{}};
    scene_.archetypes[0].max_force = 1.0e6f;
  }

  void Add(const Vec3& position, const Vec3& velocity = {}) {
    scene_.Add(position, velocity);
  }
  std::size_t size() const { return scene_.agents.size(); }
  AgentRow& Agent(std::size_t i) { return scene_.agents[i]; }

  // Of agent i the i-th.
  std::vector<Vec3> Forces(const Behavior& behavior, float max_speed) const {
    NeighborScene scene = scene_;
    scene.archetypes[0].terms = {{.weight = 1.0f, .behavior = behavior}};
    WorldState state = StateOf(scene);
    SerialFor serial;
    FindNeighbors(state, serial);
    AgentColumns& agents = state.populations[0].agents;
    agents.BringForces();
    SteeringBlock block;
    block.rows = agents.size();
    block.velocity_x = agents.velocity_x.data();
    block.velocity_y = agents.velocity_y.data();
    block.velocity_z = agents.velocity_z.data();
    block.force_x = agents.force_x.data();
    block.force_y = agents.force_y.data();
    block.force_z = agents.force_z.data();
    block.max_speed = max_speed;
    const NeighborSums sums = state.neighbors.Sums(0, 0, 0);
    std::visit(AddTerm{block, sums}, behavior);
    std::vector<Vec3> forces;
    for (std::size_t i = 0; i < agents.size(); ++i) {
      forces.push_back(
          {agents.force_x[i], agents.force_y[i], agents.force_z[i]});
    }
    return forces;
  }
  Vec3 ForceOnFirst(const Behavior& behavior, float max_speed) const {
    return Forces(behavior, max_speed)[0];
  }

 private:
  NeighborScene scene_;
};

Separation Apart(float radius, Falloff falloff = Falloff::kInverse,
                 Coincident coincident = Coincident::kSpread) {
  return {{.radius = radius}, falloff, coincident};
}

void ExpectNear(const Vec3& actual, const Vec3& wanted) {
  EXPECT_NEAR(actual.x, wanted.x, 1.0e-5f);
  EXPECT_NEAR(actual.y, wanted.y, 1.0e-5f);
  EXPECT_NEAR(actual.z, wanted.z, 1.0e-5f);
}

TEST(SeparationTest, InverseWantsFullSpeedAway) {
  Flock flock;
  flock.Add({0, 0, 0});
  flock.Add({2, 0, 0});
  EXPECT_EQ(flock.ForceOnFirst(Apart(5.0f), 5.0f), (Vec3{-5, 0, 0}));
  flock.Agent(0).velocity = {0, 1, 0};
  EXPECT_EQ(flock.ForceOnFirst(Apart(5.0f), 2.0f), (Vec3{-2, -1, 0}));
}

TEST(SeparationTest, InverseCountsTheNearMost) {
  Flock flock;
  flock.Add({0, 0, 0});
  flock.Add({1, 0, 0});
  flock.Add({-4, 0, 0});
  EXPECT_EQ(flock.ForceOnFirst(Apart(5.0f), 5.0f), (Vec3{-5, 0, 0}));
  // Pushes of 1 and 1/2.
  flock.Agent(2).position = {0, -2, 0};
  const float long_side = 5.0f * 2.0f / std::sqrt(5.0f);
  ExpectNear(flock.ForceOnFirst(Apart(5.0f), 5.0f),
             {-long_side, long_side / 2, 0});
}

TEST(SeparationTest, LinearPushesByHowFarInTheyAre) {
  Flock flock;
  flock.Add({0, 0, 0}, {0, 0, 2});
  flock.Add({2, 0, 0});
  ExpectNear(flock.ForceOnFirst(Apart(5.0f, Falloff::kLinear), 5.0f),
             {-3, 0, -2});
  flock.Add({0, -4, 0});
  ExpectNear(flock.ForceOnFirst(Apart(5.0f, Falloff::kLinear), 5.0f),
             {-3, 1, -2});
}

TEST(SeparationTest, NearestFadeTakesTheWholeForceDown) {
  Flock flock;
  flock.Add({0, 0, 0}, {0, 1, 0});
  flock.Add({2, 0, 0});
  const Separation fading = Apart(5.0f, Falloff::kNearestFade);
  ExpectNear(flock.ForceOnFirst(fading, 5.0f), {-3, -0.6f, 0});
  // Another in the same direction, farther: the fade is the nearest one's.
  flock.Add({4, 0, 0});
  ExpectNear(flock.ForceOnFirst(fading, 5.0f), {-3, -0.6f, 0});
  flock.Agent(1).position = {5, 0, 0};
  flock.Agent(2).position = {5, 0, 0};
  ExpectNear(flock.ForceOnFirst(fading, 5.0f), {0, 0, 0});
}

TEST(SeparationTest, NobodyOrExactCancellationIsNoForce) {
  for (const Falloff falloff :
       {Falloff::kInverse, Falloff::kNearestFade, Falloff::kLinear}) {
    Flock flock;
    flock.Add({0, 0, 0}, {3, 3, 0});
    EXPECT_EQ(flock.ForceOnFirst(Apart(5.0f, falloff), 10.0f), Vec3{});
    flock.Add({3, 0, 0});
    EXPECT_NE(flock.ForceOnFirst(Apart(5.0f, falloff), 10.0f), Vec3{});
    flock.Add({-3, 0, 0});
    EXPECT_EQ(flock.ForceOnFirst(Apart(5.0f, falloff), 10.0f), Vec3{});
  }
}

TEST(SeparationTest, SkipPassesOverCoincidentNeighbors) {
  for (const Falloff falloff :
       {Falloff::kInverse, Falloff::kNearestFade, Falloff::kLinear}) {
    const Separation skip = Apart(5.0f, falloff, Coincident::kSkip);
    Flock flock;
    flock.Add({0, 0, 0}, {0, 0, 1});
    flock.Add({0, 0, 0});
    flock.Add({4.9e-6f, 0, 0});
    EXPECT_EQ(flock.ForceOnFirst(skip, 5.0f), Vec3{});
    flock.Add({0, 1, 0});
    ExpectNear(flock.ForceOnFirst(skip, 5.0f),
               falloff == Falloff::kInverse       ? Vec3{0, -5, -1}
               : falloff == Falloff::kNearestFade ? Vec3{0, -4, -0.8f}
                                                  : Vec3{0, -4, -1});
    flock.Agent(2).position.x = 5.1e-6f;
    EXPECT_LT(flock.ForceOnFirst(skip, 5.0f).x, -1.0f) << "not coincident";
  }
}

TEST(SeparationTest, SpreadPartsTwoInOppositeDirectionsAtFullSpeed) {
  for (const Plane plane : kPlanes) {
    for (const Falloff falloff :
         {Falloff::kInverse, Falloff::kNearestFade, Falloff::kLinear}) {
      Flock flock(SmallConfig(plane));
      flock.Add({});
      flock.Add({});
      const std::vector<Vec3> forces = flock.Forces(Apart(5.0f, falloff), 5.0f);
      EXPECT_NEAR(Length(forces[0]), 5.0f, 1.0e-5f);
      EXPECT_EQ(forces[0], -forces[1]);
      EXPECT_EQ(forces[0], Flatten(forces[0], plane));
    }
  }
}

TEST(SeparationTest, SpreadDirectionsAreUnitVectorsOfTheTwoIds) {
  for (const bool planar : {false, true}) {
    Vec3 sum;
    constexpr int kPairs = 40'000;
    for (AgentId i = 1; i <= kPairs; ++i) {
      const AgentId other = i + 1 + i % 7;
      const Vec3 direction = SpreadDirection(i, other, planar);
      EXPECT_NEAR(Length(direction), 1.0f, 1.0e-6f);
      EXPECT_EQ(SpreadDirection(other, i, planar), -direction);
      sum += direction;
      if (planar) {
        EXPECT_EQ(direction.z, 0.0f);
      }
    }
    EXPECT_LT(Length(sum) / kPairs, 0.02f) << "no direction is preferred";
  }
}

// Whatever their ids, no two of a crowd on one point get the same direction.
TEST(SeparationTest, SpreadGivesEachOfACrowdItsOwnDirection) {
  for (const AgentId step : {1, 2, 610, 46'368, 1'000'003}) {
    for (const bool planar : {false, true}) {
      std::vector<Vec3> directions;
      for (AgentId i = 1; i <= 200; ++i) {
        Vec3 sum;
        for (AgentId j = 1; j <= 200; ++j) {
          if (i != j) sum += SpreadDirection(i * step, j * step, planar);
        }
        directions.push_back(sum / Length(sum));
      }
      float least = 2.0f;
      for (std::size_t i = 0; i < directions.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          least = std::min(least, Length(directions[i] - directions[j]));
        }
      }
      EXPECT_GT(least, 0.001f) << step;
    }
  }
}

// At 60 Hz with force 2S: all apart after 5 s, in any plane.
TEST(SeparationTest, FiftyOnOnePointComeApart) {
  for (const Plane plane : kPlanes) {
    for (const Falloff falloff :
         {Falloff::kInverse, Falloff::kNearestFade, Falloff::kLinear}) {
      SimulationConfig wide = SmallConfig(plane);
      wide.bounds_min = wide.bounds_min * 100.0f;
      wide.bounds_max = wide.bounds_max * 100.0f;
      Flock flock(wide);
      const Vec3 place = Flatten({2000, -700, 1300}, plane);
      for (int i = 0; i < 50; ++i) flock.Add(place, Flatten({1, 2, 3}, plane));
      const auto least_distance = [&flock] {
        float least = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < flock.size(); ++i) {
          for (std::size_t j = 0; j < i; ++j) {
            least = std::min(least, Length(flock.Agent(i).position -
                                           flock.Agent(j).position));
          }
        }
        return least;
      };
      for (int tick = 1; tick <= 300; ++tick) {
        const std::vector<Vec3> forces =
            flock.Forces(Apart(2.0f, falloff), 5.0f);
        for (std::size_t i = 0; i < flock.size(); ++i) {
          AgentRow& agent = flock.Agent(i);
          const Vec3 force = ClampLength(forces[i], 10.0f);
          agent.velocity =
              ClampLength(agent.velocity + force * (1.0f / 60.0f), 5.0f);
          agent.position += agent.velocity * (1.0f / 60.0f);
          ASSERT_TRUE(IsFinite(agent.position));
        }
        if (tick == 1) {
          EXPECT_GT(least_distance(), 0.0f);
        }
      }
      EXPECT_GT(least_distance(), 0.05f);
    }
  }
}

TEST(AlignmentTest, WantsTheMeanVelocityCutToMaxSpeed) {
  Flock flock;
  flock.Add({0, 0, 0}, {0, 1, 0});
  EXPECT_EQ(flock.ForceOnFirst(Alignment{{.radius = 5.0f}}, 3.0f), Vec3{})
      << "nobody";
  flock.Add({5, 0, 0});
  EXPECT_EQ(flock.ForceOnFirst(Alignment{{.radius = 5.0f}}, 3.0f),
            (Vec3{0, -1, 0}));
  flock.Add({0, 0, 2}, {4, 0, 0});
  EXPECT_EQ(flock.ForceOnFirst(Alignment{{.radius = 5.0f}}, 3.0f),
            (Vec3{2, -1, 0}));
  flock.Add({0, 2, 2}, {20, 0, 0});
  EXPECT_EQ(flock.ForceOnFirst(Alignment{{.radius = 5.0f}}, 3.0f),
            (Vec3{3, -1, 0}));
}

TEST(CohesionTest, SeeksOrPullsToTheMeanPlace) {
  const Cohesion seek{{.radius = 5.0f}, CohesionMode::kSeek};
  const Cohesion pull{{.radius = 5.0f}, CohesionMode::kPull};
  Flock flock;
  flock.Add({1, 1, 0}, {0, 1, 0});
  EXPECT_EQ(flock.ForceOnFirst(seek, 5.0f), Vec3{}) << "nobody";
  EXPECT_EQ(flock.ForceOnFirst(pull, 5.0f), Vec3{}) << "nobody";
  flock.Add({3, 1, 0});
  EXPECT_EQ(flock.ForceOnFirst(seek, 5.0f), (Vec3{5, -1, 0}));
  ExpectNear(flock.ForceOnFirst(pull, 5.0f), {2, 0, 0});
  // One at its own place counts like any other.
  flock.Add({1, 1, 0});
  EXPECT_EQ(flock.ForceOnFirst(seek, 5.0f), (Vec3{5, -1, 0}));
  ExpectNear(flock.ForceOnFirst(pull, 5.0f), {1, 0, 0});
  // In their very middle it stops there.
  flock.Agent(1).position = {3, 1, 0};
  flock.Agent(2).position = {-1, 1, 0};
  EXPECT_EQ(flock.ForceOnFirst(seek, 5.0f), (Vec3{0, -1, 0}));
  EXPECT_EQ(flock.ForceOnFirst(pull, 5.0f), Vec3{});
}

TEST(CohesionTest, TheMeanIsAcrossTheSeam) {
  SimulationConfig torus = SmallConfig(Plane::kXY);
  torus.bounds_mode = BoundsMode::kWrap;
  Flock flock(torus);
  flock.Add({99, 0, 0});
  flock.Add({-99, 0, 0});
  flock.Add({-97, 0, 0});
  ExpectNear(
      flock.ForceOnFirst(Cohesion{{.radius = 6.0f}, CohesionMode::kPull}, 6.0f),
      {3, 0, 0});
}

TEST(FlockingTest, IsFiniteOnTheEdgesOfWhatIsLegal) {
  std::vector<float> distances = {0.0f,     kTiny,   1.0e-30f, 1.0e-22f,
                                  1.0e-13f, 1.0e-6f, 1.0f,     16384.0f};
  SimulationConfig config = SmallConfig();
  config.bounds_min = {-16384.0f, -16384.0f, -16384.0f};
  config.bounds_max = {16384.0f, 16384.0f, 16384.0f};
  Flock flock(config);
  for (const float distance : distances) {
    for (int copies = 0; copies < 3; ++copies) {
      flock.Add({distance, 0, distance}, {1.0e6f, 0, 0});
      flock.Add({0, -distance, 0}, {0, -1.0e6f, distance});
    }
  }
  for (const float radius :
       {0.0f, kTiny, 1.0e-30f, 1.0e-12f, 1.0e-3f, 2.0f, 16384.0f}) {
    std::vector<Behavior> behaviors = {
        Alignment{{.radius = radius}},
        Cohesion{{.radius = radius}, CohesionMode::kSeek},
        Cohesion{{.radius = radius}, CohesionMode::kPull}};
    for (const Falloff falloff :
         {Falloff::kInverse, Falloff::kNearestFade, Falloff::kLinear}) {
      for (const Coincident coincident :
           {Coincident::kSpread, Coincident::kSkip}) {
        behaviors.push_back(Apart(radius, falloff, coincident));
      }
    }
    for (const float speed : {0.0f, kTiny, 1.0f, 1.0e6f}) {
      for (const Behavior& behavior : behaviors) {
        for (const Vec3& force : flock.Forces(behavior, speed)) {
          EXPECT_TRUE(IsFinite(force)) << radius << ", " << speed;
          EXPECT_LE(Length(force), 1.0e8f) << radius << ", " << speed;
        }
      }
    }
  }
}

// On a grid of 2^-10, so that the move rounds nothing: only the order of the
// sums differs.
TEST(FlockingTest, AcrossTheSeamForcesAreThoseOfTheSceneMovedByHalfAPeriod) {
  std::mt19937 random(41);
  const auto number = [&random] {
    return static_cast<float>(random() % 24'576) * 0x1p-10f - 12.0f;
  };
  for (const Plane plane : {Plane::kXY, Plane::kNone}) {
    SimulationConfig torus = SmallConfig(plane);
    torus.bounds_min = {-64.0f, -64.0f, -64.0f};
    torus.bounds_max = {64.0f, 64.0f, 64.0f};
    torus.bounds_mode = BoundsMode::kWrap;
    torus = Normalized(torus);
    const Wrap wrap = WrapOf(torus);
    const Vec3 half = Flatten({64.0f, 64.0f, 64.0f}, plane);
    Flock inside(torus);
    Flock across(torus);
    for (int i = 0; i < 80; ++i) {
      const float x = number();
      const float y = number();
      const Vec3 place = Flatten({x, y, number()}, plane);
      const Vec3 velocity = Flatten({y * 0.25f, x * 0.25f, 1.0f}, plane);
      inside.Add(place, velocity);
      across.Add(WrapPlace(wrap, place + half), velocity);
    }
    const std::vector<Behavior> behaviors = {
        Apart(8.0f),
        Apart(8.0f, Falloff::kNearestFade),
        Apart(8.0f, Falloff::kLinear),
        Alignment{{.radius = 8.0f}},
        Cohesion{{.radius = 8.0f}, CohesionMode::kSeek},
        Cohesion{{.radius = 8.0f}, CohesionMode::kPull}};
    for (std::size_t b = 0; b < behaviors.size(); ++b) {
      const std::vector<Vec3> wanted = inside.Forces(behaviors[b], 5.0f);
      const std::vector<Vec3> forces = across.Forces(behaviors[b], 5.0f);
      float largest = 0.0f;
      for (std::size_t i = 0; i < forces.size(); ++i) {
        EXPECT_LT(Length(forces[i] - wanted[i]), 5.0e-3f) << b << ", " << i;
        largest = std::max(largest, Length(wanted[i]));
      }
      EXPECT_GT(largest, 1.0f) << b;
    }
  }
}

// Something calls them home: whoever loses its neighbors would fly on.
TEST(FlockingTest, AFlockOfTwelveStaysFiniteTogetherAndWithinItsSpeed) {
  TestWorld world;
  Archetype flock = FlockArchetype({.radius = 10.0f});
  flock.terms.push_back({.weight = 0.5f, .behavior = Seek{}});
  world.Submit(DefineArchetype{flock});
  std::vector<NewAgent> agents;
  for (int i = 0; i < 12; ++i) {
    const auto n = static_cast<float>(i);
    agents.push_back(AgentToward(
        {4.0f * std::cos(n), 4.0f * std::sin(n), 0.5f * n}, PointTarget({})));
    agents.back().velocity = {std::sin(2.0f * n), std::cos(3.0f * n), 1.0f};
  }
  world.Submit(Spawn(agents));
  for (std::int64_t tick = 1; tick <= 3000; ++tick) {
    world.Step();
    for (AgentId id = 1; id <= 12; ++id) {
      const AgentState agent = world.Agent(id);
      ASSERT_TRUE(IsFinite(agent.position) && IsFinite(agent.velocity));
      ASSERT_LT(Length(agent.position), 60.0f) << id << " at " << tick;
      ASSERT_LE(Length(agent.velocity), flock.max_speed * 1.000001f);
    }
  }
}

TEST(AlignmentTest, AgreesToFourDecimalsIn720Ticks) {
  TestWorld world(SmallConfig(Plane::kXY));
  Archetype archetype = SeekerArchetype();
  archetype.terms = {Term{1.0f, Alignment{{.radius = 50.0f}}}};
  world.Submit(DefineArchetype{archetype});
  std::vector<NewAgent> agents = {AgentAt({0, 0, 0}), AgentAt({5, 0, 0}),
                                  AgentAt({0, 5, 0})};
  agents[0].velocity = {3, 0, 0};
  agents[1].velocity = {-1, 4, 0};
  agents[2].velocity = {1, -1, 0};
  world.Submit(Spawn(agents));
  world.StepTo(720);
  for (AgentId id = 1; id <= 3; ++id) {
    // All step from the same old state: the mean is kept.
    EXPECT_NEAR(world.Agent(id).velocity.x, 1.0f, 5.0e-5f) << id;
    EXPECT_NEAR(world.Agent(id).velocity.y, 1.0f, 5.0e-5f) << id;
  }
}

}  // namespace
}  // namespace meander::core
