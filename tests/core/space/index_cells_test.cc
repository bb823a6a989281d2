#include "core/space/index_cells.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/agents/column.h"
#include "core/simd/kernels.h"
#include "core/space/neighbor_grid.h"
#include "gtest/gtest.h"
#include "tests/core/floats.h"

namespace meander::core {
namespace {

// Whole vectors; each number up to it is tried.
constexpr std::size_t kMost = 3 * kVectorRows;
constexpr std::uint32_t kUntouched = 0xdeadbeef;

CellNumbers SomeNumbers(bool planar) {
  CellNumbers numbers;
  numbers.axes = {{{.low = -100.0f,
                    .cell_size = 2.5f,
                    .parts = kSubCells,
                    .first = 0,
                    .stride = 1},
                   {.low = -64.0f,
                    .cell_size = 2.5f,
                    .parts = 1.0f,
                    .first = 3,
                    .stride = 320},
                   {.low = -8.0f,
                    .cell_size = 2.5f,
                    .parts = 1.0f,
                    .first = 0,
                    .stride = planar ? 0u : 320u * 60u}}};
  return numbers;
}

TEST(IndexCellsTest, CountsPartsOfACellInXAndCellsElsewhere) {
  const float x = -100.0f + 2.5f;
  const float y = -64.0f + 5.0f * 2.5f;
  const float z = -8.0f + 2.0f * 2.5f;
  std::uint32_t cell = 0;
  IndexCells(SomeNumbers(false), {&x, &y, &z}, 1, &cell);
  EXPECT_EQ(cell, 4u + (5u - 3u) * 320u + 2u * 320u * 60u);
}

TEST(IndexCellsTest, IgnoresAnAxisWithoutStride) {
  const float x = -100.0f;
  const float y = -64.0f + 3.0f * 2.5f;
  std::uint32_t cell = 1;
  IndexCells(SomeNumbers(true), {&x, &y, nullptr}, 1, &cell);
  EXPECT_EQ(cell, 0u);
}

TEST(IndexCellsTest, EveryTargetNumbersLikeTheScalarAndNotOnePlaceMore) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> anywhere(0.0f, 200.0f);
  Column<float> x, y, z;
  for (std::size_t i = 0; i < kMost; ++i) {
    x.push_back(-100.0f + anywhere(random));
    y.push_back(-64.0f + 7.5f + 0.5f * anywhere(random));
    z.push_back(-8.0f + 0.5f * anywhere(random));
  }
  // On a face of a cell, and beside it.
  x[1] = -97.5f;
  x[2] = Below(-97.5f);
  x[3] = Above(-97.5f);
  x[4] = -100.0f;
  x[5] = kLargest;  // the last cell that there is
  z[6] = -0.0f;
  for (const SimdTarget target : kSimdTargets) {
    if (!CanRun(target)) continue;
    for (const bool planar : {true, false}) {
      for (std::size_t count = 0; count <= kMost; ++count) {
        const CellNumbers numbers = SomeNumbers(planar);
        const PlaceColumns places{x.data(), y.data(),
                                  planar ? nullptr : z.data()};
        std::vector<std::uint32_t> expected(kMost + kVectorRows, kUntouched);
        std::vector<std::uint32_t> cells = expected;
        IndexCells(numbers, places, count, expected.data());
        KernelsOf(target).neighbors.index_cells(numbers, places, count,
                                                cells.data());
        ASSERT_EQ(cells, expected) << NameOf(target) << ' ' << count;
      }
    }
  }
}

}  // namespace
}  // namespace meander::core
