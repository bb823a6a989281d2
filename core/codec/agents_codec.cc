#include "core/codec/agents_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/agents/row_run.h"
#include "core/codec/check_agents.h"
#include "core/codec/corrupt.h"
#include "core/codec/decoded_agents.h"

namespace meander::core {
namespace {

// An id takes so many, for no two are the same; bounds what a count may
// allocate.
constexpr std::size_t kLeastAgentBytes = 8;

constexpr std::uint8_t kOneForAll = 0;
constexpr std::uint8_t kOneForEach = 1;

// What a population says in a column: a value of each row, or one of all.
template <typename T>
struct Source {
  const T* rows = nullptr;
  T all{};
};

template <typename T>
Source<T> SourceOf(const Column<T>& column) {
  return {.rows = column.empty() ? nullptr : column.data()};
}

// Objects, not functions, for they are called for each of a million numbers.
constexpr auto kFloatWord = [](float value) {
  return std::bit_cast<std::uint32_t>(value);
};

constexpr auto kKindWord = [](const PackedTarget& target) {
  const unsigned told = target.loss_told() ? DecodedAgents::kLossToldBit : 0;
  return static_cast<std::uint8_t>(static_cast<unsigned>(target.kind()) | told);
};

std::uint32_t PointWord(const PackedTarget& target, std::size_t axis) {
  return target.kind() == Target::Kind::kPoint ? target.words[axis] : 0;
}

constexpr auto kAgentWord = [](const PackedTarget& target) {
  return target.kind() == Target::Kind::kAgent ? target.agent() : 0;
};

// visit(from, word_of) for each column of the format, in its order:
// from(population) is a Source, and word_of(its value) what is written.
template <typename Visit>
void ForEachColumn(const WorldState& state, Visit visit) {
  using C = AgentColumns;
  using P = const Population&;
  const auto same = [](auto value) { return value; };
  const auto column = [&visit](auto member, auto word_of) {
    visit([member](P p) { return SourceOf(p.agents.*member); }, word_of);
  };
  column(&C::id, same);
  visit([](P p) { return Source<ArchetypeId>{.all = p.archetype.id}; }, same);
  for (const auto member : {&C::position_x, &C::position_y, &C::position_z,
                            &C::velocity_x, &C::velocity_y, &C::velocity_z}) {
    column(member, kFloatWord);
  }
  column(&C::wander_turn, same);
  for (const auto member :
       {&C::wander_elevation, &C::wander_offset_x, &C::wander_offset_y,
        &C::wander_offset_z, &C::wander_heading_x, &C::wander_heading_y,
        &C::wander_heading_z, &C::facing_x, &C::facing_y, &C::facing_z}) {
    column(member, kFloatWord);
  }
  column(&C::seed, same);
  column(&C::tag, same);
  column(&C::groups, same);
  const std::int64_t tick = state.tick;
  column(&C::spawn_tick,
         [tick](std::int64_t spawn) { return tick - spawn + 1; });
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const auto target = [&visit, slot](auto word_of) {
      visit([slot](P p) { return SourceOf(p.agents.targets[slot]); }, word_of);
    };
    target(kKindWord);
    for (const std::size_t axis : {0, 1, 2}) {
      target([axis](const PackedTarget& t) { return PointWord(t, axis); });
    }
    target(kAgentWord);
  }
}

// Whether every row of a population has the word.
template <typename T, typename WordOf, typename Word>
bool AllAre(Word word, const Source<T>& source, std::size_t rows,
            WordOf word_of) {
  if (source.rows == nullptr) return word_of(source.all) == word;
  constexpr std::size_t kAtOnce = 256;
  for (std::size_t first = 0; first < rows; first += kAtOnce) {
    const std::size_t end = std::min(rows, first + kAtOnce);
    Word different = 0;
    for (std::size_t row = first; row < end; ++row) {
      different |= static_cast<Word>(word_of(source.rows[row]) ^ word);
    }
    if (different != 0) return false;
  }
  return true;
}

class AgentsEncoder {
 public:
  // Precondition: there are agents.
  explicit AgentsEncoder(const WorldState& state) : state_(state) {
    state.index.ForEachRuns([this](std::span<const RowRun> runs) {
      runs_.insert(runs_.end(), runs.begin(), runs.end());
    });
    std::size_t at = 0;
    ForEachColumn(state, [&](auto from, auto word_of) {
      const auto word = FirstWord(from, word_of);
      const bool same = IsSame(word, from, word_of);
      same_[at++] = same;
      bytes_ += 1 + sizeof(word) * (same ? 1 : state.index.size());
    });
  }

  std::size_t bytes() const { return bytes_; }

