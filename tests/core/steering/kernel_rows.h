// Columns of a few agents, for tests of the kernels that read them.
#ifndef MEANDER_TESTS_CORE_STEERING_KERNEL_ROWS_H_
#define MEANDER_TESTS_CORE_STEERING_KERNEL_ROWS_H_

#include <cstddef>
#include <optional>

#include "core/agents/agent_columns.h"
#include "core/math/vec3.h"
#include "core/steering/steering_block.h"
#include "tests/core/floats.h"

namespace meander::core {

// Compares bits, so that -0 is not +0.
inline bool SameBits(const Vec3& a, const Vec3& b) {
  return Bits(a.x) == Bits(b.x) && Bits(a.y) == Bits(b.y) &&
         Bits(a.z) == Bits(b.z);
}

class KernelRows {
 public:
  void Add(const Vec3& position, const Vec3& velocity,
           const std::optional<Vec3>& target = std::nullopt,
           const Vec3& target_velocity = {}) {
    const std::size_t row = agents_.size();
    AgentRow agent;
    agent.position = position;
    agent.velocity = velocity;
    agents_.Append(agent);
    agents_.BringForces();
    const Vec3 place = target.value_or(Vec3{});
    targets_.x[row] = place.x;
    targets_.y[row] = place.y;
    targets_.z[row] = place.z;
    targets_.velocity_x[row] = target_velocity.x;
    targets_.velocity_y[row] = target_velocity.y;
    targets_.velocity_z[row] = target_velocity.z;
    targets_.present[row] = target.has_value() ? 1 : 0;
  }
  void SetForce(std::size_t row, const Vec3& force) {
    agents_.force_x[row] = force.x;
    agents_.force_y[row] = force.y;
    agents_.force_z[row] = force.z;
  }

  // Of a world without seams at 60 Hz, for a term that stands alone.
  SteeringBlock Block(float max_speed, float weight = 1.0f) {
    SteeringBlock block;
    block.rows = agents_.size();
    block.position_x = agents_.position_x.data();
    block.position_y = agents_.position_y.data();
    block.position_z = agents_.position_z.data();
    block.velocity_x = agents_.velocity_x.data();
    block.velocity_y = agents_.velocity_y.data();
    block.velocity_z = agents_.velocity_z.data();
    block.force_x = agents_.force_x.data();
    block.force_y = agents_.force_y.data();
    block.force_z = agents_.force_z.data();
    block.max_speed = max_speed;
    block.max_force = 1.0e6f;
    block.dt = 1.0f / 60.0f;
    block.term.weight = weight;
    return block;
  }
  const TargetBlock& targets() const { return targets_; }
  std::size_t size() const { return agents_.size(); }
  Vec3 Position(std::size_t row) const { return agents_.Row(row).position; }
  Vec3 Velocity(std::size_t row) const { return agents_.Row(row).velocity; }
  Vec3 Force(std::size_t row) const {
    return {agents_.force_x[row], agents_.force_y[row], agents_.force_z[row]};
  }

 private:
  AgentColumns agents_;
  TargetBlock targets_{};
};

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_STEERING_KERNEL_ROWS_H_
