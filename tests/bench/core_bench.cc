// What a step of a world costs, without a server: one thread, its CPU time.
//
//   meander_core_bench [AGENTS]
//
// For each scene a JSON object on a line: nanoseconds an agent-step of the
// whole World::Step, with the state hash at the end. Of a scene of AGENTS
// agents (10,000 by default) the median of eleven runs of twenty ticks; of one
// of the gallery the median of eleven plays of its whole story, whose hash is
// the one in tests/integration/scenes_golden.txt.

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "core/parallel_for.h"
#include "tests/gallery/gallery_scenarios.h"
#include "tests/scenarios/behavior_scenarios.h"
#include "tests/scenarios/scenario.h"

namespace {

using meander::core::SerialFor;
using meander::scenarios::Scenario;
using meander::scenarios::ScenarioRun;

constexpr std::int64_t kWarmTicks = 60;
constexpr std::int64_t kTicks = 20;

double ThreadNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 +
         static_cast<double>(now.tv_nsec);
}

double Median(std::array<double, 11>& costs) {
  std::sort(costs.begin(), costs.end());
  return costs[costs.size() / 2];
}

void Print(const std::string& bench, double cost, std::uint64_t hash) {
  std::printf(
      "{\"bench\": \"%s/threads:1\", \"value\": %.1f, \"unit\": "
      "\"ns/agent-step\", \"hash\": \"%016" PRIx64 "\"}\n",
      bench.c_str(), cost, hash);
}

void Measure(const std::string& name, std::int64_t agents,
             const Scenario& scenario) {
  SerialFor serial;
  ScenarioRun run(scenario);
  std::int64_t tick = kWarmTicks;
  run.StepTo(tick, serial);
  std::array<double, 11> costs{};
  for (double& cost : costs) {
    tick += kTicks;
    const double start = ThreadNanoseconds();
    run.StepTo(tick, serial);
    cost = (ThreadNanoseconds() - start) / static_cast<double>(agents * kTicks);
  }
  Print(name + '/' + std::to_string(agents), Median(costs),
        run.world().Hash(serial).value);
}

// Agents come and go in some of these.
void MeasurePlay(const Scenario& scenario) {
  SerialFor serial;
  std::array<double, 11> costs{};
  std::uint64_t hash = 0;
  for (double& cost : costs) {
    ScenarioRun run(scenario);
    double spent = 0;
    std::int64_t agent_steps = 0;
    while (run.world().tick() < scenario.ticks) {
      const double start = ThreadNanoseconds();
      run.StepTo(run.world().tick() + 1, serial);
      spent += ThreadNanoseconds() - start;
      agent_steps += run.world().agent_count();
    }
    cost = spent / static_cast<double>(agent_steps);
    hash = run.world().Hash(serial).value;
  }
  Print("scene/" + scenario.name, Median(costs), hash);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t agents = argc > 1 ? std::atoll(argv[1]) : 10'000;
  if (argc > 2 || agents <= 0) {
    std::fprintf(stderr, "usage: meander_core_bench [AGENTS]\n");
    return 2;
  }
  Measure("wander", agents, meander::scenarios::Wanderers(agents, 1));
  Measure("flock2d", agents, meander::scenarios::Flock2d(agents, 1));
  Measure("flock3d", agents, meander::scenarios::Flock3d(agents, 1));
  for (const Scenario& scene : meander::gallery::GalleryScenarios()) {
    MeasurePlay(scene);
  }
  return 0;
}
