// The promise that everything else leans on: config, seed and commands decide
// every bit of every tick.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/codec/snapshot.h"
#include "core/math/vec3.h"
#include "core/space/wrap.h"
#include "core/world.h"
#include "tests/determinism/golden_file.h"
#include "tests/scenarios/scenario.h"
#include "tests/scenarios/threaded_for.h"

namespace meander {
namespace {

using core::Admission;
using core::AgentState;
using core::SerialFor;
using core::World;
using core::WorldState;
using scenarios::GoldenScenario;
using scenarios::GoldenScenarios;
using scenarios::Scenario;
using scenarios::ScenarioRun;

class EveryScenario : public testing::TestWithParam<std::string> {
 protected:
  const Scenario& scenario() const { return GoldenScenario(GetParam()); }
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const Scenario& scenario : GoldenScenarios()) {
    names.push_back(scenario.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(SameBits, EveryScenario, testing::ValuesIn(Names()),
                         [](const auto& test) { return test.param; });

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

TEST_P(EveryScenario, HasItsGoldenHash) {
  std::ifstream file("tests/determinism/golden.txt");
  ASSERT_TRUE(file) << "run from the root of the repository";
  const std::map<std::string, std::string> golden =
      scenarios::ReadGoldenFile(file);
  ASSERT_TRUE(golden.contains(scenario().name));
  EXPECT_EQ(
      golden.at(scenario().name),
      scenarios::GoldenLine(scenario(), scenarios::GoldenHash(scenario())));
}

TEST_P(EveryScenario, RunsTheSameOnAnyNumberOfThreads) {
  const std::uint64_t expected = scenarios::GoldenHash(scenario());
  for (const int threads : {1, 2, 3, 8}) {
    scenarios::ThreadedFor parallel(threads);
    ScenarioRun run(scenario());
    run.StepTo(scenario().ticks, parallel);
    EXPECT_EQ(run.world().Hash(parallel).value, expected) << threads;
  }
}

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

// Snapshots at many ticks, each restored and run to the end; those taken early
// carry commands that are still to fire.
TEST_P(EveryScenario, GoesOnFromASnapshotOfAnyTickAsIfNothingHappened) {
  SerialFor serial;
  std::map<std::int64_t, std::uint64_t> hashes;
  std::map<std::int64_t, std::string> snapshots;
  ScenarioRun run(scenario());
  for (std::int64_t tick = 0; tick <= scenario().ticks; ++tick) {
    run.StepTo(tick, serial);
    hashes[tick] = Hash(run.world());
    if (tick < 4 || tick % 97 == 0 || tick == scenario().ticks) {
      snapshots[tick] = core::EncodeSnapshot(run.world(), run.admission());
    }
  }
  for (const auto& [at, bytes] : snapshots) {
    core::Result<core::Snapshot> snapshot = core::DecodeSnapshot(bytes);
    ASSERT_TRUE(snapshot.ok()) << at << ": " << snapshot.error().reason;
    ASSERT_EQ(core::EncodeSnapshot(snapshot->world, snapshot->admission),
              bytes);
    ScenarioRun restored(std::move(snapshot->world),
                         std::move(snapshot->admission));
    for (std::int64_t tick = at; tick <= scenario().ticks; ++tick) {
      restored.StepTo(tick, serial);
      ASSERT_EQ(Hash(restored.world()), hashes[tick]) << at << " " << tick;
    }
  }
}

// Puts the populations in the opposite order.
void TurnPopulationsAround(WorldState& state) {
  std::reverse(state.populations.begin(), state.populations.end());
  const auto last = static_cast<std::int16_t>(state.populations.size() - 1);
  for (std::int16_t& at : state.population_of) {
    if (at >= 0) at = static_cast<std::int16_t>(last - at);
  }
  for (std::uint32_t& at : state.free_populations) {
    at = static_cast<std::uint32_t>(last) - at;
  }
  for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
    const core::AgentColumns& agents = state.populations[p].agents;
    for (std::uint32_t row = 0; row < agents.size(); ++row) {
      state.index.Move(agents.id[row], {p, row});
    }
  }
}

// Exchanges rows at random and turns populations around: where an agent lies
// is not state.
WorldState WithShuffledRows(const WorldState& state, std::uint32_t seed) {
  WorldState shuffled = state;
  std::mt19937 random(seed);
  for (std::uint32_t p = 0; p < shuffled.populations.size(); ++p) {
    core::AgentColumns& agents = shuffled.populations[p].agents;
    for (std::uint32_t row = 1; row < agents.size(); ++row) {
      const auto other = static_cast<std::uint32_t>(random() % (row + 1));
      agents.Swap(row, other);
      shuffled.index.Move(agents.id[row], {p, row});
      shuffled.index.Move(agents.id[other], {p, other});
    }
  }
  TurnPopulationsAround(shuffled);
  return shuffled;
}

TEST_P(EveryScenario, RunsTheSameWhenRowsAreShuffledInMidRun) {
  SerialFor serial;
  ScenarioRun run(scenario());
  run.StepTo(scenario().ticks / 2, serial);
  const std::uint64_t half = Hash(run.world());
  ScenarioRun shuffled(World(WithShuffledRows(run.world().state(), 5)),
                       run.admission());
  EXPECT_EQ(Hash(shuffled.world()), half);
  run.StepTo(scenario().ticks, serial);
  shuffled.StepTo(scenario().ticks, serial);
  EXPECT_EQ(Hash(shuffled.world()), Hash(run.world()));
}

TEST_P(EveryScenario, RunsTheSameInAHostileFloatingPointEnvironment) {
  const std::uint64_t expected = scenarios::GoldenHash(scenario());
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    SerialFor serial;
    ScenarioRun run(scenario());
    ASSERT_EQ(std::fesetround(rounding), 0);
#if defined(__x86_64__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040u);  // flush to zero, denormals are zero
#endif
    run.StepTo(scenario().ticks, serial);
#if defined(__x86_64__)
    EXPECT_EQ(_mm_getcsr() & 0x8040u, 0x8040u) << "not given back";
    _mm_setcsr(saved);
#endif
    EXPECT_EQ(std::fegetround(), rounding) << "not given back";
    ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    EXPECT_EQ(Hash(run.world()), expected);
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

// The same agents with the same ids, spawned by one command each.
Admission SpawnOneByOne(const ScenarioRun& start, std::uint32_t shuffle_seed) {
  Admission admission;
  core::DefineArchetype define;
  define.archetype = start.world().state().populations[0].archetype;
  admission.pending.push_back({1, 1, 0, define});
  core::MotionColumns motion;
  start.world().CopyMotion(motion);
  for (const core::AgentId id : motion.id) {
    const AgentState agent = *start.world().Find(id);
    core::NewAgent spawned;
    spawned.archetype_id = agent.archetype_id;
    spawned.position = agent.position;
    spawned.tag = static_cast<std::uint64_t>(id) * 3;
    admission.pending.push_back(
        {0, 2, id, core::SpawnAgents{std::vector{spawned}}});
  }
  if (shuffle_seed != 0) {
    std::shuffle(admission.pending.begin() + 1, admission.pending.end(),
                 std::mt19937(shuffle_seed));
  }
  for (core::AdmittedCommand& command : admission.pending) {
    command.sequence = admission.next_sequence++;
  }
  return admission;
}

TEST(InsertionOrderTest, ChangesNoBit) {
  const Scenario scenario = scenarios::Wanderers(1000, 3);
  SerialFor serial;
  ScenarioRun start(scenario);
  start.StepTo(1, serial);
  std::vector<std::uint64_t> hashes;
  for (const std::uint32_t shuffle_seed : {0u, 1u, 2u, 3u}) {
    ScenarioRun run(World(scenario.config, scenario.seed),
                    SpawnOneByOne(start, shuffle_seed));
    run.StepTo(500, serial);
    ASSERT_EQ(run.world().agent_count(), 1000);
    hashes.push_back(Hash(run.world()));
  }
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes[0]), 4);
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
