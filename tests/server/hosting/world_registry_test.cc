#include "server/hosting/world_registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cctype>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;

class WorldRegistryTest : public testing::Test {
 protected:
  static NewWorld World(std::string_view id,
                        HostingConfig hosting = {
                            .clock_mode = ClockMode::kManual}) {
    return {.id = std::string(id),
            .config = SmallConfig(),
            .seed = 1,
            .settings = {.hosting = hosting, .labels = {}}};
  }
  core::Result<std::shared_ptr<WorldHost>> Create(NewWorld world) {
    const std::string id = world.id;
    const auto creation = registry_.Create(std::move(world));
    if (!creation.ok()) return creation.error();
    return registry_.Find(id);
  }
  core::Result<std::shared_ptr<WorldHost>> Create(std::string_view id) {
    return Create(World(id));
  }

  HostingRig rig_;
  WorldRegistry registry_{rig_.Context()};
};

TEST_F(WorldRegistryTest, KnowsAWorldIdWhenItSeesOne) {
  for (const std::string& id :
       {std::string("a"), std::string("z9"), std::string("a-b"),
        std::string("a--b-3"), std::string(63, 'a')}) {
    EXPECT_TRUE(IsWorldId(id)) << id;
  }
  for (const std::string& id :
       {std::string(), std::string("A"), std::string("9a"), std::string("-a"),
        std::string("a-"), std::string(".."), std::string("a/b"),
        std::string("a b"), std::string("a\0b", 3), std::string("a\n"),
        std::string("\xff\xfe"), std::string("\xc3\xa4"), std::string(64, 'a'),
        std::string(10'240, 'a')}) {
    EXPECT_FALSE(IsWorldId(id)) << id;
    const auto host = Create(id);
    ASSERT_FALSE(host.ok());
    EXPECT_EQ(host.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(host.error().field, "world_id");
    EXPECT_LT(host.error().reason.size(), 200u) << "hostile ids are not echoed";
    EXPECT_EQ(registry_.Find(id), nullptr);
    EXPECT_EQ(registry_.Delete(id)->code, ErrorCode::kWorldNotFound);
  }
}

TEST_F(WorldRegistryTest, MakesAWorldThatCanBeFoundUntilItIsDeleted) {
  const auto host = Create("alpha");
  ASSERT_TRUE(host.ok());
  EXPECT_EQ(registry_.Find("alpha"), *host);
  EXPECT_EQ((*host)->identity().id, "alpha");
  EXPECT_EQ((*host)->identity().seed, 1u);
  EXPECT_FALSE(registry_.Delete("alpha"));
  EXPECT_EQ(registry_.Find("alpha"), nullptr);
  EXPECT_EQ((*host)->Status().error().code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(registry_.Delete("alpha")->code, ErrorCode::kWorldNotFound);
  EXPECT_TRUE(Create("alpha").ok()) << "the name is free again";
}

TEST_F(WorldRegistryTest, GivesEachWorldAUidOfItsOwn) {
  std::set<std::string> uids;
  for (int i = 0; i < 100; ++i) {
    const std::string uid = (*Create("again"))->identity().uid;
    EXPECT_EQ(uid.size(), 32u);
    for (const char c : uid) {
      EXPECT_TRUE(std::isdigit(c) != 0 || (c >= 'a' && c <= 'f'));
    }
    EXPECT_TRUE(uids.insert(uid).second);
    registry_.Delete("again");
  }
}

TEST_F(WorldRegistryTest, ATakenNameIsRefused) {
  ASSERT_TRUE(Create("alpha").ok());
  const auto again = Create("alpha");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::kWorldExists);
  EXPECT_EQ(registry_.size(), 1u);
}

TEST_F(WorldRegistryTest, AFullServerRefusesWorldsAndNamesTheLimit) {
  rig_.limits.max_worlds = 2;
  ASSERT_TRUE(Create("a").ok());
  ASSERT_TRUE(Create("b").ok());
  const auto third = Create("c");
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().code, ErrorCode::kQuotaExceeded);
  EXPECT_NE(third.error().reason.find('2'), std::string::npos);
  registry_.Delete("a");
  EXPECT_TRUE(Create("c").ok());
}

TEST_F(WorldRegistryTest, ADurabilityThatCannotBeHadIsRefused) {
  for (const Durability durability :
       {Durability::kAsync, Durability::kCommitted}) {
    const auto host = Create(World("alpha", {.durability = durability}));
    ASSERT_FALSE(host.ok());
    EXPECT_EQ(host.error().code, ErrorCode::kDurabilityUnavailable);
    EXPECT_EQ(host.error().field, "world.hosting.durability");
  }
  EXPECT_EQ(registry_.size(), 0u);
}

TEST_F(WorldRegistryTest, AnInvalidConfigIsRefusedWithItsField) {
  NewWorld world = World("alpha");
  world.config.tick_rate_hz = 1001;
  const auto host = Create(world);
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.error().field, "world.simulation.tick_rate_hz");
}

TEST_F(WorldRegistryTest, TheServersOwnAgentLimitHolds) {
  rig_.limits.max_agents = 5'000;
  const core::Violations violations = Validate(World("A"), rig_.limits);
  ASSERT_EQ(violations.size(), 2u) << "all faults are told at once";
  EXPECT_EQ(violations[0].field, "world_id");
  EXPECT_EQ(violations[1].field, "world.simulation.max_agents");
  EXPECT_NE(violations[1].reason.find("5000"), std::string::npos);
  NewWorld world = World("a");
  world.config.max_agents = 5'000;
  EXPECT_TRUE(Validate(world, rig_.limits).empty());
  world.config.max_agents = core::kMaxAgents + 1;
  EXPECT_EQ(Validate(world, rig_.limits).size(), 1u);
}

TEST_F(WorldRegistryTest, ListsWorldsByNameAPageAtATime) {
  for (const char* id : {"m", "c", "a-1", "z", "a"}) {
    ASSERT_TRUE(Create(id).ok());
  }
  const auto names = [this](std::string_view after, std::size_t limit) {
    std::vector<std::string> listed;
    for (const auto& host : registry_.List(after, limit)) {
      listed.push_back(host->identity().id);
    }
    return listed;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("", 2), (Names{"a", "a-1"}));
  EXPECT_EQ(names("a-1", 2), (Names{"c", "m"}));
  EXPECT_EQ(names("d", 10), (Names{"m", "z"}));
  EXPECT_TRUE(names("z", 10).empty());
  EXPECT_TRUE(names("", 0).empty());
}

TEST_F(WorldRegistryTest, CloseAllEndsEveryWorldAndTakesNoMore) {
  const auto alpha = Create("alpha");
  ASSERT_TRUE(alpha.ok());
  Watcher& watcher = rig_.NewWatcher();
  (*alpha)->Subscribe(watcher.subscription());
  registry_.CloseAll({ErrorCode::kDraining, "", "the server is draining"});
  EXPECT_EQ(watcher.AwaitFinish()->code, ErrorCode::kDraining);
  EXPECT_EQ(registry_.Find("alpha")->Status().error().code,
            ErrorCode::kDraining);
  EXPECT_EQ(Create("beta").error().code, ErrorCode::kDraining);
  EXPECT_EQ(registry_.Delete("alpha")->code, ErrorCode::kDraining);
}

TEST_F(WorldRegistryTest, TwoThousandWorldsComeAndGoWithoutATrace) {
  std::vector<std::weak_ptr<WorldHost>> hosts;
  for (int i = 0; i < 2'000; ++i) {
    const auto host = Create(World("world", {}));
    ASSERT_TRUE(host.ok());
    hosts.push_back(*host);
    Submit(**host, {Define(), Spawn(10)});
    ASSERT_FALSE(registry_.Delete("world"));
  }
  for (const auto& host : hosts) {
    Until([&host] { return host.expired(); });
  }
  EXPECT_EQ(rig_.log.pending_bytes(), 0u);
  EXPECT_EQ(rig_.workers.armed(), 1u) << "the registry's own";
}

TEST_F(WorldRegistryTest, TheSameRequestMakesOneWorldAndIsToldTheSame) {
  NewWorld world = World("alpha");
  world.key =
      RequestKey{.id = {.method = KeyedMethod::kCreateWorld, .uuid = {}},
                 .fingerprint = 1};
  const auto first = registry_.Create(world);
  ASSERT_TRUE(first.ok());
  StepOn(*registry_.Find("alpha"), 5);
  const auto again = registry_.Create(world);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->identity.uid, (*first)->identity.uid);
  EXPECT_EQ((*again)->status.tick, 0) << "as it was made";
  world.key->fingerprint = 2;
  EXPECT_EQ(registry_.Create(world).error().code, ErrorCode::kRequestIdReused);
  world.key.reset();
  EXPECT_EQ(registry_.Create(world).error().code, ErrorCode::kWorldExists);
  EXPECT_EQ(registry_.size(), 1u);
}

