// Worlds that tests, goldens and benches share, each a pure function of its
// name.
//
// A scenario is a config, a seed and commands with absolute ticks. A
// ScenarioRun gives them sequence numbers and agent ids in the order of the
// list, without a host's refusals, so that every outcome at application can be
// had, and applies them as it is stepped. One thread.
#ifndef MEANDER_TESTS_SCENARIOS_SCENARIO_H_
#define MEANDER_TESTS_SCENARIOS_SCENARIO_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "core/parallel_for.h"
#include "core/simulation_config.h"
#include "core/world.h"

namespace meander::scenarios {

struct Scenario {
  std::string name;
  core::SimulationConfig config;
  std::uint64_t seed = 0;
  std::int64_t ticks = 0;               // how long its last golden hash runs
  std::vector<core::Command> commands;  // apply_tick from 1
};

// All that have golden hashes.
const std::vector<Scenario>& GoldenScenarios();
// Precondition: there is one of that name.
const Scenario& GoldenScenario(std::string_view name);

// `count` agents of one archetype (id 1: max_speed 6, max_force 12, wander of
// radius 2, distance 3, jitter 8) in a disc about 0 that gives each about 80
// square units, in a plane XY at 60 Hz; bounds are twice the disc, clamped.
Scenario Wanderers(std::int64_t count, std::uint64_t seed);

// Gives each command its sequence and agent ids, in the order of the list.
core::Admission Admit(std::span<const core::Command> commands);

class ScenarioRun {
 public:
  explicit ScenarioRun(const Scenario& scenario);
  // With commands that have been admitted already.
  ScenarioRun(core::World world, core::Admission admission);

  // Goes on until the world is at `tick`.
  void StepTo(std::int64_t tick, core::ParallelFor& parallel);

  // See World::UseSimd.
  void UseSimd(core::SimdTarget target) { world_.UseSimd(target); }

  const core::World& world() const { return world_; }
  // What is not applied yet.
  const core::Admission& admission() const { return admission_; }
  // What became of the commands so far, in the order of application.
  const std::vector<core::CommandOutcome>& outcomes() const {
    return outcomes_;
  }

 private:
  core::World world_;
  core::Admission admission_;
  std::vector<core::CommandOutcome> outcomes_;
};

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_SCENARIO_H_
