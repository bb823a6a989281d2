// Worlds are hosted as a server hosts them, without the network. A tick counts
// as there when a watcher of its world is given it, so the way to the watcher
// is part of the figure; the bare thread only looks at the clock.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/hosting/world_host.h"
#include "server/log/memory_world_log.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/service_bench.h"

namespace meander::bench {
namespace {

using std::chrono::nanoseconds;

constexpr std::int32_t kTickRateHz = 60;
constexpr std::int64_t kTicks = 600;
constexpr std::int64_t kFirstTick = 60;  // those before are not measured

// The real clock, which remembers what it said last to each thread.
class RememberingClock final : public hosting::Clock {
 public:
  nanoseconds Now() const override { return last_ = clock_.Now(); }
  void WaitUntil(std::unique_lock<std::mutex>& lock,
                 std::condition_variable& condition,
                 nanoseconds deadline) override {
    clock_.WaitUntil(lock, condition, deadline);
  }
  static nanoseconds last() { return last_; }

 private:
  hosting::MonotonicClock clock_;
  static thread_local nanoseconds last_;
};
thread_local nanoseconds RememberingClock::last_{0};

nanoseconds DueOf(nanoseconds start, std::int64_t tick) {
  return start + nanoseconds(tick * 1'000'000'000 / kTickRateHz);
}

double Percentile(std::vector<nanoseconds>& values, double share) {
  const auto place = static_cast<std::ptrdiff_t>(
      share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(place)].count()) /
         1e6;
}

// Notes when each tick comes. All frames of a world come from one thread.
class Watcher final : public stream::FrameSink {
 public:
  Watcher(const hosting::Clock& clock, nanoseconds start)
      : clock_(clock),
        start_(start),
        subscription_(std::make_shared<stream::Subscription>(
            stream::View{.interval_ticks = 1}, *this)) {}

  const std::shared_ptr<stream::Subscription>& subscription() const {
    return subscription_;
  }
  const std::vector<nanoseconds>& lateness() const { return lateness_; }
  // Waits until it has seen enough.
  void Await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }

  void Write(std::shared_ptr<const stream::EncodedFrame> frame, std::size_t,
             const stream::OwnFields&) override {
    if (frame->tick >= kFirstTick && frame->tick < kFirstTick + kTicks) {
      lateness_.push_back(clock_.Now() - DueOf(start_, frame->tick));
    }
    if (frame->tick >= kFirstTick + kTicks) {
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    }
    subscription_->WriteDone(true);
  }
  void Finish(std::optional<core::Error> /*error*/) override {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }

 private:
  const hosting::Clock& clock_;
  const nanoseconds start_;
  std::vector<nanoseconds> lateness_;
  const std::shared_ptr<stream::Subscription> subscription_;
  std::mutex mutex_;  // guards done_
  std::condition_variable changed_;
  bool done_ = false;
};

// A thread that does nothing but wake up when a tick would be due.
std::vector<nanoseconds> BareTimer(nanoseconds start) {
  hosting::MonotonicClock clock;
  std::vector<nanoseconds> lateness;
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  for (std::int64_t tick = kFirstTick; tick < kFirstTick + kTicks; ++tick) {
    const nanoseconds due = DueOf(start, tick);
    while (clock.Now() < due) clock.WaitUntil(lock, never, due);
    lateness.push_back(clock.Now() - due);
  }
  return lateness;
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
  if (!host.Submit(batch).ok()) Fail("a world could not be made");
}

// `worlds` worlds of `agents` agents each.
void Run(int worlds, std::int64_t agents) {
  hosting::Limits limits;
  RememberingClock clock;
  log::MemoryWorldLog log;
  hosting::AgentBudget budget(limits.max_agents_total);
  std::deque<Watcher> watchers;  // outlives the threads below
  hosting::TickScheduler scheduler(clock);
  stream::Broadcaster broadcaster(1);
  hosting::WorkerPool workers;
  const hosting::HostContext context{
      limits,
      clock,
      log,
      budget,
      scheduler,
      broadcaster,
      workers,
      [](const stream::View&, const stream::PublishedState& state) {
        return stream::EncodedFrame{state.tick, {std::string(1, 'x')}};
      },
      1};
  core::SimulationConfig config;
  config.tick_rate_hz = kTickRateHz;
  config.plane = core::Plane::kXY;
  std::vector<std::shared_ptr<hosting::WorldHost>> hosts;
  for (int i = 0; i < worlds; ++i) {
    const auto host =
        hosting::WorldHost::Create(context,
                                   {.id = "w",
                                    .uid = std::to_string(i),
                                    .config = core::Normalized(config),
                                    .seed = static_cast<std::uint64_t>(i)},
                                   {});
    if (!host.ok()) Fail("a world could not be made");
    hosts.push_back(*host);
    // The last thing that making a world does with the clock is to start.
    watchers.emplace_back(clock, RememberingClock::last());
    Populate(**host, agents);
    (*host)->Subscribe(watchers.back().subscription());
  }
  std::vector<nanoseconds> bare = BareTimer(clock.Now());
  std::vector<nanoseconds> ticks;
  std::int64_t slipped = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    watchers[i].Await();
    slipped += hosts[i]->Status()->slipped_ticks;
    hosts[i]->Close({core::ErrorCode::kDraining, "", "the run is over"});
    watchers[i].Await();
    const auto& seen = watchers[i].lateness();
    ticks.insert(ticks.end(), seen.begin(), seen.end());
  }
  const std::string scene =
      '/' + std::to_string(worlds) + "x" + std::to_string(agents);
  const double base = Percentile(bare, 0.99);
  const double late = Percentile(ticks, 0.99);
  Print({.name = "tick_lateness_p99" + scene,
         .value = late,
         .unit = "ms",
         .hash = {},
         .baseline = "bare_timer",
         .ratio = late / base});
  Print({.name = "tick_lateness_above_bare" + scene,
         .value = late - base,
         .unit = "ms",
         .hash = {},
         .baseline = {}});
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
