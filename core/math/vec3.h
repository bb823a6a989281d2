// A vector of three binary32 numbers: positions, velocities, forces.
//
// Units are the caller's (world units, units/s, ...). Invariant: every
// function is a fixed sequence of IEEE-754 operations, so equal inputs give
// equal bits on every target; sums associate as (x + y) + z. Whoever writes a
// vector version of a formula here keeps that order.
// Threads: plain data and pure functions; safe everywhere.
// Errors: none. Squares must stay finite: components up to 1.8e19 in magnitude
// (core's own ranges end near 1.6e19, where a million agents on one place push
// another one with sixteen terms of the highest weight and gain).
#ifndef MEANDER_CORE_MATH_VEC3_H_
#define MEANDER_CORE_MATH_VEC3_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace meander::core {

struct Vec3 {
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;

  // As IEEE compares: -0 equals +0 and NaN equals nothing. To compare bits,
  // compare bits.
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// Flips the sign bits; it is not 0 - v, which would turn 0 into +0.
constexpr Vec3 operator-(const Vec3& v) { return {-v.x, -v.y, -v.z}; }

constexpr Vec3 operator*(const Vec3& v, float s) {
  return {v.x * s, v.y * s, v.z * s};
}

constexpr Vec3 operator*(float s, const Vec3& v) { return v * s; }

// Three divisions, each correctly rounded; not a product with 1/s.
constexpr Vec3 operator/(const Vec3& v, float s) {
  return {v.x / s, v.y / s, v.z / s};
}

constexpr Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
constexpr Vec3& operator-=(Vec3& a, const Vec3& b) { return a = a - b; }
constexpr Vec3& operator*=(Vec3& v, float s) { return v = v * s; }
constexpr Vec3& operator/=(Vec3& v, float s) { return v = v / s; }

// (a.x * b.x + a.y * b.y) + a.z * b.z
constexpr float Dot(const Vec3& a, const Vec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

// (y z' - z y', z x' - x z', x y' - y x'), each as two products and one
// difference.
constexpr Vec3 Cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// (x * x + y * y) + z * z. Zero for |v| below 2^-75: `at rest` in the steering
// rules means that this number is 0.
constexpr float LengthSquared(const Vec3& v) {
  return (v.x * v.x + v.y * v.y) + v.z * v.z;
}

inline float Length(const Vec3& v) { return std::sqrt(LengthSquared(v)); }

// The vector v, cut to length `limit`:
//   limit <= 0 (or NaN)                 -> 0
//   LengthSquared(v) <= limit * limit   -> v, bit for bit
//   else                                -> v * (limit / Length(v))
// in that order: the squares are compared, so that the common case needs no
// square root. The result is at most limit * (1 + 3 * 2^-23) long, and so may
// be scaled again by a second call; it is not a projection to the last bit.
// That bound holds for limits from 2^-50 to 2^63, where squares neither
// underflow nor overflow. A limit above 2^64 leaves every v unchanged.
inline Vec3 ClampLength(const Vec3& v, float limit) {
  if (!(limit > 0.0f)) return {};
  const float length_squared = LengthSquared(v);
  if (length_squared <= limit * limit) return v;
  return v * (limit / std::sqrt(length_squared));
}

// The vector v times a power of two that brings its largest component, which
// must be from 2^-126 to below 2^127, into [1, 2): no square underflows or
// overflows. Exact but where a component is 2^-126 of the largest.
inline Vec3 NearUnit(const Vec3& v) {
  constexpr std::uint32_t kExponent = 0x7f800000u;
  constexpr std::uint32_t kTwiceThatOfOne = 0x7f000000u;
  const auto magnitude = [](float value) {
    return std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
  };
  // Bits of numbers without sign are in their order.
  const std::uint32_t x = magnitude(v.x);
  const std::uint32_t y = magnitude(v.y);
  const std::uint32_t z = magnitude(v.z);
  const std::uint32_t xy = x > y ? x : y;
  const std::uint32_t exponent = (xy > z ? xy : z) & kExponent;
  return v * std::bit_cast<float>(kTwiceThatOfOne - exponent);
}

// The unit vector along v; `otherwise` when |v|^2 is 0. Within 4 * 2^-23 of
// length 1 for components below 2^127.
inline Vec3 UnitVector(const Vec3& v, const Vec3& otherwise) {
  if (LengthSquared(v) == 0.0f) return otherwise;
  const Vec3 near = NearUnit(v);
  return near * (1.0f / Length(near));
}

// True when no component is NaN or infinite. Reads exponent bits, so that it
// holds whatever the compiler believes about NaN.
constexpr bool IsFinite(float value) {
  constexpr std::uint32_t kExponent = 0x7f800000u;
  return (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
}

constexpr bool IsFinite(const Vec3& v) {
  return IsFinite(v.x) && IsFinite(v.y) && IsFinite(v.z);
}

// True when every component is +0, bit for bit.
constexpr bool IsPositiveZero(const Vec3& v) {
  return (std::bit_cast<std::uint32_t>(v.x) |
          std::bit_cast<std::uint32_t>(v.y) |
          std::bit_cast<std::uint32_t>(v.z)) == 0;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_MATH_VEC3_H_
