// MANUAL worlds: commands, steppers, closing.
#include "server/hosting/world_host.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/world.h"
#include "tests/scenarios/scenario.h"
#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;

TEST(WorldHostTest, StartsAtTickZeroWithTheHashOfAnEmptyWorld) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  core::SerialFor serial;
  const core::Result<WorldStatus> status = host->Status();
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(status->tick, 0);
  EXPECT_EQ(status->epoch, 1);
  EXPECT_EQ(status->agent_count, 0);
  EXPECT_EQ(status->state_hash,
            core::World(SmallConfig(), 1).Hash(serial).value);
}

TEST(WorldHostTest, ComputesWithTheKernelsOfItsServer) {
  for (const core::SimdTarget target : core::kSimdTargets) {
    if (!core::CanRun(target)) continue;
    HostingRig rig;
    rig.simd = target;
    EXPECT_EQ(rig.Make(ClockMode::kManual)->Status()->simd, target);
  }
}

TEST(WorldHostTest, SubmitThenStepOneShowsTheEffectWithoutWaiting) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(7)});
  const core::Result<StepAnswer> answer = Step(*host, 1);
  ASSERT_TRUE(answer.ok());
  const TickInfo* info = &answer->info;
  EXPECT_EQ(info->tick, 1);
  const core::Result<WorldStatus> status = host->Status();
  EXPECT_EQ(status->tick, 1);
  EXPECT_EQ(status->agent_count, 7);
  EXPECT_EQ(status->archetype_count, 1);
  EXPECT_EQ(status->state_hash, info->state_hash);
  for (std::int64_t tick = 2; tick <= 50; ++tick) {
    const Submission submission = Submit(*host, {Spawn(1)});
    EXPECT_EQ(submission.tick, tick - 1);
    EXPECT_EQ(submission.results[0]->apply_tick, tick);
    EXPECT_EQ(StepOn(*host, 1).tick, tick);
    EXPECT_EQ(host->Status()->agent_count, 6 + tick);
  }
}

TEST(WorldHostTest, CountsHowCommandsEnded) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(1, 5), Spawn(1, 1), Spawn(2, 5), Despawn({1}, 6)});
  EXPECT_EQ(host->Status()->pending_commands, 4);
  StepOn(*host, 4);
  EXPECT_EQ(host->Status()->pending_commands, 3);
  StepOn(*host, 2);
  const WorldStatus status = *host->Status();
  EXPECT_EQ(status.pending_commands, 0);
  using core::CommandOutcome;
  const auto count = [&status](CommandOutcome outcome) {
    return status.outcomes[static_cast<std::size_t>(outcome)];
  };
  EXPECT_EQ(count(CommandOutcome::kApplied), 2);
  EXPECT_EQ(count(CommandOutcome::kArchetypeUnknown), 1);
  EXPECT_EQ(count(CommandOutcome::kAgentGone), 1);
}

TEST(WorldHostTest, MovesAsCoreAloneDoesForAnyNumberOfWorkers) {
  scenarios::Scenario scenario = scenarios::Wanderers(2'000, 42);
  scenarios::ScenarioRun alone(scenario);
  core::SerialFor serial;
  alone.StepTo(200, serial);
  const std::uint64_t expected = alone.world().Hash(serial).value;
  for (const std::size_t workers : {1u, 2u, 3u, 8u}) {
    HostingRig rig(workers);
    const auto host =
        rig.Make(ClockMode::kManual, core::Normalized(scenario.config), 42);
    Submit(*host, scenario.commands);
    EXPECT_EQ(StepOn(*host, 200).state_hash, expected) << workers;
  }
}

TEST(WorldHostTest, TwoSteppersAreServedOneAfterTheOther) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  for (int round = 0; round < 50; ++round) {
    const std::int64_t start = host->Status()->tick;
    Answer<StepAnswer> first;
    Answer<StepAnswer> second;
    host->Step({.ticks = 5}, first.Callback());
    host->Step({.ticks = 3}, second.Callback());
    EXPECT_EQ(first.Get()->info.tick, start + 5);
    EXPECT_EQ(second.Get()->info.tick, start + 8);
  }
}

