// What may be asked of a batch beside its commands, and how they ended, over
// the wire to a real server.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/generic_call.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::StatusCode;
using std::string_literals::operator""s;  // NOLINT(misc-unused-using-decls)

constexpr const char* kId = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61";
constexpr const char* kOtherId = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c62";

v1::Command Despawn(const std::vector<std::int64_t>& ids) {
  v1::Command command;
  auto& list = *command.mutable_despawn_agents()->mutable_agent_ids();
  list.Add(ids.begin(), ids.end());
  return command;
}

v1::SubmitCommandsRequest Batch(const std::string& world,
                                const std::vector<v1::Command>& commands) {
  v1::SubmitCommandsRequest request;
  request.set_world(world);
  request.mutable_commands()->Add(commands.begin(), commands.end());
  return request;
}

class CommandsTest : public testing::Test {
 protected:
  grpc::Status GetOutcomes(const std::string& world,
                           const std::vector<std::int64_t>& sequences,
                           v1::GetCommandOutcomesResponse& response) const {
    Call call;
    v1::GetCommandOutcomesRequest request;
    request.set_world(world);
    request.mutable_sequences()->Add(sequences.begin(), sequences.end());
    return client_.commands->GetCommandOutcomes(&call.context, request,
                                                &response);
  }
  std::vector<v1::CommandOutcome> Outcomes(
      const std::string& world,
      const std::vector<std::int64_t>& sequences) const {
    v1::GetCommandOutcomesResponse response;
    const grpc::Status status = GetOutcomes(world, sequences, response);
    EXPECT_TRUE(status.ok()) << Show(status);
    std::vector<v1::CommandOutcome> outcomes;
    for (const v1::CommandReport& report : response.reports()) {
      outcomes.push_back(report.outcome());
    }
    return outcomes;
  }
  Refusal RefuseOutcomes(const std::string& world,
                         const std::vector<std::int64_t>& sequences) const {
    v1::GetCommandOutcomesResponse response;
    return Explain(GetOutcomes(world, sequences, response));
  }

  ServerProcess server_;
  Client client_{server_.address()};
};

