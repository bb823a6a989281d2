// Core's own sine, cosine, arctangent and exponential.
//
// Invariant: bit-identical on every IEEE-754 target: fixed sequences of + - * /
// , comparisons and integer operations, rounded to nearest; nothing from the
// platform's math library. Every input, NaN too, has a finite result.
// Units: radians, or a turn: an angle as a 32-bit fraction of the circle, where
// 2^32 units are 2 pi, so that addition wraps for free and 2^31 is +-pi.
// Threads: pure functions. Errors: none.
// Source: W. J. Cody, W. Waite, "Software Manual for the Elementary Functions",
// 1980, for the reduction in parts; the coefficients are minimax fits of our
// own. A vector version takes the constants and the order of operations below.
#ifndef MEANDER_CORE_MATH_TRIG_H_
#define MEANDER_CORE_MATH_TRIG_H_

#include <cstdint>

namespace meander::core {

struct SinCosPair {
  float sin;
  float cos;
};

// Sine and cosine for |radians| <= kSinCosLimit. Larger magnitudes count as
// the limit of their sign, any NaN as the positive limit.
//   k = radians * kTwoOverPi + kRoundingShift    (n = k - kRoundingShift)
//   r = ((radians - n * kHalfPi1) - n * kHalfPi2) - n * kHalfPi3
// then the polynomials at r, and the quadrant is the low two bits of k. The
// first two products and differences are exact. Odd and even to the bit, but
// for the sine of -0, which is +0. Error: at most 9.5e-8, absolute (every float
// from 2^-15 to the limit).
SinCosPair SinCos(float radians);

// Sine and cosine of a turn, without reduction error:
//   quadrant = (turn + 2^29) >> 30
//   residual = int32(turn - (quadrant << 30))    in [-2^29, 2^29)
//   r = float(residual) * kRadiansPerTurnUnit
// where float() rounds to nearest. Exact at the multiples of 2^30, but for the
// sign of a zero.
// Error: at most 1.24e-7, absolute; sin^2 + cos^2 is 1 within 1.7e-7 (all
// 2^32).
SinCosPair SinCosTurn(std::uint32_t turn);

// The angle of (x, y) in [-kPi, kPi]: binary32's pi is a hair above pi.
// Both zero give 0. A zero has no sign here: Atan2(-0, -1) is +kPi, and -kPi
// comes only from rounding a tiny negative y over a negative x. Infinity counts
// as the largest finite number of its sign, any NaN as the largest positive
// one.
//   q = min(|x|, |y|) / max(|x|, |y|), s = q * q, a = q + (q * s) * P(s)
//   |y| > |x|: a = kHalfPi - a;  x < 0: a = kPi - a;  y < 0: a = -a
// Error: at most 3.3e-7, absolute (every q from 2^-13 to 1 in four octants, and
// 4e8 random pairs); 1.2e-7 in the first octant.
float Atan2(float y, float x);

// e^x. 0 for x < kExpMin, where e^x would be subnormal, and for NaN; the
// largest finite number for x > kExpMax, never infinity. Exp(0) is 1.
//   k = x * kLog2E + kRoundingShift              (n = k - kRoundingShift)
//   r = (x - n * kLn2High) - n * kLn2Low
//   p = 1 + (r + (r * r) * P(r)),  p * 2^(n >> 1) * 2^(n - (n >> 1))
// Error: at most 8.2e-8 of the result (every float from 2^-31 in magnitude, of
// either sign); it never falls as x grows, and is never subnormal.
float Exp(float x);

// The turn nearest to an angle, computed in binary64 (t = radians / 2 pi;
// t - floor(t); times 2^32, halves up, modulo 2^32). Within 0.51 units for
// |radians| <= 1e5; beyond that still defined, while the distance between
// neighboring floats grows past a turn. Infinity and NaN give 0.
// TurnFromRadians(kPi) is 2^31 + 60, for kPi is above pi.
std::uint32_t TurnFromRadians(float radians);

// The angle of a turn in [-kPi, kPi), never +kPi: the top 24 bits as a signed
// integer, times kRadiansPerTurnTop. One product, one rounding. Error: at most
// 5.8e-7, of which 3.8e-7 are the low 8 bits; back through TurnFromRadians a
// turn comes within 400 units (all 2^24).
float RadiansFromTurn(std::uint32_t turn);

inline constexpr float kPi = 0x1.921fb6p+1f;
inline constexpr float kHalfPi = 0x1.921fb6p+0f;

// 1.5 * 2^23: adding it to |v| < 2^22 rounds v to an integer (ties to even),
// which then stands in the low bits of the sum's representation.
inline constexpr float kRoundingShift = 0x1.8p+23f;

// SinCos. kHalfPi1 and kHalfPi2 have 8 and 7 significant bits, so that their
// products with n < 2^16 are exact.
inline constexpr float kSinCosLimit = 1e5f;
inline constexpr float kTwoOverPi = 0x1.45f306p-1f;
inline constexpr float kHalfPi1 = 0x1.92p+0f;
inline constexpr float kHalfPi2 = 0x1.fcp-12f;
inline constexpr float kHalfPi3 = -0x1.5777a6p-21f;
inline constexpr float kRadiansPerTurnUnit = 0x1.921fb6p-30f;
inline constexpr float kRadiansPerTurnTop = 0x1.921fb6p-22f;

// With s = r * r, |r| < pi / 4 + 0.01:
//   sin r = r + (r * s) * (kSin3 + s * (kSin5 + s * kSin7))
//   cos r = (1 - 0.5 * s) + (s * s) * (kCos4 + s * (kCos6 + s * kCos8))
// quadrant & 1 exchanges the two; quadrant & 2 flips the sine's sign bit, and
// (quadrant + 1) & 2 the cosine's, after the exchange.
inline constexpr float kSin3 = -0x1.55553ep-3f;
inline constexpr float kSin5 = 0x1.11050ep-7f;
inline constexpr float kSin7 = -0x1.98a64cp-13f;
inline constexpr float kCos4 = 0x1.55554ap-5f;
inline constexpr float kCos6 = -0x1.6c0c16p-10f;
inline constexpr float kCos8 = 0x1.99deecp-16f;

// Atan2: P(s) = kAtan3 + s * (kAtan5 + s * (... + s * kAtan15)), s in [0, 1].
inline constexpr float kAtan3 = -0x1.5550f2p-2f;
inline constexpr float kAtan5 = 0x1.98d616p-3f;
inline constexpr float kAtan7 = -0x1.1e3da6p-3f;
inline constexpr float kAtan9 = 0x1.912c70p-4f;
inline constexpr float kAtan11 = -0x1.d948fep-5f;
inline constexpr float kAtan13 = 0x1.797e82p-6f;
inline constexpr float kAtan15 = -0x1.1d70d0p-8f;

// Exp: P(r) = kExp2 + r * (kExp3 + r * (kExp4 + r * (kExp5 + r * kExp6))).
// kLn2High has 15 significant bits: its product with n is exact.
inline constexpr float kExpMin = -0x1.5d589ep+6f;  // just above ln 2^-126
inline constexpr float kExpMax = 0x1.62e42ep+6f;   // just below ln 2^128
inline constexpr float kLog2E = 0x1.715476p+0f;
inline constexpr float kLn2High = 0x1.62e4p-1f;
inline constexpr float kLn2Low = 0x1.7f7d1cp-20f;
inline constexpr float kExp2 = 0x1.fffffcp-2f;
inline constexpr float kExp3 = 0x1.55548cp-3f;
inline constexpr float kExp4 = 0x1.555858p-5f;
inline constexpr float kExp5 = 0x1.123de0p-7f;
inline constexpr float kExp6 = 0x1.6ac754p-10f;

}  // namespace meander::core

#endif  // MEANDER_CORE_MATH_TRIG_H_