TEST_F(WorldRegistryTest, ARequestThatFailedMayComeAgain) {
  ASSERT_TRUE(Create("alpha").ok());
  NewWorld world = World("alpha");
  world.key = RequestKey{};
  EXPECT_EQ(registry_.Create(world).error().code, ErrorCode::kWorldExists);
  registry_.Delete("alpha");
  EXPECT_TRUE(registry_.Create(world).ok());
}

TEST_F(WorldRegistryTest, SettingsAreCheckedWithTheRest) {
  NewWorld world = World("alpha", {.time_scale = -1.0});
  world.settings.labels = {{"Bad", ""}};
  const core::Violations violations = Validate(world, rig_.limits);
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_EQ(violations[0].field, "world.hosting.time_scale");
  EXPECT_EQ(violations[1].field, "world.labels");
  EXPECT_FALSE(Create(world).ok());
}

// A second passes, and the sweep that it brings is over.
void Sweep(HostingRig& rig) {
  Until([&rig] { return rig.workers.armed() == 1; });
  rig.clock.Advance(std::chrono::seconds(1));
  Until([&rig] { return rig.workers.armed() == 1; });
}

TEST_F(WorldRegistryTest, AWorldThatNobodyUsesIsDeletedAfterItsTime) {
  using std::chrono::seconds;
  ASSERT_TRUE(Create(World("kept", {.clock_mode = ClockMode::kManual})).ok());
  const auto host = *Create(World(
      "idle", {.clock_mode = ClockMode::kManual, .idle_ttl = seconds(10)}));
  for (int second = 0; second < 9; ++second) Sweep(rig_);
  EXPECT_EQ(registry_.size(), 2u);
  for (int second = 0; second < 5; ++second) Sweep(rig_);
  Until([this] { return registry_.size() == 1; });
  EXPECT_EQ(registry_.Find("idle"), nullptr);
  // It leaves the list first.
  Until([&host] { return !host->Status().ok(); });
  const core::Error error = host->Status().error();
  EXPECT_EQ(error.code, ErrorCode::kWorldNotFound);
  EXPECT_NE(error.reason.find("idle_ttl"), std::string::npos);
}

