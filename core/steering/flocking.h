// Flocking: separation, alignment and cohesion.
//
// In two halves. The neighbor pass adds neighbors, chunk by chunk in canonical
// order, to a NeighborSum; the kernels make forces of finished sums. v is the
// agent's velocity, S its max_speed, R the radius, o the offset to a neighbor
// and d its length. No neighbors: no force.
//   separation  sum of pushes, P; no force when |P|^2 is 0
//     INVERSE       push -o / d^2;              force S P/|P| - v
//     NEAREST_FADE  the same, times 1 - d/R of the nearest that is not
//                   coincident (times 1 when all are)
//     LINEAR        push -o / d * (1 - d/R);    force S P - v
//   alignment   clamp(mean velocity, S) - v
//   cohesion    m = mean of o;  SEEK: S m/|m| - v (-v when |m|^2 is 0);
//               PULL: S m/R
// Coincident is d < 1e-6 R, or d < 2^-40, where squares of 1/d would not stay
// finite. With SPREAD such a neighbor counts in separation as if at that least
// distance in the opposite of SpreadDirection; alignment and cohesion count it
// like any other.
// Every force is finite for every legal input. Pure functions.
// Source: C. Reynolds, "Steering Behaviors For Autonomous Characters", GDC
// 1999; the fades as two common libraries have them.
#ifndef MEANDER_CORE_STEERING_FLOCKING_H_
#define MEANDER_CORE_STEERING_FLOCKING_H_

#include <cstddef>

#include "core/behavior.h"
#include "core/math/limit.h"
#include "core/math/vec3.h"
#include "core/operation.h"
#include "core/space/neighbor_grid.h"
#include "core/space/neighbor_search.h"
#include "core/steering/neighbor_sums.h"
#include "core/steering/steering_block.h"

namespace meander::core {

inline constexpr float kCoincidentShare = 1.0e-6f;  // of the radius
inline constexpr float kLeastDistance = 0x1p-40f;   // units

// At less than which distance neighbors are coincident.
inline float LeastDistance(float radius) {
  return AtLeast(kCoincidentShare * radius, kLeastDistance);
}

// A unit vector, to rounding, away from an agent at the same place, and exactly
// opposite for the other of the two: as if each stood at a place of its own,
// which its id chooses, on a circle or sphere about that place. So of many the
// directions differ, and those of neighbors on the circle the most. In the axes
// of the grid; z is 0 in a plane.
Vec3 SpreadDirection(AgentId self, AgentId other, bool planar);

// Adds neighbors of an agent of the grid. In the axes of the grid.
void SumSeparation(const Separation& separation, const NeighborGrid& grid,
                   std::size_t agent, const NeighborChunk& chunk,
                   NeighborSum& sum);
void SumAlignment(const NeighborGrid& grid, const NeighborChunk& chunk,
                  NeighborSum& sum);
void SumCohesion(const NeighborChunk& chunk, NeighborSum& sum);

// Adds the force of a term to each agent of a block that has neighbors.
void AddSeparation(const SteeringBlock& block, const Separation& separation,
                   const NeighborSums& sums);
void AddAlignment(const SteeringBlock& block, const NeighborSums& sums);
void AddCohesion(const SteeringBlock& block, const Cohesion& cohesion,
                 const NeighborSums& sums);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_FLOCKING_H_
