// The other side of health_service.h: asks a server whether it serves.
#ifndef MEANDER_SERVER_SERVICE_HEALTH_CLIENT_H_
#define MEANDER_SERVER_SERVICE_HEALTH_CLIENT_H_

#include <chrono>
#include <optional>
#include <string>

namespace meander::service {

// Nothing when the server at host:port, in plaintext, is SERVING; else why not.
// Blocks for `timeout` at most.
std::optional<std::string> AskHealth(const std::string& address,
                                     std::chrono::milliseconds timeout);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_HEALTH_CLIENT_H_
