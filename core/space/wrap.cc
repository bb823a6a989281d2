#include "core/space/wrap.h"

#include <cmath>

namespace meander::core {
namespace {

WrapAxis AxisOf(float in_plane, float low, float high) {
  if (in_plane == 0.0f) return {};
  return {.low = low, .high = high, .half_period = (high - low) * 0.5f};
}

}  // namespace

Wrap WrapOf(const SimulationConfig& config) {
  if (config.bounds_mode != BoundsMode::kWrap) return {};
  const Vec3 mask = PlaneMask(config.plane);
  const Vec3& low = config.bounds_min;
  const Vec3& high = config.bounds_max;
  return {AxisOf(mask.x, low.x, high.x), AxisOf(mask.y, low.y, high.y),
          AxisOf(mask.z, low.z, high.z)};
}

float WrapBeyond(const WrapAxis& axis, float value) {
  const double low = axis.low;
  const double period = static_cast<double>(axis.high) - low;
  const double exact = value;
  const double periods = std::floor((exact - low) / period);
  const auto wrapped = static_cast<float>(exact - periods * period);
  return wrapped >= axis.low && wrapped < axis.high ? wrapped : axis.low;
}

float ShortestCoordinate(const WrapAxis& axis, float d) {
  const float half = axis.half_period;
  if (d >= -half && d < half) return d;
  const double low = axis.low;
  const double period = static_cast<double>(axis.high) - low;
  const double exact = d;
  const double periods = std::floor((exact + 0.5 * period) / period);
  const auto shortest = static_cast<float>(exact - periods * period);
  return shortest >= -half && shortest < half ? shortest : -half;
}

Vec3 HeldPlace(const SimulationConfig& config, const Vec3& place) {
  return WrapPlace(WrapOf(config), Flatten(place, config.plane));
}

}  // namespace meander::core
