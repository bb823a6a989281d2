#include "core/step/apply_commands.h"

#include <algorithm>
#include <variant>

#include "core/error.h"
#include "core/random/agent_random.h"
#include "core/space/wrap.h"
#include "core/state_hash.h"
#include "core/steering/start_wander.h"
#include "core/step/place_in_area.h"
#include "core/step/wander_redraws.h"

namespace meander::core {
namespace {

Target HeldTarget(const SimulationConfig& config, Target target) {
  if (target.kind == Target::Kind::kPoint) {
    target.point = HeldPlace(config, target.point);
  }
  return target;
}

// What the agent's wander starts with at this step count, as far as it was not
// given.
WanderState StartWander(const Archetype& archetype, Plane world,
                        std::uint64_t seed, std::int64_t step_count,
                        const WanderGiven& given = {}) {
  return StartWander(archetype, world, DrawWanderStart(seed, step_count),
                     given);
}

// An offset that is given beside a velocity is meant about that heading.
WanderGiven GivenBy(const NewAgent& agent) {
  WanderGiven given{.angle = agent.wander_angle,
                    .elevation = agent.wander_elevation,
                    .offset = agent.wander_offset,
                    .heading = agent.wander_heading};
  if (given.offset && !given.heading && LengthSquared(agent.velocity) > 0.0f) {
    given.heading = agent.velocity;
  }
  return given;
}

bool AllAlive(const WorldState& state, const std::vector<AgentId>& ids) {
  return std::all_of(ids.begin(), ids.end(), [&state](AgentId id) {
    return state.index.Find(id) != nullptr;
  });
}

// Applies one operation and says what became of it.
struct Applier {
  WorldState& state;
  std::int64_t tick;
  const AdmittedCommand& command;
  WanderRedraws& redraws;

  CommandOutcome operator()(const DefineArchetype& define) const {
    const Population* before = state.FindPopulation(define.archetype.id);
    const bool owes = before != nullptr &&
                      WandersOtherwise(before->archetype, define.archetype);
    PutArchetype(state, define.archetype);
    if (owes) redraws.OweAll(PlaceOf(define.archetype.id));
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const RemoveArchetype& remove) const {
    const Population* population = state.FindPopulation(remove.archetype_id);
    if (population == nullptr) return CommandOutcome::kArchetypeUnknown;
    if (population->agents.size() > 0) return CommandOutcome::kArchetypeInUse;
    redraws.Forget(PlaceOf(remove.archetype_id));
    DropArchetype(state, remove.archetype_id);
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const SpawnAgents& spawn) const {
    const std::int64_t count = SpawnCount(command.operation);
    if (count > state.config.max_agents - state.agent_count()) {
      return CommandOutcome::kWorldFull;
    }
    return std::visit(*this, spawn.placement);
  }

  CommandOutcome operator()(const std::vector<NewAgent>& agents) const {
    for (const NewAgent& agent : agents) {
      if (state.FindPopulation(agent.archetype_id) == nullptr) {
        return CommandOutcome::kArchetypeUnknown;
      }
    }
    AgentId id = command.first_agent_id;
    for (const NewAgent& agent : agents) Spawn(agent, id++, agent.position);
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const AreaPlacement& area) const {
    Population* population = state.FindPopulation(area.prototype.archetype_id);
    if (population == nullptr) return CommandOutcome::kArchetypeUnknown;
    const std::uint64_t place_seed =
        PlaceSeed(state.seed, static_cast<std::uint64_t>(command.sequence));
    population->agents.ReserveMore(static_cast<std::size_t>(area.count));
    state.index.ReserveMore(static_cast<std::size_t>(area.count));
    for (std::int64_t i = 0; i < area.count; ++i) {
      Spawn(area.prototype, command.first_agent_id + i,
            PlaceInArea(area.area, state.config, place_seed,
                        static_cast<std::uint64_t>(i)));
    }
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const DespawnAgents& despawn) const {
    if (!AllAlive(state, despawn.agent_ids)) return CommandOutcome::kAgentGone;
    for (const AgentId id : despawn.agent_ids) RemoveAgent(state, id);
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const SetTarget& set) const {
    if (!AllAlive(state, set.agent_ids)) return CommandOutcome::kAgentGone;
    for (const AgentId id : set.agent_ids) {
      const AgentLocation location = *state.index.Find(id);
      AgentColumns& agents = state.populations[location.population].agents;
      SubtractColdMix(state, location);
      agents.SetTarget(location.row, static_cast<std::size_t>(set.slot),
                       Pack(HeldTarget(state.config, set.target)));
      AddColdMix(state, location);
    }
    ++state.cold_version;
    return CommandOutcome::kApplied;
  }

