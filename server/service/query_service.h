// meander.v1.QueryService: reads worlds.
#ifndef MEANDER_SERVER_SERVICE_QUERY_SERVICE_H_
#define MEANDER_SERVER_SERVICE_QUERY_SERVICE_H_

#include <memory>

#include "server/service/context.h"

namespace grpc {
class Service;
}

namespace meander::service {

std::unique_ptr<grpc::Service> MakeQueryService(const ServiceContext& context);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_QUERY_SERVICE_H_
