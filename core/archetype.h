// Limits and steering terms shared by many agents. Plain data.
//
// Forces of the terms are added in the order of the list, each multiplied by
// its weight; the sum is cut to max_force and divided by mass, the new
// velocity cut to max_speed. An archetype is valid for a world when Validate
// finds nothing; core takes only valid ones.
#ifndef MEANDER_CORE_ARCHETYPE_H_
#define MEANDER_CORE_ARCHETYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/simulation_config.h"

namespace meander::core {

using ArchetypeId = std::int32_t;

inline constexpr ArchetypeId kMaxArchetypeId = 1024;
inline constexpr std::size_t kMaxTerms = 16;
inline constexpr std::int32_t kTargetSlots = 4;
inline constexpr float kMinMass = 1.0e-3f;
inline constexpr float kMaxMass = 1.0e6f;
inline constexpr float kMaxWeight = 1.0e3f;
inline constexpr float kMaxJitter = 1.0e6f;  // radians/s

// Toward the target of a slot at full speed (Reynolds 1999).
struct Seek {
  std::int32_t slot = 0;  // 0 to kTargetSlots - 1

  bool operator==(const Seek&) const = default;
};

// A point on a circle ahead is sought; its angle, in the axes of the world's
// plane, walks at random. Draws one uniform a step.
struct WanderWorldAngle {
  float radius = 0.0f;    // units, 0 to kMaxBound
  float distance = 0.0f;  // units, 0 to kMaxBound
  float jitter = 0.0f;    // radians/s, 0 to kMaxJitter

  bool operator==(const WanderWorldAngle&) const = default;
};

using Behavior = std::variant<Seek, WanderWorldAngle>;

struct Term {
  float weight = 1.0f;  // -kMaxWeight to kMaxWeight
  Behavior behavior;

  bool operator==(const Term&) const = default;
};

struct Archetype {
  ArchetypeId id = 1;       // 1 to kMaxArchetypeId
  float max_speed = 0.0f;   // units/s, 0 to kMaxSpeedOrForce; see Validate
  float max_force = 0.0f;   // 0 to kMaxSpeedOrForce
  float mass = 1.0f;        // kMinMass to kMaxMass
  std::vector<Term> terms;  // at most kMaxTerms, at most one wander
  // Its agents are neither steered nor integrated: SetMotion alone moves them.
  // Then it has no terms.
  bool external = false;

  bool operator==(const Archetype&) const = default;
};

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
