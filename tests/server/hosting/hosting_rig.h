// What a server puts around its worlds, with a clock, a log and readers that a
// test controls.
#ifndef MEANDER_TESTS_SERVER_HOSTING_HOSTING_RIG_H_
#define MEANDER_TESTS_SERVER_HOSTING_HOSTING_RIG_H_

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/hosting/world_host.h"
#include "server/log/memory_world_log.h"
#include "tests/server/hosting/commands.h"
#include "tests/server/hosting/fake_clock.h"
#include "tests/server/hosting/waiting.h"

namespace meander::hosting {

// A callback's answer. Thread-safe.
template <typename T>
class Answer {
 public:
  std::function<void(core::Result<T>)> Callback() {
    return [shared = shared_](core::Result<T> result) {
      const std::lock_guard lock(shared->mutex);
      shared->results.push_back(std::move(result));
      shared->changed.notify_all();
    };
  }

  // Waits for it.
  core::Result<T> Get() const {
    std::unique_lock lock(shared_->mutex);
    shared_->changed.wait(lock, [this] { return !shared_->results.empty(); });
    return shared_->results.front();
  }
  // How often it has come so far.
  std::size_t count() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->results.size();
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<core::Result<T>> results;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

// A log that tells when a step collects, from within its turn.
class HookedLog final : public log::WorldLog {
 public:
  // Set before anything can collect.
  std::function<void(std::string_view uid, std::int64_t tick)> on_collect;

  std::optional<core::Error> CreateWorld(std::string_view uid) override {
    return log_.CreateWorld(uid);
  }
  std::optional<core::Error> Append(
      std::string_view uid, std::span<log::LogRecord> records) override {
    return log_.Append(uid, records);
  }
  void Collect(std::string_view uid, std::int64_t tick,
               std::vector<log::LogRecord>& out) override {
    if (on_collect) on_collect(uid, tick);
    log_.Collect(uid, tick, out);
  }
  void DeleteWorld(std::string_view uid) override { log_.DeleteWorld(uid); }

  std::size_t pending_bytes() const { return log_.pending_bytes(); }

 private:
  log::MemoryWorldLog log_;
};

// Raw bytes of the columns that watchers see.
inline std::string MotionBytes(const core::MotionColumns& motion) {
  std::string bytes;
  const auto add = [&bytes](const auto& column) {
    const auto raw = std::as_bytes(std::span(column));
    bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size());
  };
  add(motion.id);
  for (const auto* column :
       {&motion.position_x, &motion.position_y, &motion.position_z,
        &motion.velocity_x, &motion.velocity_y, &motion.velocity_z}) {
    add(*column);
  }
  return bytes;
}

// A watcher that takes every frame at once, or only when it is told.
class Watcher final : public stream::FrameSink {
 public:
  struct Seen {
    std::int64_t tick = 0;
    std::int64_t skipped = 0;
    std::string bytes;
    stream::FrameEvents events = {};
  };

  explicit Watcher(std::int32_t interval_ticks = 1, bool stalled = false,
                   bool events = false)
      : subscription_(std::make_shared<stream::Subscription>(
            stream::View{interval_ticks, events}, *this)),
        stalled_(stalled) {}

  const std::shared_ptr<stream::Subscription>& subscription() const {
    return subscription_;
  }

  void Write(std::shared_ptr<const stream::EncodedFrame> frame, std::size_t,
             const stream::OwnFields& own) override {
    {
      const std::lock_guard lock(mutex_);
      last_tick_ = frame->tick;
      if (keep_)
        seen_.push_back(
            {frame->tick, own.skipped, frame->parts.at(0), own.events});
      changed_.notify_all();
    }
    if (!stalled_) subscription_->WriteDone(true);
  }

  void Finish(std::optional<core::Error> error) override {
    const std::lock_guard lock(mutex_);
    ++finishes_;
    error_ = std::move(error);
    changed_.notify_all();
  }

  // Forgets frames from now on but for their ticks.
  void StopKeeping() {
    const std::lock_guard lock(mutex_);
    keep_ = false;
  }

  void AwaitTick(std::int64_t tick) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return last_tick_ >= tick; });
  }
  std::optional<core::Error> AwaitFinish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finishes_ > 0; });
    EXPECT_EQ(finishes_, 1);
    return error_;
  }
  std::vector<Seen> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  const std::shared_ptr<stream::Subscription> subscription_;
  const bool stalled_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<Seen> seen_;
  bool keep_ = true;
  std::int64_t last_tick_ = -1;
  int finishes_ = 0;
  std::optional<core::Error> error_;
};

inline core::SimulationConfig SmallConfig() {
  core::SimulationConfig config;
  config.plane = core::Plane::kXY;
  config.max_agents = 10'000;
  return core::Normalized(config);
}

