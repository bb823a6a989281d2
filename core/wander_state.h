// What an agent's wander remembers from step to step. Plain data.
//
// Which members are in use follows from the form of the wander term of the
// agent's archetype; the others are 0, bit for bit. Angles are fractions of a
// turn (math/trig.h); offset and heading are unit vectors, to rounding.
#ifndef MEANDER_CORE_WANDER_STATE_H_
#define MEANDER_CORE_WANDER_STATE_H_

#include <cstdint>

#include "core/math/vec3.h"

namespace meander::core {

struct WanderState {
  std::uint32_t turn = 0;  // world angle, spherical: the azimuth
  float elevation = 0.0f;  // spherical: radians, -kHalfPi to kHalfPi
  Vec3 offset;             // heading offset: where on the sphere
  Vec3 heading;            // heading offset: the last one

  bool operator==(const WanderState&) const = default;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_WANDER_STATE_H_
