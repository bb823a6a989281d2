#include "core/steering/facing.h"

#include <cmath>

#include "core/math/trig.h"

namespace meander::core {
namespace {

// A vector in the coordinates of a plane: along its first axis and its second.
struct InPlane {
  float first;
  float second;
};

InPlane ToPlane(const Vec3& v, Plane plane) {
  if (plane == Plane::kXZ) return {v.x, v.z};
  if (plane == Plane::kYZ) return {v.y, v.z};
  return {v.x, v.y};
}

Vec3 FromPlane(const InPlane& v, Plane plane) {
  if (plane == Plane::kXZ) return {v.first, 0.0f, v.second};
  if (plane == Plane::kYZ) return {0.0f, v.first, v.second};
  return {v.first, v.second, 0.0f};
}

// 1/length to the second order, where that is near 1: lengths do not drift.
float Correction(float length_squared) { return 1.5f - 0.5f * length_squared; }

}  // namespace

Vec3 NegativeQuarter(const Vec3& facing, Plane plane) {
  if (plane != Plane::kNone) {
    const InPlane from = ToPlane(facing, plane);
    return FromPlane({from.second, -from.first}, plane);
  }
  constexpr float kAlong = 1.0e-6f;
  const Vec3 quarter{facing.y, -facing.x, 0.0f};
  if (LengthSquared(quarter) < kAlong) return {0.0f, facing.z, -facing.y};
  return quarter / Length(quarter);
}

Vec3 TurnFacing(const Vec3& facing, const Vec3& velocity, float share,
                Plane plane) {
  if (!(share > 0.0f)) return facing;
  if (!(share < 1.0f)) return UnitVector(velocity, facing);

  const Vec3 wanted = NearUnit(velocity);
  const float along = Dot(facing, wanted);
  const Vec3 aside = wanted - facing * along;
  const float across = Length(aside);
  Vec3 quarter;
  float angle = kPi;
  if (across < along * -kOppositeAngle) {
    quarter = NegativeQuarter(facing, plane);
  } else {
    if (across > 0.0f) quarter = aside * (1.0f / across);
    angle = Atan2(across, along);
  }
  const SinCosPair turned = SinCos(share * angle);
  const Vec3 result = facing * turned.cos + quarter * turned.sin;
  return result * Correction(LengthSquared(result));
}

Vec3 TurnFacingInPlane(const Vec3& facing, const Vec3& velocity, float share,
                       Plane plane) {
  if (!(share > 0.0f)) return facing;
  if (!(share < 1.0f)) return UnitVector(velocity, facing);

  const InPlane from = ToPlane(facing, plane);
  const InPlane wanted = ToPlane(NearUnit(velocity), plane);
  const float along = from.first * wanted.first + from.second * wanted.second;
  const float across = from.first * wanted.second - from.second * wanted.first;
  const bool opposite = std::fabs(across) < along * -kOppositeAngle;
  const float angle = opposite ? -kPi : Atan2(across, along);
  const SinCosPair turned = SinCos(share * angle);
  const InPlane result{from.first * turned.cos - from.second * turned.sin,
                       from.second * turned.cos + from.first * turned.sin};
  const float correction =
      Correction(result.first * result.first + result.second * result.second);
  return FromPlane({result.first * correction, result.second * correction},
                   plane);
}

}  // namespace meander::core
