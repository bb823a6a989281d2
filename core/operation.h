// What a command can do to a world: one struct for each operation.
//
// Fields are named as in the protocol; what their values may be is said here
// and checked by Validate (command.h). Each takes effect wholly or not at all.
// Plain data.
#ifndef MEANDER_CORE_OPERATION_H_
#define MEANDER_CORE_OPERATION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/archetype.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"

namespace meander::core {

// Serial of an agent in its world: 1, 2, ...; never used again.
using AgentId = std::int64_t;

inline constexpr float kMaxCommandedSpeed = 1.0e6f;   // units/s
inline constexpr float kMaxImpulse = 1.0e6f;          // mass * units/s
inline constexpr float kMaxGivenAngle = 1.0e6f;       // radians
inline constexpr float kMinGivenDirection = 1.0e-6f;  // long
inline constexpr float kMaxGivenDirection = 1.0e6f;   // long
// Agents one by one in one command, new ones or moved ones; more come in areas
// or several commands.
inline constexpr std::int64_t kMaxListedAgents = 65'536;

// What a slot points at.
struct Target {
  // The values stand in snapshots and in the state hash.
  enum class Kind : std::uint8_t { kNone = 0, kPoint = 1, kAgent = 2 };

  Kind kind = Kind::kNone;
  // Of a slot that an agent has: that its target is lost has been told (see
  // event.h). False in commands.
  bool loss_told = false;
  Vec3 point;         // kPoint: units, in bounds; else 0
  AgentId agent = 0;  // kAgent: else 0

  bool operator==(const Target&) const = default;
};

// Whether everything that the kind does not use is 0, bit for bit, and nothing
// was told yet: what a command can carry.
bool IsTidy(const Target& target);

using TargetSlots = std::array<Target, kTargetSlots>;

struct DefineArchetype {
  Archetype archetype;

  bool operator==(const DefineArchetype&) const = default;
};

// Refused at its tick while agents have the archetype.
struct RemoveArchetype {
  ArchetypeId archetype_id = 1;

  bool operator==(const RemoveArchetype&) const = default;
};

struct NewAgent {
  ArchetypeId archetype_id = 1;
  Vec3 position;  // units, in bounds
  Vec3 velocity;  // units/s, at most kMaxCommandedSpeed long
  std::optional<std::uint64_t> seed;  // else derived from world seed and id
  std::uint64_t tag = 0;
  TargetSlots targets;
  std::uint32_t groups = 1;  // bits that a term's neighbor_groups look for
  // The direction that the agent faces, kMinGivenDirection to
  // kMaxGivenDirection long, made a unit vector. Else that of its velocity; at
  // rest the plane's first axis.
  std::optional<Vec3> facing;
  // What its wander starts with, as far as its form has it; else drawn from the
  // seed. Angle and elevation in radians; offset and heading as facing.
  std::optional<float> wander_angle;      // -kMaxGivenAngle to kMaxGivenAngle
  std::optional<float> wander_elevation;  // -kHalfPi to kHalfPi
  std::optional<Vec3> wander_offset;
  std::optional<Vec3> wander_heading;

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

// All else about the agents stays what it is, but for the state of their wander
// where the new archetype has another form of it: that is drawn anew.
struct SetArchetype {
  std::vector<AgentId> agent_ids;  // each once
  ArchetypeId archetype_id = 1;

  bool operator==(const SetArchetype&) const = default;
};

// At least one of the two is given; the other stays what it is.
struct AgentMotion {
  AgentId agent_id = 0;
  std::optional<Vec3> position;  // units, in bounds
  std::optional<Vec3> velocity;  // units/s, at most kMaxCommandedSpeed long

  bool operator==(const AgentMotion&) const = default;
};

struct SetMotion {
  std::vector<AgentMotion> motions;  // at most kMaxListedAgents, each once

  bool operator==(const SetMotion&) const = default;
};

// Adds impulse / mass to the velocity, then cuts it to kMaxCommandedSpeed.
struct ApplyImpulse {
  std::vector<AgentId> agent_ids;  // each once
  Vec3 impulse;                    // at most kMaxImpulse long

  bool operator==(const ApplyImpulse&) const = default;
};

struct SetCellSize {
  float cell_size = kDefaultCellSize;  // units, kMinCellSize to kMaxCellSize

  bool operator==(const SetCellSize&) const = default;
};

using Operation =
    std::variant<DefineArchetype, RemoveArchetype, SpawnAgents, DespawnAgents,
                 SetTarget, SetArchetype, SetMotion, ApplyImpulse, SetCellSize>;

// How many agents the operation spawns; 0 for other operations.
std::int64_t SpawnCount(const Operation& operation);

}  // namespace meander::core

#endif  // MEANDER_CORE_OPERATION_H_
