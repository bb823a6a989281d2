// How the program ends, and what it says when a call did not succeed.
//
// The details of a status (meander/rpc/v1/error_details.proto) become a reason,
// a message and the fields at fault, each with the option that filled it. Pure
// functions.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FAILURE_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FAILURE_H_

#include <grpcpp/support/status.h>

#include <optional>
#include <string>
#include <vector>

#include "client_examples/meanderctl/command_line.h"
#include "client_examples/meanderctl/values.h"

namespace meander::ctl {

// What scripts rely on; the help lists them.
enum ExitCode {
  kOk = 0,
  kFailed = 1,       // refused by the server, or something else went wrong
  kUsage = 2,        // the command line or its input; nothing was sent
  kUnreachable = 3,  // no server there, or one that shuts down
  kTimeout = 4,      // --timeout has passed
};

ExitCode ExitCodeOf(grpc::StatusCode code);

struct Violation {
  std::string field;
  std::string description;
};

struct Failure {
  grpc::StatusCode code = grpc::StatusCode::UNKNOWN;
  std::string reason;  // ErrorInfo's; without one, the name of the code
  std::string message;
  std::vector<Violation> violations;
  std::optional<Microseconds> retry_delay;  // RetryInfo's
};

Failure Explain(const grpc::Status& status);

// "NOT_FOUND".
std::string CodeName(int code);

// Lines for a person. `options` filled the request.
std::string ToText(const Failure& failure, const OptionList& options);
// One line for a program.
std::string ToJson(const Failure& failure);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FAILURE_H_
