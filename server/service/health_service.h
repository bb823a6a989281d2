// grpc.health.v1.Health: the standard way to ask whether a server takes calls.
#ifndef MEANDER_SERVER_SERVICE_HEALTH_SERVICE_H_
#define MEANDER_SERVER_SERVICE_HEALTH_SERVICE_H_

#include <memory>

#include "server/service/health_board.h"
#include "server/service/open_calls.h"

namespace grpc {
class Service;
}

namespace meander::service {

// Both outlive the service.
std::unique_ptr<grpc::Service> MakeHealthService(HealthBoard& board,
                                                 OpenCalls& calls);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_HEALTH_SERVICE_H_
