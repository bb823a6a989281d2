// Which of the neighbors of each lane are its nearest: all lanes find at once
// how far these go; where that does not tell, ids do.
#if defined(MEANDER_CORE_SIMD_NEAREST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEAREST_INL_H_
#undef MEANDER_CORE_SIMD_NEAREST_INL_H_
#else
#define MEANDER_CORE_SIMD_NEAREST_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/operation.h"
#include "core/simd/neighbor_kernels.h"
#include "core/simd/neighbor_lanes-inl.h"
#include "core/simd/neighbor_rows-inl.h"
#include "core/space/neighbor_grid.h"
#include "core/steering/neighbor_sums.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

// How many each lane has up to `squared`. Precondition: an infinite row is
// behind the last.
template <int kDims>
HWY_INLINE Ints CountUpTo(Floats squared, const NearRows<kDims>& rows) {
  Ints even = hn::Zero(kInts);
  Ints odd = even;
  for (std::size_t row = 0; row < rows.size; row += 2) {
    even = Count(hn::Le(rows.Squared(row), squared), even);
    odd = Count(hn::Le(rows.Squared(row + 1), squared), odd);
  }
  return hn::Add(even, odd);
}

// The nearest of each lane are up to `high`, and as many as it has `below`,
// which are too few, up to `low`. In lanes that have `more` than these up to
// `high`, some of those between are not among the nearest.
struct Nearest {
  Floats low, high;
  Ints below;
  LaneMask more;
};

// Keeps the nearest of each lane in order, and one more to know whether it is
// as far as the last of them. Precondition: most <= kMost.
template <std::size_t kMost, int kDims>
HWY_NOINLINE Nearest SortNearest(std::size_t most, Floats radius_squared,
                                 const NearRows<kDims>& rows) {
  const Ints infinite = BitsOf(Infinite());
  Ints sorted[kMost + 1];
  for (Ints& bits : sorted) bits = infinite;
  for (std::size_t row = 0; row < rows.size; ++row) {
    // Positive numbers are in the order of their bits.
    Ints bits = BitsOf(rows.Squared(row));
    for (Ints& nearer : sorted) {
      const Ints farther = hn::Max(nearer, bits);
      nearer = hn::Min(nearer, bits);
      bits = farther;
    }
  }
  const Ints last = sorted[most - 1];
  return {.low = Zero(),
          .high = FloatsOf(hn::Min(last, BitsOf(radius_squared))),
          .below = hn::Zero(kInts),
          .more = hn::RebindMask(kFloats, hn::And(hn::Eq(last, sorted[most]),
                                                  hn::Lt(last, infinite)))};
}

// Guesses by turns where it would be if squared distances were all as likely,
// which in a plane they are, and half way.
template <int kDims>
HWY_NOINLINE Nearest GuessNearest(std::size_t most, Floats radius_squared,
                                  NearRows<kDims>& rows) {
  constexpr int kMostGuesses = 12;
  rows.SetSquared(rows.size, Infinite());
  const Ints wanted = hn::Set(kInts, static_cast<std::int32_t>(most));
  const auto number = [](Ints count) { return hn::ConvertTo(kFloats, count); };
  Floats low = Zero();
  Floats high = radius_squared;
  Ints below = hn::Zero(kInts);
  Ints count = CountUpTo(radius_squared, rows);
  for (int guess = 0;; ++guess) {
    const LaneMask more = hn::RebindMask(kFloats, hn::Gt(count, wanted));
    if (guess == kMostGuesses || None(more)) return {low, high, below, more};
    Floats share = Same(0.5f);
    if (guess % 4 != 3) {
      share = (number(wanted - below) + share) /
              (number(count - below) + Same(1.0f));
    }
    const Floats middle = Choose(more, low + (high - low) * share, high);
    const Ints here = CountUpTo(middle, rows);
    const auto few = hn::Lt(here, wanted);
    const LaneMask few_lanes = hn::RebindMask(kFloats, few);
    low = Choose(few_lanes, middle, low);
    below = hn::IfThenElse(few, here, below);
    high = Choose(few_lanes, high, middle);
    count = hn::IfThenElse(few, count, here);
  }
}

template <int kDims>
Nearest FindNearest(std::size_t most, Floats radius_squared,
                    NearRows<kDims>& rows) {
  if (most <= 4) return SortNearest<4>(most, radius_squared, rows);
  if (most <= 6) return SortNearest<6>(most, radius_squared, rows);
  if (most <= 8) return SortNearest<8>(most, radius_squared, rows);
  return GuessNearest(most, radius_squared, rows);
}

// Of those of a lane that are further than `low`, up to `high`, the nearest
// `most` by (squared distance, id) stay; the others become infinite.
template <int kDims>
HWY_NOINLINE void SettleLane(const NeighborGrid& grid, std::size_t lane,
                             float low, float high, std::size_t most,
                             NearRows<kDims>& rows) {
  struct Candidate {
    float squared;
    std::uint32_t row;
    AgentId id;
    bool operator<(const Candidate& other) const {
      return squared != other.squared ? squared < other.squared : id < other.id;
    }
  };
  std::array<Candidate, NearRows<kDims>::kMost + 1> between;
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows.size; ++row) {
    const float squared = rows.squared[row * kLanes + lane];
    between[count] = {squared, static_cast<std::uint32_t>(row), 0};
    count += static_cast<std::size_t>((squared > low) & (squared <= high));
  }
  for (std::size_t i = 0; i < count; ++i) {
    between[i].id = grid.id[rows.agents[between[i].row]];
  }
  const auto first = between.begin();
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  const auto others = first + static_cast<std::ptrdiff_t>(most);
  std::nth_element(first, others, last);
  std::for_each(others, last, [&](const Candidate& candidate) {
    rows.squared[candidate.row * kLanes + lane] =
        std::numeric_limits<float>::infinity();
  });
}

template <int kDims>
HWY_INLINE void Settle(const NeighborBatch& batch, const Nearest& nearest,
                       NearRows<kDims>& rows) {
  if (None(nearest.more)) return;
  alignas(64) std::array<float, kLanes> low;
  alignas(64) std::array<float, kLanes> high;
  alignas(64) std::array<std::int32_t, kLanes> below;
  std::array<std::uint8_t, 8> more{};  // as bits
  hn::Store(nearest.low, kFloats, low.data());
  hn::Store(nearest.high, kFloats, high.data());
  hn::Store(nearest.below, kInts, below.data());
  hn::StoreMaskBits(kFloats, nearest.more, more.data());
  for (std::size_t lane = 0; lane < batch.lanes; ++lane) {
    if ((more[lane / 8] >> (lane % 8) & 1) == 0) continue;
    SettleLane(batch.grid, lane, low[lane], high[lane],
               batch.scan.query.most - static_cast<std::size_t>(below[lane]),
               rows);
  }
}

// Drops rows that are beyond the nearest of every lane. False when they stay
// too many.
template <int kDims>
bool MakeRoom(std::size_t most, Floats radius_squared, NearRows<kDims>& rows) {
  const Nearest nearest = FindNearest(most, radius_squared, rows);
  std::size_t kept = 0;
  for (std::size_t row = 0; row < rows.size; ++row) {
    const Floats squared = rows.Squared(row);
    rows.Write(kept, rows.agents[row], squared, rows.Back(row));
    kept += static_cast<std::size_t>(!None(hn::Le(squared, nearest.high)));
  }
  rows.size = kept;
  return rows.HasRoom();
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_NEAREST_INL_H_
