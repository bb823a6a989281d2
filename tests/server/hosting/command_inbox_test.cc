#include "server/hosting/command_inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/log/memory_world_log.h"
#include "tests/server/hosting/commands.h"
#include "tests/server/hosting/inbox_rig.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;

using CommandInboxTest = InboxRig;

TEST_F(CommandInboxTest, NumbersCommandsAndAgentsInTheOrderOfTheBatch) {
  const AdmissionResults results = Admit({Define(), Spawn(3), Spawn(2, 7)});
  EXPECT_EQ(*results[0], (CommandAdmission{1, 1, 0, 0}));
  EXPECT_EQ(*results[1], (CommandAdmission{2, 1, 1, 3}));
  EXPECT_EQ(*results[2], (CommandAdmission{3, 7, 4, 2}));
  EXPECT_EQ(*Admit({Spawn(1)})[0], (CommandAdmission{4, 1, 6, 1}));
}

TEST_F(CommandInboxTest, AStepGetsExactlyWhatWasAdmittedForItsTick) {
  const std::vector<core::Command> commands = {Define(), Spawn(2), Define(2, 3),
                                               AimAt({1}, 2, 3), Despawn({2})};
  Admit(commands);
  const auto first = Step();
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0], (core::AdmittedCommand{1, 1, 0, commands[0].operation}));
  EXPECT_EQ(first[1], (core::AdmittedCommand{2, 1, 1, commands[1].operation}));
  EXPECT_EQ(first[2], (core::AdmittedCommand{5, 1, 0, commands[4].operation}));
  EXPECT_TRUE(Step().empty());
  const auto third = Step();
  ASSERT_EQ(third.size(), 2u);
  EXPECT_EQ(third[0].sequence, 3);
  EXPECT_EQ(third[1].sequence, 4);
}

TEST_F(CommandInboxTest, EveryKindOfCommandComesOutAsItWentIn) {
  core::NewAgent agent{.archetype_id = 1,
                       .position = {1.0f, -0.0f, 0.0f},
                       .velocity = {-0.0f, 2.0f, -0.0f},
                       .seed = 5,
                       .tag = std::numeric_limits<std::uint64_t>::max(),
                       .wander_angle = -0.0f};
  agent.targets[0] = {.kind = core::Target::Kind::kPoint,
                      .point = {-3.0f, 0.0f, -0.0f}};
  core::AreaPlacement box{.count = 2,
                          .prototype = {.position = {-0.0f, 0.0f, 0.0f}},
                          .area = core::Box{{-1.0f, -0.0f, 0.0f}, {}}};
  core::SetTarget clear{.agent_ids = {2, 1}, .slot = 3, .target = {}};
  core::Archetype bare{.id = core::kMaxArchetypeId, .mass = 2.0f};
  const std::vector<core::Command> commands = {
      Define(),
      {0, core::SpawnAgents{std::vector<core::NewAgent>{agent, {}}}},
      {0, core::SpawnAgents{box}},
      {0, clear},
      {0, core::DefineArchetype{bare}},
      Despawn({2, 1})};
  for (const auto& result : Admit(commands)) {
    ASSERT_TRUE(result.ok()) << result.error().field << result.error().reason;
  }
  const auto collected = Step();
  ASSERT_EQ(collected.size(), commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    EXPECT_EQ(collected[i].operation, commands[i].operation) << i;
  }
}

TEST_F(CommandInboxTest, ATickThatIsPastMeansTheNextOneToCollect) {
  Step();
  Step();
  EXPECT_EQ(Admit({Define(1, 1)})[0]->apply_tick, 3);
  EXPECT_EQ(Admit({Define(1, 2)})[0]->apply_tick, 3);
  EXPECT_EQ(Admit({Define(1, 3)})[0]->apply_tick, 3);
  inbox().Collect(3);  // its step has begun, and has not ended
  EXPECT_EQ(Admit({Define(1, 3)})[0]->apply_tick, 4);
}

TEST_F(CommandInboxTest, ATickTooFarAheadIsRefusedWithTheLimit) {
  Step();
  EXPECT_EQ(Admit({Define(1, 3601)})[0]->apply_tick, 3601);
  const core::Error error = Refuse(Define(1, 3602));
  EXPECT_EQ(error.code, ErrorCode::kTickTooFar);
  EXPECT_EQ(error.field, "commands[0].apply_tick");
  EXPECT_NE(error.reason.find("3600"), std::string::npos);
  EXPECT_EQ(Refuse(Define(1, std::numeric_limits<std::int64_t>::max())).code,
            ErrorCode::kTickTooFar);
}

