#include "core/steering/arrive.h"

#include <cmath>

namespace meander::core {

Vec3 ArriveForce(const Vec3& offset, const Vec3& velocity, float max_speed,
                 float slowing_radius) {
  const float distance = Length(offset);
  if (!(distance > 0.0f)) return Vec3{} - velocity;
  // Divided by the radius before the distance: S/R may not be finite.
  const float speed = distance < slowing_radius
                          ? max_speed * (distance / slowing_radius)
                          : max_speed;
  return offset * (speed / distance) - velocity;
}

Vec3 StopForce(const SteeringBlock& block, const Vec3& offset,
               const Vec3& velocity) {
  constexpr float kUse = 0.8f;  // of the force; the rest corrects the course
  const float distance = Length(offset);
  Vec3 desired;
  if (distance > 0.0f) {
    const float braking = kUse * block.max_force / block.mass;
    const float half_step = braking * block.dt * 0.5f;
    const float twice_work = 2.0f * braking * distance;
    // sqrt(h^2 + w) - h without its cancellation.
    const float sum = std::sqrt(half_step * half_step + twice_work) + half_step;
    float speed = sum > 0.0f ? twice_work / sum : 0.0f;
    const float at_once = distance / block.dt;
    if (at_once < speed) speed = at_once;
    if (block.max_speed < speed) speed = block.max_speed;
    desired = offset * (speed / distance);
  }
  const Vec3 force = (desired - velocity) * (block.mass / block.dt);
  return ClampLength(force, block.max_force);
}

void AddArrive(const SteeringBlock& block, const Arrive& arrive,
               const TargetBlock& targets) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    const Vec3 offset = block.OffsetTo(i, targets.Position(i));
    const Vec3 velocity = block.Velocity(i);
    block.AddForce(i, arrive.stop
                          ? StopForce(block, offset, velocity)
                          : ArriveForce(offset, velocity, block.max_speed,
                                        arrive.slowing_radius));
  }
}

}  // namespace meander::core
