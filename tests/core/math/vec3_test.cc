#include "core/math/vec3.h"

#include <bit>
#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "tests/core/floats.h"

namespace meander::core {
namespace {

void ExpectSameBits(const Vec3& a, const Vec3& b) {
  EXPECT_EQ(Bits(a.x), Bits(b.x));
  EXPECT_EQ(Bits(a.y), Bits(b.y));
  EXPECT_EQ(Bits(a.z), Bits(b.z));
}

double ExactLength(const Vec3& v) {
  const double x = static_cast<double>(v.x);
  const double y = static_cast<double>(v.y);
  const double z = static_cast<double>(v.z);
  return std::sqrt(x * x + y * y + z * z);
}

static_assert(Vec3{} == Vec3{0.0f, 0.0f, 0.0f});
static_assert(Vec3{1, 2, 3} + Vec3{4, 5, 6} == Vec3{5, 7, 9});
static_assert(Vec3{1, 2, 3} - Vec3{4, 6, 8} == Vec3{-3, -4, -5});
static_assert(Vec3{1, 2, 3} * 2.0f == 2.0f * Vec3{1, 2, 3});
static_assert(Vec3{2, 4, 6} / 2.0f == Vec3{1, 2, 3});
static_assert(Dot({1, 2, 3}, {4, 5, 6}) == 32.0f);
static_assert(Cross({1, 0, 0}, {0, 1, 0}) == Vec3{0, 0, 1});
static_assert(LengthSquared({3, 4, 12}) == 169.0f);

TEST(Vec3Test, ComparesAsIeeeNumbers) {
  EXPECT_EQ((Vec3{0.0f, 1.0f, 2.0f}), (Vec3{-0.0f, 1.0f, 2.0f}));
  EXPECT_NE((Vec3{1.0f, 1.0f, 2.0f}), (Vec3{0.0f, 1.0f, 2.0f}));
  EXPECT_NE((Vec3{0.0f, 0.0f, 2.0f}), (Vec3{0.0f, 1.0f, 2.0f}));
  EXPECT_NE((Vec3{0.0f, 1.0f, 0.0f}), (Vec3{0.0f, 1.0f, 2.0f}));
  const Vec3 v{kNan, 0.0f, 0.0f};
  EXPECT_FALSE(v == v);
}

TEST(Vec3Test, CompoundAssignmentIsTheOperator) {
  Vec3 v{1.0f, 2.0f, 3.0f};
  v += {1.0f, 1.0f, 1.0f};
  EXPECT_EQ(v, (Vec3{2.0f, 3.0f, 4.0f}));
  v -= {2.0f, 2.0f, 2.0f};
  EXPECT_EQ(v, (Vec3{0.0f, 1.0f, 2.0f}));
  v *= 3.0f;
  EXPECT_EQ(v, (Vec3{0.0f, 3.0f, 6.0f}));
  v /= 2.0f;
  EXPECT_EQ(v, (Vec3{0.0f, 1.5f, 3.0f}));
}

TEST(Vec3Test, NegationFlipsTheSignOfZero) {
  const Vec3 v = -Vec3{0.0f, -0.0f, 1.0f};
  ExpectSameBits(v, {-0.0f, 0.0f, -1.0f});
}

TEST(Vec3Test, DividesRatherThanMultipliesByTheReciprocal) {
  // 5 / 49 as a correctly rounded quotient; 5 * (1 / 49) ends in ...ea0b.
  const Vec3 v = Vec3{5.0f, 10.0f, 20.0f} / 49.0f;
  EXPECT_NE(Bits(5.0f * (1.0f / 49.0f)), Bits(5.0f / 49.0f));
  EXPECT_EQ(Bits(v.x), Bits(5.0f / 49.0f));
  EXPECT_EQ(Bits(v.y), Bits(10.0f / 49.0f));
  EXPECT_EQ(Bits(v.z), Bits(20.0f / 49.0f));
}

// 2^24 + 1 is halfway between two floats and goes down to 2^24; whoever adds
// the two small terms first gets 2^24 + 2.
TEST(Vec3Test, SumsXAndYBeforeZ) {
  EXPECT_EQ(LengthSquared({4096.0f, 1.0f, 1.0f}), 0x1p24f);
  EXPECT_EQ(LengthSquared({1.0f, 4096.0f, 1.0f}), 0x1p24f);
  EXPECT_EQ(LengthSquared({1.0f, 1.0f, 4096.0f}), 0x1p24f + 2.0f);
  const Vec3 ones{1.0f, 1.0f, 1.0f};
  EXPECT_EQ(Dot({0x1p24f, 1.0f, 1.0f}, ones), 0x1p24f);
  EXPECT_EQ(Dot({1.0f, 0x1p24f, 1.0f}, ones), 0x1p24f);
  EXPECT_EQ(Dot({1.0f, 1.0f, 0x1p24f}, ones), 0x1p24f + 2.0f);
}

TEST(Vec3Test, LengthIsTheRootOfTheSquares) {
  EXPECT_EQ(Length({3.0f, 4.0f, 12.0f}), 13.0f);
  EXPECT_EQ(Length({0.0f, -7.0f, 0.0f}), 7.0f);
  EXPECT_EQ(Length({}), 0.0f);
  EXPECT_EQ(Bits(Length({1.0f, 1.0f, 1.0f})), 0x3fddb3d7u);
}

TEST(Vec3Test, SquareVanishesOnlyForTinyVectors) {
  EXPECT_EQ(LengthSquared({0x1p-75f, 0.0f, 0.0f}), 0.0f);
  EXPECT_GT(LengthSquared({0x1.000002p-75f, 0.0f, 0.0f}), 0.0f);
}

TEST(Vec3Test, SquareStaysFiniteInTheDocumentedRange) {
  EXPECT_TRUE(IsFinite(LengthSquared({1e19f, 1e19f, 1e19f})));
}

TEST(ClampLengthTest, LeavesAVectorWithinTheLimitUnchanged) {
  ExpectSameBits(ClampLength({3.0f, 4.0f, -0.0f}, 5.0f), {3.0f, 4.0f, -0.0f});
  ExpectSameBits(ClampLength({-0.0f, 0.0f, -0.0f}, 1.0f), {-0.0f, 0.0f, -0.0f});
  ExpectSameBits(ClampLength({0.1f, -0.2f, 0.3f}, 0.5f), {0.1f, -0.2f, 0.3f});
  ExpectSameBits(ClampLength({1e18f, 1e18f, 1e18f}, 1e20f),
                 {1e18f, 1e18f, 1e18f});
  ExpectSameBits(ClampLength({1.0f, 2.0f, 3.0f}, kInfinity),
                 {1.0f, 2.0f, 3.0f});
}

TEST(ClampLengthTest, ScalesALongerVectorByLimitOverLength) {
  EXPECT_EQ(ClampLength({6.0f, 8.0f, 0.0f}, 5.0f), (Vec3{3.0f, 4.0f, 0.0f}));
  EXPECT_EQ(ClampLength({0.0f, -8.0f, 6.0f}, 2.5f), (Vec3{0.0f, -2.0f, 1.5f}));
  // limit / length first: 1 / 3 is rounded before it is multiplied.
  const Vec3 v = ClampLength({1.0f, 2.0f, 2.0f}, 1.0f);
  const float third = 1.0f / 3.0f;
  ExpectSameBits(v, {third, 2.0f * third, 2.0f * third});
}

TEST(ClampLengthTest, KeepsItsGoldenBits) {
  ExpectSameBits(
      ClampLength({1.5f, -2.25f, 7.125f}, 1.0f),
      {std::bit_cast<float>(0x3e498d0eu), std::bit_cast<float>(0xbe9729cau),
       std::bit_cast<float>(0x3f6f5780u)});
}

TEST(ClampLengthTest, GivesZeroForALimitThatIsNotPositive) {
  for (const float limit : {0.0f, -0.0f, -1.0f, -kInfinity, kNan}) {
    ExpectSameBits(ClampLength({-1.0f, 2.0f, 3.0f}, limit), {});
    ExpectSameBits(ClampLength({-0.0f, 0.0f, 0.0f}, limit), {});
  }
}

TEST(ClampLengthTest, ExceedsTheLimitByRoundingAtMost) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> component(-1.0f, 1.0f);
  std::uniform_real_distribution<float> exponent(-40.0f, 40.0f);
  double worst = 0.0;
  for (int i = 0; i < 300000; ++i) {
    const float limit = std::exp2(exponent(random));
    const float size = limit * std::exp2(0.25f * exponent(random));
    Vec3 v;
    v.x = component(random) * size;
    v.y = component(random) * size;
    v.z = component(random) * size;
    const Vec3 clamped = ClampLength(v, limit);
    worst = std::fmax(worst, ExactLength(clamped) / static_cast<double>(limit));
  }
  EXPECT_LE(worst, 1.0 + 3.0 * 0x1p-23);
  EXPECT_GT(worst, 1.0) << "the bound above has never been near";
}

TEST(ClampLengthTest, StaysFiniteInTheDocumentedRange) {
  for (const float size : {1e-45f, 1e-30f, 1e-10f, 1.0f, 1e10f, 1e19f}) {
    for (const float limit : {1e-45f, 1e-30f, 1.0f, 1e19f, kLargest}) {
      EXPECT_TRUE(IsFinite(ClampLength({size, -size, size}, limit)))
          << size << " " << limit;
    }
  }
}

TEST(IsFiniteTest, SeesEachComponent) {
  EXPECT_TRUE(IsFinite(Vec3{}));
  EXPECT_TRUE(IsFinite(Vec3{kLargest, -kLargest, 1e-45f}));
  for (const float bad : {kNan, -kNan, kInfinity, -kInfinity}) {
    EXPECT_FALSE(IsFinite(bad));
    EXPECT_FALSE(IsFinite(Vec3{bad, 0.0f, 0.0f}));
    EXPECT_FALSE(IsFinite(Vec3{0.0f, bad, 0.0f}));
    EXPECT_FALSE(IsFinite(Vec3{0.0f, 0.0f, bad}));
  }
}

}  // namespace
}  // namespace meander::core
