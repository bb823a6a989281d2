// Scenes of agents that do not look at their neighbors: one behavior each.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "client_examples/scenes/scene_builder.h"

namespace meander::scenes {
namespace {

// Places on a line through the points, `count` of them, evenly.
std::vector<Point> Along(const std::vector<Point>& corners, std::size_t count) {
  // All lines here are along an axis, so that no root is needed.
  const auto length = [&corners](std::size_t i) {
    const double x = corners[i + 1][0] - corners[i][0];
    const double y = corners[i + 1][1] - corners[i][1];
    return (x < 0.0 ? -x : x) + (y < 0.0 ? -y : y);
  };
  double whole = 0.0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) whole += length(i);
  const double step = whole / static_cast<double>(count - 1);
  std::vector<Point> places = {corners.front()};
  double before = 0.0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    while (places.size() < count) {
      const double at = step * static_cast<double>(places.size()) - before;
      if (at > length(i)) break;
      const double share = at / length(i);
      places.push_back(
          {corners[i][0] + share * (corners[i + 1][0] - corners[i][0]),
           corners[i][1] + share * (corners[i + 1][1] - corners[i][1]), 0.0});
    }
    before += length(i);
  }
  // What rounding left out.
  while (places.size() < count) places.push_back(corners.back());
  return places;
}

// The frieze that is called a meander.
std::vector<Point> Meander(int windings, std::size_t count) {
  constexpr double kUnit = 4.6;
  const Point unit[] = {{0, 0, 0}, {0, 5, 0}, {4, 5, 0},
                        {4, 2, 0}, {2, 2, 0}, {2, 3.4, 0}};
  constexpr double kPeriod = 6.0;
  std::vector<Point> corners;
  const double left = -0.5 * kPeriod * windings;
  for (int i = 0; i < windings; ++i) {
    const double x = left + kPeriod * i;
    for (const Point& p : unit) corners.push_back({x + p[0], p[1], 0.0});
    // Back out of the winding, and on along the base.
    for (std::size_t k = 5; k-- > 0;) {
      if (k > 2) corners.push_back({x + unit[k][0], unit[k][1], 0.0});
    }
    corners.push_back({x + 4, 0, 0});
    corners.push_back({x + kPeriod, 0, 0});
  }
  for (Point& corner : corners) {
    corner = {kUnit * corner[0], kUnit * (corner[1] - 2.5), 0.0};
  }
  return Along(corners, count);
}

}  // namespace

Scene Wander() {
  Scene scene =
      NewScene("wander", "from one place, each where its random numbers lead",
               480, kTorus);
  scene.trail_ticks = 420;
  const std::int32_t world =
      Define(scene, "by world angle",
             "max_speed: 9 max_force: 40 terms { gain: 3 wander_world_angle { "
             "radius: 4 distance: 5 jitter: 22 } }");
  const std::int32_t heading = Define(
      scene, "by heading offset",
      "max_speed: 9 max_force: 40 terms { gain: 3 wander_heading_offset { "
      "radius: 2.4 distance: 4 jitter: 6 } }");
  const std::string here = "disc { radius: 0.5 }";
  SpawnIn(scene, 1, 26, world, "", here);
  SpawnIn(scene, 1, 26, heading, "", here);
  return scene;
}

Scene Arrive() {
  constexpr std::size_t kAgents = 132;
  Scene scene = NewScene(
      "arrive", "from a ring to a frieze, and to rest there, one by one", 840,
      "plane: PLANE_XY");
  const std::int32_t stop =
      Define(scene, "stop",
             "max_speed: 26 max_force: 60 terms { arrive { "
             "stop: true } }");
  const std::int32_t slow =
      Define(scene, "slowing radius",
             "max_speed: 26 max_force: 260 terms { gain: 6 arrive { "
             "slowing_radius: 20 } }");
  const std::vector<Point> frieze = Meander(4, kAgents);
  const std::string everywhere =
      "box { min { x: -60 y: -30 } max { x: 60 y: 30 } }";
  const Ids stopping = SpawnIn(scene, 1, kAgents / 2, stop, "", everywhere);
  const Ids slowing = SpawnIn(scene, 1, kAgents / 2, slow, "", everywhere);
  for (std::size_t i = 0; i < kAgents; ++i) {
    const Ids one = {(i % 2 == 0 ? stopping : slowing)[i / 2]};
    const double share = static_cast<double>(i) / kAgents;
    AimAtPoint(scene, 1, one, 0, OnCircle(27.0, 0.5 - 2.0 * share));
    AimAtPoint(scene, 180 + 2 * static_cast<std::int64_t>(i), one, 0,
               frieze[i]);
  }
  scene.trail_ticks = 640;
  return scene;
}

