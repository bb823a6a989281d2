// Wander in all three axes: a point on a sphere ahead of the agent is sought,
// and its azimuth and elevation, seen from the agent's heading, walk at random.
//
// With a the azimuth, e the elevation and a frame (f, up, r) of the heading,
// the point lies at
//   p + f * distance + R (cos e cos a * f + sin e * up + cos e sin a * r)
// Each step both angles change by U(-jitter * dt, jitter * dt); the elevation
// is cut to +-pi/2. Exactly two uniforms are used, azimuth first. The azimuth
// is a fraction of a turn as in wander.h.
// Source: C. Reynolds, GDC 1999, on a sphere.
#ifndef MEANDER_CORE_STEERING_WANDER_SPHERICAL_H_
#define MEANDER_CORE_STEERING_WANDER_SPHERICAL_H_

#include <cstdint>
#include <span>

#include "core/behavior.h"
#include "core/math/vec3.h"
#include "core/steering/steering_block.h"

namespace meander::core {

// Three unit vectors, to rounding, each square to the others: f along the
// velocity (+X at rest); up the part of +Y that is square to f, of +Z where f
// lies along +-Y within 1e-6 radians; r = f x up.
struct HeadingFrame {
  Vec3 forward;
  Vec3 up;
  Vec3 right;
};
HeadingFrame FrameOf(const Vec3& velocity);

// The uniforms of one step, block.rows of each.
struct SphericalUniforms {
  std::span<const float> azimuth;
  std::span<const float> elevation;
};

// The agents' own state, block.rows of each; elevations in radians.
struct SphericalColumns {
  std::span<std::uint32_t> turns;
  std::span<float> elevations;
};

// Moves each agent's angles by its uniforms and adds the force.
void AddWanderSpherical(const SteeringBlock& block,
                        const WanderSpherical& wander,
                        const SphericalUniforms& uniforms,
                        const SphericalColumns& columns);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_WANDER_SPHERICAL_H_
