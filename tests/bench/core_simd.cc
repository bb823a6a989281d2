// What the kernels of the SIMD target in use save beside the scalar ones, for
// scenes, for each behavior, and where each archetype has few agents. Both give
// the same bits, or the program ends.

#include <string>

#include "tests/bench/core_behaviors.h"
#include "tests/bench/core_bench.h"

namespace meander::bench {
namespace {

// Two worlds that take turns, and as many of them as there are behaviors.
Size SizeOf(const Suite& suite, std::int64_t agents) {
  const Size& small = suite.small();
  return {.agents = agents,
          .warm_ticks = small.warm_ticks / 2,
          .sample_ticks = (small.sample_ticks + 1) / 2,
          .pairs = small.pairs};
}

struct Compared {
  Figure scalar;
  Figure in_use;
};

Compared MeasureBoth(benchmark::State& state, const std::string& name,
                     const Scene& scene, const Size& size) {
  SteppedScene in_use(scene, size);
  SteppedScene scalar(scene, size, 1, core::SimdTarget::kScalar);
  Pairs slower(std::ref(in_use), std::ref(scalar));
  for (auto _ : state) slower.AddPair();
  Compared compared{slower.OfSubject(name, kAgentStep, Clock::kThreadCpu,
                                     std::string(NameOf(SimdInUse()))),
                    slower.OfBaseline(name, kAgentStep, Clock::kThreadCpu)};
  compared.scalar.simd = core::SimdTarget::kScalar;
  compared.in_use.baseline = NameOf(core::SimdTarget::kScalar);
  compared.in_use.ratio = 1.0 / compared.scalar.ratio;
  if (scalar.Stamp(compared.scalar).hash !=
      in_use.Stamp(compared.in_use).hash) {
    Fail(name + ": the kernels change the hash");
  }
  return compared;
}

void RegisterScalar(const Scene& scene, const Size& size) {
  const std::string name =
      Named("scalar/" + std::string(scene.name), size.agents);
  Register(name, size.pairs, [=](benchmark::State& state) {
    Print(MeasureBoth(state, name, scene, size).scalar);
  });
}

}  // namespace

void RegisterSimd(const Suite& suite) {
  const Size size = SizeOf(suite, suite.small().agents);
  for (const Scene& scene : kScenes) RegisterScalar(scene, size);
  for (const Scene& scene : BehaviorScenes()) RegisterScalar(scene, size);
  for (const FewScene& few : FewScenes()) {
    const std::string name(few.scene.name);
    const Size of_few = SizeOf(suite, few.Agents(size.agents));
    Register(name, of_few.pairs, [=](benchmark::State& state) {
      Print(MeasureBoth(state, name, few.scene, of_few).in_use);
    });
  }
}

}  // namespace meander::bench
