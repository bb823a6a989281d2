// Any bytes as the record of a command: refused with a reason, or a command
// that is encoded to the same bytes and can be validated.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/codec/command_codec.h"
#include "core/command.h"
#include "core/error.h"
#include "core/simulation_config.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using meander::core::Plane;
  const std::string_view bytes = meander::fuzz::AsText(data, size);
  const auto command = meander::fuzz::Bounded(
      size, [bytes] { return meander::core::DecodeCommand(bytes); });
  if (!command.ok()) {
    MEANDER_CHECK(!command.error().reason.empty());
    return 0;
  }
  std::string encoded;
  meander::core::EncodeCommand(*command, encoded);
  MEANDER_CHECK(encoded == bytes);
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    meander::core::SimulationConfig config;
    config.plane = plane;
    for (const meander::core::Error& error : meander::core::Validate(
             {command->apply_tick, command->operation}, config, "command")) {
      MEANDER_CHECK(!error.field.empty() && !error.reason.empty());
    }
  }
  return 0;
}
