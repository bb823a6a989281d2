// Worlds, commands and queries, over the wire to a real server.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

class WorldsTest : public testing::Test {
 protected:
  ServerProcess server_;
  Client client_{server_.address()};
};

TEST_F(WorldsTest, ACreatedWorldShowsWhatIsInEffect) {
  v1::CreateWorldRequest request;
  request.set_world_id("plain-1");
  v1::World world;
  const grpc::Status status = client_.Create(request, &world);
  ASSERT_TRUE(status.ok()) << Show(status);
  EXPECT_EQ(world.name(), "worlds/plain-1");
  EXPECT_EQ(world.uid().size(), 32u);
  EXPECT_EQ(world.uid().find_first_not_of("0123456789abcdef"),
            std::string::npos);
  EXPECT_EQ(world.simulation().tick_rate_hz(), 60);
  EXPECT_EQ(world.simulation().plane(), v1::PLANE_NONE);
  EXPECT_EQ(world.simulation().bounds().max().x(), 2048.0f);
  EXPECT_EQ(world.simulation().max_agents(), 100'000);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_REALTIME);
  EXPECT_EQ(world.hosting().durability(), v1::DURABILITY_NONE);
  EXPECT_EQ(world.hosting().time_scale(), 1.0);
  EXPECT_EQ(world.hosting().input_delay_ticks(), 1);
  EXPECT_EQ(world.hosting().hash_interval_ticks(), 1);
  EXPECT_EQ(world.hosting().idle_ttl().seconds(), 0);
  EXPECT_EQ(world.state(), v1::WORLD_STATE_RUNNING);
  EXPECT_TRUE(world.has_state_hash());
  EXPECT_EQ(world.epoch(), 1);
}

TEST_F(WorldsTest, AWorldKeepsItsConfig) {
  v1::CreateWorldRequest request;
  request.set_world_id("a");
  auto& simulation = *request.mutable_world()->mutable_simulation();
  simulation.set_seed(0xffffffffffffffff);
  simulation.set_tick_rate_hz(240);
  simulation.set_plane(v1::PLANE_XZ);
  simulation.mutable_bounds()->mutable_min()->set_x(-10.5f);
  simulation.mutable_bounds()->mutable_min()->set_z(-20.0f);
  simulation.mutable_bounds()->mutable_max()->set_x(30.0f);
  simulation.mutable_bounds()->mutable_max()->set_z(40.0f);
  simulation.mutable_bounds()->set_mode(v1::BOUNDS_MODE_CLAMP);
  simulation.set_max_agents(1234);
  simulation.set_cell_size(0.5f);
  request.mutable_world()->mutable_hosting()->set_clock_mode(
      v1::CLOCK_MODE_MANUAL);
  auto& hosting = *request.mutable_world()->mutable_hosting();
  hosting.set_durability(v1::DURABILITY_NONE);
  hosting.set_time_scale(2.5);
  hosting.set_input_delay_ticks(2);
  hosting.set_hash_interval_ticks(3);
  hosting.mutable_idle_ttl()->set_seconds(4000);
  hosting.mutable_idle_ttl()->set_nanos(5);
  hosting.set_until_tick(6);
  (*request.mutable_world()->mutable_labels())["stage"] = "Test_1.0-a";
  v1::World created;
  ASSERT_TRUE(client_.Create(request, &created).ok());
  // Unset corners are shown as 0.
  simulation.mutable_bounds()->mutable_min()->set_y(0);
  simulation.mutable_bounds()->mutable_max()->set_y(0);
  EXPECT_EQ(created.simulation().DebugString(), simulation.DebugString());
  EXPECT_EQ(created.hosting().DebugString(), hosting.DebugString());
  EXPECT_EQ(created.labels().size(), 1u);
  EXPECT_EQ(created.labels().at("stage"), "Test_1.0-a");
  EXPECT_EQ(created.state(), v1::WORLD_STATE_RUNNING);
  EXPECT_EQ(client_.MustGet("worlds/a").DebugString(), created.DebugString());
}

TEST_F(WorldsTest, WorldsAreListedByNamePageByPage) {
  for (const char* id : {"c", "a", "e", "b", "d"}) client_.MustCreate(id);
  std::vector<std::string> names;
  v1::ListWorldsRequest request;
  request.set_page_size(2);
  int pages = 0;
  do {
    Call call;
    v1::ListWorldsResponse response;
    ASSERT_TRUE(
        client_.worlds->ListWorlds(&call.context, request, &response).ok());
    EXPECT_LE(response.worlds_size(), 2);
    for (const auto& world : response.worlds()) names.push_back(world.name());
    request.set_page_token(response.next_page_token());
    ++pages;
  } while (!request.page_token().empty());
  EXPECT_EQ(names, (std::vector<std::string>{"worlds/a", "worlds/b", "worlds/c",
                                             "worlds/d", "worlds/e"}));
  EXPECT_EQ(pages, 3);
}

TEST_F(WorldsTest, ADeletedWorldIsGoneAndItsNameIsFree) {
  const std::string name = client_.MustCreate("a");
  const std::string uid = client_.MustGet(name).uid();
  ASSERT_TRUE(client_.Delete(name).ok());
  EXPECT_EQ(Explain(client_.Get(name)).reason, "WORLD_NOT_FOUND");
  EXPECT_EQ(Explain(client_.Delete(name)).reason, "WORLD_NOT_FOUND");
  client_.MustCreate("a");
  EXPECT_NE(client_.MustGet(name).uid(), uid);
}

TEST_F(WorldsTest, ANameIsTakenOnce) {
  client_.MustCreate("a");
  v1::CreateWorldRequest request;
  request.set_world_id("a");
  const Refusal refusal = Explain(client_.Create(request));
  EXPECT_EQ(refusal.code, grpc::StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(refusal.reason, "WORLD_EXISTS");
}

TEST_F(WorldsTest, StepsTellTheTickAndHashThatTheWorldShows) {
  const std::string name = client_.MustCreate("a", 7);
  EXPECT_EQ(client_.MustGet(name).tick(), 0);
  std::set<std::uint64_t> hashes = {client_.MustGet(name).state_hash()};
  std::int64_t tick = 0;
  for (const std::int64_t ticks : {0, 1, 10, 500}) {
    tick += ticks == 0 ? 1 : ticks;  // 0 means 1.
    const v1::StepWorldResponse step = client_.MustStep(name, ticks);
    EXPECT_EQ(step.tick(), tick);
    EXPECT_EQ(step.epoch(), 1);
    const v1::World world = client_.MustGet(name);
    EXPECT_EQ(world.tick(), tick);
    EXPECT_EQ(world.state_hash(), step.state_hash());
    EXPECT_TRUE(hashes.insert(step.state_hash()).second);
  }
}

TEST_F(WorldsTest, CommandsTakeEffectInTheNextStep) {
  const std::string name = client_.MustCreate("a");
  const auto response =
      client_.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 100)});
  ExpectAdmitted(response);
  EXPECT_EQ(response.tick(), 0);
  EXPECT_EQ(response.epoch(), 1);
  EXPECT_EQ(response.results(0).admission().sequence(), 1);
  EXPECT_EQ(response.results(0).admission().apply_tick(), 1);
  EXPECT_EQ(response.results(0).admission().first_agent_id(), 0);
  EXPECT_EQ(response.results(1).admission().sequence(), 2);
  EXPECT_EQ(response.results(1).admission().first_agent_id(), 1);
  EXPECT_EQ(response.results(1).admission().agent_count(), 100);
  EXPECT_EQ(client_.MustGet(name).pending_command_count(), 2);
  EXPECT_EQ(client_.MustGet(name).agent_count(), 0);
  client_.MustStep(name, 1);
  const v1::World world = client_.MustGet(name);
  EXPECT_EQ(world.agent_count(), 100);
  EXPECT_EQ(world.archetype_count(), 1);
  EXPECT_EQ(world.pending_command_count(), 0);
  EXPECT_EQ(world.command_outcomes().applied(), 2);
}

