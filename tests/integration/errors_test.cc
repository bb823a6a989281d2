// Every reason of the table of errors, provoked over the wire.

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "server/convert/error_table.h"
#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

// Reasons that no call can provoke, and why not.
const std::map<std::string, std::string> kCannotBeProvoked = {
    {"CORRUPT", "no bytes are stored yet"},
    {"SIM_VERSION_MISMATCH", "no bytes are stored yet"},
    {"CANCELLED", "who would read it has gone"},
};

class ErrorReasonsTest : public testing::Test {
 protected:
  struct Case {
    std::string reason;
    std::function<grpc::Status()> provoke;
    std::string field;  // that BadRequest names; "" for none
  };

  // The batch fails as a whole with the first refusal.
  grpc::Status Submit(v1::Command command,
                      v1::LatePolicy late = v1::LATE_POLICY_UNSPECIFIED) {
    v1::SubmitCommandsRequest request;
    request.set_world("worlds/here");
    request.set_all_or_nothing(true);
    request.set_late_policy(late);
    *request.add_commands() = std::move(command);
    return client_.Submit(request);
  }
  grpc::Status Create(const std::string& id, const std::string& request_id = "",
                      v1::Durability durability = v1::DURABILITY_NONE) {
    v1::CreateWorldRequest request;
    request.set_world_id(id);
    request.set_request_id(request_id);
    request.mutable_world()->mutable_hosting()->set_durability(durability);
    return client_.Create(request);
  }
  grpc::Status UpdateTimeScale(double time_scale) {
    v1::UpdateWorldRequest request;
    request.mutable_world()->set_name("worlds/here");
    request.mutable_world()->mutable_hosting()->set_time_scale(time_scale);
    return client_.Update(request);
  }
  grpc::Status StepExpecting(std::int64_t tick) {
    v1::StepWorldRequest request;
    request.set_name("worlds/here");
    request.set_expected_tick(tick);
    return client_.Step(request);
  }
  grpc::Status EndOfAWatch() {
    Call call;
    const auto reader = client_.Watch(call.context, "worlds/here");
    v1::Frame frame;
    EXPECT_TRUE(reader->Read(&frame));
    server_.Signal(SIGTERM);
    while (reader->Read(&frame)) {
    }
    return reader->Finish();
  }

  std::vector<Case> Cases();

  ServerProcess server_{{"--max_worlds=2"}};
  Client client_{server_.address()};
};

std::vector<ErrorReasonsTest::Case> ErrorReasonsTest::Cases() {
  constexpr char kUuid[] = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61";
  v1::Command not_finite = SpawnInDisc(1, 1);
  not_finite.mutable_spawn_agents()->mutable_area()->mutable_disc()->set_radius(
      std::numeric_limits<float>::quiet_NaN());
  return {
      {"MALFORMED", [this] { return client_.Get("worlds/.."); }, "name"},
      {"NON_FINITE", [this, not_finite] { return Submit(not_finite); },
       "commands[0].spawn_agents.area.disc.radius"},
      {"OUT_OF_BOUNDS", [this] { return UpdateTimeScale(1000); },
       "world.hosting.time_scale"},
      {"TICK_TOO_FAR", [this] { return Submit(At(5000, DefineWanderer(1))); },
       "commands[0].apply_tick"},
      {"TICK_LATE",
       [this] {
         client_.MustStep("worlds/here", 5);
         return Submit(At(2, DefineWanderer(1)), v1::LATE_POLICY_REJECT);
       },
       "commands[0].apply_tick"},
      {"TICK_MISMATCH", [this] { return StepExpecting(77); }, "expected_tick"},
      {"WORLD_NOT_FOUND", [this] { return client_.Get("worlds/nowhere"); }, ""},
      {"WORLD_EXISTS", [this] { return Create("here"); }, "world_id"},
      {"AGENT_NOT_FOUND", [this] { return client_.GetAgent("worlds/here", 9); },
       "agent_id"},
      {"ARCHETYPE_UNKNOWN", [this] { return Submit(SpawnInDisc(9, 1)); },
       "commands[0].spawn_agents.area.prototype.archetype_id"},
      {"DURABILITY_UNAVAILABLE",
       [this] { return Create("there", "", v1::DURABILITY_COMMITTED); },
       "world.hosting.durability"},
      {"CLOCK_MODE",
       [this, kUuid] {
         EXPECT_TRUE(Create("there", kUuid).ok());
         return client_.Step("worlds/there", 1);
       },
       ""},
      {"REQUEST_ID_REUSED", [this, kUuid] { return Create("other", kUuid); },
       "request_id"},
      {"QUOTA_EXCEEDED", [this] { return Create("third"); }, ""},
      {"DRAINING", [this] { return EndOfAWatch(); }, ""},
  };
}

TEST_F(ErrorReasonsTest, EachIsToldAsTheTableSays) {
  client_.MustCreate("here");
  std::map<std::string, Case> cases;
  for (Case& one : Cases()) cases.emplace(one.reason, one);
  // In the order above: some need what the ones before have done.
  std::map<std::string, grpc::Status> ends;
  for (const Case& one : Cases()) ends[one.reason] = one.provoke();
  for (const convert::ErrorEntry& entry : convert::ErrorTable()) {
    const std::string name(entry.name);
    if (kCannotBeProvoked.contains(name)) {
      EXPECT_FALSE(cases.contains(name));
      continue;
    }
    ASSERT_TRUE(cases.contains(name)) << name << " has no case";
    const Refusal refusal = Explain(ends.at(name));
    EXPECT_EQ(refusal.reason, name) << refusal.message;
    EXPECT_EQ(refusal.code, entry.status) << name;
    EXPECT_EQ(refusal.domain, "meander.dev") << name;
    EXPECT_FALSE(refusal.message.empty()) << name;
    EXPECT_EQ(refusal.retry, entry.retry_delay.count() > 0) << name;
    const std::string& field = cases.at(name).field;
    EXPECT_EQ(refusal.fields, field.empty() ? std::vector<std::string>()
                                            : std::vector<std::string>{field})
        << name;
  }
  EXPECT_EQ(server_.Wait(), 0);
  EXPECT_EQ(cases.size() + kCannotBeProvoked.size(),
            convert::ErrorTable().size());
}

TEST(ErrorDocsTest, ThePrintedTableIsTheOneInTheProtocol) {
  Process server({ServerPath(), "--print_errors"});
  const std::string printed = server.ReadOutput();
  EXPECT_EQ(server.Wait(), 0);
  std::ifstream file("proto/meander/v1/ERRORS.md");
  ASSERT_TRUE(file) << "run from the root of the repository";
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(printed, text);
}

}  // namespace
}  // namespace meander
