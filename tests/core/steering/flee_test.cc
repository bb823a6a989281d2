#include "core/steering/flee.h"

#include <cmath>
#include <optional>

#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr float kSpeed = 10.0f;

Vec3 FleeOnce(const Flee& flee, const Vec3& target, const Vec3& velocity = {},
              const Vec3& position = {}) {
  KernelRows rows;
  rows.Add(position, velocity, target);
  AddFlee(rows.Block(kSpeed), flee, rows.targets());
  return rows.Force(0);
}

Vec3 KeepAwayOnce(float radius, const Vec3& target, const Vec3& velocity = {}) {
  KernelRows rows;
  rows.Add({}, velocity, target);
  AddKeepAway(rows.Block(kSpeed), {.slot = 0, .radius = radius},
              rows.targets());
  return rows.Force(0);
}

TEST(FleeTest, WantsFullSpeedAwayFromTheTarget) {
  EXPECT_EQ(FleeOnce({}, {3, 4, 0}), (Vec3{-6, -8, 0}));
  EXPECT_EQ(FleeOnce({}, {50, 0, 0}, {10, 0, 0}), (Vec3{-20, 0, 0}));
  EXPECT_EQ(FleeOnce({}, {0, 0, 16000}, {1, 2, 3}), (Vec3{-1, -2, -13}));
}

TEST(FleeTest, HasNoForceBeyondItsRange) {
  Flee flee;
  flee.range = 5.0f;
  EXPECT_EQ(FleeOnce(flee, {4.999f, 0, 0}, {1, 0, 0}), (Vec3{-11, 0, 0}));
  EXPECT_EQ(FleeOnce(flee, {5.001f, 0, 0}, {1, 0, 0}), Vec3{});
}

TEST(FleeTest, ActsAtItsRangeOnlyWhenTheEdgeIsIncluded) {
  Flee flee;
  // Lengths that are exact, and one whose square is not.
  for (const float range : {5.0f, 0.1f, 4097.0f}) {
    flee.range = range;
    flee.edge_inclusive = false;
    EXPECT_EQ(FleeOnce(flee, {0, range, 0}, {1, 0, 0}), Vec3{}) << range;
    flee.edge_inclusive = true;
    EXPECT_EQ(FleeOnce(flee, {0, range, 0}, {1, 0, 0}), (Vec3{-1, -10, 0}))
        << range;
  }
}

TEST(FleeTest, AtTheTargetItBrakesOrDoesNothing) {
  Flee flee;
  EXPECT_EQ(FleeOnce(flee, {1, 2, 3}, {4, 5, 6}, {1, 2, 3}),
            (Vec3{-4, -5, -6}));
  flee.at_center = AtCenter::kZero;
  EXPECT_EQ(FleeOnce(flee, {1, 2, 3}, {4, 5, 6}, {1, 2, 3}), Vec3{});
  // Beside it, it flees.
  EXPECT_EQ(FleeOnce(flee, {1, 2, 3.5f}, {}, {1, 2, 3}), (Vec3{0, 0, -10}));
  // A range of 0 leaves it the target alone, and that as an edge.
  flee = {.slot = 0, .range = 0.0f};
  EXPECT_EQ(FleeOnce(flee, {}, {4, 5, 6}), Vec3{});
  flee.edge_inclusive = true;
  EXPECT_EQ(FleeOnce(flee, {}, {4, 5, 6}), (Vec3{-4, -5, -6}));
}

TEST(FleeTest, WithoutATargetThereIsNoForce) {
  KernelRows rows;
  rows.Add({}, {1, 2, 3});
  AddFlee(rows.Block(kSpeed), {}, rows.targets());
  AddKeepAway(rows.Block(kSpeed), {.slot = 0, .radius = 9.0f}, rows.targets());
  EXPECT_TRUE(SameBits(rows.Force(0), {}));
}

TEST(FleeTest, GoesTheShortestWayAcrossASeam) {
  SimulationConfig torus = SmallConfig();
  torus.bounds_mode = BoundsMode::kWrap;
  KernelRows rows;
  rows.Add({90, 0, 0}, {}, Vec3{-90, 0, 0});
  SteeringBlock block = rows.Block(kSpeed);
  block.wrap = WrapOf(torus);
  AddFlee(block, {.slot = 0, .range = 30.0f}, rows.targets());
  EXPECT_EQ(rows.Force(0), (Vec3{-10, 0, 0}));
}

TEST(KeepAwayTest, FadesFromTheTargetToItsRadius) {
  for (const float distance : {0.25f, 1.0f, 2.0f, 3.0f, 3.75f}) {
    const Vec3 force = KeepAwayOnce(4.0f, {distance, 0, 0}, {0, 1, 0});
    const float strength = 1.0f - distance / 4.0f;
    EXPECT_NEAR(force.x, -10.0f * strength, 1.0e-5f) << distance;
    EXPECT_NEAR(force.y, -strength, 1.0e-5f) << distance;
  }
}

TEST(KeepAwayTest, HasNoForceAtTheTargetNorFromItsRadiusOn) {
  EXPECT_EQ(KeepAwayOnce(4.0f, {}, {1, 2, 3}), Vec3{});
  EXPECT_EQ(KeepAwayOnce(4.0f, {4, 0, 0}, {1, 2, 3}), Vec3{});
  EXPECT_EQ(KeepAwayOnce(4.0f, {9, 0, 0}, {1, 2, 3}), Vec3{});
  EXPECT_EQ(KeepAwayOnce(0.0f, {0.1f, 0, 0}, {1, 2, 3}), Vec3{});
}

}  // namespace
}  // namespace meander::core
