// Vectors of binary32 numbers, one lane for each agent, and vectors in space
// made of them: math/vec3.h and math/limit.h, many agents at a time.
//
// Every function is the operations of its scalar namesake in their order, so
// that each lane has the same bits; where that one branches, lanes choose.
// Included once for each target (see steering_kernels.cc). In a planar world
// all is +0 off the plane, so vectors there have two coordinates, those of its
// axes in order: sums and products of them have the bits of three.
#if defined(MEANDER_CORE_SIMD_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_VECTOR_INL_H_
#undef MEANDER_CORE_SIMD_VECTOR_INL_H_
#else
#define MEANDER_CORE_SIMD_VECTOR_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/agents/column.h"
#include "core/math/vec3.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;
using Words = hn::Vec<WordTag>;
using LaneMask = hn::Mask<FloatTag>;  // which agents

inline constexpr FloatTag kFloats;
inline constexpr IntTag kInts;
inline constexpr WordTag kWords;
inline constexpr std::size_t kLanes = hn::MaxLanes(FloatTag());
static_assert(kLanes <= kVectorRows);

HWY_INLINE Floats Same(float value) { return hn::Set(kFloats, value); }
HWY_INLINE Floats Zero() { return hn::Zero(kFloats); }
HWY_INLINE Floats Load(const float* from) { return hn::LoadU(kFloats, from); }
HWY_INLINE void Store(Floats value, float* to) {
  hn::StoreU(value, kFloats, to);
}

HWY_INLINE Ints BitsOf(Floats value) { return hn::BitCast(kInts, value); }
HWY_INLINE Words WordsOf(Floats value) { return hn::BitCast(kWords, value); }
HWY_INLINE Floats FloatsOf(Ints bits) { return hn::BitCast(kFloats, bits); }
HWY_INLINE Floats FloatsOf(Words bits) { return hn::BitCast(kFloats, bits); }

// In lanes `yes`, else `no`.
HWY_INLINE Floats Choose(LaneMask lanes, Floats yes, Floats no) {
  return hn::IfThenElse(lanes, yes, no);
}
// `value` in the lanes, +0 elsewhere.
HWY_INLINE Floats Only(LaneMask lanes, Floats value) {
  return hn::IfThenElseZero(lanes, value);
}
HWY_INLINE bool All(LaneMask lanes) { return hn::AllTrue(kFloats, lanes); }
HWY_INLINE bool None(LaneMask lanes) { return hn::AllFalse(kFloats, lanes); }

HWY_INLINE Ints OrderOf(Floats value) {
  const Ints bits = BitsOf(value);
  const Ints flip =
      hn::And(hn::ShiftRight<31>(bits), hn::Set(kInts, 0x7fffffff));
  return hn::Xor(bits, flip);
}
HWY_INLINE Floats AtMost(Floats value, Floats most) {
  const auto less = hn::Lt(OrderOf(value), OrderOf(most));
  return hn::IfThenElse(hn::RebindMask(kFloats, less), value, most);
}
HWY_INLINE Floats AtLeast(Floats value, Floats least) {
  const auto more = hn::Gt(OrderOf(value), OrderOf(least));
  return hn::IfThenElse(hn::RebindMask(kFloats, more), value, least);
}

template <int kDims>
struct Vec;
template <>
struct Vec<2> {
  Floats x, y;

  static HWY_INLINE Vec None() { return {Zero(), Zero()}; }
};
template <>
struct Vec<3> {
  Floats x, y, z;

  static HWY_INLINE Vec None() { return {Zero(), Zero(), Zero()}; }
};

HWY_INLINE Vec<3> SameVec(const Vec3& v) {
  return {Same(v.x), Same(v.y), Same(v.z)};
}

