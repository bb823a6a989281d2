#include "core/steering/combine.h"

#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"

namespace meander::core {
namespace {

Vec3 Combined(Combine combine, float max_force,
              const std::vector<Vec3>& levels) {
  Vec3 total;
  for (const Vec3& level : levels) {
    total = CombineForces(combine, max_force, total, level);
  }
  return total;
}

TEST(CombineTest, ASumHasAllLevelsAndNoLimit) {
  EXPECT_EQ(
      Combined(Combine::kWeightedSum, 1.0f, {{3, 0, 0}, {0, 4, 0}, {-1, 0, 2}}),
      (Vec3{2, 4, 2}));
}

TEST(CombineTest, ABudgetIsSpentLevelByLevel) {
  EXPECT_EQ(Combined(Combine::kPriorityBudget, 5.0f, {{3, 0, 0}, {0, 10, 0}}),
            (Vec3{3, 2, 0}));
  EXPECT_EQ(Combined(Combine::kPriorityBudget, 5.0f,
                     {{9, 0, 0}, {0, 10, 0}, {0, 0, 1}}),
            (Vec3{5, 0, 0}));
  EXPECT_EQ(Combined(Combine::kPriorityBudget, 0.0f, {{9, 0, 0}}), Vec3{});
}

TEST(CombineTest, ALevelThatOpposesFreesBudget) {
  EXPECT_EQ(Combined(Combine::kPriorityBudget, 4.0f,
                     {{3, 0, 0}, {-10, 0, 0}, {0, 9, 0}}),
            (Vec3{2, 2, 0}));
}

TEST(CombineTest, ABudgetIsNeverExceeded) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> number(-9.0f, 9.0f);
  for (int i = 0; i < 10'000; ++i) {
    std::vector<Vec3> levels;
    for (int level = 0; level < 6; ++level) {
      const float x = number(random);
      const float y = number(random);
      levels.push_back({x, y, number(random)});
    }
    const float budget = number(random) + 9.0f;
    EXPECT_LE(Length(Combined(Combine::kPriorityBudget, budget, levels)),
              budget * (1.0f + 1.0e-6f));
  }
}

TEST(CombineTest, TheFirstLevelThatIsNotZeroWinsWhole) {
  EXPECT_EQ(Combined(Combine::kFirstNonzero, 1.0f,
                     {{}, {-0.0f, 0, 0}, {0, 7, 0}, {9, 0, 0}}),
            (Vec3{0, 7, 0}));
  EXPECT_EQ(Combined(Combine::kFirstNonzero, 1.0f, {{}, {}}), Vec3{});
  EXPECT_EQ(
      Combined(Combine::kFirstNonzero, 1.0f, {{0, 1.0e-40f, 0}, {9, 0, 0}}),
      (Vec3{0, 1.0e-40f, 0}))
      << "however small";
}

TEST(CombineTest, EachRowIsItsOwn) {
  constexpr std::size_t kRows = 5;
  for (const Combine combine : {Combine::kWeightedSum, Combine::kPriorityBudget,
                                Combine::kFirstNonzero}) {
    std::array<std::array<float, kRows>, 6> columns{};
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t c = 0; c < 6; ++c) {
        columns[c][i] = static_cast<float>(i * (c + 1)) - 3.0f;
      }
    }
    auto before = columns;
    CombineLevel(combine, 6.0f,
                 {columns[0].data(), columns[1].data(), columns[2].data()},
                 {columns[3].data(), columns[4].data(), columns[5].data()},
                 kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      const Vec3 wanted = CombineForces(
          combine, 6.0f, {before[3][i], before[4][i], before[5][i]},
          {before[0][i], before[1][i], before[2][i]});
      EXPECT_TRUE(
          SameBits({columns[3][i], columns[4][i], columns[5][i]}, wanted));
      EXPECT_EQ(columns[0][i], before[0][i]) << "the level is only read";
    }
  }
}

}  // namespace
}  // namespace meander::core
