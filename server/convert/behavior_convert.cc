#include "server/convert/behavior_convert.h"

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <variant>

#include "core/validation.h"
#include "server/convert/enum_convert.h"

namespace meander::convert {
namespace {

using core::ErrorCode;
using core::FieldChecker;

constexpr std::uint32_t kAllGroups = ~std::uint32_t{0};

constexpr EnumTable<v1::AtCenter, core::AtCenter, 2> kAtCenters{
    "way to flee from the center",
    {{v1::AT_CENTER_BRAKE, core::AtCenter::kBrake},
     {v1::AT_CENTER_ZERO, core::AtCenter::kZero}}};

constexpr EnumTable<v1::Lead, core::Lead, 3> kLeads{
    "lead",
    {{v1::LEAD_INTERCEPT, core::Lead::kIntercept},
     {v1::LEAD_CLOSING, core::Lead::kClosing},
     {v1::LEAD_DISTANCE, core::Lead::kDistance}}};

constexpr EnumTable<v1::Falloff, core::Falloff, 3> kFalloffs{
    "falloff",
    {{v1::FALLOFF_INVERSE, core::Falloff::kInverse},
     {v1::FALLOFF_NEAREST_FADE, core::Falloff::kNearestFade},
     {v1::FALLOFF_LINEAR, core::Falloff::kLinear}}};

constexpr EnumTable<v1::Coincident, core::Coincident, 2> kCoincidents{
    "way to treat coincident neighbors",
    {{v1::COINCIDENT_SPREAD, core::Coincident::kSpread},
     {v1::COINCIDENT_SKIP, core::Coincident::kSkip}}};

constexpr EnumTable<v1::CohesionMode, core::CohesionMode, 2> kCohesionModes{
    "mode",
    {{v1::COHESION_MODE_SEEK, core::CohesionMode::kSeek},
     {v1::COHESION_MODE_PULL, core::CohesionMode::kPull}}};

core::Seek Read(const v1::Seek& seek, FieldChecker&) {
  return {.slot = seek.slot()};
}

core::Flee Read(const v1::Flee& flee, FieldChecker& check) {
  core::Flee out;
  out.slot = flee.slot();
  if (flee.has_range()) out.range = flee.range();
  out.edge_inclusive = flee.edge_inclusive();
  out.at_center = ToCore(flee.at_center(), kAtCenters, "at_center", check);
  return out;
}

core::Arrive Read(const v1::Arrive& arrive, FieldChecker&) {
  return {.slot = arrive.slot(),
          .slowing_radius = arrive.slowing_radius(),
          .stop = arrive.stop()};
}

core::KeepAway Read(const v1::KeepAway& keep, FieldChecker&) {
  return {.slot = keep.slot(), .radius = keep.radius()};
}

core::Brake Read(const v1::Brake&, FieldChecker&) { return {}; }

core::Pursue Read(const v1::Pursue& pursue, FieldChecker& check) {
  core::Pursue out;
  out.slot = pursue.slot();
  out.lead = ToCore(pursue.lead(), kLeads, "lead", check);
  if (pursue.has_max_prediction()) {
    out.max_prediction = pursue.max_prediction();
  }
  out.slowing_radius = pursue.slowing_radius();
  return out;
}

core::Evade Read(const v1::Evade& evade, FieldChecker& check) {
  core::Evade out;
  out.slot = evade.slot();
  out.lead = ToCore(evade.lead(), kLeads, "lead", check);
  if (evade.has_max_prediction()) out.max_prediction = evade.max_prediction();
  return out;
}

core::WanderWorldAngle Read(const v1::WanderWorldAngle& wander, FieldChecker&) {
  return {.radius = wander.radius(),
          .distance = wander.distance(),
          .jitter = wander.jitter()};
}

core::WanderSpherical Read(const v1::WanderSpherical& wander, FieldChecker&) {
  return {.radius = wander.radius(),
          .distance = wander.distance(),
          .jitter = wander.jitter()};
}

core::WanderHeadingOffset Read(const v1::WanderHeadingOffset& wander,
                               FieldChecker& check) {
  return {.radius = wander.radius(),
          .distance = wander.distance(),
          .jitter = wander.jitter(),
          .plane = ToCore(wander.plane(), kPlanes, "plane", check)};
}

// Without one a behavior would look at nobody, which nobody can mean.
template <typename Flocking>
core::Neighborhood ReadNeighborhood(const Flocking& behavior,
                                    FieldChecker& check) {
  if (!behavior.has_neighborhood()) {
    check.Fail(ErrorCode::kMalformed, "neighborhood", "must be set");
  }
  const v1::Neighborhood& neighborhood = behavior.neighborhood();
  core::Neighborhood out;
  out.radius = neighborhood.radius();
  if (neighborhood.has_field_of_view()) {
    out.field_of_view = neighborhood.field_of_view();
  }
  out.neighbor_groups = neighborhood.has_neighbor_groups()
                            ? neighborhood.neighbor_groups()
                            : kAllGroups;
  out.max_neighbors = neighborhood.max_neighbors();
  return out;
}

core::Separation Read(const v1::Separation& separation, FieldChecker& check) {
  core::Separation out;
  out.neighborhood = ReadNeighborhood(separation, check);
  out.falloff = ToCore(separation.falloff(), kFalloffs, "falloff", check);
  out.coincident =
      ToCore(separation.coincident(), kCoincidents, "coincident", check);
  return out;
}

core::Alignment Read(const v1::Alignment& alignment, FieldChecker& check) {
  return {.neighborhood = ReadNeighborhood(alignment, check)};
}

core::Cohesion Read(const v1::Cohesion& cohesion, FieldChecker& check) {
  core::Cohesion out;
  out.neighborhood = ReadNeighborhood(cohesion, check);
  out.mode = ToCore(cohesion.mode(), kCohesionModes, "mode", check);
  return out;
}

void Show(const core::Neighborhood& neighborhood, v1::Neighborhood& out) {
  out.set_radius(neighborhood.radius);
  if (neighborhood.field_of_view) {
    out.set_field_of_view(*neighborhood.field_of_view);
  }
  out.set_neighbor_groups(neighborhood.neighbor_groups);
  out.set_max_neighbors(neighborhood.max_neighbors);
}

struct BehaviorToProto {
  v1::Term& out;

