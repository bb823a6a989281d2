// One world as its subscribers see it: the newest published state, who wants
// it, and the frames made of it.
//
// Publish and QueueDelivery, from the thread that ticks, swap a pointer and
// queue the stream; the broadcaster's threads deliver. A subscriber that is
// idle gets the newest state that its view selects, the first time whichever
// tick is the world's newest; one that is busy gets what is newest when its
// write ends. States of every tick are made only for whoever is idle: while
// all of those are busy none is, and the first to be done asks for the newest:
// the tick that the world is at, or the next one while that is being made.
// No state is kept for anybody but the newest; of events the last
// few, while somebody asks for them. Thread-safe.
#ifndef MEANDER_SERVER_STREAM_WORLD_STREAM_H_
#define MEANDER_SERVER_STREAM_WORLD_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/event.h"
#include "server/stream/broadcaster.h"
#include "server/stream/event_history.h"
#include "server/stream/frame_cache.h"
#include "server/stream/published_state.h"
#include "server/stream/subscription.h"
#include "server/stream/view.h"

namespace meander::stream {

struct StreamLimits {
  std::size_t max_subscribers = 1'000;
  std::size_t max_kept_events = 65'536;  // for readers who are behind
  std::size_t max_frame_events = 4'096;  // told with one frame
};

class WorldStream final : public Delivery,
                          public std::enable_shared_from_this<WorldStream> {
 public:
  // `on_look` is called, with no lock held, when a subscriber waits for the
  // newest tick, which is not published: for a first frame, or for its next.
  // `broadcaster` must outlive every call of QueueDelivery, Subscribe and
  // Subscription::WriteDone.
  WorldStream(Broadcaster& broadcaster, FrameEncoder encode,
              const StreamLimits& limits, std::function<void()> on_look);

  // Whether publishing `tick` would show it to some subscriber, now or, where
  // not every tick is for it, when it is done with an older one.
  bool Wants(std::int64_t tick) const;
  // Whether some subscriber waits for its first frame.
  bool AwaitsFirstFrame() const;

  // The state of the world's newest tick, and what happened in it; no events
  // when it is shown for the second time. Returns the state that it replaces,
  // for the caller to drop where a pool's on_free may be called. QueueDelivery
  // must follow.
  [[nodiscard]] PublishedStateRef Publish(
      PublishedStateRef state, std::span<const core::Event> events = {});
  // Has the newest state delivered to whoever is subscribed. Apart from
  // Publish so that the caller can let its locks go, for which the thread that
  // is woken up here would have to wait.
  void QueueDelivery();
  // The world has stepped, with these events, and its newest tick is not
  // published. Keeps the state before for subscribers that are not done yet,
  // unless its buffer is needed. Returns what is not kept, as above.
  [[nodiscard]] PublishedStateRef MarkStale(
      bool buffer_needed, std::span<const core::Event> events = {});
  // The state of the world's newest tick; empty when it is not published.
  PublishedStateRef Current() const;
  bool IsCurrent() const;

  // Takes the subscription, or ends it with the reason why not: the stream is
  // closed, or it has max_subscribers (kQuotaExceeded).
  void Subscribe(const std::shared_ptr<Subscription>& subscription);

  // Ends all subscriptions, those to come too, and drops the state.
  void Close(const core::Error& error);

  void Deliver() override;

  std::size_t subscribers() const;
  std::int64_t encodings() const { return cache_.encodings(); }

 private:
  friend class Subscription;
  using Subscriptions = std::vector<std::shared_ptr<Subscription>>;

  struct Newest {
    PublishedStateRef state;
    bool current = false;         // it is the world's newest tick
    std::int64_t events_end = 0;  // in events_, after those of its tick
  };

  // For Subscription: it is idle again (Later: by way of the broadcaster, and
  // only when there is something for it), or has ended.
  void OfferNewest(Subscription& subscription);
  void OfferLater(Subscription& subscription);
  void Remove(const Subscription& subscription, bool saw_a_frame);

  std::optional<core::Error> Add(
      const std::shared_ptr<Subscription>& subscription);

  void AddEventsLocked(std::span<const core::Event> events);
  // What a frame of a state tells a subscription that is claimed for it.
  FrameEvents TakeEvents(Subscription& subscription, bool first,
                         std::int64_t events_end);

  bool AskedFor(const Subscription& subscription, const Newest& newest);
  bool Offer(Subscription& subscription, const Newest& newest);
  Newest TakeNewest() const;

  Broadcaster& broadcaster_;
  FrameCache cache_;
  const StreamLimits limits_;
  const std::function<void()> on_look_;

  mutable std::mutex mutex_;  // guards all below
  Newest newest_;
  // Replaced, never changed, so that a delivery can go through it unlocked.
  std::shared_ptr<const Subscriptions> subscriptions_;
  std::map<View, std::size_t> views_;  // how many subscriptions have each
  std::size_t awaiting_first_ = 0;
  std::size_t event_readers_ = 0;  // subscriptions whose view has events
  EventHistory events_;            // empty while there are none
  std::optional<core::Error> closed_;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_WORLD_STREAM_H_
