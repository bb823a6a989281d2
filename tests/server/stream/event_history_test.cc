#include "server/stream/event_history.h"

#include <gtest/gtest.h>

#include <vector>

namespace meander::stream {
namespace {

// Events whose agents say their numbers.
std::vector<core::Event> Numbers(std::int64_t first, std::int64_t end) {
  std::vector<core::Event> events;
  for (std::int64_t number = first; number < end; ++number) {
    events.push_back({.agent_id = number});
  }
  return events;
}

TEST(EventHistoryTest, TellsEachRangeOfWhatItHolds) {
  EventHistory history(100);
  history.Add(Numbers(0, 30));
  history.Add({});
  history.Add(Numbers(30, 50));
  EXPECT_EQ(history.end(), 50);
  for (std::int64_t begin = 0; begin <= 50; ++begin) {
    for (std::int64_t end = begin; end <= 50; ++end) {
      EXPECT_EQ(history.Read(begin, end, 100),
                (FrameEvents{Numbers(begin, end), 0, 0}));
    }
  }
}

TEST(EventHistoryTest, KeepsTheNewestHoweverTheyCome) {
  for (const std::int64_t step : {1, 3, 7, 25}) {
    EventHistory history(7);
    for (std::int64_t end = step; end < 60; end += step) {
      history.Add(Numbers(end - step, end));
      const std::int64_t held = end < 7 ? 0 : end - 7;
      EXPECT_EQ(history.Read(0, end, 100),
                (FrameEvents{Numbers(held, end), held, 0}));
      // All of it long gone.
      const std::int64_t old = held / 2;
      EXPECT_EQ(history.Read(0, old, 100), (FrameEvents{{}, old, 0}));
    }
  }
}

TEST(EventHistoryTest, LeavesWhatIsTooMuchForTheNextTime) {
  EventHistory history(10);
  history.Add(Numbers(0, 12));
  EXPECT_EQ(history.Read(0, 12, 3), (FrameEvents{Numbers(2, 5), 2, 7}));
  EXPECT_EQ(history.Read(5, 12, 3), (FrameEvents{Numbers(5, 8), 0, 4}));
  EXPECT_EQ(history.Read(8, 12, 4), (FrameEvents{Numbers(8, 12), 0, 0}));
  EXPECT_EQ(history.Read(12, 12, 4), FrameEvents{});
}

TEST(EventHistoryTest, NumbersGoOnWhenItIsCleared) {
  EventHistory history(5);
  history.Add(Numbers(0, 8));
  history.Clear();
  EXPECT_EQ(history.end(), 8);
  EXPECT_EQ(history.Read(4, 8, 10), (FrameEvents{{}, 4, 0}));
  history.Add(Numbers(8, 11));
  EXPECT_EQ(history.Read(8, 11, 10), (FrameEvents{Numbers(8, 11), 0, 0}));
  history.Add(Numbers(11, 20));
  EXPECT_EQ(history.Read(8, 20, 10), (FrameEvents{Numbers(15, 20), 7, 0}));
}

}  // namespace
}  // namespace meander::stream
