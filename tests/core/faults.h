// What tests of validation share: matchers for the fields at fault, and checks
// of both sides of a limit.
#ifndef MEANDER_TESTS_CORE_FAULTS_H_
#define MEANDER_TESTS_CORE_FAULTS_H_

#include <limits>
#include <ostream>
#include <string>

#include "core/error.h"
#include "core/validation.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"

namespace meander::core {

// How GoogleTest shows an Error.
inline void PrintTo(const Error& error, std::ostream* out) {
  *out << "{code " << static_cast<int>(error.code) << ", " << error.field
       << ", " << error.reason << '}';
}

// An Error with this code and field and some reason.
MATCHER_P2(FaultAt, code, field, "") {
  return arg.code == code && arg.field == field && !arg.reason.empty();
}

// Exactly one field is at fault, for a reason that contains `reason`.
inline void ExpectFault(const Violations& violations, ErrorCode code,
                        const std::string& field,
                        const std::string& reason = "") {
  EXPECT_THAT(violations, testing::ElementsAre(FaultAt(code, field)));
  if (violations.size() != 1) return;
  EXPECT_THAT(violations[0].reason, testing::HasSubstr(reason));
}

// validate(value) finds nothing at `least` and `most`, and faults at `field`
// beyond them and where there is no number. The reason names both limits.
template <typename Validate>
void ExpectNumberLimits(const std::string& field, float least, float most,
                        Validate validate) {
  SCOPED_TRACE(field);
  EXPECT_THAT(validate(least), testing::IsEmpty());
  EXPECT_THAT(validate(most), testing::IsEmpty());
  const std::string limits = Show(least) + " to " + Show(most);
  for (const float value : {Below(least), Above(most), -3.0e38f, 3.0e38f}) {
    ExpectFault(validate(value), ErrorCode::kOutOfBounds, field, limits);
  }
  for (const float value : {kNan, -kNan, kInfinity, -kInfinity}) {
    ExpectFault(validate(value), ErrorCode::kNonFinite, field, "finite");
  }
  if (least <= 0.0f && most >= 0.0f) {
    EXPECT_THAT(validate(-0.0f), testing::IsEmpty());
  }
}

// The same for an integer.
template <typename Integer, typename Validate>
void ExpectIntegerLimits(const std::string& field, Integer least, Integer most,
                         Validate validate) {
  SCOPED_TRACE(field);
  using Limits = std::numeric_limits<Integer>;
  EXPECT_THAT(validate(least), testing::IsEmpty());
  EXPECT_THAT(validate(most), testing::IsEmpty());
  const std::string limits =
      std::to_string(least) + " to " + std::to_string(most);
  for (const Integer value :
       {static_cast<Integer>(least - 1), static_cast<Integer>(most + 1),
        Limits::min(), Limits::max()}) {
    ExpectFault(validate(value), ErrorCode::kOutOfBounds, field,
                limits + "; it is " + std::to_string(value));
  }
}

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_FAULTS_H_
