// The promise that everything else leans on: config, seed and commands decide
// every bit of every tick.

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/math/vec3.h"
#include "core/space/wrap.h"
#include "core/world.h"
#include "tests/determinism/golden_file.h"
#include "tests/determinism/ways.h"
#include "tests/scenarios/scenario.h"

namespace meander {
namespace {

using core::SerialFor;
using core::World;
using core::WorldState;
using scenarios::GoldenScenario;
using scenarios::GoldenScenarios;
using scenarios::Scenario;
using scenarios::ScenarioRun;
using scenarios::Way;

std::vector<std::string> ScenarioNames() {
  std::vector<std::string> names;
  for (const Scenario& scenario : GoldenScenarios()) {
    names.push_back(scenario.name);
  }
  return names;
}

// Else something that changes bits could go without a golden hash.
TEST(GoldenScenariosTest, UseEveryOperationAndMeetEveryOutcome) {
  std::set<std::size_t> operations;
  std::set<core::CommandOutcome> outcomes;
  SerialFor serial;
  for (const Scenario& scenario : GoldenScenarios()) {
    const core::SimulationConfig config = core::Normalized(scenario.config);
    for (const core::Command& command : scenario.commands) {
      EXPECT_TRUE(core::Validate(command, config, "").empty()) << scenario.name;
      operations.insert(command.operation.index());
    }
    ScenarioRun run(scenario);
    run.StepTo(scenario.ticks, serial);
    outcomes.insert(run.outcomes().begin(), run.outcomes().end());
    EXPECT_EQ(run.outcomes().size(), scenario.commands.size());
  }
  EXPECT_EQ(operations.size(), std::variant_size_v<core::Operation>);
  EXPECT_EQ(outcomes.size(), core::kCommandOutcomes);
}

std::uint64_t Hash(const World& world) {
  SerialFor serial;
  return world.Hash(serial).value;
}

class EveryScenarioInEveryWay
    : public testing::TestWithParam<std::tuple<std::string, Way>> {};

std::string NameOf(
    const testing::TestParamInfo<std::tuple<std::string, Way>>& test) {
  const auto& [scenario, way] = test.param;
  return scenario + "_" + std::string(way.name);
}

INSTANTIATE_TEST_SUITE_P(SameBits, EveryScenarioInEveryWay,
                         testing::Combine(testing::ValuesIn(ScenarioNames()),
                                          testing::ValuesIn(scenarios::Ways())),
                         NameOf);

TEST_P(EveryScenarioInEveryWay, HasItsGoldenHashes) {
  const auto& [name, way] = GetParam();
  const Scenario& scenario = GoldenScenario(name);
  std::ifstream file("tests/determinism/golden.txt");
  ASSERT_TRUE(file) << "run from the root of the repository";
  const auto golden = scenarios::ReadGoldenFile(file);
  const std::vector<std::int64_t> ticks =
      scenarios::GoldenTicks(scenario, scenario.ticks);
  const scenarios::WayResult result = way.run(scenario, ticks);
  EXPECT_EQ(result.fault, "");
  ASSERT_EQ(result.hashes.size(), ticks.size());
  for (const auto& [tick, hash] : result.hashes) {
    ASSERT_TRUE(golden.contains({name, tick})) << tick;
    EXPECT_EQ(scenarios::GoldenLine(scenario, tick, hash),
              golden.at({name, tick}));
  }
}

class EveryScenario : public testing::TestWithParam<std::string> {
 protected:
  const Scenario& scenario() const { return GoldenScenario(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(SameBits, EveryScenario,
                         testing::ValuesIn(ScenarioNames()),
                         [](const auto& test) { return test.param; });

TEST_P(EveryScenario, RunsOtherwiseFromAnotherSeed) {
  Scenario other = scenario();
  ++other.seed;
  SerialFor serial;
  ScenarioRun run(scenario());
  ScenarioRun other_run(other);
  run.StepTo(scenario().ticks, serial);
  other_run.StepTo(scenario().ticks, serial);
  EXPECT_NE(Hash(run.world()), Hash(other_run.world()));
}

TEST_P(EveryScenario, HoldsNoNumberThatIsNotFiniteAndNobodyOutOfBounds) {
  SerialFor serial;
  ScenarioRun run(scenario());
  core::MotionColumns motion;
  for (std::int64_t tick = 1; tick <= scenario().ticks; ++tick) {
    run.StepTo(tick, serial);
    run.world().CopyMotion(motion);
    const core::SimulationConfig& config = run.world().config();
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const core::Vec3 position{motion.position_x[i], motion.position_y[i],
                                motion.position_z[i]};
      const core::Vec3 velocity{motion.velocity_x[i], motion.velocity_y[i],
                                motion.velocity_z[i]};
      ASSERT_TRUE(core::IsFinite(position) && core::IsFinite(velocity));
      ASSERT_EQ(core::WrapPlace(core::WrapOf(config), position), position);
      ASSERT_GE(position.x, config.bounds_min.x);
      ASSERT_LE(position.x, config.bounds_max.x);
      ASSERT_GE(position.y, config.bounds_min.y);
      ASSERT_LE(position.y, config.bounds_max.y);
      ASSERT_GE(position.z, config.bounds_min.z);
      ASSERT_LE(position.z, config.bounds_max.z);
    }
  }
}

// What is valid does not depend on how the host rounds: the slowest speed that
// bounds allow, as a refusal names it, is allowed everywhere.
TEST(HostileFloatingPointEnvironmentTest, ChangesNotWhatIsValid) {
  for (const std::int32_t rate : {7, 30, 60, 333}) {
    core::SimulationConfig config;
    config.tick_rate_hz = rate;
    config.bounds_min = {-100.0f, -100.0f, -100.0f};
    config.bounds_max = {100.0f, 100.0f, 100.0f};
    core::Archetype archetype{.id = 1};
    const auto is_valid = [&](float speed) {
      archetype.max_speed = speed;
      return core::Validate(archetype, config, "").empty();
    };
    // The bits of positive numbers are in their order.
    auto refused = std::bit_cast<std::uint32_t>(1.0e-6f);
    auto allowed = std::bit_cast<std::uint32_t>(1.0f);
    while (allowed - refused > 1) {
      const std::uint32_t middle = refused + (allowed - refused) / 2;
      (is_valid(std::bit_cast<float>(middle)) ? allowed : refused) = middle;
    }
    const auto slowest = std::bit_cast<float>(allowed);
    for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      ASSERT_EQ(std::fesetround(rounding), 0);
      const bool same = is_valid(slowest);
      ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
      EXPECT_TRUE(same) << rate << " Hz, " << slowest;
      EXPECT_FALSE(is_valid(std::nextafter(slowest, 0.0f)));
    }
  }
}

TEST(RemovalTest, LeavesEveryOtherWandererUnchanged) {
  const Scenario scenario = scenarios::Wanderers(300, 11);
  Scenario without_one = scenario;
  without_one.commands.push_back({100, core::DespawnAgents{{3}}});
  SerialFor serial;
  ScenarioRun run(scenario);
  ScenarioRun removed(without_one);
  run.StepTo(400, serial);
  removed.StepTo(400, serial);
  EXPECT_FALSE(removed.world().Find(3));
  for (core::AgentId id = 1; id <= 300; ++id) {
    if (id == 3) continue;
    ASSERT_EQ(run.world().Find(id), removed.world().Find(id)) << id;
  }
}

TEST(SeedTest, MakesTwoAgentsThatShareItTraceOnePath) {
  Scenario scenario = scenarios::Wanderers(10, 1);
  scenario.commands.pop_back();
  core::NewAgent agent;
  agent.seed = 77;
  core::NewAgent other = agent;
  other.seed = 78;
  scenario.commands.push_back(
      {1, core::SpawnAgents{std::vector{agent, other, agent}}});
  SerialFor serial;
  ScenarioRun run(scenario);
  run.StepTo(300, serial);
  EXPECT_EQ(run.world().Find(1)->position, run.world().Find(3)->position);
  EXPECT_NE(run.world().Find(1)->position, run.world().Find(2)->position);
}

// A world whose tick counter starts near a power of two runs like one that
// starts at 0, since a draw depends on the agent's own step count.
TEST(TickCounterTest, PassesEveryPowerOfTwoWithoutATrace) {
  const Scenario scenario = scenarios::Wanderers(50, 9);
  SerialFor serial;
  ScenarioRun plain(scenario);
  plain.StepTo(1000, serial);
  for (const int power : {15, 16, 31, 32, 53}) {
    const std::int64_t start = (std::int64_t{1} << power) - 100;
    WorldState state = World(scenario.config, scenario.seed).state();
    state.tick = start;
    Scenario late = scenario;
    for (core::Command& command : late.commands) command.apply_tick += start;
    ScenarioRun run(World(std::move(state)), scenarios::Admit(late.commands));
    run.StepTo(start + 1000, serial);
    for (core::AgentId id = 1; id <= 50; ++id) {
      ASSERT_EQ(run.world().Find(id), plain.world().Find(id)) << power;
    }
    const std::string bytes =
        core::EncodeSnapshot(run.world(), run.admission());
    EXPECT_TRUE(core::DecodeSnapshot(bytes).ok());
  }
}

}  // namespace
}  // namespace meander
