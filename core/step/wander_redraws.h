// Whose wander state a tick's commands have made another archetype's.
//
// Redefining an archetype with another form of wander draws the state of all
// its agents anew. That is put off to the end of the tick's commands, so that
// many redefinitions cost as much as one; what comes of it is the same, for a
// state depends on the agent's seed, its step count and the last form alone.
// One thread.
#ifndef MEANDER_CORE_STEP_WANDER_REDRAWS_H_
#define MEANDER_CORE_STEP_WANDER_REDRAWS_H_

#include <cstdint>
#include <map>
#include <unordered_set>

#include "core/world_state.h"

namespace meander::core {

// Draws the state of one agent anew, for its archetype, at the step count that
// it has in the step that produces `tick`.
void RedrawWander(const WorldState& state, Population& population,
                  std::size_t row, std::int64_t tick);

class WanderRedraws {
 public:
  // All agents that the population has now.
  void OweAll(std::uint32_t population) { settled_[population].clear(); }
  // The agent, which has come to the population or been redrawn, holds what it
  // must.
  void Settle(std::uint32_t population, AgentId id);
  bool Owes(std::uint32_t population, AgentId id) const;
  // The population is empty and becomes another archetype's.
  void Forget(std::uint32_t population) { settled_.erase(population); }

  void PayAll(WorldState& state, std::int64_t tick) const;

 private:
  // By population that owes: who is not owed.
  std::map<std::uint32_t, std::unordered_set<AgentId>> settled_;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_WANDER_REDRAWS_H_
