#include "tests/scenarios/lockstep_case.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/codec/byte_io.h"
#include "core/codec/command_codec.h"
#include "core/codec/snapshot.h"
#include "core/error.h"
#include "core/world.h"
#include "tests/scenarios/sealed.h"

namespace meander::scenarios {
namespace {

// The first commands of `mixed` are admitted before the snapshot, one of them
// for a tick after it.
constexpr std::size_t kAdmittedBefore = 5;
constexpr std::int64_t kSnapshotTick = 40;

}  // namespace

LockstepCase MakeLockstepCase() {
  const Scenario& scenario = GoldenScenario("mixed");
  const std::span<const core::Command> commands = scenario.commands;
  const std::vector<core::AdmittedCommand> admitted = Admit(commands).pending;
  LockstepCase lockstep;
  lockstep.last_tick = scenario.ticks;
  for (std::size_t i = kAdmittedBefore; i < admitted.size(); ++i) {
    core::EncodeCommand(admitted[i], lockstep.records.emplace_back());
  }
  core::SerialFor serial;
  ScenarioRun run(core::World(scenario.config, scenario.seed),
                  Admit(commands.first(kAdmittedBefore)));
  run.StepTo(kSnapshotTick, serial);
  lockstep.snapshot = core::EncodeSnapshot(run.world(), run.admission());
  return lockstep;
}

ScenarioRun Authority(const LockstepCase& lockstep) {
  core::Result<core::Snapshot> snapshot =
      core::DecodeSnapshot(lockstep.snapshot);
  MEANDER_CHECK(snapshot.ok());
  core::Admission& admission = snapshot->admission;
  for (const std::string& record : lockstep.records) {
    core::Result<core::AdmittedCommand> command = core::DecodeCommand(record);
    MEANDER_CHECK(command.ok());
    admission.pending.push_back(*std::move(command));
  }
  admission.archetypes = Admit(GoldenScenario("mixed").commands).archetypes;
  return {std::move(snapshot->world), std::move(admission)};
}

std::string OfAnotherVersion(std::string snapshot) {
  constexpr std::size_t kAt = 12;  // core/codec/snapshot.h
  std::string version;
  core::ByteWriter(version).Put(std::uint32_t{core::kSimulationVersion + 1});
  return Sealed(snapshot.replace(kAt, version.size(), version));
}

}  // namespace meander::scenarios
