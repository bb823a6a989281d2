#include <cstddef>
#include <string>

#include "core/space/neighbor_grid.h"
#include "core/space/neighbor_search.h"
#include "tests/bench/core_bench.h"

namespace meander::bench {
namespace {

// What threads do for so many they do for more.
constexpr std::int64_t kMostForThreads = 100'000;

std::string NameOf(const Scene& scene, const Size& size, int threads) {
  return Named(scene.name, size.agents) + "/threads:" + std::to_string(threads);
}

void MeasureMemoryPass(benchmark::State& state, const Size& size) {
  MemoryPass pass(size.agents);
  std::vector<Times> samples;
  for (auto _ : state) samples.push_back(pass());
  Print(OfSamples(Named(kMemoryPass, size.agents), kAgentStep, samples));
}

class Counter final : public core::NeighborVisitor {
 public:
  void Visit(const core::NeighborChunk& chunk) override {
    count_ += chunk.size;
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

// How many the agents of a flock have on average, where its steps were
// measured.
void PrintNeighbors(const Scene& scene, SteppedScene& stepped) {
  core::NeighborGrid grid;
  core::SerialFor serial;
  core::RebuildGrid(stepped.world().state(), grid, serial);
  const core::NeighborQuery query(grid, kAround);
  core::NeighborSearch search(grid, 0, grid.size());
  Counter counter;
  for (std::size_t agent = 0; agent < grid.size(); ++agent) {
    search.ForEachNeighbor(agent, query, counter);
  }
  Figure figure;
  figure.name = Named("neighbors/" + std::string(scene.name),
                      stepped.world().agent_count());
  figure.value =
      static_cast<double>(counter.count()) / static_cast<double>(grid.size());
  figure.unit = "neighbors/agent";
  Print(stepped.Stamp(figure));
}

void MeasureSteps(benchmark::State& state, const Scene& scene, const Size& size,
                  int threads) {
  SteppedScene stepped(scene, size, threads);
  Pairs pairs(MemoryPass(size.agents), std::ref(stepped));
  for (auto _ : state) pairs.AddPair();
  const std::string name = NameOf(scene, size, threads);
  const Clock clock = threads == 1 ? Clock::kThreadCpu : Clock::kWall;
  Figure figure = pairs.OfSubject(name, kAgentStep, clock, kMemoryPass);
  Print(stepped.Stamp(figure));
  if (threads > 1) {
    figure = pairs.OfSubject(name + "/cpu", kAgentStep, Clock::kProcessCpu,
                             kMemoryPass);
    Print(stepped.Stamp(figure));
  } else if (scene.flocks) {
    PrintNeighbors(scene, stepped);
  }
}

// An agent-step of many against one of few.
void MeasureGrowth(benchmark::State& state, const Scene& scene,
                   const Size& small, const Size& large) {
  SteppedScene few(scene, small);
  SteppedScene many(scene, large);
  Pairs pairs(std::ref(few), std::ref(many));
  for (auto _ : state) pairs.AddPair();
  Figure figure = pairs.SubjectOverBaseline(
      Named("growth/" + std::string(scene.name), large.agents),
      Clock::kThreadCpu, NameOf(scene, small, 1));
  Print(many.Stamp(figure));
}

}  // namespace

void RegisterSteps(const Suite& suite) {
  for (const Size& size : suite.sizes) {
    Register(
        Named(kMemoryPass, size.agents), size.pairs,
        [size](benchmark::State& state) { MeasureMemoryPass(state, size); });
  }
  for (const Scene& scene : kScenes) {
    for (const Size& size : suite.sizes) {
      for (const int threads : {1, 2}) {
        if (threads > 1 && size.agents > kMostForThreads) continue;
        Register(NameOf(scene, size, threads), size.pairs,
                 [scene, size, threads](benchmark::State& state) {
                   MeasureSteps(state, scene, size, threads);
                 });
      }
    }
    const Size& small = suite.small();
    const Size& large = suite.sizes.back();
    Register(Named("growth/" + std::string(scene.name), large.agents),
             large.pairs, [=](benchmark::State& state) {
               MeasureGrowth(state, scene, small, large);
             });
  }
}

}  // namespace meander::bench
