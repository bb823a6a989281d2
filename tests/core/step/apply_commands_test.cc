#include "core/step/apply_commands.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/command.h"
#include "core/math/trig.h"
#include "core/random/agent_random.h"
#include "core/step/place_in_area.h"
#include "core/world_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using enum CommandOutcome;
using testing::ElementsAre;

// A state to which commands are applied without a step, so that what they do
// stands alone.
class ApplyCommandsTest : public testing::Test {
 protected:
  ApplyCommandsTest() {
    state_.config = SmallConfig();
    state_.config.max_agents = 10;
    state_.seed = 42;
    Settle(state_);
  }

  CommandOutcome Apply(Operation operation, AgentId first_agent_id = 0,
                       std::int64_t tick = kTick) {
    AdmittedCommand command{++sequence_, tick, first_agent_id,
                            std::move(operation)};
    CommandOutcome outcome{};
    ApplyCommands(state_, tick, {&command, 1}, {&outcome, 1});
    return outcome;
  }

  // Ten agents of archetype 1 with ids 1 to 10 make the world full.
  void Fill() {
    ASSERT_EQ(Apply(DefineArchetype{SeekerArchetype()}), kApplied);
    ASSERT_EQ(Apply(Spawn(std::vector<NewAgent>(10)), 1), kApplied);
  }

  // Expects the outcome and that nothing changed but the sequence.
  void ExpectNoEffect(CommandOutcome outcome, const Operation& operation,
                      AgentId first_agent_id = 0) {
    SerialFor serial;
    const StateHash hash = HashState(state_, serial);
    const std::uint64_t cold_version = state_.cold_version;
    const std::int64_t agents = state_.agent_count();
    EXPECT_EQ(Apply(operation, first_agent_id), outcome);
    EXPECT_EQ(HashState(state_, serial), hash);
    EXPECT_EQ(state_.cold_version, cold_version);
    EXPECT_EQ(state_.agent_count(), agents);
  }

  AgentRow Agent(AgentId id) const {
    const AgentLocation* at = state_.index.Find(id);
    EXPECT_NE(at, nullptr) << id;
    if (at == nullptr) return {};
    return state_.populations[at->population].agents.Row(at->row);
  }
  const Population& PopulationOf(AgentId id) const {
    return state_.populations[state_.index.Find(id)->population];
  }
  bool Lives(AgentId id) const { return state_.index.Find(id) != nullptr; }

  static constexpr std::int64_t kTick = 7;
  WorldState state_;
  std::int64_t sequence_ = 0;
};

TEST_F(ApplyCommandsTest, ANewAgentIsWhatTheCommandSays) {
  Apply(DefineArchetype{WandererArchetype(3)});
  NewAgent agent = AgentAt({1, -2, 3}, 3);
  agent.velocity = {-0.0f, 5, 6};
  agent.seed = 99;
  agent.tag = 0xffffffffffffffffu;
  agent.groups = 0xfffffffeu;
  agent.targets = {PointTarget({7, 8, 9}), Target{}, AgentTarget(4), Target{}};
  agent.wander_angle = 1.0f;
  agent.facing = {0, 0, -4};
  EXPECT_EQ(Apply(Spawn({agent}), 5), kApplied);
  const AgentRow row = Agent(5);
  EXPECT_EQ(row.id, 5);
  EXPECT_TRUE(SameBits(row.position, {1, -2, 3}));
  EXPECT_TRUE(SameBits(row.velocity, {-0.0f, 5, 6}));
  EXPECT_EQ(row.seed, 99u);
  EXPECT_EQ(row.tag, 0xffffffffffffffffu);
  EXPECT_EQ(row.groups, 0xfffffffeu);
  EXPECT_EQ(row.targets, agent.targets);
  EXPECT_EQ(row.wander, (WanderState{.turn = TurnFromRadians(1.0f)}));
  EXPECT_EQ(row.facing, (Vec3{0, 0, -1}));
  EXPECT_EQ(row.spawn_tick, kTick);
}

TEST_F(ApplyCommandsTest, WhatANewAgentIsNotGivenIsDrawnFromTheSeeds) {
  Apply(DefineArchetype{WandererArchetype()});
  NewAgent seeded;
  seeded.seed = 99;
  Apply(Spawn({NewAgent{}, seeded}), 3);
  EXPECT_EQ(Agent(3).seed, DeriveAgentSeed(42, 3));
  EXPECT_EQ(Agent(3).wander.turn,
            TurnFromUniform(
                UniformBlock(DeriveAgentSeed(42, 3), 0, Purpose::kInit, 0)[0]));
  EXPECT_EQ(Agent(4).seed, 99u);
  EXPECT_EQ(Agent(4).wander.turn,
            TurnFromUniform(UniformBlock(99, 0, Purpose::kInit, 0)[0]));
  EXPECT_EQ(Agent(3).groups, 1u);
}

