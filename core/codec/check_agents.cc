#include "core/codec/check_agents.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/archetype.h"
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

// What the square of a unit vector's length may differ from 1.
constexpr float kUnitRounding = 1.0e-4f;

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

// The fast way through valid agents: each test is passed by no agent that
// CheckAgent refuses, and looks at a run of rows as columns. What does not pass
// is for CheckAgent to judge.
class Sieve {
 public:
  static constexpr std::size_t kRows = 256;

  Sieve(const WorldState& state, const DecodedAgents& agents,
        AgentId next_agent_id)
      : state_(state),
        agents_(agents),
        next_agent_id_(next_agent_id),
        plane_(state.config.plane),
        wrap_(WrapOf(state.config)) {}

  // Of at most kRows rows of one archetype.
  bool Pass(std::size_t first, std::size_t rows) const {
    const ArchetypeId archetype = agents_.archetype_id[first];
    if (archetype < 1 || archetype > kMaxArchetypeId) return false;
    const Population* population = state_.FindPopulation(archetype);
    return population != nullptr && IdsPass(first, rows) &&
           StepsPass(first, rows) &&
           PlacesPass(agents_.position, first, rows) &&
           VelocitiesPass(population->archetype, first, rows) &&
           DirectionsPass(agents_.facing, plane_, first, rows) &&
           WandersPass(population->archetype, first, rows) &&
           TargetsPass(first, rows);
  }

 private:
  template <typename T>
  using Rows = std::array<T, kRows>;

  template <typename T>
  static Rows<T> RowsOf(const DecodedColumn<T>& column, std::size_t first,
                        std::size_t rows) {
    Rows<T> values;
    column.Copy(first, rows, values.data());
    return values;
  }