Scene Pursuit() {
  constexpr int kPairs = 8;
  Scene scene = NewScene(
      "pursuit", "hunters are faster, prey turns quicker; round and round", 900,
      kTorus);
  scene.trail_ticks = 340;
  const std::int32_t hunter =
      Define(scene, "hunters",
             "max_speed: 16 max_force: 26 terms { gain: 2 pursue { "
             "max_prediction: 2 } }");
  const std::int32_t prey = Define(
      scene, "prey",
      "max_speed: 11 max_force: 40 terms { weight: 1.2 gain: 2 evade { "
      "max_prediction: 1 } } terms { gain: 3 wander_heading_offset { radius: 3 "
      "distance: 3 jitter: 8 } }");
  const std::string everywhere =
      "box { min { x: -60 y: -30 } max { x: 60 y: 30 } }";
  const Ids hunters = SpawnIn(scene, 1, kPairs, hunter, "", everywhere);
  const Ids hunted = SpawnIn(scene, 1, kPairs, prey, "", everywhere);
  // Every five seconds each is after another one.
  for (std::size_t turn = 0; turn < 3; ++turn) {
    const auto tick = static_cast<std::int64_t>(turn == 0 ? 1 : 300 * turn);
    for (std::size_t i = 0; i < kPairs; ++i) {
      const std::int64_t other = hunted[(i + turn) % kPairs];
      AimAtAgent(scene, tick, {hunters[i]}, 0, other);
      AimAtAgent(scene, tick, {other}, 0, hunters[i]);
    }
  }
  return scene;
}

Scene KeepAway() {
  Scene scene =
      NewScene("keep-away", "a stream that parts at three posts", 900, kTorus);
  scene.trail_ticks = 300;
  // A goal at a fixed bearing, however far they have come.
  const std::string stream =
      "terms { gain: 1.5 wander_world_angle { radius: 10 jitter: 2 } } ";
  const auto away = [](int slot, int radius) {
    return "terms { weight: 6 keep_away { slot: " + std::to_string(slot) +
           " radius: " + std::to_string(radius) + " } } ";
  };
  const auto define = [&](const char* kind, int radius) {
    return Define(scene, kind,
                  "max_speed: 14 max_force: 400 " + stream + away(0, radius) +
                      away(1, radius) + away(2, radius) +
                      "terms { weight: 1.5 separation { neighborhood { "
                      "radius: 5 } falloff: FALLOFF_NEAREST_FADE } }");
  };
  const std::int32_t bold = define("bold", 14);
  const std::int32_t shy = define("shy", 20);
  const Point posts[] = {{-30, 7, 0}, {2, -9, 0}, {34, 8, 0}};
  std::string prototype = "wander_angle: 0 ";
  for (const Point& post : posts) {
    scene.marks.push_back({post, 6.0});
    prototype += "targets { point { x: " + std::to_string(post[0]) +
                 " y: " + std::to_string(post[1]) + " } } ";
  }
  const std::string left = "box { min { x: -63 y: -30 } max { x: -48 y: 30 } }";
  SpawnIn(scene, 1, 50, bold, prototype, left);
  SpawnIn(scene, 1, 50, shy, prototype, left);
  return scene;
}

Scene Overspeed() {
  constexpr std::int64_t kFlight = 120;  // ticks without steering
  Scene scene = NewScene(
      "overspeed", "fireworks: thrown too fast, each slows in its own time",
      500, "plane: PLANE_XY");
  scene.trail_ticks = 500;
  const std::string limits = "max_speed: 5 max_force: 30 ";
  const auto define = [&](const char* kind, const char* seconds) {
    return Define(scene, kind,
                  limits + "overspeed_time_constant: " + std::string(seconds));
  };
  const std::int32_t quick = define("0.25 s", "0.25");
  const std::int32_t middling = define("0.5 s", "0.5");
  const std::int32_t slow = define("1 s", "1");
  // Down, like what has burnt out.
  const std::int32_t ember =
      Define(scene, "",
             limits + "terms { wander_world_angle { radius: 10 jitter: 9 } }");
  struct Burst {
    std::int64_t tick;
    std::int32_t kind;
    Point center;
    double speed;
  };
  const Burst bursts[] = {
      {1, quick, {-42, 4, 0}, 52},      {60, middling, {-10, 9, 0}, 42},
      {120, slow, {40, 6, 0}, 26},      {190, quick, {12, -8, 0}, 48},
      {260, middling, {-36, 8, 0}, 40}, {330, slow, {6, 4, 0}, 24},
      {360, quick, {46, 14, 0}, 44}};
  for (const Burst& burst : bursts) {
    constexpr int kSparks = 24;
    std::vector<v1::NewAgent> sparks;
    for (int i = 0; i < kSparks; ++i) {
      const double turns = static_cast<double>(i) / kSparks;
      const Point velocity =
          OnCircle(i % 2 == 0 ? burst.speed : 0.7 * burst.speed, turns);
      sparks.push_back(At(burst.center, velocity));
      sparks.back().set_wander_angle(-1.57f);
    }
    const Ids ids =
        SpawnThese(scene, burst.tick, burst.kind, std::move(sparks));
    v1::SetArchetype& change =
        *AddCommand(scene, burst.tick + kFlight).mutable_set_archetype();
    Fill(ids, *change.mutable_agent_ids());
    change.set_archetype_id(ember);
    Fill(ids, *AddCommand(scene, burst.tick + 2 * kFlight + 60)
                   .mutable_despawn_agents()
                   ->mutable_agent_ids());
  }
  return scene;
}

}  // namespace meander::scenes