TEST_F(ApplyCommandsTest, ANewAgentFacesWhereItIsToldElseWhereItFlies) {
  Apply(DefineArchetype{SeekerArchetype()});
  NewAgent flying;
  flying.velocity = {3, -4, 0};
  NewAgent told = flying;
  told.facing = {0, 0, 1.0e-6f};
  NewAgent hasty;
  hasty.velocity = {0, 6.0e5f, 8.0e5f};
  NewAgent creeping;
  creeping.velocity = {-1.0e-18f, 0, 0};
  NewAgent crawling;  // so slow that the square of its speed is 0
  crawling.velocity = {0, -1.0e-30f, 0};
  NewAgent far;
  far.facing = {-1.0e6f, 0, 0};
  Apply(Spawn({flying, told, hasty, creeping, crawling, far}), 1);
  EXPECT_NEAR(Agent(1).facing.x, 0.6f, 1.0e-6f);
  EXPECT_NEAR(Agent(1).facing.y, -0.8f, 1.0e-6f);
  EXPECT_TRUE(SameBits(Agent(2).facing, {0, 0, 1}));
  EXPECT_NEAR(Agent(3).facing.y, 0.6f, 1.0e-6f);
  EXPECT_NEAR(Agent(3).facing.z, 0.8f, 1.0e-6f);
  EXPECT_EQ(Agent(4).facing, (Vec3{-1, 0, 0}));
  EXPECT_TRUE(SameBits(Agent(5).facing, {1, 0, 0}));
  EXPECT_EQ(Agent(6).facing, (Vec3{-1, 0, 0}));
}

TEST_F(ApplyCommandsTest, AtRestANewAgentFacesAlongTheFirstAxisOfThePlane) {
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    state_ = WorldState{};
    state_.config = SmallConfig(plane);
    Apply(DefineArchetype{SeekerArchetype()});
    Apply(Spawn({NewAgent{}}), 1);
    Apply(SpawnAgents{AreaPlacement{1, NewAgent{}, Disc{{}, 1.0f}}}, 2);
    const Vec3 first = plane == Plane::kYZ ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
    EXPECT_TRUE(SameBits(Agent(1).facing, first));
    EXPECT_TRUE(SameBits(Agent(2).facing, first));
  }
}

Archetype Wandering(ArchetypeId id, const Behavior& wander) {
  Archetype archetype = SeekerArchetype(id);
  archetype.terms.push_back({1.0f, wander});
  return archetype;
}

// What wander of a form starts with when nothing is given, by the lanes and
// formulas that are documented.
WanderState Drawn(const Archetype& archetype, std::uint64_t seed,
                  std::uint64_t step_count, Plane plane) {
  const auto uniforms = [&](std::uint32_t block) {
    return UniformBlock(seed, step_count, Purpose::kInit, block);
  };
  const auto direction = [&](std::uint32_t block) {
    const auto u = uniforms(block);
    const Vec3 cube{2.0f * u[0] - 1.0f, 2.0f * u[1] - 1.0f, 2.0f * u[2] - 1.0f};
    return UnitVector(Flatten(cube, plane), AxesOf(plane).first);
  };
  WanderState drawn;
  const WanderForm form = WanderFormOf(archetype);
  if (form == WanderForm::kWorldAngle || form == WanderForm::kSpherical) {
    drawn.turn = TurnFromUniform(uniforms(0)[0]);
  }
  if (form == WanderForm::kSpherical) {
    drawn.elevation = (2.0f * uniforms(0)[1] - 1.0f) * kHalfPi;
  }
  if (form == WanderForm::kHeadingOffset) {
    drawn.offset = direction(1);
    drawn.heading = direction(2);
  }
  return drawn;
}

// One archetype for each form, ids 1 to 4; the last in a plane of its own.
std::vector<Archetype> EveryForm() {
  return {SeekerArchetype(1), Wandering(2, WanderWorldAngle{1, 2, 3}),
          Wandering(3, WanderSpherical{1, 2, 3}),
          Wandering(4, WanderHeadingOffset{1, 2, 3}),
          Wandering(5, WanderHeadingOffset{1, 2, 3, Plane::kXZ})};
}

Plane PlaneOfForm(const Archetype& archetype) {
  return archetype.id == 5 ? Plane::kXZ : Plane::kNone;
}

void ExpectNear(const WanderState& actual, const WanderState& wanted) {
  EXPECT_EQ(actual.turn, wanted.turn);
  EXPECT_EQ(Bits(actual.elevation), Bits(wanted.elevation));
  for (float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    EXPECT_NEAR(actual.offset.*axis, wanted.offset.*axis, 1.0e-6f);
    EXPECT_NEAR(actual.heading.*axis, wanted.heading.*axis, 1.0e-6f);
  }
}

TEST_F(ApplyCommandsTest, WanderStartsWithWhatItsFormDrawsAndNothingElse) {
  for (const Archetype& archetype : EveryForm()) {
    SCOPED_TRACE(archetype.id);
    Apply(DefineArchetype{archetype});
    NewAgent agent = AgentAt({}, archetype.id);
    agent.seed = 1234;
    Apply(Spawn({agent}), archetype.id);
    ExpectNear(Agent(archetype.id).wander,
               Drawn(archetype, 1234, 0, PlaneOfForm(archetype)));
  }
  EXPECT_EQ(Agent(1).wander, WanderState{});
  EXPECT_EQ(Agent(2).wander.turn, Agent(3).wander.turn);
  EXPECT_NE(Agent(3).wander.elevation, 0.0f);
  EXPECT_NE(Agent(4).wander.offset, Agent(4).wander.heading);
  EXPECT_EQ(Bits(Agent(5).wander.offset.y), 0u);
  EXPECT_EQ(Bits(Agent(5).wander.heading.y), 0u);
}

