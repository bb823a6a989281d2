// What a server puts around its worlds, with a clock, a log and readers that a
// test controls.
#ifndef MEANDER_TESTS_SERVER_HOSTING_HOSTING_RIG_H_
#define MEANDER_TESTS_SERVER_HOSTING_HOSTING_RIG_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/hosting/world_host.h"
#include "tests/server/hosting/answer.h"
#include "tests/server/hosting/commands.h"
#include "tests/server/hosting/fake_clock.h"
#include "tests/server/hosting/hooked_log.h"
#include "tests/server/hosting/waiting.h"
#include "tests/server/hosting/watcher.h"

namespace meander::hosting {

inline core::SimulationConfig SmallConfig() {
  core::SimulationConfig config;
  config.plane = core::Plane::kXY;
  config.max_agents = 10'000;
  return core::Normalized(config);
}

// Worlds are closed before anything that they use goes away.
class HostingRig {
 public:
  explicit HostingRig(std::size_t worker_threads = 2,
                      PoolObserver* observer = nullptr)
      : workers(clock, worker_threads, observer) {}
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
        .max_frame_events = 100,
        .simd = simd};
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
  core::SimdTarget simd = core::BestSimdTarget();

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
