#include "core/steering/flocking.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/math/limit.h"
#include "core/math/trig.h"
#include "core/steering/seek.h"

namespace meander::core {
namespace {

// A bijection of 64 bits in which every input bit reaches every output bit:
// three rounds of folding the high half onto the low one and multiplying by an
// odd number (fractions of the golden ratio, sqrt(3) and sqrt(5)).
std::uint64_t Mix(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 32)) * 0xbb67ae8584caa73bu;
  value = (value ^ (value >> 32)) * 0x3c6ef372fe94f82bu;
  return value ^ (value >> 32);
}

// A place on the unit circle or sphere for each id, anywhere with equal chance.
Vec3 SpreadPlace(AgentId id, bool planar) {
  const std::uint64_t bits = Mix(static_cast<std::uint64_t>(id));
  const auto [sine, cosine] = SinCosTurn(static_cast<std::uint32_t>(bits));
  if (planar) return {cosine, sine, 0.0f};
  // Equal slices of a sphere have equal areas.
  const auto slice = static_cast<float>(bits >> 41);
  const float height = (slice + 0.5f) * 0x1p-22f - 1.0f;
  const float across = std::sqrt(1.0f - height * height);
  return {across * cosine, across * sine, height};
}

// How long the push of a neighbor is, over its distance.
template <Falloff kFalloff>
float PushPerDistance(float squared, float radius) {
  if constexpr (kFalloff == Falloff::kLinear) {
    const float distance = std::sqrt(squared);
    return (1.0f - distance / radius) / distance;
  } else {
    return 1.0f / squared;
  }
}

// How long the push of a coincident neighbor is.
template <Falloff kFalloff>
float LongestPush(float least) {
  return kFalloff == Falloff::kLinear ? 1.0f : 1.0f / least;
}

template <Falloff kFalloff>
void SumPushes(const Separation& separation, const NeighborGrid& grid,
               std::size_t agent, const NeighborChunk& chunk,
               NeighborSum& sum) {
  const float radius = separation.neighborhood.radius;
  const float least = LeastDistance(radius);
  const float least_squared = least * least;
  Vec3 pushes = sum.sum;
  float nearest = sum.nearest_squared;
  for (std::size_t i = 0; i < chunk.size; ++i) {
    const float squared = chunk.squared[i];
    if (squared < least_squared) {
      if (separation.coincident == Coincident::kSkip) continue;
      pushes += SpreadDirection(grid.id[agent], grid.id[chunk.agent[i]],
                                grid.planar()) *
                LongestPush<kFalloff>(least);
      continue;
    }
    pushes -= chunk.Offset(i) * PushPerDistance<kFalloff>(squared, radius);
    if constexpr (kFalloff == Falloff::kNearestFade) {
      nearest = AtMost(squared, nearest);
    }
  }
  sum.sum = pushes;
  sum.nearest_squared = nearest;
}

// 1 - d/R of the nearest neighbor.
float FadeOf(float nearest_squared, float radius) {
  if (!IsFinite(nearest_squared)) return 1.0f;
  return AtLeast(1.0f - std::sqrt(nearest_squared) / radius, 0.0f);
}

}  // namespace

Vec3 SpreadDirection(AgentId self, AgentId other, bool planar) {
  const Vec3 way = SpreadPlace(self, planar) - SpreadPlace(other, planar);
  const float squared = LengthSquared(way);
  // Two places in 2^24 may be one to rounding.
  if (squared == 0.0f) return {self < other ? 1.0f : -1.0f, 0.0f, 0.0f};
  return way / std::sqrt(squared);
}

void SumSeparation(const Separation& separation, const NeighborGrid& grid,
                   std::size_t agent, const NeighborChunk& chunk,
                   NeighborSum& sum) {
  switch (separation.falloff) {
    case Falloff::kInverse:
      return SumPushes<Falloff::kInverse>(separation, grid, agent, chunk, sum);
    case Falloff::kNearestFade:
      return SumPushes<Falloff::kNearestFade>(separation, grid, agent, chunk,
                                              sum);
    case Falloff::kLinear:
      return SumPushes<Falloff::kLinear>(separation, grid, agent, chunk, sum);
  }
}

void SumAlignment(const NeighborGrid& grid, const NeighborChunk& chunk,
                  NeighborSum& sum) {
  Vec3 velocities = sum.sum;
  for (std::size_t i = 0; i < chunk.size; ++i) {
    velocities += grid.Velocity(chunk.agent[i]);
  }
  sum.sum = velocities;
  sum.count += static_cast<std::uint32_t>(chunk.size);
}

void SumCohesion(const NeighborChunk& chunk, NeighborSum& sum) {
  Vec3 offsets = sum.sum;
  for (std::size_t i = 0; i < chunk.size; ++i) offsets += chunk.Offset(i);
  sum.sum = offsets;
  sum.count += static_cast<std::uint32_t>(chunk.size);
}

void AddSeparation(const SteeringBlock& block, const Separation& separation,
                   const NeighborSums& sums) {
  const bool linear = separation.falloff == Falloff::kLinear;
  const bool fades = separation.falloff == Falloff::kNearestFade;
  for (std::size_t i = 0; i < block.rows; ++i) {
    const Vec3 pushes = sums.Sum(i);
    const float squared = LengthSquared(pushes);
    if (squared == 0.0f) continue;
    const float scale =
        linear ? block.max_speed : block.max_speed / std::sqrt(squared);
    Vec3 force = pushes * scale - block.Velocity(i);
    if (fades) {
      force *= FadeOf(sums.nearest_squared[i], separation.neighborhood.radius);
    }
    block.AddForce(i, force);
  }
}

void AddAlignment(const SteeringBlock& block, const NeighborSums& sums) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (sums.count[i] == 0) continue;
    const Vec3 mean = sums.Sum(i) / static_cast<float>(sums.count[i]);
    block.AddForce(i, ClampLength(mean, block.max_speed) - block.Velocity(i));
  }
}

void AddCohesion(const SteeringBlock& block, const Cohesion& cohesion,
                 const NeighborSums& sums) {
  const bool pulls = cohesion.mode == CohesionMode::kPull;
  // Neighbors within a radius of about 0 are within kLeastDistance.
  const float pull =
      block.max_speed / AtLeast(cohesion.neighborhood.radius, kLeastDistance);
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (sums.count[i] == 0) continue;
    const Vec3 mean = sums.Sum(i) / static_cast<float>(sums.count[i]);
    block.AddForce(i,
                   pulls ? mean * pull
                         : SeekForce(mean, block.Velocity(i), block.max_speed));
  }
}

}  // namespace meander::core
