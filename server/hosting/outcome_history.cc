#include "server/hosting/outcome_history.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.h"

namespace meander::hosting {
namespace {

// The length of the part of `outcomes` at its head that is all the same.
std::size_t SameAtHead(std::span<const core::CommandOutcome> outcomes) {
  const auto differs = std::find_if(
      outcomes.begin(), outcomes.end(),
      [&outcomes](core::CommandOutcome o) { return o != outcomes.front(); });
  return static_cast<std::size_t>(differs - outcomes.begin());
}

}  // namespace

void OutcomeHistory::Admit(std::int64_t sequence, std::int64_t apply_tick) {
  MEANDER_CHECK(sequence == last_sequence_ + 1);
  last_sequence_ = sequence;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    if (!last.ended && last.tick == apply_tick && last.end() == sequence) {
      ++last.commands;
      return;
    }
  }
  runs_.push_back({.first = sequence, .tick = apply_tick, .commands = 1});
}

void OutcomeHistory::End(std::int64_t tick,
                         std::span<const core::AdmittedCommand> commands,
                         std::span<const core::CommandOutcome> outcomes) {
  MEANDER_CHECK(commands.size() == outcomes.size());
  auto from = runs_.begin();
  for (std::size_t i = 0; i < commands.size();) {
    const auto run = std::lower_bound(
        from, runs_.end(), commands[i].sequence,
        [](const Run& r, std::int64_t s) { return r.first < s; });
    MEANDER_CHECK(run != runs_.end() && run->first == commands[i].sequence);
    const auto rest = outcomes.subspan(i);
    MEANDER_CHECK(run->commands <= rest.size());
    if (SameAtHead(rest.first(run->commands)) < run->commands) {
      EndPieces(run, tick, rest);
      break;
    }
    MEANDER_CHECK(!run->ended && run->tick == tick);
    run->ended = true;
    run->outcome = rest.front();
    ++ended_;
    i += run->commands;
    from = run + 1;
  }
  if (ended_ > most_ended_ + most_ended_ / 4) Forget();
}

// Ends the runs of the tick from `first` on where some must be split: all in
// one pass, for there may be many and many behind them.
void OutcomeHistory::EndPieces(Runs::iterator first, std::int64_t tick,
                               std::span<const core::CommandOutcome> outcomes) {
  const Runs tail(first, runs_.end());
  runs_.erase(first, runs_.end());
  for (const Run& run : tail) {
    if (run.ended || run.tick != tick) {
      runs_.push_back(run);
      continue;
    }
    for (std::uint32_t done = 0; done < run.commands;) {
      const std::size_t most = run.commands - done;
      const auto piece =
          static_cast<std::uint32_t>(SameAtHead(outcomes.first(most)));
      runs_.push_back({.first = run.first + done,
                       .tick = tick,
                       .commands = piece,
                       .ended = true,
                       .outcome = outcomes.front()});
      ++ended_;
      done += piece;
      outcomes = outcomes.subspan(piece);
    }
  }
}

// Keeps the newest of what has ended.
void OutcomeHistory::Forget() {
  using Age = std::pair<std::int64_t, std::int64_t>;
  const auto age = [](const Run& run) { return Age(run.tick, run.first); };
  std::vector<Age> ages;
  ages.reserve(ended_);
  for (const Run& run : runs_) {
    if (run.ended) ages.push_back(age(run));
  }
  const auto oldest =
      ages.begin() + static_cast<std::ptrdiff_t>(most_ended_) - 1;
  std::nth_element(ages.begin(), oldest, ages.end(), std::greater<>());
  ended_ -= std::erase_if(
      runs_, [&](const Run& run) { return run.ended && age(run) < *oldest; });
}

std::optional<CommandReport> OutcomeHistory::Find(std::int64_t sequence) const {
  if (sequence < 1 || sequence > last_sequence_) return std::nullopt;
  CommandReport report{.sequence = sequence};
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), sequence,
      [](std::int64_t s, const Run& r) { return s < r.first; });
  if (after == runs_.begin() || (after - 1)->end() <= sequence) {
    report.state = CommandReport::State::kForgotten;
    return report;
  }
  const Run& run = *(after - 1);
  if (!run.ended) return report;
  report.state = CommandReport::State::kEnded;
  report.outcome = run.outcome;
  report.tick = run.tick;
  return report;
}

}  // namespace meander::hosting
