#include "server/service/health_client.h"

#include <grpcpp/grpcpp.h>

#include "grpc/health/v1/health.grpc.pb.h"

namespace meander::service {

namespace health = grpc::health::v1;

std::optional<std::string> AskHealth(const std::string& address,
                                     std::chrono::milliseconds timeout) {
  grpc::ChannelArguments arguments;
  // A proxy for the outside world does not know this machine's loopback.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto stub = health::Health::NewStub(grpc::CreateCustomChannel(
      address, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + timeout);
  health::HealthCheckResponse response;
  const grpc::Status status = stub->Check(&context, {}, &response);
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return address + " does not answer within " +
           std::to_string(timeout.count()) + " ms";
  }
  if (!status.ok()) {
    return address + " does not answer: " + status.error_message();
  }
  if (response.status() == health::HealthCheckResponse::SERVING) return {};
  return address + " says " +
         health::HealthCheckResponse::ServingStatus_Name(response.status());
}

}  // namespace meander::service
