// Forces of a level joined to those before: steering/combine.h, many agents at
// a time.
#if defined(MEANDER_CORE_SIMD_COMBINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_COMBINE_INL_H_
#undef MEANDER_CORE_SIMD_COMBINE_INL_H_
#else
#define MEANDER_CORE_SIMD_COMBINE_INL_H_
#endif

#include "core/simd/block-inl.h"
#include "core/steering/combine.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

HWY_INLINE Vec<3> CombineForces(Combine combine, Floats max_force,
                                const Vec<3>& total, const Vec<3>& level) {
  switch (combine) {
    case Combine::kWeightedSum:
      break;
    case Combine::kPriorityBudget:
      return total + ClampLength(level, max_force - Length(total));
    case Combine::kFirstNonzero: {
      const LaneMask none =
          hn::And(hn::Eq(total.x, Zero()),
                  hn::And(hn::Eq(total.y, Zero()), hn::Eq(total.z, Zero())));
      return Choose(none, level, total);
    }
  }
  return total + level;
}

inline void CombineLevel(Combine combine, float max_force,
                         const ForceColumns& level, const ForceColumns& total,
                         std::size_t rows) {
  const Columns to(Plane::kNone, total.x, total.y, total.z);
  const Columns from(Plane::kNone, level.x, level.y, level.z);
  for (std::size_t i = 0; i < rows; i += kLanes) {
    StoreVec(CombineForces(combine, Same(max_force), LoadVec<3>(to, i),
                           LoadVec<3>(from, i)),
             to, i);
  }
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_COMBINE_INL_H_
