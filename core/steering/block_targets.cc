#include "core/steering/block_targets.h"

#include <algorithm>

namespace meander::core {

std::optional<TargetMotion> Locate(const WorldState& state,
                                   const PackedTarget& target, AgentId self) {
  switch (target.kind()) {
    case Target::Kind::kNone:
      return std::nullopt;
    case Target::Kind::kPoint:
      return TargetMotion{.position = target.point(), .velocity = {}};
    case Target::Kind::kAgent:
      break;
  }
  const AgentId agent = target.agent();
  if (agent == self) return std::nullopt;
  const AgentLocation* found = state.index.Find(agent);
  if (found == nullptr) return std::nullopt;
  const AgentColumns& agents = state.populations[found->population].agents;
  return TargetMotion{.position = agents.Position(found->row),
                      .velocity = agents.Velocity(found->row)};
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
    const std::optional<TargetMotion> found =
        Locate(state_, target, agents.id[row]);
    if (!found && !target.loss_told()) ++losses_;
    targets.present[i] = found ? 1 : 0;
    const TargetMotion motion = found.value_or(TargetMotion{});
    targets.x[i] = motion.position.x;
    targets.y[i] = motion.position.y;
    targets.z[i] = motion.position.z;
    targets.velocity_x[i] = motion.velocity.x;
    targets.velocity_y[i] = motion.velocity.y;
    targets.velocity_z[i] = motion.velocity.z;
  }
}

}  // namespace meander::core