template <int kDims>
HWY_INLINE Vec<kDims> operator+(const Vec<kDims>& a, const Vec<kDims>& b) {
  if constexpr (kDims == 2) return {a.x + b.x, a.y + b.y};
  if constexpr (kDims == 3) return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <int kDims>
HWY_INLINE Vec<kDims> operator-(const Vec<kDims>& a, const Vec<kDims>& b) {
  if constexpr (kDims == 2) return {a.x - b.x, a.y - b.y};
  if constexpr (kDims == 3) return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <int kDims>
HWY_INLINE Vec<kDims> operator*(const Vec<kDims>& v, Floats s) {
  if constexpr (kDims == 2) return {v.x * s, v.y * s};
  if constexpr (kDims == 3) return {v.x * s, v.y * s, v.z * s};
}

template <int kDims>
HWY_INLINE Vec<kDims> operator/(const Vec<kDims>& v, Floats s) {
  if constexpr (kDims == 2) return {v.x / s, v.y / s};
  if constexpr (kDims == 3) return {v.x / s, v.y / s, v.z / s};
}

template <int kDims>
HWY_INLINE Vec<kDims> Negative(const Vec<kDims>& v) {
  if constexpr (kDims == 2) return {hn::Neg(v.x), hn::Neg(v.y)};
  if constexpr (kDims == 3) return {hn::Neg(v.x), hn::Neg(v.y), hn::Neg(v.z)};
}

template <int kDims>
HWY_INLINE Vec<kDims> Choose(LaneMask lanes, const Vec<kDims>& yes,
                             const Vec<kDims>& no) {
  if constexpr (kDims == 2) {
    return {Choose(lanes, yes.x, no.x), Choose(lanes, yes.y, no.y)};
  }
  if constexpr (kDims == 3) {
    return {Choose(lanes, yes.x, no.x), Choose(lanes, yes.y, no.y),
            Choose(lanes, yes.z, no.z)};
  }
}

// `v` in the lanes, +0 elsewhere.
template <int kDims>
HWY_INLINE Vec<kDims> Only(LaneMask lanes, const Vec<kDims>& v) {
  if constexpr (kDims == 2) return {Only(lanes, v.x), Only(lanes, v.y)};
  if constexpr (kDims == 3) {
    return {Only(lanes, v.x), Only(lanes, v.y), Only(lanes, v.z)};
  }
}

// +0 off the plane that has this mask (PlaneMask).
HWY_INLINE Vec<3> Flatten(Vec<3> v, const Vec3& mask) {
  if (mask.x == 0.0f) v.x = Zero();
  if (mask.y == 0.0f) v.y = Zero();
  if (mask.z == 0.0f) v.z = Zero();
  return v;
}

// In a plane the product off it is +0, which makes +0 of a sum of -0.
template <int kDims>
HWY_INLINE Floats Dot(const Vec<kDims>& a, const Vec<kDims>& b) {
  if constexpr (kDims == 2) return (a.x * b.x + a.y * b.y) + Zero();
  if constexpr (kDims == 3) return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

HWY_INLINE Vec<3> Cross(const Vec<3>& a, const Vec<3>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <int kDims>
HWY_INLINE Floats LengthSquared(const Vec<kDims>& v) {
  if constexpr (kDims == 2) return v.x * v.x + v.y * v.y;
  if constexpr (kDims == 3) return (v.x * v.x + v.y * v.y) + v.z * v.z;
}

template <int kDims>
HWY_INLINE Floats Length(const Vec<kDims>& v) {
  return hn::Sqrt(LengthSquared(v));
}

template <int kDims>
HWY_INLINE Vec<kDims> ClampLength(const Vec<kDims>& v, Floats limit) {
  const Floats squared = LengthSquared(v);
  const LaneMask positive = hn::Gt(limit, Zero());
  const LaneMask within = hn::Le(squared, limit * limit);
  if (All(hn::And(positive, within))) return v;
  const Vec<kDims> cut = v * (limit / hn::Sqrt(squared));
  return Only(positive, Choose(within, v, cut));
}

template <int kDims>
HWY_INLINE Vec<kDims> NearUnit(const Vec<kDims>& v) {
  // Bits of numbers without sign are in their order.
  Ints largest = hn::Max(BitsOf(hn::Abs(v.x)), BitsOf(hn::Abs(v.y)));
  if constexpr (kDims == 3) largest = hn::Max(largest, BitsOf(hn::Abs(v.z)));
  const Ints exponent = hn::And(largest, hn::Set(kInts, 0x7f800000));
  return v * FloatsOf(hn::Set(kInts, 0x7f000000) - exponent);
}

template <int kDims>
HWY_INLINE Vec<kDims> UnitVector(const Vec<kDims>& v,
                                 const Vec<kDims>& otherwise) {
  const Vec<kDims> near = NearUnit(v);
  const Vec<kDims> unit = near * (Same(1.0f) / Length(near));
  return Choose(hn::Eq(LengthSquared(v), Zero()), otherwise, unit);
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_VECTOR_INL_H_
