// Reads the frames of a world into WatchStats, on a thread of its own.
//
// With --json each message is also printed, a line each. Stop may be called
// from any thread; Run once, Result after it.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FRAME_READER_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FRAME_READER_H_

#include <grpcpp/client_context.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "client_examples/meanderctl/session.h"
#include "client_examples/meanderctl/watch_stats.h"

namespace meander::ctl {

// When to end by itself; none of them: with the stream.
struct ReadLimits {
  bool events = false;                   // ask for them, of every kind
  std::optional<std::int32_t> interval;  // ticks from frame to frame
  std::optional<std::int64_t> count;     // frames
  std::optional<Microseconds> length;
  std::optional<std::int64_t> last_tick;
};

class FrameReader {
 public:
  // All of them outlive it.
  FrameReader(Session& session, const ReadLimits& limits, WatchStats& stats)
      : session_(session), limits_(limits), stats_(stats) {}

  // Ends the stream early.
  void Stop();
  // `world` as "worlds/meadow".
  void Run(const std::string& world);
  // How it ended, as an exit code: well when we ended it.
  int Result() const;

 private:
  bool IsLast(const v1::Frame& part, std::int64_t frames) const;

  Session& session_;
  const ReadLimits& limits_;
  WatchStats& stats_;
  grpc::ClientContext context_;
  grpc::Status status_;
  std::atomic<bool> stopped_ = false;
  bool broken_ = false;
};

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FRAME_READER_H_
