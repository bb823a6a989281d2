#include "server/stream/world_stream.h"

#include <algorithm>
#include <string>
#include <utility>

namespace meander::stream {

WorldStream::WorldStream(Broadcaster& broadcaster, FrameEncoder encode,
                         const StreamLimits& limits,
                         std::function<void()> on_look)
    : broadcaster_(broadcaster),
      cache_(std::move(encode)),
      limits_(limits),
      on_look_(std::move(on_look)),
      subscriptions_(std::make_shared<const Subscriptions>()),
      events_(limits.max_kept_events) {}

bool WorldStream::Wants(std::int64_t tick) const {
  const std::lock_guard lock(mutex_);
  if (awaiting_first_ > 0) return true;
  // In the order of their intervals.
  const auto every_tick = views_.lower_bound(View{.interval_ticks = 2});
  if (std::any_of(every_tick, views_.end(), [tick](const auto& view) {
        return view.first.Selects(tick);
      })) {
    return true;
  }
  return every_tick != views_.begin() &&
         std::any_of(subscriptions_->begin(), subscriptions_->end(),
                     [](const auto& subscription) {
                       return subscription->view().interval_ticks == 1 &&
                              !subscription->busy();
                     });
}

bool WorldStream::AwaitsFirstFrame() const {
  const std::lock_guard lock(mutex_);
  return awaiting_first_ > 0;
}

PublishedStateRef WorldStream::Publish(PublishedStateRef state,
                                       std::span<const core::Event> events) {
  const std::lock_guard lock(mutex_);
  if (closed_) return state;
  AddEventsLocked(events);
  PublishedStateRef replaced = std::exchange(newest_.state, std::move(state));
  newest_.current = true;
  newest_.events_end = events_.end();
  return replaced;
}

void WorldStream::QueueDelivery() {
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || subscriptions_->empty()) return;
  }
  broadcaster_.Queue(shared_from_this());
}

PublishedStateRef WorldStream::MarkStale(bool buffer_needed,
                                         std::span<const core::Event> events) {
  const std::lock_guard lock(mutex_);
  newest_.current = false;
  if (closed_) return std::exchange(newest_.state, {});
  AddEventsLocked(events);
  if (!buffer_needed && !subscriptions_->empty()) return {};
  return std::exchange(newest_.state, {});
}

void WorldStream::AddEventsLocked(std::span<const core::Event> events) {
  if (event_readers_ > 0) events_.Add(events);
}

PublishedStateRef WorldStream::Current() const {
  const std::lock_guard lock(mutex_);
  return newest_.current ? newest_.state : PublishedStateRef();
}

bool WorldStream::IsCurrent() const {
  const std::lock_guard lock(mutex_);
  return newest_.current;
}

void WorldStream::Subscribe(const std::shared_ptr<Subscription>& subscription) {
  std::optional<core::Error> refusal;
  bool published = false;
  {
    const std::lock_guard lock(mutex_);
    refusal = Add(subscription);
    published = newest_.current;
  }
  if (refusal) {
    subscription->End(std::move(refusal));
  } else if (published) {
    broadcaster_.Queue(shared_from_this());
  } else {
    on_look_();
  }
}

std::optional<core::Error> WorldStream::Add(
    const std::shared_ptr<Subscription>& subscription) {
  if (closed_) return closed_;
  if (subscriptions_->size() >= limits_.max_subscribers) {
    return core::Error{core::ErrorCode::kQuotaExceeded, "",
                       "the world has " +
                           std::to_string(limits_.max_subscribers) +
                           " watchers, which is its limit"};
  }
  if (!subscription->Attach(shared_from_this())) return std::nullopt;
  auto more = std::make_shared<Subscriptions>(*subscriptions_);
  more->push_back(subscription);
  subscriptions_ = std::move(more);
  ++views_[subscription->view()];
  ++awaiting_first_;
  if (subscription->view().events) ++event_readers_;
  return std::nullopt;
}

