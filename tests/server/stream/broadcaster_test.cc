#include "server/stream/broadcaster.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

namespace meander::stream {
namespace {

class Counter final : public Delivery {
 public:
  explicit Counter(std::function<void()> body = {}) : body_(std::move(body)) {}

  void Deliver() override {
    EXPECT_EQ(inside_.fetch_add(1), 0) << "two threads deliver one stream";
    if (body_) body_();
    inside_.fetch_sub(1);
    deliveries_.fetch_add(1);
    deliveries_.notify_all();
  }

  void Await(int deliveries) const {
    for (int now = deliveries_; now < deliveries; now = deliveries_) {
      deliveries_.wait(now);
    }
  }
  int deliveries() const { return deliveries_; }

 private:
  const std::function<void()> body_;
  std::atomic<int> inside_ = 0;
  std::atomic<int> deliveries_ = 0;
};

TEST(BroadcasterTest, DeliversWhatIsQueued) {
  Broadcaster broadcaster;
  const auto a = std::make_shared<Counter>();
  const auto b = std::make_shared<Counter>();
  broadcaster.Queue(a);
  broadcaster.Queue(b);
  a->Await(1);
  b->Await(1);
  broadcaster.Queue(a);
  a->Await(2);
}

TEST(BroadcasterTest, AStreamIsQueuedOnceHoweverOftenItIsOffered) {
  std::binary_semaphore inside(0);
  std::binary_semaphore go(0);
  const auto blocker = std::make_shared<Counter>([&] {
    inside.release();
    go.acquire();
  });
  const auto last = std::make_shared<Counter>();
  const auto stream = std::make_shared<Counter>();
  Broadcaster broadcaster(1);
  broadcaster.Queue(blocker);
  inside.acquire();
  for (int i = 0; i < 10; ++i) broadcaster.Queue(stream);
  broadcaster.Queue(last);
  go.release();
  last->Await(1);
  EXPECT_EQ(stream->deliveries(), 1);
}

TEST(BroadcasterTest, AStreamQueuedWhileItIsDeliveredIsDeliveredOnceMore) {
  std::binary_semaphore inside(0);
  std::counting_semaphore<2> go(0);
  const auto stream = std::make_shared<Counter>([&] {
    inside.release();
    go.acquire();
  });
  Broadcaster broadcaster(2);
  broadcaster.Queue(stream);
  inside.acquire();
  for (int i = 0; i < 10; ++i) broadcaster.Queue(stream);
  go.release(2);
  inside.acquire();
  stream->Await(2);
  EXPECT_EQ(stream->deliveries(), 2);
}

TEST(BroadcasterTest, WhatIsQueuedAtTheEndIsLetGo) {
  std::vector<std::weak_ptr<Counter>> streams;
  {
    Broadcaster broadcaster(0);  // nobody delivers
    for (int i = 0; i < 100'000; ++i) {
      const auto stream = std::make_shared<Counter>();
      if (i % 1000 == 0) streams.push_back(stream);
      broadcaster.Queue(stream);
    }
  }
  for (const auto& stream : streams) EXPECT_TRUE(stream.expired());
}

TEST(BroadcasterTest, NoOfferIsLost) {
  Broadcaster broadcaster(3);
  constexpr int kStreams = 8;
  constexpr int kRounds = 2000;
  std::atomic<int> offered[kStreams] = {};
  std::atomic<int> seen[kStreams] = {};
  std::vector<std::shared_ptr<Counter>> streams;
  for (int s = 0; s < kStreams; ++s) {
    streams.push_back(std::make_shared<Counter>(
        [&offered, &seen, s] { seen[s].store(offered[s].load()); }));
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const auto s = static_cast<std::size_t>(i % kStreams);
        ++offered[s];
        broadcaster.Queue(streams[s]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int s = 0; s < kStreams; ++s) {
    while (seen[s] != offered[s]) std::this_thread::yield();
  }
}

}  // namespace
}  // namespace meander::stream