TEST_F(WorldsTest, EachCommandOfABatchHasItsOwnResult) {
  const std::string name = client_.MustCreate("a");
  v1::Command fast = DefineWanderer(2);
  fast.mutable_define_archetype()->mutable_archetype()->set_max_speed(2e6f);
  v1::Command nobody;
  nobody.mutable_despawn_agents()->add_agent_ids(77);
  v1::Command far = DefineWanderer(3);
  far.set_apply_tick(3'601);
  const auto response = client_.MustSubmit(
      name, {DefineWanderer(1), fast, SpawnInDisc(9, 1), nobody, far,
             v1::Command(), SpawnInDisc(1, 2), SpawnInDisc(1, 3)});
  const auto rejection = [&](int i) { return response.results(i).rejection(); };
  EXPECT_EQ(rejection(1).reason(), "OUT_OF_BOUNDS");
  EXPECT_EQ(rejection(1).code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(rejection(1).field(),
            "commands[1].define_archetype.archetype.max_speed");
  EXPECT_EQ(rejection(2).reason(), "ARCHETYPE_UNKNOWN");
  EXPECT_EQ(rejection(2).field(),
            "commands[2].spawn_agents.area.prototype.archetype_id");
  EXPECT_EQ(rejection(3).reason(), "AGENT_NOT_FOUND");
  EXPECT_EQ(rejection(3).field(), "commands[3].despawn_agents.agent_ids[0]");
  EXPECT_EQ(rejection(4).reason(), "TICK_TOO_FAR");
  EXPECT_EQ(rejection(4).field(), "commands[4].apply_tick");
  EXPECT_NE(rejection(4).description().find("3600"), std::string::npos);
  EXPECT_EQ(rejection(5).field(), "commands[5]");
  // Refused commands take no sequence and no ids.
  EXPECT_EQ(response.results(6).admission().sequence(), 2);
  EXPECT_EQ(response.results(6).admission().first_agent_id(), 1);
  EXPECT_EQ(response.results(7).admission().sequence(), 3);
  EXPECT_EQ(response.results(7).admission().first_agent_id(), 3);
  client_.MustStep(name, 1);
  EXPECT_EQ(client_.MustGet(name).agent_count(), 5);
}

TEST_F(WorldsTest, CommandsWaitForTheirTick) {
  const std::string name = client_.MustCreate("a");
  v1::Command spawn = SpawnInDisc(1, 5);
  spawn.set_apply_tick(10);
  ExpectAdmitted(client_.MustSubmit(name, {DefineWanderer(1), spawn}));
  client_.MustStep(name, 9);
  EXPECT_EQ(client_.MustGet(name).agent_count(), 0);
  EXPECT_EQ(client_.MustGet(name).pending_command_count(), 1);
  client_.MustStep(name, 1);
  EXPECT_EQ(client_.MustGet(name).agent_count(), 5);
  // Too late means next.
  const auto late = client_.MustSubmit(name, {spawn});
  EXPECT_EQ(late.results(0).admission().apply_tick(), 11);
}

TEST_F(WorldsTest, AgentsAreShownAsTheyWereMade) {
  const std::string name = client_.MustCreate("a");
  v1::Command spawn;
  auto& agent = *spawn.mutable_spawn_agents()->mutable_agents()->add_agents();
  agent.set_archetype_id(1);
  agent.mutable_position()->set_x(10.25f);
  agent.mutable_velocity()->set_y(-2.0f);
  agent.set_seed(0);
  agent.set_tag(0x8000000000000001);
  agent.add_targets();
  agent.add_targets()->mutable_point()->set_z(3.0f);
  agent.add_targets()->set_agent_id(1);
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineSeeker(1), SpawnInDisc(1, 1), spawn}));
  const v1::StepWorldResponse step = client_.MustStep(name, 1);

  v1::GetAgentResponse response;
  ASSERT_TRUE(client_.GetAgent(name, 2, &response).ok());
  EXPECT_EQ(response.tick(), 1);
  EXPECT_EQ(response.epoch(), 1);
  EXPECT_EQ(response.state_hash(), step.state_hash());
  EXPECT_EQ(response.agent().id(), 2);
  EXPECT_EQ(response.agent().archetype_id(), 1);
  EXPECT_EQ(response.agent().seed(), 0u);
  EXPECT_EQ(response.agent().tag(), 0x8000000000000001);
  EXPECT_EQ(response.agent().step_count(), 1);
  ASSERT_EQ(response.agent().targets_size(), 4);
  EXPECT_EQ(response.agent().targets(0).kind_case(), v1::Target::KIND_NOT_SET);
  EXPECT_EQ(response.agent().targets(1).point().z(), 3.0f);
  EXPECT_EQ(response.agent().targets(2).agent_id(), 1);

  // Its slot 0 is empty, so it has only coasted.
  EXPECT_EQ(response.agent().position().x(), 10.25f);
  EXPECT_EQ(response.agent().velocity().y(), -2.0f);
}

