#include "core/math/trig.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/math/vec3.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"

namespace meander::core {
namespace {

constexpr double kExactPi = 3.14159265358979323846;
constexpr double kRadiansPerUnit = kExactPi / 0x1p31;

// The maxima that trig.h states. References are binary64, whose own error is
// a millionth of these.
constexpr double kSinCosError = 9.5e-8;
constexpr double kSinCosTurnError = 1.24e-7;
constexpr double kAtan2Error = 3.3e-7;
constexpr double kExpRelativeError = 8.2e-8;
constexpr double kTurnFromRadiansUnits = 0.51;
constexpr double kRadiansFromTurnError = 5.8e-7;

// Of every kind: quiet and signaling, both signs. The last two never come out
// of arithmetic, but a host may send them.
constexpr std::uint32_t kNanBits[] = {0x7fc00000u, 0xffc00000u, 0x7fffffffu,
                                      0x7f800001u, 0xffbfffffu};

float FromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
double Wide(float value) { return static_cast<double>(value); }

// Calls visit(x) for floats of [low, high], both positive, evenly over their
// representations: each `stride`-th.
template <typename Visit>
void ForFloats(float low, float high, std::uint32_t stride, Visit visit) {
  for (std::uint32_t b = Bits(low); b <= Bits(high); b += stride) {
    visit(FromBits(b));
  }
}

// The distance between two turns in units, either way round.
double UnitsBetween(double exact_turns, std::uint32_t turn) {
  const double fraction = exact_turns - std::floor(exact_turns);
  return std::remainder(fraction * 0x1p32 - static_cast<double>(turn), 0x1p32);
}

// One number for the bits of many results: a change of the last bit of one
// coefficient shows here even where it misses every golden input.
class Digest {
 public:
  void Add(std::uint32_t bits) {
    sum_ = (sum_ ^ bits) * 0x9e3779b97f4a7c15u;
    sum_ ^= sum_ >> 29;
  }
  void Add(float value) { Add(Bits(value)); }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 1;
};

struct SinCosGolden {
  float radians;
  std::uint32_t sin;
  std::uint32_t cos;
};

constexpr SinCosGolden kSinCos[] = {
    {0x0p+0f, 0x00000000u, 0x3f800000u},
    {-0x0p+0f, 0x00000000u, 0x3f800000u},
    {0x1p-30f, 0x30800000u, 0x3f800000u},
    {0x1.99999ap-4f, 0x3dcc7577u, 0x3f7eb898u},
    {0x1p-1f, 0x3ef57744u, 0x3f60a940u},
    {0x1.921fb6p-1f, 0x3f3504f4u, 0x3f3504f2u},
    {0x1p+0f, 0x3f576aa5u, 0x3f0a5140u},
    {0x1.3c0832p+0f, 0x3f71a8e5u, 0x3ea8f4dcu},
    {0x1.921fb6p+0f, 0x3f800000u, 0xb33bbd30u},
    {0x1p+1f, 0x3f68c7b7u, 0xbed51132u},
    {-0x1.4p+1f, 0xbf193579u, 0xbf4d17c0u},
    {0x1.8p+1f, 0x3e1081c3u, 0xbf7d7026u},
    {0x1.921fb6p+1f, 0xb3bbbd30u, 0xbf800000u},
    {0x1p+2f, 0xbf41bdcfu, 0xbf275530u},
    {0x1.6p+2f, 0xbf349e4au, 0x3f356b62u},
    {-0x1.921fb6p+2f, 0xb43bbd30u, 0x3f800000u},
    {0x1.4p+3f, 0xbf0b44f7u, 0xbf56cd64u},
    {0x1.0a6666p+5f, 0x3f738a4bu, 0xbe9dc967u},
    {0x1.9p+6f, 0xbf01a12eu, 0x3f5cc0eeu},
    {-0x1.63p+8f, 0x37fcde80u, 0xbf800000u},
    {0x1.34ap+10f, 0x3e14e299u, 0xbf7d4797u},
    {-0x1.387cp+13f, 0xbe40cdfau, 0xbf7b6bd8u},
    {0x1p+16f, 0x3f312b34u, 0xbf38ca29u},
    {0x1.869fp+16f, 0x3f5c393bu, 0xbf028731u},
    {0x1.86ap+16f, 0x3d126d55u, 0xbf7fd61cu},
};

struct TurnGolden {
  std::uint32_t turn;
  std::uint32_t sin;
  std::uint32_t cos;
};

constexpr TurnGolden kSinCosTurn[] = {
    {0x00000000u, 0x00000000u, 0x3f800000u},
    {0x00000001u, 0x30c90fdbu, 0x3f800000u},
    {0x000000ffu, 0x34c846cbu, 0x3f800000u},
    {0x01234567u, 0x3ce4bbedu, 0x3f7fe672u},
    {0x10000000u, 0x3ec3ef16u, 0x3f6c835eu},
    {0x1fffffffu, 0x3f3504f4u, 0x3f3504f2u},
    {0x20000000u, 0x3f3504f2u, 0x3f3504f4u},
    {0x20000001u, 0x3f3504f2u, 0x3f3504f4u},
    {0x3fffffffu, 0x3f800000u, 0x30c90fdbu},
    {0x40000000u, 0x3f800000u, 0x80000000u},
    {0x5a827999u, 0x3f4bb28du, 0xbf1b0f26u},
    {0x60000000u, 0x3f3504f4u, 0xbf3504f2u},
    {0x7fffffffu, 0x30c90fdbu, 0xbf800000u},
    {0x80000000u, 0x80000000u, 0xbf800000u},
    {0x80000001u, 0xb0c90fdbu, 0xbf800000u},
    {0x9e3779b9u, 0xbf2cecefu, 0xbf3cc435u},
    {0xa0000000u, 0xbf3504f2u, 0xbf3504f4u},
    {0xc0000000u, 0xbf800000u, 0x00000000u},
    {0xdeadbeefu, 0xbf3acb25u, 0x3f2f0e06u},
    {0xe0000000u, 0xbf3504f4u, 0x3f3504f2u},
    {0xffffffffu, 0xb0c90fdbu, 0x3f800000u},
};

struct Atan2Golden {
  float y;
  float x;
  std::uint32_t angle;
};

constexpr Atan2Golden kAtan2[] = {
    {0x0p+0f, 0x1p+0f, 0x00000000u},
    {0x1p+0f, 0x0p+0f, 0x3fc90fdbu},
    {0x0p+0f, -0x1p+0f, 0x40490fdbu},
    {-0x1p+0f, 0x0p+0f, 0xbfc90fdbu},
    {0x1p+0f, 0x1p+0f, 0x3f490fdau},
    {0x1p+0f, -0x1p+0f, 0x4016cbe4u},
    {-0x1p+0f, -0x1p+0f, 0xc016cbe4u},
    {-0x1p+0f, 0x1p+0f, 0xbf490fdau},
    {0x1p+0f, 0x1p+1f, 0x3eed6338u},
    {0x1p+1f, 0x1p+0f, 0x3f8db70du},
    {-0x1.8p+1f, 0x1p+2f, 0xbf24bc7du},
    {0x1.99999ap-4f, 0x1.9p+6f, 0x3a83126cu},
    {0x1.9p+6f, -0x1.99999ap-4f, 0x3fc930a0u},
    {0x1.4484cp-100f, 0x1.93e594p+99f, 0x00000000u},
    {-0x1.4484cp-100f, -0x1p+0f, 0xc0490fdbu},
    {0x1.cp-147f, 0x1.5p-145f, 0x3ea4bc7du},
    {0x1.c363ccp+127f, -0x1.2ced32p+127f, 0x400a29c3u},
    {-0x1.666666p-1f, 0x1.333334p-2f, 0xbf953c5du},
    {0x1.8b0a3ep+3f, -0x1.0f8f5cp+6f, 0x403d8cd1u},
    {-0x1.a36e2ep-15f, -0x1.2599eep-14f, 0xc0215db0u},
};

struct ExpGolden {
  float x;
  std::uint32_t power;
};

constexpr ExpGolden kExp[] = {
    {-0x1.5d589ep+6f, 0x00800026u}, {-0x1.5cp+6f, 0x00b33687u},
    {-0x1.94p+5f, 0x1b0d6cfau},     {-0x1.4p+4f, 0x310da433u},
    {-0x1.4p+3f, 0x383e6bceu},      {-0x1p+2f, 0x3c960aaeu},
    {-0x1p+1f, 0x3e0a9555u},        {-0x1p+0f, 0x3ebc5ab2u},
    {-0x1p-1f, 0x3f1b4598u},        {-0x1.111112p-6f, 0x3f7bc4c9u},
    {-0x1p-20f, 0x3f7ffff0u},       {0x0p+0f, 0x3f800000u},
    {0x1p-20f, 0x3f800008u},        {0x1p-2f, 0x3fa45af2u},
    {0x1p+0f, 0x402df854u},         {0x1.4p+1f, 0x4142eb7fu},
    {0x1.4p+3f, 0x46ac14eeu},       {0x1.9p+5f, 0x638c881fu},
    {0x1.6p+6f, 0x7ef882b7u},       {0x1.62e42ep+6f, 0x7f7fff84u},
};

struct RadiansToTurnGolden {
  float radians;
  std::uint32_t turn;
};

constexpr RadiansToTurnGolden kTurnFromRadians[] = {
    {0x0p+0f, 0x00000000u},          {0x1.12e0bep-30f, 0x00000001u},
    {0x1.b7cdfep-34f, 0x00000000u},  {-0x1.b7cdfep-34f, 0x00000000u},
    {-0x1.12e0bep-30f, 0xffffffffu}, {0x1p+0f, 0x28be60dcu},
    {-0x1p+0f, 0xd7419f24u},         {0x1.921fb6p+0f, 0x4000001eu},
    {0x1.921fb4p+1f, 0x7fffff99u},   {0x1.921fb6p+1f, 0x8000003cu},
    {-0x1.921fb6p+1f, 0x7fffffc4u},  {-0x1.921fb4p+1f, 0x80000067u},
    {0x1.8p+2f, 0xf4764525u},        {0x1.921fb6p+2f, 0x00000078u},
    {-0x1.9p+6f, 0x15a22a3au},       {0x1.f4p+9f, 0x27aa59b8u},
    {0x1.86ap+16f, 0x7e8b0c0bu},     {0x1.2a05f2p+33f, 0xeb408800u},
    {-0x1.c6bf52p+49f, 0xc0000000u},
};

struct TurnToRadiansGolden {
  std::uint32_t turn;
  std::uint32_t radians;
};

constexpr TurnToRadiansGolden kRadiansFromTurn[] = {
    {0x00000000u, 0x00000000u}, {0x000000ffu, 0x00000000u},
    {0x00000100u, 0x34c90fdbu}, {0x12345678u, 0x3ee4c383u},
    {0x40000000u, 0x3fc90fdbu}, {0x7fffff00u, 0x40490fd9u},
    {0x7fffffffu, 0x40490fd9u}, {0x80000000u, 0xc0490fdbu},
    {0x80000100u, 0xc0490fd9u}, {0xc0000000u, 0xbfc90fdbu},
    {0xffffff00u, 0xb4c90fdbu}, {0xffffffffu, 0xb4c90fdbu},
};

TEST(SinCosTest, KeepsItsGoldenBits) {
  for (const SinCosGolden& golden : kSinCos) {
    const SinCosPair pair = SinCos(golden.radians);
    EXPECT_EQ(Bits(pair.sin), golden.sin) << golden.radians;
    EXPECT_EQ(Bits(pair.cos), golden.cos) << golden.radians;
  }
}

TEST(SinCosTest, KeepsTheDigestOfManyResults) {
  Digest digest;
  ForFloats(0x1p-12f, kSinCosLimit, 103, [&digest](float x) {
    const SinCosPair pair = SinCos(x);
    digest.Add(pair.sin);
    digest.Add(pair.cos);
  });
  EXPECT_EQ(digest.sum(), 0x863b90d9af0b11feu);
}

TEST(SinCosTest, StaysWithinItsStatedError) {
  double worst = 0.0;
  const auto visit = [&worst](float x) {
    const SinCosPair pair = SinCos(x);
    worst = std::fmax(worst, std::fabs(Wide(pair.sin) - std::sin(Wide(x))));
    worst = std::fmax(worst, std::fabs(Wide(pair.cos) - std::cos(Wide(x))));
  };
  ForFloats(0x1p-20f, 0.5f, 331, visit);
  ForFloats(0.5f, kSinCosLimit, 97, visit);
  EXPECT_LE(worst, kSinCosError);
  EXPECT_GE(worst, 0.9 * kSinCosError) << "the header is too modest";
}

TEST(SinCosTest, StaysWithinItsStatedErrorNearMultiplesOfAQuarterTurn) {
  double worst = 0.0;
  for (int n = 1; n <= 127323; ++n) {
    const float center = static_cast<float>(n * (kExactPi / 4.0));
    for (int step = -3; step <= 3; ++step) {
      const float x = FromBits(Bits(center) + static_cast<std::uint32_t>(step));
      const SinCosPair pair = SinCos(x);
      worst = std::fmax(worst, std::fabs(Wide(pair.sin) - std::sin(Wide(x))));
      worst = std::fmax(worst, std::fabs(Wide(pair.cos) - std::cos(Wide(x))));
    }
  }
  EXPECT_LE(worst, kSinCosError);
}

TEST(SinCosTest, SineIsOddAndCosineIsEvenToTheBit) {
  ForFloats(kTiny, kSinCosLimit, 4099, [](float x) {
    const SinCosPair right = SinCos(x);
    const SinCosPair left = SinCos(-x);
    ASSERT_EQ(Bits(left.sin), Bits(-right.sin)) << x;
    ASSERT_EQ(Bits(left.cos), Bits(right.cos)) << x;
  });
}

TEST(SinCosTest, CountsWhatLiesBeyondTheLimitAsTheLimit) {
  const SinCosPair limit = SinCos(kSinCosLimit);
  for (const float x :
       {std::nextafter(kSinCosLimit, kInfinity), 1e10f, kLargest, kInfinity}) {
    EXPECT_EQ(Bits(SinCos(x).sin), Bits(limit.sin)) << x;
    EXPECT_EQ(Bits(SinCos(x).cos), Bits(limit.cos)) << x;
  }
  for (const std::uint32_t nan : kNanBits) {
    EXPECT_EQ(Bits(SinCos(FromBits(nan)).sin), Bits(limit.sin)) << nan;
    EXPECT_EQ(Bits(SinCos(FromBits(nan)).cos), Bits(limit.cos)) << nan;
  }
  for (const float x : {-1e10f, -kLargest, -kInfinity}) {
    EXPECT_EQ(Bits(SinCos(x).sin), Bits(-limit.sin)) << x;
    EXPECT_EQ(Bits(SinCos(x).cos), Bits(limit.cos)) << x;
  }
}

TEST(SinCosTest, NeverLeavesTheUnitInterval) {
  ForFloats(kTiny, kInfinity, 1009, [](float x) {
    const SinCosPair pair = SinCos(x);
    ASSERT_TRUE(pair.sin >= -1.0f && pair.sin <= 1.0f) << x;
    ASSERT_TRUE(pair.cos >= -1.0f && pair.cos <= 1.0f) << x;
  });
}

TEST(SinCosTurnTest, KeepsItsGoldenBits) {
  for (const TurnGolden& golden : kSinCosTurn) {
    const SinCosPair pair = SinCosTurn(golden.turn);
    EXPECT_EQ(Bits(pair.sin), golden.sin) << golden.turn;
    EXPECT_EQ(Bits(pair.cos), golden.cos) << golden.turn;
  }
}

TEST(SinCosTurnTest, KeepsTheDigestOfManyResults) {
  Digest digest;
  for (std::uint32_t i = 0; i < 3000000; ++i) {
    const SinCosPair pair = SinCosTurn(i * 0x9e3779b9u);
    digest.Add(pair.sin);
    digest.Add(pair.cos);
  }
  EXPECT_EQ(digest.sum(), 0x5d51b625e15bb93du);
}

TEST(SinCosTurnTest, StaysWithinItsStatedError) {
  double worst = 0.0;
  constexpr std::uint64_t kStride = 997;
  for (std::uint64_t i = 0; i < (1ull << 32); i += kStride) {
    const auto turn = static_cast<std::uint32_t>(i);
    const double exact = static_cast<double>(turn) * kRadiansPerUnit;
    const SinCosPair pair = SinCosTurn(turn);
    worst = std::fmax(worst, std::fabs(Wide(pair.sin) - std::sin(exact)));
    worst = std::fmax(worst, std::fabs(Wide(pair.cos) - std::cos(exact)));
    ASSERT_TRUE(std::fabs(pair.sin) <= 1.0f && std::fabs(pair.cos) <= 1.0f);
  }
  EXPECT_LE(worst, kSinCosTurnError);
  EXPECT_GE(worst, 0.9 * kSinCosTurnError) << "the header is too modest";
}

TEST(SinCosTurnTest, IsExactAtQuarterTurns) {
  constexpr float kSines[] = {0.0f, 1.0f, 0.0f, -1.0f};
  for (std::uint32_t quadrant = 0; quadrant < 4; ++quadrant) {
    const SinCosPair pair = SinCosTurn(quadrant << 30);
    EXPECT_EQ(pair.sin, kSines[quadrant]);
    EXPECT_EQ(pair.cos, kSines[(quadrant + 1) % 4]);
  }
}

TEST(SinCosTurnTest, IsContinuousAcrossQuadrants) {
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    const std::uint32_t border = octant << 29;
    const SinCosPair before = SinCosTurn(border - 1);
    const SinCosPair after = SinCosTurn(border);
    EXPECT_NEAR(before.sin, after.sin, 2e-7f);
    EXPECT_NEAR(before.cos, after.cos, 2e-7f);
  }
}

TEST(SinCosTurnTest, AgreesWithSinCosOfTheSameAngle) {
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const std::uint32_t turn = (i * 0x9e3779b9u) & 0xffffff00u;
    const SinCosPair by_turn = SinCosTurn(turn);
    const SinCosPair by_radians = SinCos(RadiansFromTurn(turn));
    ASSERT_NEAR(by_turn.sin, by_radians.sin, 5e-7f) << turn;
    ASSERT_NEAR(by_turn.cos, by_radians.cos, 5e-7f) << turn;
  }
}

