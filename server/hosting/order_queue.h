// What is to change about how a world runs: obeyed between two ticks, in the
// order in which it came.
//
// Answers are handed out as calls to be made with no lock held. Not
// thread-safe: guarded by its host.
#ifndef MEANDER_SERVER_HOSTING_ORDER_QUEUE_H_
#define MEANDER_SERVER_HOSTING_ORDER_QUEUE_H_

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "core/error.h"
#include "server/hosting/calls.h"
#include "server/hosting/hosting_config.h"
#include "server/hosting/limits.h"
#include "server/hosting/world_clock.h"
#include "server/hosting/world_info.h"

namespace meander::hosting {

struct PauseOrder {};
struct ResumeOrder {};
using StatusCallback = std::function<void(core::Result<WorldStatus>)>;

struct Order {
  std::variant<PauseOrder, ResumeOrder, SettingsPatch> what;
  StatusCallback done;
};

class OrderQueue {
 public:
  using Settings = std::shared_ptr<const WorldSettings>;

  explicit OrderQueue(const Limits& limits) : limits_(limits) {}

  void Add(Order order) { orders_.push_back(std::move(order)); }
  std::size_t size() const { return orders_.size(); }

  // Obeys them all at `now`. `status` tells the world as it is after each.
  void ObeyAll(std::chrono::nanoseconds now, WorldClock& clock,
               Settings& settings, const std::function<WorldStatus()>& status,
               Calls& calls);

  void FailAll(const core::Error& error, Calls& calls);

 private:
  std::optional<core::Error> Change(const SettingsPatch& patch,
                                    std::chrono::nanoseconds now,
                                    WorldClock& clock,
                                    Settings& settings) const;

  const Limits& limits_;
  std::deque<Order> orders_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_ORDER_QUEUE_H_
