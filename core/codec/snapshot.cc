#include "core/codec/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/codec/agents_codec.h"
#include "core/codec/archetype_codec.h"
#include "core/codec/byte_io.h"
#include "core/codec/check_agents.h"
#include "core/codec/config_codec.h"
#include "core/codec/corrupt.h"
#include "core/math/float_environment.h"

namespace meander::core {
namespace {

constexpr std::string_view kMagic = "MEANDERS";
constexpr std::uint32_t kFormat = 5;

std::uint64_t Checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
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
  std::string after;
  ByteWriter after_out(after);
  EncodeAdmission(admission, after_out);
  EncodeAgents(state, after.size() + sizeof(std::uint64_t), out);
  out.PutAll(std::span<const char>(after));
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
