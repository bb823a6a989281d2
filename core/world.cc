#include "core/world.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/math/trig.h"
#include "core/step/step_world.h"

namespace meander::core {
namespace {

WorldState EmptyState(const SimulationConfig& config, std::uint64_t seed) {
  WorldState state;
  state.config = config;
  state.seed = seed;
  return state;
}

void CopyMotionRow(const AgentColumns& agents, std::size_t row, AgentId id,
                   std::size_t to, MotionColumns& out) {
  out.id[to] = id;
  out.position_x[to] = agents.position_x[row];
  out.position_y[to] = agents.position_y[row];
  out.position_z[to] = agents.position_z[row];
  out.velocity_x[to] = agents.velocity_x[row];
  out.velocity_y[to] = agents.velocity_y[row];
  out.velocity_z[to] = agents.velocity_z[row];
  out.facing_x[to] = agents.facing_x[row];
  out.facing_y[to] = agents.facing_y[row];
  out.facing_z[to] = agents.facing_z[row];
  const WanderState wander = agents.Wander(row);
  out.wander_turn[to] = wander.turn;
  out.wander_elevation[to] = wander.elevation;
  out.wander_offset_x[to] = wander.offset.x;
  out.wander_offset_y[to] = wander.offset.y;
  out.wander_offset_z[to] = wander.offset.z;
  out.wander_heading_x[to] = wander.heading.x;
  out.wander_heading_y[to] = wander.heading.y;
  out.wander_heading_z[to] = wander.heading.z;
}

}  // namespace

World::World(const SimulationConfig& config, std::uint64_t seed)
    : World(EmptyState(config, seed)) {}

World::World(WorldState state) : state_(std::move(state)) {
  MEANDER_CHECK(Validate(state_.config, "").empty());
  state_.config = Normalized(state_.config);
  RebuildCaches(state_);
}

void World::UseSimd(SimdTarget target) {
  MEANDER_CHECK(CanRun(target));
  state_.kernels = &KernelsOf(target);
}

void World::Step(std::span<const AdmittedCommand> commands,
                 std::span<CommandOutcome> outcomes, ParallelFor& parallel) {
  StepWorld(state_, commands, outcomes, parallel);
}

void World::AdvanceEmpty(std::int64_t ticks) {
  MEANDER_CHECK(agent_count() == 0 && ticks >= 0);
  state_.tick += ticks;
  state_.events.clear();
}

std::int32_t World::archetype_count() const {
  return static_cast<std::int32_t>(state_.archetype_count());
}

float World::LargestNeighborRadius() const {
  float largest = 0.0f;
  ForEachArchetype(state_, [&largest](const Archetype& archetype) {
    for (const Term& term : archetype.terms) {
      const Neighborhood* around = NeighborhoodOf(term.behavior);
      if (around != nullptr) largest = std::max(largest, around->radius);
    }
  });
  return largest;
}

StateHash World::Hash(ParallelFor& parallel) const {
  return HashState(state_, parallel);
}

std::optional<AgentState> World::Find(AgentId id) const {
  const AgentLocation* found = state_.index.Find(id);
  if (found == nullptr) return std::nullopt;
  const Population& population = state_.populations[found->population];
  const AgentRow row = population.agents.Row(found->row);
  return AgentState{
      .id = row.id,
      .archetype_id = population.archetype.id,
      .position = row.position,
      .velocity = row.velocity,
      .seed = row.seed,
      .tag = row.tag,
      .step_count = state_.tick - row.spawn_tick + 1,
      .targets = row.targets,
      .groups = row.groups,
      .facing = row.facing,
      .wander_angle = RadiansFromTurn(row.wander.turn),
      .wander_elevation = row.wander.elevation,
      .wander_offset = row.wander.offset,
      .wander_heading = row.wander.heading,
  };
}

void World::CopyMotion(MotionColumns& out) const {
  out.Resize(state_.index.size());
  std::size_t i = 0;
  state_.index.ForEach([&](AgentId id, const AgentLocation& from) {
    CopyMotionRow(state_.populations[from.population].agents, from.row, id, i,
                  out);
    ++i;
  });
}

void World::CopyCold(ColdColumns& out) const {
  out.Resize(state_.index.size());
  std::size_t i = 0;
  state_.index.ForEach([&](AgentId, const AgentLocation& from) {
    const Population& population = state_.populations[from.population];
    out.archetype_id[i] = population.archetype.id;
    out.seed[i] = population.agents.seed[from.row];
    out.tag[i] = population.agents.TagOf(from.row);
    out.groups[i] = population.agents.groups[from.row];
    out.spawn_tick[i] = population.agents.spawn_tick[from.row];
    for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
      out.targets[i][slot] = Unpack(population.agents.TargetAt(from.row, slot));
    }
    ++i;
  });
  // Each in place of another, so that what is allocated for terms is kept.
  out.archetypes.resize(state_.archetype_count());
  std::size_t place = 0;
  ForEachArchetype(state_, [&](const Archetype& archetype) {
    out.archetypes[place++] = archetype;
  });
}

}  // namespace meander::core
