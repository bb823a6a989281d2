// Pauses, changes of settings, and steps beside them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/server/hosting/hosting_rig.h"
#include "tests/server/hosting/request_keys.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

RequestKey StepKey(std::uint8_t id, std::uint64_t fingerprint = 1) {
  return Key(id, fingerprint, KeyedMethod::kStepWorld);
}

// A REALTIME world with agents, so that it is awake, at tick 1.
std::shared_ptr<WorldHost> MakeGoing(HostingRig& rig) {
  const auto host = rig.Make(ClockMode::kRealtime);
  Submit(*host, {Define(), Spawn(20)});
  rig.clock.Advance(kPeriod);
  Until([&] { return host->Status()->tick == 1; });
  return host;
}

TEST(WorldHostSettingsTest, APausedWorldStandsAtAWholeTick) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  const WorldStatus paused = PauseNow(*host);
  EXPECT_EQ(paused.tick, 1);
  EXPECT_EQ(paused.clock, ClockState::kPaused);
  rig.clock.Advance(seconds(5));
  EXPECT_EQ(ReadNow(*host)->tick, 1);
  EXPECT_EQ(PauseNow(*host).tick, 1) << "twice is once";
  const WorldStatus resumed = ResumeNow(*host);
  EXPECT_EQ(resumed.clock, ClockState::kRunning);
  EXPECT_EQ(resumed.tick, 1);
  rig.clock.Advance(kPeriod);
  Until([&] { return host->Status()->tick == 2; });
  EXPECT_EQ(host->Status()->slipped_ticks, 0);
}

TEST(WorldHostSettingsTest, APausedWorldAdmitsAndIsStepped) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  PauseNow(*host);
  EXPECT_EQ(Submit(*host, {Spawn(3)}).results[0]->apply_tick, 2);
  const TickInfo info = StepOn(*host, 1);
  EXPECT_EQ(info.tick, 2);
  EXPECT_EQ(host->Status()->agent_count, 23);
  EXPECT_EQ(host->Status()->clock, ClockState::kPaused);
}

TEST(WorldHostSettingsTest, AResumedWorldSendsItsSteppersAway) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  PauseNow(*host);
  Answer<StepAnswer> stepper;
  Answer<WorldStatus> resumed;
  // From within the step, so that the stepper is on its way.
  rig.log.on_collect = [&](std::string_view, std::int64_t) {
    if (resumed.count() == 0) host->Resume(resumed.Callback());
  };
  Submit(*host, {Spawn(1)});
  host->Step({.ticks = 1'000}, stepper.Callback());
  EXPECT_EQ(stepper.Get().error().code, ErrorCode::kClockMode);
  EXPECT_TRUE(resumed.Get().ok());
  EXPECT_EQ(resumed.Get()->tick, 2) << "it stood at a whole tick";
}

TEST(WorldHostSettingsTest, OrdersAreObeyedInTheOrderInWhichTheyCome) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  std::vector<Answer<WorldStatus>> answers(6);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (i % 2 == 0) {
      host->Pause(answers[i].Callback());
    } else {
      host->Resume(answers[i].Callback());
    }
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].Get()->clock,
              i % 2 == 0 ? ClockState::kPaused : ClockState::kRunning);
  }
}

TEST(WorldHostSettingsTest, WaitingOrdersAreBounded) {
  HostingRig rig;
  rig.limits.max_waiting_steppers = 2;
  const auto host = rig.Make(ClockMode::kManual);
  std::vector<Answer<WorldStatus>> answers(4);
  rig.log.on_collect = [&](std::string_view, std::int64_t) {
    for (auto& answer : answers) host->Pause(answer.Callback());
  };
  Submit(*host, {Define()});
  StepOn(*host, 1);
  EXPECT_TRUE(answers[0].Get().ok());
  EXPECT_TRUE(answers[1].Get().ok());
  EXPECT_EQ(answers[2].Get().error().code, ErrorCode::kQuotaExceeded);
  EXPECT_EQ(answers[3].Get().error().code, ErrorCode::kQuotaExceeded);
}

TEST(WorldHostSettingsTest, AManualWorldCanBeSetGoingAndStoppedAgain) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(5)});
  rig.clock.Advance(seconds(3));
  ASSERT_TRUE(Update(*host, {.clock_mode = ClockMode::kRealtime}).ok());
  rig.clock.Advance(kPeriod);
  Until([&] { return host->Status()->tick == 1; });
  EXPECT_EQ(Step(*host, 1).error().code, ErrorCode::kClockMode);
  const auto stopped = Update(*host, {.clock_mode = ClockMode::kManual});
  EXPECT_EQ(stopped->settings->hosting.clock_mode, ClockMode::kManual);
  EXPECT_EQ(stopped->slipped_ticks, 0);
  EXPECT_EQ(StepOn(*host, 1).tick, 2);
}

