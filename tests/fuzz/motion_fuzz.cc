// Any legal archetypes and agents: every command is valid, and everything stays
// finite, in bounds and as a snapshot can hold it, tick after tick.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/error.h"
#include "core/parallel_for.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/scenarios/any_world.h"
#include "tests/scenarios/scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  namespace core = meander::core;
  namespace scenarios = meander::scenarios;
  constexpr std::int64_t kTicks = 200;
  const scenarios::Scenario scenario =
      scenarios::AnyWorld(std::span(data, size));
  for (const core::Command& command : scenario.commands) {
    MEANDER_CHECK(core::Validate(command, scenario.config, "").empty());
  }
  scenarios::ScenarioRun run(scenario);
  core::SerialFor serial;
  for (const std::int64_t tick : {std::int64_t{1}, kTicks / 2, kTicks}) {
    run.StepTo(tick, serial);
    // A decoder takes no number that is not finite, and no place out of bounds.
    const std::string bytes =
        core::EncodeSnapshot(run.world(), run.admission());
    MEANDER_CHECK(core::DecodeSnapshot(bytes).ok());
  }
  return 0;
}