TEST_F(WorldRegistryTest, WhoAsksOrWatchesKeepsAWorld) {
  using std::chrono::seconds;
  const HostingConfig hosting{.clock_mode = ClockMode::kManual,
                              .idle_ttl = seconds(3)};
  ASSERT_TRUE(Create(World("asked", hosting)).ok());
  const auto watched = *Create(World("watched", hosting));
  Watcher& watcher = rig_.NewWatcher();
  watched->Subscribe(watcher.subscription());
  for (int second = 0; second < 20; ++second) {
    EXPECT_NE(registry_.Find("asked"), nullptr);
    EXPECT_EQ(registry_.List("", 10).size(), 2u) << "which uses no world";
    Sweep(rig_);
  }
  watcher.subscription()->End(std::nullopt);
  watcher.AwaitFinish();
  for (int second = 0; second < 6; ++second) Sweep(rig_);
  Until([this] { return registry_.size() == 0; });
}

TEST_F(WorldRegistryTest, WhoStepsKeepsAWorldHoweverLongItTakes) {
  using std::chrono::seconds;
  const auto host = *Create(World(
      "stepped", {.clock_mode = ClockMode::kManual, .idle_ttl = seconds(1)}));
  Submit(*host, {Define()});
  std::atomic<bool> swept = false;
  rig_.log.on_collect = [&](std::string_view, std::int64_t) {
    while (!swept) std::this_thread::yield();
  };
  Answer<StepAnswer> stepper;
  host->Step({.ticks = 1}, stepper.Callback());
  for (int second = 0; second < 10; ++second) Sweep(rig_);
  EXPECT_EQ(registry_.size(), 1u);
  swept = true;
  EXPECT_EQ(stepper.Get()->info.tick, 1);
}

}  // namespace
}  // namespace meander::hosting
