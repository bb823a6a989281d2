#include "tests/core/different_behaviors.h"

namespace meander::core {
namespace {

using Behaviors = std::vector<Behavior>;

void AddTargeted(Behaviors& all) {
  for (const Behavior& behavior : Behaviors{
           Seek{},
           Seek{1},
           Seek{3},
           Flee{},
           Flee{.slot = 1},
           Flee{.range = 0.0f},
           Flee{.range = 1.0f},
           Flee{.edge_inclusive = true},
           Flee{.at_center = AtCenter::kZero},
           Arrive{},
           Arrive{.slot = 1},
           Arrive{.slowing_radius = 1.0f},
           Arrive{.stop = true},
           KeepAway{},
           KeepAway{.slot = 1},
           KeepAway{.radius = 1.0f},
           Brake{},
       }) {
    all.push_back(behavior);
  }
}

void AddPredicting(Behaviors& all) {
  for (const Behavior& behavior : Behaviors{
           Pursue{},
           Pursue{.slot = 1},
           Pursue{.lead = Lead::kClosing},
           Pursue{.lead = Lead::kDistance},
           Pursue{.max_prediction = 0.0f},
           Pursue{.max_prediction = 2.0f},
           Pursue{.slowing_radius = 1.0f},
           Evade{},
           Evade{.slot = 1},
           Evade{.lead = Lead::kClosing},
           Evade{.lead = Lead::kDistance},
           Evade{.max_prediction = 0.0f},
           Evade{.max_prediction = 2.0f},
       }) {
    all.push_back(behavior);
  }
}

template <typename Wander>
void AddWander(Behaviors& all) {
  all.push_back(Wander{});
  all.push_back(Wander{.radius = 1.0f});
  all.push_back(Wander{.distance = 1.0f});
  all.push_back(Wander{.jitter = 1.0f});
}

void AddNeighborhoods(Behaviors& all) {
  const Neighborhood neighborhoods[] = {
      {},
      {.radius = 1.0f},
      {.field_of_view = 0.0f},
      {.field_of_view = 1.0f},
      {.neighbor_groups = 1},
      {.max_neighbors = 1},
  };
  for (const Neighborhood& around : neighborhoods) {
    all.push_back(Separation{around});
    all.push_back(Alignment{around});
    all.push_back(Cohesion{around});
  }
  all.push_back(Separation{.falloff = Falloff::kNearestFade});
  all.push_back(Separation{.falloff = Falloff::kLinear});
  all.push_back(Separation{.coincident = Coincident::kSkip});
  all.push_back(Cohesion{.mode = CohesionMode::kPull});
}

}  // namespace

std::vector<Behavior> DifferentBehaviors() {
  Behaviors all;
  AddTargeted(all);
  AddPredicting(all);
  AddWander<WanderWorldAngle>(all);
  AddWander<WanderSpherical>(all);
  AddWander<WanderHeadingOffset>(all);
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    all.push_back(WanderHeadingOffset{.plane = plane});
  }
  AddNeighborhoods(all);
  return all;
}

}  // namespace meander::core
