// What a WorkerPool tells of itself to whoever takes its time apart: benchmarks
// and tests. A pool without one pays a comparison for each moment.
//
// Called by the pool's own threads, several at once, for the thread that calls.
// Must not block nor call the pool, for locks may be held.
#ifndef MEANDER_SERVER_HOSTING_POOL_OBSERVER_H_
#define MEANDER_SERVER_HOSTING_POOL_OBSERVER_H_

#include <chrono>
#include <cstdint>

namespace meander::hosting {

// What a thread is at from a moment on. `came` is when the turn that it takes
// was due; of those that are no turns 0.
enum class PoolMoment : std::uint8_t {
  kTurn,            // of what is due
  kBackgroundTurn,  // before its first Run
  kNestedTurn,      // of what is due, in the midst of another turn
  // The turn's own again, which has just looked for what is due: the next
  // piece, or what it does after the last one.
  kPiece,
  kAwaitsHelpers,  // to end their pieces, having none itself
  kHelpersPiece,   // of a turn that another thread is at
  kLooks,          // what there is to do
  kRests,
};

class PoolObserver {
 public:
  virtual ~PoolObserver() = default;

  virtual void On(PoolMoment moment, std::chrono::nanoseconds came) = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_POOL_OBSERVER_H_
