// What decides a world, between the protocol and core.
//
// Defaults of the protocol are filled in here and nowhere else. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_WORLD_CONVERT_H_
#define MEANDER_SERVER_CONVERT_WORLD_CONVERT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/simulation_config.h"
#include "meander/v1/world.pb.h"

namespace meander::convert {

struct Simulation {
  core::SimulationConfig config;
  std::uint64_t seed = 0;

  bool operator==(const Simulation&) const = default;
};

// Of a world to be made on a server that takes at most `max_agents` in one.
// What is wrong is added to `violations`, with fields below `path`; the result
// is valid and normalized when that is nothing.
Simulation ToCore(const v1::SimulationConfig& simulation,
                  std::int64_t max_agents, std::string_view path,
                  core::Violations& violations);

// Every value as it is in effect, also where it is the default.
void ToProto(const Simulation& simulation, v1::SimulationConfig& out);

// Fields of a world to be made that only the server may set.
void CheckOutputOnly(const v1::World& world, std::string_view path,
                     core::Violations& violations);

// What to tell a person when cells are far from the largest radius within which
// neighbors are looked for (0: nobody looks), which costs speed. In units.
std::optional<std::string> CellSizeHint(float cell_size, float neighbor_radius);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_WORLD_CONVERT_H_
