#include "client_examples/scenes/scene.h"

#include <algorithm>

namespace meander::scenes {

std::vector<Scene> Scenes(std::uint64_t seed) {
  std::vector<Scene> scenes = {Wander(),   Arrive(),    Pursuit(),   Flock(),
                               KeepAway(), Triangle(),  Overspeed(), School(),
                               Crossing(), Procession()};
  for (Scene& scene : scenes) scene.simulation.set_seed(seed);
  return scenes;
}

std::optional<Scene> FindScene(std::string_view name, std::uint64_t seed) {
  const std::vector<Scene> scenes = Scenes(seed);
  const auto found =
      std::find_if(scenes.begin(), scenes.end(),
                   [name](const Scene& scene) { return scene.name == name; });
  if (found == scenes.end()) return std::nullopt;
  return *found;
}

std::vector<std::string> SceneNames() {
  std::vector<std::string> names;
  for (const Scene& scene : Scenes()) names.push_back(scene.name);
  return names;
}

std::vector<std::size_t> KindsOfAgents(const Scene& scene) {
  std::vector<std::size_t> kinds;
  const auto add = [&kinds](std::int64_t count, const v1::NewAgent& agent) {
    kinds.insert(kinds.end(), static_cast<std::size_t>(count),
                 static_cast<std::size_t>(agent.archetype_id() - 1));
  };
  // Ids are given out in the order of admission, whenever they apply.
  for (const v1::Command& command : scene.commands) {
    if (!command.has_spawn_agents()) continue;
    const v1::SpawnAgents& spawn = command.spawn_agents();
    if (spawn.has_area()) add(spawn.area().count(), spawn.area().prototype());
    for (const v1::NewAgent& agent : spawn.agents().agents()) add(1, agent);
  }
  return kinds;
}

}  // namespace meander::scenes
