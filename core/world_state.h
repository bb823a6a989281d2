// The whole state of a world, as plain data that free functions work on.
//
// Everything that decides later ticks is here, and nothing that does not, but
// for what is marked as cache or scratch. Agents lie in one population for
// each archetype. World guards it; codecs and the step read and write it.
#ifndef MEANDER_CORE_WORLD_STATE_H_
#define MEANDER_CORE_WORLD_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/agents/agent_columns.h"
#include "core/agents/agent_index.h"
#include "core/archetype.h"
#include "core/event.h"
#include "core/simd/kernels.h"
#include "core/simulation_config.h"
#include "core/steering/neighbor_sums.h"

namespace meander::core {

// The agents of one archetype; none where an archetype was removed.
struct Population {
  Archetype archetype;
  AgentColumns agents;
};

// A run of rows of one population: the unit of work that threads share.
struct AgentBlock {
  std::uint32_t population = 0;
  std::uint32_t first_row = 0;
  std::uint32_t rows = 0;  // at most kBlockRows
  // From steering to the end of the step: slots whose loss is to be told.
  std::uint32_t losses = 0;
};
inline constexpr std::uint32_t kBlockRows = 256;
// So only the last block of a population has a vector that is not full, and
// what has room for a block has room for its vectors.
static_assert(kBlockRows % kVectorRows == 0);

// Sums of what is hashed of agents, by id & 255; see state_hash.h.
inline constexpr std::size_t kHashBuckets = 256;
using BucketSums = std::array<std::uint64_t, kHashBuckets>;

struct WorldState {
  // What a tick is computed with. Changes no bit; not state.
  const Kernels* kernels = &BestKernels();
  SimulationConfig config;  // normalized
  std::uint64_t seed = 0;
  std::int64_t tick = 0;
  std::int64_t bound_stops = 0;         // not hashed
  std::vector<Population> populations;  // in any order
  AgentIndex index;                     // settled between steps

  // Where each archetype lies in `populations`; -1 when it is not defined.
  std::array<std::int16_t, kMaxArchetypeId + 1> population_of = [] {
    std::array<std::int16_t, kMaxArchetypeId + 1> none{};
    none.fill(-1);
    return none;
  }();

  // Places in `populations` whose archetype was removed: without agents, and
  // taken again by the next that is defined. Not state.
  std::vector<std::uint32_t> free_populations;

  // Changes whenever agents come or go, or a cold column or an archetype does.
  // Not state.
  std::uint64_t cold_version = 0;
  // Caches of what is hashed but seldom changes; see state_hash.h.
  std::uint64_t config_mix = 0;
  std::uint64_t archetypes_mix = 0;
  BucketSums cold_sums{};
  // All rows, cut into blocks. Cache.
  std::vector<AgentBlock> blocks;
  // From the neighbor pass to the end of steering. Scratch.
  NeighborScratch neighbors;
  // What the last step told, by (agent id, slot). Not state: that it was told
  // stands with the targets.
  std::vector<Event> events;

  std::int64_t agent_count() const {
    return static_cast<std::int64_t>(index.size());
  }
  std::size_t archetype_count() const {
    return populations.size() - free_populations.size();
  }
  // None when the archetype is not defined.
  const Population* FindPopulation(ArchetypeId id) const {
    const std::int16_t at = population_of[static_cast<std::size_t>(id)];
    return at < 0 ? nullptr : &populations[static_cast<std::size_t>(at)];
  }
  Population* FindPopulation(ArchetypeId id) {
    return const_cast<Population*>(std::as_const(*this).FindPopulation(id));
  }
};

// Those that steer and move a block: for a single agent a vector is no gain.
const SteeringKernels& SteeringKernelsFor(const WorldState& state,
                                          const AgentBlock& block);

// function(archetype) for each that is defined, in ascending order of id.
template <typename Function>
void ForEachArchetype(const WorldState& state, Function function) {
  for (const std::int16_t at : state.population_of) {
    if (at < 0) continue;
    function(state.populations[static_cast<std::size_t>(at)].archetype);
  }
}

// Adds an archetype, or replaces it whole.
void PutArchetype(WorldState& state, const Archetype& archetype);

// Precondition: it is defined and no agent has it.
void DropArchetype(WorldState& state, ArchetypeId id);

// Adds an agent to a defined archetype. Precondition: the id is new.
void AddAgent(WorldState& state, ArchetypeId archetype, const AgentRow& agent);

// Precondition: the agent lives.
void RemoveAgent(WorldState& state, AgentId id);

// Gives an agent an archetype in place of its own. Preconditions: the agent
// lives and the archetype is defined.
void MoveAgent(WorldState& state, AgentId id, ArchetypeId archetype);

// Brings index and blocks up to date after agents came or went, and gives back
// memory that few of them use.
void Settle(WorldState& state);

// Makes every cache anew from the state itself, and settles.
void RebuildCaches(WorldState& state);

}  // namespace meander::core

#endif  // MEANDER_CORE_WORLD_STATE_H_
