// From the forces of an archetype's levels to one force.
//
// Levels act in ascending order, each once all of its terms are summed (L) and
// on what the levels before it made (T, at first 0):
//   WEIGHTED_SUM     T + L
//   PRIORITY_BUDGET  T + (L cut to max_force - |T|); T when nothing is left.
//                    A level that opposes T leaves room for the next.
//   FIRST_NONZERO    L when T is 0, else T
// Source: C. Reynolds, GDC 1999, for the budget. Pure functions.
#ifndef MEANDER_CORE_STEERING_COMBINE_H_
#define MEANDER_CORE_STEERING_COMBINE_H_

#include <cstddef>

#include "core/archetype.h"
#include "core/math/vec3.h"

namespace meander::core {

// The columns of one force, `rows` elements each.
struct ForceColumns {
  float* x = nullptr;
  float* y = nullptr;
  float* z = nullptr;
};

// T of one agent after one more level.
Vec3 CombineForces(Combine combine, float max_force, const Vec3& total,
                   const Vec3& level);

// Brings `total` up to date with one more level for each row. The two do not
// overlap. Where an archetype has one level, or sums them all, a caller may let
// kernels write to `total` at once: T + L is then summed term by term, in
// ascending order of levels, and that is what those worlds mean.
void CombineLevel(Combine combine, float max_force, const ForceColumns& level,
                  const ForceColumns& total, std::size_t rows);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_COMBINE_H_
