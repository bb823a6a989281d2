// How every unary method runs, over gRPC's raw callback API.
//
// The bytes of a request are parsed here, so that a malformed one is answered
// INVALID_ARGUMENT and names the field (gRPC itself would say UNIMPLEMENTED). A
// handler gets the message and a Responder; it may answer at once or later,
// from any thread. Invariant: each call is finished exactly once. The first
// answer counts, and a call whose last Responder goes unanswered is finished
// with INTERNAL, for one that is never finished would block shutdown for ever.
#ifndef MEANDER_SERVER_SERVICE_UNARY_H_
#define MEANDER_SERVER_SERVICE_UNARY_H_

#include <google/protobuf/arena.h>
#include <google/protobuf/message.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "server/convert/status.h"
#include "server/service/open_calls.h"

namespace meander::service {

// Parses a request and frees its bytes, which gRPC would keep until the call
// ends. The error says what is wrong with them.
std::optional<core::Error> TakeRequest(const grpc::ByteBuffer* bytes,
                                       google::protobuf::Message& request);

// One message as the bytes of an answer.
grpc::ByteBuffer Serialize(const google::protobuf::Message& message);

// Owns itself: gRPC's last call deletes it.
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  UnaryCall(OpenCalls& calls, grpc::ByteBuffer* response)
      : open_(calls), response_(response) {}

  void Answer(const google::protobuf::Message& response) {
    *response_ = Serialize(response);
    Finish(grpc::Status::OK);
  }
  // Stopped when the caller has gone.
  std::stop_token stop() const { return stop_.get_token(); }

 private:
  void OnCancel() override { stop_.request_stop(); }
  void OnDone() override { delete this; }

  const OpenCall open_;
  grpc::ByteBuffer* const response_;
  std::stop_source stop_;
};

// The right to answer a call, once. Thread-safe.
class UnaryTicket {
 public:
  explicit UnaryTicket(UnaryCall& call) : call_(call), stop_(call.stop()) {}
  ~UnaryTicket();
  UnaryTicket(const UnaryTicket&) = delete;
  UnaryTicket& operator=(const UnaryTicket&) = delete;

  void Answer(const google::protobuf::Message& response);
  void Fail(const grpc::Status& status);
  const std::stop_token& stop() const { return stop_; }

 private:
  UnaryCall& call_;  // gone once it is answered
  const std::stop_token stop_;
  std::atomic<bool> answered_{false};
};

// Copies share one ticket.
template <typename Response>
class Responder {
 public:
  explicit Responder(std::shared_ptr<UnaryTicket> ticket)
      : ticket_(std::move(ticket)) {}

  void Answer(const Response& response) const { ticket_->Answer(response); }
  void Fail(const core::Error& error) const;
  void Fail(const core::Violations& violations) const;
  void Fail(const grpc::Status& status) const { ticket_->Fail(status); }
  // Stopped when the caller has gone. The call must be answered all the same.
  const std::stop_token& stop() const { return ticket_->stop(); }

 private:
  std::shared_ptr<UnaryTicket> ticket_;
};

void FailWith(UnaryTicket& ticket, const core::Error& error);
void FailWith(UnaryTicket& ticket, const core::Violations& violations);

template <typename Response>
void Responder<Response>::Fail(const core::Error& error) const {
  FailWith(*ticket_, error);
}

template <typename Response>
void Responder<Response>::Fail(const core::Violations& violations) const {
  FailWith(*ticket_, violations);
}

// The body of a raw method: handler(const Request&, Responder<Response>).
template <typename Request, typename Response, typename Handler>
grpc::ServerUnaryReactor* ServeUnary(OpenCalls& calls,
                                     const grpc::ByteBuffer* bytes,
                                     grpc::ByteBuffer* response,
                                     Handler&& handler) {
  auto* call = new UnaryCall(calls, response);
  Responder<Response> responder(std::make_shared<UnaryTicket>(*call));
  google::protobuf::Arena arena;
  Request& request = *Request::default_instance().New(&arena);
  if (const auto error = TakeRequest(bytes, request)) {
    responder.Fail(*error);
  } else {
    std::forward<Handler>(handler)(std::as_const(request),
                                   std::move(responder));
  }
  return call;
}

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_UNARY_H_
