#include "server/service/health_service.h"

#include <string>
#include <utility>

#include "grpc/health/v1/health.grpc.pb.h"
#include "server/convert/quote.h"
#include "server/convert/status.h"
#include "server/service/unary.h"
#include "server/service/watch_stream.h"

namespace meander::service {
namespace {

namespace health = grpc::health::v1;
using health::HealthCheckResponse;

HealthCheckResponse ResponseOf(Health status) {
  HealthCheckResponse response;
  switch (status) {
    case Health::kServing:
      response.set_status(HealthCheckResponse::SERVING);
      break;
    case Health::kNotServing:
      response.set_status(HealthCheckResponse::NOT_SERVING);
      break;
    case Health::kUnknownService:
      response.set_status(HealthCheckResponse::SERVICE_UNKNOWN);
      break;
  }
  return response;
}

// One call of Watch. Owns itself.
class HealthStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                           private HealthWatcher::Sink {
 public:
  HealthStream(OpenCalls& calls, HealthBoard& board, std::string_view service)
      : open_(calls),
        board_(board),
        watcher_(std::make_shared<HealthWatcher>(
            static_cast<HealthWatcher::Sink&>(*this))) {
    board.Add(service, watcher_);
  }

 private:
  void Write(Health status) override {
    message_ = Serialize(ResponseOf(status));
    StartWrite(&message_);
  }
  void Finish(WatchEnd end) override {
    const core::Error error = end == WatchEnd::kDrained
                                  ? core::Error{core::ErrorCode::kDraining, "",
                                                "the server is shutting down"}
                                  : core::Error{core::ErrorCode::kCancelled, "",
                                                "the caller has gone"};
    ServerWriteReactor::Finish(convert::ToStatus(error));
  }

  void OnWriteDone(bool ok) override { watcher_->WriteDone(ok); }
  void OnCancel() override { watcher_->Cancel(); }
  void OnDone() override {
    board_.Remove(watcher_);
    delete this;
  }

  const OpenCall open_;
  HealthBoard& board_;
  grpc::ByteBuffer message_;  // in flight
  const std::shared_ptr<HealthWatcher> watcher_;
};

class HealthService final : public health::Health::WithRawCallbackMethod_Check<
                                health::Health::WithRawCallbackMethod_Watch<
                                    health::Health::Service>> {
 public:
  HealthService(HealthBoard& board, OpenCalls& calls)
      : board_(board), calls_(calls) {}

 private:
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* /*context*/,
                                  const grpc::ByteBuffer* bytes,
                                  grpc::ByteBuffer* response) override {
    return ServeUnary<health::HealthCheckRequest, HealthCheckResponse>(
        calls_, bytes, response,
        [this](const auto& request, const auto& responder) {
          const Health status = board_.Check(request.service());
          if (status == Health::kUnknownService) {
            return responder.Fail(
                grpc::Status(grpc::StatusCode::NOT_FOUND,
                             "this server has no service " +
                                 convert::Quoted(request.service())));
          }
          responder.Answer(ResponseOf(status));
        });
  }

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(
      grpc::CallbackServerContext* /*context*/,
      const grpc::ByteBuffer* bytes) override {
    health::HealthCheckRequest request;
    if (const auto error = TakeRequest(bytes, request))
      return Refuse(calls_, *error);
    return new HealthStream(calls_, board_, request.service());
  }

  HealthBoard& board_;
  OpenCalls& calls_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeHealthService(HealthBoard& board,
                                                 OpenCalls& calls) {
  return std::make_unique<HealthService>(board, calls);
}

}  // namespace meander::service
