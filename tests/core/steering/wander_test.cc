#include "core/steering/wander.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "core/math/trig.h"
#include "core/math/vec3.h"
#include "core/random/agent_random.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr double kTurn = 4294967296.0;
constexpr float kDt = 1.0f / 60.0f;

struct AngleWanderer {
  Vec3 position;
  Vec3 velocity;
  std::uint32_t turn = 0;
};

// One call of the kernel for one agent: its force, and its angle moved.
Vec3 WanderOnce(AngleWanderer& agent, const WanderWorldAngle& wander,
                float max_speed, float uniform, Plane plane = Plane::kXY,
                float dt = kDt, float weight = 1.0f) {
  KernelRows rows;
  rows.Add(agent.position, agent.velocity);
  SteeringBlock block = rows.Block(max_speed, weight);
  block.dt = dt;
  AddWanderWorldAngle(block, wander, AxesOf(plane), std::span(&uniform, 1),
                      std::span(&agent.turn, 1));
  return rows.Force(0);
}

TEST(WanderTest, HasItsCircleAboutAnAgentAtRest) {
  AngleWanderer agent;
  EXPECT_EQ(WanderOnce(agent, {2.0f, 10.0f, 0.0f}, 5.0f, 0.3f),
            (Vec3{5.0f, 0.0f, 0.0f}));
  // So slow that the square of its speed is 0.
  agent.velocity = {0.0f, 1.0e-30f, 0.0f};
  EXPECT_EQ(WanderOnce(agent, {2.0f, 10.0f, 0.0f}, 5.0f, 0.3f).x, 5.0f);
}

TEST(WanderTest, HasItsCircleAheadOfAMovingAgent) {
  AngleWanderer agent;
  agent.velocity = {0.0f, 4.0f, 0.0f};
  const Vec3 force = WanderOnce(agent, {3.0f, 4.0f, 0.0f}, 4.0f, 0.9f);
  EXPECT_NEAR(force.x, 2.4f, 1.0e-6f);
  EXPECT_NEAR(force.y, -0.8f, 1.0e-6f);
  EXPECT_EQ(Bits(force.z), 0u);
}

TEST(WanderTest, HasItsCircleAheadOfAnAgentHoweverSlow) {
  for (const float speed : {1.0f, 1.0e-3f, 1.0e-9f, 1.0e-18f}) {
    AngleWanderer agent;
    agent.velocity = {0.0f, -speed, 0.0f};
    const Vec3 force = WanderOnce(agent, {0.0f, 3.0f, 0.0f}, 5.0f, 0.5f);
    EXPECT_NEAR(force.y, speed - 5.0f, 1.0e-5f) << speed;
    EXPECT_EQ(force.x, 0.0f) << speed;
  }
}

TEST(WanderTest, TheAngleIsMeasuredInTheAxesOfTheWorld) {
  constexpr std::uint32_t kQuarter = 1u << 30;
  struct Axes {
    Plane plane;
    Vec3 first, second;
  };
  for (const Axes& axes : {Axes{Plane::kNone, {1, 0, 0}, {0, 1, 0}},
                           Axes{Plane::kXY, {1, 0, 0}, {0, 1, 0}},
                           Axes{Plane::kXZ, {1, 0, 0}, {0, 0, 1}},
                           Axes{Plane::kYZ, {0, 1, 0}, {0, 0, 1}}}) {
    EXPECT_EQ(AxesOf(axes.plane).first, axes.first);
    EXPECT_EQ(AxesOf(axes.plane).second, axes.second);
    const std::array<Vec3, 4> directions{axes.first, axes.second, -axes.first,
                                         -axes.second};
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
      AngleWanderer agent;
      agent.turn = quarter * kQuarter;
      EXPECT_EQ(WanderOnce(agent, {2.0f, 3.0f, 0.0f}, 5.0f, 0.5f, axes.plane),
                5.0f * directions[quarter])
          << "quarter " << quarter;
    }
  }
}

TEST(WanderTest, ThePositionDoesNotMatter) {
  AngleWanderer here{{}, {1.0f, 2.0f, 0.0f}, 12345};
  AngleWanderer there{{-16384.0f, 9000.0f, 0.0f}, {1.0f, 2.0f, 0.0f}, 12345};
  const WanderWorldAngle wander{2.0f, 3.0f, 8.0f};
  EXPECT_TRUE(SameBits(WanderOnce(here, wander, 6.0f, 0.7f),
                       WanderOnce(there, wander, 6.0f, 0.7f)));
}

