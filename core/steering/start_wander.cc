#include "core/steering/start_wander.h"

#include <cstddef>
#include <variant>

#include "core/math/trig.h"
#include "core/random/agent_random.h"
#include "core/steering/wander_heading_offset.h"

namespace meander::core {
namespace {

std::array<float, 4> BlockOf(const LaneRange& lanes, std::uint64_t seed,
                             std::int64_t step_count) {
  return UniformBlock(seed, static_cast<std::uint64_t>(step_count),
                      lanes.purpose, lanes.block);
}

float DrawOne(const LaneRange& lanes, std::uint64_t seed,
              std::int64_t step_count) {
  return BlockOf(lanes, seed, step_count)[lanes.first_lane];
}

std::array<float, 3> DrawThree(const LaneRange& lanes, std::uint64_t seed,
                               std::int64_t step_count) {
  const std::array<float, 4> uniforms = BlockOf(lanes, seed, step_count);
  const std::size_t first = lanes.first_lane;
  return {uniforms[first], uniforms[first + 1], uniforms[first + 2]};
}

std::uint32_t StartTurn(float uniform, std::optional<float> given) {
  return given ? TurnFromRadians(*given) : TurnFromUniform(uniform);
}

Vec3 StartDirection(const std::array<float, 3>& uniforms, Plane plane,
                    const std::optional<Vec3>& given) {
  return given ? DirectionInPlane(*given, plane)
               : DrawnDirection(uniforms, plane);
}

}  // namespace

Plane WanderPlaneOf(const Archetype& archetype, Plane world) {
  for (const Term& term : archetype.terms) {
    if (const auto* wander = std::get_if<WanderHeadingOffset>(&term.behavior)) {
      return WanderPlane(*wander, world);
    }
  }
  return world;
}

WanderStartUniforms DrawWanderStart(std::uint64_t seed,
                                    std::int64_t step_count) {
  return {.angle = DrawOne(kStartAngleLanes, seed, step_count),
          .elevation = DrawOne(kStartElevationLanes, seed, step_count),
          .offset = DrawThree(kStartOffsetLanes, seed, step_count),
          .heading = DrawThree(kStartHeadingLanes, seed, step_count)};
}

Vec3 DirectionInPlane(const Vec3& value, Plane plane) {
  return UnitVector(Flatten(value, plane), AxesOf(plane).first);
}

Vec3 DrawnDirection(const std::array<float, 3>& uniforms, Plane plane) {
  return DirectionInPlane({2.0f * uniforms[0] - 1.0f, 2.0f * uniforms[1] - 1.0f,
                           2.0f * uniforms[2] - 1.0f},
                          plane);
}

WanderState StartWander(const Archetype& archetype, Plane world,
                        const WanderStartUniforms& uniforms,
                        const WanderGiven& given) {
  WanderState state;
  switch (WanderFormOf(archetype)) {
    case WanderForm::kNone:
      break;
    case WanderForm::kSpherical:
      state.elevation = given.elevation.value_or(
          (2.0f * uniforms.elevation - 1.0f) * kHalfPi);
      [[fallthrough]];
    case WanderForm::kWorldAngle:
      state.turn = StartTurn(uniforms.angle, given.angle);
      break;
    case WanderForm::kHeadingOffset: {
      const Plane plane = WanderPlaneOf(archetype, world);
      state.offset = StartDirection(uniforms.offset, plane, given.offset);
      state.heading = StartDirection(uniforms.heading, plane, given.heading);
      break;
    }
  }
  return state;
}

}  // namespace meander::core
