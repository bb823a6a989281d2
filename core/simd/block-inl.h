// A block of agents as vectors: steering/steering_block.h, kLanes agents at a
// time, in two coordinates or three.
#if defined(MEANDER_CORE_SIMD_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_BLOCK_INL_H_
#undef MEANDER_CORE_SIMD_BLOCK_INL_H_
#else
#define MEANDER_CORE_SIMD_BLOCK_INL_H_
#endif

#include "core/simd/vector-inl.h"
#include "core/space/wrap.h"
#include "core/steering/steering_block.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

// The three columns of a vector, those of the plane's axes first.
template <typename T>
struct Axes {
  T x, y, z;

  Axes(Plane plane, T world_x, T world_y, T world_z)
      : x(world_x), y(world_y), z(world_z) {
    if (plane == Plane::kXZ) {
      y = world_z;
      z = world_y;
    } else if (plane == Plane::kYZ) {
      x = world_y;
      y = world_z;
      z = world_x;
    }
  }
};
using Columns = Axes<float*>;
using ConstColumns = Axes<const float*>;

template <int kDims, typename Pointer>
HWY_INLINE Vec<kDims> LoadVec(const Axes<Pointer>& columns, std::size_t i) {
  if constexpr (kDims == 2) return {Load(columns.x + i), Load(columns.y + i)};
  if constexpr (kDims == 3) {
    return {Load(columns.x + i), Load(columns.y + i), Load(columns.z + i)};
  }
}

template <int kDims>
HWY_INLINE void StoreVec(const Vec<kDims>& v, const Columns& columns,
                         std::size_t i) {
  Store(v.x, columns.x + i);
  Store(v.y, columns.y + i);
  if constexpr (kDims == 3) Store(v.z, columns.z + i);
}

HWY_INLINE Floats DeltaCoordinate(const WrapAxis& axis, Floats p, Floats q) {
  const Floats d = q - p;
  const Floats low = Same(axis.low);
  const Floats high = Same(axis.high);
  const Floats half = Same(axis.half_period);
  const Floats down = (q - high) - (p - low);
  const Floats up = (q - low) - (p - high);
  return Choose(hn::Ge(d, half), down, Choose(hn::Lt(d, hn::Neg(half)), up, d));
}

HWY_INLINE Floats ShortestCoordinate(const WrapAxis& axis, Floats d) {
  const Floats half = Same(axis.half_period);
  if (All(hn::And(hn::Ge(d, hn::Neg(half)), hn::Lt(d, half)))) return d;
  HWY_ALIGN float lanes[kLanes];
  Store(d, lanes);
  for (float& lane : lanes) lane = core::ShortestCoordinate(axis, lane);
  return Load(lanes);
}

template <int kDims>
class Block {
 public:
  const SteeringBlock& scalars;
  const std::size_t rows;
  const Floats max_speed;

  explicit Block(const SteeringBlock& block)
      : scalars(block),
        rows(block.rows),
        max_speed(Same(block.max_speed)),
        position_(block.plane, block.position_x, block.position_y,
                  block.position_z),
        velocity_(block.plane, block.velocity_x, block.velocity_y,
                  block.velocity_z),
        force_(block.plane, block.force_x, block.force_y, block.force_z),
        wrap_(block.plane, block.wrap.x, block.wrap.y, block.wrap.z),
        wraps_(wrap_.x.Wraps()),
        weight_(Same(block.term.weight)),
        gain_(Same(block.term.gain)),
        limits_(block.term.limit.has_value()),
        limit_(Same(block.term.limit.value_or(0.0f))) {}

  HWY_INLINE Vec<kDims> Position(std::size_t i) const {
    return LoadVec<kDims>(position_, i);
  }
  HWY_INLINE Vec<kDims> Velocity(std::size_t i) const {
    return LoadVec<kDims>(velocity_, i);
  }

  HWY_INLINE Vec<kDims> OffsetTo(std::size_t i, const Vec<kDims>& place) const {
    const Vec<kDims> from = Position(i);
    if (!wraps_) return place - from;
    if constexpr (kDims == 2) {
      return {DeltaCoordinate(wrap_.x, from.x, place.x),
              DeltaCoordinate(wrap_.y, from.y, place.y)};
    }
    if constexpr (kDims == 3) {
      return {DeltaCoordinate(wrap_.x, from.x, place.x),
              DeltaCoordinate(wrap_.y, from.y, place.y),
              DeltaCoordinate(wrap_.z, from.z, place.z)};
    }
  }

  HWY_INLINE Vec<kDims> Shortest(const Vec<kDims>& offset) const {
    if (!wraps_) return offset;
    if constexpr (kDims == 2) {
      return {ShortestCoordinate(wrap_.x, offset.x),
              ShortestCoordinate(wrap_.y, offset.y)};
    }
    if constexpr (kDims == 3) {
      return {ShortestCoordinate(wrap_.x, offset.x),
              ShortestCoordinate(wrap_.y, offset.y),
              ShortestCoordinate(wrap_.z, offset.z)};
    }
  }

  HWY_INLINE void AddForce(std::size_t i, const Vec<kDims>& force) const {
    StoreVec(LoadVec<kDims>(force_, i) + Scaled(force) * weight_, force_, i);
  }
  // Nothing to agents of other lanes.
  HWY_INLINE void AddForce(std::size_t i, LaneMask lanes,
                           const Vec<kDims>& force) const {
    const Vec<kDims> before = LoadVec<kDims>(force_, i);
    const Vec<kDims> after = before + Scaled(force) * weight_;
    StoreVec(Choose(lanes, after, before), force_, i);
  }

 private:
  HWY_INLINE Vec<kDims> Scaled(const Vec<kDims>& force) const {
    Vec<kDims> scaled = force * gain_;
    if constexpr (kDims == 3) {
      // Forces have all axes, or those of the archetype's plane.
      const Vec3& axes = scalars.term.axes;
      if (axes.x == 0.0f) scaled.x = Zero();
      if (axes.y == 0.0f) scaled.y = Zero();
      if (axes.z == 0.0f) scaled.z = Zero();
    }
    return limits_ ? ClampLength(scaled, limit_) : scaled;
  }

  const ConstColumns position_;
  const ConstColumns velocity_;
  const Columns force_;
  const Axes<WrapAxis> wrap_;
  const bool wraps_;
  const Floats weight_;
  const Floats gain_;
  const bool limits_;
  const Floats limit_;
};

template <int kDims>
class Targets {
 public:
  Targets(const Block<kDims>& block, const TargetBlock& targets)
      : position_(block.scalars.plane, targets.x.data(), targets.y.data(),
                  targets.z.data()),
        velocity_(block.scalars.plane, targets.velocity_x.data(),
                  targets.velocity_y.data(), targets.velocity_z.data()),
        present_(targets.present.data()) {}

  HWY_INLINE Vec<kDims> Position(std::size_t i) const {
    return LoadVec<kDims>(position_, i);
  }
  HWY_INLINE Vec<kDims> Velocity(std::size_t i) const {
    return LoadVec<kDims>(velocity_, i);
  }
  HWY_INLINE LaneMask Present(std::size_t i) const {
    const Words present = hn::LoadU(kWords, present_ + i);
    return hn::RebindMask(kFloats, hn::Ne(present, hn::Zero(kWords)));
  }

 private:
  const ConstColumns position_;
  const ConstColumns velocity_;
  const std::uint32_t* const present_;
};

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_BLOCK_INL_H_
