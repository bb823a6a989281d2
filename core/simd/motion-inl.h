// From forces to motion: step/integrate.h, many agents at a time, in two
// coordinates or three.
#if defined(MEANDER_CORE_SIMD_MOTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_MOTION_INL_H_
#undef MEANDER_CORE_SIMD_MOTION_INL_H_
#else
#define MEANDER_CORE_SIMD_MOTION_INL_H_
#endif

#include "core/simd/block-inl.h"
#include "core/simd/facing-inl.h"
#include "core/simd/vector-inl.h"
#include "core/simd/wander-inl.h"
#include "core/step/integrate.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

HWY_INLINE Floats WrapCoordinate(const WrapAxis& axis, Floats value) {
  const LaneMask within =
      hn::And(hn::Ge(value, Same(axis.low)), hn::Lt(value, Same(axis.high)));
  if (All(within)) return value;
  HWY_ALIGN float lanes[kLanes];
  Store(value, lanes);
  for (float& lane : lanes) lane = core::WrapCoordinate(axis, lane);
  return Load(lanes);
}

// Keeps one coordinate within [low, high]. The lanes that were beyond.
HWY_INLINE LaneMask StopAtFace(float low_face, float high_face,
                               Floats& position, Floats& velocity) {
  const Floats low = Same(low_face);
  const Floats high = Same(high_face);
  const LaneMask above = hn::Gt(position, high);
  const LaneMask below = hn::Lt(position, low);
  const LaneMask outward = hn::Or(hn::And(above, hn::Gt(velocity, Zero())),
                                  hn::And(below, hn::Lt(velocity, Zero())));
  position = Choose(above, high, Choose(below, low, position));
  velocity = Choose(outward, Zero(), velocity);
  return hn::Or(above, below);
}

// The rows of one archetype, as vectors.
template <int kDims>
class Mover {
 public:
  Mover(const MotionRules& rules, const MotionRows& rows)
      : rules_(rules),
        rows_(rows),
        in_plane_(rules.force_plane != Plane::kNone),
        force_mask_(PlaneMask(rules.force_plane)),
        position_(rules.world_plane, rows.position_x, rows.position_y,
                  rows.position_z),
        velocity_(rules.world_plane, rows.velocity_x, rows.velocity_y,
                  rows.velocity_z),
        force_(rules.world_plane, rows.force.x, rows.force.y, rows.force.z),
        wrap_(rules.world_plane, rules.wrap.x, rules.wrap.y, rules.wrap.z),
        low_(rules.world_plane, rules.low.x, rules.low.y, rules.low.z),
        high_(rules.world_plane, rules.high.x, rules.high.y, rules.high.z) {}

  // Moves the agents of one vector. Returns how many were stopped at a face.
  HWY_INLINE std::int64_t Move(std::size_t i) const {
    Vec<kDims> velocity =
        NewVelocity(LoadVec<kDims>(velocity_, i), LoadVec<kDims>(force_, i));
    Vec<kDims> position =
        LoadVec<kDims>(position_, i) + Steered(velocity) * Same(rules_.dt);
    std::int64_t stops = 0;
    if (rules_.wraps) {
      position = Wrapped(position);
    } else {
      stops = CountRows(i, StopAtFaces(position, velocity));
    }
    StoreVec(velocity, velocity_, i);
    StoreVec(position, position_, i);
    return stops;
  }

 private:
  // The part of a velocity that is steered, and that moves the agent.
  HWY_INLINE Vec<kDims> Steered(const Vec<kDims>& velocity) const {
    if constexpr (kDims == 2) return velocity;
    if constexpr (kDims == 3) {
      return in_plane_ ? Flatten(velocity, force_mask_) : velocity;
    }
  }

  HWY_INLINE Floats Limit(const Vec<kDims>& velocity) const {
    const Floats most = Same(rules_.max_speed);
    if (rules_.overspeed_kept == 0.0f) return most;
    const Floats speed = Length(velocity);
    const Floats limit = most + (speed - most) * Same(rules_.overspeed_kept);
    return AtMost(Choose(hn::Gt(speed, most), limit, most),
                  Same(kMaxSpeedOrForce));
  }

  HWY_INLINE Vec<kDims> NewVelocity(const Vec<kDims>& velocity,
                                    const Vec<kDims>& force) const {
    const Vec<kDims> before = Steered(velocity);
    const Vec<kDims> change = ClampLength(force, Same(rules_.max_force)) *
                              Same(rules_.velocity_per_force);
    Vec<kDims> after = ClampLength(before + change, Limit(before));
    if constexpr (kDims == 3) {
      if (!in_plane_) return after;
      if (force_mask_.x == 0.0f) after.x = velocity.x;
      if (force_mask_.y == 0.0f) after.y = velocity.y;
      if (force_mask_.z == 0.0f) after.z = velocity.z;
      return ClampLength(after, Same(kMaxSpeedOrForce));
    }
    return after;
  }

  HWY_INLINE LaneMask StopAtFaces(Vec<kDims>& position,
                                  Vec<kDims>& velocity) const {
    const LaneMask at_x = StopAtFace(low_.x, high_.x, position.x, velocity.x);
    const LaneMask at_y = StopAtFace(low_.y, high_.y, position.y, velocity.y);
    if constexpr (kDims == 2) return hn::Or(at_x, at_y);
    if constexpr (kDims == 3) {
      return hn::Or(hn::Or(at_x, at_y),
                    StopAtFace(low_.z, high_.z, position.z, velocity.z));
    }
  }

  // How many of the lanes are agents.
  HWY_INLINE std::int64_t CountRows(std::size_t i, LaneMask lanes) const {
    if (None(lanes)) return 0;
    const LaneMask agents = hn::FirstN(kFloats, rows_.rows - i);
    return static_cast<std::int64_t>(
        hn::CountTrue(kFloats, hn::And(lanes, agents)));
  }

  HWY_INLINE Vec<kDims> Wrapped(const Vec<kDims>& place) const {
    if constexpr (kDims == 2) {
      return {WrapCoordinate(wrap_.x, place.x),
              WrapCoordinate(wrap_.y, place.y)};
    }
    if constexpr (kDims == 3) {
      return {WrapCoordinate(wrap_.x, place.x),
              WrapCoordinate(wrap_.y, place.y),
              WrapCoordinate(wrap_.z, place.z)};
    }
  }

  const MotionRules& rules_;
  const MotionRows& rows_;
  const bool in_plane_;  // of a world without one: the forces' own
  const Vec3 force_mask_;
  const Columns position_;
  const Columns velocity_;
  const Columns force_;
  const Axes<WrapAxis> wrap_;
  const Axes<float> low_;
  const Axes<float> high_;
};

template <int kDims>
std::int64_t IntegrateIn(const MotionRules& rules, const MotionRows& rows) {
  const Mover<kDims> mover(rules, rows);
  std::int64_t stops = 0;
  for (std::size_t i = 0; i < rows.rows; i += kLanes) stops += mover.Move(i);
  if (rules.turns) TurnAll<kDims>(rules, rows);
  return stops;
}

inline std::int64_t Integrate(const MotionRules& rules,
                              const MotionRows& rows) {
  return rules.world_plane == Plane::kNone ? IntegrateIn<3>(rules, rows)
                                           : IntegrateIn<2>(rules, rows);
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_MOTION_INL_H_
