// REALTIME worlds on a clock that the test moves.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/world.h"
#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// Waits until the world has taken up so much time, in ticks run or slipped.
void AwaitPeriods(WorldHost& host, std::int64_t periods) {
  Until([&] {
    const WorldStatus status = *host.Status();
    return status.tick + status.slipped_ticks >= periods;
  });
}

TEST(WorldHostClockTest, StepsOnceAPeriodAndNotBefore) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  rig.clock.Advance(milliseconds(16));
  EXPECT_EQ(ReadNow(*host)->tick, 0) << "a turn, but no tick is due";
  for (std::int64_t tick = 1; tick <= 100; ++tick) {
    rig.clock.Advance(kPeriod);
    AwaitPeriods(*host, tick);
    EXPECT_EQ(host->Status()->tick, tick);
  }
  EXPECT_EQ(host->Status()->slipped_ticks, 0);
}

TEST(WorldHostClockTest, TheThreadThatWaitsForATickTakesItAndWakesNobodyUp) {
  HostingRig rig(3);
  std::thread::id taken_by;
  rig.log.on_collect = [&](std::string_view, std::int64_t) {
    taken_by = std::this_thread::get_id();
  };
  const auto host = rig.Make(ClockMode::kRealtime);
  const nanoseconds start = rig.clock.Now();
  Submit(*host, {Define(), Spawn(1'000)});
  const std::thread::id test = std::this_thread::get_id();
  std::map<std::thread::id, int> looks;
  for (std::int64_t tick = 1; tick <= 100; ++tick) {
    Submit(*host, {AimAt({1}, 2)});  // so that the log is asked
    const nanoseconds due = start + nanoseconds(tick * 1'000'000'000 / 60);
    // Who is still up from the last turn may take the next one.
    std::thread::id waits;
    Until([&] {
      waits = rig.clock.WhoWaitsUntil(due);
      return waits != std::thread::id() && rig.workers.AtRest();
    });
    if (tick == 2) looks = rig.clock.looks();
    rig.clock.Advance(due - rig.clock.Now());
    AwaitPeriods(*host, tick);
    // The turn that the first command asked for may have been late.
    if (tick > 1) {
      EXPECT_EQ(taken_by, waits) << tick;
    }
  }
  for (const auto& [thread, now] : rig.clock.looks()) {
    if (thread == test || thread == taken_by) continue;
    EXPECT_LE(now - looks[thread], 10) << "one who need not know was woken up";
  }
}

TEST(WorldHostClockTest, AnHourLeavesARealtimeWorldExactlyOnTime) {
  HostingRig rig;
  core::SimulationConfig config = SmallConfig();
  config.tick_rate_hz = 1;
  const auto host = rig.Make(ClockMode::kRealtime, config);
  for (std::int64_t second = 1; second <= 3600; ++second) {
    rig.clock.Advance(seconds(1));
    AwaitPeriods(*host, second);
  }
  EXPECT_EQ(host->Status()->tick, 3600);
  EXPECT_EQ(host->Status()->slipped_ticks, 0);
}

TEST(WorldHostClockTest, AJumpOfThreeSecondsCatchesUpFourTicksAndSlipsTheRest) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  rig.clock.Advance(kPeriod);
  watcher.AwaitTick(1);
  rig.clock.Advance(seconds(3));
  AwaitPeriods(*host, 181);
  WorldStatus status = *host->Status();
  EXPECT_EQ(status.tick, 5);
  EXPECT_EQ(status.slipped_ticks, 176);
  rig.clock.Advance(kPeriod);
  AwaitPeriods(*host, 182);
  status = *host->Status();
  EXPECT_EQ(status.tick, 6);
  EXPECT_EQ(status.slipped_ticks, 176);
  watcher.AwaitTick(6);
  EXPECT_LE(watcher.seen().size(), 7u) << "no burst";
}

TEST(WorldHostClockTest, ASlowWorldSlipsWhileItsNeighborKeepsItsRate) {
  HostingRig rig(2);
  const auto slow = rig.Make(ClockMode::kRealtime);
  const auto neighbor = rig.Make(ClockMode::kRealtime);
  // Each step of `slow` takes three periods, in which its neighbor must run.
  constexpr std::int64_t kSlowSteps = 40;
  std::atomic<std::int64_t> periods = 1;
  rig.log.on_collect = [&](std::string_view, std::int64_t) {
    for (int i = 0; i < 3; ++i) {
      rig.clock.Advance(kPeriod);
      const std::int64_t now = ++periods;
      Until([&] { return neighbor->Status()->tick >= now; });
    }
  };
  std::vector<core::Command> commands;
  for (std::int64_t tick = 1; tick <= kSlowSteps; ++tick) {
    commands.push_back(Define(1, tick));
  }
  Submit(*slow, commands);
  rig.clock.Advance(kPeriod);
  Until([&] { return slow->Status()->tick >= kSlowSteps; });
  AwaitPeriods(*neighbor, periods);
  EXPECT_EQ(neighbor->Status()->tick, 1 + 3 * kSlowSteps);
  EXPECT_EQ(neighbor->Status()->slipped_ticks, 0);
  // Of 3 periods a step one is stepped; the last up to 4 may still be caught
  // up.
  EXPECT_GE(slow->Status()->slipped_ticks, 2 * kSlowSteps - 6);
  EXPECT_LE(slow->Status()->slipped_ticks, 2 * kSlowSteps);
}

TEST(WorldHostClockTest, CommandsTakeEffectAtTheTickTheyAreTold) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  const Submission submission =
      Submit(*host, {Define(), Spawn(3), Spawn(4, 3)});
  EXPECT_EQ(submission.tick, 0);
  EXPECT_EQ(submission.results[1]->apply_tick, 1);
  const std::int64_t agents[] = {3, 3, 7};
  for (std::int64_t tick = 1; tick <= 3; ++tick) {
    rig.clock.Advance(kPeriod);
    AwaitPeriods(*host, tick);
    EXPECT_EQ(host->Status()->agent_count, agents[tick - 1]);
  }
}

TEST(WorldHostClockTest, TheClockChangesNoBit) {
  HostingRig rig;
  const auto realtime = rig.Make(ClockMode::kRealtime, SmallConfig(), 9);
  const auto manual = rig.Make(ClockMode::kManual, SmallConfig(), 9);
  const auto other = rig.Make(ClockMode::kManual, SmallConfig(), 10);
  for (const auto& host : {realtime, manual, other}) {
    Submit(*host, {Define(1, 1), Spawn(500, 1), Spawn(100, 20)});
  }
  for (std::int64_t tick = 1; tick <= 60; ++tick) {
    rig.clock.Advance(kPeriod);
    AwaitPeriods(*realtime, tick);
  }
  EXPECT_EQ(realtime->Status()->state_hash, StepOn(*manual, 60).state_hash);
  EXPECT_NE(realtime->Status()->state_hash, StepOn(*other, 60).state_hash);
}

TEST(WorldHostClockTest, AWatcherOfARealtimeWorldGetsEachTickInOrder) {
  HostingRig rig;
  const auto host = rig.Make(ClockMode::kRealtime);
  Submit(*host, {Define(), Spawn(20)});
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  for (std::int64_t tick = 1; tick <= 120; ++tick) {
    rig.clock.Advance(kPeriod);
    watcher.AwaitTick(tick);
  }
  const std::vector<Watcher::Seen> seen = watcher.seen();
  ASSERT_EQ(seen.size(), 121u);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].tick, static_cast<std::int64_t>(i));
    EXPECT_EQ(seen[i].skipped, 0);
  }
}