TEST_F(WorldsTest, AgentsStoppedAtAnOpenBoundAreCounted) {
  const std::string name = client_.MustCreate("a");
  v1::Command spawn;
  auto& agents = *spawn.mutable_spawn_agents()->mutable_agents();
  for (const float x : {2047.99f, 0.0f}) {  // without a target they coast
    auto& agent = *agents.add_agents();
    agent.set_archetype_id(1);
    agent.mutable_position()->set_x(x);
    agent.mutable_velocity()->set_x(3.0f);
  }
  ExpectAdmitted(client_.MustSubmit(name, {DefineSeeker(1), spawn}));
  EXPECT_EQ(client_.MustGet(name).bound_stops(), 0);
  client_.MustStep(name, 1);
  EXPECT_EQ(client_.MustGet(name).bound_stops(), 1);
  v1::GetAgentResponse response;
  ASSERT_TRUE(client_.GetAgent(name, 1, &response).ok());
  EXPECT_EQ(response.agent().position().x(), 2048.0f);
  EXPECT_EQ(response.agent().velocity().x(), 0.0f);
  client_.MustStep(name, 10);
  EXPECT_EQ(client_.MustGet(name).bound_stops(), 1) << "it rests there";
}

TEST_F(WorldsTest, TargetsAndDespawnsReachAgents) {
  const std::string name = client_.MustCreate("a");
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineSeeker(1), SpawnInDisc(1, 3, 1.0f)}));
  client_.MustStep(name, 1);
  v1::Command target;
  target.mutable_set_target()->add_agent_ids(2);
  target.mutable_set_target()->mutable_target()->mutable_point()->set_x(100);
  v1::Command despawn;
  despawn.mutable_despawn_agents()->add_agent_ids(3);
  ExpectAdmitted(client_.MustSubmit(name, {target, despawn}));
  client_.MustStep(name, 60);
  v1::GetAgentResponse resting, seeking;
  ASSERT_TRUE(client_.GetAgent(name, 1, &resting).ok());
  ASSERT_TRUE(client_.GetAgent(name, 2, &seeking).ok());
  EXPECT_EQ(resting.agent().velocity().x(), 0.0f);
  EXPECT_GT(seeking.agent().velocity().x(), 1.0f);
  const Refusal gone = Explain(client_.GetAgent(name, 3));
  EXPECT_EQ(gone.code, grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(gone.reason, "AGENT_NOT_FOUND");
  // Once more: admitted, for it was an agent, but nothing is left to do.
  ExpectAdmitted(client_.MustSubmit(name, {despawn}));
  client_.MustStep(name, 1);
  EXPECT_EQ(client_.MustGet(name).command_outcomes().agent_gone(), 1);
}

