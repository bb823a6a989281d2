#include "server/convert/malformed.h"

#include <google/protobuf/stubs/common.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "core/command.h"
#include "meander/v1/command_service.pb.h"
#include "meander/v1/world_service.pb.h"
#include "server/convert/agent_convert.h"

namespace meander::convert {
namespace {

using core::Error;
using core::ErrorCode;
using std::string_literals::operator""s;

// Older Protobuf prints a line for every string that is not UTF-8.
const bool kQuiet = [] {
#if defined(GOOGLE_PROTOBUF_VERSION) && GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::SetLogHandler(nullptr);
#endif
  return true;
}();

template <typename Message>
Error Explain(const std::string& bytes) {
  EXPECT_TRUE(kQuiet);
  Message message;
  EXPECT_FALSE(message.ParseFromString(bytes));
  return ExplainMalformed(bytes, *Message::descriptor());
}

TEST(MalformedTest, NamesTheStringThatIsNotUtf8) {
  const Error error = Explain<v1::CreateWorldRequest>(
      "\x0a\x04"
      "ab\xff\xfe"s);
  EXPECT_EQ(error,
            (Error{ErrorCode::kMalformed, "world_id", "is not valid UTF-8"}));
}

TEST(MalformedTest, NamesANestedString) {
  // world { uid: "\xc0\x80" }
  const Error error = Explain<v1::CreateWorldRequest>(
      "\x0a\x01"
      "a"
      "\x12\x04\x12\x02\xc0\x80"s);
  EXPECT_EQ(error.field, "world.uid");
}

TEST(MalformedTest, NamesThePlaceInALongList) {
  v1::SubmitCommandsRequest request;
  for (int i = 0; i < 3; ++i) {
    request.add_commands()->mutable_set_target()->add_agent_ids(1);
  }
  std::string bytes = request.SerializeAsString();
  // A command whose SetTarget ends in the middle of a packed id.
  bytes += "\x12\x05\x2a\x03\x0a\x01\x80"s;
  const Error error = Explain<v1::SubmitCommandsRequest>(bytes);
  EXPECT_EQ(error.field, "commands[3].set_target.agent_ids[0]");
  EXPECT_EQ(error.code, ErrorCode::kMalformed);
}

TEST(MalformedTest, SaysWhatTheBytesAreNot) {
  const Error error = Explain<v1::StepWorldRequest>("\xff\xff\xff"s);
  EXPECT_EQ(error, (Error{ErrorCode::kMalformed, "",
                          "the bytes are not a meander.v1.StepWorldRequest"}));
}

TEST(MalformedTest, NamesTheFieldWhereTheBytesEnd) {
  v1::StepWorldRequest request;
  request.set_name("worlds/a");
  std::string bytes = request.SerializeAsString();
  bytes.pop_back();
  EXPECT_EQ(Explain<v1::StepWorldRequest>(bytes).field, "name");
}

TEST(MalformedTest, EndsOnGroupsNestedTooDeeply) {
  const std::string bytes(100'000,
                          '\x4b');  // Start of group 9, again and again.
  EXPECT_EQ(Explain<v1::GetWorldRequest>(bytes).code, ErrorCode::kMalformed);
}

TEST(MalformedTest, FindsSomethingWrongInWhateverProtobufRefuses) {
  std::mt19937 random(7);
  v1::SubmitCommandsRequest good;
  good.set_world("worlds/w\xc3\xa9");
  auto& spawn = *good.add_commands()->mutable_spawn_agents();
  for (int i = 0; i < 4; ++i) {
    auto& agent = *spawn.mutable_agents()->add_agents();
    ToProto(core::Vec3{1, 2, 3}, *agent.mutable_position());
    agent.add_targets()->set_agent_id(i);
  }
  good.add_commands()->mutable_despawn_agents()->add_agent_ids(1 << 20);
  const std::string bytes = good.SerializeAsString();
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string broken = bytes.substr(0, 1 + random() % bytes.size());
    for (std::uint32_t flips = random() % 4; flips > 0; --flips) {
      broken[random() % broken.size()] = static_cast<char>(random());
    }
    v1::SubmitCommandsRequest parsed;
    if (parsed.ParseFromString(broken)) continue;
    ++refused;
    const Error error =
        ExplainMalformed(broken, *v1::SubmitCommandsRequest::descriptor());
    EXPECT_EQ(error.code, ErrorCode::kMalformed);
    EXPECT_FALSE(error.reason.empty());
  }
  EXPECT_GT(refused, 1000);
}

TEST(DensityTest, LetsThroughWhatPeopleSend) {
  v1::SubmitCommandsRequest request;
  request.set_world("worlds/a");
  auto& list =
      *request.add_commands()->mutable_spawn_agents()->mutable_agents();
  for (int i = 0; i < 65'536; ++i) list.add_agents()->set_archetype_id(1);
  for (int i = 0; i < 110'000; ++i) {
    v1::NewAgent& agent = *request.mutable_commands(0)
                               ->mutable_spawn_agents()
                               ->mutable_agents()
                               ->add_agents();
    agent.set_archetype_id(1);
    agent.mutable_position()->set_x(1);
    agent.mutable_position()->set_y(2);
    agent.mutable_velocity()->set_x(3);
  }
  const std::string bytes = request.SerializeAsString();
  EXPECT_EQ(CheckDensity(bytes, *request.GetDescriptor()), std::nullopt);
}

// Players at 0, 0, 0 and at rest are the shortest that a motion can be.
TEST(DensityTest, TakesAsManyMotionsAsACommandMayHold) {
  v1::SubmitCommandsRequest request;
  auto& set = *request.add_commands()->mutable_set_motion();
  for (int i = 0; i < core::kMaxListedAgents; ++i) {
    v1::AgentMotion& motion = *set.add_motions();
    motion.set_agent_id(i + 1);
    motion.mutable_position();
    motion.mutable_velocity();
  }
  const std::string bytes = request.SerializeAsString();
  EXPECT_EQ(CheckDensity(bytes, *request.GetDescriptor()), std::nullopt);
}

TEST(DensityTest, CountsMotionsAndLabels) {
  v1::SubmitCommandsRequest request;
  auto& set = *request.add_commands()->mutable_set_motion();
  for (int i = 0; i < 1'000'000; ++i) set.add_motions();
  EXPECT_TRUE(
      CheckDensity(request.SerializeAsString(), *request.GetDescriptor())
          .has_value());
  // Entries of a map that say nothing.
  std::string labels;
  while (labels.size() < 4'000'000) labels += "\x72\x00"s;
  v1::World world;
  EXPECT_TRUE(world.ParseFromString(labels));
  EXPECT_EQ(world.labels_size(), 1);
  EXPECT_TRUE(CheckDensity(labels, *world.GetDescriptor()).has_value());
}

TEST(DensityTest, RefusesNothingButMessages) {
  v1::SubmitCommandsRequest request;
  auto& list =
      *request.add_commands()->mutable_spawn_agents()->mutable_agents();
  for (int i = 0; i < 1'000'000; ++i) list.add_agents();
  const std::string bytes = request.SerializeAsString();
  const auto error = CheckDensity(bytes, *request.GetDescriptor());
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, ErrorCode::kOutOfBounds);
  EXPECT_NE(error->reason.find("it holds 1000004"), std::string::npos)
      << error->reason;
}

// The parser keeps what it does not know.
TEST(DensityTest, CountsValuesThatTheTypeDoesNotHave) {
  const google::protobuf::Descriptor& type =
      *v1::SubmitCommandsRequest::descriptor();
  for (const std::string& unknown :
       {"\x7a\x00"s, "\x7b\x7c"s, "\x78\x00"s, "\x08\x00"s}) {
    std::string bytes;
    while (bytes.size() < 4'000'000) bytes += unknown;
    const auto error = CheckDensity(bytes, type);
    ASSERT_TRUE(error.has_value()) << testing::PrintToString(unknown);
    EXPECT_EQ(error->code, ErrorCode::kOutOfBounds);
  }
  std::string nested;
  while (nested.size() < 4'000'000) {
    nested += std::string(50, '\x7b') + std::string(50, '\x7c');
  }
  EXPECT_TRUE(CheckDensity(nested, type).has_value());
}

TEST(DensityTest, LeavesWhatIsMalformedToTheParser) {
  const std::string bytes(4'000'000, '\xff');
  EXPECT_EQ(CheckDensity(bytes, *v1::SubmitCommandsRequest::descriptor()),
            std::nullopt);
}

TEST(Utf8Test, TakesWhatUnicodeDefines) {
  for (const std::string& good :
       {""s, "plain"s, "\0"s, "\xc2\x80"s, "\xdf\xbf"s, "\xe0\xa0\x80"s,
        "\xed\x9f\xbf"s, "\xee\x80\x80"s, "\xef\xbf\xbf"s, "\xf0\x90\x80\x80"s,
        "\xf4\x8f\xbf\xbf"s}) {
    EXPECT_TRUE(IsUtf8(good)) << good;
  }
}

TEST(Utf8Test, RefusesEverythingElse) {
  for (const std::string& bad :
       {"\x80"s, "\xbf"s, "\xc0\x80"s, "\xc1\xbf"s, "\xc2"s, "\xc2x"s,
        "\xe0\x9f\xbf"s, "\xed\xa0\x80"s, "\xed\xbf\xbf"s, "\xe1\x80"s,
        "\xe1\x80x"s, "\xf0\x8f\xbf\xbf"s, "\xf4\x90\x80\x80"s,
        "\xf5\x80\x80\x80"s, "\xf1\x80\x80"s, "\xff"s, "a\xfe"s}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
}

TEST(Utf8Test, AgreesWithProtobuf) {
  std::mt19937 random(11);
  for (int i = 0; i < 50'000; ++i) {
    std::string text(1 + random() % 6, '\0');
    for (char& c : text) {
      // Mostly bytes that occur in sequences.
      c = static_cast<char>(random() % 2 ? 0x80 + random() % 0x80 : random());
    }
    const std::string bytes =
        "\x0a" + std::string(1, static_cast<char>(text.size())) + text;
    v1::GetWorldRequest request;
    EXPECT_EQ(request.ParseFromString(bytes), IsUtf8(text));
  }
}

}  // namespace
}  // namespace meander::convert
