// What many watchers cost a running server: ticks missed, frames delivered,
// CPU time for each message.
//
// A plain client; tests/bench/run.sh starts the server beside it. Prints one
// JSON object a line. The hash in a line is the state hash of the last frame,
// and was compared with the same seed stepped by hand: a figure beside a wrong
// answer is not printed.

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/bench_watcher.h"

namespace {

namespace bench = meander::bench;
namespace v1 = meander::v1;

constexpr std::int64_t kStartTick = 30;

struct Arguments {
  std::string server;
  long server_pid = 0;
  std::int64_t agents = 1000;
  int watchers = 100;
  int seconds = 10;
};

bool Parse(int argc, char** argv, Arguments& out) {
  const bool parsed = bench::ParseArguments(
      argc, argv, [&out](std::string_view name, const std::string& value) {
        if (name == "server") {
          out.server = value;
        } else if (name == "server_pid") {
          out.server_pid = std::atol(value.c_str());
        } else if (name == "agents") {
          out.agents = std::atoll(value.c_str());
        } else if (name == "watchers") {
          out.watchers = std::atoi(value.c_str());
        } else if (name == "seconds") {
          out.seconds = std::atoi(value.c_str());
        } else {
          return false;
        }
        return true;
      });
  return parsed && !out.server.empty() && out.server_pid > 0 &&
         out.agents > 0 && out.watchers > 0 && out.seconds > 0;
}

class Bench {
 public:
  explicit Bench(const Arguments& arguments)
      : arguments_(arguments),
        channel_(grpc::CreateChannel(arguments.server,
                                     grpc::InsecureChannelCredentials())),
        worlds_(v1::WorldService::NewStub(channel_)),
        commands_(v1::CommandService::NewStub(channel_)) {}

  int Run();

 private:
  std::string MakeWorld(const std::string& id, v1::ClockMode clock) const;
  std::uint64_t HashByHand(std::int64_t tick) const;
  void Print(const std::string& name, double value, const std::string& unit,
             std::uint64_t hash) const;

  const Arguments arguments_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::WorldService::Stub> worlds_;
  const std::unique_ptr<v1::CommandService::Stub> commands_;
};

std::string Bench::MakeWorld(const std::string& id, v1::ClockMode clock) const {
  const std::string world = bench::MakeWorld(*worlds_, id, clock);
  v1::SubmitCommandsRequest submit;
  submit.set_world(world);
  v1::Command* define = submit.add_commands();
  define->set_apply_tick(kStartTick);
  v1::Archetype& archetype =
      *define->mutable_define_archetype()->mutable_archetype();
  archetype.set_id(1);
  archetype.set_max_speed(6.0f);
  archetype.set_max_force(12.0f);
  v1::WanderWorldAngle& wander =
      *archetype.add_terms()->mutable_wander_world_angle();
  wander.set_radius(2.0f);
  wander.set_distance(3.0f);
  wander.set_jitter(8.0f);
  v1::Command* spawn = submit.add_commands();
  spawn->set_apply_tick(kStartTick);
  v1::AreaPlacement& area = *spawn->mutable_spawn_agents()->mutable_area();
  area.set_count(arguments_.agents);
  area.mutable_prototype()->set_archetype_id(1);
  area.mutable_disc()->set_radius(std::min(
      2000.0f, 5.0f * std::sqrt(static_cast<float>(arguments_.agents))));
  const v1::SubmitCommandsResponse answer = bench::Submit(*commands_, submit);
  for (const v1::CommandResult& result : answer.results()) {
    if (result.admission().apply_tick() == kStartTick) continue;
    bench::Fail("a command came late");
  }
  return world;
}

std::uint64_t Bench::HashByHand(std::int64_t tick) const {
  const std::string world = MakeWorld("bench-by-hand", v1::CLOCK_MODE_MANUAL);
  return bench::StepWorld(*worlds_, world, tick).state_hash();
}

void Bench::Print(const std::string& name, double value,
                  const std::string& unit, std::uint64_t hash) const {
  bench::Print({.name = name + '/' + std::to_string(arguments_.agents) + 'x' +
                        std::to_string(arguments_.watchers),
                .value = value,
                .unit = unit,
                .hash = hash});
}

int Bench::Run() {
  const std::string world = MakeWorld("bench-live", v1::CLOCK_MODE_REALTIME);
  std::vector<std::unique_ptr<bench::Watcher>> watchers;
  for (int i = 0; i < arguments_.watchers; ++i) {
    watchers.push_back(
        std::make_unique<bench::Watcher>(arguments_.server, world));
  }
  // Connections and first frames are not what is measured.
  std::this_thread::sleep_for(std::chrono::seconds(2));

  std::vector<bench::Watcher::Counts> before;
  for (const auto& watcher : watchers) before.push_back(watcher->counts());
  const v1::World start = bench::GetWorld(*worlds_, world);
  const double cpu_start = bench::CpuSeconds(arguments_.server_pid);
  std::this_thread::sleep_for(std::chrono::seconds(arguments_.seconds));
  const double cpu = bench::CpuSeconds(arguments_.server_pid) - cpu_start;
  const v1::World end = bench::GetWorld(*worlds_, world);
  bench::Watcher::Counts total;
  bench::Watcher::Counts last;
  for (std::size_t i = 0; i < watchers.size(); ++i) {
    last = watchers[i]->counts();
    total.frames += last.frames - before[i].frames;
    total.messages += last.messages - before[i].messages;
    total.skipped += last.skipped - before[i].skipped;
  }
  for (const auto& watcher : watchers) watcher->Stop();

  if (HashByHand(last.tick) != last.hash) {
    bench::Fail("the watched state is wrong");
  }
  Print("watch_missed_ticks",
        static_cast<double>(end.slipped_ticks() - start.slipped_ticks()),
        "ticks", last.hash);
  Print("watch_ticks_per_second",
        static_cast<double>(end.tick() - start.tick()) / arguments_.seconds,
        "ticks/s", last.hash);
  Print("watch_delivered",
        100.0 * static_cast<double>(total.frames) /
            static_cast<double>(total.frames + total.skipped),
        "%", last.hash);
  Print("watch", 1e6 * cpu / static_cast<double>(total.messages),
        "us CPU/message", last.hash);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!Parse(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: meander_stream_bench --server=HOST:PORT "
                 "--server_pid=PID [--agents=N] [--watchers=N] "
                 "[--seconds=N]\nStarted by tests/bench/run.sh stream.\n");
    return 2;
  }
  return Bench(arguments).Run();
}
