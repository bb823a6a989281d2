#include "server/service/health_board.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace meander::service {
namespace {

// Records what it is told; writes end when the test says so.
struct Sink final : HealthWatcher::Sink {
  void Write(Health health) override {
    EXPECT_FALSE(finished);
    EXPECT_FALSE(writing);
    writing = true;
    written.push_back(health);
  }
  void Finish(WatchEnd how) override {
    EXPECT_FALSE(finished);
    EXPECT_FALSE(writing);
    finished = true;
    end = how;
  }
  void EndWrite(HealthWatcher& watcher, bool ok = true) {
    EXPECT_TRUE(writing);
    writing = false;
    watcher.WriteDone(ok);
  }

  std::vector<Health> written;
  bool writing = false;
  bool finished = false;
  std::optional<WatchEnd> end;
};

using Told = std::vector<Health>;

TEST(HealthBoardTest, KnowsItsServicesAndTheServer) {
  HealthBoard board({"a.B"});
  EXPECT_EQ(board.Check(""), Health::kServing);
  EXPECT_EQ(board.Check("a.B"), Health::kServing);
  EXPECT_EQ(board.Check("a.C"), Health::kUnknownService);
  board.Drain();
  EXPECT_EQ(board.Check(""), Health::kNotServing);
  EXPECT_EQ(board.Check("a.B"), Health::kNotServing);
  EXPECT_EQ(board.Check("a.C"), Health::kUnknownService);
}

TEST(HealthBoardTest, TellsAWatcherNowAndWhenItDrains) {
  HealthBoard board({"a.B"});
  Sink sink;
  const auto watcher = std::make_shared<HealthWatcher>(sink);
  board.Add("a.B", watcher);
  EXPECT_EQ(sink.written, (Told{Health::kServing}));
  sink.EndWrite(*watcher);
  board.Drain();
  EXPECT_EQ(sink.written, (Told{Health::kServing, Health::kNotServing}));
  EXPECT_FALSE(sink.finished);
  sink.EndWrite(*watcher);
  EXPECT_TRUE(sink.finished);
  EXPECT_EQ(sink.end, WatchEnd::kDrained);
}

TEST(HealthBoardTest, DrainsInTheMiddleOfAWrite) {
  HealthBoard board({});
  Sink sink;
  const auto watcher = std::make_shared<HealthWatcher>(sink);
  board.Add("", watcher);
  board.Drain();
  EXPECT_EQ(sink.written, (Told{Health::kServing}));
  sink.EndWrite(*watcher);
  EXPECT_EQ(sink.written, (Told{Health::kServing, Health::kNotServing}));
  sink.EndWrite(*watcher);
  EXPECT_EQ(sink.end, WatchEnd::kDrained);
}

TEST(HealthBoardTest, ALateWatcherIsToldAndEnded) {
  HealthBoard board({});
  board.Drain();
  Sink sink;
  const auto watcher = std::make_shared<HealthWatcher>(sink);
  board.Add("", watcher);
  EXPECT_EQ(sink.written, (Told{Health::kNotServing}));
  sink.EndWrite(*watcher);
  EXPECT_EQ(sink.end, WatchEnd::kDrained);
}

TEST(HealthBoardTest, AnUnknownServiceStaysUnknownToTheEnd) {
  HealthBoard board({});
  Sink sink;
  const auto watcher = std::make_shared<HealthWatcher>(sink);
  board.Add("a.C", watcher);
  EXPECT_EQ(sink.written, (Told{Health::kUnknownService}));
  sink.EndWrite(*watcher);
  board.Drain();
  EXPECT_EQ(sink.written, (Told{Health::kUnknownService}));
  EXPECT_EQ(sink.end, WatchEnd::kDrained);
}

TEST(HealthBoardTest, ACancelledWatcherEndsOnceAfterItsWrite) {
  HealthBoard board({});
  Sink sink;
  const auto watcher = std::make_shared<HealthWatcher>(sink);
  board.Add("", watcher);
  watcher->Cancel();
  EXPECT_FALSE(sink.finished);
  sink.EndWrite(*watcher, false);
  EXPECT_EQ(sink.end, WatchEnd::kReaderGone);
  watcher->Cancel();
  board.Drain();
  EXPECT_EQ(sink.written, (Told{Health::kServing}));
}

TEST(HealthBoardTest, ARemovedWatcherHearsNoMore) {
  HealthBoard board({});
  Sink sink;
  const auto watcher = std::make_shared<HealthWatcher>(sink);
  board.Add("", watcher);
  sink.EndWrite(*watcher);
  board.Remove(watcher);
  board.Drain();
  EXPECT_EQ(sink.written, (Told{Health::kServing}));
  EXPECT_FALSE(sink.finished);
}

// Ends its writes at once, from within.
struct EagerSink final : HealthWatcher::Sink {
  void Write(Health health) override {
    last = health;
    watcher->WriteDone(true);
  }
  void Finish(WatchEnd /*end*/) override { ++finishes; }

  HealthWatcher* watcher = nullptr;
  Health last = Health::kUnknownService;
  int finishes = 0;
};

TEST(HealthBoardTest, WatchersThatComeWhileItDrainsAllEndNotServing) {
  for (int round = 0; round < 200; ++round) {
    HealthBoard board({});
    std::vector<std::unique_ptr<EagerSink>> sinks;
    std::vector<std::shared_ptr<HealthWatcher>> watchers;
    for (int i = 0; i < 4; ++i) {
      sinks.push_back(std::make_unique<EagerSink>());
      watchers.push_back(std::make_shared<HealthWatcher>(*sinks.back()));
      sinks.back()->watcher = watchers.back().get();
    }
    std::thread adder([&] {
      for (const auto& watcher : watchers) board.Add("", watcher);
    });
    board.Drain();
    adder.join();
    for (const auto& sink : sinks) {
      EXPECT_EQ(sink->last, Health::kNotServing);
      EXPECT_EQ(sink->finishes, 1);
    }
  }
}

}  // namespace
}  // namespace meander::service
