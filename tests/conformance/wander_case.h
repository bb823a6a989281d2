// The wanders, by their kernels, with the draws of an origin as uniforms.
#ifndef MEANDER_TESTS_CONFORMANCE_WANDER_CASE_H_
#define MEANDER_TESTS_CONFORMANCE_WANDER_CASE_H_

#include <array>
#include <cstddef>
#include <span>
#include <variant>

#include "core/archetype.h"
#include "core/math/vec3.h"
#include "core/random/agent_random.h"
#include "core/simulation_config.h"
#include "core/steering/wander.h"
#include "core/steering/wander_heading_offset.h"
#include "core/steering/wander_spherical.h"
#include "tests/conformance/case_world.h"

namespace meander::core {

// One step of the subject's only term; each takes as many uniforms as its
// lanes have.
struct WanderStep {
  CaseWorld& world;
  std::span<const float> uniforms;
  Plane plane = Plane::kNone;  // the world's

  std::span<const float> Lane(std::size_t lane) const {
    return uniforms.subspan(lane, 1);
  }
  Vec3 operator()(const WanderWorldAngle& wander) const {
    return world.SteerBy([&](const SteeringBlock& block, AgentColumns& agents) {
      AddWanderWorldAngle(block, wander, AxesOf(plane), Lane(0),
                          agents.wander_turn);
    });
  }
  Vec3 operator()(const WanderSpherical& wander) const {
    return world.SteerBy([&](const SteeringBlock& block, AgentColumns& agents) {
      AddWanderSpherical(block, wander, {Lane(0), Lane(1)},
                         {agents.wander_turn, agents.wander_elevation});
    });
  }
  Vec3 operator()(const WanderHeadingOffset& wander) const {
    return world.SteerBy([&](const SteeringBlock& block, AgentColumns& agents) {
      AddWanderHeadingOffset(
          block, wander, WanderPlane(wander, plane),
          {Lane(0), Lane(1), Lane(2)},
          {agents.wander_offset_x, agents.wander_offset_y,
           agents.wander_offset_z, agents.wander_heading_x,
           agents.wander_heading_y, agents.wander_heading_z});
    });
  }
  template <typename Other>
  Vec3 operator()(const Other&) const {
    return {};
  }
};

inline unsigned LanesOf(WanderForm form) {
  switch (form) {
    case WanderForm::kNone:
      return 0;
    case WanderForm::kWorldAngle:
      return kWorldAngleStepLanes.count;
    case WanderForm::kSpherical:
      return kSphericalStepLanes.count;
    case WanderForm::kHeadingOffset:
      return kHeadingOffsetStepLanes.count;
  }
  return 0;
}

}  // namespace meander::core

#endif  // MEANDER_TESTS_CONFORMANCE_WANDER_CASE_H_
