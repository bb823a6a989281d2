// The smaller and the larger of a number and a limit.
//
// Compared as integers, in the order of IEEE-754 (-0 below +0): of a comparison
// of floats some compilers make an instruction whose choice between NaNs and
// between zeros is the target's own. Pure functions.
#ifndef MEANDER_CORE_MATH_LIMIT_H_
#define MEANDER_CORE_MATH_LIMIT_H_

#include <bit>
#include <cstdint>

namespace meander::core {

// Ascends with the value.
constexpr std::int32_t OrderOf(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

constexpr float AtMost(float value, float most) {
  return OrderOf(value) < OrderOf(most) ? value : most;
}

constexpr float AtLeast(float value, float least) {
  return OrderOf(value) > OrderOf(least) ? value : least;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_MATH_LIMIT_H_
