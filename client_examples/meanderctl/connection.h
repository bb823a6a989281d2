// The server: stubs, and unary calls with a deadline that are tried again where
// that is safe.
//
// A call that finds the server unavailable is sent again after the delay that
// the server named, or a short growing one, as often as the settings say and
// while the deadline lies ahead; each time is noted on standard error. The
// request stays the same, with its request id. Plaintext; connects at the first
// call. Thread-safe as gRPC's stubs are.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_CONNECTION_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_CONNECTION_H_

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client_examples/meanderctl/values.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/query_service.grpc.pb.h"
#include "meander/v1/stream_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"

namespace meander::ctl {

inline constexpr char kDefaultServer[] = "127.0.0.1:50051";

struct CallSettings {
  std::optional<Microseconds> timeout;  // of a call and its repeats; none: ever
  std::int64_t retries = 0;
  bool quiet = false;  // no notes about repeats
};

// Whether a request may be sent twice and do no more than once.
enum class Repeat { kSafe, kUnsafe };

class Connection {
 public:
  explicit Connection(const std::string& server);

  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::WorldService::Stub> worlds;
  const std::unique_ptr<v1::CommandService::Stub> commands;
  const std::unique_ptr<v1::QueryService::Stub> queries;
  const std::unique_ptr<v1::StreamService::Stub> streams;
  const std::unique_ptr<grpc::health::v1::Health::Stub> health;
};

// `once` makes the call with the context that it is given.
grpc::Status CallWithRepeats(
    const CallSettings& settings, Repeat repeat,
    const std::function<grpc::Status(grpc::ClientContext&)>& once);

template <typename Stub, typename Request, typename Response>
grpc::Status Call(const CallSettings& settings, Repeat repeat,
                  const std::unique_ptr<Stub>& stub,
                  grpc::Status (Stub::*method)(grpc::ClientContext*,
                                               const Request&, Response*),
                  const Request& request, Response& response) {
  return CallWithRepeats(settings, repeat, [&](grpc::ClientContext& context) {
    return (stub.get()->*method)(&context, request, &response);
  });
}

// A random UUID.
std::string NewRequestId();

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_CONNECTION_H_
