#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "tests/bench/bench_client.h"
#include "tests/bench/service_bench.h"

namespace meander::bench {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr int kWorlds = 1'000;
constexpr int kSmallWorldHz = 30;
constexpr int kAgentsOfASmallWorld = 10;
constexpr int kComeAndGo = 2'000;

class Bench {
 public:
  explicit Bench(const ServiceArguments& arguments)
      : pid_(arguments.server_pid),
        span_(arguments.seconds),
        channel_(Connect(arguments.server)),
        worlds_(v1::WorldService::NewStub(channel_)),
        commands_(v1::CommandService::NewStub(channel_)) {}

  void ComeAndGo();
  void IdleWorlds();
  void SmallWorlds();

 private:
  struct Progress {
    std::int64_t ticks = 0;
    std::int64_t slipped = 0;
    std::uint64_t hash = 0;  // of one of them
  };

  static std::string Name(int i) { return "w" + std::to_string(i); }
  void Create(const std::string& id, int tick_rate_hz) const;
  void Delete(const std::string& id) const {
    DeleteWorld(*worlds_, "worlds/" + id);
  }
  void Populate(const std::string& id, int agents) const;
  Progress TotalProgress() const;
  // CPU time of the server while it is measured, in seconds.
  double CpuOverSpan() const;

  const long pid_;
  const Seconds span_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::WorldService::Stub> worlds_;
  const std::unique_ptr<v1::CommandService::Stub> commands_;
};

void Bench::Create(const std::string& id, int tick_rate_hz) const {
  grpc::ClientContext context;
  v1::CreateWorldRequest request;
  request.set_world_id(id);
  v1::SimulationConfig& simulation =
      *request.mutable_world()->mutable_simulation();
  simulation.set_seed(1);
  simulation.set_tick_rate_hz(tick_rate_hz);
  simulation.set_plane(v1::PLANE_XY);
  v1::World world;
  Require(worlds_->CreateWorld(&context, request, &world), "CreateWorld");
}

void Bench::Populate(const std::string& id, int agents) const {
  v1::SubmitCommandsRequest request;
  request.set_world("worlds/" + id);
  v1::Archetype& archetype =
      *request.add_commands()->mutable_define_archetype()->mutable_archetype();
  archetype.set_id(1);
  archetype.set_max_speed(6.0f);
  archetype.set_max_force(12.0f);
  v1::WanderWorldAngle& wander =
      *archetype.add_terms()->mutable_wander_world_angle();
  wander.set_radius(2.0f);
  wander.set_distance(3.0f);
  wander.set_jitter(8.0f);
  v1::AreaPlacement& area =
      *request.add_commands()->mutable_spawn_agents()->mutable_area();
  area.set_count(agents);
  area.mutable_prototype()->set_archetype_id(1);
  area.mutable_disc()->set_radius(100.0f);
  Submit(*commands_, request);
}

Bench::Progress Bench::TotalProgress() const {
  Progress total;
  v1::ListWorldsRequest request;
  request.set_page_size(1000);
  do {
    grpc::ClientContext context;
    v1::ListWorldsResponse response;
    Require(worlds_->ListWorlds(&context, request, &response), "ListWorlds");
    for (const v1::World& world : response.worlds()) {
      total.ticks += world.tick();
      total.slipped += world.slipped_ticks();
      total.hash = world.state_hash();
    }
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return total;
}

double Bench::CpuOverSpan() const {
  const double before = CpuSeconds(pid_);
  std::this_thread::sleep_for(span_);
  return CpuSeconds(pid_) - before;
}

void Bench::ComeAndGo() {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kComeAndGo; ++i) {
    Create("brief", 60);
    Delete("brief");
  }
  const Seconds spent = std::chrono::steady_clock::now() - start;
  Print({.name = "create_and_delete_world",
         .value = 1e3 * spent.count() / kComeAndGo,
         .unit = "ms",
         .hash = {},
         .baseline = {}});
}

// REALTIME worlds of 60 Hz in which nothing happens.
void Bench::IdleWorlds() {
  for (int i = 0; i < kWorlds; ++i) Create(Name(i), 60);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const double cpu = CpuOverSpan();
  const double resident = ResidentMegabytes(pid_);
  const Progress progress = TotalProgress();
  const std::string scene = "/" + std::to_string(kWorlds);
  Print({.name = "idle_rss" + scene,
         .value = resident,
         .unit = "MB",
         .hash = {},
         .baseline = {}});
  Print({.name = "idle_cpu" + scene,
         .value = 100.0 * cpu / span_.count(),
         .unit = "% of a core",
         .hash = {},
         .baseline = {}});
  Print({.name = "idle_missed_ticks" + scene,
         .value = static_cast<double>(progress.slipped),
         .unit = "ticks",
         .hash = progress.hash,
         .baseline = {}});
  for (int i = 0; i < kWorlds; ++i) Delete(Name(i));
}

// As many as are allowed, all of them running.
void Bench::SmallWorlds() {
  for (int i = 0; i < kWorlds; ++i) {
    Create(Name(i), kSmallWorldHz);
    Populate(Name(i), kAgentsOfASmallWorld);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const Progress before = TotalProgress();
  const double cpu = CpuOverSpan();
  const Progress after = TotalProgress();
  const auto ticks = static_cast<double>(after.ticks - before.ticks);
  const std::string scene = "/" + std::to_string(kWorlds) + "x" +
                            std::to_string(kAgentsOfASmallWorld) + "@" +
                            std::to_string(kSmallWorldHz);
  Print({.name = "small_worlds_missed_ticks" + scene,
         .value = static_cast<double>(after.slipped - before.slipped),
         .unit = "ticks",
         .hash = after.hash,
         .baseline = {}});
  Print({.name = "small_worlds_cpu" + scene,
         .value = 100.0 * cpu / span_.count(),
         .unit = "% of a core",
         .hash = after.hash,
         .baseline = {}});
  Print({.name = "small_worlds_tick" + scene,
         .value = 1e6 * cpu / ticks,
         .unit = "us CPU/tick",
         .hash = after.hash,
         .baseline = {}});
  for (int i = 0; i < kWorlds; ++i) Delete(Name(i));
}

}  // namespace

void MeasureComingAndGoing(const ServiceArguments& arguments) {
  Bench(arguments).ComeAndGo();
}

void MeasureIdleWorlds(const ServiceArguments& arguments) {
  Bench(arguments).IdleWorlds();
}

void MeasureSmallWorlds(const ServiceArguments& arguments) {
  Bench(arguments).SmallWorlds();
}

}  // namespace meander::bench
