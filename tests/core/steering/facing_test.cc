#include "core/steering/facing.h"

#include <cmath>
#include <numbers>

#include "core/steering/overspeed.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"

namespace meander::core {
namespace {

Vec3 Along(double angle, double length = 1.0) {
  return {static_cast<float>(length * std::cos(angle)),
          static_cast<float>(length * std::sin(angle)), 0.0f};
}

double AngleOf(const Vec3& v) {
  return std::atan2(static_cast<double>(v.y), static_cast<double>(v.x));
}

TEST(FacingTest, TurnsAShareOfTheAngleTheShortWayRound) {
  for (double from = -3.1; from < 3.2; from += 0.37) {
    for (double turn = -3.0; turn < 3.1; turn += 0.4) {
      for (const float share : {0.0f, 0.1f, 0.5f, 0.9f}) {
        const Vec3 facing =
            TurnFacing(Along(from), Along(from + turn, 7.0), share, Plane::kXY);
        const double turned =
            std::remainder(AngleOf(facing) - from, 2.0 * std::numbers::pi);
        EXPECT_NEAR(turned, turn * double{share}, 2.0e-6) << from;
        EXPECT_NEAR(double{Length(facing)}, 1.0, 3.0e-7);
        EXPECT_EQ(Bits(facing.z), 0u);
      }
    }
  }
}

TEST(FacingTest, AFullShareIsExactlyTheDirectionOfTheVelocity) {
  const Vec3 velocity{3.3f, -1.7f, 9.1f};
  const Vec3 facing = TurnFacing({0, 1, 0}, velocity, 1.0f, Plane::kNone);
  EXPECT_TRUE(SameBits(facing, UnitVector(velocity, {})));
}

// The square of such a speed has no more than a few bits.
TEST(FacingTest, FollowsAlsoTheSlowestVelocity) {
  const Vec3 velocity{3.0e-23f, 0.0f, -4.0e-23f};
  ASSERT_GT(LengthSquared(velocity), 0.0f);
  for (const float share : {0.5f, 1.0f}) {
    const Vec3 facing = TurnFacing({0, 1, 0}, velocity, share, Plane::kNone);
    EXPECT_NEAR(LengthSquared(facing), 1.0f, 1.0e-6f) << share;
  }
}

TEST(FacingTest, ATieTurnsNegative) {
  const double eighth = std::numbers::pi / 4;
  const auto at = [](double first, double second, Plane plane) {
    const auto a = static_cast<float>(first);
    const auto b = static_cast<float>(second);
    if (plane == Plane::kXZ) return Vec3{a, 0.0f, b};
    if (plane == Plane::kYZ) return Vec3{0.0f, a, b};
    return Vec3{a, b, 0.0f};
  };
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ, Plane::kNone}) {
    for (double from = 0.0; from < 6.2; from += 0.7) {
      const Vec3 facing = at(std::cos(from), std::sin(from), plane);
      const Vec3 turned = TurnFacing(facing, facing * -5.0f, 0.25f, plane);
      const Vec3 wanted =
          at(std::cos(from - eighth), std::sin(from - eighth), plane);
      EXPECT_LT(Length(turned - wanted), 1.0e-6f) << from;
    }
  }
}

TEST(FacingTest, ATieAlongZTurnsTooInThreeDimensions) {
  for (const float z : {1.0f, -1.0f}) {
    const Vec3 turned =
        TurnFacing({0, 0, z}, {0, 0, -3.0f * z}, 0.5f, Plane::kNone);
    EXPECT_LT(Length(turned - Vec3{0, z, 0}), 1.0e-6f);
  }
}

TEST(FacingTest, ComesToTheVelocityAndStaysThere) {
  const Vec3 velocity{-2.0f, 0.5f, 1.0f};
  Vec3 facing{1, 0, 0};
  for (int step = 0; step < 400; ++step) {
    facing = TurnFacing(facing, velocity, 0.1f, Plane::kNone);
  }
  EXPECT_LT(Length(facing - velocity / Length(velocity)), 1.0e-6f);
  const Vec3 still = velocity / Length(velocity);
  EXPECT_LT(Length(TurnFacing(still, velocity, 0.5f, Plane::kNone) - still),
            1.0e-6f);
}

TEST(FacingTest, AShareIsAtMostAll) {
  EXPECT_FLOAT_EQ(FacingShare(6.0f, 1.0f / 60.0f), 0.1f);
  EXPECT_EQ(FacingShare(1.0e6f, 1.0f), 1.0f);
  EXPECT_EQ(FacingShare(0.0f, 1.0f), 0.0f);
}

TEST(OverspeedTest, TheExcessFadesByTheTimeConstant) {
  const float kept = OverspeedKept(0.5f, 0.1f);
  EXPECT_NEAR(double{SpeedLimit(4.0f, 2.0f, kept)}, 2.0 + 2.0 * std::exp(-0.2),
              1.0e-6);
  EXPECT_EQ(SpeedLimit(2.0f, 2.0f, kept), 2.0f);
  EXPECT_EQ(SpeedLimit(1.0f, 2.0f, kept), 2.0f);
}

TEST(OverspeedTest, WithoutATimeConstantItIsCutAtOnce) {
  EXPECT_EQ(OverspeedKept(0.0f, 0.1f), 0.0f);
  EXPECT_EQ(SpeedLimit(4.0f, 2.0f, 0.0f), 2.0f);
  // So short that nothing is left after a step; so long that nothing goes.
  EXPECT_EQ(OverspeedKept(1.0e-30f, 1.0f), 0.0f);
  EXPECT_EQ(OverspeedKept(1.0e-45f, 1.0f), 0.0f);
  EXPECT_EQ(OverspeedKept(1.0e6f, 1.0e-3f), 1.0f);
}

TEST(OverspeedTest, FallsAlikeAtAnyRate) {
  for (const int rate : {30, 144}) {
    const float kept = OverspeedKept(0.5f, 1.0f / static_cast<float>(rate));
    float speed = 4.0f;
    for (int step = 0; step < 2 * rate; ++step) {
      speed = SpeedLimit(speed, 2.0f, kept);
    }
    EXPECT_NEAR(double{speed}, 2.0 + 2.0 * std::exp(-4.0), 1.0e-5) << rate;
  }
}

}  // namespace
}  // namespace meander::core