void WorldStream::Remove(const Subscription& subscription, bool saw_a_frame) {
  std::shared_ptr<const Subscriptions> replaced;  // outlives the lock
  const std::lock_guard lock(mutex_);
  auto fewer = std::make_shared<Subscriptions>(*subscriptions_);
  if (std::erase_if(*fewer, [&subscription](const auto& other) {
        return other.get() == &subscription;
      }) == 0) {
    return;  // it never was taken
  }
  replaced = std::exchange(subscriptions_, std::move(fewer));
  if (!saw_a_frame) --awaiting_first_;
  if (subscription.view().events && --event_readers_ == 0) events_.Clear();
  const auto view = views_.find(subscription.view());
  if (--view->second > 0) return;
  views_.erase(view);
  cache_.Forget(subscription.view());
}

void WorldStream::Close(const core::Error& error) {
  std::shared_ptr<const Subscriptions> ending;
  Newest newest;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = error;
    newest = std::exchange(newest_, {});
    ending = subscriptions_;
  }
  for (const auto& subscription : *ending) subscription->End(error);
}

void WorldStream::Deliver() {
  Newest newest;
  std::shared_ptr<const Subscriptions> subscriptions;
  {
    const std::lock_guard lock(mutex_);
    newest = newest_;
    subscriptions = subscriptions_;
  }
  if (!newest.state) return;
  for (const auto& subscription : *subscriptions) {
    if (!Offer(*subscription, newest)) OfferNewest(*subscription);
  }
}

void WorldStream::OfferNewest(Subscription& subscription) {
  for (;;) {
    const Newest newest = TakeNewest();
    if (AskedFor(subscription, newest)) return;
    if (!newest.state || Offer(subscription, newest)) return;
  }
}

void WorldStream::OfferLater(Subscription& subscription) {
  const Newest newest = TakeNewest();
  if (AskedFor(subscription, newest) || !newest.state) return;
  if (!subscription.Wants(newest.state->tick, newest.current)) return;
  broadcaster_.Queue(shared_from_this());
}

// Whether the newest tick has to be published first for a subscription that
// every tick is for: it was busy when the tick was taken.
bool WorldStream::AskedFor(const Subscription& subscription,
                           const Newest& newest) {
  if (newest.current || subscription.view().interval_ticks != 1) return false;
  on_look_();
  return true;
}

// False when the state is older than what the view already shows: take a
// newer one.
bool WorldStream::Offer(Subscription& subscription, const Newest& newest) {
  const PublishedState& state = *newest.state;
  const auto claim = subscription.TryClaim(state.tick, newest.current);
  if (claim == Subscription::Claim::kRefused) return true;
  std::shared_ptr<const EncodedFrame> frame =
      cache_.Get(subscription.view(), state);
  if (frame == nullptr) {
    subscription.ReleaseClaim();
    return false;
  }
  const bool first = claim == Subscription::Claim::kFirst;
  if (first) {
    const std::lock_guard lock(mutex_);
    --awaiting_first_;
  }
  FrameEvents events;
  if (subscription.view().events) {
    events = TakeEvents(subscription, first, newest.events_end);
  }
  subscription.WriteClaimed(std::move(frame), std::move(events));
  return true;
}

FrameEvents WorldStream::TakeEvents(Subscription& subscription, bool first,
                                    std::int64_t events_end) {
  const std::lock_guard lock(mutex_);
  if (first) subscription.next_event_ = events_end;
  FrameEvents told = events_.Read(subscription.next_event_, events_end,
                                  limits_.max_frame_events);
  subscription.next_event_ = events_end - told.left;
  return told;
}

WorldStream::Newest WorldStream::TakeNewest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

std::size_t WorldStream::subscribers() const {
  const std::lock_guard lock(mutex_);
  return subscriptions_->size();
}

}  // namespace meander::stream
