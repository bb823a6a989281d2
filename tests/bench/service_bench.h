// The benchmarks of the suite `service`. Each prints its figures, or ends the
// program when the server's answer is wrong.
#ifndef MEANDER_TESTS_BENCH_SERVICE_BENCH_H_
#define MEANDER_TESTS_BENCH_SERVICE_BENCH_H_

#include <string>

namespace meander::bench {

struct ServiceArguments {
  std::string server;
  long server_pid = 0;
  int seconds = 10;    // to measure for, about
  bool smoke = false;  // whether it works, not how fast: as little as will do
};

// Commands that four clients get admitted in batches of 1,000, beside the same
// requests refused as soon as they are parsed.
void MeasureCommands(const ServiceArguments& arguments);

// Ticks of a world of 200 players that show no new place of theirs, when a
// client sends one for each frame that it sees.
void MeasureExternalAgents(const ServiceArguments& arguments);

// How late the ticks of 60 Hz worlds are there, and reach a watcher in the
// same process, against a bare thread with a timer. Uses no server: hosts
// worlds of its own.
void MeasureLateness(const ServiceArguments& arguments);

// Worlds that are made and deleted, one after the other.
void MeasureComingAndGoing(const ServiceArguments& arguments);
// A thousand REALTIME worlds of 60 Hz in which nothing happens.
void MeasureIdleWorlds(const ServiceArguments& arguments);
// A thousand worlds of 10 agents, all of them running at 30 Hz.
void MeasureSmallWorlds(const ServiceArguments& arguments);

// A million agents in a REALTIME world: wanderers at 60 Hz, a flock in the
// plane at 20 Hz.
void MeasureMillionWanderers(const ServiceArguments& arguments);
void MeasureMillionFlocking(const ServiceArguments& arguments);

// How late light worlds are alone and beside a heavy one. As MeasureLateness,
// hosts worlds of its own.
void MeasureHeavyAndLight(const ServiceArguments& arguments);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_SERVICE_BENCH_H_