TEST_F(CommandInboxTest, AnInvalidFieldIsNamedFromTheBatchDown) {
  core::Command bad = Define();
  std::get<core::DefineArchetype>(bad.operation).archetype.max_speed =
      std::numeric_limits<float>::quiet_NaN();
  const AdmissionResults results = Admit({Define(), bad, Define(2)});
  EXPECT_TRUE(results[0].ok());
  ASSERT_FALSE(results[1].ok());
  EXPECT_EQ(results[1].error().code, ErrorCode::kNonFinite);
  EXPECT_EQ(results[1].error().field,
            "commands[1].define_archetype.archetype.max_speed");
  EXPECT_EQ(results[2]->sequence, 2) << "the refused one took no number";
  EXPECT_EQ(Refuse(Define(1, -1)).field, "commands[0].apply_tick");
}

TEST_F(CommandInboxTest, ACommandThatCouldNotBeReadIsRefusedByItself) {
  std::vector<BatchCommand> batch = Batch({Define(), Define(2)});
  const core::Error error{ErrorCode::kMalformed, "commands[1].operation", "?"};
  batch.insert(batch.begin() + 1, error);
  const auto admission = inbox().Admit(batch);
  ASSERT_TRUE(admission.ok());
  EXPECT_TRUE(admission->results[0].ok());
  EXPECT_EQ(admission->results[1].error(), error);
  EXPECT_EQ(admission->results[2]->sequence, 2);
}

