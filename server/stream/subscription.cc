#include "server/stream/subscription.h"

#include <utility>

#include "server/stream/world_stream.h"

namespace meander::stream {

void Subscription::WriteDone(bool ok) {
  const std::shared_ptr<Subscription> self = shared_from_this();
  Lock lock(mutex_);
  MEANDER_CHECK(state_ == State::kWriting && !write_done_);
  if (!ok) ended_ = true;
  write_done_ = true;
  if (in_call_) return;  // the thread inside sink_.Write goes on
  if (!GoOn(lock)) return;
  if (state_ == State::kWriting) {
    WriteParts(std::move(lock));
    return;
  }
  const std::shared_ptr<WorldStream> stream = stream_.lock();
  lock.unlock();
  if (stream != nullptr) stream->OfferNewest(*this);
}

void Subscription::End(std::optional<core::Error> error) {
  const std::shared_ptr<Subscription> self = shared_from_this();
  Lock lock(mutex_);
  if (ended_) return;
  ended_ = true;
  end_error_ = std::move(error);
  if (state_ == State::kIdle) Finish(std::move(lock));
}

bool Subscription::Attach(const std::shared_ptr<WorldStream>& stream) {
  const Lock lock(mutex_);
  if (ended_) return false;
  stream_ = stream;
  return true;
}

Subscription::Claim Subscription::TryClaim(std::int64_t tick, bool current) {
  const Lock lock(mutex_);
  if (!WantsLocked(tick, current)) return Claim::kRefused;
  state_ = State::kClaimed;
  busy_ = true;
  return last_tick_ ? Claim::kNext : Claim::kFirst;
}

bool Subscription::Wants(std::int64_t tick, bool current) {
  const Lock lock(mutex_);
  return WantsLocked(tick, current);
}

bool Subscription::WantsLocked(std::int64_t tick, bool current) const {
  if (state_ != State::kIdle) return false;
  // One that every tick is for is not given an older one, but asks.
  if (!last_tick_ || view_.interval_ticks == 1) {
    return current && tick > last_tick_.value_or(-1);
  }
  return tick > *last_tick_ && view_.Selects(tick);
}

void Subscription::WriteClaimed(std::shared_ptr<const EncodedFrame> frame,
                                FrameEvents events) {
  Lock lock(mutex_);
  own_.skipped =
      last_tick_ ? view_.SelectedBetween(*last_tick_, frame->tick) : 0;
  own_.events = std::move(events);
  last_tick_ = frame->tick;
  if (ended_) {
    Finish(std::move(lock));
    return;
  }
  state_ = State::kWriting;
  frame_ = std::move(frame);
  part_ = 0;
  WriteParts(std::move(lock));
}

void Subscription::ReleaseClaim() {
  Lock lock(mutex_);
  state_ = State::kIdle;
  busy_ = false;
  if (ended_) Finish(std::move(lock));
}

// Writes parts for as long as their ends are reported before the calls return;
// later ends are WriteDone's to go on from.
void Subscription::WriteParts(Lock lock) {
  do {
    const std::shared_ptr<const EncodedFrame> frame = frame_;
    const std::size_t part = part_;
    const OwnFields own = std::exchange(own_, {});
    in_call_ = true;
    write_done_ = false;
    lock.unlock();
    sink_.Write(frame, part, own);
    lock.lock();
    in_call_ = false;
    if (!write_done_ || !GoOn(lock)) return;
  } while (state_ == State::kWriting);
  // The frame ended within the call. Not offered from here: a sink that is
  // always at once done would keep this thread from the other subscribers.
  const std::shared_ptr<WorldStream> stream = stream_.lock();
  lock.unlock();
  if (stream != nullptr) stream->OfferLater(*this);
}

// The write in flight has ended: the next part becomes due, or the
// subscription idle. False when it finished instead; the lock is then given up.
bool Subscription::GoOn(Lock& lock) {
  if (ended_) {
    Finish(std::move(lock));
    return false;
  }
  if (++part_ < frame_->parts.size()) return true;
  frame_.reset();
  state_ = State::kIdle;
  busy_ = false;
  return true;
}

void Subscription::Finish(Lock lock) {
  state_ = State::kFinished;
  frame_.reset();
  std::optional<core::Error> error = std::move(end_error_);
  const std::shared_ptr<WorldStream> stream = stream_.lock();
  const bool saw_a_frame = last_tick_.has_value();
  lock.unlock();
  if (stream != nullptr) stream->Remove(*this, saw_a_frame);
  sink_.Finish(std::move(error));
}

}  // namespace meander::stream
