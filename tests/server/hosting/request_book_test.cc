#include "server/hosting/request_book.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/hosting/world_answer.h"
#include "tests/server/hosting/fake_clock.h"
#include "tests/server/hosting/request_keys.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;

class RequestBookTest : public testing::Test {
 protected:
  // Empty when there is none.
  std::optional<std::string> Find(std::uint8_t id) {
    const auto found = book_.Find(Key(id));
    EXPECT_TRUE(found.ok());
    return *found;
  }

  Limits limits_;
  FakeClock clock_;
  RequestBook<std::string> book_{limits_, clock_};
};

TEST_F(RequestBookTest, GivesTheAnswerThatWasKept) {
  EXPECT_EQ(Find(1), std::nullopt);
  book_.Keep(Key(1), "one", 0);
  book_.Keep(Key(2), "two", 0);
  EXPECT_EQ(Find(1), "one");
  EXPECT_EQ(Find(2), "two");
  EXPECT_EQ(Find(1), "one") << "as often as it is asked";
}

TEST_F(RequestBookTest, AnotherPayloadIsRefused) {
  book_.Keep(Key(1, 5), "one", 0);
  const auto found = book_.Find(Key(1, 6));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kRequestIdReused);
  EXPECT_EQ(found.error().field, "request_id");
}

TEST_F(RequestBookTest, EachMethodHasIdsOfItsOwn) {
  book_.Keep(Key(1, 5), "one", 0);
  const auto found = book_.Find(Key(1, 6, KeyedMethod::kStepWorld));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, std::nullopt);
}

TEST_F(RequestBookTest, AnAnswerMayBeReplaced) {
  book_.Keep(Key(1), "first", 0);
  const std::size_t bytes = book_.bytes();
  book_.Keep(Key(1), "final", 100);
  EXPECT_EQ(Find(1), "final");
  EXPECT_EQ(book_.size(), 1u);
  EXPECT_EQ(book_.bytes(), bytes + 100);
}

TEST_F(RequestBookTest, AnAnswerIsKeptForAnHour) {
  book_.Keep(Key(1), "one", 0);
  clock_.Advance(std::chrono::minutes(30));
  book_.Keep(Key(2), "two", 0);
  book_.Keep(Key(3), "three", 0);
  clock_.Advance(std::chrono::minutes(30) - std::chrono::nanoseconds(1));
  EXPECT_EQ(Find(1), "one");
  book_.Keep(Key(2), "two", 0);  // from now on
  clock_.Advance(std::chrono::nanoseconds(1));
  EXPECT_EQ(Find(1), std::nullopt);
  clock_.Advance(std::chrono::minutes(30));
  EXPECT_EQ(Find(3), std::nullopt);
  EXPECT_EQ(Find(2), "two");
  EXPECT_EQ(book_.size(), 1u);
}

TEST_F(RequestBookTest, TheOldestGoesFirstWhenThereAreTooMany) {
  limits_.max_kept_answers = 3;
  for (std::uint8_t id = 1; id <= 5; ++id) book_.Keep(Key(id), "x", 0);
  EXPECT_EQ(Find(2), std::nullopt);
  EXPECT_EQ(Find(3), "x");
  EXPECT_EQ(book_.size(), 3u);
}

TEST_F(RequestBookTest, TheOldestGoesFirstWhenTheyAreTooLarge) {
  limits_.max_kept_answer_bytes = 10'000;
  for (std::uint8_t id = 1; id <= 4; ++id) book_.Keep(Key(id), "x", 3'000);
  EXPECT_EQ(Find(1), std::nullopt);
  EXPECT_EQ(Find(2), "x");
  EXPECT_LE(book_.bytes(), 10'000u);
  book_.Keep(Key(5), "huge", 20'000);
  EXPECT_EQ(Find(5), "huge") << "the newest stays whatever its size";
  EXPECT_EQ(book_.size(), 1u);
  book_.Keep(Key(6), "x", 0);
  EXPECT_EQ(book_.size(), 1u);
}

TEST_F(RequestBookTest, CountsWhatAnEntryTakesItself) {
  limits_.max_kept_answer_bytes = 100'000;
  for (int i = 0; i < 10'000; ++i) {
    RequestKey key;
    key.id.uuid[0] = static_cast<std::uint8_t>(i);
    key.id.uuid[1] = static_cast<std::uint8_t>(i >> 8);
    book_.Keep(key, "", 0);
  }
  EXPECT_LT(book_.size(), 1'000u);
  EXPECT_GT(book_.size(), 300u);
}

TEST_F(RequestBookTest, ABookThatNobodyUsesIsSmall) {
  EXPECT_LE(sizeof(WorldRequestBook), 256u);
}

TEST_F(RequestBookTest, ManyThreadsMayUseIt) {
  limits_.max_kept_answers = 20;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2'000; ++i) {
        const auto id = static_cast<std::uint8_t>(7 * i + t);
        const auto found = book_.Find(Key(id));
        if (!found.ok() || (*found && **found != std::to_string(id))) ++wrong;
        book_.Keep(Key(id), std::to_string(id), 8);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(book_.size(), 20u);
}

}  // namespace
}  // namespace meander::hosting
