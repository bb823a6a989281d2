// What readers and watchers of a world see.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "core/agent_state.h"
#include "tests/scenarios/scenario.h"
#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(WorldHostReadTest, AWorldThatNobodyLooksAtPublishesNothing) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(10)});
  StepOn(*host, 100);
  EXPECT_EQ(host->Status()->published_states, 0);
}

TEST(WorldHostReadTest, AnIdleManualWorldAnswersAtOnceWithItsNewestTick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  EXPECT_EQ(ReadNow(*host)->tick, 0);
  Submit(*host, {Define(), Spawn(10)});
  const TickInfo info = StepOn(*host, 25);
  const auto state = ReadNow(*host);
  EXPECT_EQ(state->tick, 25);
  EXPECT_EQ(state->epoch, 1);
  EXPECT_EQ(state->state_hash, info.state_hash);
  EXPECT_EQ(state->motion.size(), 10u);
}

TEST(WorldHostReadTest, ReadsOfOneTickShareOneState) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  StepOn(*host, 3);
  const auto first = ReadNow(*host);
  const std::int64_t published = host->Status()->published_states;
  const auto second = ReadNow(*host);
  EXPECT_EQ(&*first, &*second);
  EXPECT_EQ(host->Status()->published_states, published);
}

TEST(WorldHostReadTest, EveryTickIsPublishedForASecondAfterALook) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  ReadNow(*host);
  StepOn(*host, 10);
  EXPECT_EQ(host->Status()->published_states, 11);
  rig.clock.Advance(milliseconds(999));
  StepOn(*host, 1);
  EXPECT_EQ(host->Status()->published_states, 12);
  rig.clock.Advance(milliseconds(2));
  StepOn(*host, 10);
  EXPECT_EQ(host->Status()->published_states, 12);
  EXPECT_EQ(ReadNow(*host)->tick, 21) << "never the stale one";
}

TEST(WorldHostReadTest, ColdColumnsAreSharedUntilTheyChange) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(10)});
  StepOn(*host, 1);
  EXPECT_EQ(ReadNow(*host)->cold, nullptr) << "nobody asked for them";
  const auto first = ReadNow(*host, Detail::kFull);
  StepOn(*host, 5);
  const auto second = ReadNow(*host, Detail::kFull);
  EXPECT_EQ(second->tick, 6);
  EXPECT_EQ(first->cold, second->cold);
  Submit(*host, {AimAt({1}, 2)});
  StepOn(*host, 1);
  const auto third = ReadNow(*host, Detail::kFull);
  EXPECT_NE(first->cold, third->cold);
  EXPECT_EQ(third->cold->targets[0][0].agent, 2);
  EXPECT_EQ(first->cold->targets[0][0].agent, 0);
}

TEST(WorldHostReadTest, AFullReadWaitsForColdColumnsNotForATick) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(3)});
  StepOn(*host, 2);
  const auto motion = ReadNow(*host);
  const auto full = ReadNow(*host, Detail::kFull);
  EXPECT_EQ(motion->tick, 2);
  EXPECT_EQ(full->tick, 2);
  ASSERT_NE(full->cold, nullptr);
  EXPECT_EQ(full->cold->size(), full->motion.size());
}

// The answer comes from the end of a turn, when that turn will look no more:
// what is asked then needs a turn of its own.
TEST(WorldHostReadTest, WhoIsAnsweredMayAskAgainAtOnce) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Answer<stream::PublishedStateRef> second;
  Answer<StepAnswer> third;
  Watcher& fourth = rig.NewWatcher();
  host->Read(Detail::kMotion, [&](const auto& first) {
    EXPECT_TRUE(first.ok());
    host->Read(Detail::kFull, second.Callback());
  });
  EXPECT_NE((*second.Get())->cold, nullptr);
  host->Step({.ticks = 1}, [&](const auto&) {
    host->Step({.ticks = 1}, third.Callback());
    host->Subscribe(fourth.subscription());
  });
  EXPECT_EQ(third.Get()->info.tick, 2);
  fourth.AwaitTick(2);
}

