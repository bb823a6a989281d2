#include "server/service/world_message.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/validation.h"

namespace meander::service {
namespace {

using google::protobuf::FieldDescriptor;

std::size_t SetFields(const google::protobuf::Message& message) {
  std::vector<const FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  return set.size();
}

hosting::WorldStatus Status() {
  hosting::WorldSettings settings;
  settings.labels = {{"stage", "test"}};
  hosting::WorldStatus status;
  status.settings = std::make_shared<const hosting::WorldSettings>(settings);
  return status;
}

TEST(WorldMessageTest, ShowsEveryFieldOfAWorld) {
  const hosting::WorldIdentity identity{
      .id = "here", .uid = "0123", .config = {}, .seed = 5};
  // All different, so that no two can be mixed up.
  hosting::WorldStatus status = Status();
  status.tick = 101;
  status.epoch = 102;
  status.state_hash = 103;
  status.clock = hosting::ClockState::kPaused;
  status.agent_count = 104;
  status.archetype_count = 105;
  status.bound_stops = 106;
  status.pending_commands = 107;
  status.outcomes = {108, 109, 110, 111, 112};
  status.slipped_ticks = 113;
  status.cell_size = 0.5f;
  status.neighbor_radius = 2.125f;
  const v1::World world = ToMessage(identity, status);
  EXPECT_EQ(SetFields(world),
            static_cast<std::size_t>(world.GetDescriptor()->field_count()));
  EXPECT_EQ(SetFields(world.command_outcomes()), 5u);
  EXPECT_EQ(world.simulation().cell_size(), 0.5f);
  EXPECT_EQ(world.name(), "worlds/here");
  EXPECT_EQ(world.uid(), "0123");
  EXPECT_EQ(world.simulation().tick_rate_hz(), 60);
  EXPECT_EQ(world.simulation().seed(), 5u);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_REALTIME);
  EXPECT_EQ(world.labels().at("stage"), "test");
  EXPECT_EQ(world.tick(), 101);
  EXPECT_EQ(world.epoch(), 102);
  EXPECT_EQ(world.state_hash(), 103u);
  EXPECT_EQ(world.state(), v1::WORLD_STATE_PAUSED);
  EXPECT_EQ(world.agent_count(), 104);
  EXPECT_EQ(world.archetype_count(), 105);
  EXPECT_EQ(world.bound_stops(), 106);
  EXPECT_EQ(world.pending_command_count(), 107);
  EXPECT_EQ(world.command_outcomes().applied(), 108);
  EXPECT_EQ(world.command_outcomes().agent_gone(), 109);
  EXPECT_EQ(world.command_outcomes().archetype_unknown(), 110);
  EXPECT_EQ(world.command_outcomes().world_full(), 111);
  EXPECT_EQ(world.command_outcomes().archetype_in_use(), 112);
  EXPECT_EQ(world.slipped_ticks(), 113);
}

TEST(WorldMessageTest, AHashThatWasNotComputedIsNotSet) {
  EXPECT_FALSE(ToMessage({}, Status()).has_state_hash());
  hosting::WorldStatus status = Status();
  status.state_hash = 0;
  EXPECT_TRUE(ToMessage({}, status).has_state_hash());
}

TEST(WorldMessageTest, HintsAtCellsFarFromTheRadiusOfNeighbors) {
  hosting::WorldStatus status = Status();
  status.cell_size = 8.0f;
  for (const float fitting : {0.0f, 2.0f, 8.0f, 32.0f}) {
    status.neighbor_radius = fitting;
    EXPECT_TRUE(ToMessage({}, status).hints().empty()) << fitting;
  }
  for (const float far : {1.875f, 32.5f}) {
    status.neighbor_radius = far;
    const v1::World world = ToMessage({}, status);
    ASSERT_EQ(world.hints_size(), 1) << far;
    EXPECT_NE(world.hints(0).find("cell_size is 8 "), std::string::npos);
    EXPECT_NE(world.hints(0).find("within " + core::Show(far) + " units"),
              std::string::npos);
  }
}

TEST(WorldMessageTest, ShowsWhatTheClockDoes) {
  hosting::WorldStatus status = Status();
  EXPECT_EQ(ToMessage({}, status).state(), v1::WORLD_STATE_RUNNING);
  status.clock = hosting::ClockState::kOverloaded;
  EXPECT_EQ(ToMessage({}, status).state(), v1::WORLD_STATE_OVERLOADED);
}

}  // namespace
}  // namespace meander::service
