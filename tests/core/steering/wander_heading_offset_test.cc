#include "core/steering/wander_heading_offset.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "core/random/agent_random.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

struct HeadingWanderer {
  Vec3 velocity;
  Vec3 offset{0, 1, 0};
  Vec3 heading{1, 0, 0};
};

Vec3 WanderOnce(HeadingWanderer& agent, const WanderHeadingOffset& wander,
                const Vec3& uniforms = {0.5f, 0.5f, 0.5f},
                float dt = 1.0f / 60.0f) {
  KernelRows rows;
  rows.Add({}, agent.velocity);
  SteeringBlock block = rows.Block(2.0f);
  block.dt = dt;
  Vec3& o = agent.offset;
  Vec3& h = agent.heading;
  const auto one = [](float& value) { return std::span(&value, 1); };
  const auto drawn = [](const float& value) { return std::span(&value, 1); };
  AddWanderHeadingOffset(
      block, wander, wander.plane,
      {drawn(uniforms.x), drawn(uniforms.y), drawn(uniforms.z)},
      {one(o.x), one(o.y), one(o.z), one(h.x), one(h.y), one(h.z)});
  return rows.Force(0);
}

WanderHeadingOffset Wander(float jitter, Plane plane = Plane::kNone) {
  return {.radius = 1.0f, .distance = 2.0f, .jitter = jitter, .plane = plane};
}

// Rounded once: where two headings are nearly opposite, what they lack of unit
// length counts a hundredfold.
Vec3 UnitOf(std::mt19937& random) {
  std::normal_distribution<float> normal;
  const double x = static_cast<double>(normal(random));
  const double y = static_cast<double>(normal(random));
  const double z = static_cast<double>(normal(random));
  const double length = std::sqrt(x * x + y * y + z * z);
  return {static_cast<float>(x / length), static_cast<float>(y / length),
          static_cast<float>(z / length)};
}

TEST(CarryOffsetTest, IsARotationThatTakesOneHeadingToTheOther) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 from = UnitOf(random);
    const Vec3 to = UnitOf(random);
    const Vec3 a = UnitOf(random);
    const Vec3 b = UnitOf(random);
    EXPECT_LT(Length(CarryOffset(from, from, to) - to), 1.0e-4f);
    const Vec3 carried = CarryOffset(a, from, to);
    EXPECT_NEAR(Length(carried), 1.0f, 1.0e-4f);
    EXPECT_NEAR(Dot(carried, CarryOffset(b, from, to)), Dot(a, b), 2.0e-4f);
    // The least one: it leaves its axis alone.
    const Vec3 axis = UnitVector(Cross(from, to), {0, 0, 1});
    EXPECT_LT(Length(CarryOffset(axis, from, to) - axis), 1.0e-4f);
  }
}

TEST(CarryOffsetTest, DoesNotRotateForAUTurn) {
  EXPECT_EQ(CarryOffset({0, 1, 0}, {1, 0, 0}, {-1, 0, 0}), (Vec3{0, 1, 0}));
  // Nor for one that rounding has missed.
  EXPECT_EQ(CarryOffset({0, 1, 0}, {1, 0, 0}, {-1, 1.0e-4f, 0}),
            (Vec3{0, 1, 0}));
  EXPECT_NE(CarryOffset({0, 1, 0}, {1, 0, 0},
                        UnitVector({-1, 1.0e-2f, 0}, {1, 0, 0})),
            (Vec3{0, 1, 0}));
}

TEST(WanderHeadingOffsetTest, SeeksAPointAheadAndBeside) {
  HeadingWanderer agent{{1, 0, 0}};
  const Vec3 force = WanderOnce(agent, Wander(0.0f));
  EXPECT_NEAR(force.x, 4.0f / std::sqrt(5.0f) - 1.0f, 1.0e-6f);
  EXPECT_NEAR(force.y, 2.0f / std::sqrt(5.0f), 1.0e-6f);
}

