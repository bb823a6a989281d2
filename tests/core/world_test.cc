#include "core/world.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/agent_state.h"
#include "core/command.h"
#include "core/math/trig.h"
#include "core/parallel_for.h"
#include "gtest/gtest.h"
#include "tests/core/counting_new.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using enum CommandOutcome;

bool SameBitsOfAgents(const AgentState& a, const AgentState& b) {
  if (a != b) return false;  // all that is no float, and -0 as 0
  bool same = SameBits(a.position, b.position) &&
              SameBits(a.velocity, b.velocity) &&
              SameBits(a.facing, b.facing) &&
              Bits(a.wander_angle) == Bits(b.wander_angle) &&
              Bits(a.wander_elevation) == Bits(b.wander_elevation) &&
              SameBits(a.wander_offset, b.wander_offset) &&
              SameBits(a.wander_heading, b.wander_heading);
  for (std::size_t slot = 0; slot < a.targets.size(); ++slot) {
    same = same && SameBits(a.targets[slot].point, b.targets[slot].point);
  }
  return same;
}

// The row of the columns must be the agent, bit for bit.
void ExpectMotionOf(const AgentState& agent, const MotionColumns& motion,
                    std::size_t row) {
  ASSERT_TRUE(
      SameBits(agent.position, {motion.position_x[row], motion.position_y[row],
                                motion.position_z[row]}));
  ASSERT_TRUE(
      SameBits(agent.velocity, {motion.velocity_x[row], motion.velocity_y[row],
                                motion.velocity_z[row]}));
  ASSERT_TRUE(SameBits(
      agent.facing,
      {motion.facing_x[row], motion.facing_y[row], motion.facing_z[row]}));
  ASSERT_EQ(Bits(agent.wander_angle),
            Bits(RadiansFromTurn(motion.wander_turn[row])));
  ASSERT_EQ(Bits(agent.wander_elevation), Bits(motion.wander_elevation[row]));
  ASSERT_TRUE(SameBits(agent.wander_offset, {motion.wander_offset_x[row],
                                             motion.wander_offset_y[row],
                                             motion.wander_offset_z[row]}));
  ASSERT_TRUE(SameBits(agent.wander_heading, {motion.wander_heading_x[row],
                                              motion.wander_heading_y[row],
                                              motion.wander_heading_z[row]}));
}

// Columns must be in order of id and, row by row, what Find says.
void ExpectColumnsAreWhatFindSays(const World& world) {
  MotionColumns motion;
  ColdColumns cold;
  world.CopyMotion(motion);
  world.CopyCold(cold);
  ASSERT_EQ(motion.size(), static_cast<std::size_t>(world.agent_count()));
  ASSERT_EQ(cold.size(), motion.size());
  for (const std::size_t length : {motion.position_x.size(),
                                   motion.position_y.size(),
                                   motion.position_z.size(),
                                   motion.velocity_x.size(),
                                   motion.velocity_y.size(),
                                   motion.velocity_z.size(),
                                   motion.facing_x.size(),
                                   motion.facing_y.size(),
                                   motion.facing_z.size(),
                                   motion.wander_turn.size(),
                                   motion.wander_elevation.size(),
                                   motion.wander_offset_x.size(),
                                   motion.wander_offset_y.size(),
                                   motion.wander_offset_z.size(),
                                   motion.wander_heading_x.size(),
                                   motion.wander_heading_y.size(),
                                   motion.wander_heading_z.size(),
                                   cold.seed.size(),
                                   cold.tag.size(),
                                   cold.groups.size(),
                                   cold.spawn_tick.size(),
                                   cold.targets.size()}) {
    ASSERT_EQ(length, motion.size());
  }
  AgentId before = 0;
  for (std::size_t row = 0; row < motion.size(); ++row) {
    const AgentId id = motion.id[row];
    ASSERT_GT(id, before);
    before = id;
    const std::optional<AgentState> found = world.Find(id);
    ASSERT_TRUE(found.has_value()) << id;
    ASSERT_TRUE(SameBitsOfAgents(
        *found, MakeAgentState(motion, cold, row, world.tick())))
        << id;
    ASSERT_NO_FATAL_FAILURE(ExpectMotionOf(*found, motion, row));
    ASSERT_EQ(found->groups, cold.groups[row]);
    ASSERT_EQ(found->archetype_id, cold.archetype_id[row]);
    ASSERT_EQ(found->step_count, world.tick() - cold.spawn_tick[row] + 1);
    ASSERT_EQ(FindRow(motion, id), row);
  }
}

