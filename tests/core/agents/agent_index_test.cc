#include "core/agents/agent_index.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace meander::core {
namespace {

using Model = std::map<AgentId, AgentLocation>;
using Entries = std::vector<std::pair<AgentId, AgentLocation>>;

Entries EntriesOf(const AgentIndex& index) {
  Entries entries;
  index.ForEach([&](AgentId id, const AgentLocation& location) {
    entries.emplace_back(id, location);
  });
  return entries;
}

Entries EntriesOf(const Model& model) { return {model.begin(), model.end()}; }

bool HasAny(const Model& model, AgentId first, std::int64_t count) {
  const auto at = model.lower_bound(first);
  return at != model.end() && at->first - first < count;
}

void ExpectFinds(const AgentIndex& index, const Model& model, AgentId id) {
  const AgentLocation* found = index.Find(id);
  const auto wanted = model.find(id);
  ASSERT_EQ(found != nullptr, wanted != model.end()) << "id " << id;
  if (found == nullptr) return;
  EXPECT_EQ(*found, wanted->second) << "id " << id;
}

// A world's life, tick by tick: what one index and one map hold stays the same.
class RandomLife {
 public:
  // Ids 2, 4, ..., 2 * ids; `disorder` of them at a time change places.
  RandomLife(std::uint32_t seed, std::size_t ids, std::size_t disorder)
      : random_(seed), fresh_(ids) {
    for (std::size_t i = 0; i < ids; ++i) {
      fresh_[i] = 2 * static_cast<AgentId>(i + 1);
    }
    for (std::size_t i = 0; i < ids; i += disorder) {
      const auto begin = fresh_.begin() + static_cast<std::ptrdiff_t>(i);
      const std::size_t length = std::min(disorder, ids - i);
      std::shuffle(begin, begin + static_cast<std::ptrdiff_t>(length), random_);
    }
  }

  bool done() const { return next_ == fresh_.size(); }

  void Tick() {
    const std::size_t inserts = Below(40);
    for (std::size_t i = 0; i < inserts && !done(); ++i) Insert();
    const std::size_t others = Below(40);
    for (std::size_t i = 0; i < others && !model_.empty(); ++i) {
      Below(2) == 0 ? Erase() : Move();
      if (Below(4) == 0 && !done()) Insert();
    }
    ASSERT_EQ(index_.size(), model_.size());
    for (int i = 0; i < 20; ++i) ExpectFinds(index_, model_, AnyId());
  }

  void SettleAndCompare() {
    index_.Settle();
    ASSERT_EQ(index_.size(), model_.size());
    ASSERT_EQ(EntriesOf(index_), EntriesOf(model_));
    for (int i = 0; i < 40; ++i) {
      const AgentId id = AnyId();
      const auto count = static_cast<std::int64_t>(Below(30));
      ExpectFinds(index_, model_, id);
      ASSERT_EQ(index_.HasAny(id, count), HasAny(model_, id, count))
          << count << " ids from " << id;
    }
  }

  void EraseAll() {
    while (!model_.empty()) Erase();
  }

 private:
  std::size_t Below(std::size_t bound) { return random_() % bound; }
  // Also ids between those given out, and beyond both ends.
  AgentId AnyId() { return static_cast<AgentId>(Below(2 * fresh_.size() + 5)); }
  AgentLocation AnyLocation() {
    return {static_cast<std::uint32_t>(random_()),
            static_cast<std::uint32_t>(random_())};
  }
  Model::iterator AnyEntry() {
    const auto at = model_.lower_bound(AnyId());
    return at == model_.end() ? model_.begin() : at;
  }

  void Insert() {
    const AgentId id = fresh_[next_++];
    const AgentLocation location = AnyLocation();
    index_.Insert(id, location);
    model_[id] = location;
    ExpectFinds(index_, model_, id);
  }
  void Erase() {
    const auto entry = AnyEntry();
    const AgentId id = entry->first;
    index_.Erase(id);
    model_.erase(entry);
    ExpectFinds(index_, model_, id);
  }
  void Move() {
    const auto entry = AnyEntry();
    entry->second = AnyLocation();
    index_.Move(entry->first, entry->second);
    ExpectFinds(index_, model_, entry->first);
  }

