#include "core/codec/snapshot.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agent_state.h"
#include "core/codec/byte_io.h"
#include "core/error.h"
#include "core/parallel_for.h"
#include "core/world.h"
#include "gtest/gtest.h"
#include "tests/core/codec/sample_snapshot.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

StateHash HashOf(const World& world) {
  SerialFor serial;
  return world.Hash(serial);
}

// Steps with what is due of the admission.
void StepOnce(World& world, const Admission& admission) {
  std::vector<AdmittedCommand> due;
  for (const AdmittedCommand& command : admission.pending) {
    if (command.apply_tick == world.tick() + 1) due.push_back(command);
  }
  std::vector<CommandOutcome> outcomes(due.size());
  SerialFor serial;
  world.Step(due, outcomes, serial);
}

TEST(SnapshotTest, TheSampleIsWhatItSays) {
  const TestWorld world = SampleWorld();
  EXPECT_EQ(world.world().tick(), 5);
  EXPECT_EQ(world.world().agent_count(), 4);
  EXPECT_EQ(world.world().bound_stops(), 1);
  EXPECT_EQ(world.admission().next_agent_id, 18);
  EXPECT_EQ(world.admission().next_sequence, 11);
  EXPECT_EQ(world.admission().pending.size(), 5u);
  EXPECT_EQ(world.Agent(1).position, (Vec3{1.25f, 0.0f, -2.5f}));
  EXPECT_EQ(world.Agent(3).position, (Vec3{-1.0f, 0.0f, 2.5f}));
  EXPECT_EQ(world.Agent(4).position, (Vec3{64.0f, 0.0f, 3.0f}));
  EXPECT_EQ(world.Agent(4).velocity, (Vec3{0.0f, 0.0f, 4.0f}));
  EXPECT_EQ(world.Agent(5).position, (Vec3{-2.625f, 0.0f, 3.0f}));
  EXPECT_EQ(world.Agent(5).step_count, 3);
  EXPECT_EQ(world.Agent(1).groups, 1u);
  EXPECT_EQ(world.Agent(3).groups, 6u);
  EXPECT_EQ(world.Agent(3).facing, (Vec3{0.6f, 0.0f, -0.8f}));
  EXPECT_EQ(world.Agent(5).facing, (Vec3{1.0f, 0.0f, 0.0f}));
}

TEST(SnapshotTest, TheWorldInSpaceIsWhatItSays) {
  const TestWorld world = SpaceWorld();
  EXPECT_EQ(world.world().tick(), 2);
  const AgentState climber = world.Agent(1);
  EXPECT_EQ(climber.position, (Vec3{1.0f, 3.0f, 3.0f}));
  EXPECT_EQ(climber.facing, (Vec3{0.0f, 1.0f, 0.0f}));
  EXPECT_EQ(climber.groups, 0x80000000u);
  EXPECT_EQ(climber.wander_elevation, -0.5f);
  EXPECT_NEAR(climber.wander_angle, 1.5f, 1.0e-6f);
  EXPECT_EQ(climber.wander_offset, Vec3{});
  const AgentState stroller = world.Agent(2);
  EXPECT_EQ(stroller.position, (Vec3{-3.0f, 0.0f, 8.0f}));
  EXPECT_EQ(stroller.velocity, (Vec3{2.0f, 3.0f, 0.0f}));
  EXPECT_EQ(stroller.facing, (Vec3{0.0f, -1.0f, 0.0f}));
  EXPECT_EQ(stroller.groups, 0u);
  EXPECT_EQ(stroller.wander_angle, 0.0f);
  EXPECT_EQ(stroller.wander_offset, (Vec3{0.0f, 0.0f, 1.0f}));
  EXPECT_EQ(stroller.wander_heading, (Vec3{1.0f, 0.0f, 0.0f}));
  EXPECT_EQ(world.Agent(3).facing, (Vec3{1.0f, 0.0f, 0.0f}));
}