TEST_F(ApplyCommandsTest, WanderStartsWithWhatIsGivenAsFarAsItsFormHasIt) {
  NewAgent agent;
  agent.wander_angle = -1.0f;
  agent.wander_elevation = 0.5f;
  agent.wander_offset = {0, 3, -4};
  agent.wander_heading = {0, 0, 1.0e6f};
  for (const Archetype& archetype : EveryForm()) {
    Apply(DefineArchetype{archetype});
    agent.archetype_id = archetype.id;
    Apply(Spawn({agent}), archetype.id);
  }
  const std::uint32_t turn = TurnFromRadians(-1.0f);
  EXPECT_EQ(Agent(1).wander, WanderState{});
  EXPECT_EQ(Agent(2).wander, (WanderState{.turn = turn}));
  EXPECT_EQ(Agent(3).wander, (WanderState{.turn = turn, .elevation = 0.5f}));
  ExpectNear(Agent(4).wander,
             {.offset = {0, 0.6f, -0.8f}, .heading = {0, 0, 1}});
  EXPECT_EQ(Agent(5).wander,
            (WanderState{.offset = {0, 0, -1}, .heading = {0, 0, 1}}));
}

// Each draw has lanes of its own.
TEST_F(ApplyCommandsTest, GivingOneStartOfAWanderShiftsNoOther) {
  NewAgent agent;
  agent.seed = 77;
  for (const Archetype& archetype : EveryForm()) {
    Apply(DefineArchetype{archetype});
  }
  const auto spawned = [this](const NewAgent& given) {
    EXPECT_EQ(Apply(Spawn({given}), 9), kApplied);
    const WanderState wander = Agent(9).wander;
    EXPECT_EQ(Apply(DespawnAgents{{9}}), kApplied);
    return wander;
  };
  agent.archetype_id = 3;
  const WanderState sphere = spawned(agent);
  NewAgent given = agent;
  given.wander_angle = 0.0f;
  EXPECT_EQ(spawned(given),
            (WanderState{.turn = 0, .elevation = sphere.elevation}));
  given = agent;
  given.wander_elevation = 0.0f;
  EXPECT_EQ(spawned(given), (WanderState{.turn = sphere.turn}));
  agent.archetype_id = 4;
  const WanderState offset = spawned(agent);
  given = agent;
  given.wander_offset = {1, 0, 0};
  EXPECT_EQ(spawned(given),
            (WanderState{.offset = {1, 0, 0}, .heading = offset.heading}));
  given = agent;
  given.wander_heading = {1, 0, 0};
  EXPECT_EQ(spawned(given),
            (WanderState{.offset = offset.offset, .heading = {1, 0, 0}}));
}

TEST_F(ApplyCommandsTest, InAWorldWithAPlaneAHeadingOffsetLiesInIt) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    state_ = WorldState{};
    state_.config = SmallConfig(plane);
    const Archetype archetype = Wandering(1, WanderHeadingOffset{1, 2, 3});
    Apply(DefineArchetype{archetype});
    NewAgent agent;
    agent.seed = 5;
    Apply(Spawn({agent}), 1);
    ExpectNear(Agent(1).wander, Drawn(archetype, 5, 0, plane));
  }
}

// Wander states of one form mean nothing to another.
TEST_F(ApplyCommandsTest, AnAgentDrawsAnewWhenItsArchetypeWandersOtherwise) {
  constexpr std::int64_t kLater = kTick + 5;
  const std::vector<Archetype> forms = EveryForm();
  for (const Archetype& from : forms) {
    for (const Archetype& to : forms) {
      SCOPED_TRACE(from.id * 10 + to.id);
      for (const bool defines : {false, true}) {
        state_ = WorldState{};
        state_.config = SmallConfig();
        Apply(DefineArchetype{from});
        NewAgent agent = AgentAt({}, from.id);
        agent.seed = 31;
        NewAgent other = agent;
        other.seed = 32;
        Apply(Spawn({agent, other}), 1);
        const WanderState before = Agent(1).wander;
        if (defines) {
          Archetype again = to;
          again.id = from.id;
          again.max_speed += 1.0f;
          EXPECT_EQ(Apply(DefineArchetype{again}, 0, kLater), kApplied);
        } else {
          if (from.id != to.id) Apply(DefineArchetype{to}, 0, kLater);
          EXPECT_EQ(Apply(SetArchetype{{2, 1}, to.id}, 0, kLater), kApplied);
        }
        if (WanderFormOf(from) == WanderFormOf(to)) {
          EXPECT_EQ(Agent(1).wander, before);
          continue;
        }
        ExpectNear(Agent(1).wander, Drawn(to, 31, 5, PlaneOfForm(to)));
        ExpectNear(Agent(2).wander, Drawn(to, 32, 5, PlaneOfForm(to)));
        EXPECT_EQ(Agent(1).spawn_tick, kTick);
      }
    }
  }
}

