#include "core/c_api/c_api.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/agent_state.h"
#include "core/codec/command_codec.h"
#include "core/codec/corrupt.h"
#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/error.h"
#include "core/parallel_for.h"
#include "core/references.h"
#include "core/world.h"

using meander::core::Admitted;
using meander::core::AdmittedCommand;
using meander::core::ColdColumns;
using meander::core::CommandOutcome;
using meander::core::DefineArchetype;
using meander::core::EncodeCommand;
using meander::core::Error;
using meander::core::kMaxCount;
using meander::core::MotionColumns;
using meander::core::Result;
using meander::core::SerialFor;
using meander::core::Snapshot;
using meander::core::Violations;
using meander::core::World;

// Not copied or moved: columns are given out by pointer.
struct MeanderWorld {
  struct Pending {
    AdmittedCommand command;
    std::size_t bytes;  // of its record
  };

  std::optional<World> world;
  std::string error;
  // What was admitted so far, and what of it is still to be applied, by tick.
  Admitted admitted;
  std::int64_t next_sequence = 1;
  std::multimap<std::int64_t, Pending> pending;
  std::size_t pending_bytes = 0;
  // Copies that are made when a column is asked for.
  bool copied = false;
  MotionColumns motion;
  ColdColumns cold;
};

namespace {

std::string Text(const Error& error) {
  return error.field.empty() ? error.reason : error.field + " " + error.reason;
}

template <typename Number>
std::string OutOf(std::string_view name, Number value, std::string_view limit,
                  std::int64_t wanted) {
  return std::string(name) + " is " + std::to_string(value) + "; it must be " +
         std::string(limit) + std::to_string(wanted);
}

// What admission would have refused or given other numbers; empty when it may
// be taken.
std::string CheckRecord(const AdmittedCommand& command,
                        const MeanderWorld& to) {
  if (command.sequence != to.next_sequence) {
    return OutOf("sequence", command.sequence, "", to.next_sequence);
  }
  if (command.apply_tick <= to.world->tick()) {
    return OutOf("apply_tick", command.apply_tick, "above ", to.world->tick());
  }
  if (command.apply_tick > kMaxCount) {
    return OutOf("apply_tick", command.apply_tick, "at most ", kMaxCount);
  }
  const Violations violations = Validate(
      {command.apply_tick, command.operation}, to.world->config(), "command");
  if (!violations.empty()) return Text(violations.front());
  const std::int64_t first =
      SpawnCount(command.operation) > 0 ? to.admitted.next_agent_id : 0;
  if (command.first_agent_id != first) {
    return OutOf("first_agent_id", command.first_agent_id, "", first);
  }
  const std::optional<Error> unknown =
      CheckReferences(command.operation, to.admitted, "command");
  return unknown ? Text(*unknown) : "";
}

// What keeps a record of so many bytes from the pending ones; empty when there
// is room.
std::string CheckRoom(std::size_t bytes, const MeanderWorld& in) {
  if (in.pending.size() >= kMeanderMaxPendingCommands) {
    return OutOf("pending commands", in.pending.size() + 1, "at most ",
                 kMeanderMaxPendingCommands);
  }
  if (in.pending_bytes + bytes > kMeanderMaxPendingBytes) {
    return OutOf("bytes of pending commands", in.pending_bytes + bytes,
                 "at most ", kMeanderMaxPendingBytes);
  }
  return "";
}

void Keep(AdmittedCommand command, std::size_t bytes, MeanderWorld& in) {
  in.pending_bytes += bytes;
  // Among those of a tick the last one, for they come in their order.
  in.pending.emplace(command.apply_tick,
                     MeanderWorld::Pending{std::move(command), bytes});
}

void GoOnFrom(Snapshot snapshot, MeanderWorld& world) {
  world.world = std::move(snapshot.world);
  world.next_sequence = snapshot.admission.next_sequence;
  world.admitted = {snapshot.admission.next_agent_id,
                    snapshot.admission.archetypes};
  std::string record;
  for (AdmittedCommand& command : snapshot.admission.pending) {
    record.clear();
    EncodeCommand(command, record);
    Keep(std::move(command), record.size(), world);
  }
}

bool HasWorld(MeanderWorld& of) {
  of.error = of.world ? "" : "there is no world: its snapshot was not read";
  return of.world.has_value();
}

}  // namespace

