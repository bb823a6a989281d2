#include "core/codec/archetype_codec.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <variant>

namespace meander::core {
namespace {

enum BehaviorKind : std::uint8_t {
  kSeek = 1,
  kWanderWorldAngle = 2,
  kFlee = 3,
  kArrive = 4,
  kKeepAway = 5,
  kBrake = 6,
  kPursue = 7,
  kEvade = 8,
  kWanderSpherical = 9,
  kWanderHeadingOffset = 10,
  kSeparation = 11,
  kAlignment = 12,
  kCohesion = 13,
};

template <typename Enum>
void PutEnum(Enum value, ByteWriter& out) {
  out.Put(static_cast<std::uint8_t>(value));
}

template <typename Enum>
Enum GetEnum(ByteReader& in, Enum last) {
  const auto value = in.Get<std::uint8_t>();
  if (value > static_cast<std::uint8_t>(last)) in.Fail();
  return static_cast<Enum>(value);
}

void PutBool(bool value, ByteWriter& out) { out.Put(std::uint8_t{value}); }

bool GetBool(ByteReader& in) {
  const auto value = in.Get<std::uint8_t>();
  if (value > 1) in.Fail();
  return value == 1;
}

// A float that is 0, as bits, where it is not given.
float GetIf(bool given, ByteReader& in) {
  const auto value = in.Get<float>();
  if (!given && std::bit_cast<std::uint32_t>(value) != 0) in.Fail();
  return value;
}

void PutMaybe(const std::optional<float>& value, ByteWriter& out) {
  PutBool(value.has_value(), out);
  out.Put(value.value_or(0.0f));
}

std::optional<float> GetMaybe(ByteReader& in) {
  const bool given = GetBool(in);
  const float value = GetIf(given, in);
  return given ? std::optional(value) : std::nullopt;
}

void PutNeighborhood(const Neighborhood& around, ByteWriter& out) {
  out.Put(around.radius);
  PutMaybe(around.field_of_view, out);
  out.Put(around.neighbor_groups);
  out.Put(around.max_neighbors);
}

Neighborhood GetNeighborhood(ByteReader& in) {
  Neighborhood around;
  around.radius = in.Get<float>();
  around.field_of_view = GetMaybe(in);
  around.neighbor_groups = in.Get<std::uint32_t>();
  around.max_neighbors = in.Get<std::int32_t>();
  return around;
}

template <typename Form>
void PutWalk(const Form& wander, ByteWriter& out) {
  out.Put(wander.radius);
  out.Put(wander.distance);
  out.Put(wander.jitter);
}

template <typename Form>
Form GetWalk(ByteReader& in) {
  Form wander;
  wander.radius = in.Get<float>();
  wander.distance = in.Get<float>();
  wander.jitter = in.Get<float>();
  return wander;
}

struct BehaviorEncoder {
  ByteWriter& out;

