#include "core/step/tell_losses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/event.h"
#include "core/parallel_for.h"
#include "core/world.h"
#include "gtest/gtest.h"
#include "tests/core/counting_new.h"
#include "tests/core/test_world.h"
#include "tests/scenarios/threaded_for.h"

namespace meander::core {

namespace {

using Events = std::vector<Event>;

Event Lost(AgentId agent, std::int32_t slot = 0) {
  return {.agent_id = agent, .kind = EventKind::kTargetLost, .slot = slot};
}

// All are of the world's tick, and are given without it.
Events EventsOf(const World& world) {
  Events events(world.events().begin(), world.events().end());
  for (Event& event : events) {
    EXPECT_EQ(event.tick, world.tick());
    event.tick = 0;
  }
  return events;
}

// What the next step tells.
Events StepOf(TestWorld& world) {
  world.Step();
  return EventsOf(world.world());
}

Events EventsOf(TestWorld& world, Operation operation) {
  world.Submit(std::move(operation));
  return StepOf(world);
}

Archetype Reading(const std::vector<std::int32_t>& slots, ArchetypeId id = 1) {
  Archetype archetype = SeekerArchetype(id);
  archetype.terms.clear();
  for (const std::int32_t slot : slots) {
    archetype.terms.push_back({1.0f, Seek{slot}});
  }
  return archetype;
}

// Agents 1 and 2 are after each other, 3 after 1.
TestWorld Chase() {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.Submit(Spawn({AgentToward({1, 0, 0}, AgentTarget(2)),
                      AgentToward({2, 0, 0}, AgentTarget(1)),
                      AgentToward({3, 0, 0}, AgentTarget(1))}));
  return world;
}

TEST(TellLossesTest, WhoHasItsTargetsIsNotTold) {
  TestWorld world = Chase();
  world.Submit(Spawn({AgentToward({4, 0, 0}, PointTarget({5, 0, 0}))}));
  for (int tick = 0; tick < 5; ++tick) EXPECT_EQ(StepOf(world), Events{});
}

TEST(TellLossesTest, ADeadTargetIsToldOnceInTheTickOfItsDeath) {
  TestWorld world = Chase();
  world.StepTo(4);
  EXPECT_EQ(EventsOf(world, DespawnAgents{{1}}), (Events{Lost(2), Lost(3)}));
  for (int tick = 0; tick < 5; ++tick) EXPECT_EQ(StepOf(world), Events{});
}

TEST(TellLossesTest, ASlotThatNobodySetIsToldInTheTickOfTheSpawn) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.StepTo(3);
  EXPECT_EQ(EventsOf(world, Spawn({AgentAt({1, 0, 0})})), Events{Lost(1)});
  EXPECT_EQ(StepOf(world), Events{});
  EXPECT_EQ(EventsOf(world, Spawn({AgentAt({1, 0, 0})})), Events{Lost(2)});
}

TEST(TellLossesTest, AnAgentThatIsItsOwnTargetIsTold) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  EXPECT_EQ(EventsOf(world, Spawn({AgentToward({1, 0, 0}, AgentTarget(1))})),
            Events{Lost(1)});
  EXPECT_EQ(StepOf(world), Events{});
}

TEST(TellLossesTest, EachBehaviorThatReadsASlotTells) {
  const Behavior behaviors[] = {Seek{3},           Flee{.slot = 3},
                                Arrive{.slot = 3}, KeepAway{.slot = 3},
                                Pursue{.slot = 3}, Evade{.slot = 3}};
  for (const Behavior& behavior : behaviors) {
    TestWorld world;
    Archetype archetype = SeekerArchetype();
    archetype.terms = {{1.0f, behavior}};
    world.Submit(DefineArchetype{archetype});
    EXPECT_EQ(EventsOf(world, Spawn({AgentAt({1, 0, 0})})), Events{Lost(1, 3)})
        << behavior.index();
  }
}

TEST(TellLossesTest, SlotsThatNoTermReadsAreNotTold) {
  TestWorld world;
  Archetype archetype = Reading({1});
  archetype.terms.push_back({1.0f, Brake{}});
  archetype.terms.push_back({1.0f, Cohesion{{.radius = 5.0f}}});
  archetype.terms.push_back({1.0f, WanderWorldAngle{2.0f, 3.0f, 8.0f}});
  world.Submit(DefineArchetype{archetype});
  NewAgent agent = AgentAt({1, 0, 0});
  agent.targets[1] = PointTarget({2, 0, 0});
  agent.targets[2] = AgentTarget(1);
  EXPECT_EQ(EventsOf(world, Spawn({agent})), Events{});
}

