#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using Events = std::vector<core::Event>;

core::Event Lost(std::int64_t tick, core::AgentId agent) {
  return {.tick = tick, .agent_id = agent, .slot = 0};
}

core::Archetype Seeker() {
  core::Archetype archetype = Wanderer();
  archetype.terms = {{.behavior = core::Seek{0}}};
  return archetype;
}

// 20 agents, each after agent 1, which is after agent 2; at tick 1.
std::shared_ptr<WorldHost> MakeChase(HostingRig& rig) {
  auto host = rig.Make(ClockMode::kManual);
  std::vector<core::AgentId> hunters;
  for (core::AgentId id = 2; id <= 20; ++id) hunters.push_back(id);
  Submit(*host, {{0, core::DefineArchetype{Seeker()}},
                 Spawn(20),
                 AimAt({1}, 2),
                 AimAt(hunters, 1)});
  StepOn(*host, 1);
  return host;
}

TEST(WorldHostEventsTest, WatchersWhoAskAreToldInTheirFrames) {
  HostingRig rig;
  const auto host = MakeChase(rig);
  Watcher& asking = rig.NewWatcher(1, false, true);
  Watcher& other = rig.NewWatcher();
  host->Subscribe(asking.subscription());
  host->Subscribe(other.subscription());
  asking.AwaitTick(1);
  other.AwaitTick(1);
  Submit(*host, {AimAt({5, 3}, 4), Despawn({4}, 3)});
  for (std::int64_t tick = 2; tick <= 4; ++tick) {
    StepOn(*host, 1);
    asking.AwaitTick(tick);
    other.AwaitTick(tick);
  }
  ASSERT_EQ(asking.seen().size(), 4u);
  EXPECT_EQ(asking.seen()[1].events, stream::FrameEvents{});
  EXPECT_EQ(asking.seen()[2].events,
            (stream::FrameEvents{{Lost(3, 3), Lost(3, 5)}, 0, 0}));
  EXPECT_EQ(asking.seen()[3].events, stream::FrameEvents{});
  for (const Watcher::Seen& seen : other.seen()) {
    EXPECT_EQ(seen.events, stream::FrameEvents{});
  }
}

// One call steps over ticks that nobody sees, and readers make the world show
// one of them again.
TEST(WorldHostEventsTest, TicksThatAreNotPublishedLoseNone) {
  HostingRig rig;
  const auto host = MakeChase(rig);
  Watcher& watcher = rig.NewWatcher(100, false, true);
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(1);
  Submit(*host, {AimAt({7}, 9, 10), Despawn({9}, 20), AimAt({8}, 8, 55),
                 AimAt({7}, 9, 90)});
  StepOn(*host, 19);
  EXPECT_EQ(ReadNow(*host, Detail::kFull)->tick, 20);
  EXPECT_EQ(ReadNow(*host)->tick, 20);
  StepOn(*host, 80);
  watcher.AwaitTick(100);
  EXPECT_EQ(
      watcher.seen().back().events,
      (stream::FrameEvents{{Lost(20, 7), Lost(55, 8), Lost(90, 7)}, 0, 0}));
}

TEST(WorldHostEventsTest, AStalledWatcherIsToldWhatTheWorldStillKeeps) {
  HostingRig rig;
  rig.limits.max_kept_events = 10;
  const auto host = MakeChase(rig);
  Watcher& stalled = rig.NewWatcher(1, true, true);
  host->Subscribe(stalled.subscription());
  stalled.AwaitTick(1);
  Submit(*host, {Despawn({2}, 2), Despawn({1}, 3)});
  StepOn(*host, 5);
  stalled.subscription()->WriteDone(true);
  stalled.AwaitTick(6);
  // Agent 1, which is gone by then, then 3 to 20.
  Events kept;
  for (core::AgentId id = 11; id <= 20; ++id) kept.push_back(Lost(3, id));
  EXPECT_EQ(stalled.seen().back().events, (stream::FrameEvents{kept, 9, 0}));
  stalled.subscription()->WriteDone(true);
}

}  // namespace
}  // namespace meander::hosting
