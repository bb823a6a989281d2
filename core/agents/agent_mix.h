// The mix of an agent's words: what the state hash sums up.
//
// A word is 32 bits and has a place, by which all that the hash reads of an
// agent is told apart. With (c, d) = KeyAt(place), all modulo 2^32:
//
//   k = (w ^ w >> 16) * c;   a += k;   b += (k ^ k >> 15) * d
//
// for each word w, then four rounds in which b and a take turns:
//
//   b ^= Stir(a);  a ^= Stir(b);  b ^= Stir(a);  a ^= Stir(b)
//   Stir(x) = y ^ y >> 15 where y = (x ^ x >> 16) * c of places 64, 65, 66, 67
//
// and the mix is b * 2^32 + a. Every key is odd and every step invertible, so
// one changed word always changes a and b, and another (a, b) is another mix.
// A word that is 0 adds nothing: columns that are not there need no visit.
// Lanes of vectors hold agents, and no step needs a product of more than 32
// bits. Not cryptographic. Pure functions.
#ifndef MEANDER_CORE_AGENTS_AGENT_MIX_H_
#define MEANDER_CORE_AGENTS_AGENT_MIX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/agents/agent_columns.h"
#include "core/archetype.h"
#include "core/simulation_config.h"

namespace meander::core {

// Where words stand. Two mixes are made of an agent: of what changes with every
// step, and of the rest.
namespace mix_place {
inline constexpr std::uint32_t kId = 0;  // low and high half
inline constexpr std::uint32_t kPosition = 2;
inline constexpr std::uint32_t kVelocity = 5;
inline constexpr std::uint32_t kFacing = 8;
inline constexpr std::uint32_t kTurn = 11;
inline constexpr std::uint32_t kElevation = 12;
inline constexpr std::uint32_t kOffset = 13;
inline constexpr std::uint32_t kHeading = 16;
inline constexpr std::uint32_t kColdId = 32;  // halves, as all of 64 bits
inline constexpr std::uint32_t kArchetype = 34;
inline constexpr std::uint32_t kGroups = 35;
inline constexpr std::uint32_t kSeed = 36;
inline constexpr std::uint32_t kTag = 38;
inline constexpr std::uint32_t kSpawnTick = 40;
inline constexpr std::uint32_t kTargets = 42;  // four of each slot
inline constexpr std::uint32_t kRounds = 64;   // of the last four keys
static_assert(kTargets + 4 * kTargetSlots <= kRounds);
inline constexpr std::uint32_t kEnd = 68;
}  // namespace mix_place

struct MixKey {
  std::uint32_t c = 1;
  std::uint32_t d = 1;
};

// The low and the high half, made odd, of the output of SplitMix64 whose number
// is the place, counted from 0, from the state 0.
constexpr MixKey KeyAt(std::uint32_t place) {
  std::uint64_t bits = (std::uint64_t{place} + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return {static_cast<std::uint32_t>(bits) | 1,
          static_cast<std::uint32_t>(bits >> 32) | 1};
}

inline constexpr std::array<MixKey, mix_place::kEnd> kMixKeys = [] {
  std::array<MixKey, mix_place::kEnd> keys{};
  for (std::uint32_t place = 0; place < keys.size(); ++place) {
    keys[place] = KeyAt(place);
  }
  return keys;
}();

// What the words so far come to.
struct WordSums {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  constexpr void Add(std::uint32_t word, std::uint32_t place) {
    const MixKey key = kMixKeys[place];
    const std::uint32_t k = (word ^ word >> 16) * key.c;
    a += k;
    b += (k ^ k >> 15) * key.d;
  }
  std::uint64_t Mix() const;
};

// A column as words: `words` (1, 2 or 4) of each row, one row behind the other.
struct MixColumn {
  const void* first_row = nullptr;
  std::uint32_t words = 1;
  std::uint32_t place = 0;  // of the first word; the others follow it
};

// Columns of which the same rows are mixed.
class MixColumns {
 public:
  // `first_row` may be null: then the column is not there.
  void Add(const void* first_row, std::uint32_t words, std::uint32_t place);
  // A word that all rows have.
  void AddForAll(std::uint32_t word, std::uint32_t place) {
    start_.Add(word, place);
  }

  std::span<const MixColumn> columns() const {
    return std::span(columns_).first(count_);
  }
  WordSums start() const { return start_; }

 private:
  WordSums start_;
  std::size_t count_ = 0;
  std::array<MixColumn, 24> columns_;
};

// Of the rows from `first`: what changes with every step, and the rest. Off the
// world's plane position, velocity and facing are 0 and need no visit.
MixColumns MotionWords(const AgentColumns& agents, Plane plane,
                       std::size_t first);
MixColumns ColdWords(const AgentColumns& agents, ArchetypeId archetype,
                     std::size_t first);

// mixes[i] is that of row i. The kernel's reference.
void MixRows(const MixColumns& columns, std::size_t rows, std::uint64_t* mixes);

// Of one agent.
std::uint64_t ColdMix(const AgentColumns& agents, ArchetypeId archetype,
                      std::size_t row);

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENTS_AGENT_MIX_H_
