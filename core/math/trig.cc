#include "core/math/trig.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/math/float_environment.h"

namespace meander::core {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr std::uint32_t kSignBit = 0x80000000u;
constexpr double kTurnsPerRadian = 0x1.45f306dc9c883p-3;
constexpr double kTurnUnits = 0x1p+32;

constexpr std::uint32_t BitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

constexpr float FlipBits(float value, std::uint32_t bits) {
  return std::bit_cast<float>(BitsOf(value) ^ bits);
}

// 2^exponent for an exponent in [-126, 127].
constexpr float PowerOfTwo(std::int32_t exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

// The smaller of |value| and limit; limit for NaN. Compared as integers, which
// order non-negative floats alike: a choice between floats may become a minimum
// instruction, and those differ by target for a signaling NaN.
constexpr float MagnitudeUpTo(float limit, float value) {
  const std::uint32_t magnitude = BitsOf(value) & ~kSignBit;
  return std::bit_cast<float>(std::min(magnitude, BitsOf(limit)));
}

// The sign bit of a negative number, else 0: also for -0, and for NaN of
// either sign, since the sign of a NaN that arithmetic makes differs by target.
constexpr std::uint32_t SignOf(float value) {
  return value < 0.0f ? kSignBit : 0u;
}

// The sine and cosine of quadrant * pi / 2 + r; only two bits of quadrant
// count.
SinCosPair SinCosInQuadrant(float r, std::uint32_t quadrant) {
  const float s = r * r;
  const float sine = r + (r * s) * (kSin3 + s * (kSin5 + s * kSin7));
  const float cosine =
      (1.0f - 0.5f * s) + (s * s) * (kCos4 + s * (kCos6 + s * kCos8));
  // Masks rather than choices, which some compilers turn into branches that no
  // predictor can guess.
  const std::uint32_t exchange = 0u - (quadrant & 1u);
  const std::uint32_t change = (BitsOf(sine) ^ BitsOf(cosine)) & exchange;
  const std::uint32_t sine_sign = (quadrant << 30) & kSignBit;
  const std::uint32_t cosine_sign = ((quadrant + 1u) << 30) & kSignBit;
  return {FlipBits(sine, change ^ sine_sign),
          FlipBits(cosine, change ^ cosine_sign)};
}

}  // namespace

SinCosPair SinCos(float radians) {
  const float x =
      FlipBits(MagnitudeUpTo(kSinCosLimit, radians), SignOf(radians));
  const float k = x * kTwoOverPi + kRoundingShift;
  const float n = k - kRoundingShift;
  const float r = ((x - n * kHalfPi1) - n * kHalfPi2) - n * kHalfPi3;
  return SinCosInQuadrant(r, BitsOf(k));
}

SinCosPair SinCosTurn(std::uint32_t turn) {
  const std::uint32_t quadrant = (turn + (1u << 29)) >> 30;
  const auto residual = static_cast<std::int32_t>(turn - (quadrant << 30));
  const float r = static_cast<float>(residual) * kRadiansPerTurnUnit;
  return SinCosInQuadrant(r, quadrant);
}

float Atan2(float y, float x) {
  const float ax = MagnitudeUpTo(kLargest, x);
  const float ay = MagnitudeUpTo(kLargest, y);
  const bool steep = ay > ax;
  const float larger = steep ? ay : ax;
  const float smaller = steep ? ax : ay;
  if (larger == 0.0f) return 0.0f;
  const float q = smaller / larger;
  const float s = q * q;
  const float p =
      kAtan3 +
      s * (kAtan5 +
           s * (kAtan7 +
                s * (kAtan9 + s * (kAtan11 + s * (kAtan13 + s * kAtan15)))));
  float angle = q + (q * s) * p;
  if (steep) angle = kHalfPi - angle;
  if (x < 0.0f) angle = kPi - angle;
  return FlipBits(angle, SignOf(y));
}

float Exp(float x) {
  if (!(x >= kExpMin)) return 0.0f;
  if (x > kExpMax) return kLargest;
  const float k = x * kLog2E + kRoundingShift;
  const float n = k - kRoundingShift;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  const float p = kExp2 + r * (kExp3 + r * (kExp4 + r * (kExp5 + r * kExp6)));
  const float fraction = 1.0f + (r + (r * r) * p);
  const auto exponent =
      static_cast<std::int32_t>(BitsOf(k) - BitsOf(kRoundingShift));
  // Two factors, for 2^128 is not a float: fraction may lie below 1.
  const std::int32_t half = exponent >> 1;
  return fraction * PowerOfTwo(half) * PowerOfTwo(exponent - half);
}

std::uint32_t TurnFromRadians(float radians) {
  const double turns = static_cast<double>(radians) * kTurnsPerRadian;
  const double fraction = turns - std::floor(turns);
  // In [0, 1], where 1 is the fate of a tiny negative angle; NaN fails.
  if (!(fraction >= 0.0 && fraction <= 1.0)) return 0;
  const auto units =
      static_cast<std::uint64_t>(std::floor(fraction * kTurnUnits + 0.5));
  return static_cast<std::uint32_t>(units);
}

float RadiansFromTurn(std::uint32_t turn) {
  const std::int32_t top = static_cast<std::int32_t>(turn) >> 8;
  return static_cast<float>(top) * kRadiansPerTurnTop;
}

}  // namespace meander::core
