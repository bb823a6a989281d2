// Prints or checks the golden hashes. Built by every compiler of the matrix.

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

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

int Update(const char* path) {
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
