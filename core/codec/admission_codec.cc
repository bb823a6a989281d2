#include "core/codec/admission_codec.h"

#include <span>
#include <string>
#include <utility>
#include <variant>

#include "core/codec/command_codec.h"
#include "core/codec/corrupt.h"
#include "core/references.h"

namespace meander::core {
namespace {

// Bytes that a record with its length takes at least; bounds what a count may
// allocate.
constexpr std::size_t kRecordBytes = 8 + 2 + 3 * 8;

bool Has(const ArchetypeSet& archetypes, const Archetype& archetype) {
  return archetypes.test(static_cast<std::size_t>(archetype.id));
}

// What admission would have refused, or given other numbers.
std::optional<Error> CheckPending(const AdmittedCommand& command,
                                  const WorldState& state,
                                  const Admission& admission) {
  const std::int64_t before =
      admission.pending.empty() ? 0 : admission.pending.back().sequence;
  if (command.sequence <= before ||
      command.sequence >= admission.next_sequence) {
    return Corrupt("has pending commands out of sequence");
  }
  if (command.apply_tick <= state.tick || command.apply_tick > kMaxCount) {
    return Corrupt("has a pending command for a tick out of range");
  }
  const Violations violations = Validate(
      {command.apply_tick, command.operation}, state.config, "pending");
  if (!violations.empty()) return CorruptField(violations.front());
  return std::nullopt;
}

// The ids of pending spawns: given out, in the order of admission, and no
// living agent's. `free_id` is the first that no spawn before has taken.
std::optional<Error> CheckSpawnIds(const AdmittedCommand& command,
                                   const WorldState& state,
                                   AgentId next_agent_id, AgentId& free_id) {
  const std::int64_t count = SpawnCount(command.operation);
  const AgentId first = command.first_agent_id;
  if (count == 0 && first == 0) return std::nullopt;
  if (count == 0 || first < free_id || first > next_agent_id ||
      count > next_agent_id - first || state.index.HasAny(first, count)) {
    return Corrupt("has a pending spawn whose ids are not its own");
  }
  free_id = first + count;
  return std::nullopt;
}

// What pending commands name was admitted before them. The ids that were given
// out before a command lie below those of the next spawn after it.
std::optional<Error> CheckPendingReferences(const Admission& admission) {
  const std::vector<AdmittedCommand>& pending = admission.pending;
  std::vector<AgentId> next_ids(pending.size());
  AgentId next_id = admission.next_agent_id;
  for (std::size_t i = pending.size(); i-- > 0;) {
    if (pending[i].first_agent_id != 0) next_id = pending[i].first_agent_id;
    next_ids[i] = next_id;
  }
  Admitted before{.archetypes = admission.archetypes};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Operation& operation = pending[i].operation;
    before.next_agent_id = next_ids[i];
    if (const auto error = CheckReferences(operation, before, "pending")) {
      return CorruptField(*error);
    }
    const auto* define = std::get_if<DefineArchetype>(&operation);
    if (define != nullptr && !Has(before.archetypes, define->archetype)) {
      return Corrupt("has an archetype that was never admitted");
    }
  }
  return std::nullopt;
}

// Which archetypes were ever defined. Those that are there, or will be, were.
std::optional<Error> DecodeArchetypeIds(ByteReader& in, const WorldState& state,
                                        ArchetypeSet& archetypes) {
  const std::size_t count = in.GetCount(sizeof(ArchetypeId));
  ArchetypeId before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto id = in.Get<ArchetypeId>();
    if (id <= before || id > kMaxArchetypeId) {
      return Corrupt("has ids of admitted archetypes that do not ascend");
    }
    before = id;
    archetypes.set(static_cast<std::size_t>(id));
  }
  bool all = in.ok();
  ForEachArchetype(state, [&](const Archetype& archetype) {
    all = all && Has(archetypes, archetype);
  });
  if (!all) return Corrupt("has an archetype that was never admitted");
  return std::nullopt;
}

}  // namespace

void EncodeAdmission(const Admission& admission, ByteWriter& out) {
  out.Put(std::uint64_t{admission.archetypes.count()});
  for (ArchetypeId id = 1; id <= kMaxArchetypeId; ++id) {
    if (admission.archetypes.test(static_cast<std::size_t>(id))) out.Put(id);
  }
  const std::vector<AdmittedCommand>& pending = admission.pending;
  out.Put(std::uint64_t{pending.size()});
  std::string record;
  for (const AdmittedCommand& command : pending) {
    record.clear();
    EncodeCommand(command, record);
    out.Put(std::uint64_t{record.size()});
    out.PutAll(std::span<const char>(record));
  }
}

std::optional<Error> DecodeAdmission(ByteReader& in, const WorldState& state,
                                     Admission& admission) {
  if (auto error = DecodeArchetypeIds(in, state, admission.archetypes)) {
    return error;
  }
  const std::size_t count = in.GetCount(kRecordBytes);
  if (!in.ok()) return Corrupt("is cut short in its pending commands");
  std::string record;
  AgentId free_id = 1;
  for (std::size_t i = 0; i < count; ++i) {
    record.resize(in.GetCount(1));
    in.GetAll(std::span<char>(record));
    Result<AdmittedCommand> command = DecodeCommand(record);
    if (!in.ok() || !command.ok()) {
      return Corrupt("has a pending command that is no record");
    }
    if (auto error = CheckPending(*command, state, admission)) return error;
    if (auto error =
            CheckSpawnIds(*command, state, admission.next_agent_id, free_id)) {
      return error;
    }
    admission.pending.push_back(std::move(*command));
  }
  return CheckPendingReferences(admission);
}

}  // namespace meander::core
