// The smaller and the larger of a number and a limit, as plain comparisons.
//
// A NaN gives the limit; where both are 0 the limit's sign counts. Pure
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