TEST_F(ApplyCommandsTest, AnAgentThatKeepsItsArchetypeKeepsItsWander) {
  for (const Archetype& archetype : EveryForm()) {
    Apply(DefineArchetype{archetype});
  }
  Apply(Spawn({AgentAt({}, 3), AgentAt({}, 3)}), 1);
  const WanderState before = Agent(2).wander;
  Apply(SetArchetype{{1}, 4}, 0, kTick + 1);
  EXPECT_EQ(Agent(2).wander, before);
  // Back again: not what it was, for it has lived longer.
  const WanderState first = Agent(1).wander;
  Apply(SetArchetype{{1}, 3}, 0, kTick + 2);
  EXPECT_NE(Agent(1).wander.turn, before.turn);
  EXPECT_EQ(Agent(1).wander.offset, Vec3{});
  Apply(SetArchetype{{1}, 4}, 0, kTick + 1);
  EXPECT_EQ(Agent(1).wander, first) << "a pure function of the step count";
}

TEST_F(ApplyCommandsTest, AListGetsConsecutiveIdsInItsOrder) {
  Apply(DefineArchetype{SeekerArchetype(1)});
  Apply(DefineArchetype{SeekerArchetype(2)});
  EXPECT_EQ(Apply(Spawn({AgentAt({1, 0, 0}, 2), AgentAt({2, 0, 0}, 1),
                         AgentAt({3, 0, 0}, 2)}),
                  11),
            kApplied);
  for (const AgentId id : {11, 12, 13}) {
    EXPECT_EQ(Agent(id).position.x, static_cast<float>(id - 10));
  }
  EXPECT_EQ(state_.index.Find(11)->population, 1u);
  EXPECT_EQ(state_.index.Find(12)->population, 0u);
  EXPECT_EQ(state_.index.Find(13)->population, 1u);
}

TEST_F(ApplyCommandsTest, AnAreaPlacesCopiesOfItsPrototype) {
  Apply(DefineArchetype{SeekerArchetype(2)});
  NewAgent prototype = AgentAt({}, 2);
  prototype.velocity = {1, 2, 3};
  prototype.tag = 5;
  prototype.groups = 12;
  prototype.facing = {0, -7, 0};
  prototype.targets[1] = PointTarget({4, 4, 4});
  const Area area = Ball{{10, 20, 30}, 40.0f};
  EXPECT_EQ(Apply(SpawnAgents{AreaPlacement{4, prototype, area}}, 1), kApplied);
  const std::uint64_t place_seed =
      PlaceSeed(42, static_cast<std::uint64_t>(sequence_));
  for (AgentId id = 1; id <= 4; ++id) {
    const AgentRow row = Agent(id);
    EXPECT_TRUE(SameBits(row.position,
                         PlaceInArea(area, state_.config, place_seed,
                                     static_cast<std::uint64_t>(id - 1))));
    EXPECT_EQ(row.velocity, prototype.velocity);
    EXPECT_EQ(row.tag, 5u);
    EXPECT_EQ(row.groups, 12u);
    EXPECT_EQ(row.facing, (Vec3{0, -1, 0}));
    EXPECT_EQ(row.targets, prototype.targets);
    EXPECT_EQ(row.seed, DeriveAgentSeed(42, static_cast<std::uint64_t>(id)));
  }
}

TEST_F(ApplyCommandsTest, AnUndefinedArchetypeMakesASpawnDoNothing) {
  Apply(DefineArchetype{SeekerArchetype(1)});
  // Also when others in the list have one.
  ExpectNoEffect(kArchetypeUnknown, Spawn({AgentAt({}, 1), AgentAt({}, 1024)}),
                 1);
  ExpectNoEffect(kArchetypeUnknown,
                 SpawnAgents{AreaPlacement{3, AgentAt({}, 2), Disc{}}}, 1);
  EXPECT_EQ(Apply(Spawn({AgentAt({}, 1)}), 1), kApplied);
}

TEST_F(ApplyCommandsTest, AFullWorldMakesASpawnDoNothing) {
  Apply(DefineArchetype{SeekerArchetype()});
  ExpectNoEffect(kWorldFull, Spawn(std::vector<NewAgent>(11)), 1);
  EXPECT_EQ(Apply(Spawn(std::vector<NewAgent>(9)), 1), kApplied);
  ExpectNoEffect(kWorldFull, Spawn(std::vector<NewAgent>(2)), 10);
  ExpectNoEffect(kWorldFull, SpawnAgents{AreaPlacement{2, NewAgent{}, Disc{}}},
                 10);
  EXPECT_EQ(Apply(SpawnAgents{AreaPlacement{1, NewAgent{}, Disc{}}}, 10),
            kApplied);
  ExpectNoEffect(kWorldFull, Spawn({NewAgent{}}), 11);
  // Full comes before unknown.
  ExpectNoEffect(kWorldFull, Spawn({AgentAt({}, 9)}), 11);
}