TEST(Atan2Test, KeepsItsGoldenBits) {
  for (const Atan2Golden& golden : kAtan2) {
    EXPECT_EQ(Bits(Atan2(golden.y, golden.x)), golden.angle)
        << golden.y << " " << golden.x;
  }
}

TEST(Atan2Test, KeepsTheDigestOfManyResults) {
  Digest digest;
  ForFloats(0x1p-12f, 0x1p12f, 103, [&digest](float q) {
    digest.Add(Atan2(q, 1.0f));
    digest.Add(Atan2(-3.0f, q));
    digest.Add(Atan2(0.7f, -q));
  });
  EXPECT_EQ(digest.sum(), 0x06aa202b95834ac5u);
}

TEST(Atan2Test, StaysWithinItsStatedError) {
  double worst = 0.0;
  const auto visit = [&worst](float y, float x) {
    const double exact = std::atan2(Wide(y), Wide(x));
    worst = std::fmax(worst, std::fabs(Wide(Atan2(y, x)) - exact));
  };
  ForFloats(0x1p-12f, 1.0f, 101, [&visit](float q) {
    visit(q, 1.0f);
    visit(1.0f, -q);
    visit(-q, -1.0f);
    visit(-1.0f, q);
  });
  std::mt19937 random(3);
  std::uniform_real_distribution<float> coordinate(-4096.0f, 4096.0f);
  for (int i = 0; i < 1000000; ++i) {
    const float x = coordinate(random);
    const float y = coordinate(random);
    visit(y, x);
  }
  EXPECT_LE(worst, kAtan2Error);
  EXPECT_GE(worst, 0.9 * kAtan2Error) << "the header is too modest";
}

