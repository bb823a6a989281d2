// The three wanders, many agents at a time.
#if defined(MEANDER_CORE_SIMD_WANDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_WANDER_INL_H_
#undef MEANDER_CORE_SIMD_WANDER_INL_H_
#else
#define MEANDER_CORE_SIMD_WANDER_INL_H_
#endif

#include "core/simd/targets-inl.h"
#include "core/simd/trig-inl.h"
#include "core/steering/wander.h"
#include "core/steering/wander_heading_offset.h"
#include "core/steering/wander_spherical.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

// 2u - 1.
HWY_INLINE Floats Signed(Floats uniform) {
  return Same(2.0f) * uniform - Same(1.0f);
}

HWY_INLINE Words TurnChange(Floats uniform, Floats reach) {
  const Floats shift = Same(kRoundingShift);
  const Floats change = Signed(uniform) * reach;
  const Floats part = change - ((change + shift) - shift);
  const Ints half = hn::ConvertTo(kInts, part * Same(0x1p31f));
  return hn::ShiftLeft<1>(hn::BitCast(kWords, half));
}

// Moves the angles and returns them.
HWY_INLINE Words WalkTurns(std::uint32_t* turns, Floats uniforms,
                           Floats reach) {
  const Words walked = hn::LoadU(kWords, turns) + TurnChange(uniforms, reach);
  hn::StoreU(walked, kWords, turns);
  return walked;
}

// first * along + second * aside, in the coordinates of vectors.
template <int kDims>
HWY_INLINE Vec<kDims> OnAxes(const PlaneAxes& axes, Floats along,
                             Floats aside) {
  if constexpr (kDims == 2) {
    return {along + Zero() * aside, Zero() * along + aside};
  }
  if constexpr (kDims == 3) {
    return SameVec(axes.first) * along + SameVec(axes.second) * aside;
  }
}

template <int kDims>
void AddWanderWorldAngleIn(const Block<kDims>& block,
                           const WanderWorldAngle& wander,
                           const PlaneAxes& axes, const float* uniforms,
                           std::uint32_t* turns) {
  const Floats reach = Same(TurnReach(wander.jitter, block.scalars.dt));
  const Floats radius = Same(wander.radius);
  const Floats distance = Same(wander.distance);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const SinCosVectors angle =
        SinCosTurn(WalkTurns(turns + i, Load(uniforms + i), reach));
    const Vec<kDims> velocity = block.Velocity(i);
    const Floats squared = LengthSquared(velocity);
    const Floats ahead =
        Only(hn::Gt(squared, Zero()), distance / hn::Sqrt(squared));
    const Vec<kDims> on_circle =
        OnAxes<kDims>(axes, radius * angle.cos, radius * angle.sin);
    block.AddForce(
        i, SeekForce(velocity * ahead + on_circle, velocity, block.max_speed));
  }
}
inline void AddWanderWorldAngle(const SteeringBlock& block,
                                const WanderWorldAngle& wander,
                                const PlaneAxes& axes,
                                std::span<const float> uniforms,
                                std::span<std::uint32_t> turns) {
  MEANDER_IN_SPACE(AddWanderWorldAngleIn, block, wander, axes, uniforms.data(),
                   turns.data());
}

struct FrameVectors {
  Vec<3> forward;
  Vec<3> up;
  Vec<3> right;
};

HWY_INLINE Vec<3> AxisX() { return {Same(1.0f), Zero(), Zero()}; }

HWY_INLINE FrameVectors FrameOf(const Vec<3>& velocity) {
  constexpr float kAlong = 1.0e-12f;
  const LaneMask rests = hn::Eq(LengthSquared(velocity), Zero());
  const Vec<3> n = Choose(rests, AxisX(), NearUnit(velocity));
  const Floats beside_y = n.x * n.x + n.z * n.z;
  const Floats squared = beside_y + n.y * n.y;
  const LaneMask about_y = hn::Gt(beside_y, Same(kAlong) * squared);
  const Floats beside = Choose(about_y, beside_y, n.x * n.x + n.y * n.y);
  const Floats across = hn::Sqrt(beside);
  const Floats length = hn::Sqrt(squared);
  const Floats inverse = Same(1.0f) / (across * length);
  const Floats per_length = across * inverse;
  const Floats per_across = length * inverse;
  const Floats fall = hn::Neg(Choose(about_y, n.y, n.z) * inverse);
  const Floats rise = beside * inverse;
  const Vec<3> up{n.x * fall, Choose(about_y, rise, n.y * fall),
                  Choose(about_y, n.z * fall, rise)};
  const Vec<3> right{
      Choose(about_y, hn::Neg(n.z * per_across), n.y * per_across),
      Choose(about_y, Zero(), hn::Neg(n.x * per_across)),
      Choose(about_y, n.x * per_across, Zero())};
  return {n * per_length, up, right};
}

