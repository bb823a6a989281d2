#include "core/steering/brake.h"

#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"

namespace meander::core {
namespace {

TEST(BrakeTest, IsTheOppositeOfTheVelocity) {
  KernelRows rows;
  rows.Add({1, 2, 3}, {4, -5, 6});
  rows.Add({}, {-0.5f, 0, 0});
  AddBrake(rows.Block(10.0f, 2.0f));
  EXPECT_EQ(rows.Force(0), (Vec3{-8, 10, -12}));
  EXPECT_EQ(rows.Force(1), (Vec3{1, 0, 0}));
}

TEST(BrakeTest, LeavesAnAgentAtRestAlone) {
  KernelRows rows;
  rows.Add({}, {});
  AddBrake(rows.Block(10.0f, -1.0f));
  EXPECT_TRUE(SameBits(rows.Force(0), {}));
}

}  // namespace
}  // namespace meander::core
