#include "core/step/wander_redraws.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "core/command.h"
#include "core/parallel_for.h"
#include "core/state_hash.h"
#include "core/step/apply_commands.h"
#include "core/world_state.h"
#include "gtest/gtest.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr std::int64_t kTick = 9;

Archetype Wandering(ArchetypeId id, const Behavior& wander) {
  Archetype archetype = SeekerArchetype(id);
  archetype.terms = {{.behavior = wander}};
  return archetype;
}

const WanderWorldAngle kAngle{1.0f, 2.0f, 3.0f};
const WanderSpherical kSphere{1.0f, 2.0f, 3.0f};
const WanderHeadingOffset kOffset{1.0f, 2.0f, 3.0f, Plane::kXZ};

WorldState EmptyState() {
  WorldState state;
  state.config = SmallConfig();
  state.config.max_agents = 100;
  state.seed = 42;
  Settle(state);
  return state;
}

std::uint64_t HashOf(const WorldState& state) {
  SerialFor serial;
  return HashState(state, serial).value;
}

std::vector<AdmittedCommand> Admitted(std::vector<Operation> operations) {
  std::vector<AdmittedCommand> commands;
  AgentId next_id = 1;
  for (Operation& operation : operations) {
    const std::int64_t count = SpawnCount(operation);
    commands.push_back({static_cast<std::int64_t>(commands.size()) + 1, kTick,
                        count == 0 ? 0 : next_id, std::move(operation)});
    next_id += count;
  }
  return commands;
}

// Applied as one, and each by itself, which leaves nothing owed to the next.
void ExpectTheSameOneByOne(std::vector<Operation> operations) {
  const std::vector<AdmittedCommand> commands = Admitted(std::move(operations));
  std::vector<CommandOutcome> outcomes(commands.size());
  WorldState at_once = EmptyState();
  ApplyCommands(at_once, kTick, commands, outcomes);
  WorldState one_by_one = EmptyState();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    CommandOutcome outcome{};
    ApplyCommands(one_by_one, kTick, {&commands[i], 1}, {&outcome, 1});
    EXPECT_EQ(outcome, outcomes[i]) << i;
  }
  EXPECT_EQ(HashOf(at_once), HashOf(one_by_one));
}

NewAgent Given() {
  NewAgent agent;
  agent.velocity = {1.0f, 0.0f, 0.0f};
  agent.wander_angle = 1.25f;
  agent.wander_offset = Vec3{0.0f, 0.0f, 1.0f};
  return agent;
}

TEST(WanderRedrawsTest, ManyRedefinitionsEndAsOneByOne) {
  std::vector<Operation> operations{DefineArchetype{Wandering(1, kAngle)},
                                    Spawn(std::vector<NewAgent>(5, Given()))};
  for (const Behavior& wander :
       {Behavior{kSphere}, Behavior{kAngle}, Behavior{kOffset},
        Behavior{Brake{}}, Behavior{kAngle}}) {
    operations.emplace_back(DefineArchetype{Wandering(1, wander)});
  }
  ExpectTheSameOneByOne(operations);
}

TEST(WanderRedrawsTest, WhoComesAfterARedefinitionKeepsWhatWasGiven) {
  ExpectTheSameOneByOne(
      {DefineArchetype{Wandering(1, kAngle)}, Spawn({Given(), Given()}),
       DefineArchetype{Wandering(1, kOffset)}, Spawn({Given()})});
}

TEST(WanderRedrawsTest, WhoGoesToAnotherArchetypeTakesWhatWasOwed) {
  ExpectTheSameOneByOne(
      {DefineArchetype{Wandering(1, kAngle)},
       DefineArchetype{Wandering(2, kSphere)},
       DefineArchetype{Wandering(3, kAngle)},
       Spawn({Given(), Given(), Given(), Given()}),
       DefineArchetype{Wandering(1, kSphere)}, SetArchetype{{1}, 2},
       SetArchetype{{2}, 3}, DefineArchetype{Wandering(3, kOffset)},
       SetArchetype{{3, 1}, 3}, SetArchetype{{2}, 1},
       DefineArchetype{Wandering(2, kOffset)}, DespawnAgents{{4}}});
}

TEST(WanderRedrawsTest, ARemovedArchetypeOwesNothingToTheNextInItsPlace) {
  ExpectTheSameOneByOne(
      {DefineArchetype{Wandering(1, kAngle)},
       DefineArchetype{Wandering(1, kSphere)}, RemoveArchetype{1},
       DefineArchetype{Wandering(7, kAngle)},
       DefineArchetype{Wandering(1, kAngle)}, Spawn({Given()})});
}

}  // namespace
}  // namespace meander::core
