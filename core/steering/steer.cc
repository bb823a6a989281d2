#include "core/steering/steer.h"

#include <algorithm>
#include <array>
#include <span>
#include <variant>

#include "core/random/agent_random.h"
#include "core/steering/seek.h"
#include "core/steering/steering_block.h"
#include "core/steering/wander.h"

namespace meander::core {
namespace {

SteeringBlock MakeSteeringBlock(WorldState& state, const AgentBlock& block) {
  Population& population = state.populations[block.population];
  AgentColumns& agents = population.agents;
  const std::size_t first = block.first_row;
  return {
      .rows = block.rows,
      .position_x = &agents.position_x[first],
      .position_y = &agents.position_y[first],
      .position_z = &agents.position_z[first],
      .velocity_x = &agents.velocity_x[first],
      .velocity_y = &agents.velocity_y[first],
      .velocity_z = &agents.velocity_z[first],
      .force_x = &agents.force_x[first],
      .force_y = &agents.force_y[first],
      .force_z = &agents.force_z[first],
      .max_speed = population.archetype.max_speed,
      .wrap = WrapOf(state.config),
  };
}

// Where a target is in the state before the step. False for a slot that is not
// set, that names a dead agent, or the agent itself.
bool Locate(const WorldState& state, const Target& target, AgentId self,
            Vec3& place) {
  switch (target.kind) {
    case Target::Kind::kNone:
      return false;
    case Target::Kind::kPoint:
      place = target.point;
      return true;
    case Target::Kind::kAgent:
      break;
  }
  if (target.agent == self) return false;
  const AgentLocation* found = state.index.Find(target.agent);
  if (found == nullptr) return false;
  const AgentColumns& agents = state.populations[found->population].agents;
  place = {agents.position_x[found->row], agents.position_y[found->row],
           agents.position_z[found->row]};
  return true;
}

void LocateTargets(const WorldState& state, const AgentBlock& block,
                   std::int32_t slot, TargetBlock& targets) {
  const AgentColumns& agents = state.populations[block.population].agents;
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::size_t row = block.first_row + i;
    Vec3 place;
    const Target& target = agents.targets[row][static_cast<std::size_t>(slot)];
    const bool present = Locate(state, target, agents.id[row], place);
    targets.present[i] = present ? 1 : 0;
    targets.x[i] = place.x;
    targets.y[i] = place.y;
    targets.z[i] = place.z;
  }
}

// Where the targets of a block are; each slot is looked up at most once.
class BlockTargets {
 public:
  BlockTargets(const WorldState& state, const AgentBlock& block)
      : state_(state), block_(block) {}

  const TargetBlock& Slot(std::int32_t slot) {
    const auto at = static_cast<std::size_t>(slot);
    if (!located_[at]) LocateTargets(state_, block_, slot, targets_[at]);
    located_[at] = true;
    return targets_[at];
  }

 private:
  const WorldState& state_;
  const AgentBlock& block_;
  std::array<bool, kTargetSlots> located_{};
  std::array<TargetBlock, kTargetSlots> targets_;
};

// Adds one term to a block, whatever its behavior.
struct TermAdder {
  WorldState& state;
  const AgentBlock& block;
  const SteeringBlock& steering;
  BlockTargets& targets;
  std::int64_t tick;
  float weight;

  void operator()(const Seek& seek) const {
    AddSeek(steering, targets.Slot(seek.slot), weight);
  }

  void operator()(const WanderWorldAngle& wander) const {
    AgentColumns& agents = state.populations[block.population].agents;
    std::array<std::int64_t, kBlockRows> step_counts;
    for (std::size_t i = 0; i < block.rows; ++i) {
      step_counts[i] = tick - agents.spawn_tick[block.first_row + i];
    }
    std::array<float, kBlockRows> uniforms;
    const std::span<float> drawn = std::span(uniforms).first(block.rows);
    FillUniforms(std::span(agents.seed).subspan(block.first_row, block.rows),
                 std::span(step_counts).first(block.rows),
                 kWorldAngleStepLanes.purpose, kWorldAngleStepLanes.block,
                 kWorldAngleStepLanes.first_lane, drawn);
    AddWanderWorldAngle(
        steering, wander, AxesOf(state.config.plane), StepSeconds(state.config),
        weight, drawn,
        std::span(agents.wander_turn).subspan(block.first_row, block.rows));
  }
};

}  // namespace

void SteerBlock(WorldState& state, const AgentBlock& block, std::int64_t tick) {
  const Population& population = state.populations[block.population];
  const SteeringBlock steering = MakeSteeringBlock(state, block);
  std::fill_n(steering.force_x, steering.rows, 0.0f);
  std::fill_n(steering.force_y, steering.rows, 0.0f);
  std::fill_n(steering.force_z, steering.rows, 0.0f);
  BlockTargets targets(state, block);
  for (const Term& term : population.archetype.terms) {
    std::visit(TermAdder{state, block, steering, targets, tick, term.weight},
               term.behavior);
  }
}

}  // namespace meander::core
