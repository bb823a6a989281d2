#include "core/math/limit.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/floats.h"

namespace meander::core {
namespace {

TEST(LimitTest, IsTheSmallerAndTheLargerOfTwoInTheOrderOfIeee) {
  const std::vector<float> ascending{-kInfinity, -1.0e30f, -2.0f, -kTiny,
                                     -0.0f,      0.0f,     kTiny, 1.5f,
                                     1.0e30f,    kInfinity};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t k = 0; k < ascending.size(); ++k) {
      const float low = ascending[i < k ? i : k];
      const float high = ascending[i < k ? k : i];
      EXPECT_EQ(Bits(AtMost(ascending[i], ascending[k])), Bits(low));
      EXPECT_EQ(Bits(AtLeast(ascending[i], ascending[k])), Bits(high));
    }
  }
}

}  // namespace
}  // namespace meander::core
