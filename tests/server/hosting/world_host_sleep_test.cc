// Worlds in which nothing can happen: they take no turns, and nobody can tell.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// Who was woken up by a look takes one more tick.
void AwaitSleep(HostingRig& rig, const WorldHost& host) {
  rig.clock.Advance(kPeriod);
  Until([&host] { return host.IsAsleep(); });
  EXPECT_EQ(rig.workers.armed(), 0u);
}

TEST(WorldHostSleepTest, AnEmptyWorldArmsNoTimer) {
  HostingRig rig;
  rig.Make(ClockMode::kRealtime);
  rig.Make({.clock_mode = ClockMode::kUnthrottled, .until_tick = 10});
  EXPECT_EQ(rig.workers.armed(), 0u);
}

TEST(WorldHostSleepTest, WhoLooksFindsItAtTheTickThatItsClockHasBrought) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  const auto manual = rig.Make(ClockMode::kManual);
  rig.clock.Advance(hours(1));
  const WorldStatus status = *host->Status();
  EXPECT_EQ(status.tick, 216'000);
  EXPECT_EQ(status.slipped_ticks, 0);
  EXPECT_EQ(status.state_hash, StepOn(*manual, 216'000).state_hash);
  AwaitSleep(rig, *host);
  rig.clock.Advance(seconds(1));
  EXPECT_EQ(ReadNow(*host)->tick, 216'061);
  AwaitSleep(rig, *host);
  rig.clock.Advance(seconds(1));
  EXPECT_EQ(PauseNow(*host).tick, 216'122);
  rig.clock.Advance(seconds(1));
  EXPECT_EQ(host->Status()->tick, 216'122);
}

TEST(WorldHostSleepTest, CommandsComeForTheTickAfterTheSleep) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  rig.clock.Advance(seconds(10));
  const Submission submission = Submit(*host, {Define(), Spawn(3)});
  EXPECT_EQ(submission.tick, 600);
  EXPECT_EQ(submission.results[1]->apply_tick, 601);
  EXPECT_EQ(rig.workers.armed(), 1u);
  rig.clock.Advance(kPeriod);
  Until([&] { return host->Status()->agent_count == 3; });
  EXPECT_EQ(host->Status()->tick, 601);
  EXPECT_EQ(host->Status()->slipped_ticks, 0);
}

TEST(WorldHostSleepTest, ACommandForLaterKeepsItAwakeUntilThen) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  Submit(*host, {Define(1, 30)});
  for (std::int64_t tick = 1; tick <= 30; ++tick) {
    rig.clock.Advance(kPeriod);
    Until([&] { return host->Status()->tick == tick; });
  }
  EXPECT_EQ(host->Status()->archetype_count, 1);
  AwaitSleep(rig, *host);
}

TEST(WorldHostSleepTest, AWatcherWakesItAndSeesEveryTickFromThen) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  rig.clock.Advance(seconds(1));
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(60);
  for (std::int64_t tick = 61; tick <= 100; ++tick) {
    rig.clock.Advance(kPeriod);
    watcher.AwaitTick(tick);
  }
  EXPECT_EQ(watcher.seen().size(), 41u);
  watcher.subscription()->End(std::nullopt);
  watcher.AwaitFinish();
  AwaitSleep(rig, *host);
}

TEST(WorldHostSleepTest, ANewWatcherIsNotShownTheTickBeforeTheSleep) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  EXPECT_EQ(ReadNow(*host)->tick, 0) << "published";
  AwaitSleep(rig, *host);
  rig.clock.Advance(seconds(1));
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(61);
  EXPECT_EQ(watcher.seen().front().tick, 61);
}

TEST(WorldHostSleepTest, AnUnthrottledWorldSleepsThroughToTheHighestTick) {
  HostingRig rig;
  const auto host = rig.Make(HostingConfig{
      .clock_mode = ClockMode::kUnthrottled, .until_tick = kMaxUntilTick});
  EXPECT_EQ(ReadNow(*host)->tick, 0);
  EXPECT_EQ(host->Status()->tick, 0) << "it waits for its first command";
  Submit(*host, {Define()});
  Until([&] { return host->Status()->tick == kMaxUntilTick; });
  EXPECT_EQ(host->Status()->archetype_count, 1);
  EXPECT_EQ(host->Status()->clock, ClockState::kRunning);
  // Any clock and any step still can be added to that.
  ASSERT_TRUE(Update(*host, {.clock_mode = ClockMode::kRealtime}).ok());
  rig.clock.Advance(seconds(10));
  Until([&] { return host->Status()->tick >= kMaxUntilTick + 4; });
  ASSERT_TRUE(Update(*host, {.clock_mode = ClockMode::kManual}).ok());
  const std::int64_t tick = host->Status()->tick;
  EXPECT_EQ(StepOn(*host, 5).tick, tick + 5);
}

TEST(WorldHostSleepTest, ItSleepsAgainOnceItsAgentsAreGone) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  Submit(*host, {Define(), Spawn(2), Despawn({1, 2}, 5)});
  for (std::int64_t tick = 1; tick <= 5; ++tick) {
    rig.clock.Advance(kPeriod);
    Until([&] { return host->Status()->tick == tick; });
  }
  AwaitSleep(rig, *host);
  EXPECT_EQ(host->Status()->agent_count, 0);
}

// Submitting while the world falls asleep and wakes up loses no command and
// closes no tick that has one.
TEST(WorldHostSleepTest, CommandsThatMeetItFallingAsleepAreApplied) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  std::atomic<bool> stop = false;
  std::thread time([&] {
    while (!stop) {
      rig.clock.Advance(milliseconds(7));
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> clients;
  constexpr int kEach = 400;
  for (int client = 0; client < 2; ++client) {
    clients.emplace_back([&host] {
      for (int i = 0; i < kEach; ++i) {
        Submit(*host, {Define()});
        (void)host->Status();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  Until([&] { return host->Status()->pending_commands == 0; });
  stop = true;
  time.join();
  EXPECT_EQ(host->Status()->outcomes[0], 2 * kEach);
}

}  // namespace
}  // namespace meander::hosting
