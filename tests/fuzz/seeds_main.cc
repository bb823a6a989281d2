// Writes what fuzzing starts from: `fuzz_seeds FOLDER` makes a folder below
// FOLDER for each target that reads bytes of core. Made anew each time, for a
// snapshot of an older version would lead nowhere.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/codec/command_codec.h"
#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/world.h"
#include "tests/core/codec/sample_commands.h"
#include "tests/core/codec/sample_snapshot.h"
#include "tests/core/codec/with.h"
#include "tests/scenarios/any_world.h"
#include "tests/scenarios/scenario.h"

namespace {

using meander::core::SampleCommand;
using meander::scenarios::GoldenScenario;
using meander::scenarios::ScenarioRun;

std::filesystem::path root;

void Write(std::string_view target, const std::string& name,
           const std::string& bytes) {
  std::filesystem::create_directories(root / target);
  std::ofstream(root / target / name, std::ios::binary) << bytes;
}

// More than follows, but not so much that memory runs out.
constexpr std::uint64_t kHostileCount = 1 << 20;

void WriteSnapshots() {
  const std::string sample = meander::core::SampleSnapshot();
  Write("snapshot", "sample", sample);
  constexpr meander::core::SampleLayout kAt;
  for (const std::size_t at :
       {kAt.archetype_count, kAt.agent_count, kAt.admitted_count,
        kAt.pending_count, kAt.pending}) {
    Write("snapshot", "hostile_count_" + std::to_string(at),
          meander::core::Packed(meander::core::With(
              meander::core::DenseSample(), at, kHostileCount)));
  }
  meander::core::SerialFor serial;
  for (const std::int64_t tick : {0, 1, 9}) {
    ScenarioRun run(GoldenScenario("extremes"));
    run.StepTo(tick, serial);
    Write("snapshot", "extremes_" + std::to_string(tick),
          meander::core::EncodeSnapshot(run.world(), run.admission()));
  }
}

void WriteCommands() {
  std::string all;
  for (const SampleCommand& sample : meander::core::SampleCommands()) {
    std::string record;
    meander::core::EncodeCommand(sample.command, record);
    Write("command", sample.name, record);
    // Where most operations have their first count.
    constexpr std::size_t kFirstField = 2 + 3 * 8;
    if (record.size() >= kFirstField + sizeof(kHostileCount)) {
      Write("command", sample.name + "_hostile_count",
            meander::core::With(record, kFirstField, kHostileCount));
    }
    if (record.size() > 255) continue;
    const bool spawns = meander::core::SpawnCount(sample.command.operation) > 0;
    all += static_cast<char>(2 + (spawns ? 1 : 0));
    all += static_cast<char>(record.size());
    all += record;
    Write("follower", sample.name, all);
  }
}

void WriteMotion() {
  constexpr std::uint32_t kWorlds = 40;
  for (std::uint32_t i = 0; i < kWorlds; ++i) {
    const std::vector<std::uint8_t> bytes =
        meander::scenarios::BytesOfNumber(i);
    Write("motion", std::to_string(i), {bytes.begin(), bytes.end()});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: fuzz_seeds FOLDER\n";
    return 2;
  }
  root = argv[1];
  std::filesystem::remove_all(root);
  WriteSnapshots();
  WriteCommands();
  WriteMotion();
  return 0;
}
