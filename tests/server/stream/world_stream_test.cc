#include "server/stream/world_stream.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/stream/recording_sink.h"

namespace meander::stream {
namespace {

using core::ErrorCode;
using Writes = RecordingSink::Writes;
using Events = std::vector<core::Event>;

// Those of agents `first` to `last` at a tick.
Events EventsAt(std::int64_t tick, core::AgentId first, core::AgentId last) {
  Events events;
  for (core::AgentId id = first; id <= last; ++id) {
    events.push_back({.tick = tick, .agent_id = id});
  }
  return events;
}

Events operator+(Events first, const Events& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A stream with nobody's thread: the test delivers when it likes.
class WorldStreamTest : public testing::Test {
 protected:
  explicit WorldStreamTest(std::size_t parts = 1)
      : stream_(std::make_shared<WorldStream>(
            broadcaster_,
            [parts](const View&, const PublishedState& state) {
              return EncodedFrame{state.tick,
                                  std::vector<std::string>(parts, "part")};
            },
            StreamLimits{.max_subscribers = 3,
                         .max_kept_events = 10,
                         .max_frame_events = 4},
            [this] { ++looks_; })) {}

  ~WorldStreamTest() override {
    stream_->Close({ErrorCode::kDraining, "", "the test is over"});
  }

  void Publish(std::int64_t tick, const Events& events = {}) {
    std::optional<DraftState> draft = pool_.Acquire();
    ASSERT_TRUE(draft);
    (*draft)->tick = tick;
    (void)stream_->Publish(std::move(*draft).Seal(), events);
    stream_->QueueDelivery();
  }

  void PublishAndDeliver(std::int64_t tick, const Events& events = {}) {
    Publish(tick, events);
    stream_->Deliver();
  }

  // Lives until the stream is closed.
  RecordingSink& NewSink(const View& view = {},
                         Writes writes = Writes::kStall) {
    return sinks_.emplace_back(view, writes);
  }
  // One that asks for events, and has its first frame already.
  RecordingSink& NewEventSink(std::int32_t interval_ticks = 1,
                              Writes writes = Writes::kEndAtOnce) {
    RecordingSink& sink = NewSink({interval_ticks, /*events=*/true}, writes);
    stream_->Subscribe(sink.subscription());
    stream_->Deliver();
    return sink;
  }

  std::deque<RecordingSink> sinks_;
  PublishedStatePool pool_{4};
  Broadcaster broadcaster_{0};
  int looks_ = 0;
  std::shared_ptr<WorldStream> stream_;
};

TEST_F(WorldStreamTest, TheFirstFrameIsTheCurrentStateWhateverItsTick) {
  Publish(13);
  RecordingSink& sink = NewSink(View{.interval_ticks = 10});
  stream_->Subscribe(sink.subscription());
  stream_->Deliver();
  EXPECT_EQ(sink.written(), (std::vector<Written>{{13, 0, 0}}));
  EXPECT_EQ(looks_, 0);
}

TEST_F(WorldStreamTest, AsksForAStateWhenTheNewestTickIsNotPublished) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  EXPECT_EQ(looks_, 1);
  EXPECT_TRUE(stream_->AwaitsFirstFrame());
  PublishAndDeliver(0);
  EXPECT_EQ(sink.written(), (std::vector<Written>{{0, 0, 0}}));
  EXPECT_FALSE(stream_->AwaitsFirstFrame());
}

TEST_F(WorldStreamTest, TheFirstFrameIsNeverAStaleState) {
  RecordingSink& other =
      NewSink();  // keeps the state of tick 10 from being dropped
  stream_->Subscribe(other.subscription());
  PublishAndDeliver(10);
  (void)stream_->MarkStale(false);
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  EXPECT_EQ(looks_, 2);
  stream_->Deliver();
  EXPECT_TRUE(sink.written().empty());
  PublishAndDeliver(11);
  EXPECT_EQ(sink.written(), (std::vector<Written>{{11, 0, 0}}));
}

TEST_F(WorldStreamTest, WantsStatesOfEveryTickForWhoIsIdleAlone) {
  RecordingSink& slow = NewSink();
  stream_->Subscribe(slow.subscription());
  PublishAndDeliver(1);
  EXPECT_FALSE(stream_->Wants(2)) << "its only reader is busy";
  slow.EndWrite();
  EXPECT_TRUE(stream_->Wants(2));
  PublishAndDeliver(2);
  EXPECT_FALSE(stream_->Wants(3));
  RecordingSink& fast = NewSink({}, Writes::kEndAtOnce);
  stream_->Subscribe(fast.subscription());
  stream_->Deliver();
  EXPECT_TRUE(stream_->Wants(3)) << "for the one that is done";
}

// Else it would have to wait for the next of its ticks, which may be far.
TEST_F(WorldStreamTest, WantsATickOfALongerIntervalForWhoIsBusyToo) {
  RecordingSink& third = NewSink(View{.interval_ticks = 3});
  stream_->Subscribe(third.subscription());
  PublishAndDeliver(1);
  EXPECT_FALSE(stream_->Wants(2));
  EXPECT_TRUE(stream_->Wants(3));
}

TEST_F(WorldStreamTest, TheFirstToBeDoneAsksForTheTickThatNobodyCouldTake) {
  RecordingSink& first = NewSink();
  RecordingSink& second = NewSink();
  stream_->Subscribe(first.subscription());
  stream_->Subscribe(second.subscription());
  PublishAndDeliver(1);
  const int looks = looks_;
  (void)stream_->MarkStale(false);  // ticks 2 to 4
  (void)stream_->MarkStale(false);
  (void)stream_->MarkStale(false);
  EXPECT_EQ(looks_, looks);
  first.EndWrite();
  EXPECT_EQ(looks_, looks + 1);
  PublishAndDeliver(4);
  second.EndWrite();
  EXPECT_EQ(looks_, looks + 1) << "it is there for the second";
  EXPECT_EQ(first.written(), (std::vector<Written>{{1, 0, 0}, {4, 0, 2}}));
  EXPECT_EQ(second.written(), first.written());
}

// Not the one before, which was published for another reader.
TEST_F(WorldStreamTest, WhoIsDoneIsNeverGivenAnOlderTickThanTheNewest) {
  RecordingSink& slow = NewSink();
  RecordingSink& slower = NewSink();
  stream_->Subscribe(slow.subscription());
  stream_->Subscribe(slower.subscription());
  PublishAndDeliver(1);
  slow.EndWrite();
  PublishAndDeliver(2);  // for the one that is done
  (void)stream_->MarkStale(false);
  slower.EndWrite();
  stream_->Deliver();
  EXPECT_EQ(slower.written(), (std::vector<Written>{{1, 0, 0}}));
  PublishAndDeliver(3);
  EXPECT_EQ(slower.written(), (std::vector<Written>{{1, 0, 0}, {3, 0, 1}}));
}

TEST_F(WorldStreamTest, AnIdleReaderGetsEachTickOfItsView) {
  RecordingSink& every = NewSink({}, Writes::kEndAtOnce);
  RecordingSink& third = NewSink(View{.interval_ticks = 3}, Writes::kEndAtOnce);
  stream_->Subscribe(every.subscription());
  stream_->Subscribe(third.subscription());
  for (std::int64_t tick = 1; tick <= 7; ++tick) PublishAndDeliver(tick);
  std::vector<Written> all;
  for (std::int64_t tick = 1; tick <= 7; ++tick) all.push_back({tick, 0, 0});
  EXPECT_EQ(every.written(), all);
  EXPECT_EQ(third.written(),
            (std::vector<Written>{{1, 0, 0}, {3, 0, 0}, {6, 0, 0}}));
}

TEST_F(WorldStreamTest, AStalledReaderGetsTheNewestAndIsToldWhatItSkipped) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  for (std::int64_t tick = 1; tick <= 9; ++tick) PublishAndDeliver(tick);
  EXPECT_EQ(sink.written(), (std::vector<Written>{{1, 0, 0}}));
  sink.EndWrite();
  EXPECT_EQ(sink.written(), (std::vector<Written>{{1, 0, 0}, {9, 0, 7}}));
  sink.EndWrite();
  PublishAndDeliver(10);
  EXPECT_EQ(sink.written().back(), (Written{10, 0, 0}));
}

TEST_F(WorldStreamTest, SkippedCountsTicksOfTheViewOnly) {
  RecordingSink& sink = NewSink(View{.interval_ticks = 10});
  Publish(5);
  stream_->Subscribe(sink.subscription());
  stream_->Deliver();
  for (std::int64_t tick = 6; tick <= 42; ++tick) PublishAndDeliver(tick);
  sink.EndWrite();
  EXPECT_EQ(sink.written().size(), 1u) << "42 is not of the view";
  for (std::int64_t tick = 43; tick <= 50; ++tick) PublishAndDeliver(tick);
  EXPECT_EQ(sink.written(), (std::vector<Written>{{5, 0, 0}, {50, 0, 4}}));
}

TEST_F(WorldStreamTest, AReaderThatGetsReadyLateStillGetsAFrameOfItsView) {
  RecordingSink& sink = NewSink(View{.interval_ticks = 10});
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(1);
  Publish(10);
  (void)stream_->MarkStale(false);  // 11 is of nobody's view
  sink.EndWrite();
  EXPECT_EQ(sink.written(), (std::vector<Written>{{1, 0, 0}, {10, 0, 0}}));
}

TEST_F(WorldStreamTest, TheSameTickIsNotSentTwice) {
  RecordingSink& sink = NewSink({}, Writes::kEndAtOnce);
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(4);
  PublishAndDeliver(4);  // for a reader that wanted more of it
  EXPECT_EQ(sink.written().size(), 1u);
  EXPECT_EQ(stream_->encodings(), 1);
}

TEST_F(WorldStreamTest, WantsOnlyTicksThatSomebodyWouldSee) {
  EXPECT_FALSE(stream_->Wants(10));
  RecordingSink& sink = NewSink(View{.interval_ticks = 10}, Writes::kEndAtOnce);
  stream_->Subscribe(sink.subscription());
  EXPECT_TRUE(stream_->Wants(11)) << "it waits for its first frame";
  PublishAndDeliver(11);
  EXPECT_FALSE(stream_->Wants(12));
  EXPECT_TRUE(stream_->Wants(20));
  sink.subscription()->End(std::nullopt);
  EXPECT_FALSE(stream_->Wants(20));
}

TEST_F(WorldStreamTest, SubscribersThatLeaveBeforeTheirFirstFrameAreForgotten) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  EXPECT_TRUE(stream_->AwaitsFirstFrame());
  sink.subscription()->End(std::nullopt);
  EXPECT_FALSE(stream_->AwaitsFirstFrame());
  EXPECT_EQ(stream_->subscribers(), 0u);
}

