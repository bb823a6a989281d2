#include "core/step/wander_redraws.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "core/command.h"
#include "core/step/apply_commands.h"
#include "core/world_state.h"
#include "gtest/gtest.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr std::int64_t kApplyTick = 9;

Archetype WanderingOnly(ArchetypeId id, const Behavior& wander) {
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

std::vector<AdmittedCommand> Admitted(std::vector<Operation> operations) {
  std::vector<AdmittedCommand> commands;
  AgentId next_id = 1;
  for (Operation& operation : operations) {
    const std::int64_t count = SpawnCount(operation);
    commands.push_back({static_cast<std::int64_t>(commands.size()) + 1,
                        kApplyTick, count == 0 ? 0 : next_id,
                        std::move(operation)});
    next_id += count;
  }
  return commands;
}

// Applied as one, and each by itself, which leaves nothing owed to the next.
void ExpectTheSameOneByOne(std::vector<Operation> operations) {
  const std::vector<AdmittedCommand> commands = Admitted(std::move(operations));
  std::vector<CommandOutcome> outcomes(commands.size());
  WorldState at_once = EmptyState();
  ApplyCommands(at_once, kApplyTick, commands, outcomes);
  WorldState one_by_one = EmptyState();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    CommandOutcome outcome{};
    ApplyCommands(one_by_one, kApplyTick, {&commands[i], 1}, {&outcome, 1});
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
  std::vector<Operation> operations{DefineArchetype{WanderingOnly(1, kAngle)},
                                    Spawn(std::vector<NewAgent>(5, Given()))};
  for (const Behavior& wander :
       {Behavior{kSphere}, Behavior{kAngle}, Behavior{kOffset},
        Behavior{Brake{}}, Behavior{kAngle}}) {
    operations.emplace_back(DefineArchetype{WanderingOnly(1, wander)});
  }
  ExpectTheSameOneByOne(operations);
}

TEST(WanderRedrawsTest, WhoComesAfterARedefinitionKeepsWhatWasGiven) {
  ExpectTheSameOneByOne(
      {DefineArchetype{WanderingOnly(1, kAngle)}, Spawn({Given(), Given()}),
       DefineArchetype{WanderingOnly(1, kOffset)}, Spawn({Given()})});
}

TEST(WanderRedrawsTest, WhoGoesToAnotherArchetypeTakesWhatWasOwed) {
  ExpectTheSameOneByOne(
      {DefineArchetype{WanderingOnly(1, kAngle)},
       DefineArchetype{WanderingOnly(2, kSphere)},
       DefineArchetype{WanderingOnly(3, kAngle)},
       Spawn({Given(), Given(), Given(), Given()}),
       DefineArchetype{WanderingOnly(1, kSphere)}, SetArchetype{{1}, 2},
       SetArchetype{{2}, 3}, DefineArchetype{WanderingOnly(3, kOffset)},
       SetArchetype{{3, 1}, 3}, SetArchetype{{2}, 1},
       DefineArchetype{WanderingOnly(2, kOffset)}, DespawnAgents{{4}}});
}

TEST(WanderRedrawsTest, ARemovedArchetypeOwesNothingToTheNextInItsPlace) {
  ExpectTheSameOneByOne(
      {DefineArchetype{WanderingOnly(1, kAngle)},
       DefineArchetype{WanderingOnly(1, kSphere)}, RemoveArchetype{1},
       DefineArchetype{WanderingOnly(7, kAngle)},
       DefineArchetype{WanderingOnly(1, kAngle)}, Spawn({Given()})});
}

}  // namespace
}  // namespace meander::core
