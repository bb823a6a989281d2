#include "server/convert/world_convert.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/validation.h"
#include "server/convert/agent_convert.h"
#include "server/convert/enum_convert.h"

namespace meander::convert {

using core::ErrorCode;

Simulation ToCore(const v1::SimulationConfig& simulation,
                  std::int64_t max_agents, std::string_view path,
                  core::Violations& violations) {
  core::FieldChecker check(violations, path);
  const std::size_t before = violations.size();
  Simulation out;
  out.seed = simulation.seed();
  core::SimulationConfig& config = out.config;
  if (simulation.tick_rate_hz() != 0) {
    config.tick_rate_hz = simulation.tick_rate_hz();
  }
  config.plane = ToCore(simulation.plane(), kPlanes, "plane", check);
  if (simulation.has_bounds()) {
    const v1::Bounds& bounds = simulation.bounds();
    if (bounds.has_min()) config.bounds_min = ToCore(bounds.min());
    if (bounds.has_max()) config.bounds_max = ToCore(bounds.max());
    config.bounds_mode =
        ToCore(bounds.mode(), kBoundsModes, "bounds.mode", check);
  }
  config.max_agents = std::min(config.max_agents, max_agents);
  if (simulation.max_agents() != 0 &&
      check.Integer("max_agents", simulation.max_agents(), 1, max_agents)) {
    config.max_agents = simulation.max_agents();
  }
  if (simulation.cell_size() != 0.0f) {
    config.cell_size = simulation.cell_size();
  }
  for (core::Error& error : core::Validate(config, path)) {
    violations.push_back(std::move(error));
  }
  if (violations.size() == before) config = core::Normalized(config);
  return out;
}

void ToProto(const Simulation& simulation, v1::SimulationConfig& out) {
  const core::SimulationConfig& config = simulation.config;
  out.set_seed(simulation.seed);
  out.set_tick_rate_hz(config.tick_rate_hz);
  out.set_plane(ToProto(config.plane, kPlanes));
  v1::Bounds& bounds = *out.mutable_bounds();
  ToProto(config.bounds_min, *bounds.mutable_min());
  ToProto(config.bounds_max, *bounds.mutable_max());
  bounds.set_mode(ToProto(config.bounds_mode, kBoundsModes));
  out.set_max_agents(config.max_agents);
  out.set_cell_size(config.cell_size);
}

void CheckOutputOnly(const v1::World& world, std::string_view path,
                     core::Violations& violations) {
  core::FieldChecker check(violations, path);
  std::vector<const google::protobuf::FieldDescriptor*> set;
  world.GetReflection()->ListFields(world, &set);
  for (const auto* field : set) {
    if (field->number() == v1::World::kSimulationFieldNumber ||
        field->number() == v1::World::kHostingFieldNumber ||
        field->number() == v1::World::kLabelsFieldNumber) {
      continue;
    }
    check.Fail(ErrorCode::kMalformed, field->name(),
               "is output only and must not be set");
  }
}

std::optional<std::string> CellSizeHint(float cell_size,
                                        float neighbor_radius) {
  constexpr float kFar = 4.0f;
  if (neighbor_radius == 0.0f) return std::nullopt;
  const float fitting =
      std::clamp(neighbor_radius, core::kMinCellSize, core::kMaxCellSize);
  if (cell_size <= kFar * fitting && fitting <= kFar * cell_size) {
    return std::nullopt;
  }
  return "simulation.cell_size is " + core::Show(cell_size) +
         " while neighbors are looked for within " +
         core::Show(neighbor_radius) +
         " units: steps are faster when the two are alike (SetCellSize)";
}

}  // namespace meander::convert
