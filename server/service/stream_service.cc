#include "server/service/stream_service.h"

#include <cstdint>
#include <string>

#include "meander/v1/stream_service.grpc.pb.h"
#include "server/convert/event_convert.h"
#include "server/service/unary.h"
#include "server/service/watch_stream.h"
#include "server/service/world_message.h"
#include "server/stream/view.h"

namespace meander::service {
namespace {

using core::ErrorCode;

class StreamService final
    : public v1::StreamService::WithRawCallbackMethod_WatchWorld<
          v1::StreamService::Service> {
 public:
  explicit StreamService(const ServiceContext& context) : context_(context) {}

 private:
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchWorld(
      grpc::CallbackServerContext* /*context*/,
      const grpc::ByteBuffer* bytes) override {
    v1::WatchWorldRequest request;
    if (const auto error = TakeRequest(bytes, request))
      return Refuse(context_.calls, *error);
    const auto host = FindWorld(context_.worlds, request.world(), "world");
    if (!host.ok()) return Refuse(context_.calls, host.error());
    const std::int32_t interval = request.interval_ticks();
    if (interval < 0 || interval > stream::kMaxIntervalTicks) {
      return Refuse(
          context_.calls,
          {ErrorCode::kOutOfBounds, "interval_ticks",
           "must be 0 to " + std::to_string(stream::kMaxIntervalTicks) +
               "; it is " + std::to_string(interval)});
    }
    if (const auto error =
            convert::CheckEventKinds(request.events(), "events")) {
      return Refuse(context_.calls, *error);
    }
    return Watch(context_.calls, **host,
                 {.interval_ticks = interval == 0 ? 1 : interval,
                  .events = request.events_size() > 0});
  }

  const ServiceContext context_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeStreamService(
    const ServiceContext& context) {
  return std::make_unique<StreamService>(context);
}

}  // namespace meander::service