TEST_F(WorldStreamTest, CurrentIsTheNewestTickOrNothing) {
  EXPECT_FALSE(stream_->Current());
  Publish(3);
  EXPECT_EQ(stream_->Current()->tick, 3);
  (void)stream_->MarkStale(false);
  EXPECT_FALSE(stream_->Current());
  EXPECT_FALSE(stream_->IsCurrent());
}

TEST_F(WorldStreamTest, AStaleStateThatNobodyWatchesIsDropped) {
  Publish(3);
  EXPECT_EQ(pool_.free_buffers(), 3u);
  (void)stream_->MarkStale(false);
  EXPECT_EQ(pool_.free_buffers(), 4u);
}

TEST_F(WorldStreamTest, AStaleStateGoesWhenItsBufferIsNeeded) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(3);
  (void)stream_->MarkStale(false);
  EXPECT_EQ(pool_.free_buffers(), 3u);
  (void)stream_->MarkStale(true);
  EXPECT_EQ(pool_.free_buffers(), 4u);
}

TEST_F(WorldStreamTest, OneSubscriberTooManyEndsWithTheLimit) {
  RecordingSink& first = NewSink();
  stream_->Subscribe(first.subscription());
  for (int i = 0; i < 2; ++i) stream_->Subscribe(NewSink().subscription());
  EXPECT_EQ(stream_->subscribers(), 3u);
  RecordingSink& fourth = NewSink();
  stream_->Subscribe(fourth.subscription());
  EXPECT_EQ(stream_->subscribers(), 3u);
  ASSERT_EQ(fourth.finishes(), 1);
  EXPECT_EQ(fourth.error()->code, ErrorCode::kQuotaExceeded);
  EXPECT_NE(fourth.error()->reason.find('3'), std::string::npos);
  first.subscription()->End(std::nullopt);
  RecordingSink& next = NewSink();
  stream_->Subscribe(next.subscription());
  EXPECT_EQ(next.finishes(), 0) << "the slot was freed";
}

