// Bytes that are not the message, or not all of it, to every method.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/generic_call.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using google::protobuf::TextFormat;
using grpc::StatusCode;
using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls)

struct Method {
  std::string path;
  std::string valid;  // A request with everything in it.
  std::string text;   // Its first field, when that is a text.
};

template <typename Request>
std::string Bytes(const std::string& text) {
  Request request;
  EXPECT_TRUE(TextFormat::ParseFromString(text, &request)) << text;
  return request.SerializeAsString();
}

constexpr char kCommands[] = R"(
  commands { apply_tick: 3 define_archetype { archetype {
    id: 3 max_speed: 4 max_force: 5 mass: 6
    terms { weight: 0.5 seek { slot: 2 } }
    terms { weight: 2 wander_world_angle { radius: 1 distance: 2 jitter: 3 } }
  } } }
  commands { spawn_agents { agents { agents {
    archetype_id: 3 position { x: 1 y: 2 z: 3 } velocity { x: 4 y: 5 z: 6 }
    seed: 7 tag: 8 targets { point { x: 9 } } targets { agent_id: 12 }
    wander_angle: 0.25 } } } }
  commands { spawn_agents { area {
    count: 3 prototype { archetype_id: 3 tag: 5 }
    ball { center { x: 1 } radius: 4 } } } }
  commands { despawn_agents { agent_ids: [1, 300, 70000] } }
  commands { set_target { agent_ids: [1] slot: 1 target { point { x: 1 } } } }
)";

std::vector<Method> Methods() {
  const std::string service = "/meander.v1.";
  return {
      {service + "WorldService/CreateWorld",
       Bytes<v1::CreateWorldRequest>(
           "world_id: 'made' world { simulation { seed: 1 tick_rate_hz: 2 "
           "plane: PLANE_XY bounds { min { x: -1 y: -2 z: -3 } max { x: 1 y: 2 "
           "z: 3 } mode: BOUNDS_MODE_CLAMP } max_agents: 5 } hosting { "
           "clock_mode: CLOCK_MODE_MANUAL durability: DURABILITY_NONE "
           "time_scale: 2 input_delay_ticks: 3 hash_interval_ticks: 4 idle_ttl "
           "{ seconds: 2000 nanos: 5 } until_tick: 6 } labels { key: 'a' "
           "value: 'b' } }"),
       "world_id"},
      {service + "WorldService/GetWorld",
       Bytes<v1::GetWorldRequest>("name: 'worlds/none'"), "name"},
      {service + "WorldService/ListWorlds",
       Bytes<v1::ListWorldsRequest>("page_size: 3 page_token: 'abc' filter: "
                                    "'state = PAUSED'"),
       ""},
      {service + "WorldService/ListArchetypes",
       Bytes<v1::ListArchetypesRequest>(
           "world: 'worlds/fuzzed' page_size: 300 page_token: '1.5'"),
       "world"},
      {service + "WorldService/UpdateWorld",
       Bytes<v1::UpdateWorldRequest>(
           "world { name: 'worlds/fuzzed' hosting { clock_mode: "
           "CLOCK_MODE_MANUAL time_scale: 2 idle_ttl { seconds: 2000 } } "
           "labels { key: 'a' value: 'b' } } update_mask { paths: 'labels' "
           "paths: 'hosting.time_scale' }"),
       "world.name"},
      {service + "WorldService/DeleteWorld",
       Bytes<v1::DeleteWorldRequest>("name: 'worlds/none'"), "name"},
      {service + "WorldService/PauseWorld",
       Bytes<v1::PauseWorldRequest>("name: 'worlds/fuzzed'"), "name"},
      {service + "WorldService/ResumeWorld",
       Bytes<v1::ResumeWorldRequest>("name: 'worlds/fuzzed'"), "name"},
      {service + "WorldService/StepWorld",
       Bytes<v1::StepWorldRequest>(
           "name: 'worlds/none' ticks: 300 until_tick: 400 expected_tick: 5 "
           "request_id: '6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61' "
           "include_frame: true"),
       "name"},
      {service + "WorldService/GetServerInfo", "\x0a\x04none"s, ""},
      {service + "CommandService/SubmitCommands",
       Bytes<v1::SubmitCommandsRequest>("world: 'worlds/fuzzed' "s + kCommands),
       "world"},
      {service + "QueryService/GetAgent",
       Bytes<v1::GetAgentRequest>("world: 'worlds/fuzzed' agent_id: 300"),
       "world"},
      {service + "CommandService/GetCommandOutcomes",
       Bytes<v1::GetCommandOutcomesRequest>(
           "world: 'worlds/fuzzed' sequences: [1, 300, 70000]"),
       "world"},
      {service + "QueryService/BatchGetAgents",
       Bytes<v1::BatchGetAgentsRequest>(
           "world: 'worlds/fuzzed' agent_ids: [1, 300, 70000]"),
       "world"},
      {service + "QueryService/ListAgents",
       Bytes<v1::ListAgentsRequest>(
           "world: 'worlds/fuzzed' page_size: 300 page_token: '1.5'"),
       "world"},
      {service + "StreamService/WatchWorld",
       Bytes<v1::WatchWorldRequest>("world: 'worlds/none' interval_ticks: "
                                    "300"),
       "world"},
      {"/grpc.health.v1.Health/Check", "\x0a\x04none"s, "service"},
      {"/grpc.health.v1.Health/Watch", "\x0a\x04none"s, "service"},
  };
}