TEST(Atan2Test, GivesZeroWhenBothAreZero) {
  for (const float y : {0.0f, -0.0f}) {
    for (const float x : {0.0f, -0.0f}) {
      EXPECT_EQ(Bits(Atan2(y, x)), 0u);
    }
  }
}

TEST(Atan2Test, KnowsTheAxes) {
  for (const float size : {kTiny, 1e-30f, 1.0f, 1e30f, kLargest}) {
    EXPECT_EQ(Atan2(0.0f, size), 0.0f);
    EXPECT_EQ(Atan2(size, 0.0f), kHalfPi);
    EXPECT_EQ(Atan2(0.0f, -size), kPi);
    EXPECT_EQ(Atan2(-0.0f, -size), kPi) << "a zero has no sign here";
    EXPECT_EQ(Atan2(-size, 0.0f), -kHalfPi);
  }
}

TEST(Atan2Test, StaysWithinPiForAnyBits) {
  std::mt19937 random(4);
  for (int i = 0; i < 1000000; ++i) {
    const float y = FromBits(static_cast<std::uint32_t>(random()));
    const float x = FromBits(static_cast<std::uint32_t>(random()));
    const float angle = Atan2(y, x);
    ASSERT_TRUE(angle >= -kPi && angle <= kPi) << y << " " << x;
  }
}

