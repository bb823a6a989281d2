// Scenes of agents that look at each other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "client_examples/scenes/scene_builder.h"

namespace meander::scenes {

Scene Flock() {
  Scene scene =
      NewScene("flock", "three flocks from a crowd; each follows its own kind",
               900, kTorus);
  scene.trail_ticks = 110;
  const char* const kinds[] = {"starlings", "sandpipers", "finches"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::string groups = std::to_string(1u << i);
    const std::string own =
        "neighborhood { radius: 12 neighbor_groups: " + groups + " }";
    const std::int32_t bird =
        Define(scene, kinds[i],
               "max_speed: 10 max_force: 30 "
               "terms { weight: 2.5 gain: 2 separation { falloff: "
               "FALLOFF_NEAREST_FADE neighborhood { radius: 2.6 } } } "
               "terms { weight: 1.5 gain: 2 alignment { " +
                   own +
                   " } } "
                   "terms { weight: 1.2 gain: 2 cohesion { mode: "
                   "COHESION_MODE_PULL " +
                   own +
                   " } } "
                   // What keeps them going.
                   "terms { gain: 2 wander_heading_offset { radius: 2 "
                   "distance: 4 jitter: 3 } }");
    SpawnIn(scene, 1, 80, bird, "groups: " + groups,
            "box { min { x: -64 y: -32 } max { x: 63 y: 31 } }");
  }
  return scene;
}

Scene Triangle() {
  Scene scene = NewScene(
      "triangle", "three seek one point and keep apart: they come to rest",
      1080, "plane: PLANE_XY cell_size: 40");
  scene.trail_ticks = 1000;
  scene.camera.half_width = 128.0;
  scene.camera.half_height = 64.0;
  const char* const weights[] = {"2", "3", "5"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::string weight = weights[i];
    const std::int32_t kind = Define(
        scene, "weight " + weight,
        "max_speed: 300 max_force: 4000 terms { seek { } } terms { weight: " +
            weight +
            " separation { falloff: FALLOFF_LINEAR neighborhood { radius: 80 "
            "neighbor_groups: " +
            std::to_string(1u << i) + " } } }");
    const Point center = {-84.0 + 84.0 * i, -4.0, 0.0};
    scene.marks.push_back({center, 1.5});
    std::vector<v1::NewAgent> corners;
    for (int k = 0; k < 3; ++k) {
      const double turns = 0.25 + k / 3.0;
      corners.push_back(At(Plus(center, OnCircle(18.0, turns)),
                           OnCircle(90.0, turns + 0.12)));
      corners.back().set_groups(1u << i);
    }
    const Ids ids = SpawnThese(scene, 1, kind, std::move(corners));
    AimAtPoint(scene, 1, ids, 0, center);
    // Whoever is pushed comes back.
    for (std::size_t k = 0; k < 2; ++k) {
      const auto tick = static_cast<std::int64_t>(240 + 180 * k);
      v1::ApplyImpulse& push = *AddCommand(scene, tick).mutable_apply_impulse();
      push.add_agent_ids(ids[k]);
      // Outward, and to the side.
      const double turns = 0.25 + static_cast<double>(k) / 3.0;
      *push.mutable_impulse() = ToVec3(OnCircle(110.0, turns + 0.1));
    }
  }
  return scene;
}

Scene School() {
  Scene scene = NewScene(
      "school", "in 3D: a school of fish, and two sharks that it shuns", 1200,
      "cell_size: 6");
  scene.trail_ticks = 80;
  // Somewhat from the side and a little from above.
  scene.camera.right = {0.8, 0.0, -0.6};
  scene.camera.up = {-0.168, 0.96, -0.224};
  scene.camera.half_width = 40.0;
  scene.camera.half_height = 20.0;
  const std::int32_t fish = Define(
      scene, "fish",
      "max_speed: 9 max_force: 40 combine: COMBINE_PRIORITY_BUDGET "
      "facing { turn_rate: 6 } "
      "terms { gain: 4 flee { slot: 0 range: 10 } } "
      "terms { gain: 4 flee { slot: 1 range: 10 } } "
      "terms { level: 1 weight: 2 gain: 2 separation { falloff: "
      "FALLOFF_NEAREST_FADE neighborhood { radius: 2.6 neighbor_groups: 1 } } "
      "} "
      "terms { level: 1 weight: 1.5 gain: 2 alignment { neighborhood { "
      "radius: 7 field_of_view: 4.7 neighbor_groups: 1 max_neighbors: 8 } } } "
      "terms { level: 1 weight: 0.8 gain: 2 cohesion { mode: "
      "COHESION_MODE_PULL neighborhood { radius: 10 neighbor_groups: 1 } } } "
      "terms { level: 1 weight: 0.35 gain: 2 seek { slot: 2 } } "
      "terms { level: 1 gain: 2 wander_spherical { radius: 2 distance: 4 "
      "jitter: 20 } }");
  const std::int32_t shark =
      Define(scene, "sharks",
             "max_speed: 13 max_force: 22 facing { turn_rate: 6 } "
             "terms { gain: 2 pursue { max_prediction: 1.5 } }");
  // They are agents 1 and 2.
  std::vector<v1::NewAgent> pair = {At({-38, 6, 12}), At({34, -8, -20})};
  for (v1::NewAgent& agent : pair) agent.set_groups(2);
  const Ids sharks = SpawnThese(scene, 1, shark, std::move(pair));
  const Ids school = SpawnIn(
      scene, 1, 260, fish,
      "velocity { x: 4 y: 1 } targets { agent_id: 1 } targets { agent_id: 2 } "
      "targets { point { } }",
      "ball { radius: 16 }");
  for (std::size_t turn = 0; turn < 6; ++turn) {
    const auto tick = static_cast<std::int64_t>(1 + 200 * turn);
    for (std::size_t i = 0; i < sharks.size(); ++i) {
      AimAtAgent(scene, tick, {sharks[i]}, 0,
                 school[(67 * turn + 131 * i) % school.size()]);
    }
  }
  return scene;
}

Scene Crossing() {
  constexpr int kRows = 10;
  constexpr int kColumns = 6;
  Scene scene =
      NewScene("crossing", "two crowds pass through each other, and go back",
               1500, "plane: PLANE_XY cell_size: 4");
  scene.trail_ticks = 500;
  const auto define = [&scene](const char* kind) {
    return Define(scene, kind,
                  "max_speed: 12 max_force: 50 "
                  "combine: COMBINE_PRIORITY_BUDGET "
                  "terms { gain: 4 weight: 0.9 separation { falloff: "
                  "FALLOFF_LINEAR neighborhood { radius: 4 field_of_view: 4 } "
                  "} } "
                  "terms { level: 1 gain: 3 arrive { slowing_radius: 16 } }");
  };
  const std::int32_t kinds[] = {define("eastward"), define("westward")};
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? -1.0 : 1.0;
    std::vector<Point> homes;
    std::vector<v1::NewAgent> crowd;
    for (int k = 0; k < kRows * kColumns; ++k) {
      const double row = k % kRows - (kRows - 1) / 2.0;
      // A little askew, so that nobody meets anybody head on.
      homes.push_back(
          {sign * (36.0 + 4.4 * (k / kRows)), 4.4 * row + 0.7 * sign, 0.0});
      crowd.push_back(At(homes.back()));
    }
    const Ids ids = SpawnThese(scene, 1, kinds[side], std::move(crowd));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Point& home = homes[i];
      AimAtPoint(scene, 30, {ids[i]}, 0, {-home[0], home[1], 0.0});
      AimAtPoint(scene, 760, {ids[i]}, 0, home);
    }
  }
  return scene;
}

