#include "core/references.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "gtest/gtest.h"
#include "tests/core/faults.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr AgentId kNext = 10;  // ids 1 to 9 were given out

Violations Check(const Operation& operation) {
  Admitted before;
  before.next_agent_id = kNext;
  before.archetypes.set(1);
  before.archetypes.set(1024);
  const std::optional<Error> error = CheckReferences(operation, before, "c");
  return error ? Violations{*error} : Violations{};
}

void ExpectNoAgent(const Operation& operation, const std::string& field,
                   AgentId id) {
  ExpectFault(Check(operation), ErrorCode::kAgentNotFound, field,
              "names agent " + std::to_string(id));
}

NewAgent Seeking(AgentId id, std::size_t slot) {
  NewAgent agent;
  agent.targets[slot] = AgentTarget(id);
  return agent;
}

TEST(ReferencesTest, AnArchetypeAndACellSizeNameNothing) {
  EXPECT_TRUE(Check(DefineArchetype{SeekerArchetype(7)}).empty());
  EXPECT_TRUE(Check(SetCellSize{}).empty());
}

TEST(ReferencesTest, AgentsThatAreNamedWereGivenOut) {
  EXPECT_TRUE(Check(DespawnAgents{{1, 9, 5}}).empty());
  EXPECT_TRUE(Check(SetTarget{{1, 9}, 0, AgentTarget(9)}).empty());
  EXPECT_TRUE(Check(SetTarget{{9}, 0, PointTarget({1, 2, 3})}).empty());
  EXPECT_TRUE(Check(SetTarget{{9}, 0, Target{}}).empty());
  ExpectNoAgent(DespawnAgents{{9, 10, 11}}, "c.despawn_agents.agent_ids[1]",
                10);
  ExpectNoAgent(SetTarget{{1, 2, 12}, 0, Target{}}, "c.set_target.agent_ids[2]",
                12);
  ExpectNoAgent(SetTarget{{1}, 0, AgentTarget(10)},
                "c.set_target.target.agent_id", 10);
  EXPECT_TRUE(Check(SetArchetype{{9, 1}, 1024}).empty());
  ExpectNoAgent(SetArchetype{{1, 10}, 1}, "c.set_archetype.agent_ids[1]", 10);
  EXPECT_TRUE(Check(ApplyImpulse{{9, 1}, {}}).empty());
  ExpectNoAgent(ApplyImpulse{{11}, {}}, "c.apply_impulse.agent_ids[0]", 11);
  EXPECT_TRUE(Check(SetMotion{{{9, Vec3{}, {}}, {1, Vec3{}, {}}}}).empty());
  ExpectNoAgent(SetMotion{{{9, Vec3{}, {}}, {10, Vec3{}, {}}}},
                "c.set_motion.motions[1].agent_id", 10);
}

TEST(ReferencesTest, ArchetypesThatAreGivenOrRemovedAreDefined) {
  EXPECT_TRUE(Check(RemoveArchetype{1024}).empty());
  ExpectFault(Check(RemoveArchetype{2}), ErrorCode::kArchetypeUnknown,
              "c.remove_archetype.archetype_id", "names archetype 2");
  ExpectFault(Check(SetArchetype{{9}, 2}), ErrorCode::kArchetypeUnknown,
              "c.set_archetype.archetype_id", "names archetype 2");
  // Agents come first.
  ExpectNoAgent(SetArchetype{{10}, 2}, "c.set_archetype.agent_ids[0]", 10);
}

TEST(ReferencesTest, NewAgentsTargetAgentsThatWereGivenOut) {
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const std::string target = "targets[" + std::to_string(slot) + "].agent_id";
    EXPECT_TRUE(Check(Spawn({Seeking(9, slot)})).empty());
    ExpectNoAgent(Spawn({NewAgent{}, Seeking(10, slot)}),
                  "c.spawn_agents.agents.agents[1]." + target, 10);
    EXPECT_TRUE(
        Check(SpawnAgents{AreaPlacement{1, Seeking(9, slot), Disc{}}}).empty());
    ExpectNoAgent(SpawnAgents{AreaPlacement{1, Seeking(11, slot), Disc{}}},
                  "c.spawn_agents.area.prototype." + target, 11);
  }
}

TEST(ReferencesTest, NewAgentsHaveArchetypesThatAreDefined) {
  EXPECT_TRUE(Check(Spawn({AgentAt({}, 1), AgentAt({}, 1024)})).empty());
  ExpectFault(Check(Spawn({AgentAt({}, 1), AgentAt({}, 2)})),
              ErrorCode::kArchetypeUnknown,
              "c.spawn_agents.agents.agents[1].archetype_id",
              "names archetype 2");
  ExpectFault(Check(SpawnAgents{AreaPlacement{1, AgentAt({}, 1023), Disc{}}}),
              ErrorCode::kArchetypeUnknown,
              "c.spawn_agents.area.prototype.archetype_id",
              "names archetype 1023");
}

TEST(ReferencesTest, TheFirstThatIsUnknownIsNamed) {
  NewAgent both = Seeking(10, 0);
  both.archetype_id = 2;
  ExpectFault(Check(Spawn({NewAgent{}, both, Seeking(10, 1)})),
              ErrorCode::kArchetypeUnknown,
              "c.spawn_agents.agents.agents[1].archetype_id");
}

}  // namespace
}  // namespace meander::core