TEST_F(CommandInboxTest, AnEmptyOrOversizedBatchIsRefusedWhole) {
  EXPECT_EQ(RefuseBatch({}).code, ErrorCode::kMalformed);
  limits_.max_batch_commands = 2;
  const core::Error error = RefuseBatch(Batch({Define(), Define(), Define()}));
  EXPECT_EQ(error.code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(error.field, "commands");
  EXPECT_NE(error.reason.find('2'), std::string::npos);
  EXPECT_EQ(inbox().pending(), 0);
}

TEST_F(CommandInboxTest, ArchetypesMustBeDefinedByACommandBefore) {
  const AdmissionResults results = Admit({Spawn(1), Define(), Spawn(1)});
  ASSERT_FALSE(results[0].ok());
  EXPECT_EQ(results[0].error().code, ErrorCode::kArchetypeUnknown);
  EXPECT_EQ(results[0].error().field,
            "commands[0].spawn_agents.area.prototype.archetype_id");
  EXPECT_EQ(*results[2], (CommandAdmission{2, 1, 1, 1}));
  const core::Error error =
      Refuse({0, core::SpawnAgents{std::vector<core::NewAgent>{
                     {.archetype_id = 1}, {.archetype_id = 2}}}});
  EXPECT_EQ(error.field,
            "commands[0].spawn_agents.agents.agents[1].archetype_id");
}

TEST_F(CommandInboxTest, AnArchetypeThatWasRefusedDefinesNothing) {
  core::Command bad = Define();
  std::get<core::DefineArchetype>(bad.operation).archetype.mass = -1.0f;
  EXPECT_EQ(Admit({bad, Spawn(1)})[1].error().code,
            ErrorCode::kArchetypeUnknown);
  limits_.max_pending_commands = 0;
  EXPECT_FALSE(Admit({Define()})[0].ok());
  limits_.max_pending_commands = 10;
  EXPECT_EQ(Refuse(Spawn(1)).code, ErrorCode::kArchetypeUnknown);
}

TEST_F(CommandInboxTest, AgentsMustHaveBeenAdmittedBefore) {
  Admit({Define(), Spawn(2)});
  const auto fields = [this](core::Command command) {
    const core::Error error = Refuse(std::move(command));
    EXPECT_EQ(error.code, ErrorCode::kAgentNotFound);
    return error.field;
  };
  EXPECT_EQ(fields(Despawn({2, 3})), "commands[0].despawn_agents.agent_ids[1]");
  EXPECT_EQ(fields(AimAt({3}, 1)), "commands[0].set_target.agent_ids[0]");
  EXPECT_EQ(fields(AimAt({1}, 3)), "commands[0].set_target.target.agent_id");
  core::NewAgent aiming;
  aiming.targets[2] = {.kind = core::Target::Kind::kAgent, .agent = 3};
  EXPECT_EQ(fields({0, core::SpawnAgents{std::vector<core::NewAgent>{aiming}}}),
            "commands[0].spawn_agents.agents.agents[0].targets[2].agent_id");
  // Whether they are alive is for the tick that applies the command.
  EXPECT_TRUE(Admit({Despawn({2}), Despawn({2}), AimAt({2}, 2)})[1].ok());
}

TEST_F(CommandInboxTest, AgentQuotaCountsTheLivingAndThePending) {
  Admit({Define(), Spawn(60)});
  const AdmissionResults results = Admit({Spawn(30, 50), Spawn(20), Spawn(10)});
  EXPECT_TRUE(results[0].ok());
  ASSERT_FALSE(results[1].ok());
  EXPECT_EQ(results[1].error().code, ErrorCode::kQuotaExceeded);
  EXPECT_NE(results[1].error().reason.find("100"), std::string::npos);
  EXPECT_EQ(*results[2], (CommandAdmission{4, 1, 91, 10}));
  EXPECT_EQ(Refuse(Spawn(1)).code, ErrorCode::kQuotaExceeded);
  // While the step runs its spawns still count.
  const std::size_t commands = inbox().Collect(1).size();
  EXPECT_EQ(Refuse(Spawn(1)).code, ErrorCode::kQuotaExceeded);
  Apply(commands, 70);
  EXPECT_EQ(Refuse(Spawn(1)).code, ErrorCode::kQuotaExceeded);
}

TEST_F(CommandInboxTest, ADespawnFreesQuotaWhenItIsAppliedAndNotBefore) {
  Admit({Define(), Spawn(100)});
  Step();
  const AdmissionResults results = Admit({Despawn({1}), Spawn(1)});
  EXPECT_TRUE(results[0].ok());
  EXPECT_EQ(results[1].error().code, ErrorCode::kQuotaExceeded);
  live_ -= 1;
  Step();
  EXPECT_TRUE(Admit({Spawn(1)})[0].ok());
}

TEST_F(CommandInboxTest, PendingCommandsAreBounded) {
  limits_.max_pending_commands = 3;
  const AdmissionResults results =
      Admit({Define(), Define(1, 2), Define(1, 2), Define(), Define()});
  EXPECT_TRUE(results[2].ok());
  ASSERT_FALSE(results[3].ok());
  EXPECT_EQ(results[3].error().code, ErrorCode::kQuotaExceeded);
  EXPECT_NE(results[3].error().reason.find("limit of 3"), std::string::npos);
  EXPECT_EQ(inbox().pending(), 3);
  Step();
  EXPECT_EQ(inbox().pending(), 2);
  EXPECT_EQ(Admit({Define()})[0]->sequence, 4);
}

TEST_F(CommandInboxTest, PendingBytesAreBounded) {
  Admit({Define()});
  const std::size_t size = log_.pending_bytes();
  limits_.max_pending_bytes = 3 * size + size / 2;
  const AdmissionResults results = Admit({Define(), Define(), Define()});
  EXPECT_TRUE(results[1].ok());
  EXPECT_EQ(results[2].error().code, ErrorCode::kQuotaExceeded);
  EXPECT_EQ(log_.pending_bytes(), 3 * size);
  Step();
  EXPECT_EQ(log_.pending_bytes(), 0u);
  EXPECT_TRUE(Admit({Define()})[0].ok());
}

TEST_F(CommandInboxTest, ARefusalTakesNothing) {
  Admit({Define(), Spawn(5)});
  const std::int64_t pending = inbox().pending();
  const std::size_t bytes = log_.pending_bytes();
  Refuse(Spawn(96));
  Refuse(Spawn(1, 99'999));
  Refuse(Spawn(1, 0, 9));
  Refuse(Spawn(-1));
  Refuse(Despawn({6}));
  EXPECT_EQ(inbox().pending(), pending);
  EXPECT_EQ(log_.pending_bytes(), bytes);
  EXPECT_EQ(*Admit({Spawn(1)})[0], (CommandAdmission{3, 1, 6, 1}));
}

TEST_F(CommandInboxTest, ALogThatRefusesLeavesNoTrace) {
  log::MemoryWorldLog small({.records_per_world = 2});
  ASSERT_FALSE(small.CreateWorld("uid"));
  inbox_.emplace("uid", config_, limits_, small, budget_, requests_);
  ASSERT_TRUE(Admit({Define()})[0].ok());
  const AdmissionResults results = Admit({Define(2), Spawn(5), Spawn(1, 0, 9)});
  EXPECT_EQ(results[0].error().code, ErrorCode::kQuotaExceeded);
  EXPECT_EQ(results[1].error().code, ErrorCode::kQuotaExceeded);
  EXPECT_EQ(results[2].error().code, ErrorCode::kArchetypeUnknown)
      << "it had a reason of its own";
  EXPECT_EQ(inbox().pending(), 1);
  EXPECT_EQ(Refuse(Spawn(1, 0, 2)).code, ErrorCode::kArchetypeUnknown);
  EXPECT_EQ(*Admit({Spawn(100)})[0], (CommandAdmission{2, 1, 1, 100}));
}

TEST_F(CommandInboxTest, AdmitsNothingAfterClose) {
  Admit({Define()});
  inbox().Close({ErrorCode::kWorldNotFound, "", "deleted"});
  inbox().Close({ErrorCode::kDraining, "", ""});
  EXPECT_EQ(RefuseBatch(Batch({Define()})).code, ErrorCode::kWorldNotFound);
}

TEST_F(CommandInboxTest, AWorldWhoseLogIsGoneStepsOn) {
  Admit({Define()});
  log_.DeleteWorld("uid");
  EXPECT_TRUE(Step().empty());
  EXPECT_EQ(inbox().pending(), 0);
  EXPECT_EQ(RefuseBatch(Batch({Define()})).code, ErrorCode::kWorldNotFound);
}

// Many threads admit for "the next tick" while a world collects as fast as it
// can. Each command must be collected in the tick that its answer named, in
// ascending sequence, and none may be lost or come twice.
TEST_F(CommandInboxTest, CommandsThatRaceTheStepGetTheTickThatTheyAreTold) {
  constexpr int kThreads = 3;
  constexpr int kBatches = 400;
  config_.max_agents = core::kMaxAgents;
  limits_.max_pending_commands = 1'000'000;
  inbox();
  std::mutex mutex;
  std::map<std::int64_t, CommandAdmission> admitted;  // by sequence
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kBatches; ++i) {
        std::vector<core::Command> commands = {Define()};
        for (int spawn = 0; spawn < 40; ++spawn) commands.push_back(Spawn(2));
        std::vector<BatchCommand> batch = Batch(std::move(commands));
        const auto admission = inbox().Admit(batch);
        EXPECT_TRUE(admission.ok());
        if (!admission.ok()) break;
        const std::lock_guard lock(mutex);
        for (const auto& result : admission->results) {
          EXPECT_TRUE(result.ok()) << result.error().reason;
          if (result.ok()) admitted.emplace(result->sequence, *result);
        }
      }
      --running;
    });
  }
  std::vector<core::AdmittedCommand> collected;
  for (std::int64_t tick = 1; running > 0 || inbox().pending() > 0; ++tick) {
    std::int64_t last = 0;
    const auto commands = inbox().Collect(tick);
    for (const core::AdmittedCommand& command : commands) {
      EXPECT_EQ(command.apply_tick, tick);
      EXPECT_GT(command.sequence, last);
      last = command.sequence;
      collected.push_back(command);
    }
    Apply(commands.size(), 0);
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(admitted.size(), std::size_t{kThreads} * kBatches * 41);
  ASSERT_EQ(collected.size(), admitted.size());
  core::AgentId next_agent = 1;
  for (const auto& [sequence, admission] : admitted) {
    if (admission.agent_count == 0) continue;
    EXPECT_EQ(admission.first_agent_id, next_agent);
    next_agent += admission.agent_count;
  }
  for (const core::AdmittedCommand& command : collected) {
    EXPECT_EQ(admitted.at(command.sequence).apply_tick, command.apply_tick);
  }
  EXPECT_EQ(admitted.rbegin()->first,
            static_cast<std::int64_t>(admitted.size()));
}

