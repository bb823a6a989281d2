// World::CopyMotion in pieces, by whoever and in whatever order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/agent_state.h"
#include "core/command.h"
#include "core/parallel_for.h"
#include "core/world.h"
#include "tests/core/floats.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

class LastFirst final : public ParallelFor {
 public:
  void Run(std::size_t count, IndexFunction body) override {
    most_ = std::max(most_, count);
    for (std::size_t i = count; i-- > 0;) body(i);
  }
  std::size_t most() const { return most_; }

 private:
  std::size_t most_ = 0;
};

// Flocks of two archetypes, whose rows come to follow space: neighbors by id
// lie apart.
TestWorld Flocks(std::int64_t agents) {
  SimulationConfig config;
  config.plane = Plane::kXY;
  config.bounds_mode = BoundsMode::kWrap;
  config.bounds_min = {-200, -200, -200};
  config.bounds_max = {200, 200, 200};
  TestWorld world(Normalized(config));
  for (ArchetypeId id : {1, 2}) {
    Archetype archetype;
    archetype.id = id;
    archetype.max_speed = 6.0f;
    archetype.max_force = 12.0f;
    archetype.terms = {{.behavior = Alignment{.neighborhood = {.radius = 3}}}};
    world.Submit(DefineArchetype{archetype});
    NewAgent prototype;
    prototype.archetype_id = id;
    world.Submit(SpawnAgents{AreaPlacement{
        agents / 2, prototype, Box{{-150, -150, 0}, {150, 150, 0}}}});
  }
  for (int tick = 0; tick < 3; ++tick) world.Step();
  return world;
}

void ExpectEachAgent(const World& world, const MotionColumns& motion) {
  ASSERT_EQ(motion.size(), static_cast<std::size_t>(world.agent_count()));
  AgentId before = 0;
  for (std::size_t row = 0; row < motion.size(); ++row) {
    ASSERT_GT(motion.id[row], before);
    before = motion.id[row];
    const auto agent = world.Find(before);
    ASSERT_TRUE(agent);
    ASSERT_EQ(Bits(motion.position_x[row]), Bits(agent->position.x));
    ASSERT_EQ(Bits(motion.position_y[row]), Bits(agent->position.y));
    ASSERT_EQ(Bits(motion.position_z[row]), Bits(agent->position.z));
    ASSERT_EQ(Bits(motion.velocity_x[row]), Bits(agent->velocity.x));
    ASSERT_EQ(Bits(motion.velocity_y[row]), Bits(agent->velocity.y));
    ASSERT_EQ(Bits(motion.velocity_z[row]), Bits(agent->velocity.z));
    if (!motion.complete()) continue;
    ASSERT_EQ(Bits(motion.facing_x[row]), Bits(agent->facing.x));
    ASSERT_EQ(Bits(motion.facing_y[row]), Bits(agent->facing.y));
    ASSERT_EQ(Bits(motion.facing_z[row]), Bits(agent->facing.z));
  }
}

TEST(CopyMotionTest, PiecesInAnyOrderMakeTheSameColumnsWithGapsOfTheDead) {
  TestWorld world = Flocks(13'000);
  for (const bool gaps : {false, true}) {
    if (gaps) {
      std::vector<AgentId> dead;
      for (AgentId id = 2; id < 13'000; id += 7) dead.push_back(id);
      for (AgentId id = 4'000; id < 4'200; ++id) {
        if (id % 7 != 2) dead.push_back(id);
      }
      world.Apply(DespawnAgents{dead});
    }
    for (const MotionDetail detail :
         {MotionDetail::kAll, MotionDetail::kShown}) {
      LastFirst parallel;
      MotionColumns motion;
      world.world().CopyMotion(detail, motion, parallel);
      EXPECT_GT(parallel.most(), 2u);
      ExpectEachAgent(world.world(), motion);
    }
  }
}

TEST(CopyMotionTest, WhatFramesDoNotShowIsLeftOutEvenOfUsedColumns) {
  const TestWorld world = Flocks(100);
  MotionColumns motion;
  world.world().CopyMotion(motion);
  EXPECT_TRUE(motion.complete());
  SerialFor alone;
  world.world().CopyMotion(MotionDetail::kShown, motion, alone);
  EXPECT_FALSE(motion.complete());
  EXPECT_TRUE(motion.facing_x.empty() && motion.wander_turn.empty() &&
              motion.wander_heading_z.empty());
  ExpectEachAgent(world.world(), motion);
}

}  // namespace
}  // namespace meander::core