TEST(Atan2Test, CountsInfinityAndNanAsTheLargestNumber) {
  const float diagonal = Atan2(1.0f, 1.0f);
  EXPECT_EQ(Atan2(kInfinity, kInfinity), diagonal);
  EXPECT_EQ(Atan2(-kInfinity, kInfinity), -diagonal);
  for (const std::uint32_t nan : kNanBits) {
    EXPECT_EQ(Atan2(FromBits(nan), FromBits(nan)), diagonal) << nan;
    EXPECT_EQ(Atan2(FromBits(nan), -1.0f), kHalfPi) << nan;
    EXPECT_EQ(Atan2(-1.0f, FromBits(nan)), Atan2(-1.0f, kLargest)) << nan;
  }
  EXPECT_EQ(Atan2(kInfinity, 1.0f), kHalfPi);
  EXPECT_EQ(Atan2(1.0f, -kInfinity), kPi);
}

TEST(Atan2Test, InvertsSinCosTurn) {
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const std::uint32_t turn = i * 0x9e3779b9u;
    const SinCosPair pair = SinCosTurn(turn);
    const double exact = static_cast<double>(turn) * 0x1p-32;
    const std::uint32_t back = TurnFromRadians(Atan2(pair.sin, pair.cos));
    // 5e-7 radians, the sum of both errors, are 342 units.
    ASSERT_LE(std::fabs(UnitsBetween(exact, back)), 342.0) << turn;
  }
}

