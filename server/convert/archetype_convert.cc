#include "server/convert/archetype_convert.h"

#include <cstddef>
#include <string>
#include <utility>

#include "core/validation.h"
#include "server/convert/behavior_convert.h"
#include "server/convert/enum_convert.h"

namespace meander::convert {
namespace {

using core::IndexPath;
using core::JoinPath;
using core::Result;

constexpr float kDefaultFactor = 1.0f;  // weight and gain
constexpr float kDefaultMass = 1.0f;
constexpr float kDefaultMinFacingSpeed = 1.0f;

constexpr EnumTable<v1::Combine, core::Combine, 3> kCombines{
    "way to combine",
    {{v1::COMBINE_WEIGHTED_SUM, core::Combine::kWeightedSum},
     {v1::COMBINE_PRIORITY_BUDGET, core::Combine::kPriorityBudget},
     {v1::COMBINE_FIRST_NONZERO, core::Combine::kFirstNonzero}}};

core::Term ToTerm(const v1::Term& term, const std::string& path,
                  core::Violations& violations) {
  core::Term out;
  out.weight = term.has_weight() ? term.weight() : kDefaultFactor;
  out.gain = term.has_gain() ? term.gain() : kDefaultFactor;
  out.level = term.level();
  out.behavior = ToCore(term, path, violations);
  return out;
}

core::Facing ToFacing(const v1::Facing& facing) {
  return {.turn_rate = facing.turn_rate(),
          .min_facing_speed = facing.has_min_facing_speed()
                                  ? facing.min_facing_speed()
                                  : kDefaultMinFacingSpeed};
}

}  // namespace

Result<core::Archetype> ToCore(const v1::Archetype& archetype,
                               std::string_view path) {
  // Before anything is allocated for so many.
  const std::string list = JoinPath(path, "terms");
  const auto terms = static_cast<std::size_t>(archetype.terms_size());
  if (auto error = core::CheckTermCount(terms, list)) return *std::move(error);
  core::Violations violations;
  core::FieldChecker check(violations, path);
  core::Archetype out;
  out.id = archetype.id();
  out.max_speed = archetype.max_speed();
  out.max_force = archetype.max_force();
  out.mass = archetype.mass() == 0.0f ? kDefaultMass : archetype.mass();
  for (std::size_t i = 0; i < terms; ++i) {
    out.terms.push_back(ToTerm(archetype.terms(static_cast<int>(i)),
                               IndexPath(list, i), violations));
  }
  out.external = archetype.external();
  out.overspeed_time_constant = archetype.overspeed_time_constant();
  out.combine = ToCore(archetype.combine(), kCombines, "combine", check);
  out.limit_each_term = archetype.limit_each_term();
  out.force_plane =
      ToCore(archetype.force_plane(), kPlanes, "force_plane", check);
  if (archetype.has_facing()) out.facing = ToFacing(archetype.facing());
  if (!violations.empty()) return std::move(violations.front());
  return out;
}

void ToProto(const core::Archetype& archetype, v1::Archetype& out) {
  out.Clear();
  out.set_id(archetype.id);
  out.set_max_speed(archetype.max_speed);
  out.set_max_force(archetype.max_force);
  out.set_mass(archetype.mass);
  for (const core::Term& term : archetype.terms) {
    v1::Term& to = *out.add_terms();
    to.set_weight(term.weight);
    to.set_gain(term.gain);
    to.set_level(term.level);
    ToProto(term.behavior, to);
  }
  out.set_external(archetype.external);
  out.set_overspeed_time_constant(archetype.overspeed_time_constant);
  out.set_combine(ToProto(archetype.combine, kCombines));
  out.set_limit_each_term(archetype.limit_each_term);
  out.set_force_plane(ToProto(archetype.force_plane, kPlanes));
  if (!archetype.facing) return;
  v1::Facing& facing = *out.mutable_facing();
  facing.set_turn_rate(archetype.facing->turn_rate);
  facing.set_min_facing_speed(archetype.facing->min_facing_speed);
}

}  // namespace meander::convert
