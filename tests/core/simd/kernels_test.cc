#include "core/simd/kernels.h"

#include <cstdint>
#include <string>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/parallel_for.h"
#include "core/simd/simd_target.h"
#include "core/world.h"
#include "gtest/gtest.h"
#include "tests/scenarios/any_world.h"
#include "tests/scenarios/scenario.h"

namespace meander::core {
namespace {

constexpr std::uint32_t kWorlds = 300;
constexpr std::int64_t kTicks = 121;
constexpr std::int64_t kLook = 40;

std::string Encoded(const scenarios::ScenarioRun& run) {
  return EncodeSnapshot(run.world(), run.admission());
}

// Those of other machines are for those machines.
std::vector<SimdTarget> RunnableTargets() {
  std::vector<SimdTarget> targets;
  for (const SimdTarget target : kSimdTargets) {
    if (target != SimdTarget::kScalar && CanRun(target)) {
      targets.push_back(target);
    }
  }
  return targets;
}

class EachSimdTarget : public testing::TestWithParam<SimdTarget> {};

// Random worlds have every behavior, plane and kind of bounds, mixed, and
// populations of every size about a vector's.
TEST_P(EachSimdTarget, StepsRandomWorldsToTheBitsOfTheScalarKernels) {
  SerialFor serial;
  for (std::uint32_t world = 0; world < kWorlds; ++world) {
    const scenarios::Scenario scenario =
        scenarios::AnyWorld(scenarios::BytesOfNumber(world));
    scenarios::ScenarioRun scalar(scenario);
    scenarios::ScenarioRun vectors(scenario);
    scalar.UseSimd(SimdTarget::kScalar);
    vectors.UseSimd(GetParam());
    for (std::int64_t tick = 1; tick <= kTicks; tick += kLook) {
      scalar.StepTo(tick, serial);
      vectors.StepTo(tick, serial);
      ASSERT_EQ(Encoded(scalar), Encoded(vectors)) << world << " at " << tick;
      ASSERT_EQ(scalar.world().Hash(serial), vectors.world().Hash(serial))
          << world << " at " << tick;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EachSimdTarget,
                         testing::ValuesIn(RunnableTargets()),
                         [](const testing::TestParamInfo<SimdTarget>& target) {
                           return std::string(NameOf(target.param));
                         });

TEST(KernelsTest, AreOfTheTargetThatWasAskedFor) {
  for (const SimdTarget target : kSimdTargets) {
    if (!HasKernels(target)) continue;
    EXPECT_EQ(KernelsOf(target).target, target);
  }
}

TEST(KernelsTest, ScalarOnesAreAlwaysThere) {
  EXPECT_TRUE(HasKernels(SimdTarget::kScalar));
  EXPECT_TRUE(CanRun(SimdTarget::kScalar));
}

TEST(KernelsTest, AWorldHasTheBestUntilItIsToldOtherwise) {
  World world({}, 1);
  EXPECT_EQ(world.simd(), BestSimdTarget());
  EXPECT_EQ(BestKernels().target, BestSimdTarget());
  world.UseSimd(SimdTarget::kScalar);
  EXPECT_EQ(world.simd(), SimdTarget::kScalar);
}

#if defined(__x86_64__) && !defined(__AVX2__)
TEST(KernelsTest, ThisBuildHasThoseOfItsArchitecture) {
  EXPECT_TRUE(HasKernels(SimdTarget::kSse4));
  EXPECT_TRUE(HasKernels(SimdTarget::kAvx2));
  EXPECT_TRUE(HasKernels(SimdTarget::kAvx512));
  EXPECT_FALSE(HasKernels(SimdTarget::kNeon));
  EXPECT_FALSE(HasKernels(SimdTarget::kWasm));
}
#endif

}  // namespace
}  // namespace meander::core
