// The README shows state hashes and says that everybody gets these very ones.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/scenarios/scenario.h"

namespace meander {
namespace {

std::string ReadmeText() {
  std::ifstream file("README.md");
  EXPECT_TRUE(file) << "run from the root of the repository";
  return {std::istreambuf_iterator<char>(file), {}};
}

// What client_examples/python/quickstart.py sends, or the README's calls: the
// agents come at `start_tick`.
scenarios::Scenario Example(std::uint64_t seed, std::int64_t start_tick,
                            std::int64_t agents, float radius,
                            std::int64_t max_agents) {
  scenarios::Scenario example = scenarios::Wanderers(agents, seed);
  example.config = {};
  example.config.plane = core::Plane::kXY;
  example.config.max_agents = max_agents;
  for (core::Command& command : example.commands) {
    command.apply_tick = start_tick;
  }
  core::NewAgent prototype;
  prototype.archetype_id = 1;
  example.commands.back().operation = core::SpawnAgents{
      core::AreaPlacement{agents, prototype, core::Disc{{}, radius}}};
  return example;
}

std::uint64_t HashAt(const scenarios::Scenario& example, std::int64_t tick) {
  core::SerialFor serial;
  scenarios::ScenarioRun run(example);
  run.StepTo(tick, serial);
  return run.world().Hash(serial).value;
}

std::string Hexadecimal(std::uint64_t hash) {
  std::ostringstream text;
  text.width(16);
  text.fill('0');
  text << std::hex << hash;
  return text.str();
}

TEST(ReadmeTest, ShowsTheHashesOfTheQuickstart) {
  const std::string readme = ReadmeText();
  const auto quickstart = [](std::uint64_t seed) {
    return Example(seed, 60, 1000, 5.0f * std::sqrt(1000.0f), 1000);
  };
  for (const std::int64_t tick : {122, 545}) {
    const std::string hash =
        "hash " + Hexadecimal(HashAt(quickstart(42), tick));
    EXPECT_NE(readme.find(hash), std::string::npos) << tick << ": " << hash;
  }
  for (const std::uint64_t seed : {42, 43}) {
    const std::string line = Hexadecimal(HashAt(quickstart(seed), 600)) +
                             "  seed " + std::to_string(seed);
    EXPECT_NE(readme.find(line), std::string::npos) << line;
  }
}

TEST(ReadmeTest, ShowsTheHashOfItsExampleCalls) {
  const std::string hash =
      std::to_string(HashAt(Example(42, 1, 3, 10.0f, 100'000), 60));
  EXPECT_NE(ReadmeText().find("\"stateHash\": \"" + hash + '"'),
            std::string::npos)
      << hash;
}

}  // namespace
}  // namespace meander