Scene Procession() {
  constexpr int kChains = 6;
  constexpr int kLinks = 26;
  Scene scene =
      NewScene("procession", "chains that follow their leaders, around a torus",
               1200, kTorus);
  scene.trail_ticks = 150;
  const std::int32_t leader = Define(
      scene, "leaders",
      "max_speed: 11 max_force: 60 terms { gain: 2 wander_heading_offset { "
      "radius: 2 distance: 4 jitter: 3 } } terms { weight: 1.5 gain: 2 "
      "separation { neighborhood { radius: 7 neighbor_groups: 2 } falloff: "
      "FALLOFF_NEAREST_FADE } }");
  const auto define = [&scene](const char* kind, const char* radius) {
    return Define(scene, kind,
                  "max_speed: 16 max_force: 900 terms { gain: 20 arrive { "
                  "slowing_radius: " +
                      std::string(radius) + " } }");
  };
  const std::int32_t followers[] = {define("close followers", "3.2"),
                                    define("wide followers", "4.8")};
  for (int chain = 0; chain < kChains; ++chain) {
    const double turns = static_cast<double>(chain) / kChains;
    const Point head = OnCircle(22.0, turns + 0.05);
    const Point velocity = OnCircle(10.0, turns + 0.85);
    std::vector<v1::NewAgent> links;
    for (int k = 0; k < kLinks; ++k) {
      links.push_back(
          At(Plus(head, OnCircle(0.3 * k, turns + 0.35)), velocity));
    }
    links.front().set_archetype_id(leader);
    links.front().set_groups(2);
    const Ids ids =
        SpawnThese(scene, 1, followers[chain % 2], std::move(links));
    for (std::size_t i = 1; i < ids.size(); ++i) {
      AimAtAgent(scene, 1, {ids[i]}, 0, ids[i - 1]);
    }
  }
  return scene;
}

}  // namespace meander::scenes
