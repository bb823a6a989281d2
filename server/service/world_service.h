// meander.v1.WorldService: makes, shows, steps and deletes worlds.
#ifndef MEANDER_SERVER_SERVICE_WORLD_SERVICE_H_
#define MEANDER_SERVER_SERVICE_WORLD_SERVICE_H_

#include <memory>

#include "server/service/context.h"

namespace grpc {
class Service;
}

namespace meander::service {

std::unique_ptr<grpc::Service> MakeWorldService(const ServiceContext& context);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_WORLD_SERVICE_H_
