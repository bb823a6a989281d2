// Sending a batch of commands, and telling what became of each.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_BATCH_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_BATCH_H_

#include <optional>
#include <string>

#include "client_examples/meanderctl/command_line.h"
#include "client_examples/meanderctl/session.h"
#include "meander/v1/command_service.pb.h"

namespace meander::ctl {

struct BatchOptions {
  std::string world;
  std::optional<v1::LatePolicy> late;
  std::string request_id;
};

// Adds the world and what the options say, then sends it.
grpc::Status Submit(Session& session, const BatchOptions& options,
                    v1::SubmitCommandsRequest& request,
                    v1::SubmitCommandsResponse& response);

void AddBatchOptions(Command& command, BatchOptions& options);

// "1 to 100"; "" for a command that made none.
std::string AgentRange(const v1::CommandAdmission& admission);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_BATCH_H_
