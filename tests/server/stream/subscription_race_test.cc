// Real threads on one stream. Sinks die in Finish, as those of a transport do,
// so that a sanitizer sees every call that comes too late.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/stream/world_stream.h"
#include "tests/server/stream/recording_sink.h"

namespace meander::stream {
namespace {

using core::ErrorCode;

constexpr std::size_t kParts = 2;

EncodedFrame Encode(const View&, const PublishedState& state) {
  return {state.tick, std::vector<std::string>(kParts, "part")};
}

// What outlives a sink.
struct Record {
  std::atomic<bool> in_flight = false;
  std::atomic<int> finishes = 0;
  std::atomic<int> faults = 0;
  std::atomic<int> pending_writes = 0;
  std::int64_t tick = -1;  // of the write in flight, and its part
  std::size_t part = kParts - 1;
};

class MortalSink final : public FrameSink {
 public:
  explicit MortalSink(std::shared_ptr<Record> record)
      : record_(std::move(record)),
        subscription_(std::make_shared<Subscription>(View{}, *this)) {}

  const std::shared_ptr<Subscription>& subscription() { return subscription_; }

  void Write(std::shared_ptr<const EncodedFrame> frame, std::size_t part,
             const OwnFields&) override {
    if (record_->in_flight.exchange(true)) ++record_->faults;
    const bool next_part =
        frame->tick == record_->tick && part == record_->part + 1;
    const bool next_frame =
        frame->tick > record_->tick && part == 0 && record_->part == kParts - 1;
    if (!next_part && !next_frame) ++record_->faults;
    record_->tick = frame->tick;
    record_->part = part;
    ++record_->pending_writes;
  }

  void Finish(std::optional<core::Error>) override {
    if (record_->in_flight) ++record_->faults;
    const std::shared_ptr<Record> record = record_;
    delete this;
    ++record->finishes;
  }

 private:
  const std::shared_ptr<Record> record_;
  const std::shared_ptr<Subscription> subscription_;
};

// One stream and one subscription that four threads do everything to at once.
struct Scene {
  explicit Scene(Broadcaster& broadcaster)
      : stream(std::make_shared<WorldStream>(
            broadcaster, Encode, StreamLimits{.max_subscribers = 10}, [] {})),
        subscription((new MortalSink(record))->subscription()) {}

  void Publish(std::int64_t tick) {
    std::optional<DraftState> draft = pool.Acquire();
    if (!draft) return;
    (*draft)->tick = tick;
    (void)stream->Publish(std::move(*draft).Seal());
    stream->QueueDelivery();
  }

  // The transport: ends writes until the subscription has finished.
  void EndWrites(bool ok) {
    while (record->finishes == 0) {
      if (record->pending_writes == 0) {
        std::this_thread::yield();
        continue;
      }
      --record->pending_writes;
      record->in_flight = false;
      subscription->WriteDone(ok);
    }
  }

