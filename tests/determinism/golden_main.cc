// Prints or checks the golden hashes. Built by every compiler of the matrix.

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "core/world.h"
#include "tests/determinism/golden_file.h"
#include "tests/scenarios/scenario.h"

namespace {

using meander::scenarios::GoldenHash;
using meander::scenarios::GoldenLine;
using meander::scenarios::GoldenScenarios;
using meander::scenarios::Scenario;

constexpr std::string_view kUsage =
    "usage: golden --print          print a line for each scenario\n"
    "       golden --check FILE     compare with FILE; exit 1 on a difference\n"
    "       golden --update FILE    write FILE: only together with a new\n"
    "                               kSimulationVersion\n";

int Print(std::ostream& out) {
  for (const Scenario& scenario : GoldenScenarios()) {
    out << GoldenLine(scenario, GoldenHash(scenario)) << '\n';
  }
  return out.good() ? 0 : 1;
}

int Check(const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "golden: cannot read " << path << '\n';
    return 1;
  }
  std::map<std::string, std::string> wanted =
      meander::scenarios::ReadGoldenFile(file);
  int differences = 0;
  for (const Scenario& scenario : GoldenScenarios()) {
    const std::string line = GoldenLine(scenario, GoldenHash(scenario));
    const bool equal = wanted[scenario.name] == line;
    std::cout << (equal ? "same   " : "DIFFERS ") << line << '\n';
    if (!equal) ++differences;
    wanted.erase(scenario.name);
  }
  for (const auto& [name, line] : wanted) {
    std::cout << "UNKNOWN " << line << '\n';
    ++differences;
  }
  return differences == 0 ? 0 : 1;
}

// Whether FILE holds hashes of this very simulation version.
bool IsOfThisVersion(const char* path) {
  std::ifstream file(path);
  const std::string version = std::to_string(meander::core::kSimulationVersion);
  for (const auto& [name, line] : meander::scenarios::ReadGoldenFile(file)) {
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 4; ++i) words >> word;
    if (word == version) return true;
  }
  return false;
}

int Update(const char* path) {
  if (IsOfThisVersion(path)) {
    std::cerr << "golden: " << path << " holds hashes of simulation version "
              << meander::core::kSimulationVersion
              << "; a change of hashes needs a new kSimulationVersion\n";
    return 1;
  }
  std::ofstream file(path);
  file
      << "# name ticks seed simulation_version hash: written by\n"
         "# `golden --update tests/determinism/golden.txt`, and only together\n"
         "# with a new kSimulationVersion.\n";
  return Print(file);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (argc == 2 && mode == "--print") return Print(std::cout);
  if (argc == 3 && mode == "--check") return Check(argv[2]);
  if (argc == 3 && mode == "--update") return Update(argv[2]);
  std::cerr << kUsage;
  return mode == "--help" ? 0 : 2;
}
