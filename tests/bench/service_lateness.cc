// How late light worlds are against a bare thread with a timer, which runs
// alone before or after.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/figure.h"
#include "tests/bench/service_bench.h"
#include "tests/bench/service_house.h"

namespace meander::bench {
namespace {

constexpr int kPairs = 5;  // of stretches, bare and hosted

// `count` worlds of `agents` agents each, for a stretch.
Lateness Host(int count, std::int64_t agents) {
  House house(Stretch{});
  house.Add(count, agents);
  house.Await();
  return house.Tell();
}

void PrintLateness(const std::string& name, const std::string& scene,
                   const std::vector<double>& hosted,
                   const std::vector<double>& bare) {
  std::vector<double> above;
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    above.push_back(hosted[i] - bare[i]);
  }
  Print({.name = name + "_p99" + scene,
         .value = Median(hosted),
         .unit = "ms",
         .hash = {},
         .baseline = "bare_timer",
         .ratio = Median(hosted) / Median(bare),
         .quartiles = Quartiles(hosted)});
  Print({.name = name + "_above_bare" + scene,
         .value = Median(above),
         .unit = "ms",
         .hash = {},
         .baseline = {},
         .quartiles = Quartiles(above)});
}

void Run(int worlds, std::int64_t agents) {
  std::vector<double> bare;
  std::vector<double> published;
  std::vector<double> delivered;
  std::int64_t slipped = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool bare_first = pair % 2 == 0;
    if (bare_first) bare.push_back(BareTimer({}));
    const Lateness hosted = Host(worlds, agents);
    if (!bare_first) bare.push_back(BareTimer({}));
    published.push_back(hosted.published);
    delivered.push_back(hosted.delivered);
    slipped += hosted.slipped;
  }
  const std::string scene =
      '/' + std::to_string(worlds) + "x" + std::to_string(agents);
  PrintLateness("tick_lateness", scene, published, bare);
  PrintLateness("delivery_lateness", scene, delivered, bare);
  Print({.name = "tick_lateness_missed_ticks" + scene,
         .value = static_cast<double>(slipped),
         .unit = "ticks",
         .hash = {},
         .baseline = {}});
}

}  // namespace

void MeasureLateness(const ServiceArguments& /*arguments*/) {
  Run(1, 1'000);
  Run(100, 100);
}

}  // namespace meander::bench
