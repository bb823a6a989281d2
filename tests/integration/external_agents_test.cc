// Players that a client moves 60 times a second, over the wire to a real
// server: what is sent is what is applied, in order, and what watchers see.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

constexpr int kPlayers = 200;
constexpr int kBatches = 300;  // five seconds

v1::Command DefinePlayer() {
  v1::Command command = DefineSeeker(1);
  auto& archetype = *command.mutable_define_archetype()->mutable_archetype();
  archetype.clear_terms();
  archetype.set_external(true);
  return command;
}

// Where each player is in the nth batch: far enough for any mixture of two
// batches to show.
float PlaceX(int batch) { return static_cast<float>(batch); }
float PlaceY(int player) { return 2.0f * static_cast<float>(player); }

v1::Command MoveAll(int batch) {
  v1::Command command;
  for (int player = 1; player <= kPlayers; ++player) {
    auto& motion = *command.mutable_set_motion()->add_motions();
    motion.set_agent_id(player);
    motion.mutable_position()->set_x(PlaceX(batch));
    motion.mutable_position()->set_y(PlaceY(player));
    motion.mutable_velocity()->set_x(60.0f);
  }
  return command;
}

// The batch that a frame shows; -1 when it shows parts of more than one.
int BatchOf(const v1::Frame& frame) {
  const auto rows = static_cast<std::size_t>(frame.part_agent_count());
  EXPECT_EQ(rows, std::size_t{kPlayers});
  std::vector<float> columns(rows * 7);
  EXPECT_EQ(frame.columns().size(), columns.size() * sizeof(float));
  std::memcpy(columns.data(), frame.columns().data(), frame.columns().size());
  const float* const x = columns.data() + rows;
  const float* const y = x + rows;
  for (std::size_t row = 0; row < rows; ++row) {
    if (x[row] != x[0] || y[row] != PlaceY(static_cast<int>(row) + 1)) {
      return -1;
    }
  }
  return static_cast<int>(x[0]);
}

TEST(ExternalAgentsTest, PlayersAreWhereTheirClientPutThem) {
  const ServerProcess server;
  const Client client(server.address());
  const std::string world = client.MustCreate("a", 1, v1::CLOCK_MODE_REALTIME);
  ExpectAdmitted(client.MustSubmit(
      world, {DefinePlayer(), SpawnInDisc(1, kPlayers), MoveAll(0)}));
  ASSERT_TRUE(Until(
      client, [&] { return client.MustGet(world).agent_count() == kPlayers; }));

  Call call;
  const auto reader = client.Watch(call.context, world, 1);
  std::map<std::int64_t, int> shown;  // batch by tick
  std::vector<std::int64_t> ticks;    // that batches were admitted for
  // One batch for each frame that comes, as a game sends one for each tick.
  v1::Frame frame;
  for (int batch = 1; batch <= kBatches; ++batch) {
    ASSERT_TRUE(reader->Read(&frame));
    shown[frame.tick()] = BatchOf(frame);
    const auto response = client.MustSubmit(world, {MoveAll(batch)});
    ASSERT_TRUE(response.results(0).has_admission());
    EXPECT_EQ(response.results(0).admission().sequence(), batch + 3);
    ticks.push_back(response.results(0).admission().apply_tick());
  }
  while (frame.tick() < ticks.back()) {
    ASSERT_TRUE(reader->Read(&frame));
    shown[frame.tick()] = BatchOf(frame);
  }
  call.context.TryCancel();

  EXPECT_TRUE(std::is_sorted(ticks.begin(), ticks.end()));
  for (const auto& [tick, batch] : shown) {
    const auto later = std::upper_bound(ticks.begin(), ticks.end(), tick);
    EXPECT_EQ(batch, later - ticks.begin()) << "tick " << tick;
  }
  v1::GetCommandOutcomesRequest request;
  request.set_world(world);
  for (int batch = 1; batch <= kBatches; ++batch) {
    request.add_sequences(batch + 3);
  }
  Call outcomes_call;
  v1::GetCommandOutcomesResponse outcomes;
  ASSERT_TRUE(
      client.commands
          ->GetCommandOutcomes(&outcomes_call.context, request, &outcomes)
          .ok());
  ASSERT_EQ(outcomes.reports_size(), kBatches);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const v1::CommandReport& report = outcomes.reports(static_cast<int>(i));
    EXPECT_EQ(report.outcome(), v1::COMMAND_OUTCOME_APPLIED);
    EXPECT_EQ(report.tick(), ticks[i]);
  }
}

}  // namespace
}  // namespace meander
