// A world of a million agents on a server that nobody else uses: whether its
// ticks keep up with the clock, and what one takes.
//
// Then the same once more while somebody watches it, who is sent every agent:
// 28 MB a frame, as many as go. The client gives way to the server, as one on
// another machine would.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "server/convert/agent_convert.h"
#include "server/convert/archetype_convert.h"
#include "server/convert/world_convert.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/bench_watcher.h"
#include "tests/bench/scenes.h"
#include "tests/bench/service_bench.h"

namespace meander::bench {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kComparedTick = 5;  // with the core alone
constexpr int kStepsByHand = 100;
constexpr int kClientNice = 10;
// Whether it works, not how fast.
constexpr std::int64_t kSmokeAgents = 20'000;
constexpr int kSmokeSteps = 5;
constexpr double kSmokePatienceSeconds = 30.0;

// Of so many values in ascending order.
std::size_t P99Place(int count) {
  return static_cast<std::size_t>(std::max(count * 99 / 100 - 1, 0));
}

double SecondsNow() {
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The commands of a scene that defines one archetype and fills an area.
v1::SubmitCommandsRequest RequestOf(const std::string& world,
                                    const scenarios::Scenario& scenario) {
  v1::SubmitCommandsRequest request;
  request.set_world(world);
  convert::ToProto(
      std::get<core::DefineArchetype>(scenario.commands[0].operation).archetype,
      *request.add_commands()->mutable_define_archetype()->mutable_archetype());
  const auto& spawn =
      std::get<core::SpawnAgents>(scenario.commands[1].operation);
  const auto& from = std::get<core::AreaPlacement>(spawn.placement);
  v1::AreaPlacement& to =
      *request.add_commands()->mutable_spawn_agents()->mutable_area();
  to.set_count(from.count);
  to.mutable_prototype()->set_archetype_id(from.prototype.archetype_id);
  convert::ToProto(from.prototype.velocity,
                   *to.mutable_prototype()->mutable_velocity());
  if (const auto* box = std::get_if<core::Box>(&from.area)) {
    convert::ToProto(box->min, *to.mutable_box()->mutable_min());
    convert::ToProto(box->max, *to.mutable_box()->mutable_max());
  } else {
    const auto& disc = std::get<core::Disc>(from.area);
    convert::ToProto(disc.center, *to.mutable_disc()->mutable_center());
    to.mutable_disc()->set_radius(disc.radius);
  }
  return request;
}

class Million {
 public:
  Million(const ServiceArguments& arguments, const Scene& scene,
          std::int32_t tick_rate_hz)
      : server_(arguments.server),
        pid_(arguments.server_pid),
        seconds_(arguments.seconds),
        smoke_(arguments.smoke),
        steps_by_hand_(arguments.smoke ? kSmokeSteps : kStepsByHand),
        name_("million/" + std::string(scene.name)),
        scenario_(scene.make(arguments.smoke ? kSmokeAgents : kMillion)),
        worlds_(v1::WorldService::NewStub(Connect(arguments.server))),
        commands_(v1::CommandService::NewStub(Connect(arguments.server))) {
    scenario_.config.tick_rate_hz = tick_rate_hz;
  }

  void Measure() {
    Make();
    StepByHand();
    KeepUp("", [] { return true; });
    KeepUpWatched();
    DeleteWorld(*worlds_, world_);
  }

 private:
  void Make();
  void SetClock(v1::ClockMode mode) const;
  void StepByHand() const;
  void Span(const v1::World& before, const std::function<bool()>& seen) const;
  void KeepUp(const std::string& how, const std::function<bool()>& seen) const;
  void KeepUpWatched() const;
  void PrintFigure(const std::string& what, double value,
                   const std::string& unit, const v1::World& world) const;

  const std::string server_;
  const long pid_;
  const int seconds_;
  const bool smoke_;
  const int steps_by_hand_;
  const std::string name_;
  scenarios::Scenario scenario_;
  const std::unique_ptr<v1::WorldService::Stub> worlds_;
  const std::unique_ptr<v1::CommandService::Stub> commands_;
  std::string world_;
};

void Million::PrintFigure(const std::string& what, double value,
                          const std::string& unit,
                          const v1::World& world) const {
  Figure figure;
  figure.name = name_ + '/' + what;
  figure.value = value;
  figure.unit = unit;
  figure.hash = world.state_hash();
  figure.tick = world.tick();
  Print(figure);
}

// By hand up to a tick at which it must be what the core alone makes of it.
void Million::Make() {
  v1::CreateWorldRequest request;
  request.set_world_id("million");
  convert::ToProto({scenario_.config, scenario_.seed},
                   *request.mutable_world()->mutable_simulation());
  request.mutable_world()->mutable_hosting()->set_clock_mode(
      v1::CLOCK_MODE_MANUAL);
  grpc::ClientContext context;
  v1::World made;
  Require(worlds_->CreateWorld(&context, request, &made), "CreateWorld");
  world_ = made.name();
  Submit(*commands_, RequestOf(world_, scenario_));
  const std::uint64_t hash =
      StepWorld(*worlds_, world_, kComparedTick).state_hash();
  scenarios::ScenarioRun alone(scenario_);
  core::SerialFor serial;
  alone.UseSimd(SimdInUse());
  alone.StepTo(kComparedTick, serial);
  if (alone.world().Hash(serial).value != hash) {
    Fail(name_ + ": the server's world is another than the core's");
  }
}

void Million::SetClock(v1::ClockMode mode) const {
  v1::UpdateWorldRequest request;
  request.mutable_world()->set_name(world_);
  request.mutable_world()->mutable_hosting()->set_clock_mode(mode);
  request.mutable_update_mask()->add_paths("hosting.clock_mode");
  grpc::ClientContext context;
  v1::World changed;
  Require(worlds_->UpdateWorld(&context, request, &changed), "UpdateWorld");
}

// One call a tick, to a tick that is the same on every machine.
void Million::StepByHand() const {
  std::vector<double> milliseconds;
  double sum = 0.0;
  for (int step = 0; step < steps_by_hand_; ++step) {
    const double start = SecondsNow();
    StepWorld(*worlds_, world_, 1);
    milliseconds.push_back(1e3 * (SecondsNow() - start));
    sum += milliseconds.back();
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const v1::World last = GetWorld(*worlds_, world_);
  PrintFigure("step_mean", sum / steps_by_hand_, "ms", last);
  PrintFigure("step_p99", milliseconds[P99Place(steps_by_hand_)], "ms", last);
}

// The time that is measured. Of a smoke run it is as long as it takes to make a
// tick and to have `seen` something, on whatever machine.
void Million::Span(const v1::World& before,
                   const std::function<bool()>& seen) const {
  if (!smoke_) {
    std::this_thread::sleep_for(std::chrono::seconds(seconds_));
    return;
  }
  const double end = SecondsNow() + kSmokePatienceSeconds;
  while (GetWorld(*worlds_, world_).tick() == before.tick() || !seen()) {
    if (SecondsNow() > end) Fail(name_ + ": nothing goes on");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// `how` goes before the names of the figures.
void Million::KeepUp(const std::string& how,
                     const std::function<bool()>& seen) const {
  SetClock(v1::CLOCK_MODE_REALTIME);
  const double start = SecondsNow();
  const double cpu = CpuSeconds(pid_);
  const v1::World before = GetWorld(*worlds_, world_);
  Span(before, seen);
  const v1::World after = GetWorld(*worlds_, world_);
  const double spent = SecondsNow() - start;
  const double used = CpuSeconds(pid_) - cpu;
  SetClock(v1::CLOCK_MODE_MANUAL);
  const v1::World at_rest = GetWorld(*worlds_, world_);
  const auto made = static_cast<double>(after.tick() - before.tick());
  if (made == 0.0) Fail(name_ + ": no tick was made");
  PrintFigure(how + "ticks_wanted",
              std::floor(spent * scenario_.config.tick_rate_hz), "ticks",
              at_rest);
  PrintFigure(how + "ticks_made", made, "ticks", at_rest);
  PrintFigure(
      how + "missed_ticks",
      static_cast<double>(after.slipped_ticks() - before.slipped_ticks()),
      "ticks", at_rest);
  PrintFigure(how + "tick_cpu", 1e3 * used / made, "ms CPU/tick", at_rest);
  PrintFigure(how + "server_cpu", 100.0 * used / spent, "% of a processor",
              at_rest);
}

void Million::KeepUpWatched() const {
  Watcher watcher(server_, world_);
  // A connection's threads take over its first frame.
  while (watcher.counts().frames == 0) {
    if (const auto end = watcher.end()) {
      Require(*end, "WatchWorld");
      Fail(name_ + ": WatchWorld has ended before its first frame");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Watcher::Counts before = watcher.counts();
  const double start = SecondsNow();
  const double cpu = CpuSeconds(getpid());
  KeepUp("watched/", [&] {
    if (const auto end = watcher.end()) Require(*end, "WatchWorld");
    return watcher.counts().frames > before.frames;
  });
  const double spent = SecondsNow() - start;
  const Watcher::Counts after = watcher.counts();
  const double used = CpuSeconds(getpid()) - cpu;
  watcher.Stop();
  const v1::World world = GetWorld(*worlds_, world_);
  const auto frames = static_cast<double>(after.frames - before.frames);
  if (frames == 0.0) Fail(name_ + ": the watcher was shown nothing");
  PrintFigure("watched/frames", frames / spent, "frames/s", world);
  PrintFigure("watched/client_cpu", 100.0 * used / spent, "% of a processor",
              world);
}

// Before the first connection, which starts threads. A smoke run is to end.
void GiveWay(const ServiceArguments& arguments) {
  if (arguments.smoke) return;
  if (setpriority(PRIO_PROCESS, 0, kClientNice) != 0) Fail("setpriority");
}

}  // namespace

void MeasureMillionWanderers(const ServiceArguments& arguments) {
  GiveWay(arguments);
  Million(arguments, {"wander", Wander, false}, 60).Measure();
}

void MeasureMillionFlocking(const ServiceArguments& arguments) {
  GiveWay(arguments);
  Million(arguments, {"flock2d", Flock2d, true}, 20).Measure();
}

}  // namespace meander::bench
