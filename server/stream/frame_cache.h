// Encodes each (view, tick) at most once; all subscribers of a view share the
// bytes.
//
// Keeps the newest frame of each view until the view is forgotten. Views have
// a lock each: those who ask for the same frame wait for the one that encodes
// it, others do not. Thread-safe.
#ifndef MEANDER_SERVER_STREAM_FRAME_CACHE_H_
#define MEANDER_SERVER_STREAM_FRAME_CACHE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/stream/published_state.h"
#include "server/stream/view.h"

namespace meander::stream {

// A frame as bytes, opaque to this room.
struct EncodedFrame {
  std::int64_t tick = 0;
  std::vector<std::string> parts;  // at least one; each is one message
};

// Makes the frame of a state as a view shows it. Called from several threads
// at once.
using FrameEncoder =
    std::function<EncodedFrame(const View&, const PublishedState&)>;

class FrameCache {
 public:
  explicit FrameCache(FrameEncoder encode) : encode_(std::move(encode)) {}

  // The frame of state.tick. Null when the view has gone on to a newer tick
  // meanwhile: newest wins.
  std::shared_ptr<const EncodedFrame> Get(const View& view,
                                          const PublishedState& state);

  // Frees the frame of a view that has no subscribers left.
  void Forget(const View& view);

  // Frames encoded since the beginning.
  std::int64_t encodings() const { return encodings_.load(); }

 private:
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const EncodedFrame> frame;  // newest; guarded by mutex
  };

  std::shared_ptr<Slot> FindOrMake(const View& view);

  const FrameEncoder encode_;
  std::atomic<std::int64_t> encodings_{0};
  std::mutex mutex_;  // guards slots_
  std::map<View, std::shared_ptr<Slot>> slots_;
};

}  // namespace meander::stream

#endif  // MEANDER_SERVER_STREAM_FRAME_CACHE_H_
