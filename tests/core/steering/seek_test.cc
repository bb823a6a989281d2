#include "core/steering/seek.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <random>

#include "core/math/vec3.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

Vec3 SeekOnce(const Vec3& position, const Vec3& velocity, const Vec3& target,
              float max_speed, float weight = 1.0f) {
  KernelRows rows;
  rows.Add(position, velocity, target);
  AddSeek(rows.Block(max_speed, weight), rows.targets());
  return rows.Force(0);
}

TEST(SeekTest, WantsFullSpeedTowardTheTarget) {
  EXPECT_EQ(SeekOnce({}, {}, {3.0f, 4.0f, 0.0f}, 100.0f),
            (Vec3{60.0f, 80.0f, 0.0f}));
  EXPECT_EQ(SeekOnce({1, 1, 1}, {1, 2, 3}, {1, 1, -7}, 6.0f),
            (Vec3{-1.0f, -2.0f, -9.0f}));
  // However far or near it is.
  EXPECT_EQ(SeekOnce({}, {}, {0.0f, 1.0e-6f, 0.0f}, 5.0f).y, 5.0f);
  EXPECT_NEAR(SeekOnce({-16384, 0, 0}, {}, {16384, 0, 0}, 5.0f).x, 5.0f,
              1.0e-6f);
}

TEST(SeekTest, GoesTheShortestWayAcrossASeam) {
  SimulationConfig torus = SmallConfig();
  torus.bounds_mode = BoundsMode::kWrap;
  KernelRows rows;
  rows.Add({90, 0, 0}, {}, Vec3{-90, 0, 0});
  rows.Add({90, 0, 0}, {}, Vec3{-9, 0, 0});
  rows.Add({0, -97, 96}, {}, Vec3{0, 99, -100});
  SteeringBlock block = rows.Block(5.0f);
  AddSeek(block, rows.targets());
  EXPECT_EQ(rows.Force(0), (Vec3{-5, 0, 0})) << "without a torus";
  for (std::size_t row = 0; row < rows.size(); ++row) rows.SetForce(row, {});
  block.wrap = WrapOf(torus);
  AddSeek(block, rows.targets());
  EXPECT_EQ(rows.Force(0), (Vec3{5, 0, 0}));
  EXPECT_EQ(rows.Force(1), (Vec3{-5, 0, 0})) << "the short way is inside";
  const Vec3 way{0, -4, 4};
  EXPECT_EQ(rows.Force(2), way * (5.0f / Length(way)));
}

TEST(SeekTest, BrakesAtTheTarget) {
  EXPECT_EQ(SeekOnce({3, 4, 5}, {1, -2, 3}, {3, 4, 5}, 10.0f),
            (Vec3{-1.0f, 2.0f, -3.0f}));
  EXPECT_EQ(SeekOnce({3, 4, 5}, {}, {3, 4, 5}, 10.0f), Vec3{});
}

TEST(SeekTest, BrakesWhenItMayNotMove) {
  EXPECT_EQ(SeekOnce({}, {1, 0, 0}, {0, 9, 0}, 0.0f), (Vec3{-1, 0, 0}));
}

TEST(SeekTest, IsMultipliedByItsWeight) {
  const Vec3 plain = SeekOnce({1, 2, 3}, {4, 5, 6}, {-7, 8, 9.5f}, 3.3f);
  for (const float weight : {-1000.0f, -1.0f, 0.0f, 0.3f, 2.0f, 1000.0f}) {
    EXPECT_EQ(SeekOnce({1, 2, 3}, {4, 5, 6}, {-7, 8, 9.5f}, 3.3f, weight),
              weight * plain)
        << weight;
  }
}

TEST(SeekTest, AddsToTheForceThatIsThere) {
  KernelRows rows;
  rows.Add({}, {}, Vec3{3.0f, 4.0f, 0.0f});
  rows.SetForce(0, {1.0f, 2.0f, 3.0f});
  AddSeek(rows.Block(10.0f, -0.5f), rows.targets());
  EXPECT_EQ(rows.Force(0), (Vec3{-2.0f, -2.0f, 3.0f}));
}

TEST(SeekTest, WithoutATargetThereIsNoForce) {
  KernelRows rows;
  rows.Add({}, {1, 2, 3}, std::nullopt);
  rows.Add({}, {1, 2, 3}, Vec3{1, 0, 0});
  rows.SetForce(0, {-0.0f, 7.0f, 0.0f});
  AddSeek(rows.Block(10.0f), rows.targets());
  EXPECT_TRUE(SameBits(rows.Force(0), {-0.0f, 7.0f, 0.0f}));
  EXPECT_EQ(rows.Force(1), (Vec3{9, -2, -3}));
}

TEST(SeekTest, EachRowIsItsOwn) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> number(-50.0f, 50.0f);
  const auto vector = [&] {
    const float x = number(random);
    const float y = number(random);
    return Vec3{x, y, number(random)};
  };
  KernelRows rows;
  for (std::size_t i = 0; i < kBlockRows; ++i) {
    rows.Add(vector(), vector(),
             i % 3 == 0 ? std::nullopt : std::optional<Vec3>(vector()));
  }
  AddSeek(rows.Block(7.0f, 0.7f), rows.targets());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TargetBlock& targets = rows.targets();
    const Vec3 target{targets.x[i], targets.y[i], targets.z[i]};
    const Vec3 wanted =
        i % 3 == 0
            ? Vec3{}
            : SeekOnce(rows.Position(i), rows.Velocity(i), target, 7.0f, 0.7f);
    EXPECT_TRUE(SameBits(rows.Force(i), wanted)) << "row " << i;
  }
}

TEST(SeekTest, IsFiniteOnTheEdgesOfWhatIsLegal) {
  for (const float speed : {0.0f, kTiny, 1.0f, 1.0e6f}) {
    for (const float distance :
         {0.0f, kTiny, 1.0e-30f, 1.0e-20f, 1.0f, 16384.0f}) {
      for (const float weight : {-1000.0f, 1000.0f}) {
        const Vec3 force =
            SeekOnce({-distance, 0.0f, distance}, {1.0e6f, 0.0f, 0.0f},
                     {distance, distance, 0.0f}, speed, weight);
        EXPECT_TRUE(IsFinite(force)) << speed << ", " << distance;
        EXPECT_LE(Length(force), 3.0e9f) << speed << ", " << distance;
      }
    }
  }
}

}  // namespace
}  // namespace meander::core
