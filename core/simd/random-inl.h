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

struct PhiloxWords {
  Longs w0, w1, w2, w3;  // low halves
};

struct PhiloxInput {
  Longs step_count;
  Longs seed;
};

// As many agents as two vectors hold, whose chains run side by side.
HWY_INLINE void Philox(const PhiloxInput (&in)[2], const LaneRange& lanes,
                       PhiloxWords (&out)[2]) {
  const Longs multiplier0 = Same64(kPhiloxMultiplier0);
  const Longs multiplier1 = Same64(kPhiloxMultiplier1);
  const Longs step0 = Same64(kPhiloxKeyStep0);
  const Longs step1 = Same64(kPhiloxKeyStep1);
  Longs key0[2];
  Longs key1[2];
  for (int i = 0; i < 2; ++i) {
    key0[i] = in[i].seed;
    key1[i] = hn::ShiftRight<32>(in[i].seed);
    out[i] = {in[i].step_count, hn::ShiftRight<32>(in[i].step_count),
              Same64(static_cast<std::uint32_t>(lanes.purpose)),
              Same64(lanes.block)};
  }
  for (int round = 0; round < kPhiloxRounds; ++round) {
    for (int i = 0; i < 2; ++i) {
      PhiloxWords& c = out[i];
      const Longs product0 = MulLow(c.w0, multiplier0);
      const Longs product1 = MulLow(c.w2, multiplier1);
      const Longs high0 = hn::ShiftRight<32>(product0);
      const Longs high1 = hn::ShiftRight<32>(product1);
      c = {hn::Xor3(high1, c.w1, key0[i]), product1,
           hn::Xor3(high0, c.w3, key1[i]), product0};
      key0[i] = key0[i] + step0;
      key1[i] = key1[i] + step1;
    }
  }
}

HWY_INLINE Floats UniformsFrom(Longs first, Longs second) {
  const Words words = hn::ConcatEven(kWords, hn::BitCast(kWords, second),
                                     hn::BitCast(kWords, first));
  const Ints top = hn::BitCast(kInts, hn::ShiftRight<8>(words));
  return hn::ConvertTo(kFloats, top) * Same(0x1p-24f);
}

HWY_INLINE PhiloxInput LoadPhiloxInput(const StepDraw& draw, std::size_t i) {
  const auto* const spawn_ticks =
      reinterpret_cast<const std::uint64_t*>(draw.spawn_ticks);
  return {Same64(static_cast<std::uint64_t>(draw.tick)) -
              hn::LoadU(kLongs, spawn_ticks + i),
          hn::LoadU(kLongs, draw.seeds + i)};
}

inline void DrawUniforms(const StepDraw& draw) {
  for (std::size_t i = 0; i < draw.rows; i += kLanes) {
    const PhiloxInput in[2] = {LoadPhiloxInput(draw, i),
                               LoadPhiloxInput(draw, i + kLongLanes)};
    PhiloxWords out[2];
    Philox(in, draw.lanes, out);
    const Floats uniforms[4] = {
        UniformsFrom(out[0].w0, out[1].w0), UniformsFrom(out[0].w1, out[1].w1),
        UniformsFrom(out[0].w2, out[1].w2), UniformsFrom(out[0].w3, out[1].w3)};
    for (unsigned lane = 0; lane < draw.lanes.count; ++lane) {
      Store(uniforms[draw.lanes.first_lane + lane], draw.out[lane] + i);
    }
  }
}

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_RANDOM_INL_H_