TEST_F(WorldStreamTest, CloseEndsThoseWhoAreThereAndThoseWhoCome) {
  RecordingSink& idle = NewSink();
  RecordingSink& writing = NewSink();
  stream_->Subscribe(writing.subscription());
  PublishAndDeliver(1);
  (void)stream_->MarkStale(false);
  stream_->Subscribe(idle.subscription());
  stream_->Close({ErrorCode::kWorldNotFound, "", "deleted"});
  EXPECT_EQ(idle.error()->code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(writing.finishes(), 0) << "a write is in flight";
  writing.EndWrite();
  EXPECT_EQ(writing.error()->code, ErrorCode::kWorldNotFound);
  RecordingSink& late = NewSink();
  stream_->Subscribe(late.subscription());
  EXPECT_EQ(late.error()->code, ErrorCode::kWorldNotFound);
  EXPECT_EQ(pool_.free_buffers(), 4u);
}

TEST_F(WorldStreamTest, ASubscriptionThatEndedBeforeItCameIsNotTaken) {
  RecordingSink& sink = NewSink();
  sink.subscription()->End(std::nullopt);
  EXPECT_EQ(sink.finishes(), 1);
  stream_->Subscribe(sink.subscription());
  EXPECT_EQ(stream_->subscribers(), 0u);
  EXPECT_EQ(sink.finishes(), 1);
}

TEST_F(WorldStreamTest, TheFrameOfAViewGoesWithItsLastSubscriber) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(1);
  const std::weak_ptr<const EncodedFrame> frame = sink.frame();
  sink.EndWrite();
  EXPECT_FALSE(frame.expired());
  sink.subscription()->End(std::nullopt);
  EXPECT_TRUE(frame.expired());
}

