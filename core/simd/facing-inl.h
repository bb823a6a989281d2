// Facing: steering/facing.h, many agents at a time, in two coordinates or
// three.
//
// In three passes over a block, with what they hand on in the first level of
// the cache: each computation waits for the one before, so many are under way
// only where a pass is short.
#if defined(MEANDER_CORE_SIMD_FACING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_FACING_INL_H_
#undef MEANDER_CORE_SIMD_FACING_INL_H_
#else
#define MEANDER_CORE_SIMD_FACING_INL_H_
#endif

#include "core/simd/block-inl.h"
#include "core/simd/trig-inl.h"
#include "core/simd/vector-inl.h"
#include "core/steering/facing.h"
#include "core/step/integrate.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

// What the passes over one block hand on.
struct TurnScratch {
  HWY_ALIGN float along[kBlockRows];
  HWY_ALIGN float across[kBlockRows];  // then the angle
  // In space, a quarter turn from the facing toward the velocity.
  HWY_ALIGN float quarter_x[kBlockRows];
  HWY_ALIGN float quarter_y[kBlockRows];
  HWY_ALIGN float quarter_z[kBlockRows];
};

template <int kDims>
class Turner {
 public:
  Turner(const MotionRules& rules, const MotionRows& rows)
      : rules_(rules),
        mask_(PlaneMask(rules.force_plane)),
        velocity_(rules.world_plane, rows.velocity_x, rows.velocity_y,
                  rows.velocity_z),
        facing_(rules.world_plane, rows.facing_x, rows.facing_y,
                rows.facing_z) {}

  // The lanes of those who are fast enough to turn.
  HWY_INLINE LaneMask Turns(const Vec<kDims>& velocity) const {
    const float still = rules_.min_facing_speed;
    return hn::Gt(LengthSquared(velocity), Same(still * still));
  }

  HWY_INLINE void TurnWholly(std::size_t i) const {
    const Vec<kDims> velocity = Steered(i);
    const Vec<kDims> facing = Facing(i);
    Keep(i, velocity, UnitVector(velocity, facing), facing);
  }

  HWY_INLINE void Compare(std::size_t i, TurnScratch& scratch) const {
    CompareWith(i, NearUnit(Steered(i)), scratch);
  }

  HWY_INLINE void FindAngle(std::size_t i, TurnScratch& scratch) const {
    const Floats angle =
        Atan2(Load(scratch.across + i), Load(scratch.along + i));
    Store(Same(rules_.turn_share) * angle, scratch.across + i);
  }

  HWY_INLINE void Turn(std::size_t i, const TurnScratch& scratch) const {
    const SinCosVectors turned = SinCos(Load(scratch.across + i));
    const Vec<kDims> facing = Facing(i);
    const Vec<kDims> unit = Rotated(i, facing, turned, scratch);
    const Floats correction = Same(1.5f) - Same(0.5f) * LengthSquared(unit);
    Keep(i, Steered(i), unit * correction, facing);
  }

 private:
  HWY_INLINE Vec<kDims> Facing(std::size_t i) const {
    return LoadVec<kDims>(facing_, i);
  }
  // The part of the velocity that is steered.
  HWY_INLINE Vec<kDims> Steered(std::size_t i) const {
    const Vec<kDims> velocity = LoadVec<kDims>(velocity_, i);
    if constexpr (kDims == 2) return velocity;
    if constexpr (kDims == 3) return Flatten(velocity, mask_);
  }
  HWY_INLINE void Keep(std::size_t i, const Vec<kDims>& velocity,
                       const Vec<kDims>& turned,
                       const Vec<kDims>& facing) const {
    StoreVec(Choose(Turns(velocity), turned, facing), facing_, i);
  }

