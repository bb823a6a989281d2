#include "core/space/wrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "gtest/gtest.h"
#include "tests/core/faults.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

SimulationConfig Torus(const Vec3& low, const Vec3& high,
                       Plane plane = Plane::kNone) {
  SimulationConfig config;
  config.plane = plane;
  config.bounds_min = low;
  config.bounds_max = high;
  config.bounds_mode = BoundsMode::kWrap;
  EXPECT_TRUE(Validate(config, "").empty());
  return Normalized(config);
}

WrapAxis Axis(float low, float high) {
  return WrapOf(Torus({low, low, low}, {high, high, high})).x;
}

// Intervals of many kinds: round and crooked, far from 0, as short and as long
// as allowed, with a face so near 0 that a period swallows it.
std::vector<WrapAxis> Axes() {
  return {Axis(-2048.0f, 2048.0f),        Axis(-kMaxBound, kMaxBound),
          Axis(-20.5f, 19.25f),           Axis(0.1f, 1.25f),
          Axis(16383.0f, 16384.0f),       Axis(-16384.0f, -16380.3f),
          Axis(1.0e-30f, 16384.0f),       Axis(-1.0e-3f, 33.3f),
          Axis(-1.0f / 3.0f, 2.0f / 3.0f)};
}

// How far apart neighboring numbers are at the ends of the axis.
double Ulp(const WrapAxis& axis) {
  const float most = std::max(std::fabs(axis.low), std::fabs(axis.high));
  return static_cast<double>(most) - static_cast<double>(Below(most));
}

double Period(const WrapAxis& axis) {
  return static_cast<double>(axis.high) - static_cast<double>(axis.low);
}

// How far x is from the nearest whole number of periods.
double OffPeriods(const WrapAxis& axis, double x) {
  return std::fabs(std::remainder(x, Period(axis)));
}

TEST(WrapTest, APlaceInsideStaysBitForBit) {
  for (const WrapAxis& axis : Axes()) {
    for (const float value : {axis.low, Above(axis.low), Below(axis.high),
                              axis.low + axis.half_period}) {
      EXPECT_EQ(Bits(WrapCoordinate(axis, value)), Bits(value)) << value;
    }
  }
  EXPECT_EQ(Bits(WrapCoordinate(Axis(-1.0f, 1.0f), -0.0f)), Bits(-0.0f));
}

TEST(WrapTest, TheUpperFaceIsTheLowerOne) {
  for (const WrapAxis& axis : Axes()) {
    EXPECT_EQ(WrapCoordinate(axis, axis.high), axis.low);
  }
}

TEST(WrapTest, OneUnitBeyondAFaceComesInAtTheOther) {
  const WrapAxis axis = Axis(-2048.0f, 2048.0f);
  EXPECT_EQ(WrapCoordinate(axis, Above(2048.0f)), -2048.0f + 0x1p-12f);
  EXPECT_EQ(WrapCoordinate(axis, Below(-2048.0f)), 2048.0f - 0x1p-12f);
  EXPECT_EQ(WrapCoordinate(axis, 2048.0f + 4096.0f * 100.0f + 5.0f), -2043.0f);
  // Too little to be told from the face: not the face above, which is none.
  const WrapAxis unit = Axis(0.0f, 1.0f);
  EXPECT_EQ(WrapCoordinate(unit, -1.0e-30f), 0.0f);
  EXPECT_EQ(WrapCoordinate(unit, -0x1p-24f), Below(1.0f));
  for (const WrapAxis& other : Axes()) {
    for (const float value : {Below(other.low), Above(other.high)}) {
      const float wrapped = WrapCoordinate(other, value);
      EXPECT_GE(wrapped, other.low);
      EXPECT_LT(wrapped, other.high);
    }
  }
}

