// Labels, filters, settings, archetypes and what the server tells about itself.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/simd/simd_target.h"
#include "core/world.h"
#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::StatusCode;
using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls)

class ListTest : public testing::Test {
 protected:
  using Labels = std::map<std::string, std::string>;

  std::string Create(const std::string& id, const Labels& labels,
                     v1::ClockMode mode = v1::CLOCK_MODE_MANUAL) const {
    v1::CreateWorldRequest request;
    request.set_world_id(id);
    request.mutable_world()->mutable_hosting()->set_clock_mode(mode);
    request.mutable_world()->mutable_labels()->insert(labels.begin(),
                                                      labels.end());
    const grpc::Status status = client_.Create(request);
    EXPECT_TRUE(status.ok()) << Show(status);
    return "worlds/" + id;
  }

  // The ids of all pages.
  std::string List(const std::string& filter, std::int32_t page_size = 0,
                   int* pages = nullptr) const {
    std::string ids;
    v1::ListWorldsRequest request;
    request.set_filter(filter);
    request.set_page_size(page_size);
    do {
      v1::ListWorldsResponse response;
      const grpc::Status status = client_.List(request, &response);
      EXPECT_TRUE(status.ok()) << Show(status);
      for (const auto& world : response.worlds()) {
        ids += world.name().substr(7) + ' ';
      }
      if (page_size > 0) {
        EXPECT_LE(response.worlds_size(), page_size);
      }
      request.set_page_token(response.next_page_token());
      if (pages != nullptr) ++*pages;
    } while (!request.page_token().empty());
    return ids;
  }

  ServerProcess server_;
  Client client_{server_.address()};
};

v1::UpdateWorldRequest Update(const std::string& name,
                              const std::vector<std::string>& mask) {
  v1::UpdateWorldRequest request;
  request.mutable_world()->set_name(name);
  for (const auto& path : mask) request.mutable_update_mask()->add_paths(path);
  return request;
}

TEST_F(ListTest, WorldsAreFilteredByLabelsAndState) {
  Create("a", {{"stage", "test"}, {"owner", "ann"}});
  Create("b", {{"stage", "live"}, {"owner", "ann"}}, v1::CLOCK_MODE_REALTIME);
  Create("c", {{"stage", "test"}});
  Create("d", {}, v1::CLOCK_MODE_REALTIME);
  ASSERT_TRUE(client_.Pause("worlds/c").ok());
  ASSERT_TRUE(client_.Pause("worlds/d").ok());
  EXPECT_EQ(List(""), "a b c d ");
  EXPECT_EQ(List("labels.stage = \"test\""), "a c ");
  EXPECT_EQ(List("labels.stage != \"test\""), "b d ");
  EXPECT_EQ(List("labels:owner"), "a b ");
  EXPECT_EQ(List("NOT labels:owner"), "c d ");
  EXPECT_EQ(List("labels:owner AND labels.stage = \"live\""), "b ");
  EXPECT_EQ(List("state = PAUSED"), "c d ");
  EXPECT_EQ(List("state != PAUSED"), "a b ");
  EXPECT_EQ(List("clock_mode = REALTIME AND state = PAUSED"), "d ");
  EXPECT_EQ(List("labels:nobody"), "");
}

TEST_F(ListTest, PagesOfAFilteredListHoldEveryWorldOnce) {
  std::string odd;
  for (int i = 10; i < 60; ++i) {
    const std::string id = "w" + std::to_string(i);
    Create(id, {{"odd", i % 2 == 1 ? "yes" : "no"}});
    if (i % 2 == 1) odd += id + ' ';
  }
  for (const std::int32_t page_size : {1, 2, 7, 25, 26, 1000}) {
    EXPECT_EQ(List("labels.odd = \"yes\"", page_size), odd) << page_size;
  }
}