TEST_F(WorldStreamTest, EachFrameTellsTheEventsAfterTheOneBefore) {
  Publish(7, EventsAt(7, 1, 2));  // before anybody asks
  RecordingSink& sink = NewEventSink();
  PublishAndDeliver(8, EventsAt(8, 3, 3));
  PublishAndDeliver(9);
  PublishAndDeliver(10, EventsAt(10, 1, 2));
  EXPECT_EQ(sink.written(),
            (std::vector<Written>{{7, 0, 0},
                                  {8, 0, 0, {EventsAt(8, 3, 3)}},
                                  {9, 0, 0},
                                  {10, 0, 0, {EventsAt(10, 1, 2)}}}));
}

TEST_F(WorldStreamTest, WhoDoesNotAskIsToldNoEvents) {
  Publish(0);
  RecordingSink& asking = NewEventSink();
  RecordingSink& sink = NewSink({}, Writes::kEndAtOnce);
  stream_->Subscribe(sink.subscription());
  stream_->Deliver();
  PublishAndDeliver(1, EventsAt(1, 1, 2));
  EXPECT_EQ(asking.written().back(), (Written{1, 0, 0, {EventsAt(1, 1, 2)}}));
  EXPECT_EQ(sink.written().back(), (Written{1, 0, 0}));
}

// The first frame of a watcher may be of a tick that is no longer the newest
// when it is written.
TEST_F(WorldStreamTest, EventsAreToldFromTheTickAfterTheFirstFrameOn) {
  Publish(5, EventsAt(5, 1, 1));
  RecordingSink& sink = NewSink(View{.events = true});
  stream_->Subscribe(sink.subscription());
  stream_->Deliver();
  ASSERT_EQ(sink.written(), (std::vector<Written>{{5, 0, 0}}));
  (void)stream_->MarkStale(false, EventsAt(6, 2, 2));
  Publish(7, EventsAt(7, 3, 3));
  sink.EndWrite();
  EXPECT_EQ(sink.written().back(),
            (Written{7, 0, 1, {EventsAt(6, 2, 2) + EventsAt(7, 3, 3)}}));
}

