// Frames, over the wire from a real server.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

// What a watcher knows of an agent, as bits.
struct Motion {
  std::uint32_t bits[6];  // position x, y, z, velocity x, y, z

  bool operator==(const Motion&) const = default;
};

std::uint32_t Bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

Motion MotionOf(const v1::Agent& agent) {
  return {{Bits(agent.position().x()), Bits(agent.position().y()),
           Bits(agent.position().z()), Bits(agent.velocity().x()),
           Bits(agent.velocity().y()), Bits(agent.velocity().z())}};
}

// All parts of a frame put together.
struct WholeFrame {
  std::int64_t tick = -1;
  std::uint64_t state_hash = 0;
  std::int64_t skipped = 0;
  int parts = 0;
  std::map<std::int64_t, Motion> agents;
};

void AddPart(const v1::Frame& part, WholeFrame& whole) {
  const auto rows = static_cast<std::size_t>(part.part_agent_count());
  ASSERT_EQ(part.columns().size(), rows * 28);
  std::vector<std::uint32_t> words(rows * 7);
  if (rows > 0) {
    std::memcpy(words.data(), part.columns().data(), rows * 28);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    Motion motion{};
    for (std::size_t column = 0; column < 6; ++column) {
      motion.bits[column] = words[(column + 1) * rows + row];
    }
    const std::int64_t id = part.id_base() + words[row];
    EXPECT_TRUE(whole.agents.emplace(id, motion).second) << id;
  }
}

// The next frame; its tick stays -1 when the stream has ended.
WholeFrame ReadFrame(WatchReader& reader) {
  WholeFrame whole;
  v1::Frame part;
  do {
    if (!reader.Read(&part)) return {};
    EXPECT_LE(part.ByteSizeLong(), kMessageLimit);
    EXPECT_EQ(part.part(), whole.parts);
    if (whole.parts == 0) {
      whole.tick = part.tick();
      whole.state_hash = part.state_hash();
      whole.skipped = part.skipped();
    }
    EXPECT_EQ(part.tick(), whole.tick);
    EXPECT_EQ(part.epoch(), 1);
    AddPart(part, whole);
    ++whole.parts;
  } while (whole.parts < part.parts());
  EXPECT_EQ(static_cast<std::int64_t>(whole.agents.size()), part.agent_count());
  return whole;
}

class WatchTest : public testing::Test {
 protected:
  ServerProcess server_;
  Client client_{server_.address()};
};

TEST_F(WatchTest, TheFirstFrameShowsTheWorldAsItIs) {
  const std::string name = client_.MustCreate("a", 3);
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 10)}));
  const v1::StepWorldResponse step = client_.MustStep(name, 5);
  Call call;
  const auto reader = client_.Watch(call.context, name, 3600);
  const WholeFrame frame = ReadFrame(*reader);
  EXPECT_EQ(frame.tick, 5);
  EXPECT_EQ(frame.state_hash, step.state_hash());
  EXPECT_EQ(frame.agents.size(), 10u);
  EXPECT_EQ(frame.skipped, 0);
  call.context.TryCancel();
}

TEST_F(WatchTest, AnEmptyWorldHasAnEmptyFrame) {
  const std::string name = client_.MustCreate("a");
  Call call;
  const auto reader = client_.Watch(call.context, name);
  const WholeFrame frame = ReadFrame(*reader);
  EXPECT_EQ(frame.tick, 0);
  EXPECT_EQ(frame.parts, 1);
  EXPECT_TRUE(frame.agents.empty());
  call.context.TryCancel();
}

TEST_F(WatchTest, ColumnsEqualGetAgentBitForBitAtThatTick) {
  const std::string name = client_.MustCreate("a", 12345);
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineWanderer(1), DefineSeeker(2),
                                SpawnInDisc(1, 40), SpawnInDisc(2, 10)}));
  Call call;
  const auto reader = client_.Watch(call.context, name);
  EXPECT_EQ(ReadFrame(*reader).tick, 0);
  for (int round = 1; round <= 5; ++round) {
    const v1::StepWorldResponse step = client_.MustStep(name, 1);
    const WholeFrame frame = ReadFrame(*reader);
    ASSERT_EQ(frame.tick, round);
    EXPECT_EQ(frame.state_hash, step.state_hash());
    ASSERT_EQ(frame.agents.size(), 50u);
    for (const auto& [id, motion] : frame.agents) {
      v1::GetAgentResponse response;
      ASSERT_TRUE(client_.GetAgent(name, id, &response).ok());
      EXPECT_EQ(response.tick(), frame.tick);
      EXPECT_EQ(response.state_hash(), frame.state_hash);
      EXPECT_TRUE(MotionOf(response.agent()) == motion) << "agent " << id;
    }
    v1::ListAgentsRequest request;
    request.set_world(name);
    v1::ListAgentsResponse page;
    ASSERT_TRUE(client_.ListAgents(request, &page).ok());
    for (const v1::Agent& agent : page.agents()) {
      EXPECT_TRUE(MotionOf(agent) == frame.agents.at(agent.id()));
    }
  }
  call.context.TryCancel();
}