TEST(ListLimitTest, APageLooksAtSoManyWorldsOnly) {
  const ServerProcess server({"--max_page_size=3", "--default_page_size=3"});
  const Client client(server.address());
  for (const char* id : {"a", "b", "c", "d", "e", "f", "g"}) {
    client.MustCreate(id);
  }
  ASSERT_TRUE(client.Pause("worlds/g").ok());
  v1::ListWorldsRequest request;
  request.set_filter("state = PAUSED");
  std::vector<int> sizes;
  do {
    v1::ListWorldsResponse response;
    ASSERT_TRUE(client.List(request, &response).ok());
    sizes.push_back(response.worlds_size());
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(sizes, (std::vector<int>{0, 0, 1}));
}

TEST_F(ListTest, ManyLabelsStillFitIntoMessages) {
  Labels labels;
  for (int i = 0; i < 64; ++i) {
    labels["key" + std::to_string(i) + std::string(50, 'k')] =
        std::string(63, 'v');
  }
  std::string ids;
  for (int i = 100; i < 300; ++i) {
    ids += "w" + std::to_string(i) + ' ';
    Create("w" + std::to_string(i), labels);
  }
  int pages = 0;
  EXPECT_EQ(List("", 1000, &pages), ids);
  EXPECT_GT(pages, 1);
}

TEST_F(ListTest, FiltersThatAreNoneAreRefusedByName) {
  for (const std::string& filter :
       {"state"s, "state = "s, "a/b"s, ".."s, "\0"s, "labels:a AND"s,
        std::string(1025, ' '), std::string(10'240, 'a')}) {
    v1::ListWorldsRequest request;
    request.set_filter(filter);
    const Refusal refusal = Explain(client_.List(request));
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT) << filter;
    EXPECT_TRUE(refusal.Names("filter")) << filter;
  }
}

TEST_F(ListTest, LabelsAreReplacedWhole) {
  const std::string name = Create("a", {{"stage", "test"}, {"owner", "ann"}});
  v1::UpdateWorldRequest request = Update(name, {"labels"});
  (*request.mutable_world()->mutable_labels())["stage"] = "live";
  v1::World world;
  ASSERT_TRUE(client_.Update(request, &world).ok());
  EXPECT_EQ(world.labels().size(), 1u);
  EXPECT_EQ(world.labels().at("stage"), "live");
  EXPECT_EQ(client_.MustGet(name).DebugString(), world.DebugString());
  ASSERT_TRUE(client_.Update(Update(name, {"labels"}), &world).ok());
  EXPECT_TRUE(world.labels().empty());
}

TEST_F(ListTest, AnUpdateOfNothingChangesNothing) {
  const std::string name = Create("a", {{"stage", "test"}});
  const v1::World before = client_.MustGet(name);
  v1::World after;
  ASSERT_TRUE(client_.Update(Update(name, {}), &after).ok());
  EXPECT_EQ(after.DebugString(), before.DebugString());
  // The same world back, with all that only the server sets.
  v1::UpdateWorldRequest same;
  *same.mutable_world() = before;
  ASSERT_TRUE(client_.Update(same, &after).ok());
  EXPECT_EQ(after.DebugString(), before.DebugString());
}

TEST_F(ListTest, SettingsThatCannotBeAreRefusedWholeAndByTheirField) {
  const std::string name = Create("a", {{"stage", "test"}});
  const v1::World before = client_.MustGet(name);
  struct Bad {
    std::string path;
    std::string field;
    void (*set)(v1::World&);
  };
  const Bad cases[] = {
      {"hosting.time_scale", "world.hosting.time_scale",
       [](v1::World& w) { w.mutable_hosting()->set_time_scale(0.001); }},
      {"hosting.time_scale", "world.hosting.time_scale",
       [](v1::World& w) {
         w.mutable_hosting()->set_time_scale(
             std::numeric_limits<double>::quiet_NaN());
       }},
      {"hosting.time_scale", "world.hosting.time_scale",
       [](v1::World& w) {
         w.mutable_hosting()->set_time_scale(
             std::numeric_limits<double>::infinity());
       }},
      {"hosting.time_scale", "world.hosting.time_scale",
       [](v1::World& w) { w.mutable_hosting()->set_time_scale(-1); }},
      {"hosting.input_delay_ticks", "world.hosting.input_delay_ticks",
       [](v1::World& w) { w.mutable_hosting()->set_input_delay_ticks(3601); }},
      {"hosting.hash_interval_ticks", "world.hosting.hash_interval_ticks",
       [](v1::World& w) { w.mutable_hosting()->set_hash_interval_ticks(-1); }},
      {"hosting.idle_ttl", "world.hosting.idle_ttl",
       [](v1::World& w) {
         w.mutable_hosting()->mutable_idle_ttl()->set_nanos(5);
       }},
      {"hosting.idle_ttl", "world.hosting.idle_ttl",
       [](v1::World& w) {
         w.mutable_hosting()->mutable_idle_ttl()->set_seconds(
             std::numeric_limits<std::int64_t>::max());
       }},
      {"hosting.clock_mode", "world.hosting.until_tick",
       [](v1::World& w) {
         w.mutable_hosting()->set_clock_mode(v1::CLOCK_MODE_UNTHROTTLED);
       }},
      {"hosting.clock_mode", "world.hosting.clock_mode",
       [](v1::World& w) {
         w.mutable_hosting()->set_clock_mode(static_cast<v1::ClockMode>(99));
       }},
      {"tick", "update_mask", [](v1::World& w) { w.set_tick(5); }},
      {"simulation.seed", "update_mask", [](v1::World&) {}},
      {std::string(10'240, 'a'), "update_mask", [](v1::World&) {}},
      {"", "update_mask", [](v1::World&) {}},
      {"a/b", "update_mask", [](v1::World&) {}},
      {"\0"s, "update_mask", [](v1::World&) {}},
  };
  for (const Bad& bad : cases) {
    v1::UpdateWorldRequest request = Update(name, {"labels", bad.path});
    bad.set(*request.mutable_world());
    const Refusal refusal = Explain(client_.Update(request));
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT) << bad.path;
    EXPECT_TRUE(refusal.Names(bad.field)) << bad.path << refusal.message;
    EXPECT_LT(refusal.message.size(), 500u);
  }
  v1::UpdateWorldRequest durable = Update(name, {"hosting.durability"});
  durable.mutable_world()->mutable_hosting()->set_durability(
      v1::DURABILITY_COMMITTED);
  const Refusal refusal = Explain(client_.Update(durable));
  EXPECT_EQ(refusal.code, StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(refusal.reason, "DURABILITY_UNAVAILABLE");
  EXPECT_EQ(client_.MustGet(name).DebugString(), before.DebugString());
}

TEST_F(ListTest, LabelsThatCannotBeAreRefusedByName) {
  const std::string name = Create("a", {});
  const std::vector<Labels> bad = {
      {{"", "v"}},
      {{"..", "v"}},
      {{"a/b", "v"}},
      {{"A", "v"}},
      {{"1a", "v"}},
      {{"a\0b"s, "v"}},
      {{std::string(64, 'a'), "v"}},
      {{std::string(10'240, 'a'), "v"}},
      {{"é", "v"}},
      {{"a", "a/b"}},
      {{"a", "\0"s}},
      {{"a", "é"}},
      {{"a", "b c"}},
      {{"a", std::string(64, 'v')}},
      {{"a", std::string(10'240, 'v')}},
  };
  std::vector<Labels> all = bad;
  Labels many;
  for (int i = 0; i < 65; ++i) many["k" + std::to_string(i)] = "v";
  all.push_back(many);
  for (const Labels& labels : all) {
    v1::UpdateWorldRequest update = Update(name, {"labels"});
    update.mutable_world()->mutable_labels()->insert(labels.begin(),
                                                     labels.end());
    v1::CreateWorldRequest create;
    create.set_world_id("b");
    *create.mutable_world()->mutable_labels() = update.world().labels();
    for (const grpc::Status& status :
         {client_.Update(update), client_.Create(create)}) {
      const Refusal refusal = Explain(status);
      EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
      ASSERT_EQ(refusal.fields.size(), 1u) << labels.begin()->first;
      EXPECT_TRUE(refusal.fields[0].starts_with("world.labels"))
          << refusal.fields[0];
    }
  }
  EXPECT_EQ(List(""), "a ");
  EXPECT_TRUE(client_.MustGet(name).labels().empty());
}

TEST_F(ListTest, ArchetypesAreListedByIdPageByPage) {
  const std::string name = Create("a", {});
  std::vector<v1::Command> commands;
  for (const std::int32_t id : {7, 1, 1024, 3, 200}) {
    commands.push_back(DefineWanderer(id));
  }
  ExpectAdmitted(client_.MustSubmit(name, commands));
  v1::ListArchetypesRequest request;
  request.set_world(name);
  const auto list = [&](const v1::ListArchetypesRequest& from) {
    v1::ListArchetypesResponse response;
    const grpc::Status status = client_.ListArchetypes(from, &response);
    EXPECT_TRUE(status.ok()) << Show(status);
    return response;
  };
  EXPECT_EQ(list(request).archetypes_size(), 0);  // Not yet.
  client_.MustStep(name, 4);
  for (const std::int32_t page_size : {0, 1, 2, 5, 6}) {
    request.set_page_size(page_size);
    request.clear_page_token();
    std::vector<std::int32_t> ids;
    do {
      const v1::ListArchetypesResponse page = list(request);
      EXPECT_EQ(page.tick(), 4);
      EXPECT_EQ(page.epoch(), 1);
      for (const auto& archetype : page.archetypes()) {
        ids.push_back(archetype.id());
        EXPECT_EQ(archetype.max_speed(), 5.0f);
        EXPECT_EQ(archetype.mass(), 1.0f);  // The default, as it is in effect.
        EXPECT_EQ(archetype.terms_size(), 1);
      }
      request.set_page_token(page.next_page_token());
    } while (!request.page_token().empty());
    EXPECT_EQ(ids, (std::vector<std::int32_t>{1, 3, 7, 200, 1024}))
        << page_size;
  }
  // A change of an archetype alone is seen.
  v1::Command faster = DefineWanderer(3);
  faster.mutable_define_archetype()->mutable_archetype()->set_max_speed(6.0f);
  ExpectAdmitted(client_.MustSubmit(name, {faster}));
  client_.MustStep(name, 1);
  request.clear_page_size();
  EXPECT_EQ(list(request).archetypes(1).max_speed(), 6.0f);
}

TEST_F(ListTest, TheCellSizeInEffectIsShown) {
  const std::string name = Create("a", {});
  EXPECT_EQ(client_.MustGet(name).simulation().cell_size(), 8.0f);
  v1::Command resize;
  resize.mutable_set_cell_size()->set_cell_size(2.5f);
  ExpectAdmitted(client_.MustSubmit(name, {resize}));
  EXPECT_EQ(client_.MustGet(name).simulation().cell_size(), 8.0f);
  client_.MustStep(name, 1);
  EXPECT_EQ(client_.MustGet(name).simulation().cell_size(), 2.5f);
}

TEST_F(ListTest, AHintTellsThatCellsDoNotFitTheNeighbors) {
  const std::string name = Create("a", {});
  v1::Command define = DefineSeeker(1);
  v1::Archetype& archetype =
      *define.mutable_define_archetype()->mutable_archetype();
  v1::Alignment& alignment = *archetype.add_terms()->mutable_alignment();
  alignment.mutable_neighborhood()->set_radius(1.0f);
  ExpectAdmitted(client_.MustSubmit(name, {define}));
  EXPECT_TRUE(client_.MustGet(name).hints().empty());
  client_.MustStep(name, 1);
  ASSERT_EQ(client_.MustGet(name).hints_size(), 1);
  EXPECT_NE(client_.MustGet(name).hints(0).find("within 1 units"),
            std::string::npos);
  v1::Command resize;
  resize.mutable_set_cell_size()->set_cell_size(1.0f);
  ExpectAdmitted(client_.MustSubmit(name, {resize}));
  client_.MustStep(name, 1);
  EXPECT_TRUE(client_.MustGet(name).hints().empty());
}

TEST(ServerInfoTest, TellsWhatTheServerIsAndHolds) {
  const ServerProcess server({"--worker_threads=3", "--max_worlds=7"});
  const Client client(server.address());
  v1::ServerInfo info;
  ASSERT_TRUE(client.Info(&info).ok());
  EXPECT_FALSE(info.version().empty());
  EXPECT_EQ(static_cast<std::uint32_t>(info.simulation_version()),
            core::kSimulationVersion);
  EXPECT_EQ(info.world_count(), 0);
  EXPECT_EQ(info.agent_count(), 0);
  EXPECT_GT(info.uptime().seconds() + info.uptime().nanos(), 0);
  EXPECT_EQ(info.worker_threads(), 3);
  EXPECT_TRUE(core::SimdTargetNamed(info.kernels()).has_value());
  EXPECT_EQ(info.default_durability(), v1::DURABILITY_NONE);
  EXPECT_EQ(info.limits().at("max_worlds"), 7);
  EXPECT_EQ(info.limits().at("max_agents_total"), 10'000'000);
  EXPECT_EQ(info.limits().at("max_kept_answers"), 65'536);

  const std::string name = client.MustCreate("a");
  ExpectAdmitted(
      client.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 30)}));
  v1::ServerInfo later;
  ASSERT_TRUE(client.Info(&later).ok());
  EXPECT_EQ(later.world_count(), 1);
  EXPECT_EQ(later.agent_count(), 30);  // About to be spawned.
  ASSERT_TRUE(client.Delete(name).ok());
  ASSERT_TRUE(client.Info(&later).ok());
  EXPECT_EQ(later.world_count(), 0);
  EXPECT_EQ(later.agent_count(), 0);
  EXPECT_GE(later.uptime().seconds(), info.uptime().seconds());
}

}  // namespace
}  // namespace meander
