#include "server/stream/frame_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace meander::stream {
namespace {

EncodedFrame EncodeAsText(const View& view, const PublishedState& state) {
  return {.tick = state.tick,
          .parts = {std::to_string(view.interval_ticks) + "/" +
                    std::to_string(state.tick)}};
}

PublishedState StateAt(std::int64_t tick) {
  PublishedState state;
  state.tick = tick;
  return state;
}

TEST(FrameCacheTest, EncodesAFrameOnce) {
  FrameCache cache(EncodeAsText);
  const auto first = cache.Get(View{}, StateAt(5));
  const auto second = cache.Get(View{}, StateAt(5));
  EXPECT_EQ(first, second);
  EXPECT_EQ(first->parts.at(0), "1/5");
  EXPECT_EQ(cache.encodings(), 1);
}

TEST(FrameCacheTest, EachViewHasItsOwnFrame) {
  FrameCache cache(EncodeAsText);
  EXPECT_EQ(cache.Get(View{2}, StateAt(6))->parts.at(0), "2/6");
  EXPECT_EQ(cache.Get(View{3}, StateAt(6))->parts.at(0), "3/6");
  EXPECT_EQ(cache.encodings(), 2);
}

TEST(FrameCacheTest, NeverGoesBackToAnOlderTick) {
  FrameCache cache(EncodeAsText);
  ASSERT_NE(cache.Get(View{}, StateAt(5)), nullptr);
  EXPECT_EQ(cache.Get(View{}, StateAt(4)), nullptr);
  EXPECT_EQ(cache.encodings(), 1);
  EXPECT_EQ(cache.Get(View{}, StateAt(5))->tick, 5);
}

TEST(FrameCacheTest, ForgettingAViewFreesItsFrame) {
  FrameCache cache(EncodeAsText);
  const std::weak_ptr<const EncodedFrame> frame = cache.Get(View{}, StateAt(5));
  EXPECT_FALSE(frame.expired());
  cache.Forget(View{});
  EXPECT_TRUE(frame.expired());
}

TEST(FrameCacheTest, AHundredThreadsShareOneEncoding) {
  std::atomic<int> calls = 0;
  FrameCache cache([&calls](const View& view, const PublishedState& state) {
    ++calls;
    return EncodeAsText(view, state);
  });
  constexpr int kThreads = 100;
  constexpr std::int64_t kTicks = 20;
  std::barrier start(kThreads);
  std::vector<std::vector<std::shared_ptr<const EncodedFrame>>> seen(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&] {
      for (std::int64_t tick = 1; tick <= kTicks; ++tick) {
        start.arrive_and_wait();
        mine.push_back(cache.Get(View{}, StateAt(tick)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, kTicks);
  EXPECT_EQ(cache.encodings(), kTicks);
  std::set<const EncodedFrame*> distinct;
  for (const auto& mine : seen) {
    for (const auto& frame : mine) {
      // A thread that is late for a tick may be told so, but gets no other.
      if (frame != nullptr) distinct.insert(frame.get());
    }
  }
  EXPECT_EQ(distinct.size(), static_cast<std::size_t>(kTicks));
}

TEST(FrameCacheTest, ViewsDoNotWaitForEachOther) {
  std::barrier both(2);
  FrameCache cache([&both](const View& view, const PublishedState& state) {
    both.arrive_and_wait();  // comes back only if both encode at once
    return EncodeAsText(view, state);
  });
  std::thread other([&] { cache.Get(View{2}, StateAt(2)); });
  cache.Get(View{1}, StateAt(2));
  other.join();
  EXPECT_EQ(cache.encodings(), 2);
}

}  // namespace
}  // namespace meander::stream