TEST(WorldTest, IsEmptyAtTickZero) {
  const World world(SmallConfig(Plane::kXZ), 77);
  EXPECT_EQ(world.tick(), 0);
  EXPECT_EQ(world.seed(), 77u);
  EXPECT_EQ(world.config(), SmallConfig(Plane::kXZ));
  EXPECT_EQ(world.agent_count(), 0);
  EXPECT_EQ(world.archetype_count(), 0);
  EXPECT_EQ(world.bound_stops(), 0);
  EXPECT_FALSE(world.Find(1).has_value());
  EXPECT_FALSE(world.Find(0).has_value());
  EXPECT_FALSE(world.Find(-1).has_value());
  ExpectColumnsAreWhatFindSays(world);
}

TEST(WorldTest, ItsBoundsAreZeroOffThePlane) {
  SimulationConfig config;
  config.plane = Plane::kXY;
  EXPECT_EQ(World(config, 1).config(), Normalized(config));
}

TEST(WorldDeathTest, AnInvalidConfigEndsTheProcess) {
  SimulationConfig config;
  config.tick_rate_hz = 0;
  EXPECT_DEATH(World(config, 1), "check failed");
}

TEST(WorldTest, FindIsWhatTheColumnsSayBitForBit) {
  TestWorld world(SmallConfig(Plane::kXY));
  for (ArchetypeId id = 1; id <= 3; ++id) {
    Archetype archetype = WandererArchetype(id);
    archetype.terms.push_back({-0.25f, Seek{1}});
    world.Submit(DefineArchetype{archetype});
    NewAgent prototype = AgentAt({}, id);
    prototype.targets = {Target{}, AgentTarget(1), PointTarget({-0.0f, 5, 0}),
                         Target{}};
    prototype.tag = static_cast<std::uint64_t>(id) << 60;
    world.Submit(SpawnAgents{AreaPlacement{300, prototype, Disc{{}, 90.0f}}},
                 2 * id);
  }
  NewAgent at_negative_zero = AgentAt({-0.0f, -0.0f, 0.0f}, 1);
  at_negative_zero.velocity = {-0.0f, 0.0f, -0.0f};
  world.Submit(Spawn({at_negative_zero}), 1);
  while (world.world().tick() < 40) {
    world.Step();
    ASSERT_NO_FATAL_FAILURE(ExpectColumnsAreWhatFindSays(world.world()));
    if (world.world().tick() % 10 != 0) continue;
    world.Submit(DespawnAgents{{world.world().tick(), 300, 601}});
  }
}

