#include "server/convert/world_convert.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/validation.h"
#include "server/convert/agent_convert.h"

namespace meander::convert {
namespace {

using core::ErrorCode;

core::Plane ToPlane(v1::Plane plane, core::FieldChecker& check) {
  switch (plane) {
    case v1::PLANE_UNSPECIFIED:
    case v1::PLANE_NONE:
      return core::Plane::kNone;
    case v1::PLANE_XY:
      return core::Plane::kXY;
    case v1::PLANE_XZ:
      return core::Plane::kXZ;
    case v1::PLANE_YZ:
      return core::Plane::kYZ;
    default:  // Enums of the protocol are open.
      check.Fail(ErrorCode::kMalformed, "plane",
                 std::to_string(plane) + " is not a plane");
      return core::Plane::kNone;
  }
}

core::BoundsMode ToMode(v1::BoundsMode mode, core::FieldChecker& check) {
  switch (mode) {
    case v1::BOUNDS_MODE_UNSPECIFIED:
    case v1::BOUNDS_MODE_OPEN:
      return core::BoundsMode::kOpen;
    case v1::BOUNDS_MODE_CLAMP:
      return core::BoundsMode::kClamp;
    case v1::BOUNDS_MODE_WRAP:
      return core::BoundsMode::kWrap;
    default:
      check.Fail(ErrorCode::kMalformed, "bounds.mode",
                 std::to_string(mode) + " is not a mode");
      return core::BoundsMode::kOpen;
  }
}

v1::BoundsMode ToProto(core::BoundsMode mode) {
  switch (mode) {
    case core::BoundsMode::kClamp:
      return v1::BOUNDS_MODE_CLAMP;
    case core::BoundsMode::kWrap:
      return v1::BOUNDS_MODE_WRAP;
    case core::BoundsMode::kOpen:
      break;
  }
  return v1::BOUNDS_MODE_OPEN;
}

v1::Plane ToProto(core::Plane plane) {
  switch (plane) {
    case core::Plane::kXY:
      return v1::PLANE_XY;
    case core::Plane::kXZ:
      return v1::PLANE_XZ;
    case core::Plane::kYZ:
      return v1::PLANE_YZ;
    case core::Plane::kNone:
      break;
  }
  return v1::PLANE_NONE;
}

}  // namespace

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
  config.plane = ToPlane(simulation.plane(), check);
  if (simulation.has_bounds()) {
    const v1::Bounds& bounds = simulation.bounds();
    if (bounds.has_min()) config.bounds_min = ToCore(bounds.min());
    if (bounds.has_max()) config.bounds_max = ToCore(bounds.max());
    config.bounds_mode = ToMode(bounds.mode(), check);
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
  out.set_plane(ToProto(config.plane));
  v1::Bounds& bounds = *out.mutable_bounds();
  ToProto(config.bounds_min, *bounds.mutable_min());
  ToProto(config.bounds_max, *bounds.mutable_max());
  bounds.set_mode(ToProto(config.bounds_mode));
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

}  // namespace meander::convert
