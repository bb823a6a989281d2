#include "core/validation.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>

#include "gtest/gtest.h"
#include "tests/core/faults.h"

namespace meander::core {
namespace {

TEST(ValidationTest, PathsAreJoinedAsInTheProtocol) {
  EXPECT_EQ(JoinPath("commands[3]", "set_target.slot"),
            "commands[3].set_target.slot");
  EXPECT_EQ(JoinPath("", "slot"), "slot");
  EXPECT_EQ(JoinPath("commands[3]", ""), "commands[3]");
  EXPECT_EQ(JoinPath("", ""), "");
  EXPECT_EQ(IndexPath("terms", 0), "terms[0]");
  EXPECT_EQ(IndexPath("a.terms", 15), "a.terms[15]");
}

TEST(ValidationTest, NumbersAreShownAsShortAsTheyReadBack) {
  EXPECT_EQ(Show(0.0f), "0");
  EXPECT_EQ(Show(-2048.0f), "-2048");
  EXPECT_EQ(Show(0.1f), "0.1");
  EXPECT_EQ(Show(1.0e-3f), "0.001");
  EXPECT_EQ(Show(1.0e6f), "1e+06");
  EXPECT_EQ(Show(16777216.0f), "16777216");
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto value =
        std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!IsFinite(value)) continue;
    ASSERT_EQ(std::strtof(Show(value).c_str(), nullptr), value);
  }
}

TEST(FieldCheckerTest, CollectsWhatIsWrongBelowItsPath) {
  Violations violations;
  FieldChecker check(violations, "a.b");
  EXPECT_TRUE(check.Number("c", 1.0f, 0.0f, 1.0f));
  EXPECT_FALSE(check.Number("c", 2.0f, 0.0f, 1.0f));
  EXPECT_FALSE(check.Integer("d", -1, 0, 3));
  check.Fail(ErrorCode::kMalformed, "", "is wrong as a whole");
  EXPECT_EQ(violations,
            (Violations{
                {ErrorCode::kOutOfBounds, "a.b.c", "must be 0 to 1; it is 2"},
                {ErrorCode::kOutOfBounds, "a.b.d", "must be 0 to 3; it is -1"},
                {ErrorCode::kMalformed, "a.b", "is wrong as a whole"}}));
}

}  // namespace
}  // namespace meander::core
