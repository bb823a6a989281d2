// Commands: the only way to change a running world. Plain data.
//
// A Command is what a client asks for. Admission (the host's) checks it, gives
// it a sequence number, a tick and agent ids, and makes it an AdmittedCommand.
// Application, at its tick, is total: it happens wholly or has an outcome that
// does nothing, the same in every run.
#ifndef MEANDER_CORE_COMMAND_H_
#define MEANDER_CORE_COMMAND_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/archetype.h"
#include "core/error.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"

namespace meander::core {

// Serial of an agent in its world: 1, 2, ...; never used again.
using AgentId = std::int64_t;

inline constexpr float kMaxCommandedSpeed = 1.0e6f;  // units/s
inline constexpr float kMaxGivenAngle = 1.0e6f;      // radians
// New agents one by one in one command; more come in areas or several commands.
inline constexpr std::int64_t kMaxListedAgents = 65'536;

// What a slot points at.
struct Target {
  // The values stand in snapshots and in the state hash.
  enum class Kind : std::uint32_t { kNone = 0, kPoint = 1, kAgent = 2 };

  Kind kind = Kind::kNone;
  Vec3 point;         // kPoint: units, in bounds; else 0
  AgentId agent = 0;  // kAgent: else 0

  bool operator==(const Target&) const = default;
};

// Whether everything that the kind does not use is 0, bit for bit.
bool IsTidy(const Target& target);

using TargetSlots = std::array<Target, kTargetSlots>;

struct DefineArchetype {
  Archetype archetype;

  bool operator==(const DefineArchetype&) const = default;
};

struct NewAgent {
  ArchetypeId archetype_id = 1;
  Vec3 position;  // units, in bounds
  Vec3 velocity;  // units/s, at most kMaxCommandedSpeed long
  std::optional<std::uint64_t> seed;  // else derived from world seed and id
  std::uint64_t tag = 0;
  TargetSlots targets;
  std::optional<float> wander_angle;  // radians, else drawn from the seed

  bool operator==(const NewAgent&) const = default;
};

// A disc in the world's plane (XY when it has none).
struct Disc {
  Vec3 center;
  float radius = 0.0f;

  bool operator==(const Disc&) const = default;
};

struct Box {
  Vec3 min;
  Vec3 max;

  bool operator==(const Box&) const = default;
};

// Only in worlds without a plane.
struct Ball {
  Vec3 center;
  float radius = 0.0f;

  bool operator==(const Ball&) const = default;
};

using Area = std::variant<Disc, Box, Ball>;

// Alike agents at places drawn from an area by world seed and sequence.
struct AreaPlacement {
  std::int64_t count = 0;
  NewAgent prototype;  // its position is not used and must be 0
  Area area;           // within the bounds

  bool operator==(const AreaPlacement&) const = default;
};

struct SpawnAgents {
  std::variant<std::vector<NewAgent>, AreaPlacement> placement;

  bool operator==(const SpawnAgents&) const = default;
};

struct DespawnAgents {
  std::vector<AgentId> agent_ids;  // each once

  bool operator==(const DespawnAgents&) const = default;
};

struct SetTarget {
  std::vector<AgentId> agent_ids;  // each once
  std::int32_t slot = 0;           // 0 to kTargetSlots - 1
  Target target;                   // kNone clears the slot

  bool operator==(const SetTarget&) const = default;
};

using Operation =
    std::variant<DefineArchetype, SpawnAgents, DespawnAgents, SetTarget>;

struct Command {
  std::int64_t apply_tick = 0;  // 0: the next tick
  Operation operation;

  bool operator==(const Command&) const = default;
};

struct AdmittedCommand {
  std::int64_t sequence = 0;    // from 1; orders the commands of a tick
  std::int64_t apply_tick = 0;  // the tick whose step applies it, from 1
  AgentId first_agent_id = 0;   // SpawnAgents; else 0
  Operation operation;

  bool operator==(const AdmittedCommand&) const = default;
};

// What became of a command at its tick.
enum class CommandOutcome : std::uint8_t {
  kApplied,
  kAgentGone,
  kArchetypeUnknown,
  kWorldFull,
};
inline constexpr std::size_t kCommandOutcomes = 4;

// How many agents the operation spawns; 0 for other operations.
std::int64_t SpawnCount(const Operation& operation);

// What is wrong with listing so many new agents in one command, for a caller
// that wants to know before it has made them. `path` names the list.
std::optional<Error> CheckListSize(std::size_t agents,
                                   const SimulationConfig& config,
                                   std::string_view path);

// Fields at fault, named below `path` as in the protocol's NewAgent. Velocities
// may be up to `max_speed` (units/s) long.
Violations Validate(const NewAgent& agent, const SimulationConfig& config,
                    std::string_view path,
                    float max_speed = kMaxCommandedSpeed);

// Everything about a command that does not depend on the state of a world:
// fields at fault, named below `path` as in the protocol's Command. Whether
// agents and archetypes exist is for admission.
Violations Validate(const Command& command, const SimulationConfig& config,
                    std::string_view path);

}  // namespace meander::core

#endif  // MEANDER_CORE_COMMAND_H_
