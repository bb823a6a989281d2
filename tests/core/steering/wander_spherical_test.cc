#include "core/steering/wander_spherical.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math/trig.h"
#include "core/random/agent_random.h"
#include "core/steering/wander.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

struct SphericalWanderer {
  Vec3 velocity;
  std::uint32_t turn = 0;
  float elevation = 0.0f;
};

Vec3 WanderOnce(SphericalWanderer& agent, const WanderSpherical& wander,
                float azimuth = 0.5f, float elevation = 0.5f,
                float dt = 1.0f / 60.0f) {
  KernelRows rows;
  rows.Add({}, agent.velocity);
  SteeringBlock block = rows.Block(6.0f);
  block.dt = dt;
  AddWanderSpherical(
      block, wander, {std::span(&azimuth, 1), std::span(&elevation, 1)},
      {std::span(&agent.turn, 1), std::span(&agent.elevation, 1)});
  return rows.Force(0);
}

Archetype Spherical(float jitter = 8.0f) {
  Archetype archetype = WandererArchetype();
  archetype.terms = {Term{1.0f, WanderSpherical{2.0f, 3.0f, jitter}}};
  return archetype;
}

TEST(HeadingFrameTest, ItsAxesAreUnitVectorsSquareToEachOther) {
  for (int i = 0; i < 2000; ++i) {
    const auto value = static_cast<float>(i);
    const Vec3 velocity{std::sin(value), std::cos(1.7f * value) * 1.0e3f,
                        std::sin(0.3f * value) * 1.0e-2f};
    const HeadingFrame frame = FrameOf(velocity);
    EXPECT_NEAR(Length(frame.forward), 1.0f, 3.0e-7f);
    EXPECT_NEAR(Length(frame.up), 1.0f, 3.0e-7f);
    EXPECT_NEAR(Length(frame.right), 1.0f, 1.0e-6f);
    EXPECT_NEAR(Dot(frame.forward, frame.up), 0.0f, 1.0e-6f) << i;
    EXPECT_NEAR(Dot(frame.forward, frame.right), 0.0f, 1.0e-6f);
  }
}

TEST(HeadingFrameTest, UpIsTowardYUnlessTheHeadingIs) {
  EXPECT_EQ(FrameOf({}).forward, (Vec3{1, 0, 0})) << "at rest";
  EXPECT_EQ(FrameOf({}).up, (Vec3{0, 1, 0}));
  EXPECT_EQ(FrameOf({}).right, (Vec3{0, 0, 1}));
  EXPECT_EQ(FrameOf({0, 0, -5}).up, (Vec3{0, 1, 0}));
  EXPECT_EQ(FrameOf({0, 5, 0}).up, (Vec3{0, 0, 1}));
  EXPECT_EQ(FrameOf({0, -5, 0}).up, (Vec3{0, 0, 1}));
  EXPECT_GT(FrameOf({1, 100, 0}).up.y, 0.009f) << "near it, still +Y";
}

TEST(WanderSphericalTest, SeeksAPointOnTheSphereAhead) {
  SphericalWanderer ahead{{4, 0, 0}, 0, 0.0f};
  EXPECT_EQ(WanderOnce(ahead, {2.0f, 3.0f, 0.0f}), (Vec3{2, 0, 0}));
  SphericalWanderer above{{4, 0, 0}, 0, kHalfPi};
  const Vec3 up = WanderOnce(above, {4.0f, 3.0f, 0.0f});
  EXPECT_NEAR(up.x, 6.0f * 0.6f - 4.0f, 1.0e-5f);
  EXPECT_NEAR(up.y, 6.0f * 0.8f, 1.0e-5f);
  SphericalWanderer right{{4, 0, 0}, 1u << 30, 0.0f};
  EXPECT_NEAR(WanderOnce(right, {4.0f, 3.0f, 0.0f}).z, 6.0f * 0.8f, 1.0e-5f);
}

