// What the benchmarks of a running server share. Each is a plain client;
// tests/bench/run.sh starts the server beside it.
#ifndef MEANDER_TESTS_BENCH_BENCH_CLIENT_H_
#define MEANDER_TESTS_BENCH_BENCH_CLIENT_H_

#include <grpcpp/grpcpp.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"

namespace meander::bench {

// Calls `take` with the name and the value of each --name=value. False when
// one has another form or `take` does not know it.
bool ParseArguments(
    int argc, char** argv,
    const std::function<bool(std::string_view, const std::string&)>& take);

// Ends the program with a message.
[[noreturn]] void Fail(const std::string& what);
// The same when a call has failed.
void Require(const grpc::Status& status, const char* what);

// User and system time of a process so far, in seconds.
double CpuSeconds(long pid);
// Its resident memory in megabytes (10^6 bytes).
double ResidentMegabytes(long pid);

// A connection of its own.
std::shared_ptr<grpc::Channel> Connect(const std::string& server);

double Median(std::vector<double> values);
// The medians of the lower and the upper half.
std::array<double, 2> Quartiles(std::vector<double> values);

// One measured figure. The hash, where states were computed, says that the
// answer was right: a figure beside a wrong one is not printed.
struct Figure {
  std::string name;
  double value = 0.0;
  std::string unit;
  std::optional<std::uint64_t> hash;
  std::string baseline;  // "" for none
  double ratio = 0.0;    // value over that of the baseline
  // Of the repetitions of which the value is the median, if it is one.
  std::optional<std::array<double, 2>> quartiles = {};
};
// As a JSON object on a line.
void Print(const Figure& figure);

// Makes a world of seed 1 in the XY plane that takes 60 ticks a second.
std::string MakeWorld(v1::WorldService::Stub& worlds, const std::string& id,
                      v1::ClockMode clock);
v1::World GetWorld(v1::WorldService::Stub& worlds, const std::string& name);
void DeleteWorld(v1::WorldService::Stub& worlds, const std::string& name);
v1::StepWorldResponse StepWorld(v1::WorldService::Stub& worlds,
                                const std::string& name, std::int64_t ticks);
// Admits every command, or ends the program.
v1::SubmitCommandsResponse Submit(v1::CommandService::Stub& commands,
                                  const v1::SubmitCommandsRequest& request);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_BENCH_CLIENT_H_