  void operator()(const core::Seek& seek) const {
    out.mutable_seek()->set_slot(seek.slot);
  }
  void operator()(const core::Flee& flee) const {
    v1::Flee& to = *out.mutable_flee();
    to.set_slot(flee.slot);
    if (flee.range) to.set_range(*flee.range);
    to.set_edge_inclusive(flee.edge_inclusive);
    to.set_at_center(ToProto(flee.at_center, kAtCenters));
  }
  void operator()(const core::Arrive& arrive) const {
    v1::Arrive& to = *out.mutable_arrive();
    to.set_slot(arrive.slot);
    to.set_slowing_radius(arrive.slowing_radius);
    to.set_stop(arrive.stop);
  }
  void operator()(const core::KeepAway& keep) const {
    v1::KeepAway& to = *out.mutable_keep_away();
    to.set_slot(keep.slot);
    to.set_radius(keep.radius);
  }
  void operator()(const core::Brake&) const { out.mutable_brake(); }
  void operator()(const core::Pursue& pursue) const {
    v1::Pursue& to = *out.mutable_pursue();
    to.set_slot(pursue.slot);
    to.set_lead(ToProto(pursue.lead, kLeads));
    if (pursue.max_prediction) to.set_max_prediction(*pursue.max_prediction);
    to.set_slowing_radius(pursue.slowing_radius);
  }
  void operator()(const core::Evade& evade) const {
    v1::Evade& to = *out.mutable_evade();
    to.set_slot(evade.slot);
    to.set_lead(ToProto(evade.lead, kLeads));
    if (evade.max_prediction) to.set_max_prediction(*evade.max_prediction);
  }
  void operator()(const core::WanderWorldAngle& wander) const {
    ShowCircle(wander, *out.mutable_wander_world_angle());
  }
  void operator()(const core::WanderSpherical& wander) const {
    ShowCircle(wander, *out.mutable_wander_spherical());
  }
  void operator()(const core::WanderHeadingOffset& wander) const {
    v1::WanderHeadingOffset& to = *out.mutable_wander_heading_offset();
    ShowCircle(wander, to);
    to.set_plane(ToProto(wander.plane, kPlanes));
  }
  void operator()(const core::Separation& separation) const {
    v1::Separation& to = *out.mutable_separation();
    Show(separation.neighborhood, *to.mutable_neighborhood());
    to.set_falloff(ToProto(separation.falloff, kFalloffs));
    to.set_coincident(ToProto(separation.coincident, kCoincidents));
  }
  void operator()(const core::Alignment& alignment) const {
    Show(alignment.neighborhood,
         *out.mutable_alignment()->mutable_neighborhood());
  }
  void operator()(const core::Cohesion& cohesion) const {
    v1::Cohesion& to = *out.mutable_cohesion();
    Show(cohesion.neighborhood, *to.mutable_neighborhood());
    to.set_mode(ToProto(cohesion.mode, kCohesionModes));
  }

  // What all forms of wander have.
  template <typename Held, typename Shown>
  static void ShowCircle(const Held& wander, Shown& to) {
    to.set_radius(wander.radius);
    to.set_distance(wander.distance);
    to.set_jitter(wander.jitter);
  }
};

}  // namespace

core::Behavior ToCore(const v1::Term& term, std::string_view path,
                      core::Violations& violations) {
  const auto* const field = term.GetDescriptor()->FindFieldByNumber(
      static_cast<int>(term.behavior_case()));
  FieldChecker check(violations,
                     core::JoinPath(path, field ? field->name() : ""));
  switch (term.behavior_case()) {
    case v1::Term::kSeek:
      return Read(term.seek(), check);
    case v1::Term::kWanderWorldAngle:
      return Read(term.wander_world_angle(), check);
    case v1::Term::kFlee:
      return Read(term.flee(), check);
    case v1::Term::kArrive:
      return Read(term.arrive(), check);
    case v1::Term::kKeepAway:
      return Read(term.keep_away(), check);
    case v1::Term::kBrake:
      return Read(term.brake(), check);
    case v1::Term::kPursue:
      return Read(term.pursue(), check);
    case v1::Term::kEvade:
      return Read(term.evade(), check);
    case v1::Term::kWanderSpherical:
      return Read(term.wander_spherical(), check);
    case v1::Term::kWanderHeadingOffset:
      return Read(term.wander_heading_offset(), check);
    case v1::Term::kSeparation:
      return Read(term.separation(), check);
    case v1::Term::kAlignment:
      return Read(term.alignment(), check);
    case v1::Term::kCohesion:
      return Read(term.cohesion(), check);
    case v1::Term::BEHAVIOR_NOT_SET:
      break;
  }
  check.Fail(ErrorCode::kMalformed, "", "must set one behavior");
  return {};
}

void ToProto(const core::Behavior& behavior, v1::Term& out) {
  std::visit(BehaviorToProto{out}, behavior);
}

}  // namespace meander::convert
