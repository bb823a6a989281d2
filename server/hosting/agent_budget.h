// How many agents the worlds of a server may hold together, alive and pending.
//
// A world's own max_agents says nothing about a thousand worlds: without a
// common limit their sum would be found by the machine running out of memory.
// Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_AGENT_BUDGET_H_
#define MEANDER_SERVER_HOSTING_AGENT_BUDGET_H_

#include <atomic>
#include <cstdint>

namespace meander::hosting {

class AgentBudget {
 public:
  explicit AgentBudget(std::int64_t most) : most_(most) {}

  // Takes so many, or none when they are too many.
  bool Take(std::int64_t agents) {
    std::int64_t taken = taken_.load();
    do {
      if (agents > most_ - taken) return false;
    } while (!taken_.compare_exchange_weak(taken, taken + agents));
    return true;
  }
  void Return(std::int64_t agents) { taken_ -= agents; }

  std::int64_t most() const { return most_; }
  std::int64_t taken() const { return taken_.load(); }

 private:
  const std::int64_t most_;
  std::atomic<std::int64_t> taken_{0};
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_AGENT_BUDGET_H_