TEST_F(WorldsTest, PagesOfAgentsHoldEachOnceInOrder) {
  const std::string name = client_.MustCreate("a");
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 1500)}));
  v1::Command despawn;
  for (int id = 1; id <= 1500; id += 3) {
    despawn.mutable_despawn_agents()->add_agent_ids(id);
  }
  client_.MustStep(name, 1);
  ExpectAdmitted(client_.MustSubmit(name, {despawn}));
  const v1::StepWorldResponse step = client_.MustStep(name, 1);
  for (const std::int32_t page_size : {0, 1, 7, 999, 1000}) {
    v1::ListAgentsRequest request;
    request.set_world(name);
    request.set_page_size(page_size);
    std::int64_t last = 0;
    std::int64_t count = 0;
    int calls = 0;
    do {
      v1::ListAgentsResponse page;
      const grpc::Status status = client_.ListAgents(request, &page);
      ASSERT_TRUE(status.ok()) << Show(status);
      EXPECT_LE(page.agents_size(), page_size == 0 ? 100 : page_size);
      EXPECT_EQ(page.tick(), 2);
      EXPECT_EQ(page.state_hash(), step.state_hash());
      for (const v1::Agent& agent : page.agents()) {
        EXPECT_GT(agent.id(), last);
        EXPECT_NE(agent.id() % 3, 1);
        last = agent.id();
        ++count;
      }
      request.set_page_token(page.next_page_token());
      // Of small pages the beginning tells enough.
      if (++calls == 20) break;
    } while (!request.page_token().empty());
    if (page_size != 1 && page_size != 7) {
      EXPECT_EQ(count, 1000);
    }
  }
}