  static bool IsZero(const DecodedColumn<float>& column, std::size_t first,
                     std::size_t rows) {
    if (!column.each) return column.IsZero();
    const Rows<float> values = RowsOf(column, first, rows);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      bits |= std::bit_cast<std::uint32_t>(values[i]);
    }
    return bits == 0;
  }

  bool IdsPass(std::size_t first, std::size_t rows) const {
    AgentId before = first == 0 ? 0 : agents_.id[first - 1];
    const Rows<AgentId> ids = RowsOf(agents_.id, first, rows);
    bool pass = ids[rows - 1] < next_agent_id_;
    for (std::size_t i = 0; i < rows; ++i) {
      pass &= before < ids[i];
      before = ids[i];
    }
    return pass;
  }

  bool StepsPass(std::size_t first, std::size_t rows) const {
    const Rows<std::int64_t> steps = RowsOf(agents_.step_count, first, rows);
    bool pass = true;
    for (std::size_t i = 0; i < rows; ++i) {
      pass &= steps[i] >= 1;
      pass &= steps[i] <= state_.tick;
    }
    return pass;
  }

  // Of one axis.
  static bool Between(const DecodedColumn<float>& column, float low, float high,
                      std::size_t first, std::size_t rows) {
    const Rows<float> values = RowsOf(column, first, rows);
    bool pass = true;
    for (std::size_t i = 0; i < rows; ++i) {
      pass &= values[i] >= low;
      pass &= values[i] <= high;
    }
    return pass;
  }
  // The upper face of an axis that wraps is its lower one.
  static bool CoordinatesPass(const DecodedColumn<float>& column, float low,
                              float high, const WrapAxis& axis,
                              std::size_t first, std::size_t rows) {
    if (!Between(column, low, high, first, rows)) return false;
    if (!axis.Wraps()) return true;
    const Rows<float> values = RowsOf(column, first, rows);
    bool pass = true;
    for (std::size_t i = 0; i < rows; ++i) pass &= values[i] < axis.high;
    return pass;
  }
  bool PlacesPass(const DecodedVectors& places, std::size_t first,
                  std::size_t rows) const {
    const Vec3& low = state_.config.bounds_min;
    const Vec3& high = state_.config.bounds_max;
    return IsFlatThere(places, plane_, first, rows) &&
           CoordinatesPass(places.x, low.x, high.x, wrap_.x, first, rows) &&
           CoordinatesPass(places.y, low.y, high.y, wrap_.y, first, rows) &&
           CoordinatesPass(places.z, low.z, high.z, wrap_.z, first, rows);
  }

  static bool IsFlatThere(const DecodedVectors& vectors, Plane plane,
                          std::size_t first, std::size_t rows) {
    const Vec3 axes = PlaneMask(plane);
    return (axes.x != 0.0f || IsZero(vectors.x, first, rows)) &&
           (axes.y != 0.0f || IsZero(vectors.y, first, rows)) &&
           (axes.z != 0.0f || IsZero(vectors.z, first, rows));
  }

  // pass(|v|^2) for each.
  template <typename Passes>
  static bool SquaresPass(const DecodedVectors& vectors, std::size_t first,
                          std::size_t rows, Passes passes) {
    const Rows<float> x = RowsOf(vectors.x, first, rows);
    const Rows<float> y = RowsOf(vectors.y, first, rows);
    const Rows<float> z = RowsOf(vectors.z, first, rows);
    bool pass = true;
    for (std::size_t i = 0; i < rows; ++i) {
      pass &= passes(LengthSquared(Vec3{x[i], y[i], z[i]}));
    }
    return pass;
  }

  bool VelocitiesPass(const Archetype& archetype, std::size_t first,
                      std::size_t rows) const {
    // Half of what rounding is given, which is more than what a square in
    // binary32 is wrong by, but for one that is next to nothing.
    constexpr float kHalfRounded = 1.000005f;
    constexpr float kLeast = 1.0e-3f;
    const bool slows = archetype.overspeed_time_constant > 0.0f;
    const float most =
        archetype.external || slows ? kMaxCommandedSpeed : archetype.max_speed;
    if (most < kLeast) return IsAllZero(agents_.velocity, first, rows);
    const float limit = kHalfRounded * most * (kHalfRounded * most);
    return IsFlatThere(agents_.velocity, plane_, first, rows) &&
           SquaresPass(agents_.velocity, first, rows,
                       [limit](float square) { return square <= limit; });
  }

  static bool DirectionsPass(const DecodedVectors& vectors, Plane plane,
                             std::size_t first, std::size_t rows) {
    return IsFlatThere(vectors, plane, first, rows) &&
           SquaresPass(vectors, first, rows, [](float square) {
             return std::fabs(square - 1.0f) <= kUnitRounding;
           });
  }

  bool WandersPass(const Archetype& archetype, std::size_t first,
                   std::size_t rows) const {
    const WanderForm form = WanderFormOf(archetype);
    if (form != WanderForm::kWorldAngle && form != WanderForm::kSpherical) {
      const Rows<std::uint32_t> turns =
          RowsOf(agents_.wander_turn, first, rows);
      std::uint32_t bits = 0;
      for (std::size_t i = 0; i < rows; ++i) bits |= turns[i];
      if (bits != 0) return false;
    }
    const bool elevations_pass =
        form == WanderForm::kSpherical
            ? Between(agents_.wander_elevation, -kHalfPi, kHalfPi, first, rows)
            : IsZero(agents_.wander_elevation, first, rows);
    if (!elevations_pass) return false;
    if (form == WanderForm::kHeadingOffset) {
      const Plane plane = WanderPlaneOf(archetype, plane_);
      return DirectionsPass(agents_.wander_offset, plane, first, rows) &&
             DirectionsPass(agents_.wander_heading, plane, first, rows);
    }
    return IsAllZero(agents_.wander_offset, first, rows) &&
           IsAllZero(agents_.wander_heading, first, rows);
  }

  static bool IsAllZero(const DecodedVectors& vectors, std::size_t first,
                        std::size_t rows) {
    return IsZero(vectors.x, first, rows) && IsZero(vectors.y, first, rows) &&
           IsZero(vectors.z, first, rows);
  }

  // Slots that are not set, set by all to points, or by all to agents.
  bool TargetsPass(std::size_t first, std::size_t rows) const {
    return std::all_of(agents_.slots.begin(), agents_.slots.end(),
                       [=, this](const DecodedSlot& slot) {
                         return SlotPasses(slot, first, rows);
                       });
  }
  bool SlotPasses(const DecodedSlot& slot, std::size_t first,
                  std::size_t rows) const {
    if (slot.IsUnset()) return true;
    const Rows<std::uint8_t> kinds = RowsOf(slot.kind, first, rows);
    if (!std::all_of(
            kinds.begin(), kinds.begin() + rows,
            [&kinds](std::uint8_t kind) { return kind == kinds[0]; })) {
      return false;
    }
    const Rows<AgentId> ids = RowsOf(slot.agent, first, rows);
    if (kinds[0] == static_cast<std::uint8_t>(Target::Kind::kPoint)) {
      return std::all_of(ids.begin(), ids.begin() + rows,
                         [](AgentId id) { return id == 0; }) &&
             PlacesPass(slot.point, first, rows);
    }
    // Told or not.
    const unsigned kind = kinds[0] & (DecodedAgents::kLossToldBit - 1u);
    const bool agent = kind == static_cast<unsigned>(Target::Kind::kAgent);
    const bool none = kind == static_cast<unsigned>(Target::Kind::kNone);
    if (!(agent || none) || !IsAllZero(slot.point, first, rows)) return false;
    const AgentId least = agent ? 1 : 0;
    const AgentId end = agent ? next_agent_id_ : 1;
    return std::all_of(ids.begin(), ids.begin() + rows,
                       [=](AgentId id) { return id >= least && id < end; });
  }

  const WorldState& state_;
  const DecodedAgents& agents_;
  const AgentId next_agent_id_;
  const Plane plane_;
  const Wrap wrap_;
};

}  // namespace

bool IsFlat(const Vec3& value, Plane plane) {
  using Bits = std::array<std::uint32_t, 3>;
  return std::bit_cast<Bits>(Flatten(value, plane)) ==
         std::bit_cast<Bits>(value);
}

std::optional<Error> CheckAgents(const WorldState& state,
                                 const DecodedAgents& agents,
                                 AgentId next_agent_id) {
  const Sieve sieve(state, agents, next_agent_id);
  for (std::size_t first = 0; first < agents.rows;) {
    const std::size_t most = std::min(agents.rows, first + Sieve::kRows);
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
