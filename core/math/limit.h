// The smaller and the larger of a number and a limit, as plain comparisons.
//
// A NaN gives the limit. Written so that no target has an instruction of its
// own for it, whose choice between NaNs or zeros could be another. Pure
// functions.
#ifndef MEANDER_CORE_MATH_LIMIT_H_
#define MEANDER_CORE_MATH_LIMIT_H_

namespace meander::core {

constexpr float AtMost(float value, float most) {
  return value < most ? value : most;
}

constexpr float AtLeast(float value, float least) {
  return value > least ? value : least;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_MATH_LIMIT_H_
