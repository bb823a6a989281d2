// The callers that want to step a world, served one after the other.
//
// The first in the queue is served until the world has reached its tick. Where
// that is is fixed when its turn comes, once for all calls of one request id.
// Answers are handed out as calls to be made with no lock held. Not
// thread-safe: guarded by its host.
#ifndef MEANDER_SERVER_HOSTING_STEP_QUEUE_H_
#define MEANDER_SERVER_HOSTING_STEP_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>

#include "core/error.h"
#include "server/hosting/calls.h"
#include "server/hosting/world_answer.h"
#include "server/hosting/world_info.h"

namespace meander::hosting {

// What a caller asks for.
struct StepOrder {
  std::int64_t ticks = 1;       // unless until_tick is given
  std::int64_t until_tick = 0;  // 0 for none; one that is past is reached
  std::optional<std::int64_t> expected_tick;
  std::optional<RequestKey> key;
  bool include_motion = false;
  std::stop_token stop;
};

using StepCallback = std::function<void(core::Result<StepAnswer>)>;

class StepQueue {
 public:
  enum class Verdict {
    kIdle,     // nobody waits
    kReached,  // the first is where it wants to be: Finish it
    kStep,     // the world is to step for the first
  };

  // `book` outlives the queue.
  StepQueue(WorldRequestBook& book, std::int64_t max_step_ticks)
      : book_(book), max_step_ticks_(max_step_ticks) {}

  void Add(StepOrder order, StepCallback done);
  std::size_t size() const { return queue_.size(); }

  // What the world, which is at `tick`, is to do. Sends away who cannot be
  // served: cancelled, at another tick than expected, with a reused id.
  Verdict Serve(std::int64_t tick, Calls& calls);

  // The tick at which the first ends; none when nobody is being served.
  std::optional<std::int64_t> target() const;
  // Whether the first wants the columns of its last tick.
  bool wants_motion() const;
  // Answers the first, if it is still there.
  void Finish(const StepAnswer& answer, Calls& calls);

  void FailAll(const core::Error& error, Calls& calls);
  // The same for calls that could not be served now; those whose request was
  // answered before are told that answer again.
  void RefuseAll(const core::Error& error, Calls& calls);

 private:
  struct Stepper {
    StepOrder order;
    StepCallback done;
    std::optional<std::int64_t> target;  // once it is served
  };

  void SendCancelledAway(Calls& calls);
  // Fixes the target of the first, or says what ends its call instead.
  std::optional<core::Result<StepAnswer>> Begin(std::int64_t tick);
  void AnswerFirst(core::Result<StepAnswer> answer, Calls& calls);

  WorldRequestBook& book_;
  const std::int64_t max_step_ticks_;
  std::deque<Stepper> queue_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_STEP_QUEUE_H_
