// The file of golden hashes: lines of
//   name ticks seed simulation_version hash
// with seed and hash in hexadecimal; lines that start with # are comments. A
// scenario has one line at kGoldenTicks, for slow machines, and one at its end.
#ifndef MEANDER_TESTS_DETERMINISM_GOLDEN_FILE_H_
#define MEANDER_TESTS_DETERMINISM_GOLDEN_FILE_H_

#include <cstdint>
#include <istream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/world.h"
#include "tests/scenarios/scenario.h"

namespace meander::scenarios {

inline constexpr std::int64_t kGoldenTicks = 200;

// Scenario and ticks.
using GoldenKey = std::pair<std::string, std::int64_t>;

// Key -> line, without comments.
inline std::map<GoldenKey, std::string> ReadGoldenFile(std::istream& file) {
  std::map<GoldenKey, std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    GoldenKey key;
    words >> key.first >> key.second;
    lines[key] = line;
  }
  return lines;
}

inline std::string GoldenLine(const Scenario& scenario, std::int64_t ticks,
                              std::uint64_t hash) {
  std::ostringstream line;
  line << scenario.name << ' ' << ticks << ' ' << std::hex << scenario.seed
       << std::dec << ' ' << core::kSimulationVersion << ' ' << std::hex
       << hash;
  return line.str();
}

// The ticks at which a scenario has golden hashes, ascending, up to `most`.
inline std::vector<std::int64_t> GoldenTicks(const Scenario& scenario,
                                             std::int64_t most) {
  std::vector<std::int64_t> ticks;
  if (kGoldenTicks < scenario.ticks) ticks.push_back(kGoldenTicks);
  ticks.push_back(scenario.ticks);
  std::erase_if(ticks, [most](std::int64_t tick) { return tick > most; });
  return ticks;
}

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_DETERMINISM_GOLDEN_FILE_H_