TEST(SnapshotTest, AWorldComesBackByteForByte) {
  const TestWorld before = SampleWorld();
  const std::string bytes = EncodeSnapshot(before.world(), before.admission());
  const Result<Snapshot> decoded = DecodeSnapshot(bytes);
  ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
  EXPECT_EQ(EncodeSnapshot(decoded->world, decoded->admission), bytes);

  const World& after = decoded->world;
  EXPECT_EQ(after.config(), before.world().config());
  EXPECT_EQ(after.seed(), before.world().seed());
  EXPECT_EQ(after.tick(), before.world().tick());
  EXPECT_EQ(after.bound_stops(), before.world().bound_stops());
  EXPECT_EQ(after.archetype_count(), 2);
  EXPECT_EQ(decoded->admission, before.admission());
  for (const AgentId id : {1, 3, 4, 5}) {
    EXPECT_EQ(*after.Find(id), before.Agent(id));
  }
  EXPECT_FALSE(after.Find(2).has_value());
  EXPECT_EQ(HashOf(after), before.Hash());
}

TEST(SnapshotTest, ARestoredWorldGoesOnLikeTheOriginal) {
  TestWorld original = SampleWorld();
  Result<Snapshot> restored =
      DecodeSnapshot(EncodeSnapshot(original.world(), original.admission()));
  ASSERT_TRUE(restored.ok());
  while (original.world().tick() < 20) {
    StepOnce(restored->world, restored->admission);
    original.Step();
    ASSERT_EQ(HashOf(restored->world), original.Hash())
        << "at tick " << original.world().tick();
  }
  EXPECT_EQ(original.world().agent_count(), 16);
}

TEST(SnapshotTest, AnEmptyWorldComesBackByteForByte) {
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    const World world(SmallConfig(plane), 5);
    const std::string bytes = EncodeSnapshot(world, {});
    const Result<Snapshot> decoded = DecodeSnapshot(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
    EXPECT_EQ(EncodeSnapshot(decoded->world, decoded->admission), bytes);
    EXPECT_EQ(HashOf(decoded->world), HashOf(world));
  }
}

TEST(SnapshotTest, ACrowdComesBackByteForByte) {
  TestWorld world(SmallConfig(Plane::kXY));
  for (ArchetypeId id = 3; id >= 1; --id) {
    world.Submit(DefineArchetype{WandererArchetype(id)});
    world.Submit(
        SpawnAgents{AreaPlacement{400, AgentAt({}, id), Disc{{}, 90.0f}}});
  }
  world.StepTo(30);
  world.Submit(DespawnAgents{{1, 401, 801, 1200}});
  world.StepTo(31);
  const std::string bytes = EncodeSnapshot(world.world(), world.admission());
  const Result<Snapshot> decoded = DecodeSnapshot(bytes);
  ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
  EXPECT_EQ(EncodeSnapshot(decoded->world, decoded->admission), bytes);
}

// A snapshot knows no order of rows or of definitions.
TEST(SnapshotTest, EqualStatesHaveEqualBytes) {
  TestWorld one;
  TestWorld other;
  one.Submit(DefineArchetype{SeekerArchetype(1)});
  one.Submit(DefineArchetype{WandererArchetype(2)});
  other.Submit(DefineArchetype{WandererArchetype(2)});
  other.Submit(DefineArchetype{SeekerArchetype(1)});
  for (TestWorld* world : {&one, &other}) {
    world->Submit(Spawn({AgentAt({1, 0, 0}, 1), AgentAt({2, 0, 0}, 2),
                         AgentAt({3, 0, 0}, 1), AgentAt({4, 0, 0}, 2)}));
  }
  one.StepTo(3);
  other.StepTo(3);
  const std::string bytes = EncodeSnapshot(one.world(), one.admission());
  EXPECT_EQ(bytes, EncodeSnapshot(other.world(), other.admission()));

  WorldState swapped = one.world().state();
  Population& population = swapped.populations[0];
  population.agents.Swap(0, 1);
  swapped.index.Move(population.agents.id[0], {0, 0});
  swapped.index.Move(population.agents.id[1], {0, 1});
  EXPECT_EQ(EncodeSnapshot(World(swapped), one.admission()), bytes);
}