TEST(WorldHostReadTest, PublishedColumnsEqualTheWorldBitForBit) {
  const scenarios::Scenario scenario = scenarios::Wanderers(300, 7);
  scenarios::ScenarioRun alone(scenario);
  core::SerialFor serial;
  HostingRig rig;
  const auto host =
      rig.Make(ClockMode::kManual, core::Normalized(scenario.config), 7);
  Submit(*host, scenario.commands);
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  for (std::int64_t tick = 1; tick <= 60; ++tick) {
    StepOn(*host, 1);
    alone.StepTo(tick, serial);
    const auto state = ReadNow(*host, Detail::kFull);
    ASSERT_EQ(state->tick, tick);
    ASSERT_EQ(state->state_hash, alone.world().Hash(serial).value);
    const core::MotionColumns& motion = state->motion;
    ASSERT_EQ(static_cast<std::int64_t>(motion.size()),
              alone.world().agent_count());
    for (std::size_t row = 0; row < motion.size(); ++row) {
      const core::AgentState seen =
          core::MakeAgentState(motion, *state->cold, row, tick);
      const auto real = alone.world().Find(motion.id[row]);
      ASSERT_TRUE(real);
      ASSERT_EQ(seen, *real);
      ASSERT_EQ(std::bit_cast<std::uint32_t>(seen.position.x),
                std::bit_cast<std::uint32_t>(real->position.x));
      ASSERT_EQ(std::bit_cast<std::uint32_t>(seen.velocity.y),
                std::bit_cast<std::uint32_t>(real->velocity.y));
    }
    watcher.AwaitTick(tick);
    ASSERT_EQ(watcher.seen().back().tick, tick);
    ASSERT_EQ(watcher.seen().back().bytes, MotionBytes(motion));
  }
}

TEST(WorldHostReadTest, AWatcherOfAnIdleWorldSeesItsCurrentStateAtOnce) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(5)});
  StepOn(*host, 33);
  Watcher& watcher = rig.NewWatcher(10);
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(33);
  EXPECT_EQ(host->Status()->published_states, 1);
}

TEST(WorldHostReadTest, AWorldIsPublishedOnlyAtTicksThatWatchersWant) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Watcher& watcher = rig.NewWatcher(10);
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  for (std::int64_t tick = 10; tick <= 50; tick += 10) {
    StepOn(*host, 10);
    watcher.AwaitTick(tick);
  }
  EXPECT_EQ(host->Status()->published_states, 6);
  EXPECT_EQ(watcher.seen().size(), 6u);
}

TEST(WorldHostReadTest, AWorldStopsPublishingWhenItsLastWatcherLeaves) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  StepOn(*host, 1);
  watcher.subscription()->End(std::nullopt);
  watcher.AwaitFinish();
  const std::int64_t published = host->Status()->published_states;
  StepOn(*host, 100);
  EXPECT_EQ(host->Status()->published_states, published);
  EXPECT_EQ(host->stream().subscribers(), 0u);
}

TEST(WorldHostReadTest, AStalledWatcherDelaysNoStepAndMissesNoEnd) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Watcher& stalled = rig.NewWatcher(1, true);
  Watcher& prompt = rig.NewWatcher();
  host->Subscribe(stalled.subscription());
  host->Subscribe(prompt.subscription());
  stalled.AwaitTick(0);
  for (std::int64_t tick = 1; tick <= 2'000; ++tick) {
    ASSERT_EQ(StepOn(*host, 1).tick, tick);
  }
  prompt.AwaitTick(2'000);
  EXPECT_EQ(stalled.seen().size(), 1u);
  stalled.subscription()->WriteDone(true);
  stalled.AwaitTick(2'000);
  EXPECT_EQ(stalled.seen().size(), 2u);
  EXPECT_EQ(stalled.seen().back().skipped, 1'999);
}

TEST(WorldHostReadTest, WithNoBufferFreeATickIsNotPublishedAndTheWorldGoesOn) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  std::vector<stream::PublishedStateRef> held;
  for (std::size_t i = 0; i < rig.limits.published_states; ++i) {
    held.push_back(ReadNow(*host));
    StepOn(*host, 1);
  }
  EXPECT_EQ(host->Status()->withheld_states, 1);
  EXPECT_EQ(StepOn(*host, 10).tick, 14);
  EXPECT_EQ(host->Status()->withheld_states, 11);
  for (std::size_t i = 0; i < held.size(); ++i) {
    EXPECT_EQ(held[i]->tick, static_cast<std::int64_t>(i));
  }
  // Whoever looks meanwhile is answered as soon as a buffer comes back.
  Answer<stream::PublishedStateRef> reader;
  host->Read(Detail::kMotion, reader.Callback());
  EXPECT_EQ(StepOn(*host, 1).tick, 15);
  EXPECT_EQ(reader.count(), 0u);
  held.pop_back();
  EXPECT_EQ((*reader.Get())->tick, 15);
}

TEST(WorldHostReadTest, AWithheldLastTickReachesWatchersWhenABufferComesBack) {
  HostingRig rig;
  rig.limits.published_states = 1;
  const auto host = rig.Make(ClockMode::kManual);
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  stream::PublishedStateRef held = ReadNow(*host);
  StepOn(*host, 5);
  EXPECT_EQ(host->Status()->withheld_states, 5);
  held = {};
  watcher.AwaitTick(5);
}

TEST(WorldHostReadTest, OneBufferIsEnoughForAWatcherToSeeTheNewestTick) {
  HostingRig rig;
  rig.limits.published_states = 1;
  const auto host = rig.Make(ClockMode::kManual);
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  for (std::int64_t tick = 1; tick <= 100; ++tick) {
    StepOn(*host, 1);
    watcher.AwaitTick(tick);
  }
}

// A reader can wait for a buffer; the tick would be gone.
TEST(WorldHostReadTest, ATickThatAWatcherIsStillToBeGivenIsKeptFromReaders) {
  HostingRig rig;
  rig.limits.published_states = 2;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(10)});
  stream::PublishedStateRef held = ReadNow(*host);
  Watcher& watcher = rig.NewWatcher(2, /*stalled=*/true);
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  rig.clock.Advance(std::chrono::seconds(5));  // that somebody read is over
  StepOn(*host, 2);
  Answer<stream::PublishedStateRef> reader;
  host->Read(Detail::kFull, reader.Callback());
  while (!rig.workers.AtRest()) std::this_thread::yield();
  EXPECT_EQ(reader.count(), 0u);
  watcher.subscription()->WriteDone(true);
  watcher.AwaitTick(2);
  held = {};
  EXPECT_TRUE((*reader.Get())->motion.complete());
}

