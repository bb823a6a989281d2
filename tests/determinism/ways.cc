#include "tests/determinism/ways.h"

#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <iterator>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/error.h"
#include "core/parallel_for.h"
#include "core/random/agent_random.h"
#include "core/simd/simd_target.h"
#include "core/step/place_in_area.h"
#include "core/world.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if !defined(__wasm__)
#include <thread>

#include "tests/scenarios/threaded_for.h"
#endif

namespace meander::scenarios {
namespace {

using core::Admission;
using core::AdmittedCommand;
using core::SerialFor;
using core::World;

constexpr std::int64_t kFewTicks = 23;

std::uint64_t Hash(const ScenarioRun& run, core::ParallelFor& parallel) {
  return run.world().Hash(parallel).value;
}

WayResult Run(ScenarioRun run, std::span<const std::int64_t> ticks,
              core::ParallelFor& parallel) {
  WayResult result;
  for (const std::int64_t tick : ticks) {
    run.StepTo(tick, parallel);
    result.hashes[tick] = Hash(run, parallel);
  }
  return result;
}

WayResult RunOnce(const Scenario& scenario,
                  std::span<const std::int64_t> ticks) {
  SerialFor serial;
  return Run(ScenarioRun(scenario), ticks, serial);
}

#if !defined(__wasm__)
template <int threads>
WayResult RunOnThreads(const Scenario& scenario,
                       std::span<const std::int64_t> ticks) {
  ThreadedFor parallel(threads);
  return Run(ScenarioRun(scenario), ticks, parallel);
}
#endif

// The agents that an applied spawn made, as they would be listed.
std::vector<core::NewAgent> Listed(const Scenario& scenario,
                                   const AdmittedCommand& command) {
  const auto& spawn = std::get<core::SpawnAgents>(command.operation);
  const auto* area = std::get_if<core::AreaPlacement>(&spawn.placement);
  if (area == nullptr) {
    return std::get<std::vector<core::NewAgent>>(spawn.placement);
  }
  const std::uint64_t seed = core::PlaceSeed(
      scenario.seed, static_cast<std::uint64_t>(command.sequence));
  std::vector<core::NewAgent> agents(static_cast<std::size_t>(area->count),
                                     area->prototype);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    agents[i].position =
        core::PlaceInArea(area->area, scenario.config, seed, i);
  }
  return agents;
}

// In place of each spawn that is applied by `last_tick` one for each agent,
// with its id, in random order. The others stay as they are.
Admission SpawnOneByOne(const Scenario& scenario, std::int64_t last_tick) {
  SerialFor serial;
  ScenarioRun run(scenario);
  run.StepTo(last_tick, serial);
  Admission admission = Admit(scenario.commands);
  std::vector<AdmittedCommand> commands = std::exchange(admission.pending, {});
  std::stable_sort(commands.begin(), commands.end(),
                   [](const AdmittedCommand& a, const AdmittedCommand& b) {
                     return a.apply_tick < b.apply_tick;
                   });
  std::mt19937 random(3);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const AdmittedCommand& command = commands[i];
    const auto from = static_cast<std::ptrdiff_t>(admission.pending.size());
    if (core::SpawnCount(command.operation) == 0 ||
        i >= run.outcomes().size() ||
        run.outcomes()[i] != core::CommandOutcome::kApplied) {
      admission.pending.push_back(command);
      continue;
    }
    core::AgentId id = command.first_agent_id;
    for (core::NewAgent& agent : Listed(scenario, command)) {
      std::vector<core::NewAgent> one(1, std::move(agent));
      admission.pending.push_back(
          {0, command.apply_tick, id++, core::SpawnAgents{std::move(one)}});
    }
    std::shuffle(admission.pending.begin() + from, admission.pending.end(),
                 random);
  }
  admission.next_sequence = 1;
  for (AdmittedCommand& command : admission.pending) {
    command.sequence = admission.next_sequence++;
  }
  return admission;
}

WayResult RunWithSpawnsShuffled(const Scenario& scenario,
                                std::span<const std::int64_t> ticks) {
  SerialFor serial;
  return Run(ScenarioRun(World(scenario.config, scenario.seed),
                         SpawnOneByOne(scenario, ticks.back())),
             ticks, serial);
}

