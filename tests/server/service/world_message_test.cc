#include "server/service/world_message.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace meander::service {
namespace {

using core::ErrorCode;
using google::protobuf::FieldDescriptor;

std::size_t SetFields(const google::protobuf::Message& message) {
  std::vector<const FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  return set.size();
}

TEST(WorldMessageTest, ShowsEveryFieldOfAWorld) {
  const hosting::WorldIdentity identity{
      .id = "here",
      .uid = "0123",
      .config = {},
      .seed = 5,
      .hosting = {.clock_mode = hosting::ClockMode::kManual,
                  .durability = hosting::Durability::kNone}};
  // All different, so that no two can be mixed up.
  const hosting::WorldStatus status{.tick = 101,
                                    .epoch = 102,
                                    .state_hash = 103,
                                    .agent_count = 104,
                                    .archetype_count = 105,
                                    .bound_stops = 106,
                                    .pending_commands = 107,
                                    .outcomes = {108, 109, 110, 111},
                                    .slipped_ticks = 112};
  const v1::World world = ToMessage(identity, status);
  EXPECT_EQ(SetFields(world),
            static_cast<std::size_t>(world.GetDescriptor()->field_count()));
  EXPECT_EQ(SetFields(world.hosting()), 2u);
  EXPECT_EQ(SetFields(world.command_outcomes()), 4u);
  EXPECT_EQ(world.name(), "worlds/here");
  EXPECT_EQ(world.uid(), "0123");
  EXPECT_EQ(world.simulation().tick_rate_hz(), 60);
  EXPECT_EQ(world.simulation().seed(), 5u);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_MANUAL);
  EXPECT_EQ(world.hosting().durability(), v1::DURABILITY_NONE);
  EXPECT_EQ(world.tick(), 101);
  EXPECT_EQ(world.epoch(), 102);
  EXPECT_EQ(world.state_hash(), 103u);
  EXPECT_EQ(world.agent_count(), 104);
  EXPECT_EQ(world.archetype_count(), 105);
  EXPECT_EQ(world.bound_stops(), 106);
  EXPECT_EQ(world.pending_command_count(), 107);
  EXPECT_EQ(world.command_outcomes().applied(), 108);
  EXPECT_EQ(world.command_outcomes().agent_gone(), 109);
  EXPECT_EQ(world.command_outcomes().archetype_unknown(), 110);
  EXPECT_EQ(world.command_outcomes().world_full(), 111);
  EXPECT_EQ(world.slipped_ticks(), 112);
}

TEST(WorldMessageTest, HostingComesBackAsItWas) {
  for (const auto clock :
       {hosting::ClockMode::kRealtime, hosting::ClockMode::kManual}) {
    for (const auto durability :
         {hosting::Durability::kNone, hosting::Durability::kAsync,
          hosting::Durability::kCommitted}) {
      hosting::WorldIdentity identity;
      identity.hosting = {.clock_mode = clock, .durability = durability};
      core::Violations violations;
      EXPECT_EQ(ToHosting(ToMessage(identity, {}).hosting(), "", violations),
                identity.hosting);
      EXPECT_TRUE(violations.empty());
    }
  }
}

TEST(WorldMessageTest, UnsetHostingIsTheDefault) {
  core::Violations violations;
  EXPECT_EQ(ToHosting({}, "world.hosting", violations),
            hosting::HostingConfig{});
  EXPECT_TRUE(violations.empty());
}

TEST(WorldMessageTest, UnknownEnumsAreNamed) {
  v1::HostingConfig config;
  config.set_clock_mode(static_cast<v1::ClockMode>(17));
  config.set_durability(static_cast<v1::Durability>(-1));
  core::Violations violations;
  ToHosting(config, "world.hosting", violations);
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_EQ(violations[0].code, ErrorCode::kMalformed);
  EXPECT_EQ(violations[0].field, "world.hosting.clock_mode");
  EXPECT_EQ(violations[1].field, "world.hosting.durability");
}

}  // namespace
}  // namespace meander::service
