#include "core/simd/simd_target.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

TEST(SimdTargetTest, EachIsFoundByItsName) {
  for (const SimdTarget target : kSimdTargets) {
    EXPECT_EQ(SimdTargetNamed(NameOf(target)), target);
  }
  EXPECT_EQ(SimdTargetNamed("avx"), std::nullopt);
  EXPECT_EQ(SimdTargetNamed(""), std::nullopt);
  EXPECT_EQ(SimdTargetNamed("AVX2"), std::nullopt);
}

TEST(SimdTargetTest, TheBestCanRunAndNothingBetterCan) {
  const SimdTarget best = BestSimdTarget();
  EXPECT_TRUE(CanRun(best));
  for (const SimdTarget target : kSimdTargets) {
    if (target <= best) continue;
    EXPECT_FALSE(CanRun(target)) << NameOf(target);
  }
}

TEST(ChooseSimdTargetTest, IsTheBestWithoutAName) {
  for (const char* name : {static_cast<const char*>(nullptr), ""}) {
    const SimdChoice choice = ChooseSimdTarget(name);
    EXPECT_EQ(choice.refusal, "");
    EXPECT_EQ(choice.target, BestSimdTarget());
  }
}

TEST(ChooseSimdTargetTest, TakesWhatTheMachineCanRun) {
  for (const SimdTarget target : kSimdTargets) {
    if (!CanRun(target)) continue;
    const SimdChoice choice =
        ChooseSimdTarget(std::string(NameOf(target)).c_str());
    EXPECT_EQ(choice.refusal, "");
    EXPECT_EQ(choice.target, target);
  }
}

TEST(ChooseSimdTargetTest, RefusesWhatItCannotRunAndSaysWhatItCan) {
  for (const SimdTarget target : kSimdTargets) {
    if (CanRun(target)) continue;
    const std::string name(NameOf(target));
    EXPECT_EQ(ChooseSimdTarget(name.c_str()).refusal,
              "this machine or build cannot run the kernels \"" + name +
                  "\"; it can run " + RunnableSimdTargets());
  }
}

TEST(ChooseSimdTargetTest, RefusesANameThatNothingHas) {
  EXPECT_EQ(ChooseSimdTarget("mmx").refusal,
            "there are no kernels named \"mmx\"; it can run " +
                RunnableSimdTargets());
}

}  // namespace
}  // namespace meander::core
