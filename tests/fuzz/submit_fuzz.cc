// Any bytes as a SubmitCommandsRequest: what does not parse is explained, and
// every command is refused with a field and a reason or is one that the codec
// of records can carry.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/codec/command_codec.h"
#include "core/command.h"
#include "core/error.h"
#include "core/simulation_config.h"
#include "meander/v1/command_service.pb.h"
#include "server/convert/command_convert.h"
#include "server/convert/malformed.h"
#include "tests/fuzz/fuzz_target.h"

namespace meander::fuzz {
namespace {

void CheckCommand(const v1::SubmitCommandsRequest& request, std::size_t index,
                  const core::SimulationConfig& config) {
  const core::Result<core::Command> command =
      convert::ToCore(request, index, config);
  if (!command.ok()) {
    MEANDER_CHECK(!command.error().field.empty());
    MEANDER_CHECK(!command.error().reason.empty());
    return;
  }
  if (!core::Validate(*command, config, "command").empty()) return;
  const core::AdmittedCommand admitted{7, 9, 3, command->operation};
  std::string record;
  core::EncodeCommand(admitted, record);
  const core::Result<core::AdmittedCommand> decoded =
      core::DecodeCommand(record);
  MEANDER_CHECK(decoded.ok());
  std::string again;
  core::EncodeCommand(*decoded, again);
  MEANDER_CHECK(again == record);
}

}  // namespace
}  // namespace meander::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using meander::core::Plane;
  using meander::v1::SubmitCommandsRequest;
  const std::string_view bytes = meander::fuzz::AsText(data, size);
  if (meander::convert::CheckDensity(bytes,
                                     *SubmitCommandsRequest::descriptor())) {
    return 0;
  }
  SubmitCommandsRequest request;
  if (!request.ParseFromArray(data, static_cast<int>(size))) {
    MEANDER_CHECK(!meander::convert::ExplainMalformed(
                       bytes, *SubmitCommandsRequest::descriptor())
                       .reason.empty());
    return 0;
  }
  for (const Plane plane : {Plane::kNone, Plane::kXZ}) {
    meander::core::SimulationConfig config;
    config.plane = plane;
    for (int i = 0; i < request.commands_size(); ++i) {
      meander::fuzz::CheckCommand(request, static_cast<std::size_t>(i), config);
    }
  }
  return 0;
}