TEST(WorldTest, FindShowsWhatEveryFormOfWanderRemembers) {
  TestWorld world;
  const Behavior wanders[] = {WanderWorldAngle{2, 3, 8},
                              WanderSpherical{2, 3, 8},
                              WanderHeadingOffset{2, 3, 8}, Brake{}};
  for (ArchetypeId id = 1; id <= 4; ++id) {
    Archetype archetype = SeekerArchetype(id);
    archetype.terms.push_back({1.0f, wanders[id - 1]});
    archetype.facing = Facing{.turn_rate = 3.0f, .min_facing_speed = 0.0f};
    world.Submit(DefineArchetype{archetype});
    NewAgent prototype = AgentAt({}, id);
    prototype.groups = 1u << id;
    world.Submit(SpawnAgents{AreaPlacement{20, prototype, Disc{{}, 9.0f}}});
  }
  for (int i = 0; i < 20; ++i) {
    world.Step();
    ASSERT_NO_FATAL_FAILURE(ExpectColumnsAreWhatFindSays(world.world()));
  }
  const AgentState angle = world.Agent(1);
  EXPECT_NE(angle.wander_angle, 0.0f);
  EXPECT_EQ(angle.wander_elevation, 0.0f);
  EXPECT_NE(angle.facing, (Vec3{1, 0, 0}));
  EXPECT_EQ(angle.groups, 2u);
  const AgentState sphere = world.Agent(21);
  EXPECT_NE(sphere.wander_angle, 0.0f);
  EXPECT_NE(sphere.wander_elevation, 0.0f);
  EXPECT_EQ(sphere.wander_offset, Vec3{});
  const AgentState offset = world.Agent(41);
  EXPECT_EQ(offset.wander_angle, 0.0f);
  EXPECT_NEAR(Length(offset.wander_offset), 1.0f, 1.0e-6f);
  EXPECT_NEAR(Length(offset.wander_heading), 1.0f, 1.0e-6f);
  EXPECT_EQ(world.Agent(61).wander_heading, Vec3{});
}

TEST(WorldTest, ColumnsForgetThoseThatAreGone) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.Submit(Spawn(std::vector<NewAgent>(5)));
  world.Step();
  MotionColumns motion;
  ColdColumns cold;
  world.world().CopyMotion(motion);
  world.world().CopyCold(cold);
  EXPECT_EQ(motion.id, (std::vector<AgentId>{1, 2, 3, 4, 5}));
  world.Apply(DespawnAgents{{1, 3}});
  world.world().CopyMotion(motion);
  world.world().CopyCold(cold);
  EXPECT_EQ(motion.id, (std::vector<AgentId>{2, 4, 5}));
  EXPECT_EQ(cold.size(), 3u);
  EXPECT_FALSE(world.world().Find(3).has_value());
  EXPECT_EQ(FindRow(motion, 3), std::nullopt);
  EXPECT_EQ(FindRow(motion, 6), std::nullopt);
}

TEST(WorldTest, ArchetypesAreCopiedInTheOrderOfTheirIds) {
  TestWorld world;
  ColdColumns cold;
  world.world().CopyCold(cold);
  EXPECT_TRUE(cold.archetypes.empty());
  for (const ArchetypeId id : {7, 1024, 3, 1}) {
    world.Submit(DefineArchetype{SeekerArchetype(id)});
  }
  world.Step();
  world.Apply(RemoveArchetype{3});
  world.Apply(DefineArchetype{WandererArchetype(2)});
  world.Apply(DefineArchetype{WandererArchetype(7)});
  world.world().CopyCold(cold);
  EXPECT_EQ(cold.archetypes, (std::vector<Archetype>{
                                 SeekerArchetype(1), WandererArchetype(2),
                                 WandererArchetype(7), SeekerArchetype(1024)}));
  EXPECT_EQ(world.world().archetype_count(), 4);
  EXPECT_EQ(cold.size(), 0u) << "they are no column";
}

TEST(WorldTest, ItsConfigShowsTheCellSizeOfItsTick) {
  TestWorld world;
  EXPECT_EQ(world.world().config().cell_size, 8.0f);
  world.Submit(SetCellSize{3.0f}, 3);
  world.StepTo(2);
  EXPECT_EQ(world.world().config().cell_size, 8.0f);
  world.Step();
  EXPECT_EQ(world.world().config().cell_size, 3.0f);
}

