// Limits and steering terms shared by many agents. Plain data.
//
// Forces of the terms are combined by level, and within a level added in the
// order of the list; the result is cut to max_force and divided by mass, the
// new velocity cut to max_speed. An archetype is valid for a world when
// Validate finds nothing; core takes only valid ones.
// Source: C. Reynolds, "Steering Behaviors For Autonomous Characters", GDC
// 1999; variants as common libraries have them.
#ifndef MEANDER_CORE_ARCHETYPE_H_
#define MEANDER_CORE_ARCHETYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/behavior.h"
#include "core/error.h"
#include "core/simulation_config.h"

namespace meander::core {

using ArchetypeId = std::int32_t;

inline constexpr ArchetypeId kMaxArchetypeId = 1024;
inline constexpr std::size_t kMaxTerms = 16;
inline constexpr float kMinMass = 1.0e-3f;
inline constexpr float kMaxMass = 1.0e6f;
inline constexpr float kMaxWeight = 1.0e3f;    // of weights and gains
inline constexpr float kMaxTurnRate = 1.0e6f;  // 1/s
inline constexpr std::int32_t kMaxLevel = 1'000;

// A term's force is weight * (gain * the behavior's force), after the latter
// product was cut to max_force when the archetype limits each term.
struct Term {
  float weight = 1.0f;  // -kMaxWeight to kMaxWeight
  Behavior behavior;
  float gain = 1.0f;       // -kMaxWeight to kMaxWeight
  std::int32_t level = 0;  // 0 to kMaxLevel; lower ones act first

  bool operator==(const Term&) const = default;
};

// How the levels of an archetype become one force; see steering/combine.h.
enum class Combine : std::uint8_t {
  kWeightedSum = 0,
  kPriorityBudget = 1,
  kFirstNonzero = 2
};

// A unit vector that follows the velocity.
struct Facing {
  // Share of the angle to the velocity that is turned in a second, 0 to
  // kMaxTurnRate: turn_rate * dt of it in a step, at most all.
  float turn_rate = 0.0f;
  // It keeps still at this speed or below. Units/s, 0 to kMaxSpeedOrForce.
  float min_facing_speed = 1.0f;

  bool operator==(const Facing&) const = default;
};

struct Archetype {
  ArchetypeId id = 1;       // 1 to kMaxArchetypeId
  float max_speed = 0.0f;   // units/s, 0 to kMaxSpeedOrForce; see Validate
  float max_force = 0.0f;   // 0 to kMaxSpeedOrForce
  float mass = 1.0f;        // kMinMass to kMaxMass
  std::vector<Term> terms;  // at most kMaxTerms, at most one wander
  // Its agents are neither steered nor integrated: SetMotion alone moves them.
  // Then it has no terms and no facing.
  bool external = false;
  // How long an agent above max_speed takes to fall by 1 - 1/e of the excess;
  // 0: at once. Seconds, 0 to kMaxTime.
  float overspeed_time_constant = 0.0f;
  Combine combine = Combine::kWeightedSum;
  bool limit_each_term = false;
  // In a world without a plane: steering has no component along the normal of
  // this one, and velocity along it is neither steered nor cut. Else kNone.
  Plane force_plane = Plane::kNone;
  std::optional<Facing> facing;  // else it stays what it is

  bool operator==(const Archetype&) const = default;
};

enum class WanderForm : std::uint8_t {
  kNone = 0,
  kWorldAngle = 1,
  kSpherical = 2,
  kHeadingOffset = 3
};

// The form of the archetype's wander term: what wander state its agents hold.
WanderForm WanderFormOf(const Archetype& archetype);

// What is wrong with so many terms, for a caller that wants to know before it
// has made them. `path` names the list.
std::optional<Error> CheckTermCount(std::size_t terms, std::string_view path);

// Fields at fault, named below `path` as in the protocol's Archetype. A
// max_speed above 0 that moves less than 16 units in the last place of the
// bounds in one step is refused, with the bounds that would do.
Violations Validate(const Archetype& archetype, const SimulationConfig& config,
                    std::string_view path);

}  // namespace meander::core

#endif  // MEANDER_CORE_ARCHETYPE_H_
