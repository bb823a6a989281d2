#include "core/world_state.h"

#include <algorithm>

#include "core/error.h"
#include "core/state_hash.h"

namespace meander::core {

namespace {

std::size_t PlaceOf(ArchetypeId id) { return static_cast<std::size_t>(id); }

// A place in `populations` that no archetype has.
std::uint32_t TakeFreePopulation(WorldState& state) {
  if (state.free_populations.empty()) {
    state.populations.emplace_back();
    return static_cast<std::uint32_t>(state.populations.size() - 1);
  }
  const std::uint32_t at = state.free_populations.back();
  state.free_populations.pop_back();
  return at;
}

// Takes a row out of its population; the last one there moves into its place.
void RemoveRow(WorldState& state, const AgentLocation& location) {
  AgentColumns& agents = state.populations[location.population].agents;
  agents.Remove(location.row);
  if (location.row < agents.size()) {
    state.index.Move(agents.id[location.row], location);
  }
}

}  // namespace

const SteeringKernels& SteeringKernelsFor(const WorldState& state,
                                          const AgentBlock& block) {
  return block.rows > 1 ? state.kernels->steering
                        : KernelsOf(SimdTarget::kScalar).steering;
}

void PutArchetype(WorldState& state, const Archetype& archetype) {
  Population* population = state.FindPopulation(archetype.id);
  if (population == nullptr) {
    const std::uint32_t at = TakeFreePopulation(state);
    state.population_of[PlaceOf(archetype.id)] = static_cast<std::int16_t>(at);
    population = &state.populations[at];
  } else {
    state.archetypes_mix -= MixArchetype(population->archetype);
  }
  population->archetype = archetype;
  population->agents.SetWanderForm(WanderFormOf(archetype));
  state.archetypes_mix += MixArchetype(archetype);
  ++state.cold_version;
}

void DropArchetype(WorldState& state, ArchetypeId id) {
  Population* population = state.FindPopulation(id);
  MEANDER_CHECK(population != nullptr && population->agents.size() == 0);
  state.archetypes_mix -= MixArchetype(population->archetype);
  std::int16_t& at = state.population_of[PlaceOf(id)];
  state.free_populations.push_back(static_cast<std::uint32_t>(at));
  at = -1;
  *population = {};
  ++state.cold_version;
}

void AddAgent(WorldState& state, ArchetypeId archetype, const AgentRow& agent) {
  const auto at =
      static_cast<std::uint32_t>(state.population_of[PlaceOf(archetype)]);
  AgentColumns& agents = state.populations[at].agents;
  state.index.Insert(agent.id, {at, static_cast<std::uint32_t>(agents.size())});
  agents.Append(agent);
  AddColdMix(state, *state.index.Find(agent.id));
  ++state.cold_version;
}

void RemoveAgent(WorldState& state, AgentId id) {
  const AgentLocation* found = state.index.Find(id);
  MEANDER_CHECK(found != nullptr);
  const AgentLocation location = *found;
  SubtractColdMix(state, location);
  state.index.Erase(id);
  RemoveRow(state, location);
  ++state.cold_version;
}

void MoveAgent(WorldState& state, AgentId id, ArchetypeId archetype) {
  const AgentLocation* found = state.index.Find(id);
  MEANDER_CHECK(found != nullptr);
  const AgentLocation from = *found;
  const auto at =
      static_cast<std::uint32_t>(state.population_of[PlaceOf(archetype)]);
  if (from.population == at) return;
  SubtractColdMix(state, from);
  AgentColumns& agents = state.populations[at].agents;
  state.index.Move(id, {at, static_cast<std::uint32_t>(agents.size())});
  agents.Append(state.populations[from.population].agents.Row(from.row));
  AddColdMix(state, *state.index.Find(id));
  RemoveRow(state, from);
  ++state.cold_version;
}

void RebuildCaches(WorldState& state) {
  state.config_mix = MixConfig(state.config, state.seed);
  state.archetypes_mix = 0;
  ForEachArchetype(state, [&state](const Archetype& archetype) {
    state.archetypes_mix += MixArchetype(archetype);
  });
  for (Population& population : state.populations) {
    population.agents.FindNamedAgents();
  }
  Settle(state);
  state.cold_sums = SumColdMixes(state);
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
      state.blocks.push_back({.population = p,
                              .first_row = first,
                              .rows = std::min(kBlockRows, rows - first)});
    }
  }
}

}  // namespace meander::core