TEST(TellLossesTest, EachSlotIsToldOnceHoweverManyTermsReadIt) {
  TestWorld world;
  world.Submit(DefineArchetype{Reading({3, 0, 3, 1, 0})});
  EXPECT_EQ(EventsOf(world, Spawn({AgentAt({1, 0, 0}), AgentAt({2, 0, 0})})),
            (Events{Lost(1, 0), Lost(1, 1), Lost(1, 3), Lost(2, 0), Lost(2, 1),
                    Lost(2, 3)}));
}

// The first level wins, and uses up every budget.
TEST(TellLossesTest, ATermIsToldWhateverItsLevelAndItsWeight) {
  for (const Combine combine : {Combine::kWeightedSum, Combine::kPriorityBudget,
                                Combine::kFirstNonzero}) {
    TestWorld world;
    Archetype archetype = Reading({0});
    archetype.terms[0].gain = 1000.0f;
    archetype.terms.push_back({0.0f, Seek{1}, 1.0f, 1});
    archetype.combine = combine;
    world.Submit(DefineArchetype{archetype});
    EXPECT_EQ(EventsOf(world,
                       Spawn({AgentToward({1, 0, 0}, PointTarget({9, 9, 9}))})),
              Events{Lost(1, 1)});
  }
}

TEST(TellLossesTest, SetTargetMakesASlotNew) {
  TestWorld world = Chase();
  world.StepTo(2);
  EXPECT_EQ(EventsOf(world, DespawnAgents{{1}}), (Events{Lost(2), Lost(3)}));
  // The same dead agent, nobody, and itself.
  EXPECT_EQ(EventsOf(world, SetTarget{{3}, 0, AgentTarget(1)}),
            Events{Lost(3)});
  EXPECT_EQ(EventsOf(world, SetTarget{{2}, 0, Target{}}), Events{Lost(2)});
  EXPECT_EQ(EventsOf(world, SetTarget{{3}, 0, AgentTarget(3)}),
            Events{Lost(3)});
  // One that can be found, and is lost later.
  EXPECT_EQ(EventsOf(world, SetTarget{{2}, 0, AgentTarget(3)}), Events{});
  EXPECT_EQ(EventsOf(world, SetTarget{{3}, 0, PointTarget({1, 1, 1})}),
            Events{});
  EXPECT_EQ(EventsOf(world, DespawnAgents{{3}}), Events{Lost(2)});
  EXPECT_EQ(StepOf(world), Events{});
  // Another slot is another's.
  EXPECT_EQ(EventsOf(world, SetTarget{{2}, 1, AgentTarget(2)}), Events{});
}

TEST(TellLossesTest, ATargetThatIsYetToBeSpawnedIsLostUntilThen) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.Submit(Spawn({AgentToward({1, 0, 0}, AgentTarget(2))}));
  world.Submit(Spawn({AgentToward({2, 0, 0}, AgentTarget(1))}), 3);
  EXPECT_EQ(StepOf(world), Events{Lost(1)});
  world.StepTo(5);
  EXPECT_GT(world.Agent(1).velocity.x, 0.0f);  // the term acts
  EXPECT_EQ(EventsOf(world, DespawnAgents{{2}}), Events{});
}

TEST(TellLossesTest, AnotherArchetypeMayReadAnotherSlot) {
  TestWorld world;
  world.Submit(DefineArchetype{Reading({0}, 1)});
  world.Submit(DefineArchetype{Reading({0, 2}, 2)});
  NewAgent agent = AgentAt({1, 0, 0});
  EXPECT_EQ(EventsOf(world, Spawn({agent})), Events{Lost(1, 0)});
  EXPECT_EQ(EventsOf(world, SetArchetype{{1}, 2}), Events{Lost(1, 2)});
  EXPECT_EQ(EventsOf(world, SetArchetype{{1}, 1}), Events{});
  EXPECT_EQ(EventsOf(world, SetArchetype{{1}, 2}), Events{});
  EXPECT_EQ(EventsOf(world, DefineArchetype{Reading({1, 2}, 2)}),
            Events{Lost(1, 1)});
}

