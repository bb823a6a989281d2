#include "server/service/watch_stream.h"

#include <grpcpp/support/slice.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/convert/frame_convert.h"
#include "server/convert/status.h"
#include "server/stream/frame_cache.h"
#include "server/stream/subscription.h"

namespace meander::service {
namespace {

using SharedFrame = std::shared_ptr<const stream::EncodedFrame>;

// A slice of a part's bytes that keeps the whole frame alive.
grpc::Slice ShareBytes(const SharedFrame& frame, std::size_t part) {
  const std::string& bytes = frame->parts[part];
  return grpc::Slice(
      const_cast<char*>(bytes.data()), bytes.size(),
      [](void* owner) { delete static_cast<SharedFrame*>(owner); },
      new SharedFrame(frame));
}

class WatchStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                          private stream::FrameSink {
 public:
  WatchStream(OpenCalls& calls, hosting::WorldHost& host,
              const stream::View& view)
      : open_(calls),
        subscription_(std::make_shared<stream::Subscription>(
            view, static_cast<stream::FrameSink&>(*this))) {
    host.Subscribe(subscription_);
  }

 private:
  void Write(SharedFrame frame, std::size_t part,
             const stream::OwnFields& own) override {
    const grpc::Slice slices[] = {ShareBytes(frame, part),
                                  grpc::Slice(convert::EncodeOwnFields(
                                      {.skipped = own.skipped,
                                       .events = own.events.events,
                                       .dropped_events = own.events.dropped,
                                       .remaining_events = own.events.left}))};
    message_ = grpc::ByteBuffer(slices, slices[1].size() == 0 ? 1 : 2);
    StartWrite(&message_);
  }

  void Finish(std::optional<core::Error> error) override {
    ServerWriteReactor::Finish(error ? convert::ToStatus(*error)
                                     : grpc::Status::OK);
  }

  void OnWriteDone(bool ok) override { subscription_->WriteDone(ok); }
  void OnCancel() override {
    subscription_->End(
        core::Error{core::ErrorCode::kCancelled, "", "the caller has gone"});
  }
  void OnDone() override { delete this; }

  const OpenCall open_;
  grpc::ByteBuffer message_;  // in flight
  const std::shared_ptr<stream::Subscription> subscription_;
};

class RefusedStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  RefusedStream(OpenCalls& calls, const core::Error& error) : open_(calls) {
    Finish(convert::ToStatus(error));
  }

 private:
  void OnDone() override { delete this; }

  const OpenCall open_;
};

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(OpenCalls& calls,
                                                  hosting::WorldHost& host,
                                                  const stream::View& view) {
  return new WatchStream(calls, host, view);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* Refuse(OpenCalls& calls,
                                                   const core::Error& error) {
  return new RefusedStream(calls, error);
}

}  // namespace meander::service
