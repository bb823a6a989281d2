#include "core/step/place_in_area.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "core/math/vec3.h"
#include "core/random/agent_random.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr int kPlaces = 100'000;

// Cells of equal area or volume must be hit alike. With k - 1 degrees of
// freedom the statistic has mean k - 1 and standard deviation sqrt(2 (k - 1));
// for the fixed seeds below it must lie within 4 of them.
void ExpectEven(const std::vector<int>& hits) {
  const double wanted = kPlaces / static_cast<double>(hits.size());
  double statistic = 0.0;
  for (const int count : hits) {
    statistic += (count - wanted) * (count - wanted) / wanted;
  }
  const auto freedom = static_cast<double>(hits.size() - 1);
  EXPECT_NEAR(statistic, freedom, 4.0 * std::sqrt(2.0 * freedom));
}

int Cell(double part, int cells) {
  return std::clamp(static_cast<int>(part * cells), 0, cells - 1);
}

// The part of a turn, from 0 to 1.
double Azimuth(double first, double second) {
  return std::atan2(second, first) / (2.0 * std::numbers::pi) + 0.5;
}

// The two components in the plane (XY when there is none), and the third.
struct Flat {
  double first, second, off;
};
Flat Flattened(const Vec3& v, Plane plane) {
  switch (plane) {
    case Plane::kXZ:
      return {double{v.x}, double{v.z}, double{v.y}};
    case Plane::kYZ:
      return {double{v.y}, double{v.z}, double{v.x}};
    default:
      return {double{v.x}, double{v.y}, double{v.z}};
  }
}

TEST(PlaceInAreaTest, ADiscIsFilledEvenlyAndKept) {
  for (const Plane plane : kPlanes) {
    const SimulationConfig config = SmallConfig(plane);
    const Vec3 mask = PlaneMask(plane);
    const Disc disc{{10.0f * mask.x, -20.0f * mask.y, 30.0f * mask.z}, 60.0f};
    std::vector<int> hits(10 * 12);
    for (std::uint64_t i = 0; i < kPlaces; ++i) {
      const Vec3 place = PlaceInArea(disc, config, 17, i);
      const Flat from = Flattened(place - disc.center, plane);
      EXPECT_EQ(from.off, 0.0);
      const double part =
          (from.first * from.first + from.second * from.second) / 3600.0;
      ASSERT_LE(part, 1.00001);
      ++hits[static_cast<std::size_t>(
          Cell(part, 10) * 12 + Cell(Azimuth(from.first, from.second), 12))];
    }
    ExpectEven(hits);
  }
}

TEST(PlaceInAreaTest, ABoxIsFilledEvenlyAndKept) {
  for (const Plane plane : kPlanes) {
    const SimulationConfig config = SmallConfig(plane);
    const Vec3 mask = PlaneMask(plane);
    const Box box{{-90.0f * mask.x, 10.0f * mask.y, -5.0f * mask.z},
                  {-30.0f * mask.x, 11.0f * mask.y, 95.0f * mask.z}};
    const Vec3 extent = box.max - box.min;
    const auto part = [](float place, float low, float size) {
      return size == 0.0f ? 0.0 : double{place - low} / double{size};
    };
    const bool solid = plane == Plane::kNone;
    const int cells = solid ? 5 : 11;
    std::vector<int> hits(static_cast<std::size_t>(solid ? cells * cells * cells
                                                         : cells * cells));
    for (std::uint64_t i = 0; i < kPlaces; ++i) {
      const Vec3 place = PlaceInArea(box, config, 4, i);
      ASSERT_GE(place.x, box.min.x);
      ASSERT_GE(place.y, box.min.y);
      ASSERT_GE(place.z, box.min.z);
      ASSERT_LE(place.x, box.max.x);
      ASSERT_LE(place.y, box.max.y);
      ASSERT_LE(place.z, box.max.z);
      int cell = 0;
      if (extent.x != 0.0f) {
        cell = Cell(part(place.x, box.min.x, extent.x), cells);
      }
      if (extent.y != 0.0f) {
        cell = cell * cells + Cell(part(place.y, box.min.y, extent.y), cells);
      }
      if (extent.z != 0.0f) {
        cell = cell * cells + Cell(part(place.z, box.min.z, extent.z), cells);
      }
      ++hits[static_cast<std::size_t>(cell)];
    }
    ExpectEven(hits);
  }
}

TEST(PlaceInAreaTest, ABallIsFilledEvenlyAndKept) {
  const SimulationConfig config = SmallConfig();
  const Ball ball{{10.0f, -20.0f, 30.0f}, 60.0f};
  std::vector<int> hits(6 * 5 * 6);
  for (std::uint64_t i = 0; i < kPlaces; ++i) {
    const Vec3 from = PlaceInArea(ball, config, 8, i) - ball.center;
    const double x{from.x};
    const double y{from.y};
    const double z{from.z};
    const double radius = std::sqrt(x * x + y * y + z * z);
    ASSERT_LE(radius, 60.0 * 1.00001);
    // Shells, slices of equal height (of equal area on a sphere), sectors.
    const int shell = Cell(std::pow(radius / 60.0, 3.0), 6);
    const int slice = Cell(0.5 * (z / radius + 1.0), 5);
    ++hits[static_cast<std::size_t>((shell * 5 + slice) * 6 +
                                    Cell(Azimuth(x, y), 6))];
  }
  ExpectEven(hits);
}

