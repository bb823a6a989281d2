// Philox4x32-10: a counter-based random number generator.
//
// A pure function from (counter, key) to four 32-bit words, ten rounds of
// multiply and exchange; integer operations only. Equal inputs give equal
// words everywhere; different counters or keys give independent-looking ones.
// Threads: no state; safe everywhere. Errors: none, every input is valid.
// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC11, section 3.3 and table 2. The three
// known-answer vectors of Random123 are in the test.
#ifndef MEANDER_CORE_RANDOM_PHILOX_H_
#define MEANDER_CORE_RANDOM_PHILOX_H_

#include <array>
#include <cstdint>

namespace meander::core {

// The multipliers of the two halves of a round, and the steps of the two key
// words between rounds (golden ratio and sqrt(3) - 1, as fractions of 2^32).
inline constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53u;
inline constexpr std::uint32_t kPhiloxMultiplier1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxKeyStep0 = 0x9E3779B9u;
inline constexpr std::uint32_t kPhiloxKeyStep1 = 0xBB67AE85u;
inline constexpr int kPhiloxRounds = 10;

constexpr std::array<std::uint32_t, 4> Philox4x32(
    std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint64_t product0 =
        std::uint64_t{kPhiloxMultiplier0} * counter[0];
    const std::uint64_t product1 =
        std::uint64_t{kPhiloxMultiplier1} * counter[2];
    const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
    counter = {
        high1 ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
        high0 ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += kPhiloxKeyStep0;
    key[1] += kPhiloxKeyStep1;
  }
  return counter;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_RANDOM_PHILOX_H_
