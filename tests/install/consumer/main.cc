#include <iostream>

#include "core/world.h"

using namespace meander::core;

int main() {
  World world(SimulationConfig{.plane = Plane::kXY}, /*seed=*/42);
  const Archetype wanderer{1, 6, 12, 1, {{1, WanderWorldAngle{2, 3, 8}}}};
  const AreaPlacement three{3, {.archetype_id = 1}, Disc{{}, 10}};
  const AdmittedCommand commands[] = {
      {.sequence = 1, .apply_tick = 1, .operation = DefineArchetype{wanderer}},
      {2, 1, /*first_agent_id=*/1, SpawnAgents{three}}};
  CommandOutcome outcomes[2];
  SerialFor threads;
  world.Step(commands, outcomes, threads);
  while (world.tick() < 60) world.Step(threads);
  std::cout << world.Hash(threads).value << '\n';
}
