#include "server/hosting/order_queue.h"

#include <utility>

namespace meander::hosting {

using core::Error;
using core::ErrorCode;

void OrderQueue::ObeyAll(std::chrono::nanoseconds now, WorldClock& clock,
                         Settings& settings,
                         const std::function<WorldStatus()>& status,
                         Calls& calls) {
  for (; !orders_.empty(); orders_.pop_front()) {
    Order& order = orders_.front();
    std::optional<Error> refusal;
    if (const auto* patch = std::get_if<SettingsPatch>(&order.what)) {
      refusal = Change(*patch, now, clock, settings);
    } else if (std::holds_alternative<PauseOrder>(order.what)) {
      clock.Pause();
    } else {
      clock.Resume(now);
    }
    core::Result<WorldStatus> answer = status();
    if (refusal) answer = *std::move(refusal);
    calls.emplace_back([done = std::move(order.done),
                        answer = std::move(answer)] { done(answer); });
  }
}

std::optional<Error> OrderQueue::Change(const SettingsPatch& patch,
                                        std::chrono::nanoseconds now,
                                        WorldClock& clock,
                                        Settings& settings) const {
  WorldSettings changed = *settings;
  patch.ApplyTo(changed);
  core::Violations violations = Validate(changed, limits_, "world");
  if (!violations.empty()) return std::move(violations.front());
  if (changed.hosting.durability != settings->hosting.durability) {
    return Error{ErrorCode::kDurabilityUnavailable, "world.hosting.durability",
                 "cannot change once a world is made"};
  }
  clock.Set(changed.hosting, now);
  settings = std::make_shared<WorldSettings>(std::move(changed));
  return std::nullopt;
}

void OrderQueue::FailAll(const Error& error, Calls& calls) {
  for (Order& order : orders_) {
    calls.emplace_back([done = std::move(order.done), error] { done(error); });
  }
  orders_.clear();
}

}  // namespace meander::hosting
