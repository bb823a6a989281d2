#include "core/steering/arrive.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

Vec3 ArriveOnce(const Vec3& target, float slowing_radius,
                const Vec3& velocity = {}) {
  KernelRows rows;
  rows.Add({}, velocity, target);
  AddArrive(rows.Block(10.0f), {.slot = 0, .slowing_radius = slowing_radius},
            rows.targets());
  return rows.Force(0);
}

Archetype Arriver(const Arrive& arrive, float max_force) {
  Archetype archetype = SeekerArchetype();
  archetype.max_speed = 10.0f;
  archetype.max_force = max_force;
  archetype.terms = {Term{1.0f, arrive}};
  return archetype;
}

SimulationConfig WideConfig(std::int32_t rate) {
  SimulationConfig config;
  config.tick_rate_hz = rate;
  config.bounds_mode = BoundsMode::kClamp;
  return config;
}

TEST(ArriveTest, IsSlowerTheNearerTheTargetIs) {
  for (const float distance : {4.0f, 3.0f, 2.0f, 1.0f, 0.5f}) {
    EXPECT_FLOAT_EQ(ArriveOnce({0, distance, 0}, 4.0f).y,
                    10.0f * distance / 4.0f);
  }
  EXPECT_EQ(ArriveOnce({0, 4.5f, 0}, 4.0f).y, 10.0f);
  EXPECT_EQ(ArriveOnce({0, 4000.0f, 0}, 4.0f, {0, 3, 0}).y, 7.0f);
}

TEST(ArriveTest, WithoutARadiusItSeeks) {
  EXPECT_EQ(ArriveOnce({0.003f, 0.004f, 0}, 0.0f), (Vec3{6, 8, 0}));
}

TEST(ArriveTest, BrakesAtTheTarget) {
  for (const float radius : {0.0f, 4.0f}) {
    EXPECT_EQ(ArriveOnce({}, radius, {1, -2, 3}), (Vec3{-1, 2, -3}));
  }
}

TEST(ArriveTest, WithoutATargetThereIsNoForce) {
  KernelRows rows;
  rows.Add({}, {1, 2, 3});
  AddArrive(rows.Block(10.0f), {.slot = 0, .slowing_radius = 4.0f},
            rows.targets());
  AddArrive(rows.Block(10.0f),
            {.slot = 0, .slowing_radius = 0.0f, .stop = true}, rows.targets());
  EXPECT_TRUE(SameBits(rows.Force(0), {}));
}

TEST(ArriveTest, ComesToRestAtTheTarget) {
  TestWorld world;
  world.Submit(
      DefineArchetype{Arriver({.slot = 0, .slowing_radius = 20.0f}, 40.0f)});
  world.Submit(Spawn({AgentToward({-40, 0, 0}, PointTarget({}))}));
  world.StepTo(1800);
  EXPECT_LT(Length(world.Agent(1).position), 1.0e-3f);
  EXPECT_LT(Length(world.Agent(1).velocity), 1.0e-3f);
}

// What becomes of an agent that starts at rest, 20 units away.
struct Arrival {
  int reversals = 0;
  float beyond = 0.0f;      // the farthest behind the target
  double settled_at = 0.0;  // since when it is within 1e-3 and 1e-3/s
  bool finite = true;
};

Arrival Arrived(float max_force, std::int32_t rate, const Vec3& velocity = {}) {
  TestWorld world(WideConfig(rate));
  world.Submit(DefineArchetype{
      Arriver({.slot = 0, .slowing_radius = 0.0f, .stop = true}, max_force)});
  NewAgent agent = AgentToward({-20, 0, 0}, PointTarget({}));
  agent.velocity = velocity;
  world.Submit(Spawn({agent}));
  Arrival arrival;
  float direction = 1.0f;
  for (std::int64_t tick = 1; tick <= 120 * rate; ++tick) {
    world.Step();
    const AgentState now = world.Agent(1);
    arrival.finite = arrival.finite && IsFinite(now.position);
    if (now.velocity.x * direction < -1.0e-5f) {
      direction = -direction;
      ++arrival.reversals;
    }
    arrival.beyond = std::max(arrival.beyond, now.position.x);
    if (std::fabs(now.position.x) > 1.0e-3f ||
        std::fabs(now.velocity.x) > 1.0e-3f) {
      arrival.settled_at = static_cast<double>(tick + 1) / rate;
    }
  }
  return arrival;
}

TEST(ArriveStopTest, SettlesWithAtMostOneReversal) {
  for (const std::int32_t rate : {15, 60}) {
    for (const float force :
         {0.1f, 0.2f, 0.5f, 1.0f, 2.0f, 5.0f, 10.0f, 20.0f, 50.0f, 100.0f}) {
      SCOPED_TRACE(std::to_string(force) + " at " + std::to_string(rate));
      const Arrival arrival = Arrived(force, rate);
      EXPECT_TRUE(arrival.finite);
      EXPECT_LE(arrival.reversals, 1);
      EXPECT_LT(arrival.beyond, 0.05f);
      // Full speed or full force over the way, and a quarter more.
      const double a = double{force};
      const double least =
          2.0 * 10.0 * 10.0 / a < 20.0 ? 2.0 + 10.0 / a : std::sqrt(80.0 / a);
      EXPECT_LT(arrival.settled_at, 1.25 * least + 0.5);
    }
  }
}

