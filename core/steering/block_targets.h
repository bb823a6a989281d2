// Where the targets of a block's agents are, in the state before the step.
//
// A slot that is not set, that names a dead agent, or the agent itself, is
// nowhere: its terms abstain, and that it is lost is to be told once. Reads the
// state alone; one thread.
#ifndef MEANDER_CORE_STEERING_BLOCK_TARGETS_H_
#define MEANDER_CORE_STEERING_BLOCK_TARGETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/agents/packed_target.h"
#include "core/command.h"
#include "core/math/vec3.h"
#include "core/steering/steering_block.h"
#include "core/world_state.h"

namespace meander::core {

struct TargetMotion {
  Vec3 position;  // units
  Vec3 velocity;  // units/s
};

// None when the target is nowhere. `self` has the slot.
std::optional<TargetMotion> Locate(const WorldState& state,
                                   const PackedTarget& target, AgentId self);

// Each slot is looked up at most once.
class BlockTargets {
 public:
  BlockTargets(const WorldState& state, const AgentBlock& block)
      : state_(state), block_(block) {}

  const TargetBlock& Slot(std::int32_t slot) {
    const auto at = static_cast<std::size_t>(slot);
    if (!located_[at]) LocateAll(at);
    located_[at] = true;
    return targets_[at];
  }

  // How many of the targets looked up so far are nowhere without that having
  // been told.
  std::uint32_t losses() const { return losses_; }

 private:
  void LocateAll(std::size_t slot);
  // Of a slot that names no agent.
  void LocatePoints(std::span<const PackedTarget> slots, TargetBlock& targets);

  const WorldState& state_;
  const AgentBlock& block_;
  std::uint32_t losses_ = 0;
  std::array<bool, kTargetSlots> located_{};
  std::array<TargetBlock, kTargetSlots> targets_;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_BLOCK_TARGETS_H_
