// Worlds of one agent and what it looks at, steered and moved by what steps
// every world.
#ifndef MEANDER_TESTS_CONFORMANCE_CASE_WORLD_H_
#define MEANDER_TESTS_CONFORMANCE_CASE_WORLD_H_

#include <cstdint>

#include "core/agents/agent_columns.h"
#include "core/archetype.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "core/steering/steering_block.h"
#include "core/world_state.h"

namespace meander::core {

class CaseWorld {
 public:
  // The subject has this archetype, and is at rest in the middle.
  CaseWorld(const Archetype& archetype, Plane plane, std::int32_t tick_rate_hz);

  void SetMotion(const Vec3& position, const Vec3& velocity);
  void SetFacing(const Vec3& facing);
  void SetWander(const WanderState& wander);
  // What slot 0 points at: a place, or an agent that moves like this.
  void SetTarget(const Vec3& place);
  void SetTarget(const Vec3& place, const Vec3& velocity);
  void AddNeighbor(const Vec3& position, const Vec3& velocity);

  // The force of the subject's terms, before it is cut. SteerBlock's.
  Vec3 Steer();
  // The same by a kernel alone: kernel(block, columns), once the block is as
  // SteerBlock hands it to the first term.
  template <typename Kernel>
  Vec3 SteerBy(Kernel kernel) {
    Subject().BringForces();
    Subject().force_x[0] = Subject().force_y[0] = Subject().force_z[0] = 0.0f;
    kernel(Block(), Subject());
    return Force();
  }
  // IntegrateBlock's, from the force that is there or the one that is given.
  void Integrate();
  void Integrate(const Vec3& force);

  const AgentColumns& subject() const { return state_.populations[0].agents; }
  Vec3 Position() const { return subject().Position(0); }
  Vec3 Velocity() const { return subject().Velocity(0); }

 private:
  AgentId AddOther(const Vec3& position, const Vec3& velocity);
  AgentColumns& Subject() { return state_.populations[0].agents; }
  SteeringBlock Block();
  Vec3 Force() const;

  WorldState state_;
  AgentId next_id_ = 1;
};

}  // namespace meander::core

#endif  // MEANDER_TESTS_CONFORMANCE_CASE_WORLD_H_
