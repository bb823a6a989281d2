// Worlds full of neighbors, and who they are by comparing all with all: what
// the tests of the grid, the search and the neighbor pass check against.
#ifndef MEANDER_TESTS_CORE_SPACE_NEIGHBOR_SCENE_H_
#define MEANDER_TESTS_CORE_SPACE_NEIGHBOR_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/agents/agent_columns.h"
#include "core/behavior.h"
#include "core/space/neighbor_grid.h"
#include "core/world_state.h"

namespace meander::core {

// Agents in ascending order of id, each of an archetype.
struct NeighborScene {
  SimulationConfig config;
  std::vector<Archetype> archetypes;
  std::vector<AgentRow> agents;
  std::vector<ArchetypeId> archetype_of;

  // The next id, of archetype 1.
  AgentRow& Add(const Vec3& position, const Vec3& velocity = {});
};

// A settled state; the agents are spawned in the given order of their indices,
// or as they stand.
WorldState StateOf(const NeighborScene& scene,
                   const std::vector<std::size_t>& order = {});

// RebuildGrid on this thread.
void Rebuild(const WorldState& state, NeighborGrid& grid);

// Separation, alignment and cohesion with one neighborhood.
Archetype FlockArchetype(const Neighborhood& neighborhood, ArchetypeId id = 1);

// Any plane, mode of bounds, cell size and number of agents, in clusters, on
// faces and one on another; groups and velocities of all kinds.
NeighborScene RandomScene(std::mt19937& random);
// One that suits the scene: any radius, view, groups and number.
Neighborhood RandomNeighborhood(const NeighborScene& scene,
                                std::mt19937& random);

// All agents of the scene, as indices, in canonical order, straight from its
// definition.
std::vector<std::size_t> CanonicalOrder(const NeighborScene& scene);

struct Neighbor {
  std::size_t index;  // in the scene
  Vec3 offset;        // in the world's axes
  float squared;
};
// The neighbors of an agent among those in `order`, in that order.
std::vector<Neighbor> NeighborsByBruteForce(
    const NeighborScene& scene, const std::vector<std::size_t>& order,
    std::size_t agent, const Neighborhood& neighborhood);

// Ids of the neighbors of every agent, as NeighborSearch visits them: for the
// agents of the grid in order.
std::vector<std::vector<AgentId>> FoundNeighbors(
    const NeighborGrid& grid, const Neighborhood& neighborhood);

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_SPACE_NEIGHBOR_SCENE_H_
