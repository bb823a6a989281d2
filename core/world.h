// An authoritative world of steering agents: a pure function of its config,
// its seed and the commands that it was stepped with.
//
// Equal inputs give equal bits of every column at every tick, on any machine,
// for any number of lent threads. Commands of tick t are applied first in the
// step that produces t, so a world is at tick 0 before its first step. Not
// thread-safe: one thread at a time, but const methods may run side by side.
#ifndef MEANDER_CORE_WORLD_H_
#define MEANDER_CORE_WORLD_H_

#include <cstdint>
#include <optional>
#include <span>

#include "core/agent_state.h"
#include "core/command.h"
#include "core/event.h"
#include "core/parallel_for.h"
#include "core/simd/simd_target.h"
#include "core/simulation_config.h"
#include "core/state_hash.h"
#include "core/world_state.h"

namespace meander::core {

// Names the meaning of a tick. It changes whenever a golden hash does.
inline constexpr std::uint32_t kSimulationVersion = 5;

class World {
 public:
  // An empty world at tick 0. Precondition: Validate(config, "") is empty.
  World(const SimulationConfig& config, std::uint64_t seed);

  // A world that goes on from `state`, as a snapshot decoder makes it; caches
  // are made anew. Preconditions: the config is valid, each agent is where the
  // index says, of valid numbers.
  explicit World(WorldState state);

  // Computes with the kernels of this target from now on, instead of the
  // fastest; no bit changes. Precondition: CanRun(target).
  void UseSimd(SimdTarget target);
  SimdTarget simd() const { return state_.kernels->target; }

  // Advances one tick: applies `commands` in their order, then moves every
  // agent. Preconditions: each command is valid for config(), its apply_tick
  // is tick() + 1, its sequence above that of the one before, and the ids it
  // spawns were never used. outcomes[i] tells what became of commands[i]; both
  // have the same length. Where `parallel` was abandoned meanwhile, the world
  // is good for nothing but to be destroyed.
  void Step(std::span<const AdmittedCommand> commands,
            std::span<CommandOutcome> outcomes, ParallelFor& parallel);
  // Without commands.
  void Step(ParallelFor& parallel) { Step({}, {}, parallel); }

  // The same as so many steps without commands of a world without agents.
  // Preconditions: there is no agent; `ticks` is not negative.
  void AdvanceEmpty(std::int64_t ticks);

  // As it is at tick(): commands may have changed cell_size.
  const SimulationConfig& config() const { return state_.config; }
  std::uint64_t seed() const { return state_.seed; }
  std::int64_t tick() const { return state_.tick; }
  std::int64_t agent_count() const { return state_.agent_count(); }
  std::int32_t archetype_count() const;
  // The largest radius within which an archetype's terms look for neighbors; 0
  // when none looks for any. Visits all archetypes.
  float LargestNeighborRadius() const;
  // Changes, but for a collision of 64 bits, whenever archetypes do.
  std::uint64_t archetypes_mix() const { return state_.archetypes_mix; }
  // Times an agent was stopped at a face of open bounds.
  std::int64_t bound_stops() const { return state_.bound_stops; }

  // What the step that produced tick() tells, in ascending order of agent id,
  // then slot. Valid until the next step; none in a world that was restored.
  std::span<const Event> events() const { return state_.events; }

  // Hash of the whole state; see state_hash.h.
  StateHash Hash(ParallelFor& parallel) const;

  // One agent; none when it is not alive.
  std::optional<AgentState> Find(AgentId id) const;

  // Copies columns of all agents, and all archetypes, in ascending order of id.
  // Motion in pieces, so that several threads may take part.
  void CopyMotion(MotionColumns& out) const;
  void CopyMotion(MotionDetail detail, MotionColumns& out,
                  ParallelFor& parallel) const;
  void CopyCold(ColdColumns& out) const;
  // Changes whenever CopyCold, or the set of agents, would differ.
  std::uint64_t cold_version() const { return state_.cold_version; }

  const WorldState& state() const { return state_; }

 private:
  WorldState state_;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_WORLD_H_
