#include "server/health_check.h"

#include "server/port_file.h"
#include "server/service/health_client.h"

namespace meander {

std::optional<std::string> CheckHealth(const Options& options) {
  ListenAddress server = *ParseListenAddress(options.listen);
  // gRPC listens on both families where there are both, and on IPv4 where not.
  if (server.IsAnyInterface()) server.host = "127.0.0.1";
  int port = server.port;
  if (port == 0) {
    if (options.port_file.empty()) {
      return "--healthcheck needs --port_file when --listen has port 0";
    }
    const std::optional<int> real = ReadPortFile(options.port_file);
    if (!real) return "--port_file=" + options.port_file + " holds no port";
    port = *real;
  }
  return service::AskHealth(server.WithPort(port), kHealthcheckTimeout);
}

}  // namespace meander