  void Put(ByteWriter& out) const {
    std::size_t at = 0;
    ForEachColumn(state_, [&](auto from, auto word_of) {
      const auto word = FirstWord(from, word_of);
      const bool same = same_[at++];
      out.Put(same ? kOneForAll : kOneForEach);
      if (same) {
        out.Put(word);
      } else {
        PutEach(from, word_of, out.Extend(sizeof(word) * state_.index.size()));
      }
    });
  }

 private:
  template <typename From, typename WordOf>
  auto FirstWord(From from, WordOf word_of) const {
    const RowRun& run = runs_.front();
    const auto source = from(state_.populations[run.population]);
    return word_of(source.rows == nullptr ? source.all
                                          : source.rows[run.first_row]);
  }

  template <typename Word, typename From, typename WordOf>
  bool IsSame(Word word, From from, WordOf word_of) const {
    return std::all_of(state_.populations.begin(), state_.populations.end(),
                       [&](const Population& population) {
                         const std::size_t rows = population.agents.size();
                         return rows == 0 ||
                                AllAre(word, from(population), rows, word_of);
                       });
  }

  template <typename From, typename WordOf>
  void PutEach(From from, WordOf word_of, char* to) const {
    for (const RowRun& run : runs_) {
      const auto source = from(state_.populations[run.population]);
      const auto put = [&to, word_of](const auto& value) {
        const auto word = word_of(value);
        std::memcpy(to, &word, sizeof(word));
        to += sizeof(word);
      };
      if (source.rows == nullptr) {
        for (std::uint32_t i = 0; i < run.rows; ++i) put(source.all);
        continue;
      }
      const auto* const rows = source.rows + run.first_row;
      for (std::uint32_t i = 0; i < run.rows; ++i) put(rows[i]);
    }
  }

  const WorldState& state_;
  std::vector<RowRun> runs_;
  std::array<bool, 64> same_{};  // by number of the column
  std::size_t bytes_ = 0;
};

template <typename T>
void Read(ByteReader& in, std::size_t rows, DecodedColumn<T>& column) {
  const auto form = in.Get<std::uint8_t>();
  if (form > kOneForEach) in.Fail();
  column.each = form == kOneForEach;
  const std::size_t size = sizeof(T) * (column.each ? rows : 1);
  column.bytes = in.GetBytes(size).data();
  // An encoder says once what it would say of all.
  if (in.ok() && column.each &&
      std::memcmp(column.bytes, column.bytes + sizeof(T), size - sizeof(T)) ==
          0) {
    in.Fail();
  }
}

void Read(ByteReader& in, std::size_t rows, DecodedVectors& vectors) {
  Read(in, rows, vectors.x);
  Read(in, rows, vectors.y);
  Read(in, rows, vectors.z);
}

// Fails unless each is a kind of target.
void CheckKinds(ByteReader& in, std::size_t rows,
                const DecodedColumn<std::uint8_t>& kinds) {
  if (!in.ok()) return;
  bool fine = true;
  for (std::size_t row = 0; row < (kinds.each ? rows : 1); ++row) {
    const unsigned kind = kinds[row] & (DecodedAgents::kLossToldBit - 1u);
    fine &= kind <= static_cast<unsigned>(Target::Kind::kAgent);
  }
  if (!fine) in.Fail();
}

DecodedAgents ReadColumns(ByteReader& in) {
  DecodedAgents agents;
  const std::size_t rows = in.GetCount(kLeastAgentBytes);
  if (rows == 0) return agents;
  Read(in, rows, agents.id);
  Read(in, rows, agents.archetype_id);
  Read(in, rows, agents.position);
  Read(in, rows, agents.velocity);
  Read(in, rows, agents.wander_turn);
  Read(in, rows, agents.wander_elevation);
  Read(in, rows, agents.wander_offset);
  Read(in, rows, agents.wander_heading);
  Read(in, rows, agents.facing);
  Read(in, rows, agents.seed);
  Read(in, rows, agents.tag);
  Read(in, rows, agents.groups);
  Read(in, rows, agents.step_count);
  for (DecodedSlot& slot : agents.slots) {
    Read(in, rows, slot.kind);
    CheckKinds(in, rows, slot.kind);
    Read(in, rows, slot.point);
    Read(in, rows, slot.agent);
  }
  if (in.ok()) agents.rows = rows;
  return agents;
}

// Puts checked agents into a state, in order of id.
class AgentsFiller {
 public:
  AgentsFiller(const DecodedAgents& agents, WorldState& state)
      : agents_(agents), state_(state) {
    FindRuns();
    for (Population& population : state.populations) {
      const auto at =
          static_cast<std::size_t>(&population - state.populations.data());
      population.agents.AppendEmpty(rows_[at]);
    }
  }

