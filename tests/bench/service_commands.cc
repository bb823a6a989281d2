#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/bench_client.h"
#include "tests/bench/service_bench.h"
#include "tests/bench/service_players.h"

namespace meander::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kClients = 4;
constexpr int kBatch = 1'000;
constexpr int kPairs = 5;

// Moves players one by one, in a way of its own.
class Submitter {
 public:
  Submitter(const std::string& server, const std::string& world, int number)
      : stub_(v1::CommandService::NewStub(Connect(server))) {
    request_.set_world(world);
    for (int player = 1; player <= kBatch; ++player) {
      v1::AgentMotion& motion =
          *request_.add_commands()->mutable_set_motion()->add_motions();
      motion.set_agent_id(player);
      motion.mutable_position()->set_x(static_cast<float>(player));
      motion.mutable_position()->set_y(static_cast<float>(number));
      motion.mutable_velocity()->set_x(1.0f);
    }
    refused_ = request_;
    refused_.set_world("worlds/nobody-made-this");
  }

  // Until the deadline; returns how many commands were admitted.
  std::size_t SubmitUntil(Clock::time_point deadline) {
    const std::size_t before = sent_.size();
    while (Clock::now() < deadline) {
      grpc::ClientContext context;
      v1::SubmitCommandsResponse response;
      Require(stub_->SubmitCommands(&context, request_, &response),
              "SubmitCommands");
      AddSent(request_, response, sent_);
    }
    return sent_.size() - before;
  }
  // The same with requests that the server only parses.
  std::size_t BeRefusedUntil(Clock::time_point deadline) {
    std::size_t commands = 0;
    while (Clock::now() < deadline) {
      grpc::ClientContext context;
      v1::SubmitCommandsResponse response;
      const grpc::Status status =
          stub_->SubmitCommands(&context, refused_, &response);
      if (status.error_code() != grpc::StatusCode::NOT_FOUND) {
        Fail("a world that is not there took commands");
      }
      commands += kBatch;
    }
    return commands;
  }

  const std::vector<Sent>& sent() const { return sent_; }

 private:
  std::unique_ptr<v1::CommandService::Stub> stub_;
  v1::SubmitCommandsRequest request_;
  v1::SubmitCommandsRequest refused_;
  std::vector<Sent> sent_;
};

using Run = std::size_t (Submitter::*)(Clock::time_point);

struct Rates {
  std::vector<double> per_second;
  std::vector<double> cpu;  // microseconds of the server for each
};

void Measure(std::vector<std::unique_ptr<Submitter>>& submitters, Run run,
             const ServiceArguments& arguments, Rates& rates) {
  const double cpu_start = CpuSeconds(arguments.server_pid);
  const auto start = Clock::now();
  const auto deadline =
      start + std::chrono::milliseconds(1'000) * arguments.seconds / 10;
  std::vector<std::size_t> counts(submitters.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < submitters.size(); ++i) {
    threads.emplace_back(
        [&, i] { counts[i] = (submitters[i].get()->*run)(deadline); });
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> took = Clock::now() - start;
  const double cpu = CpuSeconds(arguments.server_pid) - cpu_start;
  std::size_t commands = 0;
  for (const std::size_t count : counts) commands += count;
  rates.per_second.push_back(static_cast<double>(commands) / took.count());
  rates.cpu.push_back(1e6 * cpu / static_cast<double>(commands));
}

}  // namespace

void MeasureCommands(const ServiceArguments& arguments) {
  const auto channel = Connect(arguments.server);
  const auto worlds = v1::WorldService::NewStub(channel);
  const auto commands = v1::CommandService::NewStub(channel);
  const std::string world =
      MakeWorld(*worlds, "bench-live", v1::CLOCK_MODE_REALTIME);
  const v1::SubmitCommandsRequest spawn = SpawnPlayers(world, kBatch);
  std::vector<Sent> sent;
  AddSent(spawn, Submit(*commands, spawn), sent);

  std::vector<std::unique_ptr<Submitter>> submitters;
  for (int i = 0; i < kClients; ++i) {
    submitters.push_back(
        std::make_unique<Submitter>(arguments.server, world, i));
  }
  Rates admitted;
  Rates refused;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool first = pair % 2 == 0;
    const auto admit = [&] {
      Measure(submitters, &Submitter::SubmitUntil, arguments, admitted);
    };
    if (first) admit();
    Measure(submitters, &Submitter::BeRefusedUntil, arguments, refused);
    if (!first) admit();
  }

  for (const auto& submitter : submitters) {
    sent.insert(sent.end(), submitter->sent().begin(), submitter->sent().end());
  }
  v1::World live = GetWorld(*worlds, world);
  while (live.pending_command_count() > 0) live = GetWorld(*worlds, world);
  DeleteWorld(*worlds, world);
  if (HashByHand(*worlds, *commands, sent, live.tick()) != live.state_hash()) {
    Fail("the commands made another world than they do by hand");
  }
  const auto print = [&](const char* name, const char* unit,
                         const std::vector<double>& value,
                         const std::vector<double>& baseline) {
    Print({.name = name,
           .value = Median(value),
           .unit = unit,
           .hash = live.state_hash(),
           .baseline = "parsed_and_refused",
           .ratio = Median(value) / Median(baseline)});
  };
  print("commands_per_second", "commands/s", admitted.per_second,
        refused.per_second);
  print("command_cpu", "us CPU/command", admitted.cpu, refused.cpu);
}

}  // namespace meander::bench