TEST(WorldHostClockTest, AClosedWorldStopsTicking) {
  HostingRig rig;
  const auto host = rig.MakeUnshared(ClockMode::kRealtime);
  const auto other = rig.Make(ClockMode::kRealtime);
  for (const auto& world : {host, other}) Submit(*world, {Define()});
  EXPECT_EQ(rig.workers.armed(), 2u);
  host->Close({core::ErrorCode::kWorldNotFound, "", "deleted"});
  EXPECT_EQ(rig.workers.armed(), 1u);
  rig.clock.Advance(kPeriod);
  AwaitPeriods(*other, 1);
}

TEST(WorldHostClockTest, ManyWorldsOfDifferentRatesKeepTheirOwn) {
  HostingRig rig(3);
  std::vector<std::shared_ptr<WorldHost>> hosts;
  const std::vector<std::int32_t> rates = {1, 10, 30, 60, 100, 7};
  for (const std::int32_t rate : rates) {
    core::SimulationConfig config = SmallConfig();
    config.tick_rate_hz = rate;
    hosts.push_back(rig.Make(ClockMode::kRealtime, config));
  }
  for (int i = 1; i <= 400; ++i) {
    rig.clock.Advance(milliseconds(10));
    for (std::size_t w = 0; w < hosts.size(); ++w) {
      AwaitPeriods(*hosts[w], i * rates[w] / 100);
    }
  }
  for (std::size_t w = 0; w < hosts.size(); ++w) {
    EXPECT_EQ(hosts[w]->Status()->tick, 4 * rates[w]);
    EXPECT_EQ(hosts[w]->Status()->slipped_ticks, 0);
  }
}

class BackgroundCounter final : public PoolObserver {
 public:
  void On(PoolMoment moment, nanoseconds /*came*/) override {
    if (moment == PoolMoment::kBackgroundTurn) ++turns_;
  }
  int turns() const { return turns_; }

 private:
  std::atomic<int> turns_ = 0;
};

// How many turns of ten ticks are background when each lasts longer than a
// slice: `work` tells what its thread does meanwhile.
int BackgroundTurns(const std::function<void(HostingRig&)>& work) {
  BackgroundCounter counter;
  HostingRig rig(1, &counter);
  rig.log.on_collect = [&](std::string_view, std::int64_t) { work(rig); };
  const auto host = rig.Make(ClockMode::kRealtime);
  std::vector<core::Command> commands{Define(), Spawn(3'000)};
  for (std::int64_t tick = 2; tick <= 10; ++tick) {
    commands.push_back(AimAt({1}, 2, tick));
  }
  const nanoseconds start = rig.clock.Now();
  Submit(*host, commands);
  for (std::int64_t tick = 1; tick <= 10; ++tick) {
    const nanoseconds due = start + tick * kPeriod;
    if (rig.clock.Now() < due) rig.clock.Advance(due - rig.clock.Now());
    AwaitPeriods(*host, tick);
    Until([&] { return rig.workers.AtRest(); });  // the turn is over
  }
  return counter.turns();
}

TEST(WorldHostClockTest, IsHeavyForWhatItComputesNotForTurnsThatInterruptIt) {
  EXPECT_GT(BackgroundTurns([](HostingRig& rig) {
              rig.clock.Advance(WorkerPool::kPatience);
            }),
            1);
  EXPECT_EQ(BackgroundTurns([](HostingRig& rig) {
              rig.clock.Stall(WorkerPool::kPatience);
              rig.workers.Post(std::make_shared<Task>(
                  [&rig] { rig.clock.Advance(2 * WorkerPool::kPatience); }));
            }),
            0);
}

}  // namespace
}  // namespace meander::hosting