class HostileBytesTest : public testing::Test {
 protected:
  void SetUp() override { client_.MustCreate("fuzzed"); }

  void TearDown() override {
    // Whatever was admitted, the world goes on and holds numbers.
    v1::UpdateWorldRequest manual;
    manual.mutable_world()->set_name("worlds/fuzzed");
    manual.mutable_world()->mutable_hosting()->set_clock_mode(
        v1::CLOCK_MODE_MANUAL);
    EXPECT_TRUE(client_.Update(manual).ok());
    client_.MustStep("worlds/fuzzed", 10);
    v1::ListAgentsRequest request;
    request.set_world("worlds/fuzzed");
    v1::ListAgentsResponse response;
    EXPECT_TRUE(client_.ListAgents(request, &response).ok());
    client_.MustServe();
  }

  // A canonical answer, and never one that tells of a fault of ours.
  void ExpectSaneAnswer(const Method& method, const std::string& bytes) {
    const GenericAnswer answer =
        CallMethod(client_.channel, method.path, {bytes}, 1);
    switch (answer.status.error_code()) {
      case StatusCode::OK:
      case StatusCode::CANCELLED:  // By us, after the first message.
        EXPECT_EQ(answer.messages.size(), 1u);
        break;
      case StatusCode::INVALID_ARGUMENT:
      case StatusCode::NOT_FOUND:
      case StatusCode::ALREADY_EXISTS:
      case StatusCode::FAILED_PRECONDITION:
      case StatusCode::OUT_OF_RANGE:
      case StatusCode::ABORTED:
      case StatusCode::RESOURCE_EXHAUSTED:
        EXPECT_TRUE(answer.messages.empty());
        if (!method.path.starts_with("/grpc.")) {
          EXPECT_EQ(Explain(answer.status).domain, "meander.dev");
        }
        break;
      default:
        ADD_FAILURE() << method.path << ": " << Show(answer.status);
    }
  }

  ServerProcess server_;
  Client client_{server_.address()};
};

TEST_F(HostileBytesTest, EveryMethodIsTried) {
  std::size_t count = 0;
  for (const char* name :
       {"meander/v1/world_service.proto", "meander/v1/command_service.proto",
        "meander/v1/query_service.proto", "meander/v1/stream_service.proto",
        "grpc/health/v1/health.proto"}) {
    const auto* file =
        google::protobuf::DescriptorPool::generated_pool()->FindFileByName(
            name);
    ASSERT_NE(file, nullptr);
    for (int i = 0; i < file->service_count(); ++i) {
      count += static_cast<std::size_t>(file->service(i)->method_count());
    }
  }
  EXPECT_EQ(Methods().size(), count);
}

TEST_F(HostileBytesTest, TruncatedRequestsAreAnswered) {
  for (const Method& method : Methods()) {
    for (std::size_t size = 0; size <= method.valid.size(); ++size) {
      ExpectSaneAnswer(method, method.valid.substr(0, size));
    }
  }
}