TEST(ExpTest, KeepsItsGoldenBits) {
  for (const ExpGolden& golden : kExp) {
    EXPECT_EQ(Bits(Exp(golden.x)), golden.power) << golden.x;
  }
}

TEST(ExpTest, KeepsTheDigestOfManyResults) {
  Digest digest;
  ForFloats(0x1p-20f, 90.0f, 103, [&digest](float x) {
    digest.Add(Exp(-x));
    digest.Add(Exp(x));
  });
  EXPECT_EQ(digest.sum(), 0xaa3ee078edeed49fu);
}

TEST(ExpTest, StaysWithinItsStatedError) {
  double worst = 0.0;
  const auto visit = [&worst](float x) {
    if (x < kExpMin || x > kExpMax) return;
    const double ratio = Wide(Exp(x)) / std::exp(Wide(x));
    worst = std::fmax(worst, std::fabs(ratio - 1.0));
  };
  ForFloats(0x1p-26f, 88.8f, 211, [&visit](float x) {
    visit(x);
    visit(-x);
  });
  EXPECT_LE(worst, kExpRelativeError);
  EXPECT_GE(worst, 0.9 * kExpRelativeError) << "the header is too modest";
}

TEST(ExpTest, IsOneAtZero) {
  EXPECT_EQ(Exp(0.0f), 1.0f);
  EXPECT_EQ(Exp(-0.0f), 1.0f);
  EXPECT_EQ(Exp(kTiny), 1.0f);
}

