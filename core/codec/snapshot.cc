#include "core/codec/snapshot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/codec/byte_io.h"
#include "core/codec/command_codec.h"
#include "core/codec/config_codec.h"
#include "core/codec/corrupt.h"
#include "core/math/float_environment.h"
#include "core/math/vec3.h"
#include "core/space/wrap.h"

namespace meander::core {
namespace {

constexpr std::string_view kMagic = "MEANDERS";
constexpr std::uint32_t kFormat = 2;

// A velocity cut to max_speed may exceed it by rounding.
constexpr float kRoundedSpeed = 1.00001f;
constexpr float kAnySpeed = kRoundedSpeed * kMaxSpeedOrForce;

// Bytes that each thing takes at least; bounds what a count may allocate.
constexpr std::size_t kArchetypeBytes = 4 + 4 + 4 + 4 + 1 + 1;
constexpr std::size_t kTargetBytes = 1 + 3 * 4 + 8;
constexpr std::size_t kAgentBytes =
    8 + 4 + 6 * 4 + 4 + 8 + 8 + 8 + kTargetSlots * kTargetBytes;

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

void EncodeAgents(const WorldState& state, ByteWriter& out) {
  using P = const Population&;
  using R = std::uint32_t;
  out.Put(std::uint64_t{state.index.size()});
  PutColumn(state, out, [](P p, R r) { return p.agents.id[r]; });
  PutColumn(state, out, [](P p, R) { return p.archetype.id; });
  PutColumn(state, out, [](P p, R r) { return p.agents.position_x[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.position_y[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.position_z[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.velocity_x[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.velocity_y[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.velocity_z[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.wander_turn[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.seed[r]; });
  PutColumn(state, out, [](P p, R r) { return p.agents.tag[r]; });
  PutColumn(state, out, [&state](P p, R r) {
    return state.tick - p.agents.spawn_tick[r] + 1;
  });
  for (std::size_t s = 0; s < kTargetSlots; ++s) {
    const auto put = [&](auto get) {
      PutColumn(state, out,
                [&](P p, R r) { return get(p.agents.targets[r][s]); });
    };
    put([](const Target& t) { return static_cast<std::uint8_t>(t.kind); });
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
  std::array<std::vector<float>, 6> motion;
  std::vector<std::uint32_t> wander_turn;
  std::vector<std::uint64_t> seed, tag;
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
  GetColumn(in, rows, agents.seed);
  GetColumn(in, rows, agents.tag);
  GetColumn(in, rows, agents.step_count);
  agents.targets.resize(rows);
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const auto each = [&](auto set) {
      for (TargetSlots& targets : agents.targets) set(targets[slot]);
    };
    each([&in](Target& t) {
      const auto kind = in.Get<std::uint8_t>();
      if (kind > static_cast<std::uint8_t>(Target::Kind::kAgent)) in.Fail();
      t.kind = static_cast<Target::Kind>(kind);
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
  return agent;
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

// How fast an agent can be after a step.
float FastestOf(const Archetype& archetype) {
  return kRoundedSpeed *
         (archetype.external ? kMaxCommandedSpeed : archetype.max_speed);
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
  const float most = FastestOf(population->archetype);
  if (LengthSquared(agent.velocity) > most * most) {
    return Corrupt("has an agent that is faster than its archetype");
  }
  if (!IsFlat(agent, state.config.plane)) {
    return Corrupt("has an agent with stray bits");
  }
  if (!IsWrapped(agent, state.config)) {
    return Corrupt("has a place on an upper face of bounds that wrap");
  }
  for (const Target& target : agent.targets) {
    if (target.agent >= next_agent_id) {
      return Corrupt("has a target that was never spawned");
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
              .wander_turn = agents.wander_turn[row],
              .seed = agents.seed[row],
              .tag = agents.tag[row],
              .spawn_tick = state.tick - agents.step_count[row] + 1,
              .targets = agent.targets});
  }
  return std::nullopt;
}

std::optional<Error> DecodeArchetypes(ByteReader& in, WorldState& state) {
  const std::size_t count = in.GetCount(kArchetypeBytes);
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
