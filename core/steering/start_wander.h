// What a wander starts with: given by hand or drawn from the agent's seed.
//
// Every value has a lane of its own (random/agent_random.h), so that giving one
// does not shift another. What the form does not use stays 0. Pure functions.
#ifndef MEANDER_CORE_STEERING_START_WANDER_H_
#define MEANDER_CORE_STEERING_START_WANDER_H_

#include <array>
#include <cstdint>
#include <optional>

#include "core/archetype.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "core/wander_state.h"

namespace meander::core {

// Where offset and heading of an archetype's heading-offset wander lie; the
// world's plane when it has none.
Plane WanderPlaneOf(const Archetype& archetype, Plane world);

// Uniforms in [0, 1).
struct WanderStartUniforms {
  float angle = 0.0f;
  float elevation = 0.0f;
  std::array<float, 3> offset{};
  std::array<float, 3> heading{};
};

// The agent's step count is 0 when it is spawned.
WanderStartUniforms DrawWanderStart(std::uint64_t seed,
                                    std::int64_t step_count);

// As NewAgent (operation.h) has them: radians; vectors of any length.
struct WanderGiven {
  std::optional<float> angle;
  std::optional<float> elevation;
  std::optional<Vec3> offset;
  std::optional<Vec3> heading;
};

// The unit vector along `value` in the plane; the plane's first axis when its
// square is 0 there.
Vec3 DirectionInPlane(const Vec3& value, Plane plane);

// DirectionInPlane of 2u - 1 on each axis: all directions of a plane, or of
// space, though those to the corners of a cube are the likelier ones.
Vec3 DrawnDirection(const std::array<float, 3>& uniforms, Plane plane);

// Angle u * 2 pi, elevation (2u - 1) * pi/2, directions as above, for the form
// of the archetype's wander term.
WanderState StartWander(const Archetype& archetype, Plane world,
                        const WanderStartUniforms& uniforms,
                        const WanderGiven& given);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_START_WANDER_H_