TEST_F(ApplyCommandsTest, DespawningMakesRoom) {
  Fill();
  EXPECT_EQ(Apply(DespawnAgents{{3, 10}}), kApplied);
  EXPECT_EQ(state_.agent_count(), 8);
  ExpectNoEffect(kWorldFull, Spawn(std::vector<NewAgent>(3)), 11);
  EXPECT_EQ(Apply(Spawn(std::vector<NewAgent>(2)), 11), kApplied);
  EXPECT_EQ(state_.agent_count(), 10);
  EXPECT_FALSE(Lives(3));
  EXPECT_FALSE(Lives(10));
  EXPECT_TRUE(Lives(11));
  EXPECT_TRUE(Lives(12));
}

TEST_F(ApplyCommandsTest, DespawningOneThatIsGoneRemovesNobody) {
  Fill();
  EXPECT_EQ(Apply(DespawnAgents{{5}}), kApplied);
  ExpectNoEffect(kAgentGone, DespawnAgents{{1, 5, 2}});
  ExpectNoEffect(kAgentGone, DespawnAgents{{5}});
  ExpectNoEffect(kAgentGone, DespawnAgents{{11}});
  EXPECT_TRUE(Lives(1));
  EXPECT_TRUE(Lives(2));
}

TEST_F(ApplyCommandsTest, TheOthersStayWhoTheyAreWhenSomeAreRemoved) {
  Apply(DefineArchetype{SeekerArchetype()});
  std::vector<NewAgent> agents;
  for (int i = 1; i <= 10; ++i) {
    agents.push_back(AgentAt({static_cast<float>(i), 0, 0}));
    agents.back().tag = static_cast<std::uint64_t>(i);
  }
  Apply(Spawn(agents), 1);
  Apply(DespawnAgents{{1, 9, 10, 4}});
  for (const AgentId id : {2, 3, 5, 6, 7, 8}) {
    EXPECT_EQ(Agent(id).id, id);
    EXPECT_EQ(Agent(id).tag, static_cast<std::uint64_t>(id));
    EXPECT_EQ(Agent(id).position.x, static_cast<float>(id));
  }
}

TEST_F(ApplyCommandsTest, ATargetIsSetInOneSlotOfAllThatAreNamed) {
  Fill();
  const Target point = PointTarget({1, 2, 3});
  EXPECT_EQ(Apply(SetTarget{{2, 4, 2}, 3, point}), kApplied);
  for (AgentId id = 1; id <= 10; ++id) {
    const TargetSlots targets = Agent(id).targets;
    EXPECT_EQ(targets[3], id == 2 || id == 4 ? point : Target{});
    EXPECT_EQ(targets[0], Target{});
    EXPECT_EQ(targets[2], Target{});
  }
  EXPECT_EQ(Apply(SetTarget{{4}, 3, AgentTarget(4)}), kApplied);
  EXPECT_EQ(Agent(4).targets[3], AgentTarget(4));
  EXPECT_EQ(Apply(SetTarget{{2}, 3, Target{}}), kApplied);
  EXPECT_EQ(Agent(2).targets[3], Target{});
}

TEST_F(ApplyCommandsTest, SettingATargetOfOneThatIsGoneSetsNone) {
  Fill();
  Apply(DespawnAgents{{5}});
  ExpectNoEffect(kAgentGone, SetTarget{{1, 5}, 0, PointTarget({1, 1, 1})});
  ExpectNoEffect(kAgentGone, SetTarget{{11}, 0, Target{}});
  // The target itself may be dead.
  EXPECT_EQ(Apply(SetTarget{{1}, 0, AgentTarget(5)}), kApplied);
}

TEST_F(ApplyCommandsTest, AnArchetypeIsReplacedWholeForItsAgents) {
  Fill();
  Archetype other = WandererArchetype();
  other.max_speed = 1.0f;
  EXPECT_EQ(Apply(DefineArchetype{other}), kApplied);
  ASSERT_EQ(state_.populations.size(), 1u);
  EXPECT_EQ(state_.populations[0].archetype, other);
  EXPECT_EQ(state_.agent_count(), 10);
}

TEST_F(ApplyCommandsTest, AnArchetypeIsRemovedOnceNobodyHasIt) {
  Fill();
  Apply(DefineArchetype{SeekerArchetype(2)});
  ExpectNoEffect(kArchetypeUnknown, RemoveArchetype{3});
  ExpectNoEffect(kArchetypeInUse, RemoveArchetype{1});
  EXPECT_EQ(Apply(RemoveArchetype{2}), kApplied);
  EXPECT_EQ(state_.FindPopulation(2), nullptr);
  EXPECT_EQ(state_.archetype_count(), 1u);
  ExpectNoEffect(kArchetypeUnknown, RemoveArchetype{2});
  ExpectNoEffect(kArchetypeUnknown, SetArchetype{{1}, 2});
  Apply(DespawnAgents{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}});
  ExpectNoEffect(kArchetypeUnknown, Spawn({AgentAt({}, 2)}), 11);
  EXPECT_EQ(Apply(RemoveArchetype{1}), kApplied);
  EXPECT_EQ(state_.archetype_count(), 0u);
}

