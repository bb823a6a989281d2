#include "tests/scenarios/any_world.h"

#include <cstdint>
#include <string>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/parallel_for.h"
#include "gtest/gtest.h"
#include "tests/scenarios/scenario.h"

namespace meander::core {
namespace {

constexpr std::uint32_t kWorlds = 300;
constexpr std::uint32_t kWorldsOfATest = 15;
constexpr std::int64_t kTicks = 10'000;
constexpr std::int64_t kLook = 1'111;  // every so many, at the last one too

TEST(AnyWorldTest, IsMadeOfValidCommands) {
  for (std::uint32_t world = 0; world < kWorlds; ++world) {
    const scenarios::Scenario scenario =
        scenarios::AnyWorld(scenarios::BytesOfNumber(world));
    ASSERT_EQ(Validate(scenario.config, ""), Violations{}) << world;
    for (const Command& command : scenario.commands) {
      ASSERT_EQ(Validate(command, scenario.config, ""), Violations{}) << world;
    }
  }
}

// By the first of its worlds.
class AnyWorldsTest : public testing::TestWithParam<std::uint32_t> {};

// A decoder takes no number that is not finite and no place out of bounds.
TEST_P(AnyWorldsTest, StayAsASnapshotCanHoldThemForTenThousandTicks) {
  SerialFor serial;
  for (std::uint32_t i = 0; i < kWorldsOfATest; ++i) {
    const std::uint32_t world = GetParam() + i;
    scenarios::ScenarioRun run(
        scenarios::AnyWorld(scenarios::BytesOfNumber(world)));
    for (std::int64_t tick = 1; tick <= kTicks; tick += kLook) {
      run.StepTo(tick, serial);
      const Result<Snapshot> decoded =
          DecodeSnapshot(EncodeSnapshot(run.world(), run.admission()));
      ASSERT_TRUE(decoded.ok())
          << world << " at " << tick << ": " << decoded.error().reason;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(From, AnyWorldsTest,
                         testing::Range(0u, kWorlds, kWorldsOfATest),
                         [](const testing::TestParamInfo<std::uint32_t>& from) {
                           return "world_" + std::to_string(from.param);
                         });

}  // namespace
}  // namespace meander::core
