// Memory that a world holds, and what a step asks for more.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "tests/bench/core_bench.h"
#include "tests/core/counting_new.h"

namespace meander::bench {
namespace {

constexpr const Scene& kFullest = kScenes.back();  // uses every column it can

// Resident memory that belongs to no file.
std::int64_t AnonymousBytes() {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word) {
    if (word != "RssAnon:") continue;
    std::int64_t kilobytes = 0;
    file >> kilobytes;
    return kilobytes * 1024;
  }
  Fail("this kernel does not tell RssAnon");
}

// In a process of its own, where nothing that others left is used again.
void PrintBytesElsewhere(std::int64_t agents) {
  const std::string argument =
      std::string(kResidentFlag) + std::to_string(agents);
  const pid_t child = fork();
  if (child < 0) Fail("fork");
  if (child == 0) {
    execl("/proc/self/exe", "meander_core_bench", argument.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) {
    Fail("the process that was to be measured failed");
  }
}

void MeasureAllocations(benchmark::State& state, const Scene& scene,
                        const Size& size) {
  SteppedScene stepped(scene, size);
  Figure figure;
  for (auto _ : state) {
    const std::int64_t first = stepped.world().tick();
    const core::AllocationCount count;
    stepped();
    figure.value = static_cast<double>(count.calls()) /
                   static_cast<double>(stepped.world().tick() - first);
  }
  figure.name = "allocations_per_tick/" + std::string(scene.name);
  figure.unit = "calls of new/tick";
  Print(stepped.Stamp(figure));
}

}  // namespace

void PrintBytesPerAgent(std::int64_t agents) {
  const std::int64_t before = AnonymousBytes();
  SteppedScene scene(kFullest, {.agents = agents, .warm_ticks = 10});
  const std::int64_t bytes = AnonymousBytes() - before;
  Figure figure;
  figure.name = Named("bytes_per_agent", agents);
  figure.value = static_cast<double>(bytes) / static_cast<double>(agents);
  figure.unit = "bytes/agent";
  Print(scene.Stamp(figure));
}

void RegisterMemory(const Suite& suite) {
  for (const Size& size : suite.sizes) {
    Register(Named("bytes_per_agent", size.agents), 1,
             [agents = size.agents](benchmark::State& state) {
               for (auto _ : state) PrintBytesElsewhere(agents);
             });
  }
  for (const Scene& scene : kScenes) {
    Register("allocations_per_tick/" + std::string(scene.name), 1,
             [scene, size = suite.small()](benchmark::State& state) {
               MeasureAllocations(state, scene, size);
             });
  }
}

}  // namespace meander::bench