TEST_F(ApplyCommandsTest, WhereAnArchetypeWasRemovedAnotherComesIn) {
  Fill();
  for (ArchetypeId id = 2; id <= 5; ++id) {
    Apply(DefineArchetype{SeekerArchetype(id)});
  }
  Apply(SetArchetype{{3, 4}, 5});
  for (ArchetypeId id = 2; id <= 4; ++id) Apply(RemoveArchetype{id});
  for (ArchetypeId id = 100; id <= 104; ++id) {
    Apply(DefineArchetype{WandererArchetype(id)});
  }
  EXPECT_EQ(state_.populations.size(), 7u) << "three of them in old places";
  EXPECT_EQ(state_.archetype_count(), 7u);
  EXPECT_EQ(Apply(SetArchetype{{7}, 101}), kApplied);
  EXPECT_EQ(PopulationOf(3).archetype.id, 5);
  EXPECT_EQ(PopulationOf(7).archetype, WandererArchetype(101));
  EXPECT_EQ(PopulationOf(1).archetype.id, 1);
  std::vector<ArchetypeId> ids;
  ForEachArchetype(state_, [&ids](const Archetype& a) { ids.push_back(a.id); });
  EXPECT_THAT(ids, ElementsAre(1, 5, 100, 101, 102, 103, 104));
}

TEST_F(ApplyCommandsTest, ChangedArchetypesHashLikeNewOnes) {
  Fill();
  Apply(DefineArchetype{SeekerArchetype(2)});
  Apply(DefineArchetype{SeekerArchetype(3)});
  Apply(RemoveArchetype{2});
  Apply(SetArchetype{{4, 9}, 3});
  Apply(SetCellSize{0.5f});
  SerialFor serial;
  const StateHash kept = HashState(state_, serial);
  RebuildCaches(state_);
  EXPECT_EQ(HashState(state_, serial), kept);
}

TEST_F(ApplyCommandsTest, AnAgentKeepsAllElseWhenItsArchetypeChanges) {
  Archetype other = WandererArchetype(2);
  other.terms[0].behavior = WanderWorldAngle{1.0f, 9.0f, 0.5f};
  other.facing = Facing{};
  Apply(DefineArchetype{WandererArchetype(1)});
  Apply(DefineArchetype{other});
  std::vector<NewAgent> agents;
  for (int i = 1; i <= 6; ++i) {
    const auto n = static_cast<float>(i);
    NewAgent agent = AgentAt({n, -n, 2 * n});
    agent.velocity = {n, 0, -n};
    agent.tag = static_cast<std::uint64_t>(i);
    agent.groups = static_cast<std::uint32_t>(i);
    agent.facing = {n, 1, -n};
    agent.targets[1] = PointTarget({n, n, n});
    agents.push_back(agent);
  }
  Apply(Spawn(agents), 1);
  std::vector<AgentRow> before;
  for (AgentId id = 1; id <= 6; ++id) before.push_back(Agent(id));
  EXPECT_EQ(Apply(SetArchetype{{6, 1, 3}, 2}), kApplied);
  for (AgentId id = 1; id <= 6; ++id) {
    const AgentRow& was = before[static_cast<std::size_t>(id - 1)];
    const AgentRow is = Agent(id);
    const bool moved = id == 1 || id == 3 || id == 6;
    EXPECT_EQ(PopulationOf(id).archetype.id, moved ? 2 : 1);
    EXPECT_EQ(is.id, id);
    EXPECT_TRUE(SameBits(is.position, was.position));
    EXPECT_TRUE(SameBits(is.velocity, was.velocity));
    EXPECT_EQ(is.wander, was.wander);
    EXPECT_TRUE(SameBits(is.facing, was.facing));
    EXPECT_EQ(is.groups, was.groups);
    EXPECT_EQ(is.seed, was.seed);
    EXPECT_EQ(is.tag, was.tag);
    EXPECT_EQ(is.spawn_tick, was.spawn_tick);
    EXPECT_EQ(is.targets, was.targets);
  }
  // Some had it already.
  EXPECT_EQ(Apply(SetArchetype{{1, 2, 3}, 2}), kApplied);
  EXPECT_EQ(state_.FindPopulation(2)->agents.size(), 4u);
  EXPECT_EQ(state_.FindPopulation(1)->agents.size(), 2u);
}

TEST_F(ApplyCommandsTest, GoneAgentsComeBeforeAnUnknownArchetype) {
  Fill();
  Apply(DefineArchetype{SeekerArchetype(2)});
  ExpectNoEffect(kAgentGone, SetArchetype{{1, 11}, 2});
  ExpectNoEffect(kAgentGone, SetArchetype{{11}, 9});
  ExpectNoEffect(kArchetypeUnknown, SetArchetype{{1, 2}, 9});
  EXPECT_EQ(Apply(SetArchetype{{1, 2}, 2}), kApplied);
}

TEST_F(ApplyCommandsTest, AMotionSetsWhatItGivesAndLeavesTheRest) {
  Fill();
  Apply(SetMotion{
      {{2, Vec3{1, 2, 3}, Vec3{4, 5, 6}}, {1, Vec3{7, 8, 9}, std::nullopt}}});
  EXPECT_EQ(Apply(SetMotion{{{2, std::nullopt, Vec3{-1, -0.0f, 0}},
                             {1, std::nullopt, std::nullopt}}}),
            kApplied);
  EXPECT_TRUE(SameBits(Agent(2).position, {1, 2, 3}));
  EXPECT_TRUE(SameBits(Agent(2).velocity, {-1, -0.0f, 0}));
  EXPECT_TRUE(SameBits(Agent(1).position, {7, 8, 9}));
  EXPECT_TRUE(SameBits(Agent(1).velocity, {0, 0, 0}));
  EXPECT_TRUE(SameBits(Agent(3).position, {0, 0, 0}));
}