  // Angles to the left are positive. Those of the opposite become -pi.
  HWY_INLINE void CompareWith(std::size_t i, const Vec<2>& wanted,
                              TurnScratch& scratch) const {
    const Vec<2> facing = Facing(i);
    const Floats along = facing.x * wanted.x + facing.y * wanted.y;
    const Floats across = facing.x * wanted.y - facing.y * wanted.x;
    const LaneMask opposite =
        hn::Lt(hn::Abs(across), along * Same(-kOppositeAngle));
    Store(Choose(opposite, Same(-1.0f), along), scratch.along + i);
    Store(Choose(opposite, Same(-0x1p-126f), across), scratch.across + i);
  }

  // Angles are positive. Those of the opposite become pi.
  HWY_INLINE void CompareWith(std::size_t i, const Vec<3>& wanted,
                              TurnScratch& scratch) const {
    const Vec<3> facing = Facing(i);
    const Floats along = Dot(facing, wanted);
    const Vec<3> aside = wanted - facing * along;
    const Floats across = Length(aside);
    const LaneMask opposite = hn::Lt(across, along * Same(-kOppositeAngle));
    Store(Choose(opposite, Same(-1.0f), along), scratch.along + i);
    Store(Only(hn::Not(opposite), across), scratch.across + i);
    const Columns quarter = Quarter(scratch);
    StoreVec(Only(hn::Gt(across, Zero()), aside * (Same(1.0f) / across)),
             quarter, i);
    if (None(hn::And(opposite, Turns(Steered(i))))) return;
    TurnBack(i, opposite, quarter);
  }

  // The few that face away from where they go, one by one.
  HWY_INLINE void TurnBack(std::size_t first, LaneMask opposite,
                           const Columns& quarter) const {
    HWY_ALIGN float turns[kLanes];
    Store(Only(opposite, Same(1.0f)), turns);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (turns[lane] == 0.0f) continue;
      const std::size_t i = first + lane;
      const Vec3 back = NegativeQuarter(
          {facing_.x[i], facing_.y[i], facing_.z[i]}, rules_.force_plane);
      quarter.x[i] = back.x;
      quarter.y[i] = back.y;
      quarter.z[i] = back.z;
    }
  }

  static Columns Quarter(TurnScratch& scratch) {
    return {Plane::kNone, scratch.quarter_x, scratch.quarter_y,
            scratch.quarter_z};
  }

  HWY_INLINE Vec<2> Rotated(std::size_t, const Vec<2>& facing,
                            const SinCosVectors& turned,
                            const TurnScratch&) const {
    return {facing.x * turned.cos - facing.y * turned.sin,
            facing.y * turned.cos + facing.x * turned.sin};
  }
  HWY_INLINE Vec<3> Rotated(std::size_t i, const Vec<3>& facing,
                            const SinCosVectors& turned,
                            const TurnScratch& scratch) const {
    const Vec<3> quarter{Load(scratch.quarter_x + i),
                         Load(scratch.quarter_y + i),
                         Load(scratch.quarter_z + i)};
    return facing * turned.cos + quarter * turned.sin;
  }

  const MotionRules& rules_;
  const Vec3 mask_;
  const Columns velocity_;
  const Columns facing_;
};

// Turns the facings of a block after its new velocities.
template <int kDims>
HWY_INLINE void TurnAll(const MotionRules& rules, const MotionRows& rows) {
  const Turner<kDims> turner(rules, rows);
  const std::size_t end = rows.rows;
  if (!(rules.turn_share > 0.0f)) return;
  if (!(rules.turn_share < 1.0f)) {
    for (std::size_t i = 0; i < end; i += kLanes) turner.TurnWholly(i);
    return;
  }
  TurnScratch scratch;
  for (std::size_t i = 0; i < end; i += kLanes) turner.Compare(i, scratch);
  for (std::size_t i = 0; i < end; i += kLanes) turner.FindAngle(i, scratch);
  for (std::size_t i = 0; i < end; i += kLanes) turner.Turn(i, scratch);
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_FACING_INL_H_