  std::mt19937 random_;
  std::vector<AgentId> fresh_;  // in the order in which they are inserted
  std::size_t next_ = 0;
  AgentIndex index_;
  Model model_;
};

void LiveAndCompare(std::size_t disorder) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomLife life(seed, 3000, disorder);
    while (!life.done()) {
      ASSERT_NO_FATAL_FAILURE(life.Tick());
      ASSERT_NO_FATAL_FAILURE(life.SettleAndCompare());
    }
    life.EraseAll();
    ASSERT_NO_FATAL_FAILURE(life.SettleAndCompare());
  }
}

TEST(AgentIndexTest, EqualsAMapWhenIdsComeInOrder) { LiveAndCompare(1); }

TEST(AgentIndexTest, EqualsAMapWhenIdsComeNearlyInOrder) {
  LiveAndCompare(100);
}

TEST(AgentIndexTest, EqualsAMapWhenIdsComeInAnyOrder) { LiveAndCompare(3000); }

TEST(AgentIndexTest, IsEmptyAtFirst) {
  AgentIndex index;
  index.Settle();
  EXPECT_EQ(index.size(), 0u);
  EXPECT_EQ(index.Find(1), nullptr);
  EXPECT_FALSE(index.HasAny(1, std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(EntriesOf(index).empty());
}

TEST(AgentIndexTest, FindsWhatIsNotSettledYet) {
  AgentIndex index;
  index.Insert(10, {0, 0});
  index.Insert(3, {0, 1});
  index.Insert(7, {0, 2});
  index.Insert(12, {0, 3});
  EXPECT_EQ(index.size(), 4u);
  for (const AgentId id : {10, 3, 7, 12}) EXPECT_NE(index.Find(id), nullptr);
  index.Move(7, {1, 9});
  index.Erase(3);
  EXPECT_EQ(index.Find(3), nullptr);
  index.Settle();
  EXPECT_EQ(EntriesOf(index),
            (Entries{{7, {1, 9}}, {10, {0, 0}}, {12, {0, 3}}}));
}

TEST(AgentIndexTest, HasAnyLooksPastGapsAndEndsWithItsRange) {
  AgentIndex index;
  for (const AgentId id : {5, 6, 7, 20}) index.Insert(id, {});
  // One gap among four entries stays; the range goes on behind it.
  index.Erase(6);
  index.Settle();
  EXPECT_TRUE(index.HasAny(5, 1));
  EXPECT_FALSE(index.HasAny(6, 1));
  EXPECT_TRUE(index.HasAny(6, 2));
  EXPECT_FALSE(index.HasAny(8, 12));
  EXPECT_TRUE(index.HasAny(8, 13));
  EXPECT_FALSE(index.HasAny(21, 1000));
  EXPECT_FALSE(index.HasAny(5, 0));
  constexpr AgentId kFar = AgentId{1} << 62;
  EXPECT_TRUE(index.HasAny(1, kFar));
  EXPECT_FALSE(index.HasAny(kFar, kFar));
}

TEST(AgentIndexTest, TakesIdsAsLargeAsTheyCome) {
  constexpr AgentId kLast = std::numeric_limits<AgentId>::max();
  AgentIndex index;
  index.Insert(kLast, {1, 1});
  index.Insert(1, {2, 2});
  index.Settle();
  EXPECT_EQ(EntriesOf(index), (Entries{{1, {2, 2}}, {kLast, {1, 1}}}));
  EXPECT_TRUE(index.HasAny(kLast, 1));
}

TEST(AgentIndexDeathTest, ChangingAnAbsentAgentEndsTheProcess) {
  AgentIndex index;
  index.Insert(1, {});
  index.Erase(1);
  EXPECT_DEATH(index.Move(1, {}), "check failed");
  EXPECT_DEATH(index.Erase(1), "check failed");
  EXPECT_DEATH(index.Erase(2), "check failed");
}

}  // namespace
}  // namespace meander::core