TEST_F(CommandsTest, AllOrNothingFailsWithTheFirstRefusal) {
  const std::string world = client_.MustCreate("a");
  std::vector<v1::Command> commands = {DefineWanderer(1), SpawnInDisc(2, 5)};
  for (int i = 0; i < 10; ++i) commands.push_back(Despawn({0}));
  auto request = Batch(world, commands);
  request.set_all_or_nothing(true);
  const Refusal refusal = Explain(client_.Submit(request));
  EXPECT_EQ(refusal.code, StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(refusal.reason, "ARCHETYPE_UNKNOWN");
  ASSERT_EQ(refusal.fields.size(), 8u) << "of up to 8 commands";
  EXPECT_EQ(refusal.fields[0],
            "commands[1].spawn_agents.area.prototype.archetype_id");
  EXPECT_EQ(refusal.fields[7], "commands[8].despawn_agents.agent_ids[0]");
  EXPECT_EQ(client_.MustGet(world).pending_command_count(), 0);
  *request.mutable_commands(1) = SpawnInDisc(1, 5);
  request.mutable_commands()->DeleteSubrange(2, 10);
  v1::SubmitCommandsResponse response;
  ASSERT_TRUE(client_.Submit(request, &response).ok());
  EXPECT_EQ(response.results(0).admission().sequence(), 1);
  EXPECT_EQ(response.results(1).admission().first_agent_id(), 1);
}

TEST_F(CommandsTest, ALateCommandMovesOrIsRefusedAsItIsAsked) {
  const std::string world = client_.MustCreate("a");
  client_.MustStep(world, 10);
  auto request = Batch(world, {At(10, DefineWanderer(1)),
                               At(11, DefineWanderer(2)), DefineWanderer(3)});
  v1::SubmitCommandsResponse response;
  ASSERT_TRUE(client_.Submit(request, &response).ok());
  EXPECT_EQ(response.results(0).admission().apply_tick(), 11);
  EXPECT_EQ(response.tick(), 10);
  request.set_late_policy(v1::LATE_POLICY_REJECT);
  ASSERT_TRUE(client_.Submit(request, &response).ok());
  EXPECT_EQ(response.results(0).rejection().reason(), "TICK_LATE");
  EXPECT_EQ(response.results(0).rejection().field(), "commands[0].apply_tick");
  EXPECT_EQ(response.results(1).admission().apply_tick(), 11);
  EXPECT_EQ(response.results(2).admission().sequence(), 5);
  request.set_all_or_nothing(true);
  const Refusal refusal = Explain(client_.Submit(request));
  EXPECT_EQ(refusal.code, StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(refusal.reason, "TICK_LATE");
  request.set_late_policy(static_cast<v1::LatePolicy>(9));
  EXPECT_TRUE(Explain(client_.Submit(request)).Names("late_policy"));
}

TEST_F(CommandsTest, ARepeatedRequestIsAnsweredAsBefore) {
  const std::string world = client_.MustCreate("a");
  auto request = Batch(world, {DefineWanderer(1), SpawnInDisc(1, 5),
                               SpawnInDisc(2, 5), At(9, SpawnInDisc(1, 3))});
  request.set_request_id(kId);
  v1::SubmitCommandsResponse first;
  ASSERT_TRUE(client_.Submit(request, &first).ok());
  client_.MustStep(world, 3);
  v1::SubmitCommandsResponse again;
  request.set_request_id("6B8F2A9C-3D1E-4F7A-9B0C-5D2E8F4A7C61");
  ASSERT_TRUE(client_.Submit(request, &again).ok());
  EXPECT_EQ(again.SerializeAsString(), first.SerializeAsString());
  EXPECT_EQ(client_.MustGet(world).agent_count(), 5);
  EXPECT_EQ(client_.MustGet(world).pending_command_count(), 1);
  request.set_request_id(kOtherId);
  ASSERT_TRUE(client_.Submit(request, &again).ok());
  EXPECT_EQ(again.results(1).admission().first_agent_id(), 9);
}

TEST_F(CommandsTest, ARequestIdNamesOnePayload) {
  const std::string world = client_.MustCreate("a");
  auto request = Batch(world, {DefineWanderer(1)});
  request.set_request_id(kId);
  ASSERT_TRUE(client_.Submit(request).ok());
  *request.add_commands() = SpawnInDisc(1, 5);
  const Refusal refusal = Explain(client_.Submit(request));
  EXPECT_EQ(refusal.code, StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(refusal.reason, "REQUEST_ID_REUSED");
  EXPECT_TRUE(refusal.Names("request_id"));
  EXPECT_EQ(client_.MustGet(world).pending_command_count(), 1);
  request.set_world(client_.MustCreate("b"));
  EXPECT_TRUE(client_.Submit(request).ok()) << "another world, other ids";
}

TEST_F(CommandsTest, AFailedRequestMayBeRepeatedOnceItIsRight) {
  const std::string world = client_.MustCreate("a");
  auto request = Batch(world, {SpawnInDisc(1, 5)});
  request.set_all_or_nothing(true);
  request.set_request_id(kId);
  EXPECT_EQ(Explain(client_.Submit(request)).reason, "ARCHETYPE_UNKNOWN");
  ExpectAdmitted(client_.MustSubmit(world, {DefineWanderer(1)}));
  EXPECT_TRUE(client_.Submit(request).ok());
}

TEST_F(CommandsTest, RequestsThatComeAtOnceWithOneIdAdmitOnce) {
  const std::string world = client_.MustCreate("a");
  auto request = Batch(world, {});
  for (int i = 0; i < 200; ++i) *request.add_commands() = DefineWanderer(1);
  request.set_request_id(kId);
  std::vector<std::string> answers(8);
  std::vector<std::thread> threads;
  std::atomic<int> ready = 0;
  for (std::string& answer : answers) {
    threads.emplace_back([&] {
      const Client client(server_.address());
      client.MustServe();
      for (++ready; ready < 8;) std::this_thread::yield();
      v1::SubmitCommandsResponse response;
      const grpc::Status status = client.Submit(request, &response);
      EXPECT_TRUE(status.ok()) << Show(status);
      answer = response.SerializeAsString();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers) EXPECT_EQ(answer, answers[0]);
  EXPECT_EQ(client_.MustGet(world).pending_command_count(), 200);
}

TEST_F(CommandsTest, RequestIdsThatAreNoUuidAreRefused) {
  const std::string world = client_.MustCreate("a");
  for (const std::string& id : {".."s, "a"s, std::string(10'240, 'a'), "\0"s,
                                kId + "\0"s, "\n" + std::string(kId)}) {
    auto request = Batch(world, {DefineWanderer(1)});
    request.set_request_id(id);
    const Refusal refusal = Explain(client_.Submit(request));
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
    EXPECT_TRUE(refusal.Names("request_id")) << refusal.message;
  }
  // What no stub would send: field 5, two bytes that are no UTF-8.
  const Refusal refusal = Explain(
      CallMethod(client_.channel, "/meander.v1.CommandService/SubmitCommands",
                 {"\x0a\x08worlds/a\x2a\x02\xff\xfe"s})
          .status);
  EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(refusal.Names("request_id")) << refusal.message;
  auto request = Batch(world, {DefineWanderer(1)});
  request.set_request_id("");
  EXPECT_TRUE(client_.Submit(request).ok()) << "empty means none";
  EXPECT_TRUE(client_.Submit(request).ok());
  EXPECT_EQ(client_.MustGet(world).pending_command_count(), 2);
}

TEST_F(CommandsTest, TellsHowEachCommandEnded) {
  const std::string world = client_.MustCreate("a");
  client_.MustSubmit(world, {DefineWanderer(1), SpawnInDisc(1, 2), Despawn({1}),
                             Despawn({1, 2}), At(5, DefineWanderer(2)),
                             At(1, SpawnInDisc(1, 1)), At(3, Despawn({2}))});
  EXPECT_EQ(
      Outcomes(world, {1, 7}),
      (std::vector{v1::COMMAND_OUTCOME_PENDING, v1::COMMAND_OUTCOME_PENDING}));
  client_.MustStep(world, 3);
  v1::GetCommandOutcomesResponse response;
  ASSERT_TRUE(GetOutcomes(world, {5, 4, 7, 1, 4}, response).ok());
  EXPECT_EQ(response.tick(), 3);
  EXPECT_EQ(response.epoch(), 1);
  ASSERT_EQ(response.reports_size(), 5);
  EXPECT_EQ(response.reports(0).sequence(), 5);
  EXPECT_EQ(response.reports(0).outcome(), v1::COMMAND_OUTCOME_PENDING);
  EXPECT_EQ(response.reports(0).tick(), 0);
  EXPECT_EQ(response.reports(1).outcome(), v1::COMMAND_OUTCOME_AGENT_GONE);
  EXPECT_EQ(response.reports(1).tick(), 1);
  EXPECT_EQ(response.reports(2).outcome(), v1::COMMAND_OUTCOME_APPLIED);
  EXPECT_EQ(response.reports(2).tick(), 3);
  EXPECT_EQ(response.reports(4).sequence(), 4);
}

// The twin gets the same commands in smaller batches.
TEST_F(CommandsTest, TwinsAgreeHowCommandsEnded) {
  v1::Command remove;
  remove.mutable_remove_archetype()->set_archetype_id(1);
  v1::Command dress;
  dress.mutable_set_archetype()->add_agent_ids(2);
  dress.mutable_set_archetype()->set_archetype_id(2);
  const std::vector<v1::Command> commands = {DefineWanderer(1),
                                             SpawnInDisc(1, 3),
                                             At(2, remove),
                                             At(3, Despawn({1})),
                                             At(5, DefineWanderer(2)),
                                             At(4, dress),
                                             At(6, Despawn({1})),
                                             At(6, Despawn({3})),
                                             At(7, dress),
                                             At(8, remove),
                                             At(8, remove),
                                             At(8, SpawnInDisc(1, 1))};
  const std::string world = client_.MustCreate("a", 5);
  const std::string twin = client_.MustCreate("b", 5);
  ExpectAdmitted(client_.MustSubmit(world, commands));
  for (const v1::Command& command : commands) {
    ExpectAdmitted(client_.MustSubmit(twin, {command}));
  }
  EXPECT_EQ(client_.MustStep(world, 20).state_hash(),
            client_.MustStep(twin, 20).state_hash());
  const std::vector<std::int64_t> all = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  constexpr auto kApplied = v1::COMMAND_OUTCOME_APPLIED;
  EXPECT_EQ(
      Outcomes(world, all),
      (std::vector{kApplied, kApplied, v1::COMMAND_OUTCOME_ARCHETYPE_IN_USE,
                   kApplied, kApplied, v1::COMMAND_OUTCOME_ARCHETYPE_UNKNOWN,
                   v1::COMMAND_OUTCOME_AGENT_GONE, kApplied, kApplied, kApplied,
                   v1::COMMAND_OUTCOME_ARCHETYPE_UNKNOWN,
                   v1::COMMAND_OUTCOME_ARCHETYPE_UNKNOWN}));
  EXPECT_EQ(Outcomes(twin, all), Outcomes(world, all));
}

TEST_F(CommandsTest, SequencesThatWereNeverGivenOutAreNamed) {
  const std::string world = client_.MustCreate("a");
  client_.MustSubmit(world, {DefineWanderer(1), DefineWanderer(2)});
  EXPECT_TRUE(RefuseOutcomes(world, {}).Names("sequences"));
  EXPECT_TRUE(RefuseOutcomes(world, std::vector<std::int64_t>(1'001, 1))
                  .Names("sequences"));
  for (const std::int64_t bad :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{3}}) {
    const Refusal refusal = RefuseOutcomes(world, {1, 2, bad});
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
    EXPECT_TRUE(refusal.Names("sequences[2]")) << refusal.message;
  }
  EXPECT_EQ(Outcomes(world, std::vector<std::int64_t>(1'000, 2)).size(),
            1'000u);
  EXPECT_EQ(RefuseOutcomes("worlds/none", {1}).reason, "WORLD_NOT_FOUND");
}

// Far more than may wait for a world that nobody steps.
TEST_F(CommandsTest, AHundredThousandCommandsHaveAResultEach) {
  const std::string world = client_.MustCreate("a");
  std::atomic<std::int64_t> admitted = 0;
  std::atomic<std::int64_t> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Client client(server_.address());
      const std::vector<v1::Command> commands(1'000, DefineWanderer(1));
      for (int batch = 0; batch < 25; ++batch) {
        const auto response = client.MustSubmit(world, commands);
        for (const v1::CommandResult& result : response.results()) {
          if (result.has_admission()) {
            ++admitted;
          } else if (result.rejection().reason() == "QUOTA_EXCEEDED" &&
                     result.rejection().code() ==
                         StatusCode::RESOURCE_EXHAUSTED) {
            ++refused;
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admitted + refused, 100'000);
  EXPECT_EQ(admitted, 65'536);
  EXPECT_EQ(client_.MustGet(world).pending_command_count(), 65'536);
  // As the error of a call it says when to come again.
  auto request = Batch(world, {DefineWanderer(1)});
  request.set_all_or_nothing(true);
  const Refusal refusal = Explain(client_.Submit(request));
  EXPECT_EQ(refusal.code, StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(refusal.retry);
  EXPECT_TRUE(refusal.Names("commands[0]"));
  client_.MustStep(world, 1);
  EXPECT_EQ(client_.MustGet(world).command_outcomes().applied(), 65'536);
  EXPECT_EQ(
      Outcomes(world, {1, 65'536}),
      (std::vector{v1::COMMAND_OUTCOME_APPLIED, v1::COMMAND_OUTCOME_APPLIED}));
  EXPECT_TRUE(client_.Submit(request).ok());
}

TEST_F(CommandsTest, ACommandFarAheadIsAcknowledgedAtOnce) {
  const std::string world = client_.MustCreate("a");
  const auto response = client_.MustSubmit(
      world, {DefineWanderer(1), At(3'600, SpawnInDisc(1, 4))});
  EXPECT_EQ(response.results(1).admission().apply_tick(), 3'600);
  EXPECT_EQ(response.results(1).admission().first_agent_id(), 1);
  client_.MustStep(world, 3'599);
  EXPECT_EQ(client_.MustGet(world).agent_count(), 0);
  client_.MustStep(world, 1);
  EXPECT_EQ(client_.MustGet(world).agent_count(), 4);
}

}  // namespace
}  // namespace meander