// Of a large world a copy takes as long as a tick.
TEST(WorldHostReadTest, NoTickIsCopiedForAWatcherThatIsBusy) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(5'000)});
  Watcher& watcher = rig.NewWatcher(1, /*stalled=*/true);
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  for (std::int64_t tick = 10; tick <= 50; tick += 10) {
    const std::int64_t published = host->Status()->published_states;
    StepOn(*host, 10);
    EXPECT_EQ(host->Status()->published_states, published);
    watcher.subscription()->WriteDone(true);
    watcher.AwaitTick(tick);  // the newest, though no tick comes any more
    EXPECT_EQ(host->Status()->published_states, published + 1);
    EXPECT_EQ(watcher.seen().back().skipped, 9);
    EXPECT_EQ(watcher.seen().back().bytes, MotionBytes(ReadNow(*host)->motion));
    rig.clock.Advance(std::chrono::seconds(5));  // that somebody read is over
  }
}

TEST(WorldHostReadTest, WhoLooksAtAllIsNotGivenWhatIsMadeForWatchers) {
  HostingRig rig;
  rig.limits.published_states = 1;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(10)});
  StepOn(*host, 1);
  Watcher& watcher = rig.NewWatcher();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ReadNow(*host, Detail::kFull)->motion.complete());
    // Longer than one is remembered who looked.
    rig.clock.Advance(std::chrono::seconds(5));
    if (i == 0) host->Subscribe(watcher.subscription());
    StepOn(*host, 1);
    watcher.AwaitTick(2 + i);
    EXPECT_FALSE(ReadNow(*host)->motion.complete());
  }
}

TEST(WorldHostReadTest, AHundredWatchersOfOneViewShareEachEncoding) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(50)});
  std::vector<Watcher*> watchers;
  for (int i = 0; i < 100; ++i) {
    watchers.push_back(&rig.NewWatcher());
    host->Subscribe(watchers.back()->subscription());
  }
  for (Watcher* watcher : watchers) watcher->AwaitTick(0);
  for (std::int64_t tick = 1; tick <= 40; ++tick) {
    StepOn(*host, 1);
    for (Watcher* watcher : watchers) watcher->AwaitTick(tick);
  }
  EXPECT_EQ(host->stream().encodings(), 41);
  host->Close({ErrorCode::kDraining, "", ""});
  for (Watcher* watcher : watchers) {
    EXPECT_EQ(watcher->AwaitFinish()->code, ErrorCode::kDraining);
    EXPECT_EQ(watcher->seen().size(), 41u);
  }
}

}  // namespace
}  // namespace meander::hosting