  std::shared_ptr<Record> record = std::make_shared<Record>();
  PublishedStatePool pool{4};
  std::shared_ptr<WorldStream> stream;
  std::shared_ptr<Subscription> subscription;
};

TEST(SubscriptionRaceTest, EndsWritesAndOffersLeadToExactlyOneFinish) {
  constexpr int kRounds = 10'000;
  constexpr int kThreads = 4;
  Broadcaster broadcaster(2);
  std::optional<Scene> scene;
  std::barrier turn(kThreads + 1);
  const auto each_round = [&turn](auto body) {
    return std::thread([&turn, body] {
      for (int round = 0; round < kRounds; ++round) {
        turn.arrive_and_wait();
        body(round);
        turn.arrive_and_wait();
      }
    });
  };
  std::array<std::thread, kThreads> threads = {
      each_round([&](int round) { scene->EndWrites(round % 3 != 0); }),
      each_round([&](int round) {
        for (std::int64_t tick = 1; tick <= round % 5; ++tick) {
          scene->Publish(tick);
        }
      }),
      each_round([&](int round) {
        for (int spin = round % 64; spin > 0; --spin) {
          std::this_thread::yield();
        }
        scene->subscription->End(std::nullopt);
      }),
      each_round([&](int round) {
        scene->stream->Subscribe(scene->subscription);
        if (round % 2 == 0) {
          scene->stream->Close({ErrorCode::kWorldNotFound, "", ""});
        }
      }),
  };
  int faults = 0;
  int bad_finishes = 0;
  for (int round = 0; round < kRounds; ++round) {
    scene.emplace(broadcaster);
    turn.arrive_and_wait();
    turn.arrive_and_wait();
    faults += scene->record->faults;
    if (scene->record->finishes != 1) ++bad_finishes;
    EXPECT_EQ(scene->stream->subscribers(), 0u);
    EXPECT_FALSE(scene->stream->AwaitsFirstFrame());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults, 0);
  EXPECT_EQ(bad_finishes, 0);
}

// A hundred readers that are at once done, or done on other threads: every
// tick that anybody got was encoded exactly once, and the last one reaches
// all.
TEST(SubscriptionRaceTest, EncodingsEqualTheDistinctTicksDelivered) {
  constexpr std::int64_t kTicks = 300;
  Broadcaster broadcaster(2);
  PublishedStatePool pool(4);
  const auto stream = std::make_shared<WorldStream>(
      broadcaster, Encode, StreamLimits{.max_subscribers = 100}, [] {});
  std::vector<std::unique_ptr<RecordingSink>> sinks;
  for (int i = 0; i < 100; ++i) {
    sinks.push_back(std::make_unique<RecordingSink>(
        View{}, i % 2 == 0 ? RecordingSink::Writes::kEndAtOnce
                           : RecordingSink::Writes::kStall));
    stream->Subscribe(sinks.back()->subscription());
  }
  std::atomic<bool> stop = false;
  std::thread transport([&] {
    while (!stop) {
      for (std::size_t i = 1; i < sinks.size(); i += 2) {
        if (sinks[i]->in_flight()) sinks[i]->EndWrite();
      }
      std::this_thread::yield();
    }
  });
  for (std::int64_t tick = 1; tick <= kTicks;) {
    std::optional<DraftState> draft = pool.Acquire();
    if (!draft) {  // a world would go on; here every tick is wanted
      std::this_thread::yield();
      continue;
    }
    (*draft)->tick = tick++;
    (void)stream->Publish(std::move(*draft).Seal());
    stream->QueueDelivery();
    // Now and then let the readers come up with the world.
    while (tick % 10 == 0 && stream->encodings() < tick / 10) {
      std::this_thread::yield();
    }
  }
  for (const auto& sink : sinks) {
    for (;;) {
      const std::vector<Written> written = sink->written();
      if (!written.empty() && written.back() == Written{kTicks, kParts - 1, 0})
        break;
      std::this_thread::yield();
    }
  }
  stop = true;
  transport.join();
  std::set<std::int64_t> ticks;
  for (const auto& sink : sinks) {
    std::int64_t next = -1;
    for (const Written& written : sink->written()) {
      ticks.insert(written.tick);
      if (written.part != 0) continue;
      if (next >= 0) {
        EXPECT_EQ(written.tick, next + written.skipped);
      }
      next = written.tick + 1;
    }
  }
  EXPECT_EQ(stream->encodings(), static_cast<std::int64_t>(ticks.size()));
  stream->Close({ErrorCode::kDraining, "", ""});
}

// Where each tick has one event, of an agent with its number.
void ExpectEveryEventOnce(const std::vector<Written>& frames) {
  std::optional<std::int64_t> next;
  for (const Written& written : frames) {
    if (written.part != 0) continue;
    if (!next) next = written.tick + 1;  // the first tells none
    *next += written.events.dropped;
    for (const core::Event& event : written.events.events) {
      ASSERT_EQ(event.agent_id, (*next)++);
    }
    ASSERT_EQ(*next + written.events.left, written.tick + 1);
  }
}

// Readers come and go while the world publishes. Nothing may be left behind,
// and who asks for events is told each, or that it was dropped.
TEST(SubscriptionRaceTest, ReadersThatComeAndGoLeaveNothingBehind) {
  Broadcaster broadcaster(2);
  PublishedStatePool pool(4);
  const auto stream = std::make_shared<WorldStream>(
      broadcaster, Encode, StreamLimits{.max_subscribers = 8}, [] {});
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 3; ++seed) {
    threads.emplace_back([&stream, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 700; ++i) {
        const View view{static_cast<std::int32_t>(1 + random() % 3),
                        random() % 2 == 0};
        RecordingSink sink(view, RecordingSink::Writes::kEndAtOnce);
        stream->Subscribe(sink.subscription());
        sink.AwaitWrites(random() % (3 * kParts));
        sink.subscription()->End(std::nullopt);
        sink.AwaitFinish();
        EXPECT_EQ(sink.finishes(), 1);
        if (view.events) ExpectEveryEventOnce(sink.written());
      }
    });
  }
  std::thread world([&] {
    for (std::int64_t tick = 1; !stop; ++tick) {
      const core::Event events[] = {{.tick = tick, .agent_id = tick}};
      std::optional<DraftState> draft = pool.Acquire();
      if (draft) {
        (*draft)->tick = tick;
        (void)stream->Publish(std::move(*draft).Seal(), events);
        stream->QueueDelivery();
      } else {
        (void)stream->MarkStale(false, events);
      }
    }
  });
  for (std::thread& thread : threads) thread.join();
  stop = true;
  world.join();
  EXPECT_EQ(stream->subscribers(), 0u);
  EXPECT_FALSE(stream->Wants(0));
  EXPECT_FALSE(stream->AwaitsFirstFrame());
  stream->Close({ErrorCode::kDraining, "", ""});
}

}  // namespace
}  // namespace meander::stream
