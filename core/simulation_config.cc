#include "core/simulation_config.h"

#include "core/math/float_environment.h"
#include "core/validation.h"

namespace meander::core {

Vec3 PlaneMask(Plane plane) {
  switch (plane) {
    case Plane::kXY:
      return {1.0f, 1.0f, 0.0f};
    case Plane::kXZ:
      return {1.0f, 0.0f, 1.0f};
    case Plane::kYZ:
      return {0.0f, 1.0f, 1.0f};
    case Plane::kNone:
      break;
  }
  return {1.0f, 1.0f, 1.0f};
}

Vec3 Flatten(Vec3 value, Plane plane) {
  const Vec3 mask = PlaneMask(plane);
  if (mask.x == 0.0f) value.x = 0.0f;
  if (mask.y == 0.0f) value.y = 0.0f;
  if (mask.z == 0.0f) value.z = 0.0f;
  return value;
}

PlaneAxes AxesOf(Plane plane) {
  constexpr Vec3 kX{1.0f, 0.0f, 0.0f};
  constexpr Vec3 kY{0.0f, 1.0f, 0.0f};
  constexpr Vec3 kZ{0.0f, 0.0f, 1.0f};
  switch (plane) {
    case Plane::kXZ:
      return {kX, kZ};
    case Plane::kYZ:
      return {kY, kZ};
    case Plane::kNone:
    case Plane::kXY:
      break;
  }
  return {kX, kY};
}

SimulationConfig Normalized(SimulationConfig config) {
  config.bounds_min = Flatten(config.bounds_min, config.plane);
  config.bounds_max = Flatten(config.bounds_max, config.plane);
  return config;
}

float StepSeconds(const SimulationConfig& config) {
  return 1.0f / static_cast<float>(config.tick_rate_hz);
}

namespace {

void CheckAxis(FieldChecker& check, std::string_view axis, float in_plane,
               float low, float high, BoundsMode mode) {
  if (in_plane == 0.0f) return;
  const std::string min = JoinPath("bounds.min", axis);
  const std::string max = JoinPath("bounds.max", axis);
  const bool low_is_number = check.Number(min, low, -kMaxBound, kMaxBound);
  const bool high_is_number = check.Number(max, high, -kMaxBound, kMaxBound);
  if (!low_is_number || !high_is_number) return;
  if (low >= high) {
    check.Fail(ErrorCode::kOutOfBounds, max,
               "must be above " + min + ", which is " + Show(low));
  } else if (mode == BoundsMode::kWrap && high - low < kLeastPeriod) {
    check.Fail(ErrorCode::kOutOfBounds, max,
               "must be at least " + Show(kLeastPeriod) + " above " + min +
                   " in bounds that wrap; it is " + Show(high - low) +
                   " above");
  }
}

}  // namespace

Violations Validate(const SimulationConfig& config, std::string_view path) {
  const ScopedFloatEnvironment environment;
  Violations violations;
  FieldChecker check(violations, path);
  check.Integer("tick_rate_hz", config.tick_rate_hz, 1, kMaxTickRateHz);
  if (config.plane > Plane::kYZ) {
    check.Fail(ErrorCode::kMalformed, "plane", "is not a plane");
  }
  if (config.bounds_mode > BoundsMode::kWrap) {
    check.Fail(ErrorCode::kMalformed, "bounds.mode", "is not a mode");
  }
  const Vec3 mask = PlaneMask(config.plane);
  const Vec3& low = config.bounds_min;
  const Vec3& high = config.bounds_max;
  const BoundsMode mode = config.bounds_mode;
  CheckAxis(check, "x", mask.x, low.x, high.x, mode);
  CheckAxis(check, "y", mask.y, low.y, high.y, mode);
  CheckAxis(check, "z", mask.z, low.z, high.z, mode);
  check.Integer("max_agents", config.max_agents, 1, kMaxAgents);
  check.Number("cell_size", config.cell_size, kMinCellSize, kMaxCellSize);
  return violations;
}

}  // namespace meander::core
