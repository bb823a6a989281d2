// Floats that tests need by name: those at the edges, the next ones, and bits.
#ifndef MEANDER_TESTS_CORE_FLOATS_H_
#define MEANDER_TESTS_CORE_FLOATS_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace meander::core {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kLargest = std::numeric_limits<float>::max();
// The smallest positive one, which is subnormal.
inline constexpr float kTiny = std::numeric_limits<float>::denorm_min();

inline float Above(float value) { return std::nextafter(value, kInfinity); }
inline float Below(float value) { return std::nextafter(value, -kInfinity); }

inline std::uint32_t Bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_FLOATS_H_