// Worlds are closed before anything that they use goes away.
class HostingRig {
 public:
  explicit HostingRig(std::size_t worker_threads = 2)
      : workers(clock, worker_threads) {}
  ~HostingRig() {
    for (const auto& host : hosts_) {
      host->Close({core::ErrorCode::kDraining, "", "the test is over"});
    }
  }

  HostContext Context() {
    return {
        .limits = limits,
        .clock = clock,
        .log = log,
        .agents = agents,
        .broadcaster = broadcaster,
        .workers = workers,
        .encode_frame =
            [this](const stream::View&, const stream::PublishedState& state) {
              if (on_encode) on_encode();
              return stream::EncodedFrame{state.tick,
                                          {MotionBytes(state.motion)}};
            },
        .max_frame_events = 100};
  }

  std::shared_ptr<WorldHost> Make(
      ClockMode clock_mode,
      const core::SimulationConfig& config = SmallConfig(),
      std::uint64_t seed = 1) {
    return Make(HostingConfig{.clock_mode = clock_mode}, config, seed);
  }
  std::shared_ptr<WorldHost> Make(
      const HostingConfig& hosting,
      const core::SimulationConfig& config = SmallConfig(),
      std::uint64_t seed = 1) {
    core::Result<std::shared_ptr<WorldHost>> host =
        WorldHost::Create(Context(),
                          {.id = "world",
                           .uid = std::to_string(++worlds_),
                           .config = config,
                           .seed = seed},
                          {.hosting = hosting, .labels = {}});
    EXPECT_TRUE(host.ok());
    hosts_.push_back(*host);
    return *host;
  }

  // The same without a share in it.
  std::shared_ptr<WorldHost> MakeUnshared(ClockMode clock_mode) {
    std::shared_ptr<WorldHost> host = Make(clock_mode);
    hosts_.pop_back();
    return host;
  }

  // One that lives as long as anybody may call it.
  Watcher& NewWatcher(std::int32_t interval_ticks = 1, bool stalled = false,
                      bool events = false) {
    return watchers_.emplace_back(interval_ticks, stalled, events);
  }

 private:
  std::deque<Watcher> watchers_;  // outlives the threads below

 public:
  Limits limits;
  FakeClock clock;
  HookedLog log;
  AgentBudget agents{1'000'000};
  std::function<void()> on_encode;
  stream::Broadcaster broadcaster{1};
  WorkerPool workers;

 private:
  std::vector<std::shared_ptr<WorldHost>> hosts_;
  int worlds_ = 0;
};

// Admits commands, all of which must be.
inline Submission Submit(WorldHost& host, std::vector<core::Command> commands) {
  std::vector<BatchCommand> batch = Batch(std::move(commands));
  core::Result<Submission, core::Violations> submission = host.Submit(batch);
  EXPECT_TRUE(submission.ok());
  if (!submission.ok()) return {};
  for (const auto& result : submission->results) {
    EXPECT_TRUE(result.ok()) << result.error().field << result.error().reason;
  }
  return *std::move(submission);
}

inline core::Result<StepAnswer> Step(WorldHost& host, StepOrder order) {
  Answer<StepAnswer> answer;
  host.Step(std::move(order), answer.Callback());
  return answer.Get();
}
inline core::Result<StepAnswer> Step(WorldHost& host, std::int64_t ticks) {
  return Step(host, StepOrder{.ticks = ticks});
}
inline TickInfo StepOn(WorldHost& host, std::int64_t ticks) {
  const core::Result<StepAnswer> answer = Step(host, ticks);
  EXPECT_TRUE(answer.ok());
  return answer.ok() ? answer->info : TickInfo();
}

inline WorldStatus PauseNow(WorldHost& host) {
  Answer<WorldStatus> answer;
  host.Pause(answer.Callback());
  return *answer.Get();
}
inline WorldStatus ResumeNow(WorldHost& host) {
  Answer<WorldStatus> answer;
  host.Resume(answer.Callback());
  return *answer.Get();
}
inline core::Result<WorldStatus> Update(WorldHost& host, SettingsPatch patch) {
  Answer<WorldStatus> answer;
  host.Update(std::move(patch), answer.Callback());
  return answer.Get();
}

inline core::Result<stream::PublishedStateRef> Read(
    WorldHost& host, Detail detail = Detail::kMotion) {
  Answer<stream::PublishedStateRef> answer;
  host.Read(detail, answer.Callback());
  return answer.Get();
}
inline stream::PublishedStateRef ReadNow(WorldHost& host,
                                         Detail detail = Detail::kMotion) {
  return *Read(host, detail);
}

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_HOSTING_RIG_H_