TEST_F(WorldStreamTest, IntervalsLoseNoEvents) {
  Publish(0);
  RecordingSink& fifth = NewEventSink(5);
  RecordingSink& second = NewEventSink(2);
  for (std::int64_t tick = 1; tick <= 10; ++tick) {
    const Events events = tick % 3 == 0 ? EventsAt(tick, tick, tick) : Events{};
    if (tick % 2 == 0 || tick % 5 == 0) {
      PublishAndDeliver(tick, events);
    } else {
      (void)stream_->MarkStale(false, events);
    }
  }
  EXPECT_EQ(fifth.written(),
            (std::vector<Written>{
                {0, 0, 0},
                {5, 0, 0, {EventsAt(3, 3, 3)}},
                {10, 0, 0, {EventsAt(6, 6, 6) + EventsAt(9, 9, 9)}}}));
  EXPECT_EQ(second.written(),
            (std::vector<Written>{{0, 0, 0},
                                  {2, 0, 0},
                                  {4, 0, 0, {EventsAt(3, 3, 3)}},
                                  {6, 0, 0, {EventsAt(6, 6, 6)}},
                                  {8, 0, 0},
                                  {10, 0, 0, {EventsAt(9, 9, 9)}}}));
}

TEST_F(WorldStreamTest, SkippedFramesLoseNoEvents) {
  Publish(0);
  RecordingSink& slow = NewEventSink(1, Writes::kStall);
  RecordingSink& quick = NewEventSink();
  for (std::int64_t tick = 1; tick <= 3; ++tick) {
    PublishAndDeliver(tick, EventsAt(tick, tick, tick));
    EXPECT_EQ(quick.written().back(),
              (Written{tick, 0, 0, {EventsAt(tick, tick, tick)}}));
  }
  slow.EndWrite();
  EXPECT_EQ(
      slow.written().back(),
      (Written{3,
               0,
               2,
               {EventsAt(1, 1, 1) + EventsAt(2, 2, 2) + EventsAt(3, 3, 3)}}));
}

TEST_F(WorldStreamTest, WhatDoesNotFitIntoAFrameComesWithTheNext) {
  Publish(0);
  RecordingSink& sink = NewEventSink();
  PublishAndDeliver(1, EventsAt(1, 1, 9));
  PublishAndDeliver(2, EventsAt(2, 1, 1));
  PublishAndDeliver(3);
  PublishAndDeliver(4);
  EXPECT_EQ(
      sink.written(),
      (std::vector<Written>{{0, 0, 0},
                            {1, 0, 0, {EventsAt(1, 1, 4), 0, 5}},
                            {2, 0, 0, {EventsAt(1, 5, 8), 0, 2}},
                            {3, 0, 0, {EventsAt(1, 9, 9) + EventsAt(2, 1, 1)}},
                            {4, 0, 0}}));
}

TEST_F(WorldStreamTest, WhatTheHistoryDropsIsCounted) {
  Publish(0);
  RecordingSink& slow = NewEventSink(1, Writes::kStall);
  PublishAndDeliver(1, EventsAt(1, 1, 7));
  PublishAndDeliver(2, EventsAt(2, 1, 6));  // 13 where 10 are kept
  slow.EndWrite();
  EXPECT_EQ(slow.written().back(),
            (Written{2, 0, 1, {EventsAt(1, 4, 7), 3, 6}}));
  PublishAndDeliver(3, EventsAt(3, 1, 8));  // four of tick 2 are dropped
  slow.EndWrite();
  EXPECT_EQ(slow.written().back(),
            (Written{3, 0, 0, {EventsAt(2, 5, 6) + EventsAt(3, 1, 2), 4, 6}}));
}

