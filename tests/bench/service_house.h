// Light worlds hosted as a server hosts them, without the network, and when
// their ticks were there.
//
// A tick is there when its state is published, for then whoever asks is given
// it; a watcher is given its frame by another thread, later. Both moments are
// noted.
#ifndef MEANDER_TESTS_BENCH_SERVICE_HOUSE_H_
#define MEANDER_TESTS_BENCH_SERVICE_HOUSE_H_

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
#include "tests/bench/figure.h"
#include "tests/server/hosting/hooked_log.h"

namespace meander::bench {

inline constexpr std::int32_t kLightRateHz = 60;

// Which ticks of a light world are measured.
struct Stretch {
  std::int64_t first_tick = 30;
  std::int64_t ticks = 240;
  std::int64_t end_tick() const { return first_tick + ticks; }
};

// In milliseconds; orders the values.
double P99(std::vector<std::chrono::nanoseconds>& values);

// How late a thread is that does nothing but wake up when a tick would be due:
// the 99th percentile, in milliseconds.
double BareTimer(const Stretch& stretch);

// When something happened to the measured ticks of a world, told in the order
// of ticks. One that is left out happens with the next.
class Moments {
 public:
  explicit Moments(const Stretch& stretch) : stretch_(stretch) {}

  void Note(std::int64_t tick, std::chrono::nanoseconds time);
  void Await();
  // How late they were. Once complete.
  void AddLateness(std::chrono::nanoseconds start,
                   std::vector<std::chrono::nanoseconds>& out) const;

 private:
  const Stretch stretch_;
  std::mutex mutex_;  // guards all below
  std::condition_variable complete_;
  std::int64_t next_ = 0;
  std::vector<std::chrono::nanoseconds> times_;
};

// A world and what became of its ticks: the watcher, too.
class WatchedWorld final : public stream::FrameSink {
 public:
  WatchedWorld(const hosting::Clock& clock, const Stretch& stretch)
      : published(stretch),
        delivered(stretch),
        clock_(clock),
        subscription_(std::make_shared<stream::Subscription>(
            stream::View{.interval_ticks = 1}, *this)) {}

  const std::shared_ptr<stream::Subscription>& subscription() const {
    return subscription_;
  }

  // From the thread that takes a tick, before it does. The one before may not
  // have been published at once, or not at all: now it is over.
  void BeginTick(std::int64_t tick);
  // Whether there is nothing to look for any more: the tick is published, which
  // is noted, or over.
  bool LookAtTick(std::int64_t tick, std::chrono::nanoseconds now);

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
  std::chrono::nanoseconds start{0};
  Moments published;
  Moments delivered;

 private:
  const hosting::Clock& clock_;
  const std::shared_ptr<stream::Subscription> subscription_;
  std::atomic<bool> finished_ = false;
  std::mutex mutex_;
  std::int64_t begun_ = 0;  // guarded by it
};

// The real clock. A turn looks at it right after each tick: then the state that
// any reader would be given from now on is found to be the tick's. A tick that
// is not published by the world's next one counts as there when that begins.
class ObservingClock final : public hosting::Clock {
 public:
  std::chrono::nanoseconds Now() const override;
  std::chrono::nanoseconds ThreadCpu() const override {
    return clock_.ThreadCpu();
  }
  void WaitUntil(std::unique_lock<std::mutex>& lock,
                 std::condition_variable& condition,
                 std::chrono::nanoseconds deadline) override {
    clock_.WaitUntil(lock, condition, deadline);
  }

 private:
  hosting::MonotonicClock clock_;
};

// The 99th percentiles of a stretch, in milliseconds.
struct Lateness {
  double published = 0.0;
  double delivered = 0.0;
  std::int64_t slipped = 0;
};

// What a server puts around its worlds, and those that are measured.
class House {
 public:
  explicit House(const Stretch& stretch,
                 hosting::PoolObserver* observer = nullptr);

  const hosting::HostContext& context() const { return context_; }
  // Worlds whose uids are numbers; others are not measured.
  void Add(int count, std::int64_t agents);
  void Await();
  // Closes the worlds.
  Lateness Tell();

 private:
  const Stretch stretch_;
  hosting::Limits limits_;
  ObservingClock clock_;
  std::deque<WatchedWorld> worlds_;  // outlives the threads below
  hosting::HookedLog log_;
  hosting::AgentBudget budget_{limits_.max_agents_total};
  stream::Broadcaster broadcaster_{1};
  hosting::WorkerPool workers_;
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

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_SERVICE_HOUSE_H_