  // Gone agents come before an unknown archetype.
  CommandOutcome operator()(const SetArchetype& set) const {
    if (!AllAlive(state, set.agent_ids)) return CommandOutcome::kAgentGone;
    if (state.FindPopulation(set.archetype_id) == nullptr) {
      return CommandOutcome::kArchetypeUnknown;
    }
    for (const AgentId id : set.agent_ids) Change(id, set.archetype_id);
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const SetMotion& set) const {
    const bool all_alive = std::all_of(
        set.motions.begin(), set.motions.end(), [this](const AgentMotion& m) {
          return state.index.Find(m.agent_id) != nullptr;
        });
    if (!all_alive) return CommandOutcome::kAgentGone;
    for (const AgentMotion& motion : set.motions) {
      const AgentLocation location = *state.index.Find(motion.agent_id);
      AgentColumns& agents = state.populations[location.population].agents;
      if (motion.position) {
        agents.SetPosition(location.row,
                           HeldPlace(state.config, *motion.position));
      }
      if (motion.velocity) {
        agents.SetVelocity(location.row,
                           Flatten(*motion.velocity, state.config.plane));
      }
    }
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const ApplyImpulse& push) const {
    if (!AllAlive(state, push.agent_ids)) return CommandOutcome::kAgentGone;
    const Vec3 impulse = Flatten(push.impulse, state.config.plane);
    for (const AgentId id : push.agent_ids) {
      const AgentLocation location = *state.index.Find(id);
      Population& population = state.populations[location.population];
      const Vec3 change = impulse / population.archetype.mass;
      population.agents.SetVelocity(
          location.row,
          ClampLength(population.agents.Velocity(location.row) + change,
                      kMaxCommandedSpeed));
    }
    return CommandOutcome::kApplied;
  }

  CommandOutcome operator()(const SetCellSize& set) const {
    state.config.cell_size = set.cell_size;
    state.config_mix = MixConfig(state.config, state.seed);
    return CommandOutcome::kApplied;
  }

  // Whether agents need other wander state when they change from one to the
  // other.
  static bool WandersOtherwise(const Archetype& from, const Archetype& to) {
    return WanderFormOf(from) != WanderFormOf(to);
  }

  // The place in `populations`. Precondition: the archetype is defined.
  std::uint32_t PlaceOf(ArchetypeId id) const {
    return static_cast<std::uint32_t>(
        state.population_of[static_cast<std::size_t>(id)]);
  }

  void Change(AgentId id, ArchetypeId archetype) const {
    const AgentLocation from = *state.index.Find(id);
    Population& before = state.populations[from.population];
    if (redraws.Owes(from.population, id)) {
      RedrawWander(state, before, from.row, tick);
      redraws.Settle(from.population, id);
    }
    const bool anew = WandersOtherwise(
        before.archetype, state.FindPopulation(archetype)->archetype);
    MoveAgent(state, id, archetype);
    const AgentLocation to = *state.index.Find(id);
    if (anew) {
      RedrawWander(state, state.populations[to.population], to.row, tick);
    }
    redraws.Settle(to.population, id);
  }

  void Spawn(const NewAgent& agent, AgentId id, const Vec3& position) const {
    const std::uint64_t seed =
        agent.seed
            ? *agent.seed
            : DeriveAgentSeed(state.seed, static_cast<std::uint64_t>(id));
    const Vec3 velocity = Flatten(agent.velocity, state.config.plane);
    const Vec3 first_axis = AxesOf(state.config.plane).first;
    const Archetype& archetype =
        state.FindPopulation(agent.archetype_id)->archetype;
    AgentRow row{
        .id = id,
        .position = HeldPlace(state.config, position),
        .velocity = velocity,
        .wander =
            StartWander(archetype, state.config.plane, seed, 0, GivenBy(agent)),
        .facing = UnitVector(
            Flatten(agent.facing.value_or(velocity), state.config.plane),
            first_axis),
        .groups = agent.groups,
        .seed = seed,
        .tag = agent.tag,
        .spawn_tick = tick,
        .targets = agent.targets,
    };
    for (Target& target : row.targets)
      target = HeldTarget(state.config, target);
    AddAgent(state, agent.archetype_id, row);
    redraws.Settle(PlaceOf(agent.archetype_id), id);
  }
};

}  // namespace

void ApplyCommands(WorldState& state, std::int64_t tick,
                   std::span<const AdmittedCommand> commands,
                   std::span<CommandOutcome> outcomes) {
  MEANDER_CHECK(commands.size() == outcomes.size());
  if (commands.empty()) return;
  WanderRedraws redraws;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const AdmittedCommand& command = commands[i];
    MEANDER_CHECK(command.apply_tick == tick);
    outcomes[i] =
        std::visit(Applier{state, tick, command, redraws}, command.operation);
  }
  redraws.PayAll(state, tick);
  Settle(state);
}

}  // namespace meander::core