TEST(WanderHeadingOffsetTest, KeepsItsLastHeadingAtRest) {
  HeadingWanderer agent{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 force = WanderOnce(agent, Wander(0.0f));
  EXPECT_EQ(agent.heading, (Vec3{0, 0, 1}));
  EXPECT_EQ(agent.offset, (Vec3{0, 1, 0}));
  EXPECT_GT(force.z, 1.7f);
}

TEST(WanderHeadingOffsetTest, TheOffsetWalksByTheRootOfTheTime) {
  for (const float dt : {0.01f, 0.04f, 0.16f}) {
    HeadingWanderer agent{{1, 0, 0}, {0, 1, 0}};
    WanderOnce(agent, Wander(0.2f), {1.0f, 0.5f, 0.5f}, dt);
    EXPECT_NEAR(agent.offset.x / agent.offset.y, 0.2f * std::sqrt(dt), 1.0e-6f);
  }
  HeadingWanderer wide{{1, 0, 0}, {0, 1, 0}};
  WanderHeadingOffset wander = Wander(0.2f);
  wander.radius = 4.0f;
  WanderOnce(wide, wander, {1.0f, 0.5f, 0.5f}, 0.04f);
  EXPECT_NEAR(wide.offset.x / wide.offset.y, 0.04f / 4.0f, 1.0e-6f);
}

TEST(WanderHeadingOffsetTest, WithoutARadiusTheOffsetDoesNotWalk) {
  HeadingWanderer agent{{1, 0, 0}, {0, 1, 0}};
  WanderHeadingOffset wander = Wander(1.0e6f);
  wander.radius = 0.0f;
  const Vec3 force = WanderOnce(agent, wander, {0.9f, 0.1f, 0.7f});
  EXPECT_EQ(agent.offset, (Vec3{0, 1, 0}));
  EXPECT_EQ(force, (Vec3{1, 0, 0}));
}

TEST(WanderHeadingOffsetTest, StaysInItsPlaneExactly) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    HeadingWanderer agent;
    agent.velocity = AxesOf(plane).first;
    agent.offset = AxesOf(plane).second;
    agent.heading = AxesOf(plane).first;
    for (std::uint64_t step = 0; step < 2000; ++step) {
      const auto u = UniformBlock(9, step, Purpose::kStep, 0);
      const Vec3 force =
          WanderOnce(agent, Wander(5.0f, plane), {u[0], u[1], u[2]});
      for (const Vec3& v : {force, agent.offset, agent.heading}) {
        ASSERT_TRUE(SameBits(v, Flatten(v, plane)));
      }
      ASSERT_NEAR(Length(agent.offset), 1.0f, 1.0e-6f);
      agent.velocity = ClampLength(agent.velocity + force * (1 / 60.0f), 2.0f);
    }
  }
}

Archetype WandererWith(const Behavior& behavior) {
  Archetype archetype = WandererArchetype();
  archetype.max_speed = 2.0f;
  archetype.max_force = 4.0f;
  archetype.terms = {Term{1.0f, behavior}};
  return archetype;
}

SimulationConfig OpenPlane(std::int32_t rate) {
  SimulationConfig config;
  config.plane = Plane::kXY;
  config.tick_rate_hz = rate;
  config.bounds_min = {-200.0f, -200.0f, 0};
  config.bounds_max = {200.0f, 200.0f, 0};
  return Normalized(config);
}

double TurnOf(const Vec3& from, const Vec3& to) {
  return std::atan2(
      double{from.x} * double{to.y} - double{from.y} * double{to.x},
      double{from.x} * double{to.x} + double{from.y} * double{to.y});
}

TEST(WanderHeadingOffsetTest, WithoutJitterAnOffsetToTheLeftTurnsLeft) {
  TestWorld world(OpenPlane(60));
  world.Submit(DefineArchetype{WandererWith(Wander(0.0f))});
  NewAgent agent;
  agent.velocity = {2, 0, 0};
  agent.wander_heading = Vec3{1, 0, 0};
  agent.wander_offset = Vec3{0, 1, 0};
  world.Submit(Spawn({agent}));
  double turned = 0.0;
  Vec3 before = agent.velocity;
  for (int tick = 0; tick < 600; ++tick) {
    world.Step();
    turned += TurnOf(before, world.Agent(1).velocity);
    before = world.Agent(1).velocity;
  }
  EXPECT_GT(turned, std::numbers::pi);
}

