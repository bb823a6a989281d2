#include "core/steering/wander_heading_offset.h"

#include <cmath>

#include "core/math/limit.h"
#include "core/steering/seek.h"
#include "core/steering/start_wander.h"

namespace meander::core {
namespace {

Vec3 HeadingInPlane(const Vec3& velocity, const Vec3& last, Plane plane,
                    bool& moves) {
  const Vec3 in_plane = Flatten(velocity, plane);
  moves = LengthSquared(in_plane) > 0.0f;
  return DirectionInPlane(moves ? in_plane : last, plane);
}

}  // namespace

float WalkReach(const WanderHeadingOffset& wander, float dt) {
  constexpr float kMost = 1.0e9f;
  if (!(wander.radius > 0.0f)) return 0.0f;
  const float reach = wander.jitter * std::sqrt(dt) / wander.radius;
  return AtMost(reach, kMost);
}

Vec3 CarryOffset(const Vec3& offset, const Vec3& from, const Vec3& to) {
  constexpr float kReversed = 0.5e-6f;  // 1 + cos of the angle
  const float nearness = 1.0f + Dot(from, to);
  if (nearness < kReversed) return offset;
  const Vec3 axis = Cross(from, to);  // sin of the angle long
  return (offset * (nearness - 1.0f) + Cross(axis, offset)) +
         axis * (Dot(axis, offset) / nearness);
}

void AddWanderHeadingOffset(const SteeringBlock& block,
                            const WanderHeadingOffset& wander, Plane plane,
                            const HeadingOffsetUniforms& uniforms,
                            const HeadingOffsetColumns& columns) {
  const float reach = WalkReach(wander, block.dt);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const Vec3 last{columns.heading_x[i], columns.heading_y[i],
                    columns.heading_z[i]};
    Vec3 offset{columns.offset_x[i], columns.offset_y[i], columns.offset_z[i]};
    const Vec3 velocity = block.Velocity(i);
    bool moves = false;
    const Vec3 heading = HeadingInPlane(velocity, last, plane, moves);
    if (moves) offset = CarryOffset(offset, last, heading);
    offset += Vec3{2.0f * uniforms.x[i] - 1.0f, 2.0f * uniforms.y[i] - 1.0f,
                   2.0f * uniforms.z[i] - 1.0f} *
              reach;
    offset = DirectionInPlane(offset, plane);
    block.AddForce(i,
                   SeekForce(heading * wander.distance + offset * wander.radius,
                             velocity, block.max_speed));
    columns.offset_x[i] = offset.x;
    columns.offset_y[i] = offset.y;
    columns.offset_z[i] = offset.z;
    columns.heading_x[i] = heading.x;
    columns.heading_y[i] = heading.y;
    columns.heading_z[i] = heading.z;
  }
}

}  // namespace meander::core