TEST(WorldHostSettingsTest, ATimeScaleChangesTheRateFromNowOn) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  ASSERT_TRUE(Update(*host, {.time_scale = 10.0}).ok());
  for (std::int64_t tick = 2; tick <= 60; ++tick) {
    rig.clock.Advance(kPeriod / 10 + nanoseconds(1));
    Until([&] { return host->Status()->tick == tick; });
  }
  EXPECT_EQ(host->Status()->slipped_ticks, 0);
}

TEST(WorldHostSettingsTest, WhatCannotBeIsRefusedAndChangesNothing) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  const auto bad = Update(*host, {.time_scale = 2.0, .input_delay_ticks = 0});
  EXPECT_EQ(bad.error().code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(bad.error().field, "world.hosting.input_delay_ticks");
  const auto durable =
      Update(*host, {.durability = Durability::kCommitted, .time_scale = 2.0});
  EXPECT_EQ(durable.error().code, ErrorCode::kDurabilityUnavailable);
  EXPECT_EQ(host->Status()->settings->hosting, HostingConfig{});
  EXPECT_TRUE(Update(*host, {.durability = Durability::kNone}).ok());
}

TEST(WorldHostSettingsTest, LabelsAreReplacedWhole) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  ASSERT_TRUE(Update(*host, {.labels = Labels{{"a", "1"}, {"b", "2"}}}).ok());
  ASSERT_TRUE(Update(*host, {.labels = Labels{{"c", "3"}}}).ok());
  EXPECT_EQ(host->Status()->settings->labels, (Labels{{"c", "3"}}));
}

TEST(WorldHostSettingsTest, AnUnthrottledWorldGoesToItsTickAndWaits) {
  HostingRig rig;
  const auto free =
      rig.Make({.clock_mode = ClockMode::kUnthrottled, .until_tick = 500});
  const auto manual = rig.Make(ClockMode::kManual);
  // At a tick that it cannot have reached yet.
  for (const auto& host : {free, manual}) {
    Submit(*host, {Define(1, 501), Spawn(50, 501)});
  }
  Until([&] { return free->Status()->tick == 500; });
  ASSERT_TRUE(Update(*free, {.until_tick = 600}).ok());
  Until([&] { return free->Status()->tick == 600; });
  EXPECT_EQ(ReadNow(*free)->tick, 600);
  EXPECT_EQ(free->Status()->agent_count, 50);
  EXPECT_EQ(free->Status()->state_hash, StepOn(*manual, 600).state_hash);
  EXPECT_EQ(Step(*free, 1).error().code, ErrorCode::kClockMode);
}

TEST(WorldHostSettingsTest, HashesAreMadeAtTheirIntervalAndForSteppers) {
  HostingRig rig;
  const auto sparse =
      rig.Make({.clock_mode = ClockMode::kManual, .hash_interval_ticks = 10});
  const auto dense = rig.Make(ClockMode::kManual);
  for (const auto& host : {sparse, dense}) {
    Submit(*host, {Define(), Spawn(30)});
  }
  Watcher& watcher = rig.NewWatcher();
  sparse->Subscribe(watcher.subscription());
  EXPECT_EQ(StepOn(*sparse, 13).state_hash, StepOn(*dense, 13).state_hash);
  EXPECT_EQ(sparse->Status()->state_hash, dense->Status()->state_hash);
  // Tick 13 was hashed for its stepper; 14 to 17 are passed over.
  std::stop_source stop;
  rig.log.on_collect = [&](std::string_view, std::int64_t tick) {
    if (tick == 17) stop.request_stop();
  };
  Submit(*sparse, {core::Command{17, Spawn(1).operation}});
  EXPECT_EQ(
      Step(*sparse, {.ticks = 100, .stop = stop.get_token()}).error().code,
      ErrorCode::kCancelled);
  EXPECT_EQ(sparse->Status()->tick, 17);
  EXPECT_FALSE(sparse->Status()->state_hash);
  EXPECT_FALSE(ReadNow(*sparse)->state_hash);
  // A stepper that is there already has it made.
  const TickInfo again = Step(*sparse, {.until_tick = 17})->info;
  Submit(*dense, {core::Command{17, Spawn(1).operation}});
  EXPECT_EQ(again.state_hash, StepOn(*dense, 4).state_hash);
  EXPECT_EQ(StepOn(*sparse, 3).tick, 20);
  EXPECT_TRUE(ReadNow(*sparse)->state_hash) << "a multiple of ten";
}

TEST(WorldHostSettingsTest, StepsUntilATickAndNotBeyond) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  EXPECT_EQ(Step(*host, {.until_tick = 30})->info.tick, 30);
  EXPECT_EQ(Step(*host, {.until_tick = 30})->info.tick, 30);
  EXPECT_EQ(Step(*host, {.until_tick = 10})->info.tick, 30) << "it is past";
  const auto far = Step(*host, {.until_tick = 31 + rig.limits.max_step_ticks});
  EXPECT_EQ(far.error().code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(far.error().field, "until_tick");
  EXPECT_EQ(Step(*host, {.until_tick = -1}).error().field, "until_tick");
  EXPECT_EQ(host->Status()->tick, 30);
}

