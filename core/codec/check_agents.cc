#include "core/codec/check_agents.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/archetype.h"
#include "core/codec/agent_sieve.h"
#include "core/codec/corrupt.h"
#include "core/command.h"
#include "core/math/trig.h"
#include "core/space/wrap.h"
#include "core/steering/start_wander.h"

namespace meander::core {
namespace {

// A velocity cut to max_speed may exceed it by rounding.
constexpr float kRoundedSpeed = 1.00001f;
constexpr float kAnySpeed = kRoundedSpeed * kMaxSpeedOrForce;

// An agent as the command that would spawn it: what is not valid there is not
// valid here.
NewAgent AsNewAgent(const DecodedAgents& agents, std::size_t row) {
  NewAgent agent;
  agent.archetype_id = agents.archetype_id[row];
  agent.position = agents.position[row];
  agent.velocity = agents.velocity[row];
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    agent.targets[slot] = agents.TargetAt(row, slot);
    agent.targets[slot].loss_told = false;
  }
  return agent;
}

bool IsFlat(const NewAgent& agent, Plane plane) {
  return IsFlat(agent.position, plane) && IsFlat(agent.velocity, plane) &&
         std::all_of(
             agent.targets.begin(), agent.targets.end(),
             [plane](const Target& t) { return IsFlat(t.point, plane); });
}

// The upper faces of bounds that wrap are the lower ones.
bool IsWrapped(const NewAgent& agent, const SimulationConfig& config) {
  const Wrap wrap = WrapOf(config);
  const auto wrapped = [&wrap](const Vec3& place) {
    return WrapPlace(wrap, place) == place;
  };
  return wrapped(agent.position) &&
         std::all_of(agent.targets.begin(), agent.targets.end(),
                     [&wrapped](const Target& t) {
                       return t.kind != Target::Kind::kPoint ||
                              wrapped(t.point);
                     });
}

// A unit vector of the plane, to rounding.
bool IsDirection(const Vec3& vector, Plane plane) {
  return IsFinite(vector) && IsFlat(vector, plane) &&
         std::fabs(LengthSquared(vector) - 1.0f) <= kUnitRounding;
}

bool IsElevation(float value) {
  return IsFinite(value) && std::fabs(value) <= kHalfPi;
}

// Whether the state is one that an agent with such a wander can have; what the
// form does not use is 0, as bits.
bool IsWander(const WanderState& wander, const Archetype& archetype,
              Plane world) {
  const WanderForm form = WanderFormOf(archetype);
  const Plane plane = WanderPlaneOf(archetype, world);
  const bool turns =
      form == WanderForm::kWorldAngle || form == WanderForm::kSpherical;
  const bool elevation_fits =
      form == WanderForm::kSpherical
          ? IsElevation(wander.elevation)
          : std::bit_cast<std::uint32_t>(wander.elevation) == 0;
  const bool vectors_fit =
      form == WanderForm::kHeadingOffset
          ? IsDirection(wander.offset, plane) &&
                IsDirection(wander.heading, plane)
          : IsPositiveZero(wander.offset) && IsPositiveZero(wander.heading);
  return (turns || wander.turn == 0) && elevation_fits && vectors_fit;
}

// Whether no step of the archetype leaves an agent with this velocity, which is
// at most kAnySpeed long.
bool IsTooFast(const Archetype& archetype, const Vec3& velocity) {
  const bool slows = archetype.overspeed_time_constant > 0.0f;
  const float most =
      kRoundedSpeed *
      (archetype.external || slows ? kMaxCommandedSpeed : archetype.max_speed);
  const Vec3 limited = Flatten(velocity, archetype.force_plane);
  // In double, where no square of a binary32 rounds to a few bits.
  const double x = limited.x;
  const double y = limited.y;
  const double z = limited.z;
  const double limit = most;
  return x * x + y * y + z * z > limit * limit;
}

std::optional<Error> CheckAgent(const WorldState& state,
                                const DecodedAgents& agents, std::size_t row,
                                AgentId next_agent_id) {
  const AgentId id = agents.id[row];
  const AgentId before = row == 0 ? 0 : agents.id[row - 1];
  if (id <= before || id >= next_agent_id) {
    return Corrupt("has agent ids that do not ascend below the next id");
  }
  const std::int64_t steps = agents.step_count[row];
  if (steps < 1 || steps > state.tick) {
    return Corrupt("has an agent that lived longer than its world");
  }
  const NewAgent agent = AsNewAgent(agents, row);
  Violations violations = Validate(agent, state.config, "agent", kAnySpeed);
  if (!violations.empty()) return CorruptField(violations.front());
  const Population* population = state.FindPopulation(agent.archetype_id);
  if (population == nullptr) {
    return Corrupt("has an agent of an unknown archetype");
  }
  if (IsTooFast(population->archetype, agent.velocity)) {
    return Corrupt("has an agent that is faster than its archetype");
  }
  if (!IsFlat(agent, state.config.plane)) {
    return Corrupt("has an agent with stray bits");
  }
  if (!IsWrapped(agent, state.config)) {
    return Corrupt("has a place on an upper face of bounds that wrap");
  }
  if (!IsDirection(agents.facing[row], state.config.plane)) {
    return Corrupt("has an agent that faces nowhere");
  }
  if (!IsWander(agents.Wander(row), population->archetype,
                state.config.plane)) {
    return Corrupt("has an agent whose wander state is not of its archetype");
  }
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const Target target = agents.TargetAt(row, slot);
    if (target.agent >= next_agent_id) {
      return Corrupt("has a target that was never spawned");
    }
    if (target.loss_told && target.kind == Target::Kind::kPoint) {
      return Corrupt("tells of the loss of a point");
    }
  }
  return std::nullopt;
}

}  // namespace

bool IsFlat(const Vec3& value, Plane plane) {
  using Bits = std::array<std::uint32_t, 3>;
  return std::bit_cast<Bits>(Flatten(value, plane)) ==
         std::bit_cast<Bits>(value);
}

std::optional<Error> CheckAgents(const WorldState& state,
                                 const DecodedAgents& agents,
                                 AgentId next_agent_id) {
  const AgentSieve sieve(state, agents, next_agent_id);
  for (std::size_t first = 0; first < agents.rows;) {
    const std::size_t most = std::min(agents.rows, first + AgentSieve::kRows);
    std::size_t end = first + 1;
    while (end < most &&
           agents.archetype_id[end] == agents.archetype_id[first]) {
      ++end;
    }
    if (!sieve.Pass(first, end - first)) {
      for (std::size_t row = first; row < end; ++row) {
        auto error = CheckAgent(state, agents, row, next_agent_id);
        if (error) return error;
      }
    }
    first = end;
  }
  return std::nullopt;
}

}  // namespace meander::core
