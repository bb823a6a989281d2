// Where each living agent lies: id -> (population, row), in order of id.
//
// Two runs of ascending ids: the main one, and the ids inserted since Settle.
// Ids are given out in ascending order but may be spawned in another (a later
// command can apply at an earlier tick), so a run that ends below the main one
// is merged into it once a tick instead of moving the whole for each agent.
// Erased ids stay as gaps until there are many. Memory follows the living
// agents, whatever their ids. One writer, or many readers.
#ifndef MEANDER_CORE_AGENTS_AGENT_INDEX_H_
#define MEANDER_CORE_AGENTS_AGENT_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/agents/row_run.h"
#include "core/command.h"

namespace meander::core {

// Precondition of all: fewer than 2^32 - 1 populations.
struct AgentLocation {
  std::uint32_t population = 0;
  std::uint32_t row = 0;

  bool operator==(const AgentLocation&) const = default;
};

class AgentIndex {
 public:
  // Living agents.
  std::size_t size() const { return main_.size() + recent_.size() - gaps_; }

  // Makes room for so many ids more, as AgentColumns::ReserveMore.
  void ReserveMore(std::size_t ids);
  // Precondition: the id was never in the index. Cheapest in ascending order.
  void Insert(AgentId id, AgentLocation location);
  // Precondition: the id is in the index.
  void Move(AgentId id, AgentLocation location);
  // Precondition: the id is in the index.
  void Erase(AgentId id);
  // None when the id is not in the index. O(log n), O(1) where ids are dense.
  const AgentLocation* Find(AgentId id) const {
    if (!main_.empty()) {
      const auto above = static_cast<std::uint64_t>(id - main_.front().id);
      if (above < main_.size()) {
        const Entry& entry = main_[static_cast<std::size_t>(above)];
        if (entry.id == id && !entry.IsGap()) return &entry.location;
      }
    }
    return FindElsewhere(id);
  }

  // Whether any of `count` ids from `first` is in the index. Precondition:
  // settled.
  bool HasAny(AgentId first, std::int64_t count) const;

  // Brings what was inserted and erased since the last call in order. To be
  // called once a tick, after its commands.
  void Settle();

  // function(id, location) for each agent in ascending order of id.
  // Precondition: settled.
  template <typename Function>
  void ForEach(Function function) const {
    for (const Entry& entry : main_) {
      if (!entry.IsGap()) function(entry.id, entry.location);
    }
  }

  // Living and gaps, in ascending order of id: what pieces of work are cut
  // from. Precondition of all below: settled.
  std::size_t entries() const { return main_.size(); }
  // The living ones among entries [first, end).
  std::size_t CountLiving(std::size_t first, std::size_t end) const;

  // function(runs) for the agents of entries [first, end) in ascending order of
  // id, as runs of rows, a number of runs at a time.
  template <typename Function>
  void ForEachRuns(std::size_t first, std::size_t end,
                   Function function) const {
    std::array<RowRun, 256> runs;
    std::size_t count = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (main_[i].IsGap()) continue;
      const AgentLocation& at = main_[i].location;
      if (count > 0) {
        RowRun& last = runs[count - 1];
        if (last.population == at.population &&
            last.first_row + last.rows == at.row) {
          ++last.rows;
          continue;
        }
      }
      if (count == runs.size()) {
        function(std::span<const RowRun>(runs));
        count = 0;
      }
      runs[count++] = {at.population, at.row, 1};
    }
    if (count > 0) function(std::span<const RowRun>(runs).first(count));
  }
  template <typename Function>
  void ForEachRuns(Function function) const {
    ForEachRuns(0, main_.size(), function);
  }

 private:
  // Where an erased id was.
  static constexpr std::uint32_t kGap = ~std::uint32_t{0};

  struct Entry {
    AgentId id;
    AgentLocation location;

    bool IsGap() const { return location.population == kGap; }
  };

  Entry* FindEntry(AgentId id);
  const AgentLocation* FindElsewhere(AgentId id) const;

  std::vector<Entry> main_;
  std::vector<Entry> recent_;
  std::size_t gaps_ = 0;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENTS_AGENT_INDEX_H_
