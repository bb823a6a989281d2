#include "server/stream/view.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace meander::stream {
namespace {

TEST(ViewTest, SelectsTicksDivisibleByItsInterval) {
  const View view{.interval_ticks = 10};
  EXPECT_TRUE(view.Selects(0));
  EXPECT_FALSE(view.Selects(9));
  EXPECT_TRUE(view.Selects(10));
  EXPECT_TRUE(View{}.Selects(7));
}

TEST(ViewTest, CountsWhatItSelectsStrictlyBetweenTwoTicks) {
  for (const std::int32_t interval : {1, 2, 3, 10}) {
    const View view{.interval_ticks = interval};
    for (std::int64_t after = 0; after < 25; ++after) {
      std::int64_t expected = 0;
      for (std::int64_t before = after + 1; before < 40; ++before) {
        EXPECT_EQ(view.SelectedBetween(after, before), expected)
            << interval << ": " << after << " to " << before;
        if (view.Selects(before)) ++expected;
      }
    }
  }
}

TEST(ViewTest, HasATotalOrder) {
  EXPECT_EQ(View{.interval_ticks = 2}, View{.interval_ticks = 2});
  EXPECT_LT(View{.interval_ticks = 1}, View{.interval_ticks = 2});
}

}  // namespace
}  // namespace meander::stream
