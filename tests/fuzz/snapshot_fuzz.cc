// Any bytes as a snapshot, as they are and with the frame made right: refused
// with a reason, or a world that is encoded to the same bytes, steps, and is
// then still one that a decoder takes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/codec/snapshot.h"
#include "core/error.h"
#include "core/world.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/scenarios/scenario.h"
#include "tests/scenarios/sealed.h"

namespace meander::fuzz {
namespace {

// Magic, format and simulation version, and the checksum behind all.
constexpr std::size_t kHeadBytes = 8 + 4 + 4;
constexpr std::size_t kFrameBytes = kHeadBytes + 8;
// A pending command may spawn a million agents, as it should.
constexpr std::int64_t kMostAgents = 2000;

std::string Framed(std::string_view bytes) {
  static const std::string head =
      core::EncodeSnapshot(core::World({}, 0), {}).substr(0, kHeadBytes);
  return scenarios::Sealed(head + std::string(bytes.substr(kHeadBytes)));
}

std::int64_t AgentsToCome(const core::Snapshot& snapshot) {
  std::int64_t agents = snapshot.world.agent_count();
  for (const auto& command : snapshot.admission.pending) {
    agents += core::SpawnCount(command.operation);
  }
  return agents;
}

void Check(std::string_view bytes) {
  core::Result<core::Snapshot> snapshot =
      Bounded(bytes.size(), [bytes] { return core::DecodeSnapshot(bytes); });
  if (!snapshot.ok()) {
    MEANDER_CHECK(!snapshot.error().reason.empty());
    return;
  }
  MEANDER_CHECK(core::EncodeSnapshot(snapshot->world, snapshot->admission) ==
                bytes);
  if (AgentsToCome(*snapshot) > kMostAgents) return;
  const std::int64_t tick = snapshot->world.tick();
  scenarios::ScenarioRun run(std::move(snapshot->world),
                             std::move(snapshot->admission));
  core::SerialFor serial;
  run.StepTo(tick + 3, serial);
  const std::string after = core::EncodeSnapshot(run.world(), run.admission());
  const auto decoded = core::DecodeSnapshot(after);
  // The last tick that counts is 2^62.
  MEANDER_CHECK(decoded.ok() || tick > (std::int64_t{1} << 62) - 3);
}

}  // namespace
}  // namespace meander::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes = meander::fuzz::AsText(data, size);
  meander::fuzz::Check(bytes);
  if (size >= meander::fuzz::kFrameBytes) {
    meander::fuzz::Check(meander::fuzz::Framed(bytes));
  }
  return 0;
}
