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

float WalkElevation(float elevation, float change) {
  return AtLeast(AtMost(elevation + change, kHalfPi), -kHalfPi);
}

}  // namespace

// With n along the velocity, h^2 = n.x^2 + n.z^2 and |n|^2 = h^2 + n.y^2, about
// +Y:
//   up = (-n.x n.y, h^2, -n.z n.y) / (h |n|),  right = (-n.z, 0, n.x) / h
// and about +Z the same with y and z exchanged, and the other way round. One
// division serves all.
HeadingFrame FrameOf(const Vec3& velocity) {
  const bool rests = LengthSquared(velocity) == 0.0f;
  const Vec3 n = rests ? Vec3{1.0f, 0.0f, 0.0f} : NearUnit(velocity);
  const float beside_y = n.x * n.x + n.z * n.z;
  const float squared = beside_y + n.y * n.y;
  const bool about_y = beside_y > kAlong * squared;
  const float beside = about_y ? beside_y : n.x * n.x + n.y * n.y;
  const float across = std::sqrt(beside);
  const float length = std::sqrt(squared);
  const float inverse = 1.0f / (across * length);
  const float per_length = across * inverse;
  const float per_across = length * inverse;
  const float hint = about_y ? n.y : n.z;
  const float fall = -(hint * inverse);
  const Vec3 forward = n * per_length;
  if (about_y) {
    return {forward,
            {n.x * fall, beside * inverse, n.z * fall},
            {-(n.z * per_across), 0.0f, n.x * per_across}};
  }
  return {forward,
          {n.x * fall, n.y * fall, beside * inverse},
          {n.y * per_across, -(n.x * per_across), 0.0f}};
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