TEST(ArriveStopTest, SettlesWhenItComesTooFastToStopInTime) {
  for (const std::int32_t rate : {15, 60}) {
    const Arrival arrival = Arrived(2.0f, rate, {10, 0, 0});
    EXPECT_EQ(arrival.reversals, 1) << "it must turn back";
    EXPECT_GT(arrival.beyond, 1.0f);
    EXPECT_LT(arrival.settled_at, 30.0);
  }
}

TEST(ArriveStopTest, ItsForceIsCutBeforeItsGain) {
  KernelRows rows;
  rows.Add({}, {}, Vec3{100, 0, 0});
  SteeringBlock block = rows.Block(10.0f);
  block.max_force = 4.0f;
  block.mass = 2.0f;
  block.term.gain = 0.25f;
  AddArrive(block, {.slot = 0, .slowing_radius = 0.0f, .stop = true},
            rows.targets());
  EXPECT_FLOAT_EQ(rows.Force(0).x, 1.0f);
}

TEST(ArriveStopTest, IsItsFormula) {
  KernelRows rows;
  // Fast enough that its brake does not reach the limit.
  rows.Add({}, {1.93f, 0, 0}, Vec3{0.5f, 0, 0});
  SteeringBlock block = rows.Block(10.0f);
  block.max_force = 1.0e5f;
  block.mass = 2.0e4f;
  AddArrive(block, {.slot = 0, .slowing_radius = 0.0f, .stop = true},
            rows.targets());
  const double a = 0.8 * 1.0e5 / 2.0e4;
  const double h = a / 120.0;
  const double speed = std::sqrt(h * h + 2.0 * a * 0.5) - h;
  EXPECT_NEAR(double{rows.Force(0).x}, 2.0e4 * (speed - 1.93) * 60.0, 20.0);
}

TEST(ArriveStopTest, StaysWhereItIs) {
  KernelRows rows;
  rows.Add({5, 6, 7}, {}, Vec3{5, 6, 7});
  AddArrive(rows.Block(10.0f),
            {.slot = 0, .slowing_radius = 0.0f, .stop = true}, rows.targets());
  EXPECT_TRUE(SameBits(rows.Force(0), {}));
}

TEST(ArriveStopTest, KeepsItsHeadingAndSettlesWithinThirtySeconds) {
  const Vec3 way{0.6f, 0.8f, 0.0f};
  for (const std::int32_t rate : {15, 60}) {
    TestWorld world(WideConfig(rate));
    std::vector<NewAgent> agents;
    ArchetypeId id = 0;
    for (const float force : {0.1f, 0.5f, 1.0f, 5.0f, 20.0f, 50.0f, 100.0f}) {
      Archetype archetype =
          Arriver({.slot = 0, .slowing_radius = 0.0f, .stop = true}, force);
      archetype.id = ++id;
      archetype.facing = Facing{.turn_rate = 10.0f};
      world.Submit(DefineArchetype{archetype});
      agents.push_back(AgentToward(way * -8.0f, PointTarget({})));
      agents.back().archetype_id = id;
      agents.back().facing = way;
    }
    world.Submit(Spawn(agents));
    for (std::int64_t tick = 1; tick <= 30 * rate; ++tick) {
      world.Step();
      for (AgentId agent = 1; agent <= id; ++agent) {
        const AgentState now = world.Agent(agent);
        ASSERT_GT(Dot(now.facing, way), 0.999f)
            << agent << " at " << tick << ", " << rate << " Hz";
        if (tick <= 29 * rate) continue;
        ASSERT_LT(Length(now.position), 1.0e-3f) << agent << ", " << rate;
        ASSERT_LT(Length(now.velocity), 1.0e-3f) << agent << ", " << rate;
      }
    }
  }
}

TEST(ArriveStopTest, FromFarItBrakesInTimeAndStaysWithoutOvershoot) {
  for (const std::int32_t rate : {15, 60}) {
    SCOPED_TRACE(rate);
    TestWorld world(WideConfig(rate));
    world.Submit(DefineArchetype{
        Arriver({.slot = 0, .slowing_radius = 0.0f, .stop = true}, 2.0f)});
    world.Submit(Spawn({AgentToward({-200, 0, 0}, PointTarget({}))}));
    int reversals = 0;
    float direction = 1.0f;
    float last_at_full_speed = 0.0f;
    for (std::int64_t tick = 1; tick <= 60 * rate; ++tick) {
      world.Step();
      const AgentState now = world.Agent(1);
      ASSERT_TRUE(IsFinite(now.position) && IsFinite(now.velocity));
      ASSERT_LT(now.position.x, 1.0e-3f) << "overshoot at " << tick;
      if (now.velocity.x * direction < -1.0e-5f) {
        direction = -direction;
        ++reversals;
      }
      if (now.velocity.x > 9.999f) last_at_full_speed = -now.position.x;
      if (tick <= 30 * rate) continue;
      ASSERT_LT(Length(now.position), 1.0e-3f) << tick;
      ASSERT_LT(Length(now.velocity), 1.0e-5f) << tick;
    }
    EXPECT_LE(reversals, 1);
    // S^2 / (2 * 0.8 F/m), and up to a step.
    EXPECT_NEAR(last_at_full_speed, 31.25f, 1.0f);
  }
}

}  // namespace
}  // namespace meander::core
