// The file of golden hashes: a line for each scenario,
//   name ticks seed simulation_version hash
// with seed and hash in hexadecimal; lines that start with # are comments.
#ifndef MEANDER_TESTS_DETERMINISM_GOLDEN_FILE_H_
#define MEANDER_TESTS_DETERMINISM_GOLDEN_FILE_H_

#include <cstdint>
#include <cstdio>
#include <istream>
#include <map>
#include <sstream>
#include <string>

#include "core/world.h"
#include "tests/scenarios/scenario.h"

namespace meander::scenarios {

// Name -> line, without comments.
inline std::map<std::string, std::string> ReadGoldenFile(std::istream& file) {
  std::map<std::string, std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    lines[line.substr(0, line.find(' '))] = line;
  }
  return lines;
}

inline std::string GoldenLine(const Scenario& scenario, std::uint64_t hash) {
  std::ostringstream line;
  line << scenario.name << ' ' << scenario.ticks << ' ' << std::hex
       << scenario.seed << std::dec << ' ' << core::kSimulationVersion << ' '
       << std::hex << hash;
  return line.str();
}

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_DETERMINISM_GOLDEN_FILE_H_