TEST_F(WorldStreamTest, AStateThatIsShownTwiceTellsItsEventsOnce) {
  Publish(0);
  RecordingSink& sink = NewEventSink();
  Publish(1, EventsAt(1, 1, 1));
  PublishAndDeliver(1);  // for a reader that wanted more of it
  PublishAndDeliver(2, EventsAt(2, 2, 2));
  EXPECT_EQ(sink.written(),
            (std::vector<Written>{{0, 0, 0},
                                  {1, 0, 0, {EventsAt(1, 1, 1)}},
                                  {2, 0, 0, {EventsAt(2, 2, 2)}}}));
}

TEST_F(WorldStreamTest, EventsGoWithTheLastWhoAsks) {
  Publish(0);
  RecordingSink& first = NewEventSink(1, Writes::kStall);
  RecordingSink& second = NewEventSink();
  PublishAndDeliver(1, EventsAt(1, 1, 2));
  second.subscription()->End(std::nullopt);
  first.EndWrite();  // still told
  EXPECT_EQ(first.written().back(), (Written{1, 0, 0, {EventsAt(1, 1, 2)}}));
  first.EndWrite();
  first.subscription()->End(std::nullopt);
  PublishAndDeliver(2, EventsAt(2, 1, 2));
  RecordingSink& third = NewEventSink();
  PublishAndDeliver(3, EventsAt(3, 3, 3));
  EXPECT_EQ(third.written(),
            (std::vector<Written>{{2, 0, 0}, {3, 0, 0, {EventsAt(3, 3, 3)}}}));
}

class WorldStreamPartsTest : public WorldStreamTest {
 protected:
  WorldStreamPartsTest() : WorldStreamTest(3) {}
};

TEST_F(WorldStreamPartsTest, NothingComesBetweenThePartsOfAFrame) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(1);
  sink.EndWrite();
  PublishAndDeliver(2);
  PublishAndDeliver(3);
  sink.EndWrite();
  sink.EndWrite();
  sink.EndWrite();
  PublishAndDeliver(4);
  EXPECT_EQ(sink.written(),
            (std::vector<Written>{
                {1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {3, 0, 1}, {3, 1, 0}}));
}

TEST_F(WorldStreamPartsTest, TheFirstPartAloneTellsEvents) {
  Publish(0);
  RecordingSink& sink = NewEventSink();
  PublishAndDeliver(1, EventsAt(1, 1, 2));
  const std::vector<Written> written = sink.written();
  EXPECT_EQ((std::vector<Written>(written.begin() + 3, written.end())),
            (std::vector<Written>{
                {1, 0, 0, {EventsAt(1, 1, 2)}}, {1, 1, 0}, {1, 2, 0}}));
}

TEST_F(WorldStreamPartsTest, SinksMayEndEachWriteWithinTheCall) {
  RecordingSink& sink = NewSink({}, Writes::kEndAtOnce);
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(1);
  PublishAndDeliver(2);
  EXPECT_EQ(
      sink.written(),
      (std::vector<Written>{
          {1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}}));
}

TEST_F(WorldStreamPartsTest, AnEndBetweenPartsWaitsForTheWriteAndNoLonger) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(1);
  sink.subscription()->End(core::Error{ErrorCode::kDraining, "", ""});
  sink.subscription()->End(std::nullopt);
  EXPECT_EQ(sink.finishes(), 0);
  sink.EndWrite();
  EXPECT_EQ(sink.finishes(), 1);
  EXPECT_EQ(sink.written().size(), 1u);
  EXPECT_EQ(sink.error()->code, ErrorCode::kDraining) << "the first end counts";
}

TEST_F(WorldStreamPartsTest, AFailedWriteEndsTheSubscriptionWithoutAnError) {
  RecordingSink& sink = NewSink();
  stream_->Subscribe(sink.subscription());
  PublishAndDeliver(1);
  sink.EndWrite(false);
  EXPECT_EQ(sink.finishes(), 1);
  EXPECT_FALSE(sink.error());
  EXPECT_EQ(stream_->subscribers(), 0u);
}

}  // namespace
}  // namespace meander::stream
