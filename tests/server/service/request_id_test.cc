#include "server/service/request_id.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "meander/v1/command_service.pb.h"
#include "meander/v1/world_service.pb.h"

namespace meander::service {
namespace {

using core::ErrorCode;
using hosting::KeyedMethod;
using hosting::RequestKey;
using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls)

constexpr const char* kId = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61";

// The key of a request that has one.
RequestKey KeyOf(const google::protobuf::Message& request,
                 KeyedMethod method = KeyedMethod::kSubmitCommands) {
  const auto key = ToRequestKey(method, request);
  EXPECT_TRUE(key.ok()) << key.error().reason;
  EXPECT_TRUE(key->has_value());
  return key->value_or(RequestKey());
}

v1::SubmitCommandsRequest Submission(const std::string& id) {
  v1::SubmitCommandsRequest request;
  request.set_world("worlds/a");
  request.add_commands()->mutable_despawn_agents()->add_agent_ids(7);
  request.set_request_id(id);
  return request;
}

TEST(RequestIdTest, WithoutAnIdThereIsNoKey) {
  const auto key = ToRequestKey(KeyedMethod::kSubmitCommands, Submission(""));
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(*key, std::nullopt);
}

TEST(RequestIdTest, TheKeyHoldsTheBytesOfTheUuid) {
  const RequestKey key = KeyOf(Submission(kId));
  EXPECT_EQ(key.id.method, KeyedMethod::kSubmitCommands);
  EXPECT_EQ(key.id.uuid, (std::array<std::uint8_t, 16>{
                             0x6b, 0x8f, 0x2a, 0x9c, 0x3d, 0x1e, 0x4f, 0x7a,
                             0x9b, 0x0c, 0x5d, 0x2e, 0x8f, 0x4a, 0x7c, 0x61}));
}

TEST(RequestIdTest, BothCasesAreOneId) {
  const RequestKey lower = KeyOf(Submission(kId));
  const RequestKey upper =
      KeyOf(Submission("6B8F2A9C-3D1E-4F7A-9B0C-5D2E8F4A7C61"));
  EXPECT_EQ(lower.id, upper.id);
  EXPECT_EQ(lower.fingerprint, upper.fingerprint);
}

TEST(RequestIdTest, AnythingElseIsRefusedByItsField) {
  const std::string id = kId;
  for (const std::string& bad :
       {" "s, "x"s, ".."s, "\0"s, id.substr(1), id + "0", " " + id.substr(1),
        "{" + id.substr(2) + "}", "+b8f2a9c" + id.substr(8),
        "0x8f2a9c" + id.substr(8), "6b8f2a9g" + id.substr(8),
        "6b8f2a9c0" + id.substr(9), "6b8f2a9" + "-c"s + id.substr(9),
        id.substr(0, 35) + '\0', "6b8f2a9c3d1e4f7a9b0c5d2e8f4a7c61"s,
        "-" + id.substr(1), std::string(36, '-'), std::string(10'240, 'a')}) {
    const auto key =
        ToRequestKey(KeyedMethod::kSubmitCommands, Submission(bad));
    ASSERT_FALSE(key.ok()) << bad;
    EXPECT_EQ(key.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(key.error().field, "request_id");
    EXPECT_LT(key.error().reason.size(), 200u);
  }
}

TEST(RequestIdTest, TheFingerprintIsThatOfEverythingElse) {
  const RequestKey key = KeyOf(Submission(kId));
  const RequestKey other_id =
      KeyOf(Submission("6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c62"));
  EXPECT_NE(other_id.id, key.id);
  EXPECT_EQ(other_id.fingerprint, key.fingerprint);
  v1::SubmitCommandsRequest more = Submission(kId);
  more.mutable_commands(0)->mutable_despawn_agents()->add_agent_ids(8);
  EXPECT_NE(KeyOf(more).fingerprint, key.fingerprint);
  v1::SubmitCommandsRequest elsewhere = Submission(kId);
  elsewhere.set_world("worlds/b");
  EXPECT_NE(KeyOf(elsewhere).fingerprint, key.fingerprint);
  v1::SubmitCommandsRequest whole = Submission(kId);
  whole.set_all_or_nothing(true);
  EXPECT_NE(KeyOf(whole).fingerprint, key.fingerprint);
}

TEST(RequestIdTest, MapsHaveNoOrder) {
  v1::CreateWorldRequest forth;
  forth.set_request_id(kId);
  v1::CreateWorldRequest back = forth;
  for (int i = 0; i < 30; ++i) {
    (*forth.mutable_world()->mutable_labels())[std::to_string(i)] = "x";
    (*back.mutable_world()->mutable_labels())[std::to_string(29 - i)] = "x";
  }
  EXPECT_EQ(KeyOf(forth, KeyedMethod::kCreateWorld).fingerprint,
            KeyOf(back, KeyedMethod::kCreateWorld).fingerprint);
}

TEST(RequestIdTest, EveryMethodWithAnIdHasItsKey) {
  v1::StepWorldRequest step;
  step.set_request_id(kId);
  EXPECT_EQ(KeyOf(step, KeyedMethod::kStepWorld).id.method,
            KeyedMethod::kStepWorld);
}

}  // namespace
}  // namespace meander::service