TEST_F(HostileBytesTest, RandomBytesAreAnswered) {
  std::mt19937 random(2024);
  for (const Method& method : Methods()) {
    for (int i = 0; i < 200; ++i) {
      std::string bytes(random() % 64, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      ExpectSaneAnswer(method, bytes);
    }
  }
}

TEST_F(HostileBytesTest, DamagedRequestsAreAnswered) {
  std::mt19937 random(2025);
  for (const Method& method : Methods()) {
    for (int i = 0; i < 200; ++i) {
      std::string bytes = method.valid;
      for (std::uint32_t flips = 1 + random() % 4; flips > 0; --flips) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      ExpectSaneAnswer(method, bytes);
    }
  }
}

TEST_F(HostileBytesTest, BytesThatAreNoMessageSaySo) {
  for (const Method& method : Methods()) {
    const GenericAnswer answer =
        CallMethod(client_.channel, method.path, {"\xff\xff\xff"s});
    const Refusal refusal = Explain(answer.status);
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT) << method.path;
    EXPECT_EQ(refusal.reason, "MALFORMED") << method.path;
  }
}

TEST_F(HostileBytesTest, TextThatIsNotUtf8IsNamed) {
  for (const Method& method : Methods()) {
    if (method.text.empty()) continue;
    const bool nested = method.text.find('.') != std::string::npos;
    const std::string bytes =
        (nested ? "\x0a\x0b"s : ""s) + "\x0a\x09worlds/\xc3\x28"s;
    const GenericAnswer answer =
        CallMethod(client_.channel, method.path, {bytes});
    const Refusal refusal = Explain(answer.status);
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT) << method.path;
    EXPECT_EQ(refusal.fields, std::vector<std::string>{method.text})
        << method.path;
    EXPECT_NE(refusal.message.find("UTF-8"), std::string::npos);
  }
}

// In every field that takes a text but the first.
TEST_F(HostileBytesTest, OtherTextsThatAreNotUtf8AreNamed) {
  struct Text {
    std::string method;
    std::string valid;  // with "TEXT" where the text stands
    std::string field;
  };
  const Text cases[] = {
      {"CreateWorld",
       Bytes<v1::CreateWorldRequest>("world_id: 'a' request_id: 'TEXT'"),
       "request_id"},
      {"CreateWorld",
       Bytes<v1::CreateWorldRequest>(
           "world_id: 'a' world { labels { key: 'TEXT' value: 'b' } }"),
       "world.labels[0].key"},
      {"CreateWorld",
       Bytes<v1::CreateWorldRequest>(
           "world_id: 'a' world { labels { key: 'a' value: 'TEXT' } }"),
       "world.labels[0].value"},
      {"UpdateWorld",
       Bytes<v1::UpdateWorldRequest>("world { name: 'worlds/fuzzed' } "
                                     "update_mask { paths: 'TEXT' }"),
       "update_mask.paths[0]"},
      {"ListWorlds", Bytes<v1::ListWorldsRequest>("filter: 'TEXT'"), "filter"},
      {"ListWorlds", Bytes<v1::ListWorldsRequest>("page_token: 'TEXT'"),
       "page_token"},
      {"ListArchetypes",
       Bytes<v1::ListArchetypesRequest>(
           "world: 'worlds/fuzzed' page_token: 'TEXT'"),
       "page_token"},
      {"StepWorld",
       Bytes<v1::StepWorldRequest>("name: 'worlds/fuzzed' request_id: 'TEXT'"),
       "request_id"},
  };
  for (const Text& text : cases) {
    std::string bytes = text.valid;
    bytes.replace(bytes.find("TEXT"), 4, "a\xc3\x28z");
    const Refusal refusal =
        Explain(CallMethod(client_.channel,
                           "/meander.v1.WorldService/" + text.method, {bytes})
                    .status);
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT) << text.method;
    EXPECT_EQ(refusal.fields, std::vector<std::string>{text.field})
        << text.method;
    EXPECT_NE(refusal.message.find("UTF-8"), std::string::npos);
  }
}

TEST_F(HostileBytesTest, CallsWithoutAMessageAreAnswered) {
  for (const Method& method : Methods()) {
    const GenericAnswer answer = CallMethod(client_.channel, method.path, {});
    EXPECT_NE(answer.status.error_code(), StatusCode::OK) << method.path;
  }
}

TEST_F(HostileBytesTest, UnknownMethodsAreUnimplemented) {
  for (const char* path : {"/meander.v1.WorldService/ForkWorld",
                           "/meander.v1.Nothing/Get", "/", "nonsense"}) {
    EXPECT_EQ(CallMethod(client_.channel, path, {""}).status.error_code(),
              StatusCode::UNIMPLEMENTED)
        << path;
  }
}

}  // namespace
}  // namespace meander
