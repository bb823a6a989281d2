// BatchGetAgents, over the wire to a real server.

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::StatusCode;

grpc::Status BatchGet(const Client& client, const std::string& world,
                      const std::vector<std::int64_t>& ids,
                      v1::BatchGetAgentsResponse& response) {
  Call call;
  v1::BatchGetAgentsRequest request;
  request.set_world(world);
  request.mutable_agent_ids()->Add(ids.begin(), ids.end());
  return client.queries->BatchGetAgents(&call.context, request, &response);
}

std::vector<std::int64_t> UpTo(std::int64_t last) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(last));
  std::iota(ids.begin(), ids.end(), 1);
  return ids;
}

// A world in which the first agents of a thousand live, but for agent 3.
std::string MakeWorld(const Client& client) {
  const std::string world = client.MustCreate("a");
  v1::Command despawn;
  despawn.mutable_despawn_agents()->add_agent_ids(3);
  v1::Command spawn = SpawnInDisc(1, 1'000);
  auto& prototype =
      *spawn.mutable_spawn_agents()->mutable_area()->mutable_prototype();
  for (int slot = 0; slot < 4; ++slot) {
    prototype.add_targets()->mutable_point()->set_x(1.5f);
  }
  ExpectAdmitted(client.MustSubmit(world, {DefineWanderer(1), spawn, despawn}));
  client.MustStep(world, 7);
  return world;
}

TEST(BatchGetTest, AnswersInTheOrderOfTheRequestAndNamesTheMissing) {
  const ServerProcess server;
  const Client client(server.address());
  const std::string world = MakeWorld(client);
  v1::BatchGetAgentsResponse response;
  ASSERT_TRUE(BatchGet(client, world, {9, 4'000, 1, 3, 500}, response).ok());
  ASSERT_EQ(response.agents_size(), 3);
  EXPECT_EQ(response.agents(0).id(), 9);
  EXPECT_EQ(response.agents(1).id(), 1);
  EXPECT_EQ(response.agents(2).id(), 500);
  ASSERT_EQ(response.missing_agent_ids_size(), 2);
  EXPECT_EQ(response.missing_agent_ids(0), 4'000);
  EXPECT_EQ(response.missing_agent_ids(1), 3);
  EXPECT_EQ(response.tick(), 7);
  EXPECT_EQ(response.epoch(), 1);
  v1::GetAgentResponse alone;
  ASSERT_TRUE(client.GetAgent(world, 500, &alone).ok());
  EXPECT_EQ(response.agents(2).SerializeAsString(),
            alone.agent().SerializeAsString());
  EXPECT_EQ(response.state_hash(), alone.state_hash());
}

TEST(BatchGetTest, BadIdsAreRefusedByTheirField) {
  const ServerProcess server;
  const Client client(server.address());
  const std::string world = MakeWorld(client);
  const auto refuse = [&](const std::vector<std::int64_t>& ids) {
    v1::BatchGetAgentsResponse response;
    const Refusal refusal = Explain(BatchGet(client, world, ids, response));
    EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
    return refusal.fields.empty() ? std::string() : refusal.fields.front();
  };
  EXPECT_EQ(refuse({}), "agent_ids");
  EXPECT_EQ(refuse(UpTo(1'001)), "agent_ids");
  EXPECT_EQ(refuse({1, 2, 0}), "agent_ids[2]");
  EXPECT_EQ(refuse({1, -5, 2}), "agent_ids[1]");
  EXPECT_EQ(refuse({4, 2, 4}), "agent_ids");
  v1::BatchGetAgentsResponse response;
  EXPECT_EQ(Explain(BatchGet(client, "worlds/none", {1}, response)).reason,
            "WORLD_NOT_FOUND");
}

TEST(BatchGetTest, AnAnswerFitsIntoAMessage) {
  const ServerProcess server;
  const Client client(server.address());
  v1::BatchGetAgentsResponse response;
  ASSERT_TRUE(BatchGet(client, MakeWorld(client), UpTo(1'000), response).ok());
  EXPECT_EQ(response.agents_size(), 999);
  EXPECT_LE(response.ByteSizeLong(), std::size_t{1} << 20);

  const ServerProcess small(
      {"--max_message_bytes=65536", "--max_batch_commands=300"});
  const Client other(small.address());
  const std::string world = MakeWorld(other);
  const Refusal refusal =
      Explain(BatchGet(other, world, UpTo(1'000), response));
  EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(refusal.Names("agent_ids"));
  EXPECT_NE(refusal.message.find("65536"), std::string::npos);
  EXPECT_TRUE(BatchGet(other, world, UpTo(100), response).ok());
}

}  // namespace
}  // namespace meander