TEST(ExpTest, SaturatesAtZeroAndAtTheLargestNumber) {
  for (const float x : {std::nextafter(kExpMin, -kInfinity), -88.0f, -1000.0f,
                        -kLargest, -kInfinity}) {
    EXPECT_EQ(Bits(Exp(x)), 0u) << x;
  }
  for (const std::uint32_t nan : kNanBits) {
    EXPECT_EQ(Bits(Exp(FromBits(nan))), 0u) << nan;
  }
  for (const float x : {std::nextafter(kExpMax, kInfinity), 89.0f, 1000.0f,
                        kLargest, kInfinity}) {
    EXPECT_EQ(Exp(x), kLargest) << x;
  }
}

TEST(ExpTest, IsNeverSubnormalAndNeverFalls) {
  constexpr float kLeastNormal = std::numeric_limits<float>::min();
  EXPECT_GE(Exp(kExpMin), kLeastNormal);
  EXPECT_LT(Exp(kExpMax), kLargest);
  float previous = kLargest;
  ForFloats(0x1p-26f, 100.0f, 499, [&previous](float x) {
    const float power = Exp(-x);
    ASSERT_TRUE(power == 0.0f || power >= kLeastNormal) << -x;
    ASSERT_LE(power, previous) << -x;
    previous = power;
  });
  previous = 1.0f;
  ForFloats(0x1p-26f, 100.0f, 499, [&previous](float x) {
    const float power = Exp(x);
    ASSERT_GE(power, previous) << x;
    previous = power;
  });
}