TEST(WrapTest, AnyNumberOfPeriodsIsCrossedAndNoneIsLeft) {
  std::mt19937 random(11);
  for (const WrapAxis& axis : Axes()) {
    for (int i = 0; i < 20'000; ++i) {
      const float reach = i % 2 == 0 ? 1.1e6f : 3.0f * axis.half_period;
      const float value =
          std::uniform_real_distribution<float>(-reach, reach)(random);
      const float wrapped = WrapCoordinate(axis, value);
      ASSERT_GE(wrapped, axis.low) << value;
      ASSERT_LT(wrapped, axis.high) << value;
      // The place differs by whole periods, but for its own rounding.
      ASSERT_LE(OffPeriods(axis, static_cast<double>(wrapped) -
                                     static_cast<double>(value)),
                Ulp(axis) + 1.0e-9)
          << value << " in " << axis.low << " to " << axis.high;
      ASSERT_EQ(Bits(WrapCoordinate(axis, wrapped)), Bits(wrapped));
    }
  }
}

TEST(WrapTest, WhateverComesInAPlaceOfTheTorusComesOut) {
  for (const WrapAxis& axis : Axes()) {
    for (const float value : {3.0e38f, -3.0e38f, 1.0e20f, -1.0e20f, kInfinity,
                              -kInfinity, kNan, 1.0e-45f, -1.0e-45f}) {
      const float wrapped = WrapCoordinate(axis, value);
      EXPECT_GE(wrapped, axis.low) << value;
      EXPECT_LT(wrapped, axis.high) << value;
    }
  }
}

TEST(WrapTest, OnlyAxesOfThePlaneOfATorusWrap) {
  const Vec3 low{-10, -10, -10};
  const Vec3 high{10, 10, 10};
  const Vec3 beyond{11, -12, 13};
  const Vec3 wrapped{-9, 8, -7};
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    const Wrap wrap = WrapOf(Torus(low, high, plane));
    const Vec3 mask = PlaneMask(plane);
    const Vec3 place = WrapPlace(wrap, beyond);
    EXPECT_EQ(place.x, mask.x != 0.0f ? wrapped.x : beyond.x);
    EXPECT_EQ(place.y, mask.y != 0.0f ? wrapped.y : beyond.y);
    EXPECT_EQ(place.z, mask.z != 0.0f ? wrapped.z : beyond.z);
  }
  for (const BoundsMode mode : {BoundsMode::kOpen, BoundsMode::kClamp}) {
    SimulationConfig config = SmallConfig();
    config.bounds_mode = mode;
    const Wrap wrap = WrapOf(config);
    const Vec3 far{99, -1.0e9f, -0.0f};
    EXPECT_TRUE(SameBits(WrapPlace(wrap, far), far));
    EXPECT_TRUE(SameBits(Delta(wrap, {-99, 0.0f, 0.0f}, far),
                         far - Vec3{-99, 0.0f, 0.0f}));
  }
}

TEST(WrapTest, APlaceIsHeldOnThePlaneAndBelowTheUpperFaces) {
  const SimulationConfig flat =
      Torus({-10, -10, -10}, {10, 10, 10}, Plane::kXZ);
  EXPECT_TRUE(SameBits(HeldPlace(flat, {10, -0.0f, -10}), {-10, 0, -10}));
  EXPECT_TRUE(SameBits(HeldPlace(flat, {-0.0f, 0, Below(10.0f)}),
                       {-0.0f, 0, Below(10.0f)}));
  EXPECT_TRUE(SameBits(HeldPlace(SmallConfig(Plane::kXY), {100, 100, -0.0f}),
                       {100, 100, 0}));
}

TEST(DeltaTest, IsTheShortestWay) {
  const Wrap wrap = WrapOf(Torus({-10, -20, 0}, {10, 20, 64}));
  EXPECT_EQ(Delta(wrap, {1, 2, 3}, {4, -6, 30}), (Vec3{3, -8, 27}));
  EXPECT_EQ(Delta(wrap, {9, -19, 1}, {-9, 19, 63}), (Vec3{2, -2, -2}));
  EXPECT_EQ(Delta(wrap, {-9, 19, 63}, {9, -19, 1}), (Vec3{-2, 2, 2}));
  EXPECT_TRUE(SameBits(Delta(wrap, {5, 5, 5}, {5, 5, 5}), {0, 0, 0}));
}

