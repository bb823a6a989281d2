// Where the time goes from when a light tick is due until a thread of the pool
// takes it, and how long threads do not look for what is due.
#ifndef MEANDER_TESTS_BENCH_SERVICE_POOL_TIMES_H_
#define MEANDER_TESTS_BENCH_SERVICE_POOL_TIMES_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "server/hosting/clock.h"
#include "server/hosting/pool_observer.h"

namespace meander::bench {

// What the thread that took a tick did since it was due.
struct Wait {
  std::chrono::nanoseconds all{0};
  std::chrono::nanoseconds at_rest{0};     // and waking up
  std::chrono::nanoseconds due_turns{0};   // of others
  std::chrono::nanoseconds heavy_work{0};  // pieces, and between them
  // Of all but rest: runnable, and without a processor.
  std::chrono::nanoseconds kept_from_it{0};
};

class PoolTimes final : public hosting::PoolObserver {
 public:
  void On(hosting::PoolMoment moment, std::chrono::nanoseconds came) override;

  // Between these two it is measured. Not while On is called after Stop: read
  // once the pool is gone.
  void Start() { measuring_ = true; }
  void Stop() { measuring_ = false; }

  // While it is measured, too.
  bool AnyStretch() const { return any_stretch_; }
  // Of ticks that were due, one each.
  std::vector<Wait> Waits() const;
  // CPU time of heavy work between two looks for what is due, and of the wall:
  // of background turns, and of helpers of whatever turn.
  std::vector<std::chrono::nanoseconds> StretchesCpu() const;
  std::vector<std::chrono::nanoseconds> StretchesWall() const;

 private:
  struct Moment {
    hosting::PoolMoment moment{};
    bool heavy = false;  // from then on: what may be interrupted
    bool due = false;    // what was due itself
    std::chrono::nanoseconds wall{0};
    std::chrono::nanoseconds cpu{0};
  };
  struct Stretch {
    std::chrono::nanoseconds cpu{0};
    std::chrono::nanoseconds wall{0};
  };
  // Of one thread of the pool.
  struct Record {
    std::array<Moment, 1'024> ring;  // its last moments
    std::size_t moments = 0;
    bool background = false;              // the turn that it is at
    std::optional<Stretch> helpers_last;  // a piece, or lingering
    std::vector<Wait> waits;
    std::vector<std::chrono::nanoseconds> stretches_cpu;
    std::vector<std::chrono::nanoseconds> stretches_wall;
  };

  Record& Mine();
  void AddStretch(Record& record, const Moment& before, const Moment& now);
  void Count(Record& record, const Stretch& stretch);
  static Wait WaitSince(const Record& record, const Moment& now,
                        std::chrono::nanoseconds came);

  hosting::MonotonicClock clock_;
  std::atomic<bool> measuring_ = false;
  std::atomic<bool> any_stretch_ = false;
  mutable std::mutex mutex_;  // guards the list, not what is in it
  std::deque<Record> records_;
};

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_SERVICE_POOL_TIMES_H_
