// What a server refuses, how it says so, and that it changes nothing.

#include <google/protobuf/text_format.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::StatusCode;
using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls)

class BadInputTest : public testing::Test {
 protected:
  // The refusal of a request that is wrong in one field.
  void ExpectFieldAtFault(const grpc::Status& status,
                          const std::string& field) const {
    const Refusal refusal = Explain(status);
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT) << refusal.message;
    EXPECT_TRUE(refusal.Names(field)) << field << "; " << refusal.message;
    EXPECT_EQ(refusal.domain, "meander.dev");
    EXPECT_FALSE(refusal.reason.empty());
    EXPECT_LT(status.error_details().size(), 6'000u);
  }

  grpc::Status CreateFromText(const std::string& text) const {
    v1::CreateWorldRequest request;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &request));
    return client_.Create(request);
  }

  grpc::Status WatchStatus(const std::string& world,
                           std::int32_t interval = 0) const {
    Call call;
    const auto reader = client_.Watch(call.context, world, interval);
    v1::Frame frame;
    while (reader->Read(&frame)) {
    }
    return reader->Finish();
  }

  ServerProcess server_;
  Client client_{server_.address()};
};

// Not a name of a world, in "worlds/{world}" and where {world} alone stands.
std::vector<std::string> HostileIds() {
  return {"",
          "..",
          ".",
          "a/b",
          std::string(10'240, 'a'),
          "\0"s,
          "a\0b"s,
          "A",
          "1a",
          "-a",
          "a-",
          "a b",
          "a\n",
          "a%2f",
          std::string(64, 'a'),
          "é",
          "world\xf0\x9f\x90\x9f",
          "*",
          "a.b"};
}

TEST_F(BadInputTest, HostileNamesAreRefusedByTheirField) {
  for (const std::string& id : HostileIds()) {
    v1::CreateWorldRequest create;
    create.set_world_id(id);
    ExpectFieldAtFault(client_.Create(create), "world_id");
    for (const std::string& name : {id, "worlds/" + id, "worlds/a/" + id}) {
      ExpectFieldAtFault(client_.Get(name), "name");
      ExpectFieldAtFault(client_.Delete(name), "name");
      ExpectFieldAtFault(client_.Step(name, 1), "name");
      ExpectFieldAtFault(client_.Pause(name), "name");
      ExpectFieldAtFault(client_.Resume(name), "name");
      v1::UpdateWorldRequest update;
      update.mutable_world()->set_name(name);
      ExpectFieldAtFault(client_.Update(update), "world.name");
      v1::ListArchetypesRequest archetypes;
      archetypes.set_world(name);
      ExpectFieldAtFault(client_.ListArchetypes(archetypes), "world");
      v1::SubmitCommandsRequest submit;
      submit.set_world(name);
      *submit.add_commands() = DefineWanderer(1);
      ExpectFieldAtFault(client_.Submit(submit), "world");
      ExpectFieldAtFault(client_.GetAgent(name, 1), "world");
      v1::ListAgentsRequest list;
      list.set_world(name);
      ExpectFieldAtFault(client_.ListAgents(list), "world");
      ExpectFieldAtFault(WatchStatus(name), "world");
    }
  }
  client_.MustServe();
}

// Of the methods that take one beside SubmitCommands.
TEST_F(BadInputTest, HostileRequestIdsAreRefusedByTheirField) {
  const std::string name = client_.MustCreate("here");
  std::vector<std::string> ids = HostileIds();
  const std::string uuid = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61";
  for (const char* odd : {"-", "g", " ", "\n"}) {
    ids.push_back(uuid + odd);
    ids.push_back(uuid.substr(0, 35) + odd);
    ids.push_back('{' + uuid + '}');
  }
  for (const std::string& id : ids) {
    if (id.empty()) continue;  // None.
    v1::CreateWorldRequest create;
    create.set_world_id("there");
    create.set_request_id(id);
    ExpectFieldAtFault(client_.Create(create), "request_id");
    v1::StepWorldRequest step;
    step.set_name(name);
    step.set_request_id(id);
    ExpectFieldAtFault(client_.Step(step), "request_id");
  }
  EXPECT_EQ(client_.Get("worlds/there").error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(client_.MustGet(name).tick(), 0);
}

TEST_F(BadInputTest, LongestAndShortestNamesAreTaken) {
  for (const std::string& id : {"a"s, std::string(63, 'z'), "a-0"s}) {
    EXPECT_TRUE(client_.Delete(client_.MustCreate(id)).ok());
  }
}

TEST_F(BadInputTest, UnknownNamesAreNotFound) {
  const std::string name = "worlds/nowhere";
  v1::SubmitCommandsRequest submit;
  submit.set_world(name);
  *submit.add_commands() = DefineWanderer(1);
  v1::ListAgentsRequest list;
  list.set_world(name);
  v1::ListArchetypesRequest archetypes;
  archetypes.set_world(name);
  v1::UpdateWorldRequest update;
  update.mutable_world()->set_name(name);
  for (const grpc::Status& status :
       {client_.Get(name), client_.Delete(name), client_.Step(name, 1),
        client_.Pause(name), client_.Resume(name), client_.Update(update),
        client_.ListArchetypes(archetypes), client_.Submit(submit),
        client_.GetAgent(name, 1), client_.ListAgents(list),
        WatchStatus(name)}) {
    const Refusal refusal = Explain(status);
    EXPECT_EQ(refusal.code, StatusCode::NOT_FOUND);
    EXPECT_EQ(refusal.reason, "WORLD_NOT_FOUND");
    EXPECT_NE(refusal.message.find(name), std::string::npos);
  }
}

struct BadConfig {
  std::string text;
  std::string field;
};

TEST_F(BadInputTest, ConfigsAreRefusedByTheirFields) {
  const auto config = [](const std::string& text) {
    return "world { simulation { " + text + " } }";
  };
  const BadConfig cases[] = {
      {config("tick_rate_hz: 1001"), "world.simulation.tick_rate_hz"},
      {config("tick_rate_hz: 2147483647"), "world.simulation.tick_rate_hz"},
      {config("tick_rate_hz: -60"), "world.simulation.tick_rate_hz"},
      {config("plane: 77"), "world.simulation.plane"},
      {config("bounds { min { } max { } }"), "world.simulation.bounds.max.x"},
      {config("bounds { mode: 9 max { x: 1 y: 1 z: 1 } }"),
       "world.simulation.bounds.mode"},
      {config("bounds { min { x: nan } max { x: 1 y: 1 z: 1 } }"),
       "world.simulation.bounds.min.x"},
      {config("bounds { max { x: 1 y: inf z: 1 } }"),
       "world.simulation.bounds.max.y"},
      {config("bounds { min { z: -inf } max { x: 1 y: 1 z: 1 } }"),
       "world.simulation.bounds.min.z"},
      {config("bounds { max { x: 1 y: 1e30 z: 1 } }"),
       "world.simulation.bounds.max.y"},
      {config("bounds { min { } max { x: 1 y: -1 z: 1 } }"),
       "world.simulation.bounds.max.y"},
      {config("max_agents: 1000001"), "world.simulation.max_agents"},
      {config("max_agents: -1"), "world.simulation.max_agents"},
      {"world { hosting { clock_mode: 9 } }", "world.hosting.clock_mode"},
      {"world { hosting { durability: 9 } }", "world.hosting.durability"},
      {"world { name: 'worlds/a' }", "world.name"},
      {"world { tick: 1 }", "world.tick"},
      {"world { state_hash: 1 }", "world.state_hash"},
      {"world { command_outcomes { } }", "world.command_outcomes"},
  };
  for (const BadConfig& bad : cases) {
    ExpectFieldAtFault(CreateFromText("world_id: 'a' " + bad.text), bad.field);
  }
  EXPECT_EQ(client_.Get("worlds/a").error_code(), StatusCode::NOT_FOUND);
}

TEST_F(BadInputTest, AllFieldsAtFaultAreNamedAtOnce) {
  const Refusal refusal = Explain(
      CreateFromText("world_id: '..' world { tick: 3 simulation { "
                     "tick_rate_hz: 5000 plane: 9 } hosting { clock_mode: 9 } "
                     "}"));
  EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
  for (const char* field :
       {"world_id", "world.tick", "world.simulation.tick_rate_hz",
        "world.simulation.plane", "world.hosting.clock_mode"}) {
    EXPECT_TRUE(refusal.Names(field)) << field;
  }
}

TEST_F(BadInputTest, TheLimitIsNamedWithTheField) {
  const Refusal refusal = Explain(CreateFromText(
      "world_id: 'a' world { simulation { tick_rate_hz: 1001 } }"));
  ASSERT_EQ(refusal.descriptions.size(), 1u);
  EXPECT_NE(refusal.descriptions[0].find("1000"), std::string::npos);
}

TEST_F(BadInputTest, OnlyDurabilityNoneCanBeHad) {
  for (const char* durability : {"DURABILITY_COMMITTED", "DURABILITY_ASYNC"}) {
    const Refusal refusal = Explain(CreateFromText(
        "world_id: 'a' world { hosting { durability: "s + durability + " } }"));
    EXPECT_EQ(refusal.code, StatusCode::FAILED_PRECONDITION);
    EXPECT_EQ(refusal.reason, "DURABILITY_UNAVAILABLE");
    EXPECT_NE(refusal.message.find("DURABILITY_NONE"), std::string::npos)
        << refusal.message;
  }
  EXPECT_TRUE(CreateFromText("world_id: 'a' world { hosting { durability: "
                             "DURABILITY_NONE } }")
                  .ok());
}

TEST_F(BadInputTest, NumbersOutOfRangeAreRefusedByTheirField) {
  const std::string name = client_.MustCreate("a");
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t ticks :
       {kLeast, std::int64_t{-1}, std::int64_t{1'000'001}, kMost}) {
    ExpectFieldAtFault(client_.Step(name, ticks), "ticks");
  }
  for (const std::int64_t id : {kLeast, std::int64_t{-1}, std::int64_t{0}}) {
    ExpectFieldAtFault(client_.GetAgent(name, id), "agent_id");
  }
  EXPECT_EQ(Explain(client_.GetAgent(name, kMost)).reason, "AGENT_NOT_FOUND");
  for (const std::int32_t size :
       {-1, 1001, std::numeric_limits<std::int32_t>::max(),
        std::numeric_limits<std::int32_t>::min()}) {
    v1::ListAgentsRequest agents;
    agents.set_world(name);
    agents.set_page_size(size);
    ExpectFieldAtFault(client_.ListAgents(agents), "page_size");
    Call call;
    v1::ListWorldsRequest worlds;
    worlds.set_page_size(size);
    v1::ListWorldsResponse response;
    ExpectFieldAtFault(
        client_.worlds->ListWorlds(&call.context, worlds, &response),
        "page_size");
  }
  for (const std::int32_t interval : {-1, 3601}) {
    ExpectFieldAtFault(WatchStatus(name, interval), "interval_ticks");
  }
  EXPECT_EQ(client_.MustGet(name).tick(), 0);
}

TEST_F(BadInputTest, TokensThatNobodyGaveAreRefused) {
  const std::string name = client_.MustCreate("a");
  for (const std::string& token :
       {"x"s, "1"s, "1."s, ".1"s, "1.-1"s, "1.01"s, "2.1"s, "1.1.1"s, "1.1 "s,
        "1.99999999999999999999"s, "\0"s, std::string(10'000, '1')}) {
    v1::ListAgentsRequest request;
    request.set_world(name);
    request.set_page_token(token);
    ExpectFieldAtFault(client_.ListAgents(request), "page_token");
  }
  for (const std::string& token : {"worlds/a"s, ".."s, "A"s, "\0"s}) {
    Call call;
    v1::ListWorldsRequest request;
    request.set_page_token(token);
    v1::ListWorldsResponse response;
    ExpectFieldAtFault(
        client_.worlds->ListWorlds(&call.context, request, &response),
        "page_token");
  }
}

TEST_F(BadInputTest, BatchesOfTheWrongSizeAreRefusedWhole) {
  const std::string name = client_.MustCreate("a");
  v1::SubmitCommandsRequest request;
  request.set_world(name);
  ExpectFieldAtFault(client_.Submit(request), "commands");
  for (int i = 0; i < 4097; ++i) *request.add_commands() = DefineWanderer(1);
  ExpectFieldAtFault(client_.Submit(request), "commands");
  EXPECT_NE(client_.Submit(request).error_message().find("4096"),
            std::string::npos);
  EXPECT_EQ(client_.MustGet(name).pending_command_count(), 0);
}

TEST_F(BadInputTest, AWholeBatchOfRefusalsFitsIntoAMessage) {
  const std::string name = client_.MustCreate("a");
  v1::Command bad = DefineWanderer(1);
  bad.mutable_define_archetype()->mutable_archetype()->set_max_speed(1e-9f);
  const auto response =
      client_.MustSubmit(name, std::vector<v1::Command>(4096, bad));
  EXPECT_LE(response.ByteSizeLong(), std::size_t{1} << 20);
  for (int i = 0; i < response.results_size(); ++i) {
    const v1::CommandRejection& rejection = response.results(i).rejection();
    ASSERT_EQ(rejection.reason(), "OUT_OF_BOUNDS");
    ASSERT_EQ(rejection.field(), "commands[" + std::to_string(i) +
                                     "].define_archetype.archetype.max_speed");
  }
  EXPECT_FALSE(response.results(0).rejection().description().empty());
  EXPECT_EQ(client_.MustGet(name).pending_command_count(), 0);
}

TEST_F(BadInputTest, NothingThatIsRefusedChangesAWorld) {
  const std::string name = client_.MustCreate("a", 9);
  const std::string twin = client_.MustCreate("twin", 9);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<v1::Command> bad(4, SpawnInDisc(1, 1));
  bad[0].mutable_spawn_agents()->mutable_area()->mutable_disc()->set_radius(
      nan);
  bad[1].mutable_spawn_agents()->mutable_area()->set_count(1 << 30);
  bad[2]
      .mutable_spawn_agents()
      ->mutable_area()
      ->mutable_prototype()
      ->mutable_velocity()
      ->set_y(-nan);
  bad[3].mutable_set_target()->add_agent_ids(0);
  for (const std::string& world : {name, twin}) {
    ExpectAdmitted(
        client_.MustSubmit(world, {DefineWanderer(1), SpawnInDisc(1, 50)}));
    if (world == name) {
      const auto response = client_.MustSubmit(world, bad);
      for (const auto& result : response.results()) {
        EXPECT_TRUE(result.has_rejection());
      }
    }
    const auto after = client_.MustSubmit(world, {SpawnInDisc(1, 50)});
    EXPECT_EQ(after.results(0).admission().first_agent_id(), 51);
  }
  EXPECT_EQ(client_.MustStep(name, 100).state_hash(),
            client_.MustStep(twin, 100).state_hash());
}

TEST_F(BadInputTest, MoreAgentsThanTheWorldTakesAreRefused) {
  v1::CreateWorldRequest request;
  request.set_world_id("a");
  request.mutable_world()->mutable_simulation()->set_max_agents(10);
  request.mutable_world()->mutable_hosting()->set_clock_mode(
      v1::CLOCK_MODE_MANUAL);
  ASSERT_TRUE(client_.Create(request).ok());
  const auto response =
      client_.MustSubmit("worlds/a", {DefineWanderer(1), SpawnInDisc(1, 8),
                                      SpawnInDisc(1, 3), SpawnInDisc(1, 2)});
  const v1::CommandRejection& rejection = response.results(2).rejection();
  EXPECT_EQ(rejection.reason(), "QUOTA_EXCEEDED");
  EXPECT_EQ(rejection.code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(rejection.description().find("10"), std::string::npos);
  EXPECT_TRUE(response.results(3).has_admission());
  client_.MustStep("worlds/a", 1);
  EXPECT_EQ(client_.MustGet("worlds/a").agent_count(), 10);
}

TEST_F(BadInputTest, RequestsOfMoreThanFourMebibytesAreRefused) {
  const std::string name = client_.MustCreate("a");
  v1::SubmitCommandsRequest request;
  request.set_world(name);
  auto& despawn = *request.add_commands()->mutable_despawn_agents();
  for (int i = 0; i < 1'000'000; ++i) despawn.add_agent_ids(1'000'000'000 + i);
  ASSERT_GT(request.ByteSizeLong(), std::size_t{4} << 20);
  EXPECT_EQ(client_.Submit(request).error_code(),
            StatusCode::RESOURCE_EXHAUSTED);
  client_.MustServe();
}

// Two bytes each on the wire, a hundred in memory.
TEST_F(BadInputTest, RequestsOfTooManyMessagesAreRefused) {
  const std::string name = client_.MustCreate("a");
  v1::SubmitCommandsRequest request;
  request.set_world(name);
  for (int i = 0; i < 30; ++i) {
    auto& list =
        *request.add_commands()->mutable_spawn_agents()->mutable_agents();
    for (int j = 0; j < 65'536; ++j) list.add_agents();
  }
  const Refusal refusal = Explain(client_.Submit(request));
  EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(refusal.reason, "OUT_OF_BOUNDS");
  EXPECT_NE(refusal.message.find("messages at most"), std::string::npos);
  client_.MustServe();
}

// A few kilobytes could stand for gigabytes.
TEST_F(BadInputTest, CompressedRequestsAreRefused) {
  Call call;
  call.context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  v1::GetWorldRequest request;
  request.set_name("worlds/" + std::string(100'000, 'a'));
  v1::World world;
  EXPECT_EQ(
      client_.worlds->GetWorld(&call.context, request, &world).error_code(),
      StatusCode::UNIMPLEMENTED);
  client_.MustServe();
}

}  // namespace
}  // namespace meander
