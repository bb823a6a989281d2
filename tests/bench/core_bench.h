// The benchmarks of the suite `core`: each file registers its own, Google
// Benchmark picks by name and runs them, and each prints its figures itself,
// for Google's reporters know of no baseline.
#ifndef MEANDER_TESTS_BENCH_CORE_BENCH_H_
#define MEANDER_TESTS_BENCH_CORE_BENCH_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/stepped_scene.h"

namespace meander::bench {

// The unit of most.
inline constexpr char kAgentStep[] = "ns/agent-step";

struct Suite {
  std::vector<Size> sizes;  // ascending
  // Of what has one size: the first.
  const Size& small() const { return sizes.front(); }
};

// For each size, or once; in core_*.cc of their names.
void RegisterSteps(const Suite& suite);
void RegisterSpeedup(const Suite& suite);
void RegisterSimd(const Suite& suite);
void RegisterState(const Suite& suite);
void RegisterMemory(const Suite& suite);
void RegisterGallery(const Suite& suite);

// Memory that a world of so many holds, in a process that has done nothing
// else: what the program does when it is started with this flag and the number.
void PrintBytesPerAgent(std::int64_t agents);
inline constexpr std::string_view kResidentFlag = "--resident=";

// `body` measures `pairs` times in a loop over the state and prints figures.
void Register(const std::string& name, int pairs,
              std::function<void(benchmark::State&)> body);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_CORE_BENCH_H_
