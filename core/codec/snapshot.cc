#include "core/codec/snapshot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/codec/archetype_codec.h"
#include "core/codec/byte_io.h"
#include "core/codec/command_codec.h"
#include "core/codec/config_codec.h"
#include "core/codec/corrupt.h"
#include "core/math/float_environment.h"
#include "core/math/trig.h"
#include "core/math/vec3.h"
#include "core/space/wrap.h"
#include "core/steering/start_wander.h"

namespace meander::core {
namespace {

constexpr std::string_view kMagic = "MEANDERS";
constexpr std::uint32_t kFormat = 4;

// Set in the kind of a target whose loss was told.
constexpr std::uint8_t kLossToldBit = 0x80;

// A velocity cut to max_speed may exceed it by rounding.
constexpr float kRoundedSpeed = 1.00001f;
constexpr float kAnySpeed = kRoundedSpeed * kMaxSpeedOrForce;

// Bytes that each thing takes at least; bounds what a count may allocate.
constexpr std::size_t kAgentBytes =
    8 + 4 + 6 * 4 + 8 * 4 + 3 * 4 + 8 + 8 + 4 + 8 + kTargetSlots * kTargetBytes;

std::uint64_t Checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

// Writes one number of every agent, in ascending order of id.
template <typename Get>
void PutColumn(const WorldState& state, ByteWriter& out, Get get) {
  using T = std::invoke_result_t<Get, const Population&, std::uint32_t>;
  std::vector<T> column;
  column.reserve(state.index.size());
  state.index.ForEach([&](AgentId, const AgentLocation& from) {
    column.push_back(get(state.populations[from.population], from.row));
  });
  out.PutAll(std::span<const T>(column));
}

using FloatColumn = Column<float> AgentColumns::*;

// Position and velocity.
constexpr std::array<FloatColumn, 6> kMotionColumns{
    &AgentColumns::position_x, &AgentColumns::position_y,
    &AgentColumns::position_z, &AgentColumns::velocity_x,
    &AgentColumns::velocity_y, &AgentColumns::velocity_z};
// What the agent's own wander and facing remember, but for the turn.
constexpr std::array<FloatColumn, 10> kOwnColumns{
    &AgentColumns::wander_elevation, &AgentColumns::wander_offset_x,
    &AgentColumns::wander_offset_y,  &AgentColumns::wander_offset_z,
    &AgentColumns::wander_heading_x, &AgentColumns::wander_heading_y,
    &AgentColumns::wander_heading_z, &AgentColumns::facing_x,
    &AgentColumns::facing_y,         &AgentColumns::facing_z};

void EncodeAgents(const WorldState& state, ByteWriter& out) {
  using P = const Population&;
  using R = std::uint32_t;
  out.Put(std::uint64_t{state.index.size()});
  PutColumn(state, out, [](P p, R r) { return p.agents.id[r]; });
  PutColumn(state, out, [](P p, R) { return p.archetype.id; });
  for (const FloatColumn column : kMotionColumns) {
    PutColumn(state, out, [column](P p, R r) { return (p.agents.*column)[r]; });
  }
  PutColumn(state, out, [](P p, R r) { return p.agents.Wander(r).turn; });
  for (const FloatColumn column : kOwnColumns) {
    PutColumn(state, out, [column](P p, R r) {
      const Column<float>& values = p.agents.*column;
      return values.empty() ? 0.0f : values[r];
    });
  }
  PutColumn(state, out, [](P p, R r) { return p.agents.seed[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.TagOf(r); });
  PutColumn(state, out, [](P p, R r) { return p.agents.groups[r]; });
  PutColumn(state, out, [&state](P p, R r) {
    return state.tick - p.agents.spawn_tick[r] + 1;
  });
  for (std::size_t s = 0; s < kTargetSlots; ++s) {
    const auto put = [&](auto get) {
      PutColumn(state, out,
                [&](P p, R r) { return get(Unpack(p.agents.TargetAt(r, s))); });
    };
    put([](const Target& t) {
      const unsigned told = t.loss_told ? kLossToldBit : 0;
      return static_cast<std::uint8_t>(static_cast<unsigned>(t.kind) | told);
    });
    put([](const Target& t) { return t.point.x; });
    put([](const Target& t) { return t.point.y; });
    put([](const Target& t) { return t.point.z; });
    put([](const Target& t) { return t.agent; });
  }
}

// The agents' columns as they stand in the bytes.
struct DecodedAgents {
  std::vector<AgentId> id;
  std::vector<ArchetypeId> archetype_id;
  std::array<std::vector<float>, kMotionColumns.size()> motion;
  std::vector<std::uint32_t> wander_turn;
  std::array<std::vector<float>, kOwnColumns.size()> own;
  std::vector<std::uint64_t> seed, tag;
  std::vector<std::uint32_t> groups;
  std::vector<std::int64_t> step_count;
  std::vector<TargetSlots> targets;
};

template <typename T>
void GetColumn(ByteReader& in, std::size_t rows, std::vector<T>& column) {
  column.resize(rows);
  in.GetAll(std::span<T>(column));
}

DecodedAgents DecodeAgentColumns(ByteReader& in) {
  DecodedAgents agents;
  const std::size_t rows = in.GetCount(kAgentBytes);
  GetColumn(in, rows, agents.id);
  GetColumn(in, rows, agents.archetype_id);
  for (std::vector<float>& column : agents.motion) GetColumn(in, rows, column);
  GetColumn(in, rows, agents.wander_turn);
  for (std::vector<float>& column : agents.own) GetColumn(in, rows, column);
  GetColumn(in, rows, agents.seed);
  GetColumn(in, rows, agents.tag);
  GetColumn(in, rows, agents.groups);
  GetColumn(in, rows, agents.step_count);
  agents.targets.resize(rows);
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const auto each = [&](auto set) {
      for (TargetSlots& targets : agents.targets) set(targets[slot]);
    };
    each([&in](Target& t) {
      const unsigned bits = in.Get<std::uint8_t>();
      const unsigned kind = bits & ~unsigned{kLossToldBit};
      if (kind > static_cast<unsigned>(Target::Kind::kAgent)) in.Fail();
      t.kind = static_cast<Target::Kind>(kind);
      t.loss_told = kind != bits;
    });
    each([&in](Target& t) { t.point.x = in.Get<float>(); });
    each([&in](Target& t) { t.point.y = in.Get<float>(); });
    each([&in](Target& t) { t.point.z = in.Get<float>(); });
    each([&in](Target& t) { t.agent = in.Get<AgentId>(); });
  }
  return agents;
}

// An agent as the command that would spawn it: what is not valid there is not
// valid here.
NewAgent AsNewAgent(const DecodedAgents& agents, std::size_t row) {
  NewAgent agent;
  const auto& m = agents.motion;
  agent.archetype_id = agents.archetype_id[row];
  agent.position = {m[0][row], m[1][row], m[2][row]};
  agent.velocity = {m[3][row], m[4][row], m[5][row]};
  agent.targets = agents.targets[row];
  for (Target& target : agent.targets) target.loss_told = false;
  return agent;
}

Vec3 FacingOf(const DecodedAgents& agents, std::size_t row) {
  const auto& own = agents.own;
  return {own[7][row], own[8][row], own[9][row]};
}

WanderState WanderOf(const DecodedAgents& agents, std::size_t row) {
  const auto& own = agents.own;
  return {.turn = agents.wander_turn[row],
          .elevation = own[0][row],
          .offset = {own[1][row], own[2][row], own[3][row]},
          .heading = {own[4][row], own[5][row], own[6][row]}};
}

// Off the plane a command may say -0; an encoder never does.
bool IsFlat(const Vec3& value, Plane plane) {
  using Bits = std::array<std::uint32_t, 3>;
  return std::bit_cast<Bits>(Flatten(value, plane)) ==
         std::bit_cast<Bits>(value);
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
  constexpr float kRounding = 1.0e-4f;
  return IsFinite(vector) && IsFlat(vector, plane) &&
         std::fabs(LengthSquared(vector) - 1.0f) <= kRounding;
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
  if (!IsDirection(FacingOf(agents, row), state.config.plane)) {
    return Corrupt("has an agent that faces nowhere");
  }
  if (!IsWander(WanderOf(agents, row), population->archetype,
                state.config.plane)) {
    return Corrupt("has an agent whose wander state is not of its archetype");
  }
  for (const Target& target : agents.targets[row]) {
    if (target.agent >= next_agent_id) {
      return Corrupt("has a target that was never spawned");
    }
    if (target.loss_told && target.kind == Target::Kind::kPoint) {
      return Corrupt("tells of the loss of a point");
    }
  }
  return std::nullopt;
}

std::optional<Error> DecodeAgents(ByteReader& in, AgentId next_agent_id,
                                  WorldState& state) {
  const DecodedAgents agents = DecodeAgentColumns(in);
  if (!in.ok()) return Corrupt("is cut short in its agents");
  if (agents.id.size() > static_cast<std::size_t>(state.config.max_agents)) {
    return Corrupt("holds more agents than its world may");
  }
  for (std::size_t row = 0; row < agents.id.size(); ++row) {
    if (auto error = CheckAgent(state, agents, row, next_agent_id)) {
      return error;
    }
    const NewAgent agent = AsNewAgent(agents, row);
    AddAgent(state, agent.archetype_id,
             {.id = agents.id[row],
              .position = agent.position,
              .velocity = agent.velocity,
              .wander = WanderOf(agents, row),
              .facing = FacingOf(agents, row),
              .groups = agents.groups[row],
              .seed = agents.seed[row],
              .tag = agents.tag[row],
              .spawn_tick = state.tick - agents.step_count[row] + 1,
              .targets = agents.targets[row]});
  }
  return std::nullopt;
}

std::optional<Error> DecodeArchetypes(ByteReader& in, WorldState& state) {
  const std::size_t count = in.GetCount(kLeastArchetypeBytes);
  ArchetypeId before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Archetype archetype = DecodeArchetype(in);
    if (!in.ok()) break;
    const Violations violations =
        Validate(archetype, state.config, "archetype");
    if (!violations.empty()) return CorruptField(violations.front());
    if (archetype.id <= before) {
      return Corrupt("has archetype ids that do not ascend");
    }
    before = archetype.id;
    PutArchetype(state, archetype);
  }
  if (!in.ok()) return Corrupt("is cut short in its archetypes");
  return std::nullopt;
}

// Magic, format, checksum and simulation version; leaves `in` after them.
std::optional<Error> CheckFrame(std::string_view bytes, ByteReader& in) {
  std::array<char, kMagic.size()> magic{};
  in.GetAll(std::span<char>(magic));
  if (!in.ok() || std::string_view(magic.data(), magic.size()) != kMagic) {
    return Corrupt("does not begin like one");
  }
  const auto format = in.Get<std::uint32_t>();
  if (!in.ok() || format != kFormat) {
    return Corrupt("has format " + std::to_string(format) +
                   "; this build reads " + std::to_string(kFormat));
  }
  ByteReader end(bytes.substr(bytes.size() - sizeof(std::uint64_t)));
  if (end.Get<std::uint64_t>() !=
      Checksum(bytes.substr(0, bytes.size() - sizeof(std::uint64_t)))) {
    return Corrupt("is cut short or changed: its checksum does not match");
  }
  const auto version = in.Get<std::uint32_t>();
  if (!in.ok()) return Corrupt("is cut short in its head");
  if (version != kSimulationVersion) {
    return Error{ErrorCode::kSimulationVersionMismatch, "",
                 "the snapshot is of simulation version " +
                     std::to_string(version) + "; this build runs version " +
                     std::to_string(kSimulationVersion)};
  }
  return std::nullopt;
}

std::optional<Error> DecodeHead(ByteReader& in, WorldState& state,
                                Admission& admission) {
  state.config = DecodeConfig(in);
  state.seed = in.Get<std::uint64_t>();
  state.tick = in.Get<std::int64_t>();
  admission.next_agent_id = in.Get<AgentId>();
  admission.next_sequence = in.Get<std::int64_t>();
  state.bound_stops = in.Get<std::int64_t>();
  if (!in.ok()) return Corrupt("is cut short in its head");
  const Violations violations = Validate(state.config, "config");
  if (!violations.empty()) return CorruptField(violations.front());
  if (!IsFlat(state.config.bounds_min, state.config.plane) ||
      !IsFlat(state.config.bounds_max, state.config.plane)) {
    return Corrupt("has bounds off its plane");
  }
  const auto counts = [](std::int64_t value, std::int64_t least) {
    return value >= least && value <= kMaxCount;
  };
  const bool open = state.config.bounds_mode == BoundsMode::kOpen;
  if (!counts(state.bound_stops, 0) || (!open && state.bound_stops != 0)) {
    return Corrupt("counts stops that cannot have been");
  }
  if (!counts(state.tick, 0) || !counts(admission.next_agent_id, 1) ||
      !counts(admission.next_sequence, 1)) {
    return Corrupt("has a tick, an id or a sequence out of range");
  }
  return std::nullopt;
}

}  // namespace

