#include "tests/scenarios/any_world.h"

#include <cstdint>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/parallel_for.h"
#include "gtest/gtest.h"
#include "tests/scenarios/scenario.h"

namespace meander::core {
namespace {

constexpr std::uint32_t kWorlds = 300;

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

// A decoder takes no number that is not finite and no place out of bounds.
TEST(AnyWorldTest, StaysAsASnapshotCanHoldItForTenThousandTicks) {
  SerialFor serial;
  for (std::uint32_t world = 0; world < kWorlds; ++world) {
    scenarios::ScenarioRun run(
        scenarios::AnyWorld(scenarios::BytesOfNumber(world)));
    const std::int64_t last = world % 10 == 0 ? 10'000 : 500;
    for (const std::int64_t tick : {std::int64_t{1}, last / 2, last}) {
      run.StepTo(tick, serial);
      const Result<Snapshot> decoded =
          DecodeSnapshot(EncodeSnapshot(run.world(), run.admission()));
      ASSERT_TRUE(decoded.ok())
          << world << " at " << tick << ": " << decoded.error().reason;
    }
  }
}

}  // namespace
}  // namespace meander::core
