// One reader of one world: at most one write in flight, the newest tick next.
//
//   idle -> claimed -> writing (part by part) -> idle ... -> finished
//
// Invariants: the sink has at most one write in flight; the parts of a frame
// are written one after the other and nothing comes between them; Finish is
// called exactly once, when no write is in flight, and is the last call. A
// reader that is busy when a tick comes skips it; the next frame counts what
// was skipped. Thread-safe. Sinks are called with no lock held, never by two
// threads at once, and may call back from within the call.
#ifndef MEANDER_SERVER_STREAM_SUBSCRIPTION_H_
#define MEANDER_SERVER_STREAM_SUBSCRIPTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "core/error.h"
#include "server/stream/event_history.h"
#include "server/stream/frame_cache.h"
#include "server/stream/view.h"

namespace meander::stream {

// What one reader is told with a frame, beside the bytes that all share.
struct OwnFields {
  // Frames of the view that were left out before this one.
  std::int64_t skipped = 0;
  // Where the view has them.
  FrameEvents events;
};

// Where frames go: a call of some transport. Neither method may block.
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  // Starts to write frame->parts[part]; Subscription::WriteDone must follow,
  // from any thread. `own` is empty in all parts but the first.
  virtual void Write(std::shared_ptr<const EncodedFrame> frame,
                     std::size_t part, const OwnFields& own) = 0;

  // Ends the stream, with an error or without. The last call: the sink may be
  // gone before it returns.
  virtual void Finish(std::optional<core::Error> error) = 0;
};

class WorldStream;

// Made by the one that owns the sink, then handed to WorldHost::Subscribe.
class Subscription : public std::enable_shared_from_this<Subscription> {
 public:
  // `sink` must live until its Finish is called. A subscription that is never
  // ended nor handed on never calls it.
  Subscription(const View& view, FrameSink& sink) : view_(view), sink_(sink) {}
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  const View& view() const { return view_; }
  // Whether a frame is on its way, so that the next has to wait; as of now.
  bool busy() const { return busy_; }

  // The write in flight has ended. Not `ok`: the reader is gone, and the
  // subscription ends without an error.
  void WriteDone(bool ok);

  // Ends the subscription, whatever it is doing; the first end counts. Legal
  // before it was handed to a world, too.
  void End(std::optional<core::Error> error);

 private:
  friend class WorldStream;

  enum class State { kIdle, kClaimed, kWriting, kFinished };
  enum class Claim { kRefused, kFirst, kNext };
  using Lock = std::unique_lock<std::mutex>;

  // For WorldStream. A stream attaches itself, claims the subscription for a
  // tick, and then either writes the frame or lets the claim go.
  bool Attach(const std::shared_ptr<WorldStream>& stream);
  Claim TryClaim(std::int64_t tick, bool current);
  void WriteClaimed(std::shared_ptr<const EncodedFrame> frame,
                    FrameEvents events);
  void ReleaseClaim();

  bool Wants(std::int64_t tick, bool current);
  bool WantsLocked(std::int64_t tick, bool current) const;

  void WriteParts(Lock lock);
  bool GoOn(Lock& lock);
  void Finish(Lock lock);

  const View view_;
  FrameSink& sink_;

  std::atomic<bool> busy_ = false;  // changes under mutex_

  // The number of the next event to tell; of who holds the claim.
  std::int64_t next_event_ = 0;

  std::mutex mutex_;  // guards all below
  State state_ = State::kIdle;
  std::weak_ptr<WorldStream> stream_;
  std::shared_ptr<const EncodedFrame> frame_;  // kWriting
  std::size_t part_ = 0;                       // kWriting: in flight
  OwnFields own_;                              // kWriting: not written yet
  bool in_call_ = false;                       // a thread is inside sink_.Write
  bool write_done_ = false;                // and the write has ended meanwhile
  std::optional<std::int64_t> last_tick_;  // claimed or written last
  bool ended_ = false;
  std::optional<core::Error> end_error_;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_SUBSCRIPTION_H_
