// What many watchers cost a running server: ticks missed, frames delivered,
// CPU time for each message.
//
// A plain client; tests/bench/run.sh starts the server beside it. Prints one
// JSON object a line. The hash in a line is the state hash of the last frame,
// and was compared with the same seed stepped by hand: a figure beside a wrong
// answer is not printed.

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/stream_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"

namespace {

namespace v1 = meander::v1;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kStartTick = 30;
constexpr int kTickRateHz = 60;

struct Arguments {
  std::string server;
  long server_pid = 0;
  std::int64_t agents = 1000;
  int watchers = 100;
  int seconds = 10;
};

bool Parse(int argc, char** argv, Arguments& out) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = argument.substr(0, equals);
    const std::string value(argument.substr(equals + 1));
    if (name == "--server") {
      out.server = value;
    } else if (name == "--server_pid") {
      out.server_pid = std::atol(value.c_str());
    } else if (name == "--agents") {
      out.agents = std::atoll(value.c_str());
    } else if (name == "--watchers") {
      out.watchers = std::atoi(value.c_str());
    } else if (name == "--seconds") {
      out.seconds = std::atoi(value.c_str());
    } else {
      return false;
    }
  }
  return !out.server.empty() && out.server_pid > 0 && out.agents > 0 &&
         out.watchers > 0 && out.seconds > 0;
}

void Require(const grpc::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "stream_bench: %s: %s\n", what,
               status.error_message().c_str());
  std::exit(1);
}

// User and system time of a process so far, in seconds.
double CpuSeconds(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0.0;
  double system = 0.0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// One reader with a connection of its own. Ends by itself when cancelled.
class Watcher final : public grpc::ClientReadReactor<v1::Frame> {
 public:
  Watcher(const std::string& server, const std::string& world) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    channel_ = grpc::CreateCustomChannel(
        server, grpc::InsecureChannelCredentials(), arguments);
    stub_ = v1::StreamService::NewStub(channel_);
    request_.set_world(world);
    stub_->async()->WatchWorld(&context_, &request_, this);
    StartRead(&part_);
    StartCall();
  }

  struct Counts {
    std::int64_t frames = 0;
    std::int64_t messages = 0;
    std::int64_t skipped = 0;
    std::int64_t tick = 0;
    std::uint64_t hash = 0;
  };
  Counts counts() {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

  void Stop() {
    context_.TryCancel();
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return over_; });
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    {
      const std::lock_guard lock(mutex_);
      ++counts_.messages;
      counts_.skipped += part_.skipped();
      if (part_.part() + 1 == part_.parts()) {
        ++counts_.frames;
        counts_.tick = part_.tick();
        counts_.hash = part_.state_hash();
      }
    }
    StartRead(&part_);
  }
  void OnDone(const grpc::Status& /*status*/) override {
    const std::lock_guard lock(mutex_);
    over_ = true;
    ended_.notify_all();
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::StreamService::Stub> stub_;
  grpc::ClientContext context_;
  v1::WatchWorldRequest request_;
  v1::Frame part_;
  std::mutex mutex_;  // guards all below
  std::condition_variable ended_;
  Counts counts_;
  bool over_ = false;
};

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
  void MakeWorld(const std::string& id, v1::ClockMode clock) const;
  v1::World Get(const std::string& id) const;
  std::uint64_t HashByHand(std::int64_t tick) const;
  void Print(const char* name, double value, const char* unit,
             std::uint64_t hash) const;

  const Arguments arguments_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::WorldService::Stub> worlds_;
  const std::unique_ptr<v1::CommandService::Stub> commands_;
};

void Bench::MakeWorld(const std::string& id, v1::ClockMode clock) const {
  v1::CreateWorldRequest create;
  create.set_world_id(id);
  v1::World& world = *create.mutable_world();
  world.mutable_simulation()->set_seed(1);
  world.mutable_simulation()->set_tick_rate_hz(kTickRateHz);
  world.mutable_simulation()->set_plane(v1::PLANE_XY);
  world.mutable_hosting()->set_clock_mode(clock);
  grpc::ClientContext create_context;
  Require(worlds_->CreateWorld(&create_context, create, &world), "CreateWorld");

  v1::SubmitCommandsRequest submit;
  submit.set_world(world.name());
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
  v1::SubmitCommandsResponse answer;
  grpc::ClientContext submit_context;
  Require(commands_->SubmitCommands(&submit_context, submit, &answer),
          "SubmitCommands");
  for (const v1::CommandResult& result : answer.results()) {
    if (result.admission().apply_tick() == kStartTick) continue;
    std::fprintf(stderr, "stream_bench: a command was refused or late\n");
    std::exit(1);
  }
}

v1::World Bench::Get(const std::string& id) const {
  grpc::ClientContext context;
  v1::GetWorldRequest request;
  request.set_name("worlds/" + id);
  v1::World world;
  Require(worlds_->GetWorld(&context, request, &world), "GetWorld");
  return world;
}

std::uint64_t Bench::HashByHand(std::int64_t tick) const {
  MakeWorld("bench-by-hand", v1::CLOCK_MODE_MANUAL);
  grpc::ClientContext context;
  v1::StepWorldRequest request;
  request.set_name("worlds/bench-by-hand");
  request.set_ticks(tick);
  v1::StepWorldResponse response;
  Require(worlds_->StepWorld(&context, request, &response), "StepWorld");
  return response.state_hash();
}

void Bench::Print(const char* name, double value, const char* unit,
                  std::uint64_t hash) const {
  std::printf("{\"bench\": \"%s/%" PRId64
              "x%d\", \"value\": %.6g, \"unit\": \"%s\", \"hash\": "
              "\"%016" PRIx64 "\"}\n",
              name, arguments_.agents, arguments_.watchers, value, unit, hash);
}

int Bench::Run() {
  MakeWorld("bench-live", v1::CLOCK_MODE_REALTIME);
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < arguments_.watchers; ++i) {
    watchers.push_back(
        std::make_unique<Watcher>(arguments_.server, "worlds/bench-live"));
  }
  // Connections and first frames are not what is measured.
  std::this_thread::sleep_for(std::chrono::seconds(2));

  std::vector<Watcher::Counts> before;
  for (const auto& watcher : watchers) before.push_back(watcher->counts());
  const v1::World start = Get("bench-live");
  const double cpu_start = CpuSeconds(arguments_.server_pid);
  std::this_thread::sleep_for(std::chrono::seconds(arguments_.seconds));
  const double cpu = CpuSeconds(arguments_.server_pid) - cpu_start;
  const v1::World end = Get("bench-live");
  Watcher::Counts total;
  Watcher::Counts last;
  for (std::size_t i = 0; i < watchers.size(); ++i) {
    last = watchers[i]->counts();
    total.frames += last.frames - before[i].frames;
    total.messages += last.messages - before[i].messages;
    total.skipped += last.skipped - before[i].skipped;
  }
  for (const auto& watcher : watchers) watcher->Stop();

  if (HashByHand(last.tick) != last.hash) {
    std::fprintf(stderr, "stream_bench: the watched state is wrong\n");
    return 1;
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
