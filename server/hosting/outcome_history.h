// How the commands of a world ended, by sequence.
//
// Neighbors in sequence with one tick and one outcome are kept as a run, which
// is what a batch mostly is. Runs that are still to come are all kept; of those
// that ended, the newest `most_ended` (at least 1) and up to a quarter more, so
// at least as many commands. Takes no memory for a tick without commands, nor
// for a run that ends as a whole. Single-threaded.
#ifndef MEANDER_SERVER_HOSTING_OUTCOME_HISTORY_H_
#define MEANDER_SERVER_HOSTING_OUTCOME_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/command.h"

namespace meander::hosting {

// What is known about one admitted command.
struct CommandReport {
  enum class State : std::uint8_t { kPending, kEnded, kForgotten };

  std::int64_t sequence = 0;
  State state = State::kPending;
  core::CommandOutcome outcome{};  // kEnded; else 0
  std::int64_t tick = 0;           // kEnded; else 0

  bool operator==(const CommandReport&) const = default;
};

class OutcomeHistory {
 public:
  explicit OutcomeHistory(std::size_t most_ended) : most_ended_(most_ended) {}

  // A command was admitted. Sequences come as 1, 2, ...
  void Admit(std::int64_t sequence, std::int64_t apply_tick);

  // All commands that were admitted for `tick`, in ascending sequence, have
  // ended; each has its outcome at the same place. Ticks ascend.
  void End(std::int64_t tick, std::span<const core::AdmittedCommand> commands,
           std::span<const core::CommandOutcome> outcomes);

  // Empty when the sequence was never given out.
  std::optional<CommandReport> Find(std::int64_t sequence) const;

  // The last sequence that was given out; 0 at first.
  std::int64_t last_sequence() const { return last_sequence_; }
  // Runs that are held.
  std::size_t size() const { return runs_.size(); }

 private:
  struct Run {
    std::int64_t first;  // sequence
    std::int64_t tick;   // that it applies, or applied, at
    std::uint32_t commands;
    bool ended = false;
    core::CommandOutcome outcome{};

    std::int64_t end() const { return first + commands; }
  };
  using Runs = std::vector<Run>;

  void EndPieces(Runs::iterator first, std::int64_t tick,
                 std::span<const core::CommandOutcome> outcomes);
  void Forget();

  const std::size_t most_ended_;
  std::int64_t last_sequence_ = 0;
  Runs runs_;  // in ascending sequence
  std::size_t ended_ = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_OUTCOME_HISTORY_H_
