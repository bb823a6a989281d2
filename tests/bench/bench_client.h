// What the benchmarks of a running server share. Each is a plain client;
// tests/bench/run.sh starts the server beside it.
#ifndef MEANDER_TESTS_BENCH_BENCH_CLIENT_H_
#define MEANDER_TESTS_BENCH_BENCH_CLIENT_H_

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"
#include "tests/bench/figure.h"

namespace meander::bench {

// Calls `take` with the name and the value of each --name=value. False when
// one has another form or `take` does not know it.
bool ParseArguments(
    int argc, char** argv,
    const std::function<bool(std::string_view, const std::string&)>& take);

// Ends the program with a message when a call has failed.
void Require(const grpc::Status& status, const char* what);

// User and system time of a process so far, in seconds.
double CpuSeconds(long pid);
// Its resident memory in megabytes (10^6 bytes).
double ResidentMegabytes(long pid);

// A connection of its own.
std::shared_ptr<grpc::Channel> Connect(const std::string& server);

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
