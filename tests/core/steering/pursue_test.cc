#include "core/steering/pursue.h"

#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "core/steering/arrive.h"
#include "core/steering/flee.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

float Intercept(const Vec3& r, const Vec3& u, float max_speed) {
  return LeadTime(Lead::kIntercept, r, u, max_speed, std::nullopt);
}

TEST(LeadTimeTest, IsWhenTheTargetCanBeMet) {
  EXPECT_NEAR(Intercept({20, 0, 0}, {0, 3, 0}, 10.0f), 2.0966f, 1.0e-4f);
  EXPECT_FLOAT_EQ(Intercept({10, 0, 0}, {-4, 0, 0}, 4.0f), 1.25f);
  EXPECT_FLOAT_EQ(Intercept({10, 0, 0}, {5, 0, 0}, 10.0f), 2.0f);
  // The first of two meetings with a target that is faster.
  EXPECT_FLOAT_EQ(Intercept({0, 100, 0}, {0, -50, 0}, 10.0f), 100.0f / 60.0f);
}

TEST(LeadTimeTest, IsTheWayOverTheSpeedWhenThereIsNoMeeting) {
  EXPECT_FLOAT_EQ(Intercept({10, 0, 0}, {9, 0, 0}, 3.0f), 10.0f / 3.0f);
  EXPECT_FLOAT_EQ(Intercept({4, 0, 0}, {0, 2, 0}, 2.0f), 2.0f);
  // It passes, but too far away.
  EXPECT_FLOAT_EQ(Intercept({10, 10, 0}, {0, -9, 0}, 3.0f),
                  std::sqrt(200.0f) / 3.0f);
}

TEST(LeadTimeTest, MeetsTheTargetThere) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> number(-50.0f, 50.0f);
  int met = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto vector = [&] {
      const float x = number(random);
      const float y = number(random);
      return Vec3{x, y, number(random)};
    };
    const Vec3 r = vector();
    const Vec3 u = vector();
    const float speed = std::fabs(number(random)) + 0.1f;
    const float time = Intercept(r, u, speed);
    const float gone = speed * time;
    if (std::fabs(Length(r + u * time) - gone) < 1.0e-3f * gone) {
      ++met;
      continue;
    }
    // No meeting: then none of a fine comb of times is one.
    for (float t = 0.0f; t < 40.0f; t += 0.01f) {
      ASSERT_GT(Length(r + u * t), speed * t) << "at " << t;
    }
    EXPECT_NEAR(time, Length(r) / speed, 1.0e-4f * time);
  }
  EXPECT_GT(met, 1000);
  EXPECT_LT(met, 9000);
}

TEST(LeadTimeTest, KnowsTheOtherWaysToLookAhead) {
  EXPECT_FLOAT_EQ(
      LeadTime(Lead::kClosing, {20, 0, 0}, {0, 3, 0}, 10.0f, std::nullopt),
      20.0f / 13.0f);
  EXPECT_FLOAT_EQ(
      LeadTime(Lead::kDistance, {20, 0, 0}, {0, 3, 0}, 10.0f, std::nullopt),
      2.0f);
}

TEST(LeadTimeTest, IsAtMostTheMaximum) {
  for (const Lead lead : {Lead::kIntercept, Lead::kClosing, Lead::kDistance}) {
    EXPECT_EQ(LeadTime(lead, {20, 0, 0}, {0, 3, 0}, 10.0f, 0.5f), 0.5f);
    EXPECT_EQ(LeadTime(lead, {20, 0, 0}, {0, 3, 0}, 10.0f, 0.0f), 0.0f);
    EXPECT_GT(LeadTime(lead, {20, 0, 0}, {0, 3, 0}, 10.0f, 9.0f), 1.0f);
    EXPECT_LE(LeadTime(lead, {30000, 0, 0}, {}, 1.0e-9f, std::nullopt),
              kMaxLead);
  }
}

TEST(LeadTimeTest, IsZeroWhenNoTimeIsFinite) {
  for (const Lead lead : {Lead::kIntercept, Lead::kClosing, Lead::kDistance}) {
    for (const Vec3& r : {Vec3{4, 0, 0}, Vec3{}}) {
      for (const std::optional<float> most :
           {std::optional<float>{}, std::optional(3.0f)}) {
        EXPECT_EQ(LeadTime(lead, r, {}, 0.0f, most), 0.0f);
      }
    }
  }
}

TEST(PursueTest, SeeksThePlaceForeseenOrArrivesThere) {
  for (const float radius : {0.0f, 30.0f}) {
    KernelRows rows;
    rows.Add({1, 2, 3}, {4, 0, 0}, Vec3{11, 2, 3}, {0, 6, 0});
    Pursue pursue;
    pursue.lead = Lead::kDistance;
    pursue.slowing_radius = radius;
    AddPursue(rows.Block(5.0f), pursue, rows.targets());
    EXPECT_EQ(rows.Force(0), ArriveForce({10, 12, 0}, {4, 0, 0}, 5.0f, radius));
    EXPECT_GT(rows.Force(0).y, 1.0f) << "it leads";
  }
}

TEST(PursueTest, ForeseesAcrossASeam) {
  SimulationConfig torus = SmallConfig();
  torus.bounds_mode = BoundsMode::kWrap;
  KernelRows rows;
  rows.Add({90, 0, 0}, {}, Vec3{-90, 0, 0}, {0, 5, 0});
  SteeringBlock block = rows.Block(5.0f);
  block.wrap = WrapOf(torus);
  Pursue pursue;
  pursue.lead = Lead::kDistance;
  AddPursue(block, pursue, rows.targets());
  EXPECT_EQ(rows.Force(0), ArriveForce({20, 20, 0}, {}, 5.0f, 0.0f));
}

TEST(EvadeTest, FleesFromThePlaceForeseen) {
  KernelRows rows;
  rows.Add({}, {4, 0, 0}, Vec3{10, 0, 0}, {0, 6, 0});
  rows.Add({}, {4, 0, 0});
  Evade evade;
  evade.lead = Lead::kDistance;
  AddEvade(rows.Block(5.0f), evade, rows.targets());
  EXPECT_EQ(rows.Force(0), FleeForce({10, 12, 0}, {4, 0, 0}, 5.0f));
  EXPECT_TRUE(SameBits(rows.Force(1), {})) << "without a target";
}

TEST(EvadeTest, GetsAwayFromASlowerThreat) {
  TestWorld world;
  Archetype evader = SeekerArchetype(1);
  evader.max_speed = 10.0f;
  evader.max_force = 60.0f;
  evader.terms = {Term{1.0f, Evade{}}};
  Archetype threat = SeekerArchetype(2);
  threat.max_speed = 4.0f;
  threat.terms = {Term{1.0f, Pursue{}}};
  world.Submit(DefineArchetype{evader});
  world.Submit(DefineArchetype{threat});
  NewAgent hunter = AgentToward({-10, 0, 0}, AgentTarget(1));
  hunter.archetype_id = 2;
  hunter.velocity = {4, 0, 0};
  world.Submit(Spawn({AgentToward({}, AgentTarget(2)), hunter}));
  world.StepTo(360);
  EXPECT_GT(Length(world.Agent(1).position - world.Agent(2).position), 20.0f);
}

}  // namespace
}  // namespace meander::core