TEST(TellLossesTest, WhoIsMovedFromOutsideHasNoTermsToTellOf) {
  TestWorld world;
  world.Submit(DefineArchetype{
      {.id = 1, .max_speed = 6.0f, .terms = {}, .external = true}});
  EXPECT_EQ(EventsOf(world, Spawn({AgentToward({1, 0, 0}, AgentTarget(1))})),
            Events{});
}

TEST(TellLossesTest, TheDeadTellNothing) {
  TestWorld world = Chase();
  world.StepTo(2);
  EXPECT_EQ(EventsOf(world, DespawnAgents{{1, 2}}), Events{Lost(3)});
  EXPECT_EQ(EventsOf(world, DespawnAgents{{3}}), Events{});
}

TEST(TellLossesTest, EventsAreThoseOfTheLastTickAlone) {
  TestWorld world = Chase();
  world.StepTo(2);
  EXPECT_EQ(EventsOf(world, DespawnAgents{{1}}).size(), 2u);
  EXPECT_EQ(EventsOf(world, DespawnAgents{{2, 3}}), Events{});

  World empty(SmallConfig(), 1);
  EXPECT_EQ(EventsOf(empty), Events{});
  empty.AdvanceEmpty(5);
  EXPECT_EQ(EventsOf(empty), Events{});
}

// What was told is state: without it two worlds would go on differently.
TEST(TellLossesTest, WhatWasToldIsHashedAndComesBackFromASnapshot) {
  TestWorld world = Chase();
  world.StepTo(2);
  world.Submit(DespawnAgents{{1}});
  world.Submit(DespawnAgents{{2}}, 6);
  world.StepTo(4);
  Result<Snapshot> decoded =
      DecodeSnapshot(EncodeSnapshot(world.world(), world.admission()));
  ASSERT_TRUE(decoded.ok()) << decoded.error().reason;
  World& restored = decoded->world;
  SerialFor serial;
  EXPECT_EQ(restored.Hash(serial), world.Hash());
  EXPECT_EQ(EventsOf(restored), Events{});
  while (world.world().tick() < 8) {
    EXPECT_EQ(StepOf(world), Events{});  // 3 is told of 1 already
    std::vector<AdmittedCommand> due;
    if (restored.tick() == 5) due = decoded->admission.pending;
    std::vector<CommandOutcome> outcomes(due.size());
    restored.Step(due, outcomes, serial);
    EXPECT_EQ(EventsOf(restored), Events{});
    EXPECT_EQ(restored.Hash(serial), world.Hash());
  }

  WorldState untold = world.world().state();
  untold.populations[0].agents.targets[0][0].head &=
      ~PackedTarget::kLossToldBit;
  World twice(untold);
  EXPECT_NE(twice.Hash(serial).value, world.Hash().value);
  twice.Step(serial);
  EXPECT_EQ(EventsOf(twice), Events{Lost(3)});
}

TEST(TellLossesTest, CopiesOfTargetsAreOldOnceALossIsTold) {
  TestWorld world = Chase();
  world.StepTo(2);
  const std::uint64_t before = world.world().cold_version();
  world.Step();
  EXPECT_EQ(world.world().cold_version(), before);
  WorldState state = world.world().state();
  state.populations[0].agents.SetTarget(1, 0, {});
  World other(state);
  const std::uint64_t then = other.cold_version();
  SerialFor serial;
  other.Step(serial);
  EXPECT_NE(other.cold_version(), then);
}

// 3,000 agents of three archetypes, spawned by turns, that lose targets in
// every tick from the third on: each agent is after one of 40, and these die
// one by one.
class LosingCrowd {
 public:
  static constexpr AgentId kHunted = 40;

