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
#include <thread>
#include <utility>
#include <vector>

#include "server/hosting/world_host.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/scenes.h"
#include "tests/bench/service_bench.h"
#include "tests/server/hosting/hooked_log.h"

namespace meander::bench {
namespace {

using std::chrono::nanoseconds;

constexpr std::int32_t kTickRateHz = 60;
constexpr std::int64_t kTicks = 240;     // of a stretch
constexpr std::int64_t kFirstTick = 30;  // those before are not measured
constexpr int kPairs = 5;                // of stretches, bare and hosted

// The heavy world flocks.
constexpr std::string_view kHeavy = "heavy";
constexpr std::int64_t kHeavyAgents = 300'000;
constexpr std::int32_t kHeavyRateHz = 20;
constexpr std::int64_t kHeavyWarmTicks = 5;

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
  nanoseconds ThreadCpu() const override { return clock_.ThreadCpu(); }
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

// A flock that is at it by the time that this returns.
std::shared_ptr<hosting::WorldHost> HostHeavy(
    const hosting::HostContext& context) {
  scenarios::Scenario scenario = Flock2d(kHeavyAgents);
  scenario.config.tick_rate_hz = kHeavyRateHz;
  const auto host =
      hosting::WorldHost::Create(context,
                                 {.id = std::string(kHeavy),
                                  .uid = std::string(kHeavy),
                                  .config = core::Normalized(scenario.config),
                                  .seed = scenario.seed},
                                 {});
  if (!host.ok()) Fail("a world could not be made");
  std::vector<hosting::BatchCommand> batch;
  for (core::Command& command : scenario.commands) {
    command.apply_tick = 0;
    batch.emplace_back(std::move(command));
  }
  if (!(*host)->Submit(batch).ok()) Fail("a world could not be filled");
  std::int64_t first = 0;
  for (;;) {
    const auto status = (*host)->Status();
    if (status->agent_count == 0) first = status->tick;
    if (status->tick > first + kHeavyWarmTicks) return *host;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

struct Lateness {
  double published = 0.0;  // p99, in milliseconds
  double delivered = 0.0;
  std::int64_t slipped = 0;
  std::int64_t heavy_ticks = 0;  // that the heavy world took, and missed
  std::int64_t heavy_slipped = 0;
};

// What a server puts around its worlds, and those that are measured.
class House {
 public:
  House() {
    // The log is asked for the commands of a tick by the thread that takes it.
    log_.on_collect = [this](std::string_view uid, std::int64_t tick) {
      t_world = nullptr;
      if (uid == kHeavy) return;
      if (tick < kFirstTick || tick >= kFirstTick + kTicks) return;
      t_world = &worlds_[std::stoul(std::string(uid))];
      t_tick = tick;
    };
  }

  const hosting::HostContext& context() const { return context_; }
  void Add(int count, std::int64_t agents);
  void Await();
  // Closes the worlds.
  Lateness Tell();

 private:
  hosting::Limits limits_;
  ObservingClock clock_;
  std::deque<WatchedWorld> worlds_;  // outlives the threads below
  hosting::HookedLog log_;
  hosting::AgentBudget budget_{limits_.max_agents_total};
  stream::Broadcaster broadcaster_{1};
  hosting::WorkerPool workers_{clock_};
  const hosting::HostContext context_{
      limits_,
      clock_,
      log_,
      budget_,
      broadcaster_,
      workers_,
      [](const stream::View&, const stream::PublishedState& state) {
        return stream::EncodedFrame{state.tick, {std::string(1, 'x')}};
      },
      1,
      SimdInUse()};
};

void House::Add(int count, std::int64_t agents) {
  core::SimulationConfig config;
  config.tick_rate_hz = kTickRateHz;
  config.plane = core::Plane::kXY;
  for (int i = 0; i < count; ++i) worlds_.emplace_back(clock_);
  for (int i = 0; i < count; ++i) {
    WatchedWorld& world = worlds_[static_cast<std::size_t>(i)];
    const auto host =
        hosting::WorldHost::Create(context_,
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
}

void House::Await() {
  for (WatchedWorld& world : worlds_) {
    world.published.Await();
    world.delivered.Await();
  }
}

Lateness House::Tell() {
  Lateness result;
  std::vector<nanoseconds> published;
  std::vector<nanoseconds> delivered;
  for (WatchedWorld& world : worlds_) {
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

// `count` worlds of `agents` agents each, for a stretch.
Lateness Host(int count, std::int64_t agents) {
  House house;
  house.Add(count, agents);
  house.Await();
  return house.Tell();
}

// The same beside the heavy one.
Lateness HostBesideHeavy(int count, std::int64_t agents) {
  House house;
  const auto heavy = HostHeavy(house.context());
  const hosting::WorldStatus before = *heavy->Status();
  house.Add(count, agents);
  house.Await();
  const hosting::WorldStatus after = *heavy->Status();
  heavy->Close({core::ErrorCode::kDraining, "", "the run is over"});
  Lateness result = house.Tell();
  result.heavy_ticks = after.tick - before.tick;
  result.heavy_slipped = after.slipped_ticks - before.slipped_ticks;
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

void PrintHeavyLight(const std::string& what, const std::string& unit,
                     const std::vector<double>& values) {
  Print({.name = "heavy_light/" + what,
         .value = Median(values),
         .unit = unit,
         .hash = {},
         .baseline = {},
         .quartiles = Quartiles(values),
         .samples = static_cast<int>(values.size())});
}

}  // namespace

void MeasureHeavyAndLight(const ServiceArguments& /*arguments*/) {
  std::vector<double> alone;
  std::vector<double> beside;
  std::vector<double> difference;
  std::vector<double> missed;
  std::vector<double> heavy_ticks;
  std::vector<double> heavy_missed;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool alone_first = pair % 2 == 0;
    if (alone_first) alone.push_back(Host(100, 100).published);
    const Lateness with_heavy = HostBesideHeavy(100, 100);
    if (!alone_first) alone.push_back(Host(100, 100).published);
    beside.push_back(with_heavy.published);
    difference.push_back(beside.back() - alone.back());
    missed.push_back(static_cast<double>(with_heavy.slipped));
    heavy_ticks.push_back(static_cast<double>(with_heavy.heavy_ticks));
    heavy_missed.push_back(static_cast<double>(with_heavy.heavy_slipped));
  }
  PrintHeavyLight("light_lateness_p99/alone", "ms", alone);
  PrintHeavyLight("light_lateness_p99/beside", "ms", beside);
  PrintHeavyLight("light_lateness_p99/difference", "ms", difference);
  PrintHeavyLight("light_missed_ticks", "ticks", missed);
  PrintHeavyLight("heavy_ticks", "ticks", heavy_ticks);
  PrintHeavyLight("heavy_missed_ticks", "ticks", heavy_missed);
}

void MeasureLateness(const ServiceArguments& /*arguments*/) {
  Run(1, 1'000);
  Run(100, 100);
}

}  // namespace meander::bench
