// The benchmarks of the suite `service`. Each prints its figures, or ends the
// program when the server's answer is wrong.
#ifndef MEANDER_TESTS_BENCH_SERVICE_BENCH_H_
#define MEANDER_TESTS_BENCH_SERVICE_BENCH_H_

#include <string>

namespace meander::bench {

struct ServiceArguments {
  std::string server;
  long server_pid = 0;
  int seconds = 10;  // to measure for, about
};

// Commands that four clients get admitted in batches of 1,000, beside the same
// requests refused as soon as they are parsed.
void MeasureCommands(const ServiceArguments& arguments);

// Ticks of a world of 200 players that show no new place of theirs, when a
// client sends one for each frame that it sees.
void MeasureExternalAgents(const ServiceArguments& arguments);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_SERVICE_BENCH_H_
