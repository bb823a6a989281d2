#include "tests/bench/service_pool_times.h"

#include <algorithm>
#include <utility>

namespace meander::bench {
namespace {

using hosting::PoolMoment;
using std::chrono::nanoseconds;

bool IsDueTurn(PoolMoment moment) {
  return moment == PoolMoment::kTurn || moment == PoolMoment::kNestedTurn;
}

bool IsTurn(PoolMoment moment) {
  return IsDueTurn(moment) || moment == PoolMoment::kBackgroundTurn;
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
  // A nested turn leaves the one that it interrupts what it is.
  if (moment == PoolMoment::kTurn) record.background = false;
  if (moment == PoolMoment::kBackgroundTurn) record.background = true;
  const bool heavy = moment == PoolMoment::kHelpersPiece ||
                     moment == PoolMoment::kBackgroundTurn ||
                     (moment == PoolMoment::kPiece && record.background);
  const bool due =
      IsDueTurn(moment) || (moment == PoolMoment::kPiece && !record.background);
  const Moment now{moment, heavy, due, clock_.Now(), clock_.ThreadCpu()};
  if (measuring_ && record.moments > 0) {
    const Moment& before =
        record.ring[(record.moments - 1) % record.ring.size()];
    AddStretch(record, before, now);
    if (IsDueTurn(moment)) record.waits.push_back(WaitSince(record, now, came));
  }
  record.ring[record.moments++ % record.ring.size()] = now;
}

// A helper that finds no piece left lingers before it looks, and looks for what
// is due all the while. One that looks after a piece does so because something
// has come, and as a rule takes it: only then was it a piece.
void PoolTimes::AddStretch(Record& record, const Moment& before,
                           const Moment& now) {
  const auto last = std::exchange(record.helpers_last, std::nullopt);
  if (last && IsTurn(now.moment)) Count(record, *last);
  if (!before.heavy) return;
  const Stretch stretch{now.cpu - before.cpu, now.wall - before.wall};
  if (before.moment == PoolMoment::kHelpersPiece &&
      now.moment == PoolMoment::kLooks) {
    record.helpers_last = stretch;
  } else {
    Count(record, stretch);
  }
}

void PoolTimes::Count(Record& record, const Stretch& stretch) {
  record.stretches_cpu.push_back(stretch.cpu);
  record.stretches_wall.push_back(stretch.wall);
  any_stretch_ = true;
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
      (at.due ? wait.due_turns : wait.heavy_work) += span;
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
