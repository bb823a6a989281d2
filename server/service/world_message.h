// Names of worlds, and worlds as they are shown, between the protocol and
// hosting.
//
// What decides a world's motion is for convert; what hosting knows about it is
// here, because convert does not know hosting. Pure functions.
#ifndef MEANDER_SERVER_SERVICE_WORLD_MESSAGE_H_
#define MEANDER_SERVER_SERVICE_WORLD_MESSAGE_H_

#include <memory>
#include <string>
#include <string_view>

#include "meander/v1/world.pb.h"
#include "server/hosting/world_host.h"
#include "server/hosting/world_info.h"
#include "server/hosting/world_registry.h"

namespace meander::service {

// "worlds/{world}".
std::string WorldName(std::string_view id);

// The world of that name. `field` is where the name stood: an error is
// kMalformed and names it, or kWorldNotFound.
core::Result<std::shared_ptr<hosting::WorldHost>> FindWorld(
    const hosting::WorldRegistry& worlds, std::string_view name,
    std::string_view field);

// Every field of a world.
v1::World ToMessage(const hosting::WorldIdentity& identity,
                    const hosting::WorldStatus& status);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_WORLD_MESSAGE_H_
