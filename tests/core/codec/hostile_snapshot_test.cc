// What a snapshot says wrongly although its checksum is right.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/error.h"
#include "core/math/trig.h"
#include "core/math/vec3.h"
#include "core/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/codec/sample_snapshot.h"
#include "tests/core/codec/with.h"
#include "tests/core/counting_new.h"
#include "tests/core/faults.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr SampleLayout kAt;
constexpr std::int64_t kTooMany = (std::int64_t{1} << 62) + 1;

void ExpectRefused(const std::string& bytes, const std::string& reason,
                   ErrorCode code = ErrorCode::kCorrupt) {
  const Result<Snapshot> decoded = DecodeSnapshot(bytes);
  ASSERT_FALSE(decoded.ok()) << reason;
  EXPECT_EQ(decoded.error().code, code) << decoded.error().reason;
  EXPECT_EQ(decoded.error().field, "");
  EXPECT_THAT(decoded.error().reason,
              testing::AllOf(testing::StartsWith("the snapshot "),
                             testing::HasSubstr(reason)));
}

// The sample with one word changed and the checksum made right.
template <typename T>
std::string SampleWith(std::size_t at, T value) {
  return Sealed(Packed(With(DenseSample(), at, value)));
}

template <typename T>
void ExpectRefusedWith(std::size_t at, T value, const std::string& reason) {
  SCOPED_TRACE(at);
  ExpectRefused(SampleWith(at, value), reason);
}

TEST(HostileSnapshotTest, OtherBytesDoNotBeginLikeOne) {
  ExpectRefused("", "is too short");
  ExpectRefused("MEANDERS1234567", "is too short");
  ExpectRefused(std::string(4096, '\0'), "does not begin like one");
  ExpectRefusedWith(0, 'm', "does not begin like one");
  ExpectRefusedWith(7, '\0', "does not begin like one");
}

TEST(HostileSnapshotTest, AnotherFormatIsNamed) {
  ExpectRefusedWith(kAt.format, std::uint32_t{3},
                    "has format 3; this build reads 5");
  // Also unsealed, for another format may check itself in another way.
  ExpectRefused(With(SampleSnapshot(), kAt.format, std::uint32_t{0}),
                "has format 0; this build reads 5");
}

TEST(HostileSnapshotTest, AnotherSimulationVersionIsAnErrorOfItsOwn) {
  const std::string other = With(SampleSnapshot(), kAt.simulation_version,
                                 std::uint32_t{kSimulationVersion + 1});
  ExpectRefused(
      Sealed(other),
      "is of simulation version " + std::to_string(kSimulationVersion + 1) +
          "; this build runs version " + std::to_string(kSimulationVersion),
      ErrorCode::kSimulationVersionMismatch);
  // But not when the bytes were changed on their way.
  ExpectRefused(other, "its checksum does not match");
}

TEST(HostileSnapshotTest, AChecksumOfOtherBytesDoesNotMatch) {
  std::string bytes = SampleSnapshot();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  ExpectRefused(bytes, "its checksum does not match");
  ExpectRefused(bytes + "x", "its checksum does not match");
}

TEST(HostileSnapshotTest, TheConfigIsValidated) {
  ExpectRefusedWith(kAt.config, 0, "config.tick_rate_hz");
  ExpectRefusedWith(kAt.config, 1001, "config.tick_rate_hz");
  ExpectRefusedWith(kAt.plane, std::uint8_t{4}, "config.plane");
  ExpectRefusedWith(kAt.cell_size, kNan, "config.cell_size");
  ExpectRefusedWith(kAt.cell_size, 0.0f, "config.cell_size");
  ExpectRefusedWith(kAt.bounds_mode, std::uint8_t{3}, "config.bounds.mode");
  ExpectRefusedWith(kAt.bounds_min, kNan, "config.bounds.min.x");
  ExpectRefusedWith(kAt.bounds_max, kInfinity, "config.bounds.max.x");
  ExpectRefusedWith(kAt.bounds_min + 8, 32.0f, "config.bounds.max.z");
  ExpectRefusedWith(kAt.bounds_min, -20000.0f, "config.bounds.min.x");
  ExpectRefusedWith(kAt.max_agents, std::int64_t{0}, "config.max_agents");
  ExpectRefusedWith(kAt.max_agents, kTooMany, "config.max_agents");
}