TEST(TurnTest, ConversionsKeepTheirGoldenBits) {
  for (const RadiansToTurnGolden& golden : kTurnFromRadians) {
    EXPECT_EQ(TurnFromRadians(golden.radians), golden.turn) << golden.radians;
  }
  for (const TurnToRadiansGolden& golden : kRadiansFromTurn) {
    EXPECT_EQ(Bits(RadiansFromTurn(golden.turn)), golden.radians)
        << golden.turn;
  }
}

TEST(TurnTest, ConversionsKeepTheDigestOfManyResults) {
  Digest digest;
  ForFloats(0x1p-30f, 1e9f, 103, [&digest](float x) {
    digest.Add(TurnFromRadians(x));
    digest.Add(TurnFromRadians(-x));
  });
  for (std::uint32_t i = 0; i < 3000000; ++i) {
    digest.Add(RadiansFromTurn(i * 0x9e3779b9u));
  }
  EXPECT_EQ(digest.sum(), 0xb7fcaa9e49717f2cu);
}

TEST(TurnTest, PiLandsAHairAboveHalfATurn) {
  EXPECT_EQ(TurnFromRadians(kPi), (1u << 31) + 60);
  EXPECT_EQ(TurnFromRadians(-kPi), (1u << 31) - 60);
  EXPECT_LT(TurnFromRadians(std::nextafter(kPi, 0.0f)), 1u << 31);
}

TEST(TurnTest, TinyNegativeAnglesWrapToZero) {
  EXPECT_EQ(TurnFromRadians(-kTiny), 0u);
  EXPECT_EQ(TurnFromRadians(-1e-20f), 0u);
  EXPECT_EQ(TurnFromRadians(-0.0f), 0u);
}

TEST(TurnTest, InfinityAndNanAreTheZeroAngle) {
  EXPECT_EQ(TurnFromRadians(kInfinity), 0u);
  EXPECT_EQ(TurnFromRadians(-kInfinity), 0u);
  for (const std::uint32_t nan : kNanBits) {
    EXPECT_EQ(TurnFromRadians(FromBits(nan)), 0u) << nan;
  }
}

TEST(TurnTest, RadiansGoToTheNearestUnit) {
  double worst = 0.0;
  ForFloats(0x1p-40f, 1e5f, 337, [&worst](float x) {
    // The quotient of two binary64 is good to 2^-53 of itself: 0.01 units.
    const double turns = Wide(x) / (2.0 * kExactPi);
    const double above = UnitsBetween(turns, TurnFromRadians(x));
    const double below = UnitsBetween(-turns, TurnFromRadians(-x));
    worst = std::fmax(worst, std::fmax(std::fabs(above), std::fabs(below)));
  });
  EXPECT_LE(worst, kTurnFromRadiansUnits + 0.02);
}

TEST(TurnTest, RadiansStayBelowPi) {
  EXPECT_EQ(RadiansFromTurn(0x80000000u), -kPi);
  EXPECT_LT(RadiansFromTurn(0x7fffffffu), kPi);
  float previous = -kPi;
  for (std::uint32_t i = 0; i < (1u << 24); ++i) {
    const float radians = RadiansFromTurn(0x80000000u + (i << 8));
    ASSERT_TRUE(radians >= previous && radians < kPi) << i;
    ASSERT_TRUE(i == 0 || radians > previous) << i;
    previous = radians;
  }
}

TEST(TurnTest, RadiansStayWithinTheirStatedError) {
  double worst = 0.0;
  for (std::uint64_t i = 0; i < (1ull << 32); i += 9973) {
    const auto turn = static_cast<std::uint32_t>(i);
    const double exact =
        static_cast<double>(static_cast<std::int32_t>(turn)) * kRadiansPerUnit;
    worst = std::fmax(worst, std::fabs(Wide(RadiansFromTurn(turn)) - exact));
  }
  EXPECT_LE(worst, kRadiansFromTurnError);
}

TEST(TurnTest, RoundTripsWithin400Units) {
  for (std::uint64_t i = 0; i < (1ull << 32); i += 9973) {
    const auto turn = static_cast<std::uint32_t>(i);
    const double exact = static_cast<double>(turn) * 0x1p-32;
    const std::uint32_t back = TurnFromRadians(RadiansFromTurn(turn));
    ASSERT_LE(std::fabs(UnitsBetween(exact, back)), 400.0) << turn;
  }
}

}  // namespace
}  // namespace meander::core
