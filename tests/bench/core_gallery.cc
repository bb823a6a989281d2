// Each scene of the gallery, from its first tick to its last: its hash is the
// one in tests/integration/scenes_golden.txt.

#include "tests/bench/core_bench.h"
#include "tests/gallery/gallery_scenarios.h"

namespace meander::bench {
namespace {

// Agents come and go in some of these.
void MeasurePlay(benchmark::State& state, const scenarios::Scenario& scenario) {
  core::SerialFor serial;
  std::vector<Times> samples;
  std::uint64_t hash = 0;
  for (auto _ : state) {
    scenarios::ScenarioRun run(scenario);
    run.UseSimd(SimdInUse());
    Times spent;
    double agent_steps = 0.0;
    while (run.world().tick() < scenario.ticks) {
      spent = spent + Measured(1.0, [&] {
                run.StepTo(run.world().tick() + 1, serial);
              });
      agent_steps += static_cast<double>(run.world().agent_count());
    }
    samples.push_back(spent / agent_steps);
    hash = run.world().Hash(serial).value;
  }
  Figure figure =
      OfSamples("scene/" + scenario.name + "/threads:1", kAgentStep, samples);
  figure.hash = hash;
  figure.tick = scenario.ticks;
  Print(figure);
}

}  // namespace

void RegisterGallery(const Suite& suite) {
  for (const scenarios::Scenario& scenario : gallery::GalleryScenarios()) {
    Register(
        "scene/" + scenario.name + "/threads:1", suite.small().pairs,
        [scenario](benchmark::State& state) { MeasurePlay(state, scenario); });
  }
}

}  // namespace meander::bench
