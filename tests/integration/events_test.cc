// Events in frames, over the wire from a real server.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

// Tick, agent and slot of each lost target.
using Losses = std::vector<std::tuple<std::int64_t, std::int64_t, int>>;

struct Told {
  std::int64_t tick = -1;
  Losses losses;
  std::int64_t dropped = 0;
  std::int64_t remaining = 0;
};

// The next frame; its tick stays -1 when the stream has ended.
Told ReadTold(WatchReader& reader) {
  Told told;
  v1::Frame part;
  do {
    if (!reader.Read(&part)) return {};
    EXPECT_LE(part.ByteSizeLong(), kMessageLimit);
    if (part.part() == 0) {
      told.tick = part.tick();
      told.dropped = part.dropped_events();
      told.remaining = part.remaining_events();
      for (const v1::Event& event : part.events()) {
        EXPECT_TRUE(event.has_target_lost());
        told.losses.emplace_back(event.tick(), event.agent_id(),
                                 event.target_lost().slot());
      }
      continue;
    }
    EXPECT_EQ(
        part.events_size() + part.dropped_events() + part.remaining_events(),
        0);
  } while (part.part() + 1 < part.parts());
  return told;
}

std::unique_ptr<WatchReader> Watch(const Client& client, Call& call,
                                   const std::string& world,
                                   std::int32_t interval_ticks = 1) {
  v1::WatchWorldRequest request;
  request.set_world(world);
  request.set_interval_ticks(interval_ticks);
  request.add_events(v1::EVENT_KIND_TARGET_LOST);
  return client.streams->WatchWorld(&call.context, request);
}

v1::Command Aim(std::int64_t agent, std::int64_t target, std::int64_t tick) {
  v1::Command command;
  command.set_apply_tick(tick);
  command.mutable_set_target()->add_agent_ids(agent);
  command.mutable_set_target()->mutable_target()->set_agent_id(target);
  return command;
}

v1::Command DespawnAt(std::int64_t agent, std::int64_t tick) {
  v1::Command command;
  command.set_apply_tick(tick);
  command.mutable_despawn_agents()->add_agent_ids(agent);
  return command;
}

class EventsTest : public testing::Test {
 protected:
  // Agents 1 and 2 are after each other, 3 after 1; at tick 1.
  std::string MakeChase() {
    const std::string name = client_.MustCreate("a");
    ExpectAdmitted(
        client_.MustSubmit(name, {DefineSeeker(1), SpawnInDisc(1, 3),
                                  Aim(1, 2, 1), Aim(2, 1, 1), Aim(3, 1, 1)}));
    client_.MustStep(name, 1);
    return name;
  }

  ServerProcess server_{{"--max_kept_events=50000"}};
  Client client_{server_.address()};
};

TEST_F(EventsTest, EachFrameTellsTheLossesSinceTheOneBefore) {
  const std::string name = MakeChase();
  Call every_tick, each_tenth;
  const auto every = Watch(client_, every_tick, name);
  const auto tenth = Watch(client_, each_tenth, name, 10);
  EXPECT_EQ(ReadTold(*every).losses, Losses{});
  EXPECT_EQ(ReadTold(*tenth).tick, 1);
  ExpectAdmitted(client_.MustSubmit(
      name, {DespawnAt(1, 3), Aim(3, 2, 4), Aim(3, 3, 12), DespawnAt(2, 14)}));
  Losses losses;
  for (std::int64_t tick = 2; tick <= 20; ++tick) {
    client_.MustStep(name, 1);
    const Told told = ReadTold(*every);
    ASSERT_EQ(told.tick, tick);
    for (const auto& loss : told.losses) {
      EXPECT_EQ(std::get<0>(loss), tick);
      losses.push_back(loss);
    }
  }
  EXPECT_EQ(losses, (Losses{{3, 2, 0}, {3, 3, 0}, {12, 3, 0}}));
  EXPECT_EQ(ReadTold(*tenth).losses, (Losses{{3, 2, 0}, {3, 3, 0}}));
  EXPECT_EQ(ReadTold(*tenth).losses, (Losses{{12, 3, 0}}));
  every_tick.context.TryCancel();
  each_tenth.context.TryCancel();
}

TEST_F(EventsTest, AFrameOfAStepAndOneOfWhoDoesNotAskHaveNone) {
  const std::string name = MakeChase();
  Call call;
  const auto reader = client_.Watch(call.context, name);
  EXPECT_EQ(ReadTold(*reader).tick, 1);
  ExpectAdmitted(client_.MustSubmit(name, {DespawnAt(1, 2)}));
  v1::StepWorldRequest step;
  step.set_name(name);
  step.set_include_frame(true);
  v1::StepWorldResponse stepped;
  ASSERT_TRUE(client_.Step(step, &stepped).ok());
  EXPECT_EQ(stepped.frame().tick(), 2);
  EXPECT_EQ(stepped.frame().events_size(), 0);
  const Told told = ReadTold(*reader);
  EXPECT_EQ(told.tick, 2);
  EXPECT_EQ(told.losses, Losses{});
  call.context.TryCancel();
}

// 60,000 lose their targets in one tick: more than the server keeps, and than
// a message holds.
TEST_F(EventsTest, NoMessageIsTooLongAndNoEventIsLostWithoutASign) {
  constexpr std::int64_t kAgents = 60'000;
  const std::string name = client_.MustCreate("a");
  client_.MustStep(name, 1);
  Call call;
  const auto reader = Watch(client_, call, name);
  EXPECT_EQ(ReadTold(*reader).tick, 1);
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineSeeker(1), SpawnInDisc(1, kAgents)}));
  std::int64_t next = 10'001;
  for (bool first = true; next <= kAgents; first = false) {
    client_.MustStep(name, 1);
    const Told told = ReadTold(*reader);
    EXPECT_EQ(told.dropped, first ? 10'000 : 0);
    ASSERT_TRUE(told.losses.size() > 5'000 || told.remaining == 0);
    for (const auto& loss : told.losses) {
      ASSERT_EQ(loss, std::tuple(2, next, 0));
      ++next;
    }
    ASSERT_EQ(told.remaining, kAgents + 1 - next);
    if (HasFailure()) break;
  }
  call.context.TryCancel();
}

TEST_F(EventsTest, KindsThatThereAreNotAreRefused) {
  const std::string name = client_.MustCreate("a");
  for (const int kind : {0, 2, -1}) {
    v1::WatchWorldRequest request;
    request.set_world(name);
    request.add_events(v1::EVENT_KIND_TARGET_LOST);
    request.add_events(static_cast<v1::EventKind>(kind));
    Call call;
    const auto reader = client_.streams->WatchWorld(&call.context, request);
    ASSERT_EQ(ReadTold(*reader).tick, -1);
    const Refusal refusal = Explain(reader->Finish());
    EXPECT_EQ(refusal.code, grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_TRUE(refusal.Names("events[1]")) << kind;
  }
}

}  // namespace
}  // namespace meander
