#include "server/convert/archetype_convert.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "core/validation.h"

namespace meander::convert {
namespace {

using core::IndexPath;
using core::JoinPath;
using core::Result;

constexpr float kDefaultWeight = 1.0f;
constexpr float kDefaultMass = 1.0f;

Result<core::Term> ToTerm(const v1::Term& term, const std::string& path) {
  core::Term out;
  out.weight = term.has_weight() ? term.weight() : kDefaultWeight;
  switch (term.behavior_case()) {
    case v1::Term::kSeek:
      out.behavior = core::Seek{.slot = term.seek().slot()};
      return out;
    case v1::Term::kWanderWorldAngle: {
      const v1::WanderWorldAngle& wander = term.wander_world_angle();
      out.behavior = core::WanderWorldAngle{.radius = wander.radius(),
                                            .distance = wander.distance(),
                                            .jitter = wander.jitter()};
      return out;
    }
    case v1::Term::BEHAVIOR_NOT_SET:
      break;
  }
  return core::Error{core::ErrorCode::kMalformed, path,
                     "must set one behavior"};
}

struct BehaviorToProto {
  v1::Term& out;

  void operator()(const core::Seek& seek) const {
    out.mutable_seek()->set_slot(seek.slot);
  }
  void operator()(const core::WanderWorldAngle& wander) const {
    v1::WanderWorldAngle& to = *out.mutable_wander_world_angle();
    to.set_radius(wander.radius);
    to.set_distance(wander.distance);
    to.set_jitter(wander.jitter);
  }
};

}  // namespace

Result<core::Archetype> ToCore(const v1::Archetype& archetype,
                               std::string_view path) {
  core::Archetype out;
  out.id = archetype.id();
  out.max_speed = archetype.max_speed();
  out.max_force = archetype.max_force();
  out.mass = archetype.mass() == 0.0f ? kDefaultMass : archetype.mass();
  out.external = archetype.external();
  // Before anything is allocated for so many.
  const std::string list = JoinPath(path, "terms");
  const auto terms = static_cast<std::size_t>(archetype.terms_size());
  if (auto error = core::CheckTermCount(terms, list)) return *std::move(error);
  for (std::size_t i = 0; i < terms; ++i) {
    Result<core::Term> term =
        ToTerm(archetype.terms(static_cast<int>(i)), IndexPath(list, i));
    if (!term.ok()) return term.error();
    out.terms.push_back(*std::move(term));
  }
  return out;
}

void ToProto(const core::Archetype& archetype, v1::Archetype& out) {
  out.set_id(archetype.id);
  out.set_max_speed(archetype.max_speed);
  out.set_max_force(archetype.max_force);
  out.set_mass(archetype.mass);
  out.set_external(archetype.external);
  out.clear_terms();
  for (const core::Term& term : archetype.terms) {
    v1::Term& to = *out.add_terms();
    to.set_weight(term.weight);
    std::visit(BehaviorToProto{to}, term.behavior);
  }
}

}  // namespace meander::convert