std::string EncodeSnapshot(const World& world, const Admission& admission) {
  const WorldState& state = world.state();
  std::string bytes(kMagic);
  ByteWriter out(bytes);
  out.Put(kFormat);
  out.Put(kSimulationVersion);
  EncodeConfig(state.config, out);
  out.Put(state.seed);
  out.Put(state.tick);
  out.Put(admission.next_agent_id);
  out.Put(admission.next_sequence);
  out.Put(state.bound_stops);
  out.Put(std::uint64_t{state.archetype_count()});
  ForEachArchetype(state, [&out](const Archetype& archetype) {
    EncodeArchetype(archetype, out);
  });
  EncodeAgents(state, out);
  EncodeAdmission(admission, out);
  out.Put(Checksum(bytes));
  return bytes;
}

Result<Snapshot> DecodeSnapshot(std::string_view bytes) {
  const ScopedFloatEnvironment environment;
  if (bytes.size() < kMagic.size() + sizeof(std::uint64_t)) {
    return Corrupt("is too short to be one");
  }
  ByteReader in(bytes.substr(0, bytes.size() - sizeof(std::uint64_t)));
  WorldState state;
  Admission admission;
  if (auto error = CheckFrame(bytes, in)) return *std::move(error);
  if (auto error = DecodeHead(in, state, admission)) return *std::move(error);
  if (auto error = DecodeArchetypes(in, state)) return *std::move(error);
  if (auto error = DecodeAgents(in, admission.next_agent_id, state)) {
    return *std::move(error);
  }
  if (auto error = DecodeAdmission(in, state, admission)) {
    return *std::move(error);
  }
  if (in.remaining() != 0) return Corrupt("goes on after its end");
  return Snapshot{World(std::move(state)), std::move(admission)};
}

}  // namespace meander::core