TEST(WanderSphericalTest, TheAzimuthWrapsAndTheElevationStopsAtThePoles) {
  SphericalWanderer agent{{1, 2, 3}, 0, 1.5f};
  WanderOnce(agent, {2.0f, 3.0f, 1.0f}, 1.0f, 1.0f, 1.0f);
  EXPECT_NEAR(RadiansFromTurn(agent.turn), 1.0f, 1.0e-5f);
  EXPECT_EQ(agent.elevation, kHalfPi);
  WanderOnce(agent, {2.0f, 3.0f, 3.0f}, 1.0f, 0.0f, 1.0f);
  EXPECT_NEAR(RadiansFromTurn(agent.turn), 4.0f - 2.0f * kPi, 1.0e-5f);
  EXPECT_NEAR(agent.elevation, kHalfPi - 3.0f, 1.0e-5f);
  WanderOnce(agent, {2.0f, 3.0f, 1.0e6f}, 0.5f, 0.0f, 1.0f);
  EXPECT_EQ(agent.elevation, -kHalfPi);
}

TEST(WanderSphericalTest, LeavesThePlane) {
  TestWorld world;
  world.Submit(DefineArchetype{Spherical()});
  NewAgent agent;
  agent.seed = 2468;
  agent.velocity = {3, 0, 0};
  agent.wander_angle = 0.0f;
  agent.wander_elevation = 0.0f;
  world.Submit(Spawn({agent}));
  float highest = 0.0f;
  for (std::int64_t tick = 1; tick <= 200; ++tick) {
    world.Step();
    highest = std::max(highest, std::fabs(world.Agent(1).position.z));
  }
  EXPECT_GT(highest, 0.05f);
}

TEST(WanderSphericalTest, DrawsExactlyTwoUniformsAStepAzimuthFirst) {
  static_assert(kSphericalStepLanes.count == 2);
  TestWorld world;
  world.Submit(DefineArchetype{Spherical()});
  NewAgent agent;
  agent.seed = 77;
  agent.wander_angle = 0.0f;
  agent.wander_elevation = 0.0f;
  world.Submit(Spawn({agent}));
  std::uint32_t turn = 0;
  float elevation = 0.0f;
  const float dt = 1.0f / 60.0f;
  for (std::uint64_t step = 0; step < 200; ++step) {
    world.Step();
    const std::array<float, 4> drawn =
        UniformBlock(77, step, Purpose::kStep, 0);
    turn += TurnChange(drawn[0], TurnReach(8.0f, dt));
    elevation += (2.0f * drawn[1] - 1.0f) * (8.0f * dt);
    elevation = std::clamp(elevation, -kHalfPi, kHalfPi);
    ASSERT_EQ(Bits(world.Agent(1).wander_angle), Bits(RadiansFromTurn(turn)));
    ASSERT_EQ(Bits(world.Agent(1).wander_elevation), Bits(elevation));
  }
}

TEST(WanderSphericalTest, EachRowUsesItsOwnUniformsAndAngles) {
  KernelRows rows;
  std::vector<float> azimuths;
  std::vector<float> climbs;
  std::vector<std::uint32_t> turns;
  std::vector<float> elevations;
  for (std::uint32_t i = 0; i < kBlockRows; ++i) {
    const auto value = static_cast<float>(i);
    rows.Add({}, {value - 100.0f, 1, 2});
    azimuths.push_back(value / kBlockRows);
    climbs.push_back(1.0f - value / kBlockRows);
    turns.push_back(i * 7'654'321u);
    elevations.push_back(value * 0.005f - 0.5f);
  }
  std::vector<SphericalWanderer> agents;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    agents.push_back({rows.Velocity(i), turns[i], elevations[i]});
  }
  AddWanderSpherical(rows.Block(6.0f), {2.0f, 3.0f, 8.0f}, {azimuths, climbs},
                     {turns, elevations});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3 force =
        WanderOnce(agents[i], {2.0f, 3.0f, 8.0f}, azimuths[i], climbs[i]);
    EXPECT_TRUE(SameBits(rows.Force(i), force)) << "row " << i;
    EXPECT_EQ(turns[i], agents[i].turn);
    EXPECT_EQ(elevations[i], agents[i].elevation);
  }
}

}  // namespace
}  // namespace meander::core
