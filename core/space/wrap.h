// The torus that a BoundsMode::kWrap world is: where its faces meet.
//
// Along an axis that wraps, places lie in [low, high), and high is low again.
// Along any other (all axes of other modes, the one off the plane) everything
// here leaves the numbers as they are, bit for bit. Results are finite for
// finite places. Plain data and pure functions.
#ifndef MEANDER_CORE_SPACE_WRAP_H_
#define MEANDER_CORE_SPACE_WRAP_H_

#include <limits>

#include "core/math/vec3.h"
#include "core/simulation_config.h"

namespace meander::core {

// One axis. As it is made: one that does not wrap.
struct WrapAxis {
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  float half_period = std::numeric_limits<float>::infinity();

  bool Wraps() const { return IsFinite(half_period); }
};

struct Wrap {
  WrapAxis x;
  WrapAxis y;
  WrapAxis z;
};

Wrap WrapOf(const SimulationConfig& config);

// The coordinate in [low, high) that is `value` moved by whole periods: value -
// floor((value - low) / period) * period in binary64, rounded to binary32; what
// rounding carries out of the interval becomes low.
float WrapBeyond(const WrapAxis& axis, float value);

inline float WrapCoordinate(const WrapAxis& axis, float value) {
  if (value >= axis.low && value < axis.high) return value;
  return WrapBeyond(axis, value);
}

inline Vec3 WrapPlace(const Wrap& wrap, const Vec3& place) {
  return {WrapCoordinate(wrap.x, place.x), WrapCoordinate(wrap.y, place.y),
          WrapCoordinate(wrap.z, place.z)};
}

// A valid place as the state of a world holds it: also +0 off the plane, where
// validation lets -0 pass.
Vec3 HeldPlace(const SimulationConfig& config, const Vec3& place);

// The shortest way along one axis from p to q, both in [low, high): d = q - p,
// but across the seam for d >= half_period (so that a tie is negative) or d <
// -half_period. There it is made of the ways to the faces, which are exact
// near them: (q - high) - (p - low), or (q - low) - (p - high).
inline float DeltaCoordinate(const WrapAxis& axis, float p, float q) {
  const float d = q - p;
  if (d >= axis.half_period) return (q - axis.high) - (p - axis.low);
  if (d < -axis.half_period) return (q - axis.low) - (p - axis.high);
  return d;
}

// An offset of any length along one axis, moved by whole periods to the
// shortest: [-half_period, half_period).
float ShortestCoordinate(const WrapAxis& axis, float d);

inline Vec3 Shortest(const Wrap& wrap, const Vec3& offset) {
  return {ShortestCoordinate(wrap.x, offset.x),
          ShortestCoordinate(wrap.y, offset.y),
          ShortestCoordinate(wrap.z, offset.z)};
}

// The offset from p to q, both places of the world: the minimum image.
inline Vec3 Delta(const Wrap& wrap, const Vec3& p, const Vec3& q) {
  return {DeltaCoordinate(wrap.x, p.x, q.x), DeltaCoordinate(wrap.y, p.y, q.y),
          DeltaCoordinate(wrap.z, p.z, q.z)};
}

}  // namespace meander::core

#endif  // MEANDER_CORE_SPACE_WRAP_H_
