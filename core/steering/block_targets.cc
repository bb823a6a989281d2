#include "core/steering/block_targets.h"

#include <algorithm>

namespace meander::core {

namespace {

// False when the target is nowhere; then it leaves `motion` as it is.
inline bool LocateIn(const WorldState& state, const PackedTarget& target,
                     AgentId self, TargetMotion& motion) {
  if (target.kind() == Target::Kind::kPoint) {
    motion.position = target.point();
    return true;
  }
  if (target.kind() == Target::Kind::kNone) return false;
  const AgentId agent = target.agent();
  if (agent == self) return false;
  const AgentLocation* found = state.index.Find(agent);
  if (found == nullptr) return false;
  const AgentColumns& agents = state.populations[found->population].agents;
  motion.position = agents.Position(found->row);
  motion.velocity = agents.Velocity(found->row);
  return true;
}

}  // namespace

std::optional<TargetMotion> Locate(const WorldState& state,
                                   const PackedTarget& target, AgentId self) {
  TargetMotion motion;
  if (!LocateIn(state, target, self, motion)) return std::nullopt;
  return motion;
}

void BlockTargets::LocatePoints(std::span<const PackedTarget> slots,
                                TargetBlock& targets) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const PackedTarget& target = slots[i];
    const bool found = target.kind() == Target::Kind::kPoint;
    targets.present[i] = found ? 1 : 0;
    losses_ += found || target.loss_told() ? 0 : 1;
    // 0 where there is none.
    const Vec3 point = target.point();
    targets.x[i] = point.x;
    targets.y[i] = point.y;
    targets.z[i] = point.z;
  }
  for (auto* velocity :
       {&targets.velocity_x, &targets.velocity_y, &targets.velocity_z}) {
    std::fill_n(velocity->begin(), slots.size(), 0.0f);
  }
}

void BlockTargets::LocateAll(std::size_t slot) {
  const AgentColumns& agents = state_.populations[block_.population].agents;
  TargetBlock& targets = targets_[slot];
  if (!agents.targets[slot].empty() && !agents.NamesAgents(slot)) {
    LocatePoints(
        std::span(agents.targets[slot]).subspan(block_.first_row, block_.rows),
        targets);
    return;
  }
  for (std::size_t i = 0; i < block_.rows; ++i) {
    const std::size_t row = block_.first_row + i;
    const PackedTarget target = agents.TargetAt(row, slot);
    TargetMotion motion;
    const bool found = LocateIn(state_, target, agents.id[row], motion);
    if (!found && !target.loss_told()) ++losses_;
    targets.present[i] = found ? 1 : 0;
    targets.x[i] = motion.position.x;
    targets.y[i] = motion.position.y;
    targets.z[i] = motion.position.z;
    targets.velocity_x[i] = motion.velocity.x;
    targets.velocity_y[i] = motion.velocity.y;
    targets.velocity_z[i] = motion.velocity.z;
  }
}

}  // namespace meander::core