TEST_F(WorldsTest, ARealtimeWorldTicksByItself) {
  const std::string name = client_.MustCreate("a", 1, v1::CLOCK_MODE_REALTIME);
  Call call;
  const auto reader = client_.Watch(call.context, name);
  v1::Frame frame;
  std::int64_t tick = -1;
  while (tick < 10) {
    ASSERT_TRUE(reader->Read(&frame));
    EXPECT_GT(frame.tick(), tick);
    tick = frame.tick();
  }
  const Refusal refusal = Explain(client_.Step(name, 1));
  EXPECT_EQ(refusal.code, grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(refusal.reason, "CLOCK_MODE");
  // A query waits for a tick at most.
  v1::ListAgentsRequest request;
  request.set_world(name);
  v1::ListAgentsResponse response;
  ASSERT_TRUE(client_.ListAgents(request, &response).ok());
  EXPECT_GE(response.tick(), tick);
  call.context.TryCancel();
}

TEST_F(WorldsTest, SteppersAreServedOneAfterTheOtherAndToldTheirOwnTick) {
  const std::string name = client_.MustCreate("a");
  constexpr int kThreads = 8;
  constexpr int kCalls = 50;
  std::vector<std::vector<std::int64_t>> told(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kCalls; ++i) {
        told[static_cast<std::size_t>(t)].push_back(
            client_.MustStep(name, 1 + t % 3).tick());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<std::int64_t, int> by_tick;
  std::int64_t total = 0;
  for (std::size_t t = 0; t < told.size(); ++t) {
    std::int64_t last = 0;
    for (const std::int64_t tick : told[t]) {
      EXPECT_GT(tick, last);
      last = tick;
      ++by_tick[tick];
      total += 1 + static_cast<std::int64_t>(t) % 3;
    }
  }
  for (const auto& [tick, count] : by_tick) EXPECT_EQ(count, 1) << tick;
  EXPECT_EQ(client_.MustGet(name).tick(), total);
}

TEST(WorldLimitsTest, TheServerTakesSoManyWorldsAndSaysSo) {
  ServerProcess server({"--max_worlds=2"});
  const Client client(server.address());
  client.MustCreate("a");
  client.MustCreate("b");
  v1::CreateWorldRequest request;
  request.set_world_id("c");
  const Refusal refusal = Explain(client.Create(request));
  EXPECT_EQ(refusal.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refusal.reason, "QUOTA_EXCEEDED");
  EXPECT_TRUE(refusal.retry);
  EXPECT_NE(refusal.message.find("2"), std::string::npos);
  ASSERT_TRUE(client.Delete("worlds/a").ok());
  EXPECT_TRUE(client.Create(request).ok());
}

}  // namespace
}  // namespace meander
