#include "core/steering/facing.h"

#include <cmath>

#include "core/math/trig.h"

namespace meander::core {
namespace {

// A quarter turn from the facing, the negative way.
Vec3 NegativeQuarter(const Vec3& facing, Plane plane) {
  switch (plane) {
    case Plane::kXZ:
      return {facing.z, 0.0f, -facing.x};
    case Plane::kYZ:
      return {0.0f, facing.z, -facing.y};
    case Plane::kXY:
      return {facing.y, -facing.x, 0.0f};
    case Plane::kNone:
      break;
  }
  constexpr float kAlong = 1.0e-6f;
  const Vec3 quarter{facing.y, -facing.x, 0.0f};
  if (LengthSquared(quarter) < kAlong) return {0.0f, facing.z, -facing.y};
  return quarter / Length(quarter);
}

}  // namespace

Vec3 TurnFacing(const Vec3& facing, const Vec3& velocity, float share,
                Plane plane) {
  if (!(share > 0.0f)) return facing;
  const Vec3 wanted = UnitVector(velocity, facing);
  if (!(share < 1.0f)) return wanted;

  const float along = Dot(facing, wanted);
  const Vec3 aside = wanted - facing * along;
  const float across = Length(aside);
  Vec3 quarter;
  float angle = kPi;
  if (along < 0.0f && across < kOppositeAngle) {
    quarter = NegativeQuarter(facing, plane);
  } else if (across > 0.0f) {
    quarter = aside * (1.0f / across);
    angle = Atan2(across, along);
  } else {
    return wanted;
  }
  const SinCosPair turned = SinCos(share * angle);
  const Vec3 result = facing * turned.cos + quarter * turned.sin;
  // Near 1 this is 1/|result| to the second order: lengths do not drift.
  return result * (1.5f - 0.5f * LengthSquared(result));
}

}  // namespace meander::core
