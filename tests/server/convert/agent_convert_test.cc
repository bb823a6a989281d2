#include "server/convert/agent_convert.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/server/convert/proto_walk.h"

namespace meander::convert {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

core::AgentState FullAgent() {
  core::AgentState agent;
  agent.id = (std::int64_t{1} << 40) + 3;
  agent.archetype_id = 17;
  agent.position = {1.5f, -2.25f, 3.125f};
  agent.velocity = {-0.5f, 0.0625f, 1e-30f};
  agent.seed = kLargest;
  agent.tag = kLargest - 1;
  agent.step_count = 123'456'789'012;
  agent.targets[0] = {.kind = core::Target::Kind::kPoint, .point = {7, 8, 9}};
  agent.targets[2] = {.kind = core::Target::Kind::kAgent, .agent = 42};
  agent.wander_angle = -3.0f;
  agent.groups = 0x80000001u;
  agent.facing = {0.0f, 0.6f, -0.8f};
  agent.wander_elevation = -1.5f;
  agent.wander_offset = {1.0f, 0.0625f, 0.125f};
  agent.wander_heading = {-0.5f, 0.25f, -0.75f};
  return agent;
}

// The way back, which only a test needs.
core::AgentState Back(const v1::Agent& agent) {
  core::AgentState out;
  out.id = agent.id();
  out.archetype_id = agent.archetype_id();
  out.position = ToCore(agent.position());
  out.velocity = ToCore(agent.velocity());
  out.seed = agent.seed();
  out.tag = agent.tag();
  out.step_count = agent.step_count();
  EXPECT_EQ(static_cast<std::size_t>(agent.targets_size()), out.targets.size());
  for (int i = 0; i < agent.targets_size(); ++i) {
    out.targets[static_cast<std::size_t>(i)] = ToCore(agent.targets(i));
  }
  out.wander_angle = agent.wander_angle();
  out.groups = agent.groups();
  out.facing = ToCore(agent.facing());
  out.wander_elevation = agent.wander_elevation();
  out.wander_offset = ToCore(agent.wander_offset());
  out.wander_heading = ToCore(agent.wander_heading());
  return out;
}

TEST(AgentConvertTest, SetsEveryFieldOfAnAgent) {
  v1::Agent agent;
  ToProto(FullAgent(), agent);
  std::vector<const google::protobuf::FieldDescriptor*> set;
  agent.GetReflection()->ListFields(agent, &set);
  EXPECT_EQ(static_cast<int>(set.size()), agent.GetDescriptor()->field_count());
}

TEST(AgentConvertTest, ComesBackAsItWas) {
  v1::Agent agent;
  ToProto(FullAgent(), agent);
  v1::Agent received;
  ASSERT_TRUE(received.ParseFromString(agent.SerializeAsString()));
  EXPECT_EQ(Back(received), FullAgent());
}

TEST(AgentConvertTest, EveryFieldCounts) {
  v1::Agent agent;
  ToProto(FullAgent(), agent);
  std::size_t leaves = 0;
  for (const Leaf& leaf : Leaves(agent, "")) {
    v1::Agent changed = agent;
    Change(Leaves(changed, "")[leaves++]);
    EXPECT_FALSE(Back(changed) == FullAgent()) << leaf.path;
  }
  EXPECT_EQ(leaves, 27u);
}

TEST(AgentConvertTest, KeepsEveryBitOfANumber) {
  for (const std::uint32_t bits :
       {0x80000000u, 0x00000001u, 0x807fffffu, 0x7f7fffffu, 0x3f800001u}) {
    const float value = std::bit_cast<float>(bits);
    v1::Vec3 vector;
    ToProto(core::Vec3{value, value, value}, vector);
    v1::Vec3 received;
    ASSERT_TRUE(received.ParseFromString(vector.SerializeAsString()));
    const core::Vec3 back = ToCore(received);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(back.x), bits);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(back.y), bits);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(back.z), bits);
  }
}

TEST(AgentConvertTest, AlwaysShowsFourSlots) {
  v1::Agent agent;
  ToProto(core::AgentState{}, agent);
  ASSERT_EQ(agent.targets_size(), core::kTargetSlots);
  for (const v1::Target& target : agent.targets()) {
    EXPECT_EQ(target.kind_case(), v1::Target::KIND_NOT_SET);
  }
}

TEST(AgentConvertTest, OverwritesWhatStoodThere) {
  v1::Agent agent;
  ToProto(FullAgent(), agent);
  ToProto(core::AgentState{}, agent);
  EXPECT_EQ(Back(agent), core::AgentState{});
}

}  // namespace
}  // namespace meander::convert