  LosingCrowd() {
    world_.Submit(DefineArchetype{Reading({0}, 1)});
    world_.Submit(DefineArchetype{Reading({2, 0}, 2)});
    world_.Submit(DefineArchetype{Reading({3, 1}, 3)});
    std::vector<NewAgent> agents;
    for (AgentId id = 1; id <= 3'000; ++id) {
      NewAgent agent = AgentAt({static_cast<float>(id % 50), 1, 2},
                               static_cast<ArchetypeId>(1 + id % 3));
      for (std::size_t slot = 0; slot < agent.targets.size(); ++slot) {
        const auto step = static_cast<AgentId>(7 * slot);
        agent.targets[slot] = AgentTarget(1 + (id * 3 + step) % kHunted);
      }
      agents.push_back(agent);
    }
    world_.Submit(Spawn(std::move(agents)));
    for (AgentId id = 1; id <= kHunted; ++id) {
      world_.Submit(DespawnAgents{{id}}, 2 + id);
    }
  }

  // All events, a tick after the other, each tick ended by agent 0.
  Events Run(ParallelFor& parallel, bool shuffled) {
    Events all;
    World world(SmallConfig(), 1);
    while (world.tick() < kHunted + 4) {
      std::vector<AdmittedCommand> due;
      for (const AdmittedCommand& command : world_.admission().pending) {
        if (command.apply_tick == world.tick() + 1) due.push_back(command);
      }
      std::vector<CommandOutcome> outcomes(due.size());
      world.Step(due, outcomes, parallel);
      const Events events = EventsOf(world);
      all.insert(all.end(), events.begin(), events.end());
      all.push_back({});
      if (shuffled) world = WithRowsMoved(world);
    }
    return all;
  }

 private:
  static World WithRowsMoved(const World& world) {
    WorldState state = world.state();
    for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
      AgentColumns& agents = state.populations[p].agents;
      const auto rows = static_cast<std::uint32_t>(agents.size());
      for (std::uint32_t row = 0; row + 1 < rows; ++row) {
        const std::uint32_t other = row + (row * 7919u) % (rows - row);
        agents.Swap(row, other);
        state.index.Move(agents.id[row], {p, row});
        state.index.Move(agents.id[other], {p, other});
      }
    }
    return World(std::move(state));
  }

  TestWorld world_;
};

TEST(TellLossesTest, TheOrderIsTheSameForAllThreadsAndRows) {
  LosingCrowd crowd;
  SerialFor serial;
  const Events events = crowd.Run(serial, /*shuffled=*/false);
  const auto before = [](const Event& a, const Event& b) {
    return std::pair(a.agent_id, a.slot) < std::pair(b.agent_id, b.slot);
  };
  std::size_t told = 0;
  for (auto first = events.begin(); first != events.end();) {
    const auto last = std::find(first, events.end(), Event{});
    EXPECT_EQ(std::adjacent_find(first, last,
                                 [&](const Event& a, const Event& b) {
                                   return !before(a, b);
                                 }),
              last);
    told += static_cast<std::size_t>(last - first);
    first = last + 1;
  }
  // A slot of each of 1,000, and two of 2,000, but for those who died first.
  EXPECT_GT(told, 4'900u);
  EXPECT_LT(told, 5'000u);
  for (const int threads : {1, 2, 3, 8}) {
    scenarios::ThreadedFor lent(threads);
    EXPECT_EQ(crowd.Run(lent, false), events) << threads << " threads";
    EXPECT_EQ(crowd.Run(lent, true), events) << threads << " threads, shuffled";
  }
}

TEST(TellLossesTest, TellingAgainAllocatesNothing) {
  TestWorld before;
  before.Submit(DefineArchetype{Reading({0, 1})});
  before.Submit(SpawnAgents{AreaPlacement{2'000, AgentAt({}), Ball{{}, 50}}});
  before.Step();
  World world(before.world().state());
  SetTarget everybody{{}, 0, Target{}};
  for (AgentId id = 1; id <= 2'000; ++id) everybody.agent_ids.push_back(id);
  AdmittedCommand commands[] = {{.sequence = 10, .operation = everybody}};
  CommandOutcome outcomes[1];
  SerialFor serial;
  const auto tell = [&] {
    commands[0].apply_tick = world.tick() + 1;
    world.Step(commands, outcomes, serial);
    EXPECT_EQ(world.events().size(), 2'000u);
    world.Step(serial);
    EXPECT_EQ(world.events().size(), 0u);
  };
  tell();
  const AllocationCount allocated;
  for (int i = 0; i < 5; ++i) tell();
  EXPECT_EQ(allocated.calls(), 0u);
}

}  // namespace
}  // namespace meander::core