// Where an agent lies is not state.
World WithShuffledRows(const World& world, std::mt19937& random) {
  core::WorldState state = world.state();
  for (std::uint32_t p = 0; p < state.populations.size(); ++p) {
    core::AgentColumns& agents = state.populations[p].agents;
    for (std::uint32_t row = 1; row < agents.size(); ++row) {
      const auto other = static_cast<std::uint32_t>(random() % (row + 1));
      agents.Swap(row, other);
      state.index.Move(agents.id[row], {p, row});
      state.index.Move(agents.id[other], {p, other});
    }
  }
  return World(std::move(state));
}

std::string Encoded(const ScenarioRun& run) {
  return core::EncodeSnapshot(run.world(), run.admission());
}

// Steps from one of `ticks` to the next; before each step `replace(run, fault)`
// may exchange the run for its like.
template <typename Replace>
WayResult RunReplaced(const Scenario& scenario,
                      std::span<const std::int64_t> ticks, Replace replace) {
  SerialFor serial;
  WayResult result;
  ScenarioRun run(scenario);
  for (const std::int64_t tick : ticks) {
    while (run.world().tick() < tick) {
      replace(run, result.fault);
      run.StepTo(run.world().tick() + 1, serial);
    }
    result.hashes[tick] = Hash(run, serial);
  }
  return result;
}

WayResult RunWithRowsShuffled(const Scenario& scenario,
                              std::span<const std::int64_t> ticks) {
  std::mt19937 random(5);
  return RunReplaced(
      scenario, ticks, [&random](ScenarioRun& run, std::string&) {
        if (run.world().tick() % kFewTicks != 2) return;
        run =
            ScenarioRun(WithShuffledRows(run.world(), random), run.admission());
      });
}

// Early snapshots carry commands that are still to fire.
WayResult RunThroughSnapshots(const Scenario& scenario,
                              std::span<const std::int64_t> ticks) {
  return RunReplaced(scenario, ticks, [](ScenarioRun& run, std::string& fault) {
    const std::int64_t tick = run.world().tick();
    if (tick > 3 && tick % kFewTicks != 0) return;
    const std::string bytes = Encoded(run);
    core::Result<core::Snapshot> snapshot = core::DecodeSnapshot(bytes);
    MEANDER_CHECK(snapshot.ok());
    run =
        ScenarioRun(std::move(snapshot->world), std::move(snapshot->admission));
    if (Encoded(run) != bytes) {
      fault = "the snapshot of tick " + std::to_string(tick) +
              " is encoded otherwise the second time";
    }
  });
}

// The run that goes on is always the one that was taken back.
WayResult RunInSync(const Scenario& scenario,
                    std::span<const std::int64_t> ticks) {
  WayResult result;
  SerialFor serial;
  ScenarioRun run(scenario);
  std::string before = Encoded(run);
  for (const std::int64_t tick : ticks) {
    for (std::int64_t next = run.world().tick() + 1; next <= tick; ++next) {
      run.StepTo(next, serial);
      std::string after = Encoded(run);
      core::Result<core::Snapshot> snapshot = core::DecodeSnapshot(before);
      MEANDER_CHECK(snapshot.ok());
      run = ScenarioRun(std::move(snapshot->world),
                        std::move(snapshot->admission));
      run.StepTo(next, serial);
      if (Encoded(run) != after) {
        result.fault = "the step to tick " + std::to_string(next) +
                       " gives other bits the second time";
        return result;
      }
      before = std::move(after);
    }
    result.hashes[tick] = Hash(run, serial);
  }
  return result;
}

#if !defined(__wasm__)
// A thread's environment as a host may have left it; back to the default when
// it dies.
class HostileEnvironment {
 public:
  explicit HostileEnvironment(int rounding) : rounding_(rounding) {
    std::fesetround(rounding);
    SetFlushing(true);
  }
  ~HostileEnvironment() {
    SetFlushing(false);
    std::fesetround(FE_TONEAREST);
  }
  HostileEnvironment(const HostileEnvironment&) = delete;
  HostileEnvironment& operator=(const HostileEnvironment&) = delete;

  bool IsStillThere() const {
    return std::fegetround() == rounding_ &&
           (Control() & kFlushing) == kFlushing;
  }

