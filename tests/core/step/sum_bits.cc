#include "tests/core/step/sum_bits.h"

#include <bit>
#include <cstddef>

#include "core/parallel_for.h"
#include "core/step/find_neighbors.h"
#include "gtest/gtest.h"
#include "tests/core/space/neighbor_scene.h"

namespace meander::core {

Archetype EveryTerm(const Neighborhood& neighborhood, ArchetypeId id) {
  Archetype archetype = FlockArchetype(neighborhood, id);
  archetype.terms.push_back({.weight = 1.0f, .behavior = Seek{}});
  archetype.terms.push_back(
      {.weight = 1.0f,
       .behavior =
           Separation{neighborhood, Falloff::kNearestFade, Coincident::kSkip}});
  archetype.terms.push_back(
      {.weight = 1.0f, .behavior = Separation{neighborhood, Falloff::kLinear}});
  return archetype;
}

void Append(const Vec3& sum, SumBits& bits) {
  for (const float value : {sum.x, sum.y, sum.z}) {
    bits.push_back(std::bit_cast<std::uint32_t>(value));
  }
}

SumBits SumsOf(const WorldState& state, AgentId id) {
  const AgentLocation& at = *state.index.Find(id);
  const Archetype& archetype = state.populations[at.population].archetype;
  SumBits bits;
  for (std::size_t term = 0; term < archetype.terms.size(); ++term) {
    const Behavior& behavior = archetype.terms[term].behavior;
    if (NeighborhoodOf(behavior) == nullptr) continue;
    const NeighborSums sums = state.neighbors.Sums(at.population, term, at.row);
    Append(sums.Sum(0), bits);
    const auto* separation = std::get_if<Separation>(&behavior);
    if (separation == nullptr) {
      bits.push_back(sums.count[0]);
    } else if (separation->falloff == Falloff::kNearestFade) {
      bits.push_back(std::bit_cast<std::uint32_t>(sums.nearest_squared[0]));
    }
  }
  return bits;
}

std::vector<SumBits> SumsWith(const Kernels& kernels,
                              const NeighborScene& scene) {
  WorldState state = StateOf(scene);
  state.kernels = &kernels;
  SerialFor serial;
  FindNeighbors(state, serial);
  std::vector<SumBits> sums;
  for (const AgentRow& agent : scene.agents) {
    sums.push_back(SumsOf(state, agent.id));
  }
  return sums;
}

void ExpectAlike(const NeighborScene& scene) {
  const std::vector<SumBits> expected =
      SumsWith(KernelsOf(SimdTarget::kScalar), scene);
  for (const SimdTarget target : kSimdTargets) {
    if (target == SimdTarget::kScalar || !CanRun(target)) continue;
    const std::vector<SumBits> sums = SumsWith(KernelsOf(target), scene);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      ASSERT_EQ(sums[i], expected[i]) << NameOf(target) << ", agent " << i;
    }
  }
}

}  // namespace meander::core