TEST(SnapshotTest, FieldsLieWhereTheGrammarSays) {
  const std::string bytes = DenseSample();
  const SampleLayout at;
  const auto word = [&bytes](std::size_t offset, auto zero) {
    ByteReader in(std::string_view(bytes).substr(offset));
    return in.Get<decltype(zero)>();
  };
  EXPECT_EQ(bytes.substr(0, 8), "MEANDERS");
  EXPECT_EQ(word(at.format, std::uint32_t{}), 5u);
  EXPECT_EQ(word(at.simulation_version, std::uint32_t{}), kSimulationVersion);
  EXPECT_EQ(word(at.config, std::int32_t{}), 4);
  EXPECT_EQ(word(at.plane, std::uint8_t{}), 2);
  EXPECT_EQ(word(at.bounds_mode, std::uint8_t{}), 0);
  EXPECT_EQ(word(at.bounds_min + 8, 0.0f), -32.0f);
  EXPECT_EQ(word(at.bounds_max, 0.0f), 64.0f);
  EXPECT_EQ(word(at.max_agents, std::int64_t{}), 100);
  EXPECT_EQ(word(at.cell_size, 0.0f), 8.0f);
  EXPECT_EQ(word(at.seed, std::uint64_t{}), 0x0123456789abcdefu);
  EXPECT_EQ(word(at.tick, std::int64_t{}), 5);
  EXPECT_EQ(word(at.next_agent_id, std::int64_t{}), 18);
  EXPECT_EQ(word(at.next_sequence, std::int64_t{}), 11);
  EXPECT_EQ(word(at.bound_stops, std::uint64_t{}), 1u);
  EXPECT_EQ(word(at.archetype_count, std::uint64_t{}), 2u);
  EXPECT_EQ(word(at.archetypes, std::int32_t{}), 2);
  EXPECT_EQ(word(at.archetypes + ArchetypeLayout().combine, std::uint8_t{}), 1);
  EXPECT_EQ(word(at.archetypes + ArchetypeLayout().term_count, std::uint8_t{}),
            2);
  EXPECT_EQ(word(at.first_term, 0.0f), 0.5f);
  EXPECT_EQ(word(at.second_term + ArchetypeLayout().gain, 0.0f), 2.0f);
  EXPECT_EQ(word(at.second_archetype, std::int32_t{}), 7);
  EXPECT_EQ(
      word(at.second_archetype + ArchetypeLayout().facing, std::uint8_t{}), 1);
  EXPECT_EQ(word(at.agent_count, std::uint64_t{}), 4u);
  EXPECT_EQ(word(at.id + 8, std::int64_t{}), 3);
  EXPECT_EQ(word(at.archetype_id + 4, std::int32_t{}), 2);
  EXPECT_EQ(word(at.position_x + 8, 0.0f), 64.0f);
  EXPECT_EQ(word(at.velocity_z + 8, 0.0f), 4.0f);
  EXPECT_EQ(word(at.wander_turn, std::uint32_t{}), 0u);
  EXPECT_NE(word(at.wander_turn + 4, std::uint32_t{}), 0u);
  EXPECT_EQ(word(at.wander_elevation + 4, std::uint32_t{}), 0u);
  EXPECT_EQ(word(at.wander_offset + 4, std::uint32_t{}), 0u);
  EXPECT_EQ(word(at.wander_heading + 4, std::uint32_t{}), 0u);
  EXPECT_EQ(word(at.facing + 4, 0.0f), 0.6f);
  EXPECT_EQ(word(at.facing + 2 * 16 + 4, 0.0f), -0.8f);
  EXPECT_EQ(word(at.agent_seed + 8, std::uint64_t{}), 11u);
  EXPECT_EQ(word(at.tag + 8, std::uint64_t{}), 12u);
  EXPECT_EQ(word(at.groups, std::uint32_t{}), 1u);
  EXPECT_EQ(word(at.groups + 4, std::uint32_t{}), 6u);
  EXPECT_EQ(word(at.step_count + 24, std::int64_t{}), 3);
  EXPECT_EQ(word(at.TargetKind(0) + 1, std::uint8_t{}), 1);
  EXPECT_EQ(word(at.TargetKind(1) + 1, std::uint8_t{}), 0x82);  // 2 is gone
  EXPECT_EQ(word(at.TargetPoint(0, 2) + 4, 0.0f), -4.0f);
  EXPECT_EQ(word(at.TargetAgent(2) + 8, std::int64_t{}), 4);
  EXPECT_EQ(word(at.admitted_count, std::uint64_t{}), 3u);
  EXPECT_EQ(word(at.admitted + 4, std::int32_t{}), 3);
  EXPECT_EQ(word(at.pending_count, std::uint64_t{}), 5u);
  EXPECT_EQ(word(at.pending + 8, std::uint8_t{}), 3);
  EXPECT_EQ(word(at.pending + 9, std::uint8_t{}), 5);
  EXPECT_EQ(Sealed(Packed(bytes)), SampleSnapshot());
}

