// The fast way through the agents of a snapshot that are valid.
//
// Looks at a run of rows as columns. Invariant: it passes no agent that
// CheckAgents (check_agents.h) refuses; what it does not pass is for that one
// to judge and to name. Threads: many readers.
#ifndef MEANDER_CORE_CODEC_AGENT_SIEVE_H_
#define MEANDER_CORE_CODEC_AGENT_SIEVE_H_

#include <cstddef>

#include "core/codec/decoded_agents.h"
#include "core/operation.h"
#include "core/space/wrap.h"
#include "core/world_state.h"

namespace meander::core {

// What the square of a unit vector's length may differ from 1.
inline constexpr float kUnitRounding = 1.0e-4f;

class AgentSieve {
 public:
  static constexpr std::size_t kRows = 256;

  // Both must outlive it.
  AgentSieve(const WorldState& state, const DecodedAgents& agents,
             AgentId next_agent_id);

  // Whether rows [first, first + rows) are surely valid. Precondition: they are
  // at most kRows, of one archetype.
  bool Pass(std::size_t first, std::size_t rows) const;

 private:
  bool IdsPass(std::size_t first, std::size_t rows) const;
  bool StepsPass(std::size_t first, std::size_t rows) const;
  bool PlacesPass(const DecodedVectors& places, std::size_t first,
                  std::size_t rows) const;
  bool VelocitiesPass(const Archetype& archetype, std::size_t first,
                      std::size_t rows) const;
  bool WandersPass(const Archetype& archetype, std::size_t first,
                   std::size_t rows) const;
  bool TargetsPass(std::size_t first, std::size_t rows) const;
  bool SlotPasses(const DecodedSlot& slot, std::size_t first,
                  std::size_t rows) const;

  const WorldState& state_;
  const DecodedAgents& agents_;
  const AgentId next_agent_id_;
  const Plane plane_;
  const Wrap wrap_;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_AGENT_SIEVE_H_
