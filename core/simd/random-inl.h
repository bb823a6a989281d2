// random/agent_random.h, many agents at a time.
//
// A word of Philox has a 64-bit lane to itself, of which the high half is
// anything: multiplications look at low halves, and their products have the
// next words in both halves, so that nothing is shuffled between rounds.
#if defined(MEANDER_CORE_SIMD_RANDOM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_RANDOM_INL_H_
#undef MEANDER_CORE_SIMD_RANDOM_INL_H_
#else
#define MEANDER_CORE_SIMD_RANDOM_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/random/agent_random.h"
#include "core/random/philox.h"
#include "core/simd/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

using LongTag = hn::Repartition<std::uint64_t, FloatTag>;
using Longs = hn::Vec<LongTag>;
inline constexpr LongTag kLongs;
inline constexpr std::size_t kLongLanes = kLanes / 2;

HWY_INLINE Longs Same64(std::uint64_t value) { return hn::Set(kLongs, value); }

// The whole product of the low halves.
HWY_INLINE Longs MulLow(Longs a, Longs b) {
  return hn::MulEven(hn::BitCast(kWords, a), hn::BitCast(kWords, b));
}

// Counter and key of as many agents as a vector of 64-bit lanes holds.
struct PhiloxChain {
  Longs c0, c1, c2, c3;
  Longs key0, key1;
};

HWY_INLINE PhiloxChain StartPhilox(const StepDraw& draw, std::size_t i) {
  const auto* const spawn_ticks =
      reinterpret_cast<const std::uint64_t*>(draw.spawn_ticks);
  const Longs step_count = Same64(static_cast<std::uint64_t>(draw.tick)) -
                           hn::LoadU(kLongs, spawn_ticks + i);
  const Longs seed = hn::LoadU(kLongs, draw.seeds + i);
  return {step_count,
          hn::ShiftRight<32>(step_count),
          Same64(static_cast<std::uint32_t>(draw.lanes.purpose)),
          Same64(draw.lanes.block),
          seed,
          hn::ShiftRight<32>(seed)};
}

HWY_INLINE PhiloxChain NextRound(const PhiloxChain& c) {
  const Longs product0 = MulLow(c.c0, Same64(kPhiloxMultiplier0));
  const Longs product1 = MulLow(c.c2, Same64(kPhiloxMultiplier1));
  return {hn::Xor3(hn::ShiftRight<32>(product1), c.c1, c.key0),
          product1,
          hn::Xor3(hn::ShiftRight<32>(product0), c.c3, c.key1),
          product0,
          c.key0 + Same64(kPhiloxKeyStep0),
          c.key1 + Same64(kPhiloxKeyStep1)};
}

HWY_INLINE Floats UniformsFrom(Longs first, Longs second) {
  const Words words = hn::ConcatEven(kWords, hn::BitCast(kWords, second),
                                     hn::BitCast(kWords, first));
  const Ints top = hn::BitCast(kInts, hn::ShiftRight<8>(words));
  return hn::ConvertTo(kFloats, top) * Same(0x1p-24f);
}

// Of as many vectors of 64-bit lanes of agents from i on, past the first round.
template <std::size_t... kChain>
HWY_INLINE std::array<PhiloxChain, sizeof...(kChain)> StartChains(
    const StepDraw& draw, std::size_t i, std::index_sequence<kChain...>) {
  return {NextRound(StartPhilox(draw, i + kChain * kLongLanes))...};
}

// Words of kVectors vectors of agents from i on. Their chains run side by side,
// for each waits for its own products. The first round has a product that is
// the same for all, and of the last two only what leads to the words is
// computed.
template <unsigned kDrawn, std::size_t kVectors>
HWY_INLINE void DrawVectors(const StepDraw& draw, std::size_t i) {
  auto chains = StartChains(draw, i, std::make_index_sequence<2 * kVectors>());
  for (int round = 1; round < kPhiloxRounds - 2; ++round) {
    for (PhiloxChain& chain : chains) chain = NextRound(chain);
  }
  for (PhiloxChain& chain : chains) chain = NextRound(NextRound(chain));
  for (std::size_t k = 0; k < kVectors; ++k) {
    const PhiloxChain& first = chains[2 * k];
    const PhiloxChain& second = chains[2 * k + 1];
    const Longs words[4][2] = {{first.c0, second.c0},
                               {first.c1, second.c1},
                               {first.c2, second.c2},
                               {first.c3, second.c3}};
    for (unsigned word = 0; word < kDrawn; ++word) {
      if (word < draw.lanes.first_lane) continue;
      Store(UniformsFrom(words[word][0], words[word][1]),
            draw.out[word - draw.lanes.first_lane] + i + k * kLanes);
    }
  }
}

template <unsigned kDrawn>
void DrawWords(const StepDraw& draw) {
  // Four chains need more registers than others have.
  constexpr std::size_t kVectors =
      HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 2 : 1;
  std::size_t i = 0;
  for (; i + kVectors * kLanes <= draw.rows; i += kVectors * kLanes) {
    DrawVectors<kDrawn, kVectors>(draw, i);
  }
  for (; i < draw.rows; i += kLanes) DrawVectors<kDrawn, 1>(draw, i);
}

inline void DrawUniforms(const StepDraw& draw) {
  switch (draw.lanes.first_lane + draw.lanes.count) {
    case 1:
      return DrawWords<1>(draw);
    case 2:
      return DrawWords<2>(draw);
    case 3:
      return DrawWords<3>(draw);
    default:
      return DrawWords<4>(draw);
  }
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_RANDOM_INL_H_
