// A world as a host would run it, for tests: admits commands and steps on one
// thread; and the small things that such worlds are made of.
#ifndef MEANDER_TESTS_CORE_TEST_WORLD_H_
#define MEANDER_TESTS_CORE_TEST_WORLD_H_

#include <cstdint>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/parallel_for.h"
#include "core/simulation_config.h"
#include "core/world.h"

namespace meander::core {

inline constexpr Plane kPlanes[] = {Plane::kNone, Plane::kXY, Plane::kXZ,
                                    Plane::kYZ};

// 60 Hz, in the given plane, clamped to +-100 on its axes. Normalized.
SimulationConfig SmallConfig(Plane plane = Plane::kNone);

// max_speed 6, max_force 12, one term of weight 1.
Archetype SeekerArchetype(ArchetypeId id = 1);
Archetype WandererArchetype(ArchetypeId id = 1);

NewAgent AgentAt(const Vec3& position, ArchetypeId archetype = 1);
// Seeks `target` by slot 0.
NewAgent AgentToward(const Vec3& position, const Target& target);
SpawnAgents Spawn(std::vector<NewAgent> agents);
Target PointTarget(const Vec3& point);
Target AgentTarget(AgentId id);

// On one thread.
StateHash HashOf(const WorldState& state);

class TestWorld {
 public:
  explicit TestWorld(const SimulationConfig& config = SmallConfig(),
                     std::uint64_t seed = 1)
      : world_(config, seed) {}

  // Admits a command for `tick`, or for the next one.
  void Submit(Operation operation, std::int64_t tick = 0);
  // Steps once; what became of the commands of that tick, in their order.
  std::vector<CommandOutcome> Step();
  void StepTo(std::int64_t tick);
  // Submits for the next tick, steps, and gives the command's own outcome.
  CommandOutcome Apply(Operation operation);

  const World& world() const { return world_; }
  const Admission& admission() const { return admission_; }
  StateHash Hash() const;
  // Precondition: the agent lives.
  AgentState Agent(AgentId id) const;

 private:
  World world_;
  Admission admission_;
};

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_TEST_WORLD_H_