TEST(HostileSnapshotTest, BoundsOffThePlaneArePositiveZero) {
  for (const float value : {-1.0f, -0.0f, 1.0e-45f}) {
    ExpectRefusedWith(kAt.bounds_min + 4, value, "has bounds off its plane");
    ExpectRefusedWith(kAt.bounds_max + 4, value, "has bounds off its plane");
  }
}

TEST(HostileSnapshotTest, CountersHaveRanges) {
  const std::string reason = "has a tick, an id or a sequence out of range";
  ExpectRefusedWith(kAt.tick, std::int64_t{-1}, reason);
  ExpectRefusedWith(kAt.next_agent_id, std::int64_t{0}, reason);
  ExpectRefusedWith(kAt.next_sequence, std::int64_t{0}, reason);
  for (const std::int64_t value :
       {kTooMany, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    ExpectRefusedWith(kAt.tick, value, reason);
    ExpectRefusedWith(kAt.next_agent_id, value, reason);
    ExpectRefusedWith(kAt.next_sequence, value, reason);
  }
}

TEST(HostileSnapshotTest, HostileCountsAllocateNoMoreThanTheBytesAllow) {
  const std::string sample = SampleSnapshot();
  AllocationCount honest;
  ASSERT_TRUE(DecodeSnapshot(sample).ok());
  const std::size_t limit = 2 * honest.bytes();
  for (const std::size_t at :
       {kAt.archetype_count, kAt.agent_count, kAt.admitted_count,
        kAt.pending_count, kAt.pending}) {
    for (const std::uint64_t count :
         {std::uint64_t{20}, std::uint64_t{1'000'000}, std::uint64_t{1} << 32,
          std::uint64_t{1} << 57, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      if (at == kAt.pending && count == 20) continue;
      const std::string bytes = SampleWith(at, count);
      const AllocationCount allocated;
      const bool ok = DecodeSnapshot(bytes).ok();
      EXPECT_LE(allocated.bytes(), limit) << count << " at " << at;
      EXPECT_FALSE(ok) << count << " at " << at;
    }
  }
}

// The sample with a word of its first archetype changed.
template <typename T>
void ExpectArchetypeRefusedWith(std::size_t at, T value,
                                const std::string& field) {
  ExpectRefusedWith(kAt.archetypes + at, value, "archetype." + field);
}

TEST(HostileSnapshotTest, ArchetypesAreValidAndAscend) {
  ExpectArchetypeRefusedWith(kIn.id, 0, "id");
  ExpectArchetypeRefusedWith(kIn.id, 1025, "id");
  ExpectArchetypeRefusedWith(kIn.max_speed, kNan, "max_speed");
  ExpectArchetypeRefusedWith(kIn.max_speed, 1.0e-6f, "max_speed");
  ExpectArchetypeRefusedWith(kIn.max_force, -1.0f, "max_force");
  ExpectArchetypeRefusedWith(kIn.mass, 0.0f, "mass");
  ExpectArchetypeRefusedWith(kIn.external, std::uint8_t{1}, "terms");
  ExpectArchetypeRefusedWith(kIn.overspeed_time_constant, -1.0f,
                             "overspeed_time_constant");
  ExpectArchetypeRefusedWith(kIn.force_plane, std::uint8_t{2}, "force_plane");
  ExpectRefusedWith(kAt.second_archetype + kIn.turn_rate, kInfinity,
                    "archetype.facing.turn_rate");
  ExpectRefusedWith(kAt.second_archetype + kIn.min_facing_speed, -1.0f,
                    "archetype.facing.min_facing_speed");
  ExpectRefusedWith(kAt.first_term + kIn.weight, kInfinity,
                    "archetype.terms[0].weight");
  ExpectRefusedWith(kAt.first_term + kIn.gain, 1.0e4f,
                    "archetype.terms[0].gain");
  ExpectRefusedWith(kAt.first_term + kIn.level, -1, "archetype.terms[0].level");
  ExpectRefusedWith(kAt.first_term + kIn.behavior, 4,
                    "archetype.terms[0].seek.slot");
  ExpectRefusedWith(kAt.second_term + kIn.kind, std::uint8_t{9},
                    "archetype.terms[1].wander_spherical");
  ExpectRefusedWith(kAt.archetypes, 7, "has archetype ids that do not ascend");
  ExpectRefusedWith(kAt.archetypes, 8, "has archetype ids that do not ascend");
}

TEST(HostileSnapshotTest, ArchetypesAreWhatAnEncoderWrites) {
  const std::string reason = "is cut short in its archetypes";
  const auto expect = [&reason](std::size_t at, int value) {
    ExpectRefusedWith(at, static_cast<std::uint8_t>(value), reason);
  };
  expect(kAt.archetypes + kIn.external, 2);
  expect(kAt.archetypes + kIn.combine, 3);
  expect(kAt.archetypes + kIn.limit_each_term, 2);
  expect(kAt.archetypes + kIn.force_plane, 4);
  expect(kAt.archetypes + kIn.facing, 2);
  expect(kAt.archetypes + kIn.turn_rate, 1);
  expect(kAt.archetypes + kIn.min_facing_speed + 3, 0x80);
  expect(kAt.archetypes + kIn.term_count, 17);
  expect(kAt.first_term + kIn.kind, 0);
  expect(kAt.first_term + kIn.kind, 14);
}

// The sample's agents in a column of another form than an encoder's.
TEST(HostileSnapshotTest, AColumnHasTheFormThatAnEncoderGivesIt) {
  const std::string reason = "is cut short in its agents";
  const std::string sample = SampleSnapshot();
  constexpr std::size_t kIds = kAt.id;
  ASSERT_EQ(sample[kIds], 1);
  ExpectRefused(Sealed(With(sample, kIds, '\2')), reason);
  ExpectRefused(Sealed(With(sample, kIds, '\xff')), reason);
  // Off the plane all positions are 0.
  constexpr std::size_t kY = kIds + 3 + SampleLayout::kAgents * (8 + 4 + 4);
  ASSERT_EQ(sample.substr(kY, 6), std::string("\0\0\0\0\0\1", 6));
  std::string each = sample;
  each.replace(kY, 5, std::string(1, '\1') + std::string(16, '\0'));
  ExpectRefused(Sealed(each), reason);
  // Not the same, though numbers are: -0 is another 0.
  each[kY + 4] = '\x80';
  ExpectRefused(Sealed(each), "stray bits");
}

TEST(HostileSnapshotTest, OneForAllAllocatesNoMoreThanTheBytesAllow) {
  // As many agents as bytes could follow at the very least, all of one id.
  std::string sample = SampleSnapshot();
  sample[kAt.id] = '\0';
  for (const std::uint64_t count : {std::uint64_t{5}, std::uint64_t{20}}) {
    const std::string bytes = Sealed(With(sample, kAt.agent_count, count));
    const AllocationCount allocated;
    EXPECT_FALSE(DecodeSnapshot(bytes).ok());
    EXPECT_LE(allocated.bytes(), 64 * bytes.size());
  }
}

TEST(HostileSnapshotTest, AgentIdsAscendBelowTheNextOne) {
  const std::string reason = "has agent ids that do not ascend";
  ExpectRefusedWith(kAt.id, std::int64_t{0}, reason);
  ExpectRefusedWith(kAt.id, std::int64_t{-1}, reason);
  ExpectRefusedWith(kAt.id, std::int64_t{3}, reason);
  ExpectRefusedWith(kAt.id, std::int64_t{4}, reason);
  ExpectRefusedWith(kAt.id + 24, std::int64_t{18}, reason);
  ExpectRefusedWith(kAt.next_agent_id, std::int64_t{5}, reason);
}

TEST(HostileSnapshotTest, AgentsFitIntoTheirWorld) {
  ExpectRefusedWith(kAt.max_agents, std::int64_t{3},
                    "holds more agents than its world may");
  ExpectRefusedWith(kAt.archetype_id, 3,
                    "has an agent of an unknown archetype");
  for (const std::int32_t archetype : {0, 1025, -1}) {
    ExpectRefusedWith(kAt.archetype_id, archetype, "agent.archetype_id");
  }
}

TEST(HostileSnapshotTest, PositionsAreFiniteInBoundsAndOnThePlane) {
  ExpectRefusedWith(kAt.position_x, kNan, "agent.position.x");
  ExpectRefusedWith(kAt.position_z + 4, -kInfinity, "agent.position.z");
  ExpectRefusedWith(kAt.position_x + 8, Above(64.0f), "agent.position.x");
  ExpectRefusedWith(kAt.position_z + 12, Below(-32.0f), "agent.position.z");
  ExpectRefusedWith(kAt.position_y, 1.0f, "agent.position.y");
  ExpectRefusedWith(kAt.position_y, -0.0f, "stray bits");
}

TEST(HostileSnapshotTest, VelocitiesAreFiniteLimitedAndOnThePlane) {
  ExpectRefusedWith(kAt.velocity_x, kNan, "agent.velocity.x");
  ExpectRefusedWith(kAt.velocity_z + 4, kInfinity, "agent.velocity.z");
  ExpectRefusedWith(kAt.velocity_z, 1.0001e6f, "agent.velocity");
  ExpectRefusedWith(kAt.velocity_y + 12, 1.0f, "agent.velocity.y");
  ExpectRefusedWith(kAt.velocity_y + 12, -0.0f, "stray bits");
}

// The world in space with something about its agents changed, as its own
// encoder writes it. Populations 0 and 1 have archetypes 1 and 2: on a sphere
// and by a heading offset.
template <typename Change>
Result<Snapshot> SpaceWith(Change change) {
  const TestWorld world = SpaceWorld();
  WorldState state = world.world().state();
  change(state.populations[0].agents, state.populations[1].agents);
  return DecodeSnapshot(
      EncodeSnapshot(World(std::move(state)), world.admission()));
}

template <typename Change>
void ExpectSpaceRefused(const std::string& reason, Change change) {
  const Result<Snapshot> decoded = SpaceWith(change);
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(decoded.error().reason, testing::HasSubstr(reason));
}

const char kFacesNowhere[] = "has an agent that faces nowhere";
const char kWandersWrongly[] =
    "has an agent whose wander state is not of its archetype";

// What is no unit vector.
const Vec3 kNoDirections[] = {{},
                              {kNan, 0.0f, 0.0f},
                              {1.0f, kNan, 0.0f},
                              {1.0f, 0.0f, -kNan},
                              {kInfinity, 0.0f, 0.0f},
                              {0.0f, -kInfinity, 0.0f},
                              {1.001f, 0.0f, 0.0f},
                              {0.0f, 0.999f, 0.0f},
                              {0.8f, 0.8f, 0.0f},
                              {3.0e38f, 0.0f, 0.0f},
                              {0.0f, 0.0f, 1.0e-45f}};

TEST(HostileSnapshotTest, AgentsFaceAlongAUnitVector) {
  for (const Vec3& facing : kNoDirections) {
    ExpectSpaceRefused(kFacesNowhere, [&](AgentColumns& sphere, auto&) {
      sphere.SetFacing(1, facing);
    });
    ExpectSpaceRefused(kFacesNowhere, [&](auto&, AgentColumns& offset) {
      offset.SetFacing(0, facing);
    });
  }
  for (const Vec3& facing : {Vec3{-1.0f, 0.0f, 0.0f}, Vec3{0.6f, 0.0f, 0.8f},
                             Vec3{0.0f, 1.00001f, -0.0f}}) {
    EXPECT_TRUE(SpaceWith([&](AgentColumns& sphere, auto&) {
                  sphere.SetFacing(0, facing);
                }).ok());
  }
}

TEST(HostileSnapshotTest, AgentsFaceAlongThePlane) {
  // Facing x of agent 5 is 1; y is off the plane.
  constexpr std::size_t kY = kAt.facing + 4 * SampleLayout::kAgents;
  ExpectRefusedWith(kY + 12, -0.0f, kFacesNowhere);
  ExpectRefusedWith(kY + 12, 1.0e-45f, kFacesNowhere);
  ExpectRefusedWith(kY + 12, kNan, kFacesNowhere);
  ExpectRefusedWith(kAt.facing + 12, 0.0f, kFacesNowhere);
  ExpectRefusedWith(kAt.facing + 12, 1.1f, kFacesNowhere);
}

TEST(HostileSnapshotTest, OnASphereAnElevationIsAtMostAQuarterTurn) {
  for (const float elevation : {Above(kHalfPi), Below(-kHalfPi), kNan, -kNan,
                                kInfinity, -kInfinity, 3.0f}) {
    ExpectSpaceRefused(kWandersWrongly, [=](AgentColumns& sphere, auto&) {
      sphere.wander_elevation[1] = elevation;
    });
  }
  for (const float elevation : {kHalfPi, -kHalfPi, -0.0f}) {
    EXPECT_TRUE(SpaceWith([=](AgentColumns& sphere, auto&) {
                  sphere.wander_elevation[1] = elevation;
                }).ok());
  }
}

TEST(HostileSnapshotTest, AHeadingOffsetHasUnitVectors) {
  for (const Vec3& vector : kNoDirections) {
    ExpectSpaceRefused(kWandersWrongly, [&](auto&, AgentColumns& offset) {
      WanderState wander = offset.Wander(0);
      wander.offset = vector;
      offset.SetWander(0, wander);
    });
    ExpectSpaceRefused(kWandersWrongly, [&](auto&, AgentColumns& offset) {
      WanderState wander = offset.Wander(0);
      wander.heading = vector;
      offset.SetWander(0, wander);
    });
  }
}

// What the form of wander does not use is 0, down to the bit.
TEST(HostileSnapshotTest, AWanderStateHasNoStrayBits) {
  constexpr Column<float> AgentColumns::*kVectors[] = {
      &AgentColumns::wander_offset_x,  &AgentColumns::wander_offset_y,
      &AgentColumns::wander_offset_z,  &AgentColumns::wander_heading_x,
      &AgentColumns::wander_heading_y, &AgentColumns::wander_heading_z};
  for (const auto column : kVectors) {
    for (const float stray : {-0.0f, 1.0e-45f, 1.0f}) {
      ExpectSpaceRefused(kWandersWrongly, [=](AgentColumns& sphere, auto&) {
        (sphere.*column).resize(sphere.size());
        (sphere.*column)[0] = stray;
      });
    }
  }
  ExpectSpaceRefused(kWandersWrongly, [](auto&, AgentColumns& offset) {
    offset.wander_turn.assign(offset.size(), 1);
  });
  ExpectSpaceRefused(kWandersWrongly, [](auto&, AgentColumns& offset) {
    offset.wander_elevation.assign(offset.size(), -0.0f);
  });
  // By a world angle: no elevation and no vectors. Agent 3 of the sample.
  ExpectRefusedWith(kAt.wander_elevation + 4, -0.0f, kWandersWrongly);
  ExpectRefusedWith(kAt.wander_elevation + 4, 1.0f, kWandersWrongly);
  for (std::size_t column = 0; column < 6; ++column) {
    const std::size_t at =
        kAt.wander_offset + column * 4 * SampleLayout::kAgents;
    ExpectRefusedWith(at + 4, 1.0f, kWandersWrongly);
    // Without any wander: agent 1.
    ExpectRefusedWith(at, -0.0f, kWandersWrongly);
  }
  ExpectRefusedWith(kAt.wander_turn, 1, kWandersWrongly);
  ExpectRefusedWith(kAt.wander_elevation, 1.0e-45f, kWandersWrongly);
}

TEST(HostileSnapshotTest, AnyTurnAndAnyGroupsWillDo) {
  for (const std::uint32_t value : {0u, 1u, 0x80000000u, ~0u}) {
    EXPECT_TRUE(DecodeSnapshot(SampleWith(kAt.wander_turn + 4, value)).ok());
    for (std::size_t agent = 0; agent < SampleLayout::kAgents; ++agent) {
      EXPECT_TRUE(
          DecodeSnapshot(SampleWith(kAt.groups + 4 * agent, value)).ok());
    }
  }
}

TEST(HostileSnapshotTest, AgentsLivedFromOneStepToAsManyAsTheirWorld) {
  const std::string reason = "has an agent that lived longer than its world";
  for (const std::int64_t steps :
       {std::int64_t{0}, std::int64_t{6}, std::int64_t{-1},
        std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    ExpectRefusedWith(kAt.step_count, steps, reason);
  }
}

TEST(HostileSnapshotTest, TargetsAreValidWithoutStrayBits) {
  // Of agent 3: slot 0 a point, slots 1 and 2 agents, slot 3 unset.
  ExpectRefusedWith(kAt.TargetKind(3) + 1, std::uint8_t{3}, "agents");
  ExpectRefusedWith(kAt.TargetKind(3) + 1, std::uint8_t{0x83}, "agents");
  ExpectRefusedWith(kAt.TargetKind(3) + 1, std::uint8_t{0x40}, "agents");
  ExpectRefusedWith(kAt.TargetKind(0) + 1, std::uint8_t{0x81},
                    "tells of the loss of a point");
  ExpectRefusedWith(kAt.TargetKind(0) + 1, std::uint8_t{0}, "does not have");
  ExpectRefusedWith(kAt.TargetKind(1) + 1, std::uint8_t{0}, "does not have");
  ExpectRefusedWith(kAt.TargetKind(1) + 1, std::uint8_t{1}, "does not have");
  ExpectRefusedWith(kAt.TargetAgent(0) + 8, std::int64_t{1}, "does not have");
  ExpectRefusedWith(kAt.TargetPoint(1, 2) + 4, -0.0f, "does not have");
  ExpectRefusedWith(kAt.TargetPoint(3, 0) + 4, 1.0f, "does not have");
  ExpectRefusedWith(kAt.TargetPoint(0, 1) + 4, -0.0f, "stray bits");
  ExpectRefusedWith(kAt.TargetPoint(0, 0) + 4, kNan,
                    "agent.targets[0].point.x");
  ExpectRefusedWith(kAt.TargetPoint(0, 2) + 4, 33.0f,
                    "agent.targets[0].point.z");
  ExpectRefusedWith(kAt.TargetAgent(1) + 8, std::int64_t{0},
                    "agent.targets[1].agent_id");
  ExpectRefusedWith(kAt.TargetAgent(1) + 8, std::int64_t{18},
                    "has a target that was never spawned");
}

TEST(HostileSnapshotTest, ThePointOfALossThatWasToldMayBeTheOrigin) {
  std::string bytes =
      With(DenseSample(), kAt.TargetKind(0) + 1, std::uint8_t{0x81});
  for (const std::size_t axis : {0, 1, 2}) {
    bytes = With(bytes, kAt.TargetPoint(0, axis) + 4, 0.0f);
  }
  ExpectRefused(Sealed(Packed(bytes)), "tells of the loss of a point");
}

// 700 agents that look alike, with something about one of them changed.
template <typename Change>
Result<Snapshot> CrowdWith(std::size_t row, Change change) {
  TestWorld world(SmallConfig(Plane::kXY));
  world.Submit(DefineArchetype{WandererArchetype()});
  NewAgent agent = AgentAt({});
  agent.targets = {PointTarget({1, 2, 0}), AgentTarget(1)};
  world.Submit(SpawnAgents{AreaPlacement{700, agent, Disc{{}, 90.0f}}});
  world.StepTo(3);
  WorldState state = world.world().state();
  change(state.populations[0].agents, row);
  return DecodeSnapshot(
      EncodeSnapshot(World(std::move(state)), world.admission()));
}

TEST(HostileSnapshotTest, OneAgentOfACrowdIsFound) {
  using A = AgentColumns;
  const auto expect_refused = [](const std::string& reason, auto change) {
    for (const std::size_t row : {0, 255, 256, 300, 699}) {
      const Result<Snapshot> decoded = CrowdWith(row, change);
      ASSERT_FALSE(decoded.ok()) << reason << " of row " << row;
      EXPECT_THAT(decoded.error().reason, testing::HasSubstr(reason));
    }
  };
  EXPECT_TRUE(CrowdWith(300, [](A&, std::size_t) {}).ok());
  expect_refused("agent.position.x",
                 [](A& a, std::size_t r) { a.position_x[r] = Above(100.0f); });
  expect_refused("agent.position.y",
                 [](A& a, std::size_t r) { a.position_y[r] = kNan; });
  expect_refused("stray bits",
                 [](A& a, std::size_t r) { a.position_z[r] = -0.0f; });
  expect_refused("agent.velocity.x",
                 [](A& a, std::size_t r) { a.velocity_x[r] = kNan; });
  expect_refused("faster than its archetype",
                 [](A& a, std::size_t r) { a.velocity_y[r] = -6.1f; });
  expect_refused("stray bits",
                 [](A& a, std::size_t r) { a.velocity_z[r] = -0.0f; });
  expect_refused(kFacesNowhere, [](A& a, std::size_t r) {
    a.SetFacing(r, {0.9f, 0, 0});
  });
  expect_refused(kWandersWrongly, [](A& a, std::size_t r) {
    a.wander_elevation.resize(a.size());
    a.wander_elevation[r] = -0.0f;
  });
  expect_refused(kWandersWrongly, [](A& a, std::size_t r) {
    a.wander_heading_z.resize(a.size());
    a.wander_heading_z[r] = 1.0f;
  });
  expect_refused("lived longer",
                 [](A& a, std::size_t r) { a.spawn_tick[r] = 0; });
  expect_refused("lived longer",
                 [](A& a, std::size_t r) { a.spawn_tick[r] = 4; });
  expect_refused("agent.targets[0].point.x", [](A& a, std::size_t r) {
    a.SetTarget(r, 0, Pack(PointTarget({kInfinity, 0, 0})));
  });
  expect_refused("agent.targets[1].agent_id", [](A& a, std::size_t r) {
    a.SetTarget(r, 1, Pack(AgentTarget(-1)));
  });
  expect_refused(
      "has a target that was never spawned",
      [](A& a, std::size_t r) { a.SetTarget(r, 1, Pack(AgentTarget(701))); });
  expect_refused("tells of the loss of a point", [](A& a, std::size_t r) {
    PackedTarget target = a.TargetAt(r, 0);
    target.TellLoss();
    a.SetTarget(r, 0, target);
  });
}

TEST(HostileSnapshotTest, AdmittedArchetypesAscendAndAreAllThere) {
  const std::string order = "has ids of admitted archetypes that do not ascend";
  ExpectRefusedWith(kAt.admitted, 0, order);
  ExpectRefusedWith(kAt.admitted, -1, order);
  ExpectRefusedWith(kAt.admitted, 3, order);
  ExpectRefusedWith(kAt.admitted + 8, 1025, order);
  const std::string missing = "has an archetype that was never admitted";
  // One that is there, and one that a pending command defines.
  ExpectRefusedWith(kAt.admitted, 1, missing);
  ExpectRefusedWith(kAt.admitted + 4, 4, missing);
}

TEST(HostileSnapshotTest, NothingFollowsTheEnd) {
  std::string bytes = SampleSnapshot();
  bytes.insert(bytes.size() - 8, 1, '\0');
  ExpectRefused(Sealed(bytes), "goes on after its end");
}

TEST(HostileSnapshotTest, APendingRecordIsARecord) {
  ExpectRefusedWith(kAt.pending, std::uint64_t{0}, "is no record");
  ExpectRefusedWith(kAt.pending, std::uint64_t{74}, "is no record");
  ExpectRefusedWith(kAt.pending, std::uint64_t{76}, "is no record");
  ExpectRefusedWith(kAt.pending + 8, std::uint8_t{2}, "is no record");
  ExpectRefusedWith(kAt.pending + 9, std::uint8_t{4}, "is no record");
}

// The sample with other pending commands, as its own encoder writes them.
template <typename Change>
void ExpectRefusedPending(Change change, const std::string& reason) {
  const TestWorld world = SampleWorld();
  Admission admission = world.admission();
  change(admission);
  ExpectRefused(EncodeSnapshot(world.world(), admission), reason);
}

using Pending = std::vector<AdmittedCommand>;

// In the sample: a SetTarget, an area of ids 6 to 15, a DefineArchetype, a list
// of ids 16 and 17, a DespawnAgents.
constexpr std::size_t kAreaSpawn = 1;
constexpr std::size_t kList = 3;
constexpr std::size_t kDespawn = 4;

TEST(HostileSnapshotTest, PendingCommandsAscendBelowTheNextSequence) {
  const std::string reason = "has pending commands out of sequence";
  ExpectRefusedPending([](auto& a) { std::swap(a.pending[0], a.pending[2]); },
                       reason);
  ExpectRefusedPending([](auto& a) { a.pending[1] = a.pending[0]; }, reason);
  ExpectRefusedPending([](auto& a) { a.pending[0].sequence = 0; }, reason);
  ExpectRefusedPending([](auto& a) { a.pending[0].sequence = -7; }, reason);
  ExpectRefusedPending([](auto& a) { a.next_sequence = 10; }, reason);
}

TEST(HostileSnapshotTest, PendingCommandsApplyLater) {
  const std::string reason = "has a pending command for a tick out of range";
  for (const std::int64_t tick :
       {std::int64_t{5}, std::int64_t{0}, std::int64_t{-1}, kTooMany}) {
    ExpectRefusedPending([tick](auto& a) { a.pending[0].apply_tick = tick; },
                         reason);
  }
}

TEST(HostileSnapshotTest, PendingCommandsAreValid) {
  ExpectRefusedPending(
      [](auto& a) {
        a.pending[kDespawn].operation = DespawnAgents{{4, 4}};
      },
      "pending.despawn_agents.agent_ids names agent 4 twice");
  ExpectRefusedPending(
      [](auto& a) { a.pending[kDespawn].operation = DespawnAgents{}; },
      "pending.despawn_agents.agent_ids");
  ExpectRefusedPending(
      [](Admission& a) {
        auto& spawn = std::get<SpawnAgents>(a.pending[kList].operation);
        auto& agents = std::get<std::vector<NewAgent>>(spawn.placement);
        agents[1].position.z = kNan;
      },
      "pending.spawn_agents.agents.agents[1].position.z");
  ExpectRefusedPending(
      [](Admission& a) {
        auto& spawn = std::get<SpawnAgents>(a.pending[kAreaSpawn].operation);
        std::get<AreaPlacement>(spawn.placement).count = 101;
      },
      "pending.spawn_agents.area.count");
}

TEST(HostileSnapshotTest, PendingCommandsNameAgentsWhoseIdsWereGivenOut) {
  const std::string reason = "whose spawn was never admitted";
  const auto expect = [&](std::size_t at, const Operation& operation) {
    ExpectRefusedPending(
        [&](Admission& a) { a.pending[at].operation = operation; }, reason);
  };
  expect(kDespawn, DespawnAgents{{4, 18}});
  expect(kDespawn, SetTarget{{18}, 0, Target{}});
  expect(kDespawn, SetTarget{{1}, 0, AgentTarget(18)});
  NewAgent agent = AgentAt({}, 7);
  agent.targets[3] = AgentTarget(18);
  expect(kList, Spawn({AgentAt({}, 7), agent}));
  expect(kAreaSpawn, SpawnAgents{AreaPlacement{10, agent, Disc{}}});
}

TEST(HostileSnapshotTest, PendingSpawnsAreOfDefinedArchetypes) {
  ExpectRefusedPending(
      [](Admission& a) {
        a.pending[kList].operation = Spawn({AgentAt({}, 77), AgentAt({}, 7)});
      },
      "which no command admitted before defines");
}

TEST(HostileSnapshotTest, PendingCommandsMayNameWhatWasRemovedMeanwhile) {
  const TestWorld world = SampleWorld();
  Admission admission = world.admission();
  admission.archetypes.set(77);
  admission.pending[kList].operation = Spawn({AgentAt({}, 77), AgentAt({}, 7)});
  const std::string bytes = EncodeSnapshot(world.world(), admission);
  const Result<Snapshot> decoded = DecodeSnapshot(bytes);
  ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
  EXPECT_EQ(decoded->admission, admission);
}

// Those of its own spawn come after it.
TEST(HostileSnapshotTest, PendingCommandsNameNoAgentThatComesLater) {
  NewAgent agent = AgentAt({}, 7);
  ExpectRefusedPending(
      [&](Admission& a) {
        agent.targets[0] = AgentTarget(a.pending[kList].first_agent_id);
        a.pending[kList].operation = Spawn({AgentAt({}, 7), agent});
      },
      "whose spawn was never admitted");
}

TEST(HostileSnapshotTest, PendingSpawnsHaveIdsOfTheirOwn) {
  const std::string reason = "has a pending spawn whose ids are not its own";
  const auto expect_first_id = [&](std::size_t at, AgentId id) {
    ExpectRefusedPending([=](auto& a) { a.pending[at].first_agent_id = id; },
                         reason);
  };
  // Those of living agents.
  expect_first_id(kAreaSpawn, 4);
  expect_first_id(kAreaSpawn, 5);
  // Of another pending spawn.
  expect_first_id(kList, 6);
  expect_first_id(kList, 15);
  expect_first_id(kAreaSpawn, 7);
  // Never given out.
  expect_first_id(kList, 17);
  expect_first_id(kList, 18);
  expect_first_id(kAreaSpawn, std::numeric_limits<AgentId>::max());
  expect_first_id(kAreaSpawn, std::numeric_limits<AgentId>::max() - 5);
  // None.
  expect_first_id(kAreaSpawn, 0);
  expect_first_id(kList, -2);
  // Of a command that spawns nothing.
  expect_first_id(kDespawn, 1);
  expect_first_id(0, -1);
}

TEST(HostileSnapshotTest, IdsThatNobodyUsesAreNoFault) {
  const TestWorld world = SampleWorld();
  Admission admission = world.admission();
  // The area is gone, and its ids 6 to 15 with it.
  admission.pending.erase(admission.pending.begin() + kAreaSpawn);
  EXPECT_TRUE(DecodeSnapshot(EncodeSnapshot(world.world(), admission)).ok());
}

}  // namespace
}  // namespace meander::core