TEST(WorldHostSettingsTest, AStepperAtAnotherTickThanExpectedDoesNothing) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  StepOn(*host, 5);
  const auto wrong = Step(*host, {.ticks = 1, .expected_tick = 4});
  EXPECT_EQ(wrong.error().code, ErrorCode::kTickMismatch);
  EXPECT_EQ(wrong.error().field, "expected_tick");
  EXPECT_NE(wrong.error().reason.find("at tick 5"), std::string::npos);
  EXPECT_EQ(host->Status()->tick, 5);
  EXPECT_EQ(Step(*host, {.ticks = 1, .expected_tick = 5})->info.tick, 6);
}

TEST(WorldHostSettingsTest, TheSameRequestStepsOnceHoweverOftenItComes) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(5)});
  const StepOrder order{.ticks = 5, .expected_tick = 0, .key = StepKey(1)};
  const TickInfo first = Step(*host, order)->info;
  EXPECT_EQ(first.tick, 5);
  EXPECT_EQ(Step(*host, order)->info, first);
  const StepOrder with_motion{.ticks = 5,
                              .expected_tick = 0,
                              .key = StepKey(1),
                              .include_motion = true};
  EXPECT_NE(Step(*host, with_motion)->motion, nullptr) << "it is still there";
  StepOn(*host, 1);
  EXPECT_EQ(Step(*host, order)->info, first) << "told again as it was";
  EXPECT_EQ(Step(*host, with_motion)->motion, nullptr) << "it has moved on";
  EXPECT_EQ(host->Status()->tick, 6);
  const auto reused = Step(*host, {.ticks = 6, .key = StepKey(1, 2)});
  EXPECT_EQ(reused.error().code, ErrorCode::kRequestIdReused);
  EXPECT_EQ(Step(*host, {.ticks = 2, .key = StepKey(2)})->info.tick, 8);
  rig.clock.Advance(std::chrono::hours(2));
  EXPECT_EQ(Step(*host, {.ticks = 5, .key = StepKey(1)})->info.tick, 13)
      << "forgotten after an hour";
}

TEST(WorldHostSettingsTest, ARetryGoesOnToWhereTheFirstWanted) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  std::stop_source stop;
  rig.log.on_collect = [&](std::string_view, std::int64_t tick) {
    if (tick == 40) stop.request_stop();
  };
  Submit(*host, {Define(1, 40)});
  EXPECT_EQ(
      Step(*host, {.ticks = 100, .key = StepKey(1), .stop = stop.get_token()})
          .error()
          .code,
      ErrorCode::kCancelled);
  EXPECT_EQ(host->Status()->tick, 40);
  EXPECT_EQ(Step(*host, {.ticks = 100, .key = StepKey(1)})->info.tick, 100);
}

TEST(WorldHostSettingsTest, ARetryIsAnsweredThoughTheClockGoesMeanwhile) {
  HostingRig rig;
  const auto host = MakeGoing(rig);
  PauseNow(*host);
  const TickInfo first = Step(*host, {.ticks = 3, .key = StepKey(1)})->info;
  ResumeNow(*host);
  EXPECT_EQ(Step(*host, {.ticks = 3, .key = StepKey(1)})->info, first);
  EXPECT_EQ(Step(*host, {.ticks = 4, .key = StepKey(1, 2)}).error().code,
            ErrorCode::kRequestIdReused);
  EXPECT_EQ(Step(*host, {.ticks = 3, .key = StepKey(2)}).error().code,
            ErrorCode::kClockMode);
}

TEST(WorldHostSettingsTest, DuplicatesAtOnceAreToldTheSameTick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  std::vector<Answer<StepAnswer>> answers(8);
  for (auto& answer : answers) {
    host->Step({.ticks = 50, .key = StepKey(3)}, answer.Callback());
  }
  for (auto& answer : answers) EXPECT_EQ(answer.Get()->info.tick, 50);
  EXPECT_EQ(host->Status()->tick, 50);
}

TEST(WorldHostSettingsTest, AStepperIsGivenTheStateOfItsTick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(30)});
  const auto answer = Step(*host, {.ticks = 7, .include_motion = true});
  ASSERT_NE(answer->motion, nullptr);
  EXPECT_EQ(MotionBytes(*answer->motion), MotionBytes(ReadNow(*host)->motion));
  EXPECT_EQ(Step(*host, 1)->motion, nullptr) << "nobody asked";
  // Already there, the state is that of now.
  const auto still = Step(*host, {.until_tick = 8, .include_motion = true});
  EXPECT_EQ(MotionBytes(*still->motion), MotionBytes(ReadNow(*host)->motion));
}

TEST(WorldHostSettingsTest, AStateTooLargeForAMessageIsLeftOut) {
  HostingRig rig;
  rig.limits.max_message_bytes = 28 * 100;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(100)});
  EXPECT_NE(Step(*host, {.ticks = 1, .include_motion = true})->motion, nullptr);
  Submit(*host, {Spawn(1)});
  const auto large = Step(*host, {.ticks = 1, .include_motion = true});
  ASSERT_TRUE(large.ok());
  EXPECT_EQ(large->motion, nullptr);
}

}  // namespace
}  // namespace meander::hosting
