// Wander about the heading: a point on a sphere (in a plane a circle) ahead of
// the agent is sought; where on it walks at random and turns with the heading.
//
// With f the heading and o a unit vector, the agent wants S along f * distance
// + R * o. Each step, in this order:
//   f  becomes v/|v|, in the plane; at rest it stays
//   o  turns as f did, by the least rotation; not at all when f was reversed
//   o += (2u - 1) * jitter * sqrt(dt) / R on each axis, in the plane,
//        then made a unit vector again; not when R is 0
// Exactly three uniforms are used, whatever comes of them. The walk of o has
// the same spread per second at any dt.
// Source: C. Reynolds, GDC 1999, with a displacement that the heading carries.
#ifndef MEANDER_CORE_STEERING_WANDER_HEADING_OFFSET_H_
#define MEANDER_CORE_STEERING_WANDER_HEADING_OFFSET_H_

#include <span>

#include "core/behavior.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// The plane of offset and heading; kNone when they have all axes.
inline Plane WanderPlane(const WanderHeadingOffset& wander, Plane world) {
  return world == Plane::kNone ? wander.plane : world;
}

// How far the offset walks on each axis in a step, at a uniform of 0 or 1. Far
// more than 1 makes all of them a new direction; the cut keeps squares finite.
float WalkReach(const WanderHeadingOffset& wander, float dt);

// `offset` turned by the least rotation that takes the unit vector `from` to
// the unit vector `to`; as it was when they are opposite within 1e-3 radians.
Vec3 CarryOffset(const Vec3& offset, const Vec3& from, const Vec3& to);

// The uniforms of one step, block.rows of each.
struct HeadingOffsetUniforms {
  std::span<const float> x, y, z;
};

// The agents' own state, block.rows of each: unit vectors.
struct HeadingOffsetColumns {
  std::span<float> offset_x, offset_y, offset_z;
  std::span<float> heading_x, heading_y, heading_z;
};

// Moves each agent's offset by its uniforms and adds the force. `plane` is
// WanderPlane's.
void AddWanderHeadingOffset(const SteeringBlock& block,
                            const WanderHeadingOffset& wander, Plane plane,
                            const HeadingOffsetUniforms& uniforms,
                            const HeadingOffsetColumns& columns);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_WANDER_HEADING_OFFSET_H_