TEST(SnapshotTest, OtherWorldsComeBackByteForByteAndGoOn) {
  for (TestWorld before : {TorusWorld(), SpaceWorld()}) {
    const std::string bytes =
        EncodeSnapshot(before.world(), before.admission());
    Result<Snapshot> decoded = DecodeSnapshot(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
    EXPECT_EQ(EncodeSnapshot(decoded->world, decoded->admission), bytes);
    EXPECT_EQ(decoded->admission, before.admission());
    EXPECT_EQ(decoded->world.config(), before.world().config());
    for (AgentId id = 1; id < before.admission().next_agent_id; ++id) {
      EXPECT_EQ(decoded->world.Find(id), before.world().Find(id));
    }
    while (before.world().tick() < 20) {
      EXPECT_EQ(HashOf(decoded->world), before.Hash());
      StepOnce(decoded->world, decoded->admission);
      before.Step();
    }
  }
}

// Every column must come back: also the ones that only some forms of wander
// use, and archetypes with every behavior.
TEST(SnapshotTest, ACrowdOfEveryFormOfWanderComesBackByteForByte) {
  TestWorld world;
  const Behavior wanders[] = {
      WanderWorldAngle{2.0f, 3.0f, 8.0f}, WanderSpherical{2.0f, 3.0f, 8.0f},
      WanderHeadingOffset{2.0f, 3.0f, 8.0f},
      WanderHeadingOffset{2.0f, 3.0f, 8.0f, Plane::kYZ}};
  ArchetypeId id = 1;
  for (const Behavior& wander : wanders) {
    world.Submit(DefineArchetype{
        {.id = id,
         .max_speed = 5.0f,
         .max_force = 9.0f,
         .terms = {{1.0f, wander}, {0.5f, Arrive{0, 3.0f}, 1.0f, id}},
         .facing = Facing{.turn_rate = 2.0f}}});
    NewAgent prototype = AgentAt({}, id);
    prototype.groups = 1u << id;
    prototype.targets[0] = PointTarget({5.0f, -5.0f, 5.0f});
    world.Submit(SpawnAgents{AreaPlacement{50, prototype, Ball{{}, 9.0f}}});
    ++id;
  }
  for (const std::int64_t tick : {1, 2, 40}) {
    world.StepTo(tick);
    const std::string bytes = EncodeSnapshot(world.world(), world.admission());
    const Result<Snapshot> decoded = DecodeSnapshot(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
    EXPECT_EQ(EncodeSnapshot(decoded->world, decoded->admission), bytes);
    EXPECT_EQ(HashOf(decoded->world), world.Hash());
    for (AgentId agent = 1; agent <= 200; ++agent) {
      EXPECT_EQ(decoded->world.Find(agent), world.world().Find(agent));
    }
  }
}

TEST(SnapshotTest, NothingLiesOnAnUpperFaceOfATorus) {
  const TestWorld world = TorusWorld();
  const auto with = [&world](auto change) {
    WorldState state = world.world().state();
    change(state);
    return DecodeSnapshot(
        EncodeSnapshot(World(std::move(state)), world.admission()));
  };
  const auto seekers = [](WorldState& s) -> AgentColumns& {
    return s.FindPopulation(2)->agents;
  };
  EXPECT_TRUE(with([](WorldState&) {}).ok());
  const auto refused = [&](auto change) {
    const Result<Snapshot> decoded = with(change);
    return !decoded.ok() && decoded.error().code == ErrorCode::kCorrupt &&
           decoded.error().reason.find("upper face") != std::string::npos;
  };
  EXPECT_TRUE(refused([&](auto& s) { seekers(s).position_x[0] = 100.0f; }));
  EXPECT_TRUE(refused([&](auto& s) { seekers(s).position_z[0] = 100.0f; }));
  EXPECT_TRUE(refused([&](auto& s) {
    seekers(s).SetTarget(0, 3, Pack(PointTarget({0, 0, 100})));
  }));
  EXPECT_TRUE(with([&](auto& s) {
                seekers(s).position_x[0] = std::nextafter(100.0f, 0.0f);
              }).ok());
}

// One agent with this velocity after a step of the archetype.
Result<Snapshot> DecodedWith(const Archetype& archetype, const Vec3& velocity) {
  TestWorld world;
  world.Submit(DefineArchetype{archetype});
  world.Submit(Spawn({NewAgent{}}));
  world.Step();
  WorldState state = world.world().state();
  state.FindPopulation(archetype.id)->agents.SetVelocity(0, velocity);
  return DecodeSnapshot(
      EncodeSnapshot(World(std::move(state)), world.admission()));
}

TEST(SnapshotTest, AgentsAreNoFasterThanTheirArchetypeLetsThem) {
  const Archetype plain{.id = 1, .max_speed = 6.0f};
  const Vec3 slow{3.6f, 0.0f, 4.8f};
  const Vec3 fast{7.0f, 0.0f, 0.0f};
  const Vec3 fastest{0.0f, 1.0e6f, 0.0f};
  EXPECT_TRUE(DecodedWith(plain, slow).ok());
  EXPECT_FALSE(DecodedWith(plain, fast).ok());
  // Those that are moved from outside, that slow down in time, or whose speed
  // along a normal nobody limits.
  Archetype external = plain;
  external.external = true;
  Archetype slowing = plain;
  slowing.overspeed_time_constant = 1.0e-3f;
  Archetype level = plain;
  level.force_plane = Plane::kXZ;
  for (const Archetype& archetype : {external, slowing, level}) {
    EXPECT_TRUE(DecodedWith(archetype, slow).ok());
    EXPECT_TRUE(DecodedWith(archetype, fastest).ok());
    EXPECT_FALSE(DecodedWith(archetype, fastest * 1.001f).ok());
  }
  EXPECT_TRUE(DecodedWith(external, fast).ok());
  EXPECT_TRUE(DecodedWith(slowing, fast).ok());
  EXPECT_FALSE(DecodedWith(level, fast).ok()) << "too fast in its plane";
}

TEST(SnapshotTest, EveryTruncationIsRefused) {
  for (const std::string& bytes :
       {SampleSnapshot(), TorusSnapshot(), SpaceSnapshot()}) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string cut = bytes.substr(0, size);
      const Result<Snapshot> decoded = DecodeSnapshot(cut);
      ASSERT_FALSE(decoded.ok()) << size;
      ASSERT_EQ(decoded.error().code, ErrorCode::kCorrupt) << size;
      if (size < 16) continue;
      // Also by someone who sealed what was left.
      const Result<Snapshot> sealed = DecodeSnapshot(Sealed(cut));
      ASSERT_FALSE(sealed.ok()) << size;
      ASSERT_EQ(sealed.error().code, ErrorCode::kCorrupt) << size;
    }
  }
}

