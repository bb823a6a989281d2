// The hash kernel of one target: agents/agent_mix.h, kLanes agents at a time.
#if defined(MEANDER_CORE_SIMD_HASH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_HASH_INL_H_
#undef MEANDER_CORE_SIMD_HASH_INL_H_
#else
#define MEANDER_CORE_SIMD_HASH_INL_H_
#endif

#include "core/agents/agent_mix.h"
#include "core/simd/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {

HWY_INLINE Words SameWord(std::uint32_t word) { return hn::Set(kWords, word); }

HWY_INLINE Words Stir(Words value, std::uint32_t key) {
  value = hn::Mul(hn::Xor(value, hn::ShiftRight<16>(value)), SameWord(key));
  return hn::Xor(value, hn::ShiftRight<15>(value));
}

struct MixSums {
  Words a, b;

  HWY_INLINE void Add(Words word, std::uint32_t place) {
    const MixKey key = kMixKeys[place];
    const Words k =
        hn::Mul(hn::Xor(word, hn::ShiftRight<16>(word)), SameWord(key.c));
    a = hn::Add(a, k);
    b = hn::Add(b, hn::Mul(hn::Xor(k, hn::ShiftRight<15>(k)), SameWord(key.d)));
  }

  HWY_INLINE void StoreMixes(std::uint64_t* mixes) {
    constexpr std::uint32_t kRounds = mix_place::kRounds;
    b = hn::Xor(b, Stir(a, kMixKeys[kRounds].c));
    a = hn::Xor(a, Stir(b, kMixKeys[kRounds + 1].c));
    b = hn::Xor(b, Stir(a, kMixKeys[kRounds + 2].c));
    a = hn::Xor(a, Stir(b, kMixKeys[kRounds + 3].c));
    hn::StoreInterleaved2(a, b, kWords,
                          reinterpret_cast<std::uint32_t*>(mixes));
  }
};

// The words of kLanes rows from `row`.
HWY_INLINE void AddColumn(const MixColumn& column, std::size_t row,
                          MixSums& sums) {
  const std::uint32_t* const words =
      static_cast<const std::uint32_t*>(column.first_row) + row * column.words;
  if (column.words == 1) {
    sums.Add(hn::LoadU(kWords, words), column.place);
  } else if (column.words == 2) {
    Words low, high;
    hn::LoadInterleaved2(kWords, words, low, high);
    sums.Add(low, column.place);
    sums.Add(high, column.place + 1);
  } else {
    Words w0, w1, w2, w3;
    hn::LoadInterleaved4(kWords, words, w0, w1, w2, w3);
    sums.Add(w0, column.place);
    sums.Add(w1, column.place + 1);
    sums.Add(w2, column.place + 2);
    sums.Add(w3, column.place + 3);
  }
}

inline void MixRows(const MixColumns& columns, std::size_t rows,
                    std::uint64_t* mixes) {
  const WordSums start = columns.start();
  const MixSums none{SameWord(start.a), SameWord(start.b)};
  std::size_t row = 0;
  // Two at a time, for what a lane sums up waits for itself.
  for (; row + kLanes < rows; row += 2 * kLanes) {
    MixSums sums = none;
    MixSums next = none;
    for (const MixColumn& column : columns.columns()) {
      AddColumn(column, row, sums);
      AddColumn(column, row + kLanes, next);
    }
    sums.StoreMixes(mixes + row);
    next.StoreMixes(mixes + row + kLanes);
  }
  if (row >= rows) return;
  MixSums sums = none;
  for (const MixColumn& column : columns.columns()) {
    AddColumn(column, row, sums);
  }
  sums.StoreMixes(mixes + row);
}

inline constexpr HashKernels kHashKernels = {
    .mix_rows = MixRows,
};

}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_HASH_INL_H_