TEST_F(WatchTest, FramesComeAtTheTicksThatTheViewSelects) {
  const std::string name = client_.MustCreate("a");
  client_.MustStep(name, 4);
  Call call;
  const auto reader = client_.Watch(call.context, name, 3);
  EXPECT_EQ(ReadFrame(*reader).tick, 4);
  for (std::int64_t tick = 5; tick <= 20; ++tick) {
    EXPECT_EQ(client_.MustStep(name, 1).tick(), tick);
    if (tick % 3 != 0) continue;
    EXPECT_EQ(ReadFrame(*reader).tick, tick);
  }
  call.context.TryCancel();
}

TEST_F(WatchTest, SkippedFramesAreCounted) {
  const std::string name = client_.MustCreate("a");
  Call call;
  const auto reader = client_.Watch(call.context, name);
  WholeFrame frame = ReadFrame(*reader);
  std::int64_t seen = 0;
  std::int64_t skipped = 0;
  client_.MustStep(name, 20'000);
  while (frame.tick < 20'000) {
    const std::int64_t last = frame.tick;
    frame = ReadFrame(*reader);
    ASSERT_GT(frame.tick, last);
    EXPECT_EQ(frame.skipped, frame.tick - last - 1);
    ++seen;
    skipped += frame.skipped;
  }
  EXPECT_EQ(seen + skipped, 20'000);
  call.context.TryCancel();
}

TEST_F(WatchTest, TwoHundredThousandAgentsReachAClientWithDefaultLimits) {
  constexpr std::int64_t kAgents = 200'000;
  v1::CreateWorldRequest request;
  request.set_world_id("big");
  request.mutable_world()->mutable_simulation()->set_max_agents(kAgents);
  request.mutable_world()->mutable_hosting()->set_clock_mode(
      v1::CLOCK_MODE_MANUAL);
  ASSERT_TRUE(client_.Create(request).ok());
  const std::string name = "worlds/big";
  ExpectAdmitted(client_.MustSubmit(
      name, {DefineWanderer(1), SpawnInDisc(1, kAgents, 1000.0f)}));
  client_.MustStep(name, 1);

  Call call;
  const auto reader = client_.Watch(call.context, name);
  const WholeFrame frame = ReadFrame(*reader);
  EXPECT_EQ(frame.tick, 1);
  EXPECT_EQ(frame.agents.size(), static_cast<std::size_t>(kAgents));
  EXPECT_GT(frame.parts, 5);
  call.context.TryCancel();

  v1::ListAgentsRequest list;
  list.set_world(name);
  list.set_page_size(1000);
  std::int64_t listed = 0;
  do {
    v1::ListAgentsResponse page;
    const grpc::Status status = client_.ListAgents(list, &page);
    ASSERT_TRUE(status.ok()) << Show(status);
    EXPECT_LE(page.ByteSizeLong(), kMessageLimit);
    for (const v1::Agent& agent : page.agents()) {
      ASSERT_EQ(agent.id(), ++listed);
      ASSERT_TRUE(MotionOf(agent) == frame.agents.at(agent.id()));
    }
    list.set_page_token(page.next_page_token());
  } while (!list.page_token().empty());
  EXPECT_EQ(listed, kAgents);
}

TEST_F(WatchTest, WatchersOfADeletedWorldAreToldSo) {
  const std::string name = client_.MustCreate("a");
  Call call;
  const auto reader = client_.Watch(call.context, name);
  EXPECT_EQ(ReadFrame(*reader).tick, 0);
  ASSERT_TRUE(client_.Delete(name).ok());
  EXPECT_EQ(ReadFrame(*reader).tick, -1);
  const Refusal refusal = Explain(reader->Finish());
  EXPECT_EQ(refusal.code, grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(refusal.reason, "WORLD_NOT_FOUND");
}

TEST(WatchLimitsTest, AWorldHasSoManyWatchersAndSaysSo) {
  ServerProcess server({"--max_subscribers=2"});
  const Client client(server.address());
  const std::string name = client.MustCreate("a");
  Call first, second, third;
  const auto a = client.Watch(first.context, name);
  const auto b = client.Watch(second.context, name);
  EXPECT_EQ(ReadFrame(*a).tick, 0);
  EXPECT_EQ(ReadFrame(*b).tick, 0);
  const auto c = client.Watch(third.context, name);
  EXPECT_EQ(ReadFrame(*c).tick, -1);
  const Refusal refusal = Explain(c->Finish());
  EXPECT_EQ(refusal.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refusal.reason, "QUOTA_EXCEEDED");
  EXPECT_TRUE(refusal.retry);

  // A watcher that leaves makes room.
  first.context.TryCancel();
  a->Finish();
  EXPECT_TRUE(Until(client, [&] {
    Call call;
    const auto reader = client.Watch(call.context, name);
    const bool taken = ReadFrame(*reader).tick == 0;
    call.context.TryCancel();
    return taken;
  }));
  second.context.TryCancel();
}

}  // namespace
}  // namespace meander
