#include "tests/gallery/gallery_scenarios.h"

#include <cstddef>
#include <utility>

#include "client_examples/scenes/scene.h"
#include "core/error.h"
#include "meander/v1/command_service.pb.h"
#include "server/convert/command_convert.h"
#include "server/convert/world_convert.h"

namespace meander::gallery {
namespace {

scenarios::Scenario ToScenario(const scenes::Scene& scene) {
  core::Violations violations;
  const convert::Simulation simulation = convert::ToCore(
      scene.simulation, core::kMaxAgents, "simulation", violations);
  MEANDER_CHECK(violations.empty());
  scenarios::Scenario scenario{.name = scene.name,
                               .config = simulation.config,
                               .seed = simulation.seed,
                               .ticks = scene.ticks};
  v1::SubmitCommandsRequest request;
  request.mutable_commands()->Assign(scene.commands.begin(),
                                     scene.commands.end());
  for (std::size_t i = 0; i < scene.commands.size(); ++i) {
    core::Result<core::Command> command =
        convert::ToCore(request, i, simulation.config);
    MEANDER_CHECK(command.ok() && command->apply_tick >= 1);
    scenario.commands.push_back(*std::move(command));
  }
  return scenario;
}

}  // namespace

std::vector<scenarios::Scenario> GalleryScenarios() {
  std::vector<scenarios::Scenario> scenarios;
  for (const scenes::Scene& scene : scenes::Scenes()) {
    scenarios.push_back(ToScenario(scene));
  }
  return scenarios;
}

}  // namespace meander::gallery
