// Worlds are hosted as a server hosts them, without the network. A tick is
// there when its state is published, for then whoever asks is given it; a
// watcher is given its frame by another thread, later. Both moments are noted
// against a bare thread with a timer, which runs alone before or after.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/hosting/world_host.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/service_bench.h"
#include "tests/server/hosting/hooked_log.h"

namespace meander::bench {
namespace {

using std::chrono::nanoseconds;

constexpr std::int32_t kTickRateHz = 60;
constexpr std::int64_t kTicks = 240;     // of a stretch
constexpr std::int64_t kFirstTick = 30;  // those before are not measured
constexpr int kPairs = 5;                // of stretches, bare and hosted

nanoseconds DueOf(nanoseconds start, std::int64_t tick) {
  return start + nanoseconds(tick * 1'000'000'000 / kTickRateHz);
}

// In milliseconds.
double P99(std::vector<nanoseconds>& values) {
  const auto place = static_cast<std::ptrdiff_t>(
      0.99 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(place)].count()) /
         1e6;
}

// When something happened to the measured ticks of a world, told in the order
// of ticks. One that is left out happens with the next.
class Moments {
 public:
  void Note(std::int64_t tick, nanoseconds time) {
    const std::lock_guard lock(mutex_);
    for (; next_ < kFirstTick + kTicks && next_ <= tick; ++next_) {
      if (next_ >= kFirstTick) times_.push_back(time);
    }
    if (next_ == kFirstTick + kTicks) complete_.notify_all();
  }
  void Await() {
    std::unique_lock lock(mutex_);
    complete_.wait(lock, [this] { return next_ == kFirstTick + kTicks; });
  }
  // How late they were. Once complete.
  void AddLateness(nanoseconds start, std::vector<nanoseconds>& out) const {
    std::int64_t tick = kFirstTick;
    for (const nanoseconds time : times_) {
      out.push_back(time - DueOf(start, tick++));
    }
  }

 private:
  std::mutex mutex_;  // guards all below
  std::condition_variable complete_;
  std::int64_t next_ = 0;
  std::vector<nanoseconds> times_;
};

// A world and what became of its ticks: the watcher, too.
class WatchedWorld final : public stream::FrameSink {
 public:
  explicit WatchedWorld(const hosting::Clock& clock)
      : clock_(clock),
        subscription_(std::make_shared<stream::Subscription>(
            stream::View{.interval_ticks = 1}, *this)) {}

  const std::shared_ptr<stream::Subscription>& subscription() const {
    return subscription_;
  }

  // All frames of a world come from one thread.
  void Write(std::shared_ptr<const stream::EncodedFrame> frame, std::size_t,
             const stream::OwnFields&) override {
    delivered.Note(frame->tick, clock_.Now());
    subscription_->WriteDone(true);
  }
  void Finish(std::optional<core::Error> /*error*/) override {
    finished_ = true;
    finished_.notify_all();
  }
  void AwaitFinish() const { finished_.wait(false); }

  std::shared_ptr<hosting::WorldHost> host;
  nanoseconds start{0};
  Moments published;
  Moments delivered;

 private:
  const hosting::Clock& clock_;
  const std::shared_ptr<stream::Subscription> subscription_;
  std::atomic<bool> finished_ = false;
};

// What the calling thread is at: the tick it takes, until that is published.
thread_local WatchedWorld* t_world = nullptr;
thread_local std::int64_t t_tick = 0;
thread_local nanoseconds t_last_time{0};

// The real clock. A turn looks at it right after each tick: then the state that
// any reader would be given from now on is found to be the tick's.
class ObservingClock final : public hosting::Clock {
 public:
  nanoseconds Now() const override {
    t_last_time = clock_.Now();
    if (t_world != nullptr) {
      const auto state = t_world->host->stream().Current();
      if (state && state->tick >= t_tick) {
        std::exchange(t_world, nullptr)->published.Note(t_tick, t_last_time);
      }
    }
    return t_last_time;
  }
  void WaitUntil(std::unique_lock<std::mutex>& lock,
                 std::condition_variable& condition,
                 nanoseconds deadline) override {
    clock_.WaitUntil(lock, condition, deadline);
  }