TEST(WorldTest, StepsAreCountedFromTheTickOfSpawning) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.Submit(Spawn({NewAgent{}}), 1);
  world.Submit(Spawn({NewAgent{}}), 7);
  world.StepTo(7);
  EXPECT_EQ(world.Agent(1).step_count, 7);
  EXPECT_EQ(world.Agent(2).step_count, 1);
  ColdColumns cold;
  world.world().CopyCold(cold);
  EXPECT_EQ(cold.spawn_tick, (std::vector<std::int64_t>{1, 7}));
  world.StepTo(20);
  EXPECT_EQ(world.Agent(1).step_count, 20);
  EXPECT_EQ(world.Agent(2).step_count, 14);
}

TEST(WorldTest, ColdVersionChangesExactlyWhenColdColumnsMay) {
  TestWorld world;
  std::uint64_t version = world.world().cold_version();
  const auto changed = [&] {
    const std::uint64_t before = version;
    version = world.world().cold_version();
    return version != before;
  };
  world.Apply(DefineArchetype{SeekerArchetype()});
  EXPECT_TRUE(changed());
  world.Apply(Spawn({NewAgent{}, NewAgent{}}));
  EXPECT_TRUE(changed());
  world.StepTo(10);
  EXPECT_FALSE(changed()) << "agents only moved";
  world.Apply(DefineArchetype{WandererArchetype()});
  EXPECT_TRUE(changed());
  world.Apply(DefineArchetype{SeekerArchetype(2)});
  EXPECT_TRUE(changed());
  world.Apply(SetArchetype{{2}, 2});
  EXPECT_TRUE(changed());
  world.Apply(SetMotion{{{1, Vec3{1, 2, 3}, Vec3{1, 0, 0}}}});
  world.Apply(ApplyImpulse{{1}, {1, 0, 0}});
  world.Apply(SetCellSize{2.0f});
  EXPECT_FALSE(changed()) << "no column that only commands write";
  world.Apply(SetTarget{{1}, 2, PointTarget({1, 1, 1})});
  EXPECT_TRUE(changed());
  world.Apply(SetTarget{{1}, 2, Target{}});
  EXPECT_TRUE(changed());
  world.Apply(DespawnAgents{{2}});
  EXPECT_TRUE(changed());
  EXPECT_EQ(world.Apply(RemoveArchetype{2}), kApplied);
  EXPECT_TRUE(changed());
  EXPECT_EQ(world.Apply(DespawnAgents{{2}}), kAgentGone);
  EXPECT_EQ(world.Apply(SetTarget{{1, 2}, 0, Target{}}), kAgentGone);
  EXPECT_EQ(world.Apply(SetArchetype{{1}, 2}), kArchetypeUnknown);
  EXPECT_EQ(world.Apply(RemoveArchetype{1}), kArchetypeInUse);
  EXPECT_EQ(world.Apply(Spawn({AgentAt({}, 9)})), kArchetypeUnknown);
  EXPECT_EQ(world.Apply(SpawnAgents{AreaPlacement{10'000, NewAgent{}, Disc{}}}),
            kWorldFull);
  EXPECT_FALSE(changed()) << "nothing was applied";
  // One that is replaced in the same tick is another.
  world.Submit(DespawnAgents{{1}});
  world.Submit(Spawn({NewAgent{}}));
  world.Step();
  EXPECT_TRUE(changed());
}

TEST(WorldTest, ARefusedCommandLeavesTheHashAlone) {
  const auto run = [](bool refused) {
    TestWorld world;
    world.Submit(DefineArchetype{WandererArchetype()});
    world.Submit(Spawn(std::vector<NewAgent>(20)));
    world.Step();
    if (refused) {
      EXPECT_EQ(world.Apply(Spawn({AgentAt({}, 9)})), kArchetypeUnknown);
      EXPECT_EQ(world.Apply(SetTarget{{1, 21}, 0, Target{}}), kAgentGone);
    }
    world.StepTo(50);
    return world.Hash();
  };
  EXPECT_EQ(run(true), run(false));
}

TEST(WorldTest, ACopyLivesALifeOfItsOwn) {
  TestWorld world;
  world.Submit(DefineArchetype{WandererArchetype()});
  world.Submit(Spawn(std::vector<NewAgent>(300)));
  world.StepTo(10);
  World copy = world.world();
  SerialFor serial;
  EXPECT_EQ(copy.Hash(serial), world.Hash());
  for (int i = 0; i < 10; ++i) copy.Step(serial);
  EXPECT_NE(copy.Hash(serial), world.Hash());
  world.StepTo(20);
  EXPECT_EQ(copy.Hash(serial), world.Hash());
}

// Steps, hashes and copies of a world whose agents do not change allocate
// nothing once they have been done before.
void ExpectNoAllocation(std::int64_t agents, int archetypes) {
  TestWorld world(SmallConfig(Plane::kXY));
  for (ArchetypeId id = 1; id <= archetypes; ++id) {
    Archetype archetype = WandererArchetype(id);
    archetype.terms.push_back({0.5f, Seek{0}});
    archetype.terms.push_back({0.5f, Seek{3}});
    world.Submit(DefineArchetype{archetype});
    NewAgent prototype = AgentAt({}, id);
    prototype.targets[0] = PointTarget({20, 20, 0});
    if (id > 1) prototype.targets[3] = AgentTarget(1);
    world.Submit(SpawnAgents{
        AreaPlacement{agents / archetypes, prototype, Disc{{}, 90.0f}}});
  }
  world.Step();
  World stepped = world.world();
  SerialFor serial;
  MotionColumns motion;
  ColdColumns cold;
  stepped.CopyMotion(motion);
  stepped.CopyCold(cold);

  std::uint64_t hashes = 0;
  const AllocationCount allocated;
  for (int i = 0; i < 20; ++i) {
    stepped.Step(serial);
    hashes += stepped.Hash(serial).value;
    stepped.CopyMotion(motion);
    stepped.CopyCold(cold);
    hashes += stepped.Find(1)->tag;
  }
  EXPECT_EQ(allocated.calls(), 0u) << "hashes " << hashes;
  EXPECT_EQ(stepped.agent_count(), agents);
}

TEST(WorldAllocationTest, AWarmWorldAllocatesNothing) {
  ExpectNoAllocation(1, 1);
  ExpectNoAllocation(300, 1);
  ExpectNoAllocation(3000, 5);
}

// What a multiplayer server sends at every tick.
TEST(WorldAllocationTest, MotionsFromOutsideAllocateNothing) {
  TestWorld world;
  world.Submit(DefineArchetype{{.id = 1, .external = true}});
  world.Submit(Spawn(std::vector<NewAgent>(200)));
  world.Step();
  World stepped = world.world();
  SetMotion motion;
  for (AgentId id = 1; id <= 200; ++id) {
    motion.motions.push_back({id, Vec3{1, 2, 3}, Vec3{4, 5, 6}});
  }
  std::vector<AdmittedCommand> commands{
      {10, 0, 0, motion}, {11, 0, 0, ApplyImpulse{{1, 7}, {1, 0, 0}}}};
  std::vector<CommandOutcome> outcomes(2);
  SerialFor serial;
  std::size_t calls = 0;
  for (int i = 0; i < 5; ++i) {
    for (AdmittedCommand& command : commands) {
      command.apply_tick = stepped.tick() + 1;
    }
    const AllocationCount allocated;
    stepped.Step(commands, outcomes, serial);
    calls += allocated.calls();
  }
  EXPECT_EQ(calls, 0u);
  EXPECT_EQ(stepped.Find(200)->position, (Vec3{1, 2, 3}));
}

TEST(WorldAllocationTest, AllocationsAreCounted) {
  const AllocationCount allocated;
  const std::vector<int> ints(10);
  EXPECT_GE(allocated.calls(), 1u);
  EXPECT_GE(allocated.bytes(), ints.size() * sizeof(int));
}

// Many archetypes, each once the home of many agents, none of them now.
TEST(WorldTest, KeepsNoMemoryForArchetypesThatAreGone) {
  TestWorld world;
  for (int round = 0; round < 20; ++round) {
    for (ArchetypeId id = 1; id <= 50; ++id) {
      world.Submit(DefineArchetype{WandererArchetype(id)});
    }
    for (ArchetypeId id = 1; id <= 50; ++id) {
      world.Submit(RemoveArchetype{51 - id});
    }
    world.Step();
  }
  EXPECT_LE(world.world().state().populations.size(), 50u);
}

TEST(WorldTest, KeepsNoMemoryForAgentsThatAreGone) {
  SimulationConfig config;
  World world(config, 1);
  SerialFor serial;
  std::int64_t sequence = 1;
  AgentId next_id = 1;
  const auto step = [&](Operation operation) {
    const std::int64_t spawned = SpawnCount(operation);
    const std::vector<AdmittedCommand> commands{
        {.sequence = sequence++,
         .apply_tick = world.tick() + 1,
         .first_agent_id = spawned > 0 ? next_id : 0,
         .operation = std::move(operation)}};
    next_id += spawned;
    std::vector<CommandOutcome> outcomes(1);
    world.Step(commands, outcomes, serial);
    ASSERT_EQ(outcomes[0], CommandOutcome::kApplied);
  };
  for (ArchetypeId id = 1; id <= 20; ++id) {
    Archetype archetype{.id = id, .max_speed = 5.0f};
    step(DefineArchetype{archetype});
    NewAgent prototype;
    prototype.archetype_id = id;
    DespawnAgents all;
    for (std::int64_t i = 0; i < 10'000; ++i) {
      all.agent_ids.push_back(next_id + i);
    }
    step(SpawnAgents{AreaPlacement{10'000, prototype, Disc{{}, 10.0f}}});
    step(std::move(all));
  }
  EXPECT_EQ(world.agent_count(), 0);
  std::size_t rows = 0;
  for (const Population& population : world.state().populations) {
    rows += population.agents.id.capacity();
  }
  EXPECT_LE(rows, 20u * 64u);
}

// Neighbors of every kind, levels, a budget, prediction, wander and facing.
TEST(WorldAllocationTest, AWarmFlockAllocatesNothing) {
  TestWorld world(SmallConfig(Plane::kXY));
  const Neighborhood around{.radius = 8.0f};
  const Neighborhood nearest{
      .radius = 8.0f, .field_of_view = 4.0f, .max_neighbors = 6};
  Archetype flock = WandererArchetype();
  flock.terms.push_back({.weight = 1.5f, .behavior = Separation{around}});
  flock.terms.push_back(
      {.behavior = Separation{nearest, Falloff::kNearestFade}, .level = 1});
  flock.terms.push_back({.behavior = Alignment{around}, .level = 1});
  flock.terms.push_back({.behavior = Cohesion{nearest}, .level = 2});
  flock.terms.push_back({.behavior = Pursue{}, .level = 3});
  flock.combine = Combine::kPriorityBudget;
  flock.facing = Facing{5.0f};
  flock.overspeed_time_constant = 0.5f;
  world.Submit(DefineArchetype{flock});
  NewAgent prototype;
  prototype.targets[0] = AgentTarget(1);
  world.Submit(SpawnAgents{AreaPlacement{1000, prototype, Disc{{}, 60.0f}}});
  world.Step();
  World stepped = world.world();
  SerialFor serial;
  for (int i = 0; i < 5; ++i) stepped.Step(serial);
  std::uint64_t hashes = stepped.Hash(serial).value;
  const AllocationCount allocated;
  for (int i = 0; i < 20; ++i) {
    stepped.Step(serial);
    hashes += stepped.Hash(serial).value;
  }
  EXPECT_EQ(allocated.calls(), 0u) << "hashes " << hashes;
}

}  // namespace
}  // namespace meander::core