TEST(WorldHostTest, SteppersFromManyThreadsAreEachToldTheirOwnTick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  constexpr int kThreads = 4;
  constexpr int kSteps = 200;
  std::vector<std::atomic<int>> told(kThreads * kSteps + 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::int64_t last = 0;
      for (int i = 0; i < kSteps; ++i) {
        const std::int64_t tick = StepOn(*host, 1).tick;
        EXPECT_GT(tick, last);
        last = tick;
        ++told[static_cast<std::size_t>(tick)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t tick = 1; tick < told.size(); ++tick) {
    EXPECT_EQ(told[tick], 1) << tick;
  }
}

TEST(WorldHostTest, ACancelledStepperStopsAtAWholeTickAndOthersGoOn) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  std::stop_source running;
  std::stop_source waiting;
  rig.log.on_collect = [&](std::string_view, std::int64_t tick) {
    if (tick == 3) running.request_stop();
  };
  Submit(*host, {Define(1, 3)});
  Answer<StepAnswer> first;
  Answer<StepAnswer> second;
  Answer<StepAnswer> third;
  waiting.request_stop();
  host->Step({.ticks = 1'000'000, .stop = running.get_token()},
             first.Callback());
  host->Step({.ticks = 10, .stop = waiting.get_token()}, second.Callback());
  host->Step({.ticks = 10}, third.Callback());
  EXPECT_EQ(first.Get().error().code, ErrorCode::kCancelled);
  EXPECT_EQ(second.Get().error().code, ErrorCode::kCancelled);
  EXPECT_EQ(third.Get()->info.tick, 13) << "the tick that ran was finished";
}

TEST(WorldHostTest, ALongStepDoesNotKeepOtherWorldsWaiting) {
  HostingRig rig(1);  // one worker, and a clock that a step moves
  const auto slow = rig.Make(ClockMode::kManual);
  const auto quick = rig.Make(ClockMode::kManual);
  std::binary_semaphore began(0);
  std::binary_semaphore asked(0);
  std::binary_semaphore answered(0);
  rig.log.on_collect = [&](std::string_view, std::int64_t tick) {
    if (tick == 1) {
      began.release();
      asked.acquire();
      rig.clock.Advance(std::chrono::milliseconds(5));  // over a turn's slice
    } else {
      answered.acquire();
    }
  };
  Submit(*slow, {Define(1, 1), Define(1, 2)});
  Answer<StepAnswer> long_step;
  slow->Step({.ticks = 1'000}, long_step.Callback());
  began.acquire();
  Answer<StepAnswer> short_step;
  quick->Step({.ticks = 1}, short_step.Callback());
  asked.release();
  EXPECT_EQ(short_step.Get()->info.tick, 1);
  EXPECT_EQ(long_step.count(), 0u);
  answered.release();
  EXPECT_EQ(long_step.Get()->info.tick, 1'000);
}

// Two turns that last, then one while the background has to wait.
TEST(WorldHostTest, OnlyAWorldThatComputesForLongComesAfterOthers) {
  for (const bool computes : {false, true}) {
    std::binary_semaphore inside(0);
    std::binary_semaphore go(0);
    HostingRig rig(2);
    rig.log.on_collect = [&](std::string_view, std::int64_t) {
      constexpr std::chrono::milliseconds kLong{5};
      computes ? rig.clock.Advance(kLong) : rig.clock.Stall(kLong);
    };
    const auto host = rig.Make(ClockMode::kManual);
    Submit(*host, {Define(1, 1), Define(1, 2)});
    StepOn(*host, 1);
    StepOn(*host, 1);
    const auto background = std::make_shared<Task>([&] {
      inside.release();
      go.acquire();
    });
    rig.workers.Post(background, Urgency::kBackground);
    inside.acquire();
    Answer<StepAnswer> third;
    host->Step({.ticks = 1}, third.Callback());
    if (computes) {
      // The thread that is left has looked at what is due, and serves it alone.
      const auto due = std::make_shared<Task>([] {});
      rig.workers.Post(due);
      due->Await(1);
      EXPECT_EQ(host->Status()->tick, 2);
    } else {
      EXPECT_TRUE(third.Get().ok());
    }
    go.release();
    background->Await(1);
    if (computes) {
      EXPECT_EQ(third.Get()->info.tick, 3);
    }
  }
}

TEST(WorldHostTest, RefusesStepsThatCannotBe) {
  HostingRig rig;
  const auto realtime = rig.Make(ClockMode::kRealtime);
  EXPECT_EQ(Step(*realtime, 1).error().code, ErrorCode::kClockMode);
  const auto manual = rig.Make(ClockMode::kManual);
  for (const std::int64_t ticks :
       {std::int64_t{-1}, std::int64_t{0}, rig.limits.max_step_ticks + 1}) {
    const core::Result<StepAnswer> info = Step(*manual, ticks);
    ASSERT_FALSE(info.ok());
    EXPECT_EQ(info.error().code, ErrorCode::kOutOfBounds);
    EXPECT_EQ(info.error().field, "ticks");
  }
  EXPECT_EQ(manual->Status()->tick, 0);
}

// Holds the turn of a host inside the step of its first tick.
class HeldTurn {
 public:
  HeldTurn(HostingRig& rig, WorldHost& host, std::int64_t ticks = 100) {
    rig.log.on_collect = [gate = gate_](std::string_view, std::int64_t) {
      gate->inside.release();
      gate->go.acquire();
    };
    Submit(host, {Define(1, 1)});
    host.Step({.ticks = ticks}, first.Callback());
    gate_->inside.acquire();
  }
  void Release() { gate_->go.release(); }

  Answer<StepAnswer> first;

 private:
  struct Gate {
    std::binary_semaphore inside{0};
    std::binary_semaphore go{0};
  };
  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
};

TEST(WorldHostTest, WaitingSteppersAndReadersAreBounded) {
  HostingRig rig;
  rig.limits.max_waiting_steppers = 2;
  rig.limits.max_waiting_readers = 1;
  const auto host = rig.Make(ClockMode::kManual);
  HeldTurn held(rig, *host);
  Answer<StepAnswer> second;
  host->Step({.ticks = 1}, second.Callback());
  EXPECT_EQ(Step(*host, 1).error().code, ErrorCode::kQuotaExceeded);
  Answer<stream::PublishedStateRef> reader;
  host->Read(Detail::kMotion, reader.Callback());
  EXPECT_EQ(Read(*host).error().code, ErrorCode::kQuotaExceeded);
  held.Release();
  EXPECT_EQ(second.Get()->info.tick, 101);
  EXPECT_TRUE(reader.Get().ok());
}

TEST(WorldHostTest, ACrowdOfReadersDoesNotKeepOtherWorldsWaiting) {
  HostingRig rig(1);
  const auto crowded = rig.Make(ClockMode::kManual);
  const auto other = rig.Make(ClockMode::kManual);
  HeldTurn held(rig, *crowded, 1);
  constexpr int kReaders = 500;
  std::atomic<int> answered = 0;
  for (int i = 0; i < kReaders; ++i) {
    crowded->Read(Detail::kMotion, [&answered](const auto& state) {
      EXPECT_TRUE(state.ok());
      ++answered;
    });
  }
  std::atomic<int> answered_before = -1;
  Answer<StepAnswer> step;
  other->Step({.ticks = 1}, [&, done = step.Callback()](const auto& info) {
    answered_before = answered.load();
    done(info);
  });
  held.Release();
  EXPECT_EQ(step.Get()->info.tick, 1);
  EXPECT_LT(answered_before, 100);
  Until([&answered] { return answered == kReaders; });
}

TEST(WorldHostTest, CloseAnswersEverybodyWhoWaits) {
  HostingRig rig;
  const auto host = rig.MakeUnshared(ClockMode::kManual);
  HeldTurn held(rig, *host);
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  Answer<StepAnswer> stepper;
  host->Step({.ticks = 1}, stepper.Callback());
  Answer<stream::PublishedStateRef> reader;
  host->Read(Detail::kFull, reader.Callback());

  host->Close({ErrorCode::kWorldNotFound, "", "deleted"});
  host->Close({ErrorCode::kDraining, "", "too late"});
  EXPECT_EQ(held.first.Get().error().code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(stepper.Get().error().code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(reader.Get().error().code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(watcher.AwaitFinish()->code, ErrorCode::kWorldNotFound);

  // Calls that come later, the turn still being inside.
  EXPECT_EQ(Step(*host, 1).error().code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(Read(*host).error().code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(host->Status().error().code, ErrorCode::kWorldNotFound);
  std::vector<BatchCommand> batch = Batch({Define()});
  EXPECT_EQ(host->Submit(batch).error().front().code,
            ErrorCode::kWorldNotFound);
  Watcher& late = rig.NewWatcher();
  host->Subscribe(late.subscription());
  EXPECT_EQ(late.AwaitFinish()->code, ErrorCode::kWorldNotFound);
  held.Release();
}

TEST(WorldHostTest, AClosedHostThatIsLetGoDuringItsTurnEndsWithIt) {
  HostingRig rig;
  std::shared_ptr<WorldHost> host = rig.MakeUnshared(ClockMode::kManual);
  const std::weak_ptr<WorldHost> weak = host;
  HeldTurn held(rig, *host);
  host->Close({ErrorCode::kWorldNotFound, "", "deleted"});
  host.reset();
  EXPECT_FALSE(weak.expired());
  held.Release();
  Until([&weak] { return weak.expired(); });
}

TEST(WorldHostTest, CloseFreesWhatTheWorldHeldThoughSomebodyKeepsTheHost) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(100, 50)});
  StepOn(*host, 1);
  const auto state = ReadNow(*host);
  EXPECT_GT(rig.log.pending_bytes(), 0u);
  host->Close({ErrorCode::kWorldNotFound, "", "deleted"});
  EXPECT_EQ(rig.log.pending_bytes(), 0u);
  EXPECT_EQ(state->tick, 1) << "a state outlives its world";
}

TEST(WorldHostTest, AnIdleHostThatIsClosedIsFreedAtOnce) {
  HostingRig rig;
  for (const ClockMode mode : {ClockMode::kManual, ClockMode::kRealtime}) {
    std::shared_ptr<WorldHost> host = rig.MakeUnshared(mode);
    const std::weak_ptr<WorldHost> weak = host;
    host->Close({ErrorCode::kWorldNotFound, "", "deleted"});
    host.reset();
    Until([&weak] { return weak.expired(); });
  }
  EXPECT_EQ(rig.workers.armed(), 0u);
}

}  // namespace
}  // namespace meander::hosting
