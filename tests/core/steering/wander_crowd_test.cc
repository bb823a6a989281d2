// Of many wanderers: no direction is preferred. Each seed is a test of its own.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "core/agent_state.h"
#include "core/behavior.h"
#include "gtest/gtest.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr int kSeeds = 20;
constexpr int kAgents = 10'000;
constexpr std::int32_t kRate = 15;
constexpr std::int64_t kSeconds = 60;
constexpr std::size_t kCells = 16;

// How agents have moved from one point after a minute.
MotionColumns WanderForAMinute(const Behavior& wander, std::uint64_t seed) {
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
  EXPECT_EQ(world.world().bound_stops(), 0) << "the bounds are wide";
  MotionColumns motion;
  world.world().CopyMotion(motion);
  EXPECT_EQ(motion.size(), std::size_t{kAgents});
  return motion;
}

void ExpectNoMeanDisplacement(const std::vector<float>& places) {
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : places) {
    const auto place = static_cast<double>(value);
    sum += place;
    squares += place * place;
  }
  const double mean = sum / kAgents;
  const double sigma = std::sqrt(squares / kAgents - mean * mean);
  EXPECT_GT(sigma, 5.0) << "they get about";
  EXPECT_LT(std::fabs(mean), 4.0 * sigma / std::sqrt(double{kAgents}));
}

void ExpectHeadingsOfAllDirections(const MotionColumns& motion) {
  std::array<double, kCells> headings{};
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const double turn = std::atan2(static_cast<double>(motion.velocity_y[i]),
                                   static_cast<double>(motion.velocity_x[i])) /
                            (2.0 * std::numbers::pi) +
                        0.5;
    ++headings[std::min(kCells - 1, static_cast<std::size_t>(
                                        turn * static_cast<double>(kCells)))];
  }
  // 15 degrees of freedom: beyond 50 by chance once in 80,000.
  const double expected = double{kAgents} / static_cast<double>(kCells);
  double chi_square = 0.0;
  for (const double count : headings) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_square, 50.0);
}

class WanderCrowdTest : public testing::TestWithParam<int> {
 protected:
  void ExpectNoDirection(const Behavior& wander) {
    const MotionColumns motion =
        WanderForAMinute(wander, static_cast<std::uint64_t>(GetParam()));
    ExpectNoMeanDisplacement(motion.position_x);
    ExpectNoMeanDisplacement(motion.position_y);
    ExpectHeadingsOfAllDirections(motion);
  }
};

TEST_P(WanderCrowdTest, ByWorldAnglesNoDirectionIsPreferred) {
  ExpectNoDirection(WanderWorldAngle{2.0f, 3.0f, 8.0f});
}

TEST_P(WanderCrowdTest, ByHeadingOffsetsNoDirectionIsPreferred) {
  ExpectNoDirection(WanderHeadingOffset{2.0f, 3.0f, 3.0f, Plane::kNone});
}

INSTANTIATE_TEST_SUITE_P(Seeds, WanderCrowdTest, testing::Range(1, kSeeds + 1),
                         [](const testing::TestParamInfo<int>& seed) {
                           return "seed_" + std::to_string(seed.param);
                         });

}  // namespace
}  // namespace meander::core
