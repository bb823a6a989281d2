#include "server/log/memory_world_log.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace meander::log {
namespace {

using core::ErrorCode;

LogRecord Record(std::int64_t sequence, std::int64_t apply_tick,
                 std::size_t bytes = 10) {
  return {.sequence = sequence,
          .apply_tick = apply_tick,
          .bytes = std::string(bytes, 'x')};
}

std::vector<LogRecord> Records(std::int64_t first_sequence, std::size_t count,
                               std::int64_t apply_tick,
                               std::size_t bytes = 10) {
  std::vector<LogRecord> records;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back(Record(first_sequence + static_cast<std::int64_t>(i),
                             apply_tick, bytes));
  }
  return records;
}

std::vector<LogRecord> Collect(WorldLog& log, std::string_view uid,
                               std::int64_t tick) {
  std::vector<LogRecord> records;
  log.Collect(uid, tick, records);
  return records;
}

TEST(MemoryWorldLogTest, GivesBackTheRecordsOfATickInTheirOrderAndOnce) {
  MemoryWorldLog log;
  ASSERT_FALSE(log.CreateWorld("a"));
  std::vector<LogRecord> records = {Record(1, 7), Record(2, 5), Record(3, 7)};
  const std::vector<LogRecord> copy = records;
  ASSERT_FALSE(log.Append("a", records));
  EXPECT_TRUE(Collect(log, "a", 6).empty());
  EXPECT_EQ(Collect(log, "a", 7), (std::vector{copy[0], copy[2]}));
  EXPECT_TRUE(Collect(log, "a", 7).empty());
  EXPECT_EQ(Collect(log, "a", 5), (std::vector{copy[1]}));
}

TEST(MemoryWorldLogTest, CollectAddsToWhatIsThere) {
  MemoryWorldLog log;
  ASSERT_FALSE(log.CreateWorld("a"));
  std::vector<LogRecord> records = {Record(1, 1)};
  ASSERT_FALSE(log.Append("a", records));
  std::vector<LogRecord> out = {Record(9, 9)};
  log.Collect("a", 1, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].sequence, 9);
  EXPECT_EQ(out[1].sequence, 1);
}

TEST(MemoryWorldLogTest, WorldsDoNotSeeEachOther) {
  MemoryWorldLog log;
  ASSERT_FALSE(log.CreateWorld("a"));
  ASSERT_FALSE(log.CreateWorld("b"));
  std::vector<LogRecord> records = {Record(1, 1)};
  ASSERT_FALSE(log.Append("a", records));
  EXPECT_TRUE(Collect(log, "b", 1).empty());
  EXPECT_EQ(Collect(log, "a", 1).size(), 1u);
}

TEST(MemoryWorldLogTest, AWorldIsCreatedOnce) {
  MemoryWorldLog log;
  ASSERT_FALSE(log.CreateWorld("a"));
  const auto error = log.CreateWorld("a");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kWorldExists);
}

TEST(MemoryWorldLogTest, AWorldThatIsNotThereTakesAndGivesNothing) {
  MemoryWorldLog log;
  std::vector<LogRecord> records = {Record(1, 1)};
  const auto error = log.Append("a", records);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kWorldNotFound);
  EXPECT_TRUE(Collect(log, "a", 1).empty());
  log.DeleteWorld("a");
}

TEST(MemoryWorldLogTest, ABatchOverTheRecordLimitLeavesNothingBehind) {
  MemoryWorldLog log({.records_per_world = 3});
  ASSERT_FALSE(log.CreateWorld("a"));
  std::vector<LogRecord> first = Records(1, 2, 1);
  ASSERT_FALSE(log.Append("a", first));
  std::vector<LogRecord> second = Records(3, 2, 1);
  const std::vector<LogRecord> copy = second;
  const auto error = log.Append("a", second);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kQuotaExceeded);
  EXPECT_NE(error->reason.find("limit of 3"), std::string::npos);
  EXPECT_EQ(second, copy);
  EXPECT_EQ(log.pending_bytes(), 20u);
  EXPECT_EQ(Collect(log, "a", 1).size(), 2u);
}

TEST(MemoryWorldLogTest, BytesOfAWorldAreBoundedToTheLastOne) {
  MemoryWorldLog log({.bytes_per_world = 25});
  ASSERT_FALSE(log.CreateWorld("a"));
  std::vector<LogRecord> over = Records(1, 1, 1, 26);
  ASSERT_TRUE(log.Append("a", over));
  std::vector<LogRecord> fits = Records(1, 1, 1, 25);
  ASSERT_FALSE(log.Append("a", fits));
  std::vector<LogRecord> more = Records(2, 1, 1, 1);
  const auto error = log.Append("a", more);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kQuotaExceeded);
}

TEST(MemoryWorldLogTest, BytesOfAllWorldsAreBounded) {
  MemoryWorldLog log({.bytes_total = 30});
  ASSERT_FALSE(log.CreateWorld("a"));
  ASSERT_FALSE(log.CreateWorld("b"));
  std::vector<LogRecord> a = Records(1, 2, 1);
  ASSERT_FALSE(log.Append("a", a));
  std::vector<LogRecord> b = Records(1, 2, 1);
  const auto error = log.Append("b", b);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kQuotaExceeded);
  Collect(log, "a", 1);
  EXPECT_FALSE(log.Append("b", b));
}

TEST(MemoryWorldLogTest, CollectingAndDeletingMakeRoom) {
  MemoryWorldLog log({.records_per_world = 2});
  ASSERT_FALSE(log.CreateWorld("a"));
  std::vector<LogRecord> first = Records(1, 2, 1);
  ASSERT_FALSE(log.Append("a", first));
  Collect(log, "a", 1);
  EXPECT_EQ(log.pending_bytes(), 0u);
  std::vector<LogRecord> second = Records(3, 2, 2);
  ASSERT_FALSE(log.Append("a", second));
  log.DeleteWorld("a");
  EXPECT_EQ(log.pending_bytes(), 0u);
  EXPECT_TRUE(Collect(log, "a", 2).empty());
  EXPECT_FALSE(log.CreateWorld("a"));
}

TEST(MemoryWorldLogTest, ThreadsThatAppendCollectAndDeleteLoseNoByte) {
  MemoryWorldLog log({.records_per_world = 50, .bytes_total = 1000});
  for (const char* uid : {"a", "b", "c"}) ASSERT_FALSE(log.CreateWorld(uid));
  std::vector<std::thread> threads;
  for (const char* uid : {"a", "b", "c"}) {
    threads.emplace_back([&log, uid] {
      for (std::int64_t i = 1; i <= 2000; ++i) {
        std::vector<LogRecord> records = Records(i, 3, i % 7);
        (void)log.Append(uid, records);
      }
    });
    threads.emplace_back([&log, uid] {
      for (std::int64_t i = 1; i <= 2000; ++i) Collect(log, uid, i % 7);
      if (*uid == 'c') log.DeleteWorld(uid);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char* uid : {"a", "b", "c"}) {
    for (std::int64_t tick = 0; tick < 7; ++tick) Collect(log, uid, tick);
  }
  EXPECT_EQ(log.pending_bytes(), 0u);
}

}  // namespace
}  // namespace meander::log
