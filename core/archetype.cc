#include "core/archetype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/math/float_environment.h"
#include "core/validation.h"

namespace meander::core {
namespace {

constexpr float kLeastStepUlps = 16.0f;
constexpr float kLeastUsefulBound = 0x1p-60f;  // units; ends a search

// The widest gap between neighboring binary32 numbers up to `value`, which is
// finite and above 0.
float UnitInLastPlace(float value) {
  return value - std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) - 1);
}

// The largest power of two up to `value`, which is a normal number above 0.
float PowerOfTwoBelow(float value) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) &
                              0x7f800000u);
}

// The lowest speed of at least `speed` that moves by `step` in one step.
float SpeedThatMoves(float speed, float step, const SimulationConfig& config) {
  while (speed * StepSeconds(config) < step) {
    speed = std::bit_cast<float>(std::bit_cast<std::uint32_t>(speed) + 1);
  }
  return speed;
}

float LargestCoordinate(const SimulationConfig& config) {
  const Vec3& low = config.bounds_min;
  const Vec3& high = config.bounds_max;
  return std::max({std::fabs(low.x), std::fabs(low.y), std::fabs(low.z),
                   std::fabs(high.x), std::fabs(high.y), std::fabs(high.z)});
}

// Speeds so low that a step would round away are refused, with the bounds that
// would do: a power of two, since units in the last place double there.
void CheckSpeedMoves(FieldChecker& check, float max_speed,
                     const SimulationConfig& config) {
  const float bound = LargestCoordinate(config);
  const float step = max_speed * StepSeconds(config);
  const float least = kLeastStepUlps * UnitInLastPlace(bound);
  if (max_speed == 0.0f || step >= least) return;
  float enough = PowerOfTwoBelow(bound);
  while (enough >= kLeastUsefulBound &&
         step < kLeastStepUlps * UnitInLastPlace(enough)) {
    enough *= 0.5f;
  }
  const std::string elsewhere = enough >= kLeastUsefulBound
                                    ? " needs bounds within +-" + Show(enough)
                                    : " is too slow for any useful bounds";
  const float faster = SpeedThatMoves(
      least * static_cast<float>(config.tick_rate_hz), least, config);
  check.Fail(ErrorCode::kOutOfBounds, "max_speed",
             "moves an agent by less than 16 units in the last place of the "
             "world's bounds in one step and would round away: " +
                 Show(max_speed) + elsewhere + ", these bounds need at least " +
                 Show(faster) + ", or 0");
}

struct BehaviorCheck {
  FieldChecker& check;

  void operator()(const Seek& seek) const {
    check.Integer("seek.slot", seek.slot, 0, kTargetSlots - 1);
  }
  void operator()(const WanderWorldAngle& wander) const {
    check.Number("wander_world_angle.radius", wander.radius, 0.0f, kMaxBound);
    check.Number("wander_world_angle.distance", wander.distance, 0.0f,
                 kMaxBound);
    check.Number("wander_world_angle.jitter", wander.jitter, 0.0f, kMaxJitter);
  }
};

}  // namespace

std::optional<Error> CheckTermCount(std::size_t terms, std::string_view path) {
  if (terms <= kMaxTerms) return std::nullopt;
  return Error{ErrorCode::kOutOfBounds, std::string(path),
               "must hold at most " + std::to_string(kMaxTerms) +
                   " terms; it holds " + std::to_string(terms)};
}

Violations Validate(const Archetype& archetype, const SimulationConfig& config,
                    std::string_view path) {
  const ScopedFloatEnvironment environment;
  Violations violations;
  FieldChecker check(violations, path);
  check.Integer("id", archetype.id, 1, kMaxArchetypeId);
  if (check.Number("max_speed", archetype.max_speed, 0.0f, kMaxSpeedOrForce)) {
    CheckSpeedMoves(check, archetype.max_speed, config);
  }
  check.Number("max_force", archetype.max_force, 0.0f, kMaxSpeedOrForce);
  check.Number("mass", archetype.mass, kMinMass, kMaxMass);
  if (auto error =
          CheckTermCount(archetype.terms.size(), JoinPath(path, "terms"))) {
    violations.push_back(*std::move(error));
    return violations;
  }
  if (archetype.external && !archetype.terms.empty()) {
    check.Fail(ErrorCode::kMalformed, "terms",
               "must be empty, for an external archetype is not steered");
  }
  bool wanders = false;
  for (std::size_t i = 0; i < archetype.terms.size(); ++i) {
    const Term& term = archetype.terms[i];
    FieldChecker term_check(violations, IndexPath(JoinPath(path, "terms"), i));
    term_check.Number("weight", term.weight, -kMaxWeight, kMaxWeight);
    std::visit(BehaviorCheck{term_check}, term.behavior);
    if (!std::holds_alternative<WanderWorldAngle>(term.behavior)) continue;
    if (wanders) {
      term_check.Fail(ErrorCode::kMalformed, "wander_world_angle",
                      "is a second wander; an archetype has at most one");
    }
    wanders = true;
  }
  return violations;
}

}  // namespace meander::core
