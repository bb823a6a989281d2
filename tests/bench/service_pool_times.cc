#include "tests/bench/service_pool_times.h"

#include <algorithm>

namespace meander::bench {
namespace {

using hosting::PoolMoment;
using std::chrono::nanoseconds;

bool IsDueTurn(PoolMoment moment) {
  return moment == PoolMoment::kTurn || moment == PoolMoment::kNestedTurn;
}

bool IsHeavyWork(PoolMoment moment) {
  return moment == PoolMoment::kBackgroundTurn ||
         moment == PoolMoment::kPiece || moment == PoolMoment::kHelpersPiece;
}

// Whether nothing is computed.
bool IsRest(PoolMoment moment) {
  return moment == PoolMoment::kRests || moment == PoolMoment::kAwaitsHelpers;
}

}  // namespace

PoolTimes::Record& PoolTimes::Mine() {
  struct Seat {
    const PoolTimes* times = nullptr;
    Record* record = nullptr;
  };
  thread_local Seat seat;
  if (seat.times != this) {
    const std::lock_guard lock(mutex_);
    seat = {this, &records_.emplace_back()};
  }
  return *seat.record;
}

void PoolTimes::On(PoolMoment moment, nanoseconds came) {
  Record& record = Mine();
  const Moment now{moment, clock_.Now(), clock_.ThreadCpu()};
  if (measuring_ && record.moments > 0) {
    const Moment& before =
        record.ring[(record.moments - 1) % record.ring.size()];
    if (IsHeavyWork(before.moment)) {
      record.stretches_cpu.push_back(now.cpu - before.cpu);
      record.stretches_wall.push_back(now.wall - before.wall);
    }
    if (IsDueTurn(moment)) record.waits.push_back(WaitSince(record, now, came));
  }
  record.ring[record.moments++ % record.ring.size()] = now;
}

// What is longer ago than the ring tells is left out of all but the whole.
Wait PoolTimes::WaitSince(const Record& record, const Moment& now,
                          nanoseconds came) {
  Wait wait{.all = now.wall - came};
  Moment after = now;
  const std::size_t known = std::min(record.moments, record.ring.size());
  for (std::size_t i = 1; i <= known && after.wall > came; ++i) {
    const Moment& at = record.ring[(record.moments - i) % record.ring.size()];
    const nanoseconds span = after.wall - std::max(at.wall, came);
    if (IsRest(at.moment)) {
      wait.at_rest += span;
    } else {
      (IsDueTurn(at.moment) ? wait.due_turns : wait.heavy_work) += span;
      // Of one that had begun before, only what cannot have been computed.
      wait.kept_from_it +=
          std::max(nanoseconds(0), span - (after.cpu - at.cpu));
    }
    after = at;
  }
  return wait;
}

std::vector<Wait> PoolTimes::Waits() const {
  std::vector<Wait> all;
  for (const Record& record : records_) {
    all.insert(all.end(), record.waits.begin(), record.waits.end());
  }
  return all;
}

std::vector<nanoseconds> PoolTimes::StretchesCpu() const {
  std::vector<nanoseconds> all;
  for (const Record& record : records_) {
    all.insert(all.end(), record.stretches_cpu.begin(),
               record.stretches_cpu.end());
  }
  return all;
}

std::vector<nanoseconds> PoolTimes::StretchesWall() const {
  std::vector<nanoseconds> all;
  for (const Record& record : records_) {
    all.insert(all.end(), record.stretches_wall.begin(),
               record.stretches_wall.end());
  }
  return all;
}

}  // namespace meander::bench
