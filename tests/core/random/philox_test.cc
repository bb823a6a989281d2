#include "core/random/philox.h"

#include <array>
#include <bit>
#include <cstdint>
#include <set>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

using Words = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

// The lines `philox4x32 10` of Random123's known-answer vectors. The last one
// takes the digits of pi as counter and key.
constexpr Words kZero{0, 0, 0, 0};
constexpr Words kOnes{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu};
constexpr Words kPiDigits{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u};
constexpr Key kPiKey{0xa4093822u, 0x299f31d0u};

TEST(PhiloxTest, MatchesRandom123KnownAnswers) {
  EXPECT_EQ(Philox4x32(kZero, {0, 0}),
            (Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  EXPECT_EQ(Philox4x32(kOnes, {0xffffffffu, 0xffffffffu}),
            (Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(Philox4x32(kPiDigits, kPiKey),
            (Words{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(PhiloxTest, EveryInputBitChangesAboutHalfOfTheOutput) {
  const Words base = Philox4x32(kPiDigits, kPiKey);
  int total = 0;
  for (unsigned bit = 0; bit < 192; ++bit) {
    Words counter = kPiDigits;
    Key key = kPiKey;
    std::uint32_t& word = bit < 128 ? counter[bit / 32] : key[bit / 32 - 4];
    word ^= 1u << (bit % 32);
    const Words changed = Philox4x32(counter, key);
    int differing = 0;
    for (unsigned i = 0; i < 4; ++i) {
      differing += std::popcount(base[i] ^ changed[i]);
    }
    // Binomial(128, 1/2): mean 64, standard deviation 5.7.
    EXPECT_GE(differing, 36) << "input bit " << bit;
    EXPECT_LE(differing, 92) << "input bit " << bit;
    total += differing;
  }
  EXPECT_NEAR(total / 192.0, 64.0, 2.0);
}

TEST(PhiloxTest, DifferentCountersGiveDifferentBlocks) {
  std::set<Words> blocks;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    blocks.insert(Philox4x32({i, 0, 0, 0}, kPiKey));
    blocks.insert(Philox4x32({0, i + 1, 0, 0}, kPiKey));
    blocks.insert(Philox4x32({0, 0, i + 1, 0}, kPiKey));
    blocks.insert(Philox4x32({0, 0, 0, i + 1}, kPiKey));
  }
  EXPECT_EQ(blocks.size(), 80000u);
}

}  // namespace
}  // namespace meander::core
