#include "core/steering/wander_spherical.h"

#include <cmath>

#include "core/math/trig.h"
#include "core/steering/seek.h"
#include "core/steering/wander.h"

namespace meander::core {
namespace {

// The square of sin(angle) under which a hint counts as along the heading.
constexpr float kAlong = 1.0e-6f;

float WalkElevation(float elevation, float change) {
  const float walked = elevation + change;
  if (walked > kHalfPi) return kHalfPi;
  if (walked < -kHalfPi) return -kHalfPi;
  return walked;
}

}  // namespace

HeadingFrame FrameOf(const Vec3& velocity) {
  const float speed_squared = LengthSquared(velocity);
  // Divided, not scaled: 1/|v| times v would be off by the rounding of both.
  const Vec3 forward = speed_squared > 0.0f
                           ? velocity / std::sqrt(speed_squared)
                           : Vec3{1.0f, 0.0f, 0.0f};
  Vec3 up = Vec3{0.0f, 1.0f, 0.0f} - forward * forward.y;
  if (LengthSquared(up) < kAlong) {
    up = Vec3{0.0f, 0.0f, 1.0f} - forward * forward.z;
  }
  up = up / Length(up);
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
