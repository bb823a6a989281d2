// Commands from the protocol to core, and their refusals back.
//
// What the protocol alone can be wrong about is found here (a oneof that is
// not set, a list longer than its slots); values are for core::Validate, which
// names fields in the same way. Pure functions.
#ifndef MEANDER_SERVER_CONVERT_COMMAND_CONVERT_H_
#define MEANDER_SERVER_CONVERT_COMMAND_CONVERT_H_

#include <cstddef>

#include "core/command.h"
#include "core/error.h"
#include "core/simulation_config.h"
#include "meander/v1/command.pb.h"
#include "meander/v1/command_service.pb.h"

namespace meander::convert {

// One command for a world of `config`, with defaults in place of what is not
// set. The error names the field from the request on.
core::Result<core::Command> ToCore(const v1::SubmitCommandsRequest& request,
                                   std::size_t index,
                                   const core::SimulationConfig& config);

// A refusal. Text is cut as in a status.
void ToProto(const core::Error& error, v1::CommandRejection& out);

v1::CommandOutcome ToProto(core::CommandOutcome outcome);

// Clears descriptions from the tail on, until the response is at most `limit`
// bytes long or holds none.
void BoundDescriptions(std::size_t limit, v1::SubmitCommandsResponse& response);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_COMMAND_CONVERT_H_
