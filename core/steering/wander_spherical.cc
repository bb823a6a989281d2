#include "core/steering/wander_spherical.h"

#include <cmath>

#include "core/math/limit.h"
#include "core/math/trig.h"
#include "core/steering/seek.h"
#include "core/steering/wander.h"

namespace meander::core {
namespace {

// The square of sin(angle) under which a hint counts as along the heading.
constexpr float kAlong = 1.0e-12f;

// The part of +Y, or of +Z where the heading lies along +-Y, that is square to
// the heading: 1 - f.y^2 as f.x^2 + f.z^2, which nothing cancels. One of the
// two always does.
Vec3 UpOf(const Vec3& f) {
  const float beside_y = f.x * f.x + f.z * f.z;
  if (beside_y > kAlong) return {-(f.x * f.y), beside_y, -(f.z * f.y)};
  return {-(f.x * f.z), -(f.y * f.z), f.x * f.x + f.y * f.y};
}

float WalkElevation(float elevation, float change) {
  return AtLeast(AtMost(elevation + change, kHalfPi), -kHalfPi);
}

}  // namespace

HeadingFrame FrameOf(const Vec3& velocity) {
  const Vec3 forward = UnitVector(velocity, {1.0f, 0.0f, 0.0f});
  const Vec3 up = UnitVector(UpOf(forward), {1.0f, 0.0f, 0.0f});
  return {forward, up, Cross(forward, up)};
}

void AddWanderSpherical(const SteeringBlock& block,
                        const WanderSpherical& wander,
                        const SphericalUniforms& uniforms,
                        const SphericalColumns& columns) {
  const float reach = TurnReach(wander.jitter, block.dt);
  const float climb = wander.jitter * block.dt;
  for (std::size_t i = 0; i < block.rows; ++i) {
    columns.turns[i] += TurnChange(uniforms.azimuth[i], reach);
    columns.elevations[i] = WalkElevation(
        columns.elevations[i], (2.0f * uniforms.elevation[i] - 1.0f) * climb);
    const SinCosPair azimuth = SinCosTurn(columns.turns[i]);
    const SinCosPair elevation = SinCos(columns.elevations[i]);
    const Vec3 velocity = block.Velocity(i);
    const HeadingFrame frame = FrameOf(velocity);
    const Vec3 level = frame.forward * azimuth.cos + frame.right * azimuth.sin;
    const Vec3 on_sphere = level * elevation.cos + frame.up * elevation.sin;
    const Vec3 offset =
        frame.forward * wander.distance + on_sphere * wander.radius;
    block.AddForce(i, SeekForce(offset, velocity, block.max_speed));
  }
}

}  // namespace meander::core