  void operator()(const Seek& seek) const {
    out.Put(std::uint8_t{kSeek});
    out.Put(seek.slot);
  }
  void operator()(const Flee& flee) const {
    out.Put(std::uint8_t{kFlee});
    out.Put(flee.slot);
    PutMaybe(flee.range, out);
    PutBool(flee.edge_inclusive, out);
    PutEnum(flee.at_center, out);
  }
  void operator()(const Arrive& arrive) const {
    out.Put(std::uint8_t{kArrive});
    out.Put(arrive.slot);
    out.Put(arrive.slowing_radius);
    PutBool(arrive.stop, out);
  }
  void operator()(const KeepAway& keep_away) const {
    out.Put(std::uint8_t{kKeepAway});
    out.Put(keep_away.slot);
    out.Put(keep_away.radius);
  }
  void operator()(const Brake&) const { out.Put(std::uint8_t{kBrake}); }
  void operator()(const Pursue& pursue) const {
    out.Put(std::uint8_t{kPursue});
    out.Put(pursue.slot);
    PutEnum(pursue.lead, out);
    PutMaybe(pursue.max_prediction, out);
    out.Put(pursue.slowing_radius);
  }
  void operator()(const Evade& evade) const {
    out.Put(std::uint8_t{kEvade});
    out.Put(evade.slot);
    PutEnum(evade.lead, out);
    PutMaybe(evade.max_prediction, out);
  }
  void operator()(const WanderWorldAngle& wander) const {
    out.Put(std::uint8_t{kWanderWorldAngle});
    PutWalk(wander, out);
  }
  void operator()(const WanderSpherical& wander) const {
    out.Put(std::uint8_t{kWanderSpherical});
    PutWalk(wander, out);
  }
  void operator()(const WanderHeadingOffset& wander) const {
    out.Put(std::uint8_t{kWanderHeadingOffset});
    PutWalk(wander, out);
    PutEnum(wander.plane, out);
  }
  void operator()(const Separation& separation) const {
    out.Put(std::uint8_t{kSeparation});
    PutNeighborhood(separation.neighborhood, out);
    PutEnum(separation.falloff, out);
    PutEnum(separation.coincident, out);
  }
  void operator()(const Alignment& alignment) const {
    out.Put(std::uint8_t{kAlignment});
    PutNeighborhood(alignment.neighborhood, out);
  }
  void operator()(const Cohesion& cohesion) const {
    out.Put(std::uint8_t{kCohesion});
    PutNeighborhood(cohesion.neighborhood, out);
    PutEnum(cohesion.mode, out);
  }
};

Flee GetFlee(ByteReader& in) {
  Flee flee;
  flee.slot = in.Get<std::int32_t>();
  flee.range = GetMaybe(in);
  flee.edge_inclusive = GetBool(in);
  flee.at_center = GetEnum(in, AtCenter::kZero);
  return flee;
}

Arrive GetArrive(ByteReader& in) {
  Arrive arrive;
  arrive.slot = in.Get<std::int32_t>();
  arrive.slowing_radius = in.Get<float>();
  arrive.stop = GetBool(in);
  return arrive;
}

KeepAway GetKeepAway(ByteReader& in) {
  KeepAway keep_away;
  keep_away.slot = in.Get<std::int32_t>();
  keep_away.radius = in.Get<float>();
  return keep_away;
}

Pursue GetPursue(ByteReader& in) {
  Pursue pursue;
  pursue.slot = in.Get<std::int32_t>();
  pursue.lead = GetEnum(in, Lead::kDistance);
  pursue.max_prediction = GetMaybe(in);
  pursue.slowing_radius = in.Get<float>();
  return pursue;
}

Evade GetEvade(ByteReader& in) {
  Evade evade;
  evade.slot = in.Get<std::int32_t>();
  evade.lead = GetEnum(in, Lead::kDistance);
  evade.max_prediction = GetMaybe(in);
  return evade;
}

WanderHeadingOffset GetHeadingOffset(ByteReader& in) {
  auto wander = GetWalk<WanderHeadingOffset>(in);
  wander.plane = GetEnum(in, Plane::kYZ);
  return wander;
}

Separation GetSeparation(ByteReader& in) {
  Separation separation;
  separation.neighborhood = GetNeighborhood(in);
  separation.falloff = GetEnum(in, Falloff::kLinear);
  separation.coincident = GetEnum(in, Coincident::kSkip);
  return separation;
}

Cohesion GetCohesion(ByteReader& in) {
  Cohesion cohesion;
  cohesion.neighborhood = GetNeighborhood(in);
  cohesion.mode = GetEnum(in, CohesionMode::kPull);
  return cohesion;
}

Behavior GetBehavior(ByteReader& in) {
  switch (in.Get<std::uint8_t>()) {
    case kSeek:
      return Seek{.slot = in.Get<std::int32_t>()};
    case kFlee:
      return GetFlee(in);
    case kArrive:
      return GetArrive(in);
    case kKeepAway:
      return GetKeepAway(in);
    case kBrake:
      return Brake{};
    case kPursue:
      return GetPursue(in);
    case kEvade:
      return GetEvade(in);
    case kWanderWorldAngle:
      return GetWalk<WanderWorldAngle>(in);
    case kWanderSpherical:
      return GetWalk<WanderSpherical>(in);
    case kWanderHeadingOffset:
      return GetHeadingOffset(in);
    case kSeparation:
      return GetSeparation(in);
    case kAlignment:
      return Alignment{GetNeighborhood(in)};
    case kCohesion:
      return GetCohesion(in);
    default:
      in.Fail();
      return Brake{};
  }
}

void PutFacing(const std::optional<Facing>& facing, ByteWriter& out) {
  PutBool(facing.has_value(), out);
  out.Put(facing ? facing->turn_rate : 0.0f);
  out.Put(facing ? facing->min_facing_speed : 0.0f);
}

std::optional<Facing> GetFacing(ByteReader& in) {
  const bool given = GetBool(in);
  Facing facing;
  facing.turn_rate = GetIf(given, in);
  facing.min_facing_speed = GetIf(given, in);
  return given ? std::optional(facing) : std::nullopt;
}

}  // namespace

void EncodeArchetype(const Archetype& archetype, ByteWriter& out) {
  out.Put(archetype.id);
  out.Put(archetype.max_speed);
  out.Put(archetype.max_force);
  out.Put(archetype.mass);
  PutBool(archetype.external, out);
  out.Put(archetype.overspeed_time_constant);
  PutEnum(archetype.combine, out);
  PutBool(archetype.limit_each_term, out);
  PutEnum(archetype.force_plane, out);
  PutFacing(archetype.facing, out);
  out.Put(static_cast<std::uint8_t>(archetype.terms.size()));
  for (const Term& term : archetype.terms) {
    out.Put(term.weight);
    out.Put(term.gain);
    out.Put(term.level);
    std::visit(BehaviorEncoder{out}, term.behavior);
  }
}

Archetype DecodeArchetype(ByteReader& in) {
  Archetype archetype;
  archetype.id = in.Get<ArchetypeId>();
  archetype.max_speed = in.Get<float>();
  archetype.max_force = in.Get<float>();
  archetype.mass = in.Get<float>();
  archetype.external = GetBool(in);
  archetype.overspeed_time_constant = in.Get<float>();
  archetype.combine = GetEnum(in, Combine::kFirstNonzero);
  archetype.limit_each_term = GetBool(in);
  archetype.force_plane = GetEnum(in, Plane::kYZ);
  archetype.facing = GetFacing(in);
  const auto terms = in.Get<std::uint8_t>();
  if (terms > kMaxTerms) in.Fail();
  for (std::uint8_t i = 0; i < terms && in.ok(); ++i) {
    Term term;
    term.weight = in.Get<float>();
    term.gain = in.Get<float>();
    term.level = in.Get<std::int32_t>();
    term.behavior = GetBehavior(in);
    archetype.terms.push_back(term);
  }
  return archetype;
}

}  // namespace meander::core