TEST(WanderTest, IsMultipliedByItsWeight) {
  const WanderWorldAngle wander{2.0f, 3.0f, 8.0f};
  AngleWanderer plain{{}, {1.0f, -2.0f, 0.5f}, 99};
  const Vec3 force = WanderOnce(plain, wander, 6.0f, 0.7f);
  for (const float weight : {-1000.0f, -1.0f, 0.0f, 0.3f, 1000.0f}) {
    AngleWanderer agent{{}, {1.0f, -2.0f, 0.5f}, 99};
    EXPECT_EQ(WanderOnce(agent, wander, 6.0f, 0.7f, Plane::kXY, kDt, weight),
              weight * force);
    // The angle walks all the same.
    EXPECT_EQ(agent.turn, plain.turn);
  }
}

TEST(WanderTest, EachRowUsesItsOwnUniformAndTurn) {
  KernelRows rows;
  std::vector<float> uniforms;
  std::vector<std::uint32_t> turns;
  std::vector<AngleWanderer> agents;
  for (std::uint32_t i = 0; i < kBlockRows; ++i) {
    const auto value = static_cast<float>(i);
    agents.push_back({{value, 0, 0}, {value - 100.0f, 1, 2}, i * 7'654'321u});
    rows.Add(agents.back().position, agents.back().velocity);
    uniforms.push_back(value / kBlockRows);
    turns.push_back(agents.back().turn);
  }
  const WanderWorldAngle wander{2.0f, 3.0f, 8.0f};
  AddWanderWorldAngle(rows.Block(6.0f, 0.5f), wander, AxesOf(Plane::kNone),
                      uniforms, turns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3 force = WanderOnce(agents[i], wander, 6.0f, uniforms[i],
                                  Plane::kNone, kDt, 0.5f);
    EXPECT_TRUE(SameBits(rows.Force(i), force)) << "row " << i;
    EXPECT_EQ(turns[i], agents[i].turn) << "row " << i;
  }
}

TEST(WanderTest, TheForceIsThatOfSeekingThePointOnTheCircle) {
  for (std::uint32_t i = 0; i < 1000; ++i) {
    AngleWanderer agent;
    const auto value = static_cast<float>(i);
    agent.velocity = {std::sin(value), 2.0f * std::cos(3.0f * value), 0.3f};
    agent.turn = i * 4'294'967u;
    const double angle = 2.0 * std::numbers::pi * (agent.turn / kTurn);
    const double vx{agent.velocity.x};
    const double vy{agent.velocity.y};
    const double vz{agent.velocity.z};
    const double ahead = 3.0 / std::sqrt(vx * vx + vy * vy + vz * vz);
    const double x = vx * ahead + 2.0 * std::cos(angle);
    const double y = vy * ahead + 2.0 * std::sin(angle);
    const double z = vz * ahead;
    const double scale = 6.0 / std::sqrt(x * x + y * y + z * z);
    const Vec3 force =
        WanderOnce(agent, {2.0f, 3.0f, 0.0f}, 6.0f, 0.0f, Plane::kNone);
    EXPECT_NEAR(double{force.x}, x * scale - vx, 1.0e-5);
    EXPECT_NEAR(double{force.y}, y * scale - vy, 1.0e-5);
    EXPECT_NEAR(double{force.z}, z * scale - vz, 1.0e-5);
  }
}

// How far the angle goes, in turns, the short way round.
double Change(float uniform, float reach) {
  return static_cast<std::int32_t>(TurnChange(uniform, reach)) / kTurn;
}

TEST(TurnChangeTest, LiesEvenlyBetweenMinusAndPlusReach) {
  for (const float reach : {0.0f, 1.0e-6f, 0.001f, 0.1f, 0.25f, 0.49f}) {
    for (std::uint32_t i = 0; i < 1000; ++i) {
      const float uniform = UniformFromWord(i * 4'294'967u);
      const double wanted = (2.0 * double{uniform} - 1.0) * double{reach};
      // Binary32's rounding, and 31 bits of a turn.
      EXPECT_NEAR(Change(uniform, reach), wanted,
                  double{reach} * 0x1p-23 + 0x1p-30)
          << uniform << ", " << reach;
    }
    EXPECT_EQ(Change(0.5f, reach), 0.0);
    EXPECT_NEAR(Change(0.0f, reach), -double{reach}, 0x1p-30);
  }
}

TEST(TurnChangeTest, LosesWholeTurnsOnly) {
  for (const float reach : {0.5f, 0.75f, 1.0f, 10.0f, 1000.3f, 159154.94f}) {
    for (std::uint32_t i = 0; i < 1000; ++i) {
      const float uniform = UniformFromWord(i * 4'294'967u);
      // The float that is reduced; the reduction itself is exact.
      const float change = (2.0f * uniform - 1.0f) * reach;
      const double lost = double{change} - Change(uniform, reach);
      EXPECT_NEAR(lost, std::nearbyint(lost), 0x1p-30)
          << uniform << ", " << reach;
    }
  }
  // Half a turn either way is the same angle.
  EXPECT_EQ(TurnChange(0.0f, 0.5f), 1u << 31);
}

