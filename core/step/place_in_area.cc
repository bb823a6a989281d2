#include "core/step/place_in_area.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math/trig.h"
#include "core/random/agent_random.h"

namespace meander::core {
namespace {

struct Placer {
  const SimulationConfig& config;
  std::uint64_t place_seed;
  std::uint64_t index;

  std::array<float, 4> Draw(const LaneRange& lanes) const {
    return UniformBlock(place_seed, index, lanes.purpose, lanes.block);
  }

  Vec3 operator()(const Disc& disc) const {
    const std::array<float, 4> u = Draw(kDiscLanes);
    const SinCosPair azimuth = SinCosTurn(TurnFromUniform(u[0]));
    const float radius = disc.radius * std::sqrt(u[1]);
    const PlaneAxes axes = AxesOf(config.plane);
    return disc.center + (axes.first * (radius * azimuth.cos) +
                          axes.second * (radius * azimuth.sin));
  }

  Vec3 operator()(const Box& box) const {
    const std::array<float, 4> u = Draw(kBoxLanes);
    const Vec3 extent = box.max - box.min;
    return box.min + Vec3{u[0] * extent.x, u[1] * extent.y, u[2] * extent.z};
  }

  Vec3 operator()(const Ball& ball) const {
    const std::array<float, 4> u = Draw(kBallDirectionLanes);
    const std::array<float, 4> r = Draw(kBallRadiusLanes);
    const SinCosPair azimuth = SinCosTurn(TurnFromUniform(u[0]));
    const float height = 2.0f * u[1] - 1.0f;
    const float across = std::sqrt(1.0f - height * height);
    const float radius = ball.radius * std::max(r[0], std::max(r[1], r[2]));
    return ball.center +
           Vec3{across * azimuth.cos, across * azimuth.sin, height} * radius;
  }
};

}  // namespace

Vec3 PlaceInArea(const Area& area, const SimulationConfig& config,
                 std::uint64_t place_seed, std::uint64_t index) {
  const Vec3 place = std::visit(Placer{config, place_seed, index}, area);
  // Rounding may have carried it over a face.
  const Vec3& low = config.bounds_min;
  const Vec3& high = config.bounds_max;
  return {std::clamp(place.x, low.x, high.x),
          std::clamp(place.y, low.y, high.y),
          std::clamp(place.z, low.z, high.z)};
}

}  // namespace meander::core
