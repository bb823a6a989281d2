// Random places in an area, by the world's seed and a command's sequence.
//
// The place of the i-th agent depends on (world seed, sequence, i) alone. A
// disc is uniform by sqrt(u), a ball by the largest of three uniforms; lanes
// are listed in agent_random.h. Places lie within the world's bounds. Pure
// function.
#ifndef MEANDER_CORE_STEP_PLACE_IN_AREA_H_
#define MEANDER_CORE_STEP_PLACE_IN_AREA_H_

#include <cstdint>

#include "core/command.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"

namespace meander::core {

// Precondition: the area is valid for the config. `place_seed` is
// PlaceSeed(world seed, sequence).
Vec3 PlaceInArea(const Area& area, const SimulationConfig& config,
                 std::uint64_t place_seed, std::uint64_t index);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_PLACE_IN_AREA_H_
