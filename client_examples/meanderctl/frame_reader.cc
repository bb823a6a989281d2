#include "client_examples/meanderctl/frame_reader.h"

#include <chrono>
#include <cstdio>

namespace meander::ctl {

void FrameReader::Stop() {
  stopped_ = true;
  context_.TryCancel();
}

void FrameReader::Run(const std::string& world) {
  if (limits_.length) {
    context_.set_deadline(std::chrono::system_clock::now() + *limits_.length);
  }
  v1::WatchWorldRequest request;
  request.set_world(world);
  request.set_interval_ticks(limits_.interval.value_or(0));
  if (limits_.events) request.add_events(v1::EVENT_KIND_TARGET_LOST);
  const auto stream =
      session_.connection().streams->WatchWorld(&context_, request);
  std::int64_t frames = 0;
  for (v1::Frame part; !stopped_ && stream->Read(&part);) {
    if (!stats_.Add(part)) {
      broken_ = true;
      Stop();
      break;
    }
    if (session_.json()) {
      session_.Print(part);
      std::fflush(stdout);
    }
    if (part.part() + 1 < part.parts()) continue;
    if (IsLast(part, ++frames)) Stop();
  }
  status_ = stream->Finish();
  stats_.End();
}

int FrameReader::Result() const {
  if (broken_) return session_.Fail("a frame is not whole");
  const grpc::StatusCode code = status_.error_code();
  if (stopped_ || status_.ok()) return kOk;
  if (limits_.length && code == grpc::StatusCode::DEADLINE_EXCEEDED &&
      stats_.Now().frames > 0) {
    return kOk;
  }
  return session_.Fail(status_);
}

bool FrameReader::IsLast(const v1::Frame& part, std::int64_t frames) const {
  return frames == limits_.count.value_or(0) ||
         (limits_.last_tick && part.tick() >= *limits_.last_tick);
}

}  // namespace meander::ctl
