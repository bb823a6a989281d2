#include "core/step/wander_redraws.h"

#include <cstddef>

#include "core/steering/start_wander.h"

namespace meander::core {

void RedrawWander(const WorldState& state, Population& population,
                  std::size_t row, std::int64_t tick) {
  AgentColumns& agents = population.agents;
  const std::int64_t step_count = tick - agents.spawn_tick[row];
  agents.SetWander(
      row, StartWander(population.archetype, state.config.plane,
                       DrawWanderStart(agents.seed[row], step_count), {}));
}

void WanderRedraws::Settle(std::uint32_t population, AgentId id) {
  const auto owing = settled_.find(population);
  if (owing != settled_.end()) owing->second.insert(id);
}

bool WanderRedraws::Owes(std::uint32_t population, AgentId id) const {
  const auto owing = settled_.find(population);
  return owing != settled_.end() && !owing->second.contains(id);
}

void WanderRedraws::PayAll(WorldState& state, std::int64_t tick) const {
  for (const auto& [at, settled] : settled_) {
    Population& population = state.populations[at];
    for (std::size_t row = 0; row < population.agents.size(); ++row) {
      if (settled.contains(population.agents.id[row])) continue;
      RedrawWander(state, population, row, tick);
    }
  }
}

}  // namespace meander::core
