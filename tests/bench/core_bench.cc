// What the core costs, without a server: steps of whole worlds, their hash,
// snapshots and memory. Prints a JSON object a line; README.md says how to read
// them.
//
//   meander_core_bench [--smoke] [--benchmark_filter=REGEX] ...
//
// --smoke measures tiny worlds once, to see that everything runs.

#include "tests/bench/core_bench.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace meander::bench {
namespace {

// Figures are printed by those that measured them.
class SilentReporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

Suite FullSuite() {
  return {
      {{.agents = 10'000, .warm_ticks = 60, .sample_ticks = 10, .pairs = 11},
       {.agents = 100'000, .warm_ticks = 20, .sample_ticks = 2, .pairs = 11},
       {.agents = 1'000'000, .warm_ticks = 10, .sample_ticks = 1, .pairs = 5}}};
}

Suite SmokeSuite() {
  return {{{.agents = 300, .warm_ticks = 5, .sample_ticks = 1, .pairs = 1},
           {.agents = 900, .warm_ticks = 5, .sample_ticks = 1, .pairs = 1}}};
}

}  // namespace

void Register(const std::string& name, int pairs,
              std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))
      ->Iterations(pairs);
}

namespace {

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string_view argument = argc == 2 ? argv[1] : "";
  if (argument.starts_with(kResidentFlag)) {
    PrintBytesPerAgent(std::atoll(argv[1] + kResidentFlag.size()));
    return 0;
  }
  SimdInUse();  // or the end, before anything is measured
  const bool smoke = argument == "--smoke";
  if (argc > 1 && !smoke) {
    std::fprintf(stderr,
                 "usage: meander_core_bench [--smoke] "
                 "[--benchmark_filter=REGEX] [--benchmark_list_tests]\n");
    return 2;
  }
  const Suite suite = smoke ? SmokeSuite() : FullSuite();
  RegisterSteps(suite);
  RegisterSpeedup(suite);
  RegisterSimd(suite);
  RegisterState(suite);
  RegisterMemory(suite);
  RegisterGallery(suite);
  SilentReporter reporter;
  return benchmark::RunSpecifiedBenchmarks(&reporter) > 0 ? 0 : 1;
}

}  // namespace
}  // namespace meander::bench

int main(int argc, char** argv) { return meander::bench::Main(argc, argv); }
