#include "server/hosting/step_queue.h"

#include <algorithm>
#include <string>
#include <utility>

namespace meander::hosting {
namespace {

using core::Error;
using core::ErrorCode;

// A call with what it is called with.
std::function<void()> CallOf(StepCallback done,
                             core::Result<StepAnswer> answer) {
  return [done = std::move(done), answer = std::move(answer)] { done(answer); };
}

}  // namespace

void StepQueue::Add(StepOrder order, StepCallback done) {
  queue_.push_back({std::move(order), std::move(done), std::nullopt});
}

StepQueue::Verdict StepQueue::Serve(std::int64_t tick, Calls& calls) {
  SendCancelledAway(calls);
  while (!queue_.empty()) {
    Stepper& first = queue_.front();
    if (!first.target) {
      if (auto ended = Begin(tick)) {
        AnswerFirst(*std::move(ended), calls);
        continue;
      }
    }
    return *first.target > tick ? Verdict::kStep : Verdict::kReached;
  }
  return Verdict::kIdle;
}

void StepQueue::SendCancelledAway(Calls& calls) {
  for (auto it = queue_.begin(); it != queue_.end();) {
    if (!it->order.stop.stop_requested()) {
      ++it;
      continue;
    }
    calls.push_back(CallOf(std::move(it->done),
                           Error{ErrorCode::kCancelled, "",
                                 "the caller has gone; the world stays at the "
                                 "tick that it had reached"}));
    it = queue_.erase(it);
  }
}

std::optional<core::Result<StepAnswer>> StepQueue::Begin(std::int64_t tick) {
  Stepper& first = queue_.front();
  const StepOrder& order = first.order;
  if (order.key) {
    const auto known = book_.Find(*order.key);
    if (!known.ok()) return known.error();
    if (*known) {
      const auto& record = std::get<KeptStep>(**known);
      const bool moved_on = record.answer && record.answer->tick != tick;
      if (moved_on) return StepAnswer{*record.answer, nullptr};
      first.target = record.target;
      return std::nullopt;
    }
  }
  if (order.expected_tick && *order.expected_tick != tick) {
    return Error{ErrorCode::kTickMismatch, "expected_tick",
                 "is " + std::to_string(*order.expected_tick) +
                     "; the world is at tick " + std::to_string(tick)};
  }
  const std::int64_t target =
      order.until_tick > 0 ? order.until_tick : tick + order.ticks;
  if (target - tick > max_step_ticks_) {
    return Error{ErrorCode::kOutOfBounds, "until_tick",
                 "must be at most " + std::to_string(max_step_ticks_) +
                     " ticks ahead, now " +
                     std::to_string(tick + max_step_ticks_) + "; it is " +
                     std::to_string(target)};
  }
  first.target = target;
  if (order.key) {
    book_.Keep(*order.key, KeptStep{target, std::nullopt}, 0);
  }
  return std::nullopt;
}

std::optional<std::int64_t> StepQueue::target() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.front().target;
}

bool StepQueue::wants_motion() const {
  return !queue_.empty() && queue_.front().order.include_motion;
}

void StepQueue::Finish(const StepAnswer& answer, Calls& calls) {
  if (queue_.empty()) return;
  const Stepper& first = queue_.front();
  if (first.order.key) {
    book_.Keep(*first.order.key, KeptStep{*first.target, answer.info}, 0);
  }
  AnswerFirst(answer, calls);
}

void StepQueue::AnswerFirst(core::Result<StepAnswer> answer, Calls& calls) {
  calls.push_back(CallOf(std::move(queue_.front().done), std::move(answer)));
  queue_.pop_front();
}

void StepQueue::RefuseAll(const Error& error, Calls& calls) {
  while (!queue_.empty()) {
    const auto& key = queue_.front().order.key;
    core::Result<StepAnswer> answer = error;
    if (key) {
      const auto known = book_.Find(*key);
      if (!known.ok()) {
        answer = known.error();
      } else if (*known) {
        const auto& record = std::get<KeptStep>(**known);
        if (record.answer) answer = StepAnswer{*record.answer, nullptr};
      }
    }
    AnswerFirst(std::move(answer), calls);
  }
}

void StepQueue::FailAll(const Error& error, Calls& calls) {
  for (Stepper& stepper : queue_) {
    calls.push_back(CallOf(std::move(stepper.done), error));
  }
  queue_.clear();
}

}  // namespace meander::hosting
