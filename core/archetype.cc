#include "core/archetype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/math/float_environment.h"
#include "core/math/limit.h"
#include "core/space/wrap.h"
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

// Whether a value is one of an enumeration whose last is `last`.
template <typename Enum>
void CheckEnum(FieldChecker& check, std::string_view name, Enum value,
               Enum last) {
  if (value <= last) return;
  check.Fail(ErrorCode::kMalformed, name, "is not one of its values");
}

void CheckGiven(FieldChecker& check, std::string_view name,
                const std::optional<float>& value, float most) {
  if (value) check.Number(name, *value, 0.0f, most);
}

// The largest radius whose minimum images are the nearest ones.
float HalfPeriod(const SimulationConfig& config) {
  const Wrap wrap = WrapOf(config);
  const float half = AtMost(wrap.x.half_period,
                            AtMost(wrap.y.half_period, wrap.z.half_period));
  return AtMost(half, kMaxBound);
}

// Checks one behavior; the checker's path is that of the term.
struct BehaviorCheck {
  FieldChecker& check;
  const SimulationConfig& config;

  void operator()(const Seek& seek) const { Slot("seek", seek.slot); }
  void operator()(const Flee& flee) const {
    Slot("flee", flee.slot);
    CheckGiven(check, "flee.range", flee.range, kMaxBound);
    CheckEnum(check, "flee.at_center", flee.at_center, AtCenter::kZero);
  }
  void operator()(const Arrive& arrive) const {
    Slot("arrive", arrive.slot);
    Distance("arrive.slowing_radius", arrive.slowing_radius);
    if (arrive.stop && arrive.slowing_radius != 0.0f) {
      check.Fail(ErrorCode::kMalformed, "arrive.slowing_radius",
                 "must be 0 when stop is set, which derives where to brake");
    }
  }
  void operator()(const KeepAway& keep_away) const {
    Slot("keep_away", keep_away.slot);
    Distance("keep_away.radius", keep_away.radius);
  }
  void operator()(const Brake&) const {}
  void operator()(const Pursue& pursue) const {
    Slot("pursue", pursue.slot);
    Foresight("pursue", pursue.lead, pursue.max_prediction);
    Distance("pursue.slowing_radius", pursue.slowing_radius);
  }
  void operator()(const Evade& evade) const {
    Slot("evade", evade.slot);
    Foresight("evade", evade.lead, evade.max_prediction);
  }
  void operator()(const WanderWorldAngle& wander) const {
    Wander("wander_world_angle", wander);
  }
  void operator()(const WanderSpherical& wander) const {
    if (config.plane != Plane::kNone) {
      check.Fail(ErrorCode::kMalformed, "wander_spherical",
                 "needs a world without a plane; use wander_world_angle");
    }
    Wander("wander_spherical", wander);
  }
  void operator()(const WanderHeadingOffset& wander) const {
    Wander("wander_heading_offset", wander);
    constexpr std::string_view kPlane = "wander_heading_offset.plane";
    CheckEnum(check, kPlane, wander.plane, Plane::kYZ);
    if (config.plane != Plane::kNone && wander.plane != Plane::kNone &&
        wander.plane != config.plane) {
      check.Fail(ErrorCode::kMalformed, kPlane,
                 "must be that of the world, or not set");
    }
  }
  void operator()(const Separation& separation) const {
    Look("separation", separation.neighborhood);
    CheckEnum(check, "separation.falloff", separation.falloff,
              Falloff::kLinear);
    CheckEnum(check, "separation.coincident", separation.coincident,
              Coincident::kSkip);
  }
  void operator()(const Alignment& alignment) const {
    Look("alignment", alignment.neighborhood);
  }
  void operator()(const Cohesion& cohesion) const {
    Look("cohesion", cohesion.neighborhood);
    CheckEnum(check, "cohesion.mode", cohesion.mode, CohesionMode::kPull);
  }

  void Slot(std::string_view behavior, std::int32_t slot) const {
    check.Integer(JoinPath(behavior, "slot"), slot, 0, kTargetSlots - 1);
  }
  void Distance(std::string_view name, float value) const {
    check.Number(name, value, 0.0f, kMaxBound);
  }
  void Foresight(std::string_view behavior, Lead lead,
                 const std::optional<float>& max_prediction) const {
    CheckEnum(check, JoinPath(behavior, "lead"), lead, Lead::kDistance);
    CheckGiven(check, JoinPath(behavior, "max_prediction"), max_prediction,
               kMaxTime);
  }
  template <typename Form>
  void Wander(std::string_view behavior, const Form& wander) const {
    Distance(JoinPath(behavior, "radius"), wander.radius);
    Distance(JoinPath(behavior, "distance"), wander.distance);
    check.Number(JoinPath(behavior, "jitter"), wander.jitter, 0.0f, kMaxJitter);
  }
  void Look(std::string_view behavior, const Neighborhood& around) const {
    const std::string path = JoinPath(behavior, "neighborhood");
    check.Number(JoinPath(path, "radius"), around.radius, 0.0f,
                 HalfPeriod(config));
    CheckGiven(check, JoinPath(path, "field_of_view"), around.field_of_view,
               kMaxFieldOfView);
    check.Integer(JoinPath(path, "max_neighbors"), around.max_neighbors, 0,
                  kMaxNearest);
  }
};