 private:
  hosting::MonotonicClock clock_;
};

// A thread that does nothing but wake up when a tick would be due.
double BareTimer() {
  hosting::MonotonicClock clock;
  const nanoseconds start = clock.Now();
  std::vector<nanoseconds> lateness;
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  for (std::int64_t tick = 1; tick <= kTicks; ++tick) {
    const nanoseconds due = DueOf(start, tick);
    while (clock.Now() < due) clock.WaitUntil(lock, never, due);
    lateness.push_back(clock.Now() - due);
  }
  return P99(lateness);
}

void Populate(hosting::WorldHost& host, std::int64_t agents) {
  core::Archetype archetype;
  archetype.id = 1;
  archetype.max_speed = 6.0f;
  archetype.max_force = 12.0f;
  archetype.terms = {{.behavior = core::WanderWorldAngle{
                          .radius = 2.0f, .distance = 3.0f, .jitter = 8.0f}}};
  std::vector<hosting::BatchCommand> batch;
  batch.emplace_back(core::Command{0, core::DefineArchetype{archetype}});
  batch.emplace_back(core::Command{
      0, core::SpawnAgents{core::AreaPlacement{
             .count = agents,
             .prototype = {.archetype_id = 1},
             .area = core::Disc{.center = {}, .radius = 100.0f}}}});
  // One for each tick, so that the log is asked for each.
  for (std::int64_t tick = kFirstTick; tick < kFirstTick + kTicks; ++tick) {
    batch.emplace_back(core::Command{
        tick, core::SetTarget{.agent_ids = {1}, .slot = 0, .target = {}}});
  }
  const auto submission = host.Submit(batch);
  if (!submission.ok()) Fail("a world could not be made");
  for (const auto& result : submission->results) {
    if (!result.ok()) Fail("a command was refused: " + result.error().reason);
  }
}

struct Lateness {
  double published = 0.0;  // p99, in milliseconds
  double delivered = 0.0;
  std::int64_t slipped = 0;
};

// `count` worlds of `agents` agents each, for a stretch.
Lateness Host(int count, std::int64_t agents) {
  hosting::Limits limits;
  ObservingClock clock;
  std::deque<WatchedWorld> worlds;  // outlives the threads below
  // The log is asked for the commands of a tick by the thread that takes it.
  hosting::HookedLog log;
  log.on_collect = [&worlds](std::string_view uid, std::int64_t tick) {
    t_world = nullptr;
    if (tick < kFirstTick || tick >= kFirstTick + kTicks) return;
    t_world = &worlds[std::stoul(std::string(uid))];
    t_tick = tick;
  };
  hosting::AgentBudget budget(limits.max_agents_total);
  stream::Broadcaster broadcaster(1);
  hosting::WorkerPool workers(clock);
  const hosting::HostContext context{
      limits,
      clock,
      log,
      budget,
      broadcaster,
      workers,
      [](const stream::View&, const stream::PublishedState& state) {
        return stream::EncodedFrame{state.tick, {std::string(1, 'x')}};
      },
      1};
  core::SimulationConfig config;
  config.tick_rate_hz = kTickRateHz;
  config.plane = core::Plane::kXY;
  for (int i = 0; i < count; ++i) worlds.emplace_back(clock);
  for (int i = 0; i < count; ++i) {
    WatchedWorld& world = worlds[static_cast<std::size_t>(i)];
    const auto host =
        hosting::WorldHost::Create(context,
                                   {.id = "w",
                                    .uid = std::to_string(i),
                                    .config = core::Normalized(config),
                                    .seed = static_cast<std::uint64_t>(i)},
                                   {});
    if (!host.ok()) Fail("a world could not be made");
    // The last thing that making a world does with the clock is to start.
    world.start = t_last_time;
    world.host = *host;
    Populate(**host, agents);
    (*host)->Subscribe(world.subscription());
  }
  Lateness result;
  std::vector<nanoseconds> published;
  std::vector<nanoseconds> delivered;
  for (WatchedWorld& world : worlds) {
    world.published.Await();
    world.delivered.Await();
  }
  for (WatchedWorld& world : worlds) {
    result.slipped += world.host->Status()->slipped_ticks;
    world.host->Close({core::ErrorCode::kDraining, "", "the run is over"});
    world.AwaitFinish();
    world.published.AddLateness(world.start, published);
    world.delivered.AddLateness(world.start, delivered);
  }
  result.published = P99(published);
  result.delivered = P99(delivered);
  return result;
}

void PrintLateness(const std::string& name, const std::string& scene,
                   const std::vector<double>& hosted,
                   const std::vector<double>& bare) {
  std::vector<double> above;
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    above.push_back(hosted[i] - bare[i]);
  }
  Print({.name = name + "_p99" + scene,
         .value = Median(hosted),
         .unit = "ms",
         .hash = {},
         .baseline = "bare_timer",
         .ratio = Median(hosted) / Median(bare),
         .quartiles = Quartiles(hosted)});
  Print({.name = name + "_above_bare" + scene,
         .value = Median(above),
         .unit = "ms",
         .hash = {},
         .baseline = {},
         .quartiles = Quartiles(above)});
}

void Run(int worlds, std::int64_t agents) {
  std::vector<double> bare;
  std::vector<double> published;
  std::vector<double> delivered;
  std::int64_t slipped = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool bare_first = pair % 2 == 0;
    if (bare_first) bare.push_back(BareTimer());
    const Lateness hosted = Host(worlds, agents);
    if (!bare_first) bare.push_back(BareTimer());
    published.push_back(hosted.published);
    delivered.push_back(hosted.delivered);
    slipped += hosted.slipped;
  }
  const std::string scene =
      '/' + std::to_string(worlds) + "x" + std::to_string(agents);
  PrintLateness("tick_lateness", scene, published, bare);
  PrintLateness("delivery_lateness", scene, delivered, bare);
  Print({.name = "tick_lateness_missed_ticks" + scene,
         .value = static_cast<double>(slipped),
         .unit = "ticks",
         .hash = {},
         .baseline = {}});
}

}  // namespace

void MeasureLateness(const ServiceArguments& /*arguments*/) {
  Run(1, 1'000);
  Run(100, 100);
}

}  // namespace meander::bench
