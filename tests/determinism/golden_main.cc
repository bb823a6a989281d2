// Prints or checks the golden hashes. Built by every compiler of the matrix.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/simd/kernels.h"
#include "core/simd/simd_target.h"
#include "core/world.h"
#include "tests/determinism/golden_file.h"
#include "tests/determinism/ways.h"
#include "tests/scenarios/scenario.h"

namespace {

using meander::scenarios::GoldenKey;
using meander::scenarios::GoldenLine;
using meander::scenarios::GoldenScenarios;
using meander::scenarios::GoldenTicks;
using meander::scenarios::Scenario;
using meander::scenarios::Way;
using meander::scenarios::WayResult;

constexpr std::string_view kUsage =
    "usage: golden --print              print every line\n"
    "       golden --check FILE TICKS WAY...\n"
    "                                   run in each WAY and compare with the\n"
    "                                   lines of FILE up to TICKS (all: every\n"
    "                                   line); exit 1 on a difference; simd "
    "is\n"
    "                                   every kind of kernels, and those that\n"
    "                                   this machine cannot run are named\n"
    "       golden --update FILE        write FILE; a line that is there may\n"
    "                                   only change with kSimulationVersion\n";
constexpr std::string_view kHead =
    "# name ticks seed simulation_version hash: written by\n"
    "# `golden --update tests/determinism/golden.txt`; a hash changes only\n"
    "# together with kSimulationVersion.\n";
constexpr std::int64_t kAllTicks = std::numeric_limits<std::int64_t>::max();

// `simd` stands for the kernels of every target that can run.
constexpr std::string_view kEverySimd = "simd";

const Way* FindWay(std::string_view name) {
  for (const Way& way : meander::scenarios::Ways()) {
    if (way.name == name) return &way;
  }
  return nullptr;
}

std::map<GoldenKey, std::string> Lines() {
  std::map<GoldenKey, std::string> lines;
  for (const Scenario& scenario : GoldenScenarios()) {
    const WayResult result =
        FindWay("once")->run(scenario, GoldenTicks(scenario, kAllTicks));
    for (const auto& [tick, hash] : result.hashes) {
      lines[{scenario.name, tick}] = GoldenLine(scenario, tick, hash);
    }
  }
  return lines;
}

int Print(std::ostream& out) {
  const std::map<GoldenKey, std::string> lines = Lines();
  for (const Scenario& scenario : GoldenScenarios()) {
    for (const std::int64_t tick : GoldenTicks(scenario, kAllTicks)) {
      out << lines.at({scenario.name, tick}) << '\n';
    }
  }
  return out.good() ? 0 : 1;
}

// Runs every scenario in one way and prints what it saw; the number of
// differences.
int CheckWay(const std::map<GoldenKey, std::string>& golden, std::int64_t most,
             const Way& way) {
  int differences = 0;
  for (const Scenario& scenario : GoldenScenarios()) {
    const std::vector<std::int64_t> ticks = GoldenTicks(scenario, most);
    if (ticks.empty()) continue;
    const WayResult result = way.run(scenario, ticks);
    if (!result.fault.empty()) {
      std::cout << "FAULT   " << way.name << ' ' << scenario.name << ": "
                << result.fault << '\n';
      ++differences;
    }
    for (const auto& [tick, hash] : result.hashes) {
      const std::string line = GoldenLine(scenario, tick, hash);
      const auto wanted = golden.find({scenario.name, tick});
      const bool same = wanted != golden.end() && wanted->second == line;
      std::cout << (same ? "same    " : "DIFFERS ") << way.name << ' ' << line
                << '\n';
      if (!same) ++differences;
    }
  }
  return differences;
}

int CheckEverySimd(const std::map<GoldenKey, std::string>& golden,
                   std::int64_t most) {
  int differences = 0;
  for (const meander::core::SimdTarget target : meander::core::kSimdTargets) {
    const std::string name(NameOf(target));
    if (CanRun(target)) {
      differences += CheckWay(golden, most, *FindWay("simd_" + name));
    } else if (HasKernels(target)) {
      std::cout << "cannot  simd_" << name << '\n';
    }
  }
  return differences;
}

// Lines of FILE that belong to no scenario.
int CheckNames(std::map<GoldenKey, std::string> golden) {
  for (const Scenario& scenario : GoldenScenarios()) {
    for (const std::int64_t tick : GoldenTicks(scenario, kAllTicks)) {
      golden.erase({scenario.name, tick});
    }
  }
  for (const auto& [key, line] : golden) {
    std::cout << "UNKNOWN " << line << '\n';
  }
  return static_cast<int>(golden.size());
}

int Check(const char* path, std::string_view ticks,
          std::span<const char* const> names) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "golden: cannot read " << path << '\n';
    return 1;
  }
  std::int64_t most = kAllTicks;
  const char* const end = ticks.data() + ticks.size();
  if (ticks != "all" && std::from_chars(ticks.data(), end, most).ptr != end) {
    std::cerr << kUsage;
    return 2;
  }
  const auto golden = meander::scenarios::ReadGoldenFile(file);
  int differences = CheckNames(golden);
  for (const std::string_view name : names) {
    if (name == kEverySimd) {
      differences += CheckEverySimd(golden, most);
      continue;
    }
    const Way* way = FindWay(name);
    if (way == nullptr) {
      std::cerr << "golden: there is no way '" << name << "' here\n";
      return 2;
    }
    differences += CheckWay(golden, most, *way);
  }
  return differences == 0 ? 0 : 1;
}

std::string VersionOf(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  for (int i = 0; i < 4; ++i) words >> word;
  return word;
}

int Update(const char* path) {
  const std::map<GoldenKey, std::string> lines = Lines();
  std::ifstream old(path);
  for (const auto& [key, line] : meander::scenarios::ReadGoldenFile(old)) {
    const auto now = lines.find(key);
    if (now != lines.end() && now->second != line &&
        VersionOf(now->second) == VersionOf(line)) {
      std::cerr << "golden: " << line << "\nwould become\n        "
                << now->second
                << "\na change of hashes needs a new kSimulationVersion\n";
      return 1;
    }
  }
  std::ofstream file(path);
  file << kHead;
  return Print(file);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (argc == 2 && mode == "--print") return Print(std::cout);
  if (argc >= 5 && mode == "--check") {
    return Check(argv[2], argv[3],
                 std::span(argv, static_cast<std::size_t>(argc)).subspan(4));
  }
  if (argc == 3 && mode == "--update") return Update(argv[2]);
  std::cerr << kUsage;
  return mode == "--help" ? 0 : 2;
}
