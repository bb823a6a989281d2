// What may be asked of admission beside the commands: all or nothing, no later
// tick, once only. And how it tells what became of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "server/log/memory_world_log.h"
#include "tests/server/hosting/commands.h"
#include "tests/server/hosting/inbox_rig.h"
#include "tests/server/hosting/request_keys.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;
using testing::HasSubstr;
using State = CommandReport::State;

constexpr AdmissionOptions kAllOrNothing{.all_or_nothing = true};
constexpr AdmissionOptions kRejectLate{.late_policy = LatePolicy::kReject};

class AdmissionTest : public InboxRig {
 protected:
  void Steps(std::int64_t ticks) {
    for (std::int64_t i = 0; i < ticks; ++i) Step();
  }
};

TEST_F(AdmissionTest, AllOrNothingAdmitsWhatIsFlawless) {
  const auto admission = AdmitWith(kAllOrNothing, {Define(), Spawn(3)});
  ASSERT_TRUE(admission.ok());
  EXPECT_EQ(*admission->results[1], (CommandAdmission{2, 1, 1, 3}));
}

TEST_F(AdmissionTest, OneRefusalRefusesTheWholeBatchAndTakesNothing) {
  core::Command bad = Define(2);
  std::get<core::DefineArchetype>(bad.operation).archetype.mass = -1.0f;
  const auto refused = AdmitWith(
      kAllOrNothing, {Define(), Spawn(3), Spawn(1, 0, 9), bad, Spawn(98)});
  ASSERT_FALSE(refused.ok());
  const core::Violations& why = refused.error();
  ASSERT_EQ(why.size(), 3u);
  EXPECT_EQ(why[0].code, ErrorCode::kArchetypeUnknown);
  EXPECT_EQ(why[0].field,
            "commands[2].spawn_agents.area.prototype.archetype_id");
  EXPECT_EQ(why[1].field, "commands[3].define_archetype.archetype.mass");
  EXPECT_EQ(why[2].code, ErrorCode::kQuotaExceeded);
  EXPECT_EQ(why[2].field, "commands[4]") << "a place, where no field is";
  EXPECT_EQ(inbox().pending(), 0);
  EXPECT_EQ(log_.pending_bytes(), 0u);
  EXPECT_EQ(budget_.taken(), 0);
  EXPECT_EQ(Refuse(Spawn(1)).code, ErrorCode::kArchetypeUnknown);
  EXPECT_EQ(*Admit({Define(), Spawn(1)})[1], (CommandAdmission{2, 1, 1, 1}));
}