TEST(DeltaTest, ATieIsNegativeBothWays) {
  const WrapAxis axis = Axis(-2048.0f, 2048.0f);
  for (const float p : {-2048.0f, -1000.125f, -1024.0f, -0.25f}) {
    const float q = p + 2048.0f;
    EXPECT_EQ(DeltaCoordinate(axis, p, q), -2048.0f) << p;
    EXPECT_EQ(DeltaCoordinate(axis, q, p), -2048.0f) << p;
  }
  // One unit to either side of a tie.
  EXPECT_EQ(DeltaCoordinate(axis, -1024.0f, 1024.0f - 0x1p-13f),
            Below(2048.0f));
  EXPECT_EQ(DeltaCoordinate(axis, -1024.0f, 1024.0f + 0x1p-12f),
            -2048.0f + 0x1p-12f);
}

TEST(DeltaTest, IsExactBetweenNeighborsAcrossTheSeam) {
  for (const WrapAxis& axis : Axes()) {
    if (axis.low > 0.0f && axis.low < 1.0e-3f) continue;  // nothing is near it
    float below = axis.high;
    float above = axis.low;
    for (int i = 0; i < 50; ++i) {
      below = Below(below);
      const double way = (static_cast<double>(axis.high) - below) +
                         (static_cast<double>(above) - axis.low);
      ASSERT_EQ(static_cast<double>(DeltaCoordinate(axis, below, above)), way);
      ASSERT_EQ(static_cast<double>(DeltaCoordinate(axis, above, below)), -way);
      above = Above(above);
    }
  }
}

TEST(DeltaTest, IsOneOfTheOffsetsThatPeriodsAllowAndNoneIsShorter) {
  std::mt19937 random(12);
  for (const WrapAxis& axis : Axes()) {
    const double rounding = 2.0 * Ulp(axis);
    for (int i = 0; i < 20'000; ++i) {
      std::uniform_real_distribution<float> place(axis.low, axis.high);
      const float p = WrapCoordinate(axis, place(random));
      const float q = WrapCoordinate(axis, place(random));
      const double way = DeltaCoordinate(axis, p, q);
      ASSERT_LE(OffPeriods(axis, way - (static_cast<double>(q) - p)), rounding);
      ASSERT_LE(std::fabs(way), Period(axis) / 2 + rounding);
      if (std::fabs(way) < Period(axis) / 2 - rounding) {
        ASSERT_EQ(DeltaCoordinate(axis, q, p), static_cast<float>(-way));
      }
    }
  }
}

TEST(DeltaTest, IsTheSameWhenBothPlacesMoveByHalfAPeriod) {
  std::mt19937 random(13);
  for (const WrapAxis& axis : Axes()) {
    std::uniform_real_distribution<float> place(axis.low, axis.high);
    for (int i = 0; i < 20'000; ++i) {
      const float p = WrapCoordinate(axis, place(random));
      const float q = WrapCoordinate(axis, place(random));
      const double way = DeltaCoordinate(axis, p, q);
      const double moved =
          DeltaCoordinate(axis, WrapCoordinate(axis, p + axis.half_period),
                          WrapCoordinate(axis, q + axis.half_period));
      ASSERT_LE(OffPeriods(axis, way - moved), 6.0 * Ulp(axis));
    }
  }
}

TEST(ShortestTest, LeavesShortOffsetsAndMovesOthersByWholePeriods) {
  std::mt19937 random(14);
  for (const WrapAxis& axis : Axes()) {
    const float half = axis.half_period;
    EXPECT_EQ(ShortestCoordinate(axis, half), -half);
    EXPECT_EQ(ShortestCoordinate(axis, -half), -half);
    std::uniform_real_distribution<float> offset(-1.0e3f * half, 1.0e3f * half);
    for (int i = 0; i < 20'000; ++i) {
      const float d = offset(random);
      const double way = ShortestCoordinate(axis, d);
      ASSERT_GE(way, -half);
      ASSERT_LT(way, half);
      ASSERT_LE(OffPeriods(axis, way - d), 2.0 * Ulp(axis));
      if (d >= -half && d < half) {
        ASSERT_EQ(way, d);
      }
    }
    EXPECT_TRUE(IsFinite(ShortestCoordinate(axis, 1.0e13f)));
  }
  EXPECT_EQ(ShortestCoordinate(WrapAxis{}, 1.0e13f), 1.0e13f);
}

}  // namespace
}  // namespace meander::core