TEST(SnapshotTest, EveryFlippedBitIsRefused) {
  std::string bytes = SampleSnapshot();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    const Result<Snapshot> decoded = DecodeSnapshot(bytes);
    ASSERT_FALSE(decoded.ok()) << "bit " << bit;
    ASSERT_EQ(decoded.error().code, ErrorCode::kCorrupt) << "bit " << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
}

// Whoever recomputes the checksum gets no more than a world that an encoder
// could have written: it comes back byte for byte and can be stepped. Tries
// changes to each byte; how many of them are worlds.
int TrySealedChanges(const std::string& bytes) {
  int decoded_worlds = 0;
  for (std::size_t at = 0; at + 8 < bytes.size(); ++at) {
    for (const int change :
         {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff, 0x7f, 0x55}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      changed = Sealed(std::move(changed));
      Result<Snapshot> decoded = DecodeSnapshot(changed);
      if (!decoded.ok()) continue;
      ++decoded_worlds;
      EXPECT_TRUE(EncodeSnapshot(decoded->world, decoded->admission) == changed)
          << "byte " << at << " xor " << change;
      StepOnce(decoded->world, decoded->admission);
      Admission later;
      later.next_agent_id = 1 << 30;
      later.archetypes.set();
      later.archetypes.reset(0);
      const std::string stepped = EncodeSnapshot(decoded->world, later);
      EXPECT_TRUE(DecodeSnapshot(stepped).ok())
          << "byte " << at << " xor " << change << ": "
          << DecodeSnapshot(stepped).error().reason;
      if (testing::Test::HasFailure()) return decoded_worlds;
    }
  }
  return decoded_worlds;
}

TEST(SnapshotTest, ASealedChangeIsRefusedOrIsAnotherWorldsSnapshot) {
  EXPECT_GT(TrySealedChanges(SampleSnapshot()), 1000);
  EXPECT_GT(TrySealedChanges(TorusSnapshot()), 500);
  EXPECT_GT(TrySealedChanges(SpaceSnapshot()), 500);
}

}  // namespace
}  // namespace meander::core