struct Spread {
  double of_a_second = 0.0;  // mean square turn of a second, radians^2
  double turn_rate = 0.0;    // mean turn in a second, without its signs
};

std::vector<Vec3> VelocitiesOf(const TestWorld& world) {
  const AgentColumns& rows = world.world().state().populations[0].agents;
  std::vector<Vec3> velocities;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    velocities.push_back(rows.Velocity(i));
  }
  return velocities;
}

// Of the headings of 2000 agents over ten seconds, from the third on.
Spread SpreadOf(const Behavior& behavior, std::int32_t rate) {
  constexpr int kWanderers = 2000;
  constexpr int kDuration = 10;
  TestWorld world(OpenPlane(rate));
  world.Submit(DefineArchetype{WandererWith(behavior)});
  AreaPlacement area;
  area.count = kWanderers;
  area.prototype.velocity = {2, 0, 0};
  area.area = Disc{{}, 1.0f};
  world.Submit(SpawnAgents{area});
  world.StepTo(3 * rate);
  double squares = 0.0;
  double turns = 0.0;
  std::vector<Vec3> last = VelocitiesOf(world);
  for (int second = 0; second < kDuration; ++second) {
    std::vector<double> turned(last.size(), 0.0);
    for (std::int32_t tick = 0; tick < rate; ++tick) {
      world.Step();
      const std::vector<Vec3> now = VelocitiesOf(world);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const double turn = TurnOf(last[i], now[i]);
        turned[i] += turn;
        turns += std::fabs(turn);
      }
      last = now;
    }
    for (const double turn : turned) squares += turn * turn;
  }
  constexpr double kCounted = double{kDuration} * kWanderers;
  return {squares / kCounted, turns / kCounted};
}

// 20,000 agent-seconds: the mean square is known to about 1.5 %.
TEST(WanderHeadingOffsetTest, TheHeadingSpreadsAlikeAtAnyRate) {
  const double at_60 = SpreadOf(Wander(1.0f), 60).of_a_second;
  EXPECT_GT(at_60, 0.1) << "it wanders";
  for (const std::int32_t rate : {15, 30, 240}) {
    EXPECT_NEAR(SpreadOf(Wander(1.0f), rate).of_a_second, at_60, 0.05 * at_60)
        << rate;
  }
}

TEST(WanderHeadingOffsetTest, TurnsNearlyAsFastAtAnyRate) {
  const double ratio = SpreadOf(Wander(3.0f), 144).turn_rate /
                       SpreadOf(Wander(3.0f), 30).turn_rate;
  EXPECT_GT(ratio, 0.8);
  EXPECT_LT(ratio, 1.25);
}

// As its header says; the measurement above would notice.
TEST(WanderWorldAngleTest, TurnsSlowerAtAHigherRate) {
  const WanderWorldAngle wander{1.0f, 2.0f, 8.0f};
  const double ratio =
      SpreadOf(wander, 144).turn_rate / SpreadOf(wander, 30).turn_rate;
  EXPECT_GT(ratio, 0.4);
  EXPECT_LT(ratio, 0.7);
}

TEST(WanderHeadingOffsetTest, DrawsExactlyThreeUniformsAStep) {
  static_assert(kHeadingOffsetStepLanes.count == 3);
  TestWorld world;
  world.Submit(DefineArchetype{WandererWith(Wander(1.0f))});
  NewAgent given;
  given.seed = 77;
  given.velocity = {1, 0, 0};
  given.wander_offset = Vec3{0, 1, 0};
  given.wander_heading = Vec3{1, 0, 0};
  world.Submit(Spawn({given}));
  HeadingWanderer agent{given.velocity};
  for (std::uint64_t step = 0; step < 200; ++step) {
    const auto u = UniformBlock(77, step, Purpose::kStep, 0);
    WanderOnce(agent, Wander(1.0f), {u[0], u[1], u[2]});
    world.Step();
    const AgentState now = world.Agent(1);
    ASSERT_TRUE(SameBits(now.wander_offset, agent.offset)) << step;
    ASSERT_TRUE(SameBits(now.wander_heading, agent.heading)) << step;
    agent.velocity = now.velocity;
  }
}

}  // namespace
}  // namespace meander::core