TEST_F(CommandInboxTest, AllWorldsTogetherHaveALimitOfAgents) {
  ASSERT_TRUE(budget_.Take(999'950));  // by other worlds
  Admit({Define(), Spawn(30)});
  EXPECT_EQ(budget_.taken(), 999'980);
  const core::Error refusal = Refuse(Spawn(21));
  EXPECT_EQ(refusal.code, ErrorCode::kQuotaExceeded);
  EXPECT_THAT(refusal.reason, testing::HasSubstr("all worlds"));
  EXPECT_THAT(refusal.reason, testing::HasSubstr("1000000"));
  EXPECT_EQ(budget_.taken(), 999'980) << "a refused command takes nothing";
  const AdmissionResults results = Admit({Spawn(20)});
  EXPECT_EQ(results[0]->first_agent_id, 31);
  EXPECT_EQ(budget_.taken(), 1'000'000);
}

TEST_F(CommandInboxTest, AgentsThatAreGoneAreReturnedToAllWorlds) {
  Admit({Define(), Spawn(30)});
  Step();
  EXPECT_EQ(budget_.taken(), 30);
  Admit({Spawn(5)});
  live_ = 10;  // 20 have gone
  Step();
  EXPECT_EQ(budget_.taken(), 15);
  Admit({Spawn(40)});
  EXPECT_EQ(budget_.taken(), 55);
  inbox().Close({ErrorCode::kWorldNotFound, "", "deleted"});
  EXPECT_EQ(budget_.taken(), 0);
  Step();
  EXPECT_EQ(budget_.taken(), 0) << "a turn that was under way";
}

TEST_F(CommandInboxTest, ABatchThatTheLogRefusesReturnsItsAgents) {
  inbox();
  log_.DeleteWorld("uid");
  RefuseBatch(Batch({Define(), Spawn(30)}));
  EXPECT_EQ(budget_.taken(), 0);
}

}  // namespace
}  // namespace meander::hosting