 private:
#if defined(__x86_64__)
  static constexpr std::uint64_t kFlushing = 0x8040;  // FTZ and DAZ
  static std::uint64_t Control() { return _mm_getcsr(); }
  static void SetControl(std::uint64_t control) {
    _mm_setcsr(static_cast<unsigned>(control));
  }
#else
  static constexpr std::uint64_t kFlushing = std::uint64_t{1} << 24;  // FZ
  static std::uint64_t Control() {
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control)::"memory");
    return control;
  }
  static void SetControl(std::uint64_t control) {
    asm volatile("msr fpcr, %0" ::"r"(control) : "memory");
  }
#endif
  static void SetFlushing(bool flushing) {
    SetControl(flushing ? Control() | kFlushing : Control() & ~kFlushing);
  }

  int rounding_;
};

// Every piece of work is done by a thread that lends itself with a hostile
// environment of its own, and never by the caller's.
template <int rounding>
class HostileFor final : public core::ParallelFor {
 public:
  void Run(std::size_t count, core::IndexFunction body) override {
    std::thread lent([&] {
      const HostileEnvironment environment(rounding);
      for (std::size_t i = 0; i < count; ++i) body(i);
      gives_back_ = gives_back_ && environment.IsStillThere();
    });
    lent.join();
  }

  bool gives_back() const { return gives_back_; }

 private:
  bool gives_back_ = true;
};

template <int rounding>
WayResult RunHostile(const Scenario& scenario,
                     std::span<const std::int64_t> ticks) {
  SerialFor serial;
  HostileFor<rounding> hostile;
  ScenarioRun run(scenario);
  WayResult result;
  for (const std::int64_t tick : ticks) {
    {
      const HostileEnvironment environment(rounding);
      run.StepTo(tick, hostile);
      if (!environment.IsStillThere() || !hostile.gives_back()) {
        result.fault = "the environment was not given back";
      }
    }
    result.hashes[tick] = Hash(run, serial);
  }
  return result;
}
#endif

template <core::SimdTarget target>
WayResult RunWithKernels(const Scenario& scenario,
                         std::span<const std::int64_t> ticks) {
  SerialFor serial;
  ScenarioRun run(scenario);
  run.UseSimd(target);
  return Run(std::move(run), ticks, serial);
}

constexpr Way kAnywhere[] = {
    {"once", RunOnce},
    {"spawns", RunWithSpawnsShuffled},
    {"rows", RunWithRowsShuffled},
    {"snapshots", RunThroughSnapshots},
    {"sync", RunInSync},
#if !defined(__wasm__)
    {"threads_1", RunOnThreads<1>},
    {"threads_2", RunOnThreads<2>},
    {"threads_3", RunOnThreads<3>},
    {"threads_8", RunOnThreads<8>},
    {"upward", RunHostile<FE_UPWARD>},
    {"downward", RunHostile<FE_DOWNWARD>},
    {"toward_zero", RunHostile<FE_TOWARDZERO>},
#endif
};

using core::SimdTarget;

struct SimdWay {
  SimdTarget target;
  Way way;
};
constexpr SimdWay kSimdWays[] = {
    {SimdTarget::kScalar, {"simd_scalar", RunWithKernels<SimdTarget::kScalar>}},
    {SimdTarget::kSse4, {"simd_sse4", RunWithKernels<SimdTarget::kSse4>}},
    {SimdTarget::kAvx2, {"simd_avx2", RunWithKernels<SimdTarget::kAvx2>}},
    {SimdTarget::kAvx512, {"simd_avx512", RunWithKernels<SimdTarget::kAvx512>}},
    {SimdTarget::kNeon, {"simd_neon", RunWithKernels<SimdTarget::kNeon>}},
    {SimdTarget::kWasm, {"simd_wasm", RunWithKernels<SimdTarget::kWasm>}},
};
static_assert(std::size(kSimdWays) == core::kSimdTargets.size());

}  // namespace

std::span<const Way> Ways() {
  static const std::vector<Way> ways = [] {
    std::vector<Way> all(std::begin(kAnywhere), std::end(kAnywhere));
    for (const SimdWay& simd : kSimdWays) {
      if (core::CanRun(simd.target)) all.push_back(simd.way);
    }
    return all;
  }();
  return ways;
}

}  // namespace meander::scenarios
