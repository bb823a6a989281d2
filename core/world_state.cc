#include "core/world_state.h"

#include <algorithm>

#include "core/error.h"
#include "core/state_hash.h"

namespace meander::core {

void PutArchetype(WorldState& state, const Archetype& archetype) {
  Population* population = state.FindPopulation(archetype.id);
  if (population == nullptr) {
    state.population_of[static_cast<std::size_t>(archetype.id)] =
        static_cast<std::int16_t>(state.populations.size());
    population = &state.populations.emplace_back();
  } else {
    state.archetypes_mix -= MixArchetype(population->archetype);
  }
  population->archetype = archetype;
  state.archetypes_mix += MixArchetype(archetype);
}

void AddAgent(WorldState& state, ArchetypeId archetype, const AgentRow& agent) {
  const auto at = static_cast<std::uint32_t>(
      state.population_of[static_cast<std::size_t>(archetype)]);
  AgentColumns& agents = state.populations[at].agents;
  state.index.Insert(agent.id, {at, static_cast<std::uint32_t>(agents.size())});
  agents.Append(agent);
  ++state.cold_version;
}

void RemoveAgent(WorldState& state, AgentId id) {
  const AgentLocation* found = state.index.Find(id);
  MEANDER_CHECK(found != nullptr);
  const AgentLocation location = *found;
  state.index.Erase(id);
  AgentColumns& agents = state.populations[location.population].agents;
  agents.Remove(location.row);
  if (location.row < agents.size()) {
    state.index.Move(agents.id[location.row], location);
  }
  ++state.cold_version;
}

void RebuildCaches(WorldState& state) {
  state.config_mix = MixConfig(state.config, state.seed);
  state.archetypes_mix = 0;
  for (const Population& population : state.populations) {
    state.archetypes_mix += MixArchetype(population.archetype);
  }
  Settle(state);
}

void Settle(WorldState& state) {
  state.index.Settle();
  for (Population& population : state.populations) {
    population.agents.ReleaseUnused();
  }
  state.blocks.clear();
  for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
    const auto rows =
        static_cast<std::uint32_t>(state.populations[p].agents.size());
    for (std::uint32_t first = 0; first < rows; first += kBlockRows) {
      state.blocks.push_back({p, first, std::min(kBlockRows, rows - first)});
    }
  }
}

}  // namespace meander::core