  void Fill() {
    using C = AgentColumns;
    FillIndex();
    Fill(&C::id, agents_.id);
    Fill(&C::position_x, &C::position_y, &C::position_z, agents_.position);
    Fill(&C::velocity_x, &C::velocity_y, &C::velocity_z, agents_.velocity);
    Fill(&C::wander_turn, agents_.wander_turn);
    Fill(&C::wander_elevation, agents_.wander_elevation);
    Fill(&C::wander_offset_x, &C::wander_offset_y, &C::wander_offset_z,
         agents_.wander_offset);
    Fill(&C::wander_heading_x, &C::wander_heading_y, &C::wander_heading_z,
         agents_.wander_heading);
    Fill(&C::facing_x, &C::facing_y, &C::facing_z, agents_.facing);
    Fill(&C::seed, agents_.seed);
    Fill(&C::groups, agents_.groups);
    Fill(&C::spawn_tick, agents_.step_count);
    for (Population& population : state_.populations) {
      for (std::int64_t& step_count : population.agents.spawn_tick) {
        step_count = state_.tick - step_count + 1;
      }
    }
    if (!agents_.tag.IsZero()) FillTags();
    for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
      if (!agents_.slots[slot].IsUnset()) FillTargets(slot);
    }
  }

 private:
  void FindRuns() {
    rows_.resize(state_.populations.size());
    for (std::size_t first = 0; first < agents_.rows;) {
      const ArchetypeId archetype = agents_.archetype_id[first];
      std::size_t end = agents_.archetype_id.each ? first + 1 : agents_.rows;
      while (end < agents_.rows && agents_.archetype_id[end] == archetype) {
        ++end;
      }
      const auto population = static_cast<std::uint32_t>(
          state_.population_of[static_cast<std::size_t>(archetype)]);
      const auto rows = static_cast<std::uint32_t>(end - first);
      runs_.push_back({population, rows_[population], rows});
      rows_[population] += rows;
      first = end;
    }
  }

  void FillIndex() {
    state_.index.ReserveMore(agents_.rows);
    std::size_t row = 0;
    for (const RowRun& run : runs_) {
      for (std::uint32_t i = 0; i < run.rows; ++i) {
        state_.index.Insert(agents_.id[row++],
                            {run.population, run.first_row + i});
      }
    }
  }

  // Where the column is there; where not, all is 0.
  template <typename T>
  void Fill(Column<T> AgentColumns::*column, const DecodedColumn<T>& from) {
    std::size_t row = 0;
    for (const RowRun& run : runs_) {
      Column<T>& to = state_.populations[run.population].agents.*column;
      if (!to.empty()) from.Copy(row, run.rows, &to[run.first_row]);
      row += run.rows;
    }
  }
  void Fill(Column<float> AgentColumns::*x, Column<float> AgentColumns::*y,
            Column<float> AgentColumns::*z, const DecodedVectors& from) {
    Fill(x, from.x);
    Fill(y, from.y);
    Fill(z, from.z);
  }

  void FillTags() {
    for (Population& population : state_.populations) {
      population.agents.tag.resize(population.agents.size());
    }
    Fill(&AgentColumns::tag, agents_.tag);
    for (Population& population : state_.populations) {
      Column<std::uint64_t>& tags = population.agents.tag;
      if (std::all_of(tags.begin(), tags.end(),
                      [](std::uint64_t tag) { return tag == 0; })) {
        Column<std::uint64_t>().swap(tags);  // = {} would keep the memory
      }
    }
  }

  void FillTargets(std::size_t slot) {
    std::size_t row = 0;
    for (const RowRun& run : runs_) {
      AgentColumns& to = state_.populations[run.population].agents;
      for (std::uint32_t i = 0; i < run.rows; ++i) {
        to.SetTarget(run.first_row + i, slot,
                     Pack(agents_.TargetAt(row++, slot)));
      }
    }
  }

  const DecodedAgents& agents_;
  WorldState& state_;
  std::vector<RowRun> runs_;         // in order of id
  std::vector<std::uint32_t> rows_;  // of each population
};

}  // namespace

void EncodeAgents(const WorldState& state, std::size_t after, ByteWriter& out) {
  out.Put(std::uint64_t{state.index.size()});
  if (state.index.size() == 0) return;
  const AgentsEncoder encoder(state);
  out.Reserve(encoder.bytes() + after);
  encoder.Put(out);
}

std::optional<Error> DecodeAgents(ByteReader& in, AgentId next_agent_id,
                                  WorldState& state) {
  const DecodedAgents agents = ReadColumns(in);
  if (!in.ok()) return Corrupt("is cut short in its agents");
  if (agents.rows > static_cast<std::size_t>(state.config.max_agents)) {
    return Corrupt("holds more agents than its world may");
  }
  if (agents.rows == 0) return std::nullopt;
  if (auto error = CheckAgents(state, agents, next_agent_id)) return error;
  AgentsFiller(agents, state).Fill();
  ++state.cold_version;
  return std::nullopt;
}

}  // namespace meander::core