TEST_F(AdmissionTest, AllOrNothingFailsWhenTheStoreIsFull) {
  log::MemoryWorldLog small({.records_per_world = 1});
  ASSERT_FALSE(small.CreateWorld("uid"));
  inbox_.emplace("uid", config_, limits_, small, budget_, requests_);
  const auto refused = AdmitWith(kAllOrNothing, {Define(), Spawn(3)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().front().code, ErrorCode::kQuotaExceeded);
  EXPECT_EQ(budget_.taken(), 0);
  EXPECT_EQ(Admit({Define()})[0]->sequence, 1);
}

TEST_F(AdmissionTest, ALateCommandIsRefusedWhenItMustNotMove) {
  Steps(7);
  const auto admission = AdmitWith(
      kRejectLate, {Define(1, 8), Spawn(1, 7), Spawn(2), Spawn(3, 9)});
  ASSERT_TRUE(admission.ok());
  EXPECT_EQ(admission->results[0]->apply_tick, 8);
  ASSERT_FALSE(admission->results[1].ok());
  const core::Error& late = admission->results[1].error();
  EXPECT_EQ(late.code, ErrorCode::kTickLate);
  EXPECT_EQ(late.field, "commands[1].apply_tick");
  EXPECT_THAT(late.reason, HasSubstr("at least 8,"));
  EXPECT_EQ(*admission->results[2], (CommandAdmission{2, 8, 1, 2}))
      << "a tick that nobody asked for is never late";
  EXPECT_EQ(*admission->results[3], (CommandAdmission{3, 9, 3, 3}));
  const auto refused =
      AdmitWith({.all_or_nothing = true, .late_policy = LatePolicy::kReject},
                {Spawn(1), Spawn(1, 7)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().front(), late);
  EXPECT_EQ(inbox().pending(), 3);
}

TEST_F(AdmissionTest, ATickWhoseStepRunsIsLate) {
  inbox().Collect(1);
  EXPECT_EQ(AdmitWith(kRejectLate, {Define(1, 1)})->results[0].error().code,
            ErrorCode::kTickLate);
  EXPECT_TRUE(AdmitWith(kRejectLate, {Define(1, 2)})->results[0].ok());
}

TEST_F(AdmissionTest, ACommandWithoutATickAppliesAfterTheInputDelay) {
  inbox().SetInputDelay(5);
  EXPECT_EQ(Admit({Define()})[0]->apply_tick, 5);
  Steps(3);
  EXPECT_EQ(Admit({Define()})[0]->apply_tick, 8);
  EXPECT_EQ(Admit({Define(1, 4)})[0]->apply_tick, 4) << "this one has a tick";
  const std::size_t commands = inbox().Collect(4).size();
  EXPECT_EQ(Admit({Define()})[0]->apply_tick, 8) << "its step has not ended";
  inbox().SetInputDelay(1);
  EXPECT_EQ(Admit({Define()})[0]->apply_tick, 5) << "4 has been collected";
  Apply(commands, 0);
  EXPECT_EQ(Admit({Define()})[0]->apply_tick, 5);
}

TEST_F(AdmissionTest, TicksWithoutCommandsMayBeSkipped) {
  inbox().SetInputDelay(2);
  inbox().Skip(100);
  const auto admission = AdmitWith({}, {Define(1, 7), Define()});
  EXPECT_EQ(admission->tick, 100);
  EXPECT_EQ(admission->results[0]->apply_tick, 101);
  EXPECT_EQ(admission->results[1]->apply_tick, 102);
  tick_ = 100;
  EXPECT_EQ(Step().size(), 1u);
}

TEST_F(AdmissionTest, TheNewestTickIsTold) {
  Steps(3);
  inbox().Collect(4);
  EXPECT_EQ(AdmitWith({}, {Define()})->tick, 3);
  Apply(0, 0);
  EXPECT_EQ(AdmitWith({}, {Define()})->tick, 4);
}

TEST_F(AdmissionTest, ARequestThatComesAgainGetsTheSameAnswer) {
  const AdmissionOptions once{.key = Key(1)};
  const std::vector<core::Command> commands = {Define(), Spawn(2, 9),
                                               Spawn(1, 0, 9), Spawn(3)};
  const auto first = AdmitWith(once, commands);
  ASSERT_TRUE(first.ok());
  Steps(4);
  Admit({Spawn(1)});
  const auto again = AdmitWith(once, commands);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->tick, 0);
  ASSERT_EQ(again->results.size(), 4u);
  for (const std::size_t i : {0, 1, 3}) {
    EXPECT_EQ(*again->results[i], *first->results[i]) << i;
  }
  EXPECT_EQ(again->results[2].error(), first->results[2].error());
  EXPECT_EQ(*Admit({Spawn(1)})[0], (CommandAdmission{5, 5, 7, 1}))
      << "nothing was admitted twice";
}

TEST_F(AdmissionTest, ARequestIdNamesOnePayload) {
  ASSERT_TRUE(AdmitWith({.key = Key(1, 77)}, {Define()}).ok());
  const auto reused = AdmitWith({.key = Key(1, 78)}, {Define(), Define()});
  ASSERT_FALSE(reused.ok());
  EXPECT_EQ(reused.error().front().code, ErrorCode::kRequestIdReused);
  EXPECT_EQ(reused.error().front().field, "request_id");
  EXPECT_EQ(inbox().pending(), 1);
}

TEST_F(AdmissionTest, AFailureIsNotKept) {
  const AdmissionOptions once{.all_or_nothing = true, .key = Key(1)};
  ASSERT_FALSE(AdmitWith(once, {Spawn(2)}).ok());
  Admit({Define()});
  const auto admission = AdmitWith(once, {Spawn(2)});
  ASSERT_TRUE(admission.ok());
  EXPECT_EQ(admission->results[0]->sequence, 2);
}

TEST_F(AdmissionTest, RequestsThatComeAtOnceWithOneIdJoin) {
  constexpr int kThreads = 8;
  constexpr int kCommands = 300;
  for (std::uint8_t id = 0; id < 50; ++id) {
    std::atomic<int> ready = 0;
    std::vector<Admission> admissions(kThreads);
    std::vector<std::thread> threads;
    inbox();
    for (Admission& admission : admissions) {
      threads.emplace_back([&] {
        for (++ready; ready < kThreads;) std::this_thread::yield();
        auto result =
            AdmitWith({.key = Key(id)}, std::vector(kCommands, Define()));
        if (result.ok()) admission = *std::move(result);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(inbox().pending(), kCommands * (id + 1));
    for (const Admission& admission : admissions) {
      ASSERT_EQ(admission.results.size(), std::size_t{kCommands});
      EXPECT_EQ(admission.results.front()->sequence, kCommands * id + 1);
      EXPECT_EQ(admission.results.back()->sequence, kCommands * (id + 1));
    }
  }
}

TEST_F(AdmissionTest, TellsHowCommandsEnded) {
  Admit({Define(), Spawn(1), Spawn(1, 2), Despawn({1}, 2)});
  using Reports = std::vector<CommandReport>;
  const std::vector<std::int64_t> all{4, 1, 2, 3, 1};
  EXPECT_EQ(inbox().Reports(all)->at(1), (CommandReport{.sequence = 1}));
  Step();
  EXPECT_EQ(*inbox().Reports(all), (Reports{{4},
                                            {1, State::kEnded, {}, 1},
                                            {2, State::kEnded, {}, 1},
                                            {3},
                                            {1, State::kEnded, {}, 1}}));
  inbox().Collect(2);
  EXPECT_EQ(inbox().Reports(all)->at(3).state, State::kPending);
  inbox().Applied(std::vector{core::CommandOutcome::kApplied,
                              core::CommandOutcome::kAgentGone},
                  2);
  EXPECT_EQ(inbox().Reports(all)->at(3),
            (CommandReport{3, State::kEnded, {}, 2}));
  EXPECT_EQ(
      inbox().Reports(all)->at(0),
      (CommandReport{4, State::kEnded, core::CommandOutcome::kAgentGone, 2}));
}

TEST_F(AdmissionTest, ASequenceThatWasNeverGivenOutIsNamed) {
  Admit({Define(), Spawn(1, 0, 9), Define()});
  for (const std::int64_t bad :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{3}}) {
    const auto reports = inbox().Reports(std::vector{std::int64_t{2}, bad});
    ASSERT_FALSE(reports.ok()) << bad;
    EXPECT_EQ(reports.error().code, ErrorCode::kOutOfBounds);
    EXPECT_EQ(reports.error().field, "sequences[1]");
    EXPECT_THAT(reports.error().reason, HasSubstr("1 to 2;"));
  }
}

// A world that steps while batches come for ticks that it is about to collect,
// none of which may move. The first command of a batch spawns the agent that
// all others, at a later tick, name.
class LateRaceTest : public InboxRig {
 protected:
  LateRaceTest() {
    config_.max_agents = core::kMaxAgents;
    Admit({Define()});
  }

  // Submits such batches until many have been late and many have not, whose
  // answers `check` sees with the tick that they were for. Then steps on until
  // nothing is pending, and expects that each command was collected once.
  template <typename Check>
  void Race(bool all_or_nothing, Check check) {
    constexpr int kEnough = 50;
    std::atomic<bool> over = false;
    std::thread stepper([&] {
      while (!over || inbox().pending() > 0) Collect();
    });
    std::int64_t ahead = 1;
    for (int whole = 0, late = 0; whole < kEnough || late < kEnough;) {
      while (inbox().pending() > 20'000) std::this_thread::yield();
      const std::int64_t wanted = collected_tick_ + ahead;
      std::vector<core::Command> commands(
          300, AimAt({next_agent_}, next_agent_, wanted + kLater));
      commands.front() = Spawn(1, wanted);
      const auto admission = AdmitWith({.all_or_nothing = all_or_nothing,
                                        .late_policy = LatePolicy::kReject},
                                       std::move(commands));
      const bool was_late = !admission.ok() || !admission->results[0].ok();
      check(admission, wanted);
      ++(was_late ? late : whole);
      // So that it is close every time.
      ahead = was_late ? std::min<std::int64_t>(2 * ahead, 3'000)
                       : std::max<std::int64_t>(ahead / 2, 1);
    }
    over = true;
    stepper.join();
    EXPECT_EQ(static_cast<std::int64_t>(collected_.size()), next_sequence_ - 1);
    EXPECT_EQ(budget_.taken(), 0);
  }

  void ExpectWhole(const Admission& admission, std::int64_t wanted) {
    for (const auto& result : admission.results) {
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->sequence, next_sequence_++);
      const bool spawns = result->agent_count > 0;
      EXPECT_EQ(result->apply_tick, spawns ? wanted : wanted + kLater);
      EXPECT_EQ(result->first_agent_id, spawns ? next_agent_ : 0);
    }
    ++next_agent_;
  }

  static constexpr std::int64_t kLater = 10;
  std::int64_t next_sequence_ = 2;
  core::AgentId next_agent_ = 1;

 private:
  void Collect() {
    const std::int64_t tick = collected_tick_ + 1;
    const auto commands = inbox().Collect(tick);
    for (const core::AdmittedCommand& command : commands) {
      EXPECT_EQ(command.apply_tick, tick);
      EXPECT_TRUE(collected_.insert(command.sequence).second);
    }
    Apply(commands.size(), 0);
    collected_tick_ = tick;
    std::this_thread::yield();
  }

  std::atomic<std::int64_t> collected_tick_ = 0;
  std::set<std::int64_t> collected_;
};

TEST_F(LateRaceTest, WhatNeedsALateCommandFallsWithIt) {
  Race(false, [this](const auto& admission, std::int64_t wanted) {
    ASSERT_TRUE(admission.ok());
    if (admission->results[0].ok()) return ExpectWhole(*admission, wanted);
    EXPECT_EQ(admission->results[0].error().code, ErrorCode::kTickLate);
    for (const auto& result : admission->results) EXPECT_FALSE(result.ok());
  });
}

TEST_F(LateRaceTest, ALateCommandRefusesTheWholeBatch) {
  Race(true, [this](const auto& admission, std::int64_t wanted) {
    if (admission.ok()) return ExpectWhole(*admission, wanted);
    EXPECT_EQ(admission.error().front().code, ErrorCode::kTickLate);
    EXPECT_EQ(admission.error().front().field, "commands[0].apply_tick");
  });
}

}  // namespace
}  // namespace meander::hosting
