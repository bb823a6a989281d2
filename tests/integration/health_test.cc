// The standard services beside ours: health and reflection.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/generic_call.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

constexpr char kReflection[] =
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

const char* const kServices[] = {
    "meander.v1.WorldService", "meander.v1.CommandService",
    "meander.v1.QueryService", "meander.v1.StreamService",
    "grpc.health.v1.Health"};

class HealthTest : public testing::Test {
 protected:
  ServerProcess server_;
  Client client_{server_.address()};
};

TEST_F(HealthTest, TheServerAndEachServiceServe) {
  for (const std::string service : {"", kServices[0], kServices[1],
                                    kServices[2], kServices[3], kServices[4]}) {
    Call call;
    HealthCheckRequest request;
    request.set_service(service);
    HealthCheckResponse response;
    ASSERT_TRUE(client_.health->Check(&call.context, request, &response).ok());
    EXPECT_EQ(response.status(), HealthCheckResponse::SERVING) << service;
  }
}

TEST_F(HealthTest, AnUnknownServiceIsNotFoundByCheck) {
  Call call;
  HealthCheckRequest request;
  request.set_service("meander.v1.Nothing");
  HealthCheckResponse response;
  EXPECT_EQ(
      client_.health->Check(&call.context, request, &response).error_code(),
      grpc::StatusCode::NOT_FOUND);
}

TEST_F(HealthTest, AnUnknownServiceIsWatchedAsUnknown) {
  Call call;
  HealthCheckRequest request;
  request.set_service("meander.v1.Nothing");
  const auto reader = client_.health->Watch(&call.context, request);
  HealthCheckResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVICE_UNKNOWN);
  call.context.TryCancel();
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

// The bytes that every health checker sends and expects.
TEST_F(HealthTest, SpeaksTheStandardBytes) {
  const GenericAnswer answer =
      CallMethod(client_.channel, "/grpc.health.v1.Health/Check", {""});
  EXPECT_TRUE(answer.status.ok());
  EXPECT_EQ(answer.messages, std::vector<std::string>{"\x08\x01"});
}

TEST_F(HealthTest, ManyStreamsOnAChannelLeaveRoomForACheck) {
  const std::string name = client_.MustCreate("a");
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<std::unique_ptr<WatchReader>> readers;
  for (int i = 0; i < 101; ++i) {
    calls.push_back(std::make_unique<Call>());
    readers.push_back(client_.Watch(calls.back()->context, name));
    v1::Frame frame;
    ASSERT_TRUE(readers.back()->Read(&frame));
  }
  client_.MustServe();
  for (const auto& call : calls) call->context.TryCancel();
}

TEST_F(HealthTest, ReflectionListsOurServices) {
  const GenericAnswer answer =
      CallMethod(client_.channel, kReflection, {std::string("\x3a\x00", 2)});
  ASSERT_TRUE(answer.status.ok()) << Show(answer.status);
  ASSERT_EQ(answer.messages.size(), 1u);
  for (const std::string service : kServices) {
    EXPECT_NE(answer.messages[0].find(service), std::string::npos) << service;
  }
}

TEST_F(HealthTest, ReflectionDescribesEachOfOurServices) {
  for (const std::string service : kServices) {
    // file_containing_symbol = 4
    const std::string request =
        "\x22" + std::string(1, static_cast<char>(service.size())) + service;
    const GenericAnswer answer =
        CallMethod(client_.channel, kReflection, {request});
    ASSERT_EQ(answer.messages.size(), 1u);
    EXPECT_NE(answer.messages[0].find("proto3"), std::string::npos) << service;
    EXPECT_EQ(answer.messages[0].find("not found"), std::string::npos);
  }
}

}  // namespace
}  // namespace meander
