// A scene of the gallery: a world, what happens in it, and how to look at it.
//
// A scene is no more than messages of the protocol: make a world that is
// stepped by hand from `simulation`, submit `commands` in their order as the
// first ones, and step. The seed is part of it, so each of its ticks has one
// hash. Tests, benchmarks, pictures and `meanderctl demo` share them.
// Thread-safe: values.
#ifndef MEANDER_CLIENT_EXAMPLES_SCENES_SCENE_H_
#define MEANDER_CLIENT_EXAMPLES_SCENES_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_examples/scenes/camera.h"
#include "meander/v1/command.pb.h"
#include "meander/v1/world.pb.h"

namespace meander::scenes {

struct Scene {
  std::string name;
  std::string summary;           // one line
  std::int64_t ticks = 0;        // how long its story is
  std::int64_t trail_ticks = 0;  // of a picture of its last tick
  v1::SimulationConfig simulation;
  std::vector<v1::Command> commands;
  // What the archetypes are called: that of id 1 first. Agents are spawned with
  // these only.
  std::vector<std::string> kinds;
  std::vector<Circle> marks;  // places that matter to the agents
  Camera camera;
};

inline constexpr std::uint64_t kDefaultSeed = 1;

// All of them, the simplest first.
std::vector<Scene> Scenes(std::uint64_t seed = kDefaultSeed);
std::optional<Scene> FindScene(std::string_view name,
                               std::uint64_t seed = kDefaultSeed);
// In the order of Scenes.
std::vector<std::string> SceneNames();

// Which of the kinds each agent is spawned as, that of id 1 first.
std::vector<std::size_t> KindsOfAgents(const Scene& scene);

// Each makes one scene.
Scene Wander();
Scene Arrive();
Scene Pursuit();
Scene Flock();
Scene KeepAway();
Scene Triangle();
Scene Overspeed();
Scene School();
Scene Crossing();
Scene Procession();

}  // namespace meander::scenes

#endif  // MEANDER_CLIENT_EXAMPLES_SCENES_SCENE_H_
