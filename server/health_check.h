// What `meanderd --healthcheck` does: asks the server that was started with the
// same flags, on this machine, whether it serves.
//
// An address that stands for all interfaces is asked through loopback, port 0
// at the port that --port_file tells. Blocks for kHealthcheckTimeout at most.
#ifndef MEANDER_SERVER_HEALTH_CHECK_H_
#define MEANDER_SERVER_HEALTH_CHECK_H_

#include <optional>
#include <string>

#include "server/options.h"

namespace meander {

// Nothing when it serves, else why not. Precondition: ParseListenAddress takes
// options.listen.
std::optional<std::string> CheckHealth(const Options& options);

}  // namespace meander

#endif  // MEANDER_SERVER_HEALTH_CHECK_H_