void* meander_allocate(std::size_t size) MEANDER_NOEXCEPT {
  return std::malloc(size);
}

void meander_release(void* room) MEANDER_NOEXCEPT { std::free(room); }

MeanderWorld* meander_open(const char* bytes,
                           std::size_t size) MEANDER_NOEXCEPT {
  MeanderWorld* opened = std::make_unique<MeanderWorld>().release();
  Result<Snapshot> snapshot =
      meander::core::DecodeSnapshot(std::string_view(bytes, size));
  if (!snapshot.ok()) {
    opened->error = Text(snapshot.error());
    return opened;
  }
  GoOnFrom(*std::move(snapshot), *opened);
  return opened;
}

void meander_close(MeanderWorld* world) MEANDER_NOEXCEPT { delete world; }

const char* meander_error(const MeanderWorld* world) MEANDER_NOEXCEPT {
  return world->error.c_str();
}

std::int32_t meander_apply(MeanderWorld* world, const char* bytes,
                           std::size_t size) MEANDER_NOEXCEPT {
  if (!HasWorld(*world)) return 0;
  Result<AdmittedCommand> command =
      meander::core::DecodeCommand(std::string_view(bytes, size));
  world->error =
      command.ok() ? CheckRecord(*command, *world) : Text(command.error());
  if (world->error.empty()) world->error = CheckRoom(size, *world);
  if (!world->error.empty()) return 0;
  if (const auto* define = std::get_if<DefineArchetype>(&command->operation)) {
    world->admitted.archetypes.set(
        static_cast<std::size_t>(define->archetype.id));
  }
  world->admitted.next_agent_id += SpawnCount(command->operation);
  ++world->next_sequence;
  Keep(*std::move(command), size, *world);
  return 1;
}

std::int32_t meander_step(MeanderWorld* world) MEANDER_NOEXCEPT {
  if (!HasWorld(*world)) return 0;
  std::vector<AdmittedCommand> commands;
  const auto [first, last] =
      world->pending.equal_range(world->world->tick() + 1);
  for (auto due = first; due != last; ++due) {
    world->pending_bytes -= due->second.bytes;
    commands.push_back(std::move(due->second.command));
  }
  world->pending.erase(first, last);
  std::vector<CommandOutcome> outcomes(commands.size());
  SerialFor serial;
  world->world->Step(commands, outcomes, serial);
  world->copied = false;
  return 1;
}

std::int64_t meander_tick(const MeanderWorld* world) MEANDER_NOEXCEPT {
  return world->world ? world->world->tick() : 0;
}

std::uint64_t meander_hash(const MeanderWorld* world) MEANDER_NOEXCEPT {
  SerialFor serial;
  return world->world ? world->world->Hash(serial).value : 0;
}

std::size_t meander_agent_count(const MeanderWorld* world) MEANDER_NOEXCEPT {
  return world->world ? static_cast<std::size_t>(world->world->agent_count())
                      : 0;
}

const void* meander_column(MeanderWorld* world,
                           std::int32_t column) MEANDER_NOEXCEPT {
  if (!world->world) return nullptr;
  if (!world->copied) {
    world->world->CopyMotion(world->motion);
    world->world->CopyCold(world->cold);
    world->copied = true;
  }
  switch (column) {
    case kMeanderId:
      return world->motion.id.data();
    case kMeanderArchetypeId:
      return world->cold.archetype_id.data();
    case kMeanderTag:
      return world->cold.tag.data();
    case kMeanderPositionX:
      return world->motion.position_x.data();
    case kMeanderPositionY:
      return world->motion.position_y.data();
    case kMeanderPositionZ:
      return world->motion.position_z.data();
    case kMeanderVelocityX:
      return world->motion.velocity_x.data();
    case kMeanderVelocityY:
      return world->motion.velocity_y.data();
    case kMeanderVelocityZ:
      return world->motion.velocity_z.data();
    default:
      return nullptr;
  }
}
