// math/trig.h, many angles at a time: the same constants, the same operations
// in the same order.
#if defined(MEANDER_CORE_SIMD_TRIG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_TRIG_INL_H_
#undef MEANDER_CORE_SIMD_TRIG_INL_H_
#else
#define MEANDER_CORE_SIMD_TRIG_INL_H_
#endif

#include <limits>

#include "core/math/trig.h"
#include "core/simd/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

struct SinCosVectors {
  Floats sin;
  Floats cos;
};

HWY_INLINE Words SignBit() { return hn::Set(kWords, 0x80000000u); }

// The smaller of |value| and limit; limit for NaN.
HWY_INLINE Floats MagnitudeUpTo(float limit, Floats value) {
  const Words magnitude = hn::AndNot(SignBit(), WordsOf(value));
  return FloatsOf(hn::Min(magnitude, WordsOf(Same(limit))));
}

// The sign bit of a negative number, else 0.
HWY_INLINE Words SignOf(Floats value) {
  const auto negative = hn::RebindMask(kWords, hn::Lt(value, Zero()));
  return hn::IfThenElseZero(negative, SignBit());
}

HWY_INLINE Floats FlipBits(Floats value, Words bits) {
  return FloatsOf(hn::Xor(WordsOf(value), bits));
}

HWY_INLINE SinCosVectors SinCosInQuadrant(Floats r, Words quadrant) {
  const Floats s = r * r;
  const Floats sine =
      r + (r * s) * (Same(kSin3) + s * (Same(kSin5) + s * Same(kSin7)));
  const Floats cosine =
      (Same(1.0f) - Same(0.5f) * s) +
      (s * s) * (Same(kCos4) + s * (Same(kCos6) + s * Same(kCos8)));
  const Words one = hn::Set(kWords, 1);
  const Words exchange = hn::Zero(kWords) - hn::And(quadrant, one);
  const Words change =
      hn::And(hn::Xor(WordsOf(sine), WordsOf(cosine)), exchange);
  const Words sine_sign = hn::And(hn::ShiftLeft<30>(quadrant), SignBit());
  const Words cosine_sign =
      hn::And(hn::ShiftLeft<30>(quadrant + one), SignBit());
  return {FlipBits(sine, hn::Xor(change, sine_sign)),
          FlipBits(cosine, hn::Xor(change, cosine_sign))};
}

HWY_INLINE SinCosVectors SinCos(Floats radians) {
  const Floats x =
      FlipBits(MagnitudeUpTo(kSinCosLimit, radians), SignOf(radians));
  const Floats k = x * Same(kTwoOverPi) + Same(kRoundingShift);
  const Floats n = k - Same(kRoundingShift);
  const Floats r =
      ((x - n * Same(kHalfPi1)) - n * Same(kHalfPi2)) - n * Same(kHalfPi3);
  return SinCosInQuadrant(r, WordsOf(k));
}

HWY_INLINE SinCosVectors SinCosTurn(Words turn) {
  const Words quadrant = hn::ShiftRight<30>(turn + hn::Set(kWords, 1u << 29));
  const Ints residual = hn::BitCast(kInts, turn - hn::ShiftLeft<30>(quadrant));
  const Floats r = hn::ConvertTo(kFloats, residual) * Same(kRadiansPerTurnUnit);
  return SinCosInQuadrant(r, quadrant);
}

HWY_INLINE Floats Atan2(Floats y, Floats x) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const Floats ax = MagnitudeUpTo(kLargest, x);
  const Floats ay = MagnitudeUpTo(kLargest, y);
  const LaneMask steep = hn::Gt(ay, ax);
  const Floats larger = Choose(steep, ay, ax);
  const Floats smaller = Choose(steep, ax, ay);
  const Floats q = smaller / larger;
  const Floats s = q * q;
  Floats p = Same(kAtan13) + s * Same(kAtan15);
  p = Same(kAtan11) + s * p;
  p = Same(kAtan9) + s * p;
  p = Same(kAtan7) + s * p;
  p = Same(kAtan5) + s * p;
  p = Same(kAtan3) + s * p;
  Floats angle = q + (q * s) * p;
  angle = Choose(steep, Same(kHalfPi) - angle, angle);
  angle = Choose(hn::Lt(x, Zero()), Same(kPi) - angle, angle);
  angle = FlipBits(angle, SignOf(y));
  return Only(hn::Ne(larger, Zero()), angle);
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_TRIG_INL_H_