void CheckTerm(FieldChecker check, const Term& term,
               const SimulationConfig& config) {
  check.Number("weight", term.weight, -kMaxWeight, kMaxWeight);
  check.Number("gain", term.gain, -kMaxWeight, kMaxWeight);
  check.Integer("level", term.level, 0, kMaxLevel);
  std::visit(BehaviorCheck{check, config}, term.behavior);
}

void CheckFacing(FieldChecker check, const Facing& facing) {
  check.Number("turn_rate", facing.turn_rate, 0.0f, kMaxTurnRate);
  check.Number("min_facing_speed", facing.min_facing_speed, 0.0f,
               kMaxSpeedOrForce);
}

// What follows from how the archetype is moved.
void CheckMotionKind(FieldChecker& check, const Archetype& archetype,
                     const SimulationConfig& config) {
  CheckEnum(check, "combine", archetype.combine, Combine::kFirstNonzero);
  CheckEnum(check, "force_plane", archetype.force_plane, Plane::kYZ);
  if (config.plane != Plane::kNone && archetype.force_plane != Plane::kNone) {
    check.Fail(ErrorCode::kMalformed, "force_plane",
               "must not be set in a world that has a plane itself");
  }
  if (!archetype.external) return;
  if (!archetype.terms.empty()) {
    check.Fail(ErrorCode::kMalformed, "terms",
               "must be empty, for an external archetype is not steered");
  }
  if (archetype.facing) {
    check.Fail(ErrorCode::kMalformed, "facing",
               "must not be set, for an external archetype is not steered");
  }
}

struct WanderFormOfBehavior {
  WanderForm operator()(const WanderWorldAngle&) const {
    return WanderForm::kWorldAngle;
  }
  WanderForm operator()(const WanderSpherical&) const {
    return WanderForm::kSpherical;
  }
  WanderForm operator()(const WanderHeadingOffset&) const {
    return WanderForm::kHeadingOffset;
  }
  template <typename Other>
  WanderForm operator()(const Other&) const {
    return WanderForm::kNone;
  }
};

// Names the second wander of an archetype, if there is one.
void CheckOneWander(Violations& violations, const Archetype& archetype,
                    std::string_view path) {
  bool wanders = false;
  for (std::size_t i = 0; i < archetype.terms.size(); ++i) {
    const Behavior& behavior = archetype.terms[i].behavior;
    if (std::visit(WanderFormOfBehavior{}, behavior) == WanderForm::kNone) {
      continue;
    }
    if (wanders) {
      FieldChecker(violations, path)
          .Fail(ErrorCode::kMalformed, IndexPath("terms", i),
                "is a second wander; an archetype has at most one");
    }
    wanders = true;
  }
}

}  // namespace

WanderForm WanderFormOf(const Archetype& archetype) {
  for (const Term& term : archetype.terms) {
    const WanderForm form = std::visit(WanderFormOfBehavior{}, term.behavior);
    if (form != WanderForm::kNone) return form;
  }
  return WanderForm::kNone;
}

std::optional<std::int32_t> SlotOf(const Behavior& behavior) {
  return std::visit(
      [](const auto& named) -> std::optional<std::int32_t> {
        if constexpr (requires { named.slot; }) return named.slot;
        return std::nullopt;
      },
      behavior);
}

const Neighborhood* NeighborhoodOf(const Behavior& behavior) {
  if (const auto* separation = std::get_if<Separation>(&behavior)) {
    return &separation->neighborhood;
  }
  if (const auto* alignment = std::get_if<Alignment>(&behavior)) {
    return &alignment->neighborhood;
  }
  if (const auto* cohesion = std::get_if<Cohesion>(&behavior)) {
    return &cohesion->neighborhood;
  }
  return nullptr;
}

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
  check.Number("overspeed_time_constant", archetype.overspeed_time_constant,
               0.0f, kMaxTime);
  CheckMotionKind(check, archetype, config);
  if (archetype.facing) {
    CheckFacing(FieldChecker(violations, JoinPath(path, "facing")),
                *archetype.facing);
  }
  for (std::size_t i = 0; i < archetype.terms.size(); ++i) {
    CheckTerm(FieldChecker(violations, IndexPath(JoinPath(path, "terms"), i)),
              archetype.terms[i], config);
  }
  CheckOneWander(violations, archetype, path);
  return violations;
}

}  // namespace meander::core