TEST_F(ApplyCommandsTest, AMotionOfOneThatIsGoneMovesNobody) {
  Fill();
  Apply(DespawnAgents{{5}});
  ExpectNoEffect(kAgentGone, SetMotion{{{1, Vec3{1, 1, 1}, Vec3{1, 1, 1}},
                                        {5, Vec3{2, 2, 2}, Vec3{2, 2, 2}}}});
  ExpectNoEffect(kAgentGone, SetMotion{{{11, Vec3{}, std::nullopt}}});
  ExpectNoEffect(kAgentGone, ApplyImpulse{{1, 5}, {1, 1, 1}});
}

TEST_F(ApplyCommandsTest, AnImpulseIsDividedByTheMassOfEach) {
  Archetype heavy = SeekerArchetype(2);
  heavy.mass = 8.0f;
  Apply(DefineArchetype{SeekerArchetype(1)});
  Apply(DefineArchetype{heavy});
  NewAgent moving = AgentAt({}, 1);
  moving.velocity = {1, 2, 3};
  Apply(Spawn({moving, AgentAt({5, 5, 5}, 2), moving}), 1);
  EXPECT_EQ(Apply(ApplyImpulse{{2, 1}, {16, -8, 0}}), kApplied);
  EXPECT_EQ(Agent(1).velocity, (Vec3{17, -6, 3}));
  EXPECT_EQ(Agent(2).velocity, (Vec3{2, -1, 0}));
  EXPECT_EQ(Agent(3).velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(Agent(2).position, (Vec3{5, 5, 5}));
}

TEST_F(ApplyCommandsTest, AnImpulseMakesNobodyFasterThanACommandMay) {
  Archetype light = SeekerArchetype();
  light.mass = kMinMass;
  Apply(DefineArchetype{light});
  Apply(Spawn({NewAgent{}}), 1);
  for (const Vec3& impulse :
       {Vec3{0, 1.0e6f, 0}, Vec3{-6.0e5f, 0, 8.0e5f}, Vec3{1.0f, 0, 0}}) {
    EXPECT_EQ(Apply(ApplyImpulse{{1}, impulse}), kApplied);
    EXPECT_TRUE(IsFinite(Agent(1).velocity));
    EXPECT_LE(Length(Agent(1).velocity), kMaxCommandedSpeed * 1.000001f);
  }
  Apply(SetMotion{{{1, std::nullopt, Vec3{}}}});
  Apply(ApplyImpulse{{1}, {0, 1.0e6f, 0}});
  EXPECT_EQ(Agent(1).velocity, (Vec3{0, kMaxCommandedSpeed, 0}));
}

TEST_F(ApplyCommandsTest, CellsAreResized) {
  RebuildCaches(state_);
  SerialFor serial;
  const std::uint64_t before = HashState(state_, serial).value;
  EXPECT_EQ(Apply(SetCellSize{2.5f}), kApplied);
  EXPECT_EQ(state_.config.cell_size, 2.5f);
  EXPECT_NE(HashState(state_, serial).value, before);
  EXPECT_EQ(Apply(SetCellSize{kDefaultCellSize}), kApplied);
  EXPECT_EQ(HashState(state_, serial).value, before);
}

TEST_F(ApplyCommandsTest, TheUpperFacesOfATorusBecomeTheLowerOnes) {
  for (const Plane plane : {Plane::kNone, Plane::kXZ}) {
    state_ = WorldState{};
    state_.config = SmallConfig(plane);
    state_.config.bounds_mode = BoundsMode::kWrap;
    const Vec3 low = state_.config.bounds_min;
    const Vec3 high = state_.config.bounds_max;
    const Vec3 inside = high * 0.5f;
    Apply(DefineArchetype{SeekerArchetype()});
    NewAgent agent = AgentAt(high);
    agent.targets = {PointTarget(high), PointTarget(inside), AgentTarget(1),
                     Target{}};
    Apply(Spawn({agent, AgentAt(inside)}), 1);
    EXPECT_TRUE(SameBits(Agent(1).position, low));
    EXPECT_EQ(Agent(1).targets[0], PointTarget(low));
    EXPECT_EQ(Agent(1).targets[1], PointTarget(inside));
    EXPECT_EQ(Agent(1).targets[2], AgentTarget(1));
    EXPECT_EQ(Agent(1).targets[3], Target{});
    EXPECT_EQ(Agent(2).position, inside);
    Apply(SetMotion{{{2, high, std::nullopt}}});
    EXPECT_TRUE(SameBits(Agent(2).position, low));
    Apply(SetTarget{{2}, 3, PointTarget(high)});
    EXPECT_EQ(Agent(2).targets[3], PointTarget(low));
    Apply(SpawnAgents{AreaPlacement{3, NewAgent{}, Box{high, high}}}, 3);
    EXPECT_TRUE(SameBits(Agent(4).position, low));
  }
}

TEST_F(ApplyCommandsTest, CommandsOfOneTickActInTheirOrder) {
  const std::vector<AdmittedCommand> commands{
      {1, kTick, 1, Spawn({NewAgent{}})},
      {2, kTick, 0, DefineArchetype{SeekerArchetype()}},
      {3, kTick, 2, Spawn({NewAgent{}, NewAgent{}})},
      {4, kTick, 0, SetTarget{{3}, 0, PointTarget({1, 0, 0})}},
      {5, kTick, 0, DespawnAgents{{2}}},
      {6, kTick, 0, SetTarget{{2}, 0, PointTarget({1, 0, 0})}},
      {7, kTick, 4, Spawn(std::vector<NewAgent>(10))},
      {8, kTick, 0, SetTarget{{3}, 0, PointTarget({2, 0, 0})}},
  };
  std::vector<CommandOutcome> outcomes(commands.size());
  ApplyCommands(state_, kTick, commands, outcomes);
  EXPECT_THAT(outcomes,
              ElementsAre(kArchetypeUnknown, kApplied, kApplied, kApplied,
                          kApplied, kAgentGone, kWorldFull, kApplied));
  EXPECT_EQ(state_.agent_count(), 1);
  EXPECT_EQ(Agent(3).targets[0].point.x, 2.0f);
}

TEST_F(ApplyCommandsTest, IdsMayComeInAnyOrder) {
  Apply(DefineArchetype{SeekerArchetype()});
  EXPECT_EQ(Apply(Spawn({NewAgent{}}), 8), kApplied);
  EXPECT_EQ(Apply(Spawn({NewAgent{}, NewAgent{}}), 3), kApplied);
  EXPECT_EQ(Apply(Spawn({NewAgent{}}), 1), kApplied);
  std::vector<AgentId> ids;
  state_.index.ForEach(
      [&ids](AgentId id, const AgentLocation&) { ids.push_back(id); });
  EXPECT_THAT(ids, ElementsAre(1, 3, 4, 8));
}

TEST_F(ApplyCommandsTest, WhatLiesOffThePlaneBecomesPositiveZero) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    state_ = WorldState{};
    state_.config = SmallConfig(plane);
    Apply(DefineArchetype{SeekerArchetype()});
    const Vec3 mask = PlaneMask(plane);
    const Vec3 negative{-0.0f, -0.0f, -0.0f};
    const Vec3 wanted{mask.x == 0.0f ? 0.0f : -0.0f,
                      mask.y == 0.0f ? 0.0f : -0.0f,
                      mask.z == 0.0f ? 0.0f : -0.0f};
    NewAgent agent = AgentAt(negative);
    agent.velocity = negative;
    agent.targets[2] = PointTarget(negative);
    agent.facing =
        Vec3{mask.x == 0.0f ? -0.0f : 1.0f, mask.y == 0.0f ? -0.0f : 1.0f,
             mask.z == 0.0f ? -0.0f : 1.0f};
    Apply(Spawn({agent, NewAgent{}}), 1);
    EXPECT_TRUE(SameBits(Agent(1).facing, Flatten(Agent(1).facing, plane)));
    Apply(SetMotion{{{2, negative, negative}}});
    Apply(ApplyImpulse{{2}, negative});
    EXPECT_TRUE(SameBits(Agent(2).position, wanted));
    EXPECT_TRUE(SameBits(Agent(2).velocity, wanted));
    Apply(SetTarget{{1}, 3, PointTarget(negative)});
    EXPECT_TRUE(SameBits(Agent(1).position, wanted));
    EXPECT_TRUE(SameBits(Agent(1).velocity, wanted));
    EXPECT_TRUE(SameBits(Agent(1).targets[2].point, wanted));
    EXPECT_TRUE(SameBits(Agent(1).targets[3].point, wanted));
    const NewAgent prototype;
    Apply(SpawnAgents{AreaPlacement{50, prototype, Disc{negative, 50.0f}}}, 3);
    for (AgentId id = 3; id <= 52; ++id) {
      const Vec3 place = Agent(id).position;
      const float off = mask.x == 0.0f   ? place.x
                        : mask.y == 0.0f ? place.y
                                         : place.z;
      EXPECT_EQ(Bits(off), 0u);
    }
  }
}

TEST_F(ApplyCommandsTest, AWorldWithoutCommandsIsLeftAlone) {
  Fill();
  const std::uint64_t cold_version = state_.cold_version;
  ApplyCommands(state_, kTick + 1, {}, {});
  EXPECT_EQ(state_.cold_version, cold_version);
}

using ApplyCommandsDeathTest = ApplyCommandsTest;

TEST_F(ApplyCommandsDeathTest, ACommandOfAnotherTickEndsTheProcess) {
  const AdmittedCommand command{1, kTick + 1, 0, DespawnAgents{{1}}};
  CommandOutcome outcome{};
  EXPECT_DEATH(ApplyCommands(state_, kTick, {&command, 1}, {&outcome, 1}),
               "check failed");
  EXPECT_DEATH(ApplyCommands(state_, kTick + 1, {&command, 1}, {}),
               "check failed");
}

}  // namespace
}  // namespace meander::core