TEST(WanderTest, TheAngleStaysInItsRangeForAnyJitter) {
  for (const float jitter : {0.0f, 8.0f, 1000.0f, 1.0e6f}) {
    AngleWanderer agent;
    float least = 0.0f;
    float most = 0.0f;
    for (std::uint64_t step = 0; step < 100'000; ++step) {
      const float uniform = UniformBlock(7, step, Purpose::kStep, 0)[0];
      const Vec3 force = WanderOnce(agent, {2.0f, 3.0f, jitter}, 6.0f, uniform,
                                    Plane::kXY, 1.0f);
      ASSERT_TRUE(IsFinite(force));
      const float angle = RadiansFromTurn(agent.turn);
      ASSERT_GE(angle, -kPi);
      ASSERT_LT(angle, kPi);
      least = std::min(least, angle);
      most = std::max(most, angle);
    }
    if (jitter == 0.0f) {
      EXPECT_EQ(agent.turn, 0u);
    } else {
      EXPECT_LT(least, -3.0f) << "it walks all the way round";
      EXPECT_GT(most, 3.0f);
    }
  }
}

TEST(WanderTest, TheComponentOffThePlaneStaysPositiveZero) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    const Vec3 mask = PlaneMask(plane);
    const auto off = [&](const Vec3& v) {
      return Bits(mask.x == 0.0f ? v.x : mask.y == 0.0f ? v.y : v.z);
    };
    for (const float weight : {1.0f, -1.0f, 0.0f, -0.0f, -1000.0f}) {
      AngleWanderer agent;
      for (std::uint64_t step = 0; step < 2000; ++step) {
        const float uniform = UniformBlock(3, step, Purpose::kStep, 0)[0];
        const Vec3 force = WanderOnce(agent, {2.0f, 3.0f, 50.0f}, 6.0f, uniform,
                                      plane, kDt, weight);
        ASSERT_EQ(off(force), 0u) << "weight " << weight;
        agent.velocity = ClampLength(agent.velocity + force * kDt, 6.0f);
        ASSERT_EQ(off(agent.velocity), 0u) << "weight " << weight;
      }
    }
  }
}

TEST(WanderTest, IsFiniteOnTheEdgesOfWhatIsLegal) {
  for (const Plane plane : kPlanes) {
    for (const float radius : {0.0f, kTiny, 1.0f, 16384.0f}) {
      for (const float distance : {0.0f, kTiny, 1.0f, 16384.0f}) {
        for (const float speed :
             {0.0f, kTiny, 1.0e-22f, 4.0e-23f, 1.0f, 1.0e6f}) {
          AngleWanderer agent;
          agent.velocity = {speed, -speed, speed};
          const Vec3 force = WanderOnce(agent, {radius, distance, 1.0e6f},
                                        1.0e6f, 0.99f, plane, 1.0f, 1000.0f);
          EXPECT_TRUE(IsFinite(force)) << radius << ", " << distance;
        }
      }
    }
  }
}

TEST(WanderTest, WithoutRadiusAndDistanceItBrakes) {
  AngleWanderer agent;
  agent.velocity = {1.0f, -2.0f, 3.0f};
  EXPECT_EQ(WanderOnce(agent, {}, 6.0f, 0.3f, Plane::kNone),
            (Vec3{-1.0f, 2.0f, -3.0f}));
}

AgentState AfterThreeHundredSteps(std::uint64_t seed) {
  TestWorld world(SmallConfig(Plane::kXY));
  world.Submit(DefineArchetype{WandererArchetype()});
  NewAgent agent;
  agent.seed = seed;
  agent.velocity = {3, 0, 0};
  agent.wander_angle = 0.0f;
  world.Submit(Spawn({agent}));
  world.StepTo(300);
  return world.Agent(1);
}

TEST(WanderTest, ItsSeedDecidesEveryBitOfItsPath) {
  const AgentState one = AfterThreeHundredSteps(2468);
  const AgentState again = AfterThreeHundredSteps(2468);
  EXPECT_TRUE(SameBits(one.position, again.position));
  EXPECT_TRUE(SameBits(one.velocity, again.velocity));
  EXPECT_EQ(Bits(one.wander_angle), Bits(again.wander_angle));
  EXPECT_EQ(Bits(one.position.z), 0u);
  const AgentState other = AfterThreeHundredSteps(2469);
  EXPECT_GT(Length(one.position - other.position), 1.0e-3f);
}

}  // namespace
}  // namespace meander::core
