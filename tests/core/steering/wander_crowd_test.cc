// Of many wanderers: no direction is preferred.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/agent_state.h"
#include "core/behavior.h"
#include "gtest/gtest.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr std::uint64_t kSeeds = 20;
constexpr int kAgents = 200;
constexpr std::int32_t kRate = 15;
constexpr std::int64_t kSeconds = 60;
constexpr std::size_t kCells = 16;

void ExpectNoDirection(const Behavior& wander) {
  std::array<double, kCells> headings{};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SimulationConfig config;
    config.plane = Plane::kXY;
    config.tick_rate_hz = kRate;
    TestWorld world(Normalized(config), seed);
    Archetype archetype = WandererArchetype();
    archetype.terms = {Term{1.0f, wander}};
    world.Submit(DefineArchetype{archetype});
    AreaPlacement area;
    area.count = kAgents;
    area.area = Disc{{}, 0.0f};
    world.Submit(SpawnAgents{area});
    world.StepTo(kSeconds * kRate);
    ASSERT_EQ(world.world().bound_stops(), 0);
    MotionColumns motion;
    world.world().CopyMotion(motion);
    for (std::vector<float> MotionColumns::*axis :
         {&MotionColumns::position_x, &MotionColumns::position_y}) {
      double sum = 0.0;
      double squares = 0.0;
      for (const float value : motion.*axis) {
        const auto place = static_cast<double>(value);
        sum += place;
        squares += place * place;
      }
      const double mean = sum / kAgents;
      const double sigma = std::sqrt(squares / kAgents - mean * mean);
      EXPECT_GT(sigma, 5.0) << "they get about";
      EXPECT_LT(std::fabs(mean), 4.0 * sigma / std::sqrt(double{kAgents}))
          << "seed " << seed;
    }
    for (std::size_t i = 0; i < motion.size(); ++i) {
      const double turn =
          std::atan2(static_cast<double>(motion.velocity_y[i]),
                     static_cast<double>(motion.velocity_x[i])) /
              (2.0 * std::numbers::pi) +
          0.5;
      ++headings[std::min(kCells - 1, static_cast<std::size_t>(
                                          turn * static_cast<double>(kCells)))];
    }
  }
  // 15 degrees of freedom: beyond 50 by chance once in 80,000.
  const double expected = double{kAgents} * static_cast<double>(kSeeds) /
                          static_cast<double>(kCells);
  double chi_square = 0.0;
  for (const double count : headings) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_square, 50.0);
}

TEST(WanderCrowdTest, ByWorldAnglesNoDirectionIsPreferred) {
  ExpectNoDirection(WanderWorldAngle{2.0f, 3.0f, 8.0f});
}

TEST(WanderCrowdTest, ByHeadingOffsetsNoDirectionIsPreferred) {
  ExpectNoDirection(WanderHeadingOffset{2.0f, 3.0f, 3.0f, Plane::kNone});
}

}  // namespace
}  // namespace meander::core