// Moves the elevations and returns them.
HWY_INLINE Floats WalkElevations(float* elevations, Floats uniforms,
                                 Floats climb) {
  const Floats walked = Load(elevations) + Signed(uniforms) * climb;
  const Floats held = AtLeast(AtMost(walked, Same(kHalfPi)), Same(-kHalfPi));
  Store(held, elevations);
  return held;
}

inline void AddWanderSpherical(const SteeringBlock& steering,
                               const WanderSpherical& wander,
                               const SphericalUniforms& uniforms,
                               const SphericalColumns& columns) {
  const Block<3> block(steering);
  const Floats reach = Same(TurnReach(wander.jitter, steering.dt));
  const Floats climb = Same(wander.jitter * steering.dt);
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const SinCosVectors azimuth = SinCosTurn(WalkTurns(
        columns.turns.data() + i, Load(uniforms.azimuth.data() + i), reach));
    const SinCosVectors elevation =
        SinCos(WalkElevations(columns.elevations.data() + i,
                              Load(uniforms.elevation.data() + i), climb));
    const Vec<3> velocity = block.Velocity(i);
    const FrameVectors frame = FrameOf(velocity);
    const Vec<3> level =
        frame.forward * azimuth.cos + frame.right * azimuth.sin;
    const Vec<3> on_sphere = level * elevation.cos + frame.up * elevation.sin;
    const Vec<3> offset =
        frame.forward * Same(wander.distance) + on_sphere * Same(wander.radius);
    block.AddForce(i, SeekForce(offset, velocity, block.max_speed));
  }
}

// A plane, made ready for vectors.
struct PlaneVectors {
  Vec3 mask;
  Vec<3> first_axis;

  explicit PlaneVectors(Plane plane)
      : mask(PlaneMask(plane)), first_axis(SameVec(AxesOf(plane).first)) {}
};

HWY_INLINE Vec<3> DirectionInPlane(const Vec<3>& value,
                                   const PlaneVectors& plane) {
  return UnitVector(Flatten(value, plane.mask), plane.first_axis);
}

HWY_INLINE Vec<3> CarryOffset(const Vec<3>& offset, const Vec<3>& from,
                              const Vec<3>& to) {
  constexpr float kReversed = 0.5e-6f;
  const Floats nearness = Same(1.0f) + Dot(from, to);
  const Vec<3> axis = Cross(from, to);
  const Vec<3> carried =
      (offset * (nearness - Same(1.0f)) + Cross(axis, offset)) +
      axis * (Dot(axis, offset) / nearness);
  return Choose(hn::Lt(nearness, Same(kReversed)), offset, carried);
}

inline void AddWanderHeadingOffset(const SteeringBlock& steering,
                                   const WanderHeadingOffset& wander,
                                   Plane wander_plane,
                                   const HeadingOffsetUniforms& uniforms,
                                   const HeadingOffsetColumns& columns) {
  // In the axes of the world also where that has a plane.
  SteeringBlock in_space = steering;
  in_space.plane = Plane::kNone;
  const Block<3> block(in_space);
  const Columns offsets(Plane::kNone, columns.offset_x.data(),
                        columns.offset_y.data(), columns.offset_z.data());
  const Columns headings(Plane::kNone, columns.heading_x.data(),
                         columns.heading_y.data(), columns.heading_z.data());
  const ConstColumns drawn(Plane::kNone, uniforms.x.data(), uniforms.y.data(),
                           uniforms.z.data());
  const PlaneVectors plane(wander_plane);
  const Floats reach = Same(WalkReach(wander, steering.dt));
  for (std::size_t i = 0; i < block.rows; i += kLanes) {
    const Vec<3> last = LoadVec<3>(headings, i);
    const Vec<3> velocity = block.Velocity(i);
    const Vec<3> in_plane = Flatten(velocity, plane.mask);
    const LaneMask moves = hn::Gt(LengthSquared(in_plane), Zero());
    const Vec<3> heading =
        DirectionInPlane(Choose(moves, in_plane, last), plane);
    Vec<3> offset = LoadVec<3>(offsets, i);
    offset = Choose(moves, CarryOffset(offset, last, heading), offset);
    const Vec<3> u = LoadVec<3>(drawn, i);
    offset = offset + Vec<3>{Signed(u.x), Signed(u.y), Signed(u.z)} * reach;
    offset = DirectionInPlane(offset, plane);
    block.AddForce(i, SeekForce(heading * Same(wander.distance) +
                                    offset * Same(wander.radius),
                                velocity, block.max_speed));
    StoreVec(offset, offsets, i);
    StoreVec(heading, headings, i);
  }
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_WANDER_INL_H_
