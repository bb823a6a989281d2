#include "server/hosting/outcome_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace meander::hosting {
namespace {

using core::CommandOutcome;
using State = CommandReport::State;

constexpr auto kApplied = CommandOutcome::kApplied;
constexpr auto kGone = CommandOutcome::kAgentGone;
constexpr auto kFull = CommandOutcome::kWorldFull;

// A history with the commands that are still to come.
class Rig {
 public:
  explicit Rig(std::size_t most_ended = 1'000) : history_(most_ended) {}

  // Admits one command for each tick.
  void Admit(const std::vector<std::int64_t>& ticks) {
    for (const std::int64_t tick : ticks) {
      history_.Admit(++last_, tick);
      pending_[tick].push_back({.sequence = last_, .apply_tick = tick});
    }
  }
  void End(std::int64_t tick, const std::vector<CommandOutcome>& outcomes) {
    history_.End(tick, pending_[tick], outcomes);
    pending_.erase(tick);
  }
  // Ends a tick whose commands are all applied.
  void End(std::int64_t tick) {
    End(tick, std::vector<CommandOutcome>(pending_[tick].size(), kApplied));
  }

  State StateOf(std::int64_t sequence) const {
    return history_.Find(sequence)->state;
  }
  std::pair<CommandOutcome, std::int64_t> HowEnded(
      std::int64_t sequence) const {
    const CommandReport report = *history_.Find(sequence);
    EXPECT_EQ(report.sequence, sequence);
    EXPECT_EQ(report.state, State::kEnded) << sequence;
    return {report.outcome, report.tick};
  }
  std::size_t pending(std::int64_t tick) { return pending_[tick].size(); }
  const OutcomeHistory& history() const { return history_; }

 private:
  OutcomeHistory history_;
  std::int64_t last_ = 0;
  std::map<std::int64_t, std::vector<core::AdmittedCommand>> pending_;
};

using Ended = std::pair<CommandOutcome, std::int64_t>;

TEST(OutcomeHistoryTest, TellsHowEachCommandEnded) {
  Rig rig;
  rig.Admit({1, 1, 3, 1, 2});
  EXPECT_EQ(rig.StateOf(1), State::kPending);
  rig.End(1, {kApplied, kGone, kApplied});
  EXPECT_EQ(rig.HowEnded(1), Ended(kApplied, 1));
  EXPECT_EQ(rig.HowEnded(2), Ended(kGone, 1));
  EXPECT_EQ(rig.StateOf(3), State::kPending);
  EXPECT_EQ(rig.HowEnded(4), Ended(kApplied, 1));
  EXPECT_EQ(rig.StateOf(5), State::kPending);
  rig.End(2, {kFull});
  rig.End(3);
  EXPECT_EQ(rig.HowEnded(3), Ended(kApplied, 3));
  EXPECT_EQ(rig.HowEnded(5), Ended(kFull, 2));
}

TEST(OutcomeHistoryTest, KnowsNothingOfWhatWasNeverGivenOut) {
  Rig rig;
  EXPECT_EQ(rig.history().Find(1), std::nullopt);
  rig.Admit({1});
  EXPECT_EQ(rig.history().Find(0), std::nullopt);
  EXPECT_EQ(rig.history().Find(-1), std::nullopt);
  EXPECT_EQ(rig.history().Find(2), std::nullopt);
  EXPECT_EQ(rig.history().last_sequence(), 1);
}

TEST(OutcomeHistoryTest, CommandsThatEndAlikeAreOneRun) {
  Rig rig;
  rig.Admit(std::vector<std::int64_t>(60'000, 1));
  EXPECT_EQ(rig.history().size(), 1u);
  rig.Admit(std::vector<std::int64_t>(5'000, 2));
  rig.End(1);
  EXPECT_EQ(rig.history().size(), 2u);
  std::vector<CommandOutcome> outcomes(5'000, kApplied);
  outcomes[2'500] = kGone;
  rig.End(2, outcomes);
  EXPECT_EQ(rig.history().size(), 4u);
  EXPECT_EQ(rig.HowEnded(60'000), Ended(kApplied, 1));
  EXPECT_EQ(rig.HowEnded(62'500), Ended(kApplied, 2));
  EXPECT_EQ(rig.HowEnded(62'501), Ended(kGone, 2));
  EXPECT_EQ(rig.HowEnded(62'502), Ended(kApplied, 2));
}

TEST(OutcomeHistoryTest, ForgetsWhatEndedFirst) {
  Rig rig(4);
  rig.Admit({9});  // for long
  for (std::int64_t tick = 1; tick <= 8; ++tick) {
    rig.Admit({tick});
    rig.End(tick);
  }
  EXPECT_EQ(rig.StateOf(1), State::kPending) << "it is still to come";
  EXPECT_EQ(rig.StateOf(2), State::kForgotten);
  EXPECT_EQ(rig.history().Find(2)->tick, 0);
  for (std::int64_t sequence = 6; sequence <= 9; ++sequence) {
    EXPECT_EQ(rig.HowEnded(sequence), Ended(kApplied, sequence - 1));
  }
  rig.End(9);
  EXPECT_EQ(rig.HowEnded(1), Ended(kApplied, 9)) << "old, but newly ended";
  EXPECT_LE(rig.history().size(), 5u);
}

TEST(OutcomeHistoryTest, ForgetsPartOfATickThatIsTooLong) {
  Rig rig(4);
  rig.Admit(std::vector<std::int64_t>(8, 1));
  rig.End(1,
          {kApplied, kGone, kApplied, kGone, kApplied, kGone, kApplied, kGone});
  EXPECT_EQ(rig.StateOf(4), State::kForgotten);
  EXPECT_EQ(rig.HowEnded(5), Ended(kApplied, 1));
  EXPECT_EQ(rig.HowEnded(8), Ended(kGone, 1));
  EXPECT_EQ(rig.history().size(), 4u);
}

// Against a plain map, with all that can come in any order.
TEST(OutcomeHistoryTest, AgreesWithAMapOfAllCommands) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    constexpr std::size_t kMost = 500;
    Rig rig(kMost);
    std::map<std::int64_t, Ended> ended;  // by sequence
    std::vector<std::int64_t> order;      // in which they ended
    std::map<std::int64_t, std::vector<std::int64_t>> pending;  // by tick
    std::int64_t last = 0;
    for (std::int64_t tick = 1; tick <= 300; ++tick) {
      for (unsigned i = random() % 8; i > 0; --i) {
        const std::int64_t apply = tick + (random() % 2) * (random() % 40);
        const std::vector<std::int64_t> alike(random() % 4 + 1, apply);
        rig.Admit(alike);
        for (std::size_t k = 0; k < alike.size(); ++k) {
          pending[apply].push_back(++last);
        }
      }
      std::vector<CommandOutcome> outcomes;
      for (const std::int64_t sequence : pending[tick]) {
        outcomes.push_back(random() % 4 == 0 ? kGone : kApplied);
        ended[sequence] = {outcomes.back(), tick};
        order.push_back(sequence);
      }
      pending.erase(tick);
      rig.End(tick, outcomes);
    }
    for (const auto& [tick, sequences] : pending) {
      for (const std::int64_t sequence : sequences) {
        EXPECT_EQ(rig.StateOf(sequence), State::kPending);
      }
    }
    ASSERT_GT(order.size(), 2 * kMost);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool must = i + kMost >= order.size();
      if (!must && rig.StateOf(order[i]) == State::kForgotten) continue;
      EXPECT_EQ(rig.HowEnded(order[i]), ended[order[i]]) << order[i];
    }
    EXPECT_EQ(rig.StateOf(order.front()), State::kForgotten);
  }
}

}  // namespace
}  // namespace meander::hosting
