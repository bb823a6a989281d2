// From a batch that is submitted to how its commands ended, in a real world.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "server/hosting/world_host.h"
#include "tests/server/hosting/commands.h"
#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using core::CommandOutcome;
using core::ErrorCode;
using State = CommandReport::State;

// Of the sequences from `first` to `last`.
std::vector<CommandReport> Reports(WorldHost& host, std::int64_t first,
                                   std::int64_t last) {
  std::vector<std::int64_t> sequences(
      static_cast<std::size_t>(last - first + 1));
  std::iota(sequences.begin(), sequences.end(), first);
  const core::Result<OutcomeReports> outcomes = host.Outcomes(sequences);
  EXPECT_TRUE(outcomes.ok());
  return outcomes.ok() ? outcomes->reports : std::vector<CommandReport>();
}

TEST(WorldHostCommandsTest, TellsHowEachCommandEnded) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(1, 5), Spawn(1, 1), Spawn(2, 5), Despawn({1}, 6)});
  StepOn(*host, 5);
  EXPECT_EQ(Reports(*host, 1, 4),
            (std::vector<CommandReport>{
                {1, State::kEnded, CommandOutcome::kApplied, 5},
                {2, State::kEnded, CommandOutcome::kArchetypeUnknown, 1},
                {3, State::kEnded, CommandOutcome::kApplied, 5},
                {4, State::kPending, {}, 0}}));
  StepOn(*host, 1);
  EXPECT_EQ(Reports(*host, 4, 4).at(0),
            (CommandReport{4, State::kEnded, CommandOutcome::kAgentGone, 6}));
  const auto outcomes = host->Outcomes(std::vector<std::int64_t>{1});
  EXPECT_EQ(outcomes->tick, 6);
  EXPECT_EQ(outcomes->epoch, 1);
}

// Every way to do nothing that admission cannot prevent.
std::vector<CommandOutcome> OutcomesOfARun(std::size_t workers,
                                           std::uint64_t& hash) {
  HostingRig rig(workers);
  const auto host = rig.Make(ClockMode::kManual);
  const core::Command remove_used{3, core::RemoveArchetype{1}};
  const core::Command remove{4, core::RemoveArchetype{2}};
  const core::Command spawn_removed = Spawn(1, 5, 2);
  Submit(*host, {Define(1, 1), Define(2, 1), Spawn(8, 2), remove_used, remove,
                 spawn_removed});
  Submit(*host, {Despawn({1}, 3), AimAt({1, 2}, 2, 4)});
  hash = StepOn(*host, 5).state_hash;
  std::vector<CommandOutcome> outcomes;
  for (const CommandReport& report : Reports(*host, 1, 8)) {
    EXPECT_EQ(report.state, State::kEnded) << report.sequence;
    outcomes.push_back(report.outcome);
  }
  const WorldStatus status = *host->Status();
  for (std::size_t i = 0; i < core::kCommandOutcomes; ++i) {
    EXPECT_EQ(status.outcomes[i],
              std::count(outcomes.begin(), outcomes.end(), CommandOutcome(i)));
  }
  return outcomes;
}

TEST(WorldHostCommandsTest, EveryReplicaAgreesHowCommandsEnded) {
  std::uint64_t hash = 0;
  const std::vector<CommandOutcome> outcomes = OutcomesOfARun(1, hash);
  EXPECT_EQ(
      outcomes,
      (std::vector{CommandOutcome::kApplied, CommandOutcome::kApplied,
                   CommandOutcome::kApplied, CommandOutcome::kArchetypeInUse,
                   CommandOutcome::kApplied, CommandOutcome::kArchetypeUnknown,
                   CommandOutcome::kApplied, CommandOutcome::kAgentGone}));
  std::uint64_t other_hash = 0;
  EXPECT_EQ(OutcomesOfARun(3, other_hash), outcomes);
  EXPECT_EQ(other_hash, hash);
}

TEST(WorldHostCommandsTest, ACommandFarAheadWaitsForItsTick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  const Submission submission = Submit(*host, {Define(), Spawn(3, 3'600)});
  EXPECT_EQ(submission.results[1]->apply_tick, 3'600);
  StepOn(*host, 3'599);
  EXPECT_EQ(host->Status()->agent_count, 0);
  EXPECT_EQ(Reports(*host, 2, 2).at(0).state, State::kPending);
  StepOn(*host, 1);
  EXPECT_EQ(host->Status()->agent_count, 3);
  EXPECT_EQ(Reports(*host, 2, 2).at(0),
            (CommandReport{2, State::kEnded, CommandOutcome::kApplied, 3'600}));
}

TEST(WorldHostCommandsTest, OutcomesAreKeptForAsManyCommandsAsPromised) {
  HostingRig rig;
  rig.limits.max_kept_outcomes = 100;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define()});
  for (int i = 0; i < 300; ++i) {
    Submit(*host, {Define()});
    StepOn(*host, 1);
  }
  EXPECT_EQ(Reports(*host, 1, 1).at(0).state, State::kForgotten);
  for (const CommandReport& report : Reports(*host, 202, 301)) {
    EXPECT_EQ(report.state, State::kEnded);
    EXPECT_EQ(report.tick, report.sequence - 1);
  }
}

TEST(WorldHostCommandsTest, ARepeatedRequestIsAnsweredAtAnyLaterTick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  const AdmissionOptions once{.key = RequestKey{.fingerprint = 3}};
  for (int i = 0; i < 3; ++i) {
    std::vector<BatchCommand> batch = Batch({Define(), Spawn(2)});
    const auto submission = host->Submit(batch, once);
    ASSERT_TRUE(submission.ok());
    EXPECT_EQ(submission->tick, 0);
    EXPECT_EQ(*submission->results[1], (CommandAdmission{2, 1, 1, 2}));
    StepOn(*host, 2);
  }
  EXPECT_EQ(host->Status()->agent_count, 2);
}

TEST(WorldHostCommandsTest, AClosedWorldTellsNoOutcomes) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define()});
  host->Close({ErrorCode::kWorldNotFound, "", "deleted"});
  const auto outcomes = host->Outcomes(std::vector<std::int64_t>{1});
  ASSERT_FALSE(outcomes.ok());
  EXPECT_EQ(outcomes.error().code, ErrorCode::kWorldNotFound);
}

}  // namespace
}  // namespace meander::hosting
