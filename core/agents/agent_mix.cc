#include "core/agents/agent_mix.h"

#include <bit>
#include <cstring>

#include "core/error.h"

namespace meander::core {
namespace {

static_assert(std::endian::native == std::endian::little,
              "halves of a word of 64 bits are read low first");

constexpr std::uint32_t Stir(std::uint32_t value, std::uint32_t key) {
  value = (value ^ value >> 16) * key;
  return value ^ value >> 15;
}

// Where a row of a column lies; null when the column is not there.
template <typename T>
const T* From(const Column<T>& column, std::size_t row) {
  return column.empty() ? nullptr : column.data() + row;
}

// How many words a value of the column is.
template <typename T>
constexpr std::uint32_t WordsOf(const Column<T>&) {
  constexpr std::uint32_t kBytesOfWord = 4;
  return sizeof(T) / kBytesOfWord;
}

std::uint32_t WordOf(const MixColumn& column, std::size_t row,
                     std::uint32_t word) {
  const std::size_t at = (row * column.words + word) * sizeof(std::uint32_t);
  std::uint32_t value;
  std::memcpy(&value, static_cast<const char*>(column.first_row) + at,
              sizeof(value));
  return value;
}

}  // namespace

std::uint64_t WordSums::Mix() const {
  constexpr const MixKey* kRounds = &kMixKeys[mix_place::kRounds];
  std::uint32_t low = a;
  std::uint32_t high = b;
  high ^= Stir(low, kRounds[0].c);
  low ^= Stir(high, kRounds[1].c);
  high ^= Stir(low, kRounds[2].c);
  low ^= Stir(high, kRounds[3].c);
  return std::uint64_t{high} << 32 | low;
}

void MixColumns::Add(const void* first_row, std::uint32_t words,
                     std::uint32_t place) {
  if (first_row == nullptr) return;
  MEANDER_CHECK(count_ < columns_.size());
  columns_[count_++] = {first_row, words, place};
}

MixColumns MotionWords(const AgentColumns& agents, Plane plane,
                       std::size_t first) {
  MixColumns columns;
  const auto add = [&](const auto& column, std::uint32_t place) {
    columns.Add(From(column, first), WordsOf(column), place);
  };
  const Vec3 axes = PlaneMask(plane);
  const auto add_vectors = [&](const auto& x, const auto& y, const auto& z,
                               std::uint32_t place) {
    if (axes.x != 0.0f) add(x, place);
    if (axes.y != 0.0f) add(y, place + 1);
    if (axes.z != 0.0f) add(z, place + 2);
  };
  add(agents.id, mix_place::kId);
  add_vectors(agents.position_x, agents.position_y, agents.position_z,
              mix_place::kPosition);
  add_vectors(agents.velocity_x, agents.velocity_y, agents.velocity_z,
              mix_place::kVelocity);
  add_vectors(agents.facing_x, agents.facing_y, agents.facing_z,
              mix_place::kFacing);
  add(agents.wander_turn, mix_place::kTurn);
  add(agents.wander_elevation, mix_place::kElevation);
  add(agents.wander_offset_x, mix_place::kOffset);
  add(agents.wander_offset_y, mix_place::kOffset + 1);
  add(agents.wander_offset_z, mix_place::kOffset + 2);
  add(agents.wander_heading_x, mix_place::kHeading);
  add(agents.wander_heading_y, mix_place::kHeading + 1);
  add(agents.wander_heading_z, mix_place::kHeading + 2);
  return columns;
}

MixColumns ColdWords(const AgentColumns& agents, ArchetypeId archetype,
                     std::size_t first) {
  MixColumns columns;
  const auto add = [&](const auto& column, std::uint32_t place) {
    columns.Add(From(column, first), WordsOf(column), place);
  };
  columns.AddForAll(static_cast<std::uint32_t>(archetype),
                    mix_place::kArchetype);
  add(agents.id, mix_place::kColdId);
  add(agents.groups, mix_place::kGroups);
  add(agents.seed, mix_place::kSeed);
  add(agents.tag, mix_place::kTag);
  add(agents.spawn_tick, mix_place::kSpawnTick);
  for (std::uint32_t slot = 0; slot < agents.targets.size(); ++slot) {
    add(agents.targets[slot], mix_place::kTargets + 4 * slot);
  }
  return columns;
}

void MixRows(const MixColumns& columns, std::size_t rows,
             std::uint64_t* mixes) {
  for (std::size_t row = 0; row < rows; ++row) {
    WordSums sums = columns.start();
    for (const MixColumn& column : columns.columns()) {
      for (std::uint32_t word = 0; word < column.words; ++word) {
        sums.Add(WordOf(column, row, word), column.place + word);
      }
    }
    mixes[row] = sums.Mix();
  }
}

std::uint64_t ColdMix(const AgentColumns& agents, ArchetypeId archetype,
                      std::size_t row) {
  std::uint64_t mix = 0;
  MixRows(ColdWords(agents, archetype, row), 1, &mix);
  return mix;
}

}  // namespace meander::core