TEST(PlaceInAreaTest, PlacesOfOneIndexAfterTheOtherAreIndependent) {
  const SimulationConfig config = SmallConfig(Plane::kXY);
  const Box box{{0, 0, 0}, {64, 64, 0}};
  std::vector<int> hits(8 * 8);
  Vec3 before = PlaceInArea(box, config, 2, 0);
  for (std::uint64_t i = 1; i <= kPlaces; ++i) {
    const Vec3 place = PlaceInArea(box, config, 2, i);
    ++hits[static_cast<std::size_t>(Cell(double{before.x} / 64.0, 8) * 8 +
                                    Cell(double{place.x} / 64.0, 8))];
    before = place;
  }
  ExpectEven(hits);
}

TEST(PlaceInAreaTest, UsesTheLanesThatAgentRandomLists) {
  const SimulationConfig config = SmallConfig();
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto u = UniformBlock(5, i, Purpose::kArea, 0);
    const auto v = UniformBlock(5, i, Purpose::kArea, 1);
    const Vec3 box = PlaceInArea(Box{{-10, 0, 5}, {30, 1, 7}}, config, 5, i);
    EXPECT_TRUE(SameBits(
        box, {-10.0f + u[0] * 40.0f, 0.0f + u[1] * 1.0f, 5.0f + u[2] * 2.0f}));
    const Vec3 disc = PlaceInArea(Disc{{}, 50.0f}, config, 5, i);
    EXPECT_NEAR(Length(disc), 50.0f * std::sqrt(u[1]), 1.0e-4f);
    const double turn = Azimuth(double{disc.x}, double{disc.y}) - 0.5;
    EXPECT_NEAR(std::remainder(turn - double{u[0]}, 1.0), 0.0, 1.0e-5);
    const Vec3 ball = PlaceInArea(Ball{{}, 50.0f}, config, 5, i);
    EXPECT_NEAR(Length(ball), 50.0f * std::max({v[0], v[1], v[2]}), 1.0e-4f);
    EXPECT_NEAR(ball.z / Length(ball), 2.0f * u[1] - 1.0f, 1.0e-5f);
  }
}

TEST(PlaceInAreaTest, AnAreaWithoutExtentIsItsCenter) {
  const SimulationConfig config = SmallConfig();
  const Vec3 center{1.5f, -2.5f, 100.0f};
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(PlaceInArea(Disc{center, 0.0f}, config, 1, i), center);
    EXPECT_EQ(PlaceInArea(Ball{center, 0.0f}, config, 1, i), center);
    EXPECT_EQ(PlaceInArea(Box{center, center}, config, 1, i), center);
  }
}

TEST(PlaceInAreaTest, RoundingLeadsNobodyOutOfTheWorld) {
  // A center on whose scale the radius rounds, and whose reach is the face.
  SimulationConfig config;
  config.bounds_min = {-16384.0f, -16384.0f, -16384.0f};
  config.bounds_max = {16384.0f, 16384.0f, 16384.0f};
  const Area areas[] = {
      Ball{{16000.0f, 16000.0f, -16000.0f}, 384.0f},
      Disc{{16383.0f, -16383.0f, 16384.0f}, 1.0f},
      Box{{16383.5f, 16383.5f, -16384.0f}, {16384.0f, 16384.0f, 16384.0f}}};
  for (const Area& area : areas) {
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      const Vec3 place = PlaceInArea(area, config, 3, i);
      ASSERT_LE(std::fabs(place.x), kMaxBound);
      ASSERT_LE(std::fabs(place.y), kMaxBound);
      ASSERT_LE(std::fabs(place.z), kMaxBound);
    }
  }
}

// Places as a world spawns them: by its seed, the command's sequence and the
// index alone.

std::vector<Vec3> Places(std::uint64_t seed, int commands_before,
                         int agents_before, std::int64_t count,
                         std::int64_t tick) {
  TestWorld world(SmallConfig(), seed);
  Archetype still = SeekerArchetype();
  still.max_speed = 0.0f;
  world.Submit(DefineArchetype{still});
  for (int i = 0; i < commands_before; ++i) {
    world.Submit(
        Spawn(std::vector<NewAgent>(static_cast<std::size_t>(agents_before))));
  }
  const AgentId first = world.admission().next_agent_id;
  world.Submit(SpawnAgents{AreaPlacement{count, NewAgent{}, Ball{{}, 50.0f}}},
               tick);
  world.StepTo(tick);
  std::vector<Vec3> places;
  for (AgentId id = first; id < first + count; ++id) {
    places.push_back(world.Agent(id).position);
  }
  return places;
}

TEST(PlaceInAreaTest, OnlySeedSequenceAndIndexDecideWhereAgentsAppear) {
  const std::vector<Vec3> places = Places(1, 1, 1, 20, 1);
  EXPECT_EQ(Places(1, 1, 1, 20, 1), places);
  // Other ids, another tick.
  EXPECT_EQ(Places(1, 1, 30, 20, 1), places);
  EXPECT_EQ(Places(1, 1, 1, 20, 9), places);
  // More of them: the first stay where they are.
  const std::vector<Vec3> more = Places(1, 1, 1, 50, 1);
  EXPECT_TRUE(std::equal(places.begin(), places.end(), more.begin()));
  // Another sequence, another seed.
  const std::vector<Vec3> other_sequence = Places(1, 2, 1, 20, 1);
  const std::vector<Vec3> other_seed = Places(2, 1, 1, 20, 1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_NE(other_sequence[i], places[i]);
    EXPECT_NE(other_seed[i], places[i]);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(places[i], places[j]);
  }
}

}  // namespace
}  // namespace meander::core
