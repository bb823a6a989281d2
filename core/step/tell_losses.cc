#include "core/step/tell_losses.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/event.h"
#include "core/state_hash.h"
#include "core/steering/block_targets.h"

namespace meander::core {
namespace {

using SlotsRead = std::array<bool, kTargetSlots>;

SlotsRead SlotsReadBy(const Archetype& archetype) {
  SlotsRead read{};
  for (const Term& term : archetype.terms) {
    const std::optional<std::int32_t> slot = SlotOf(term.behavior);
    if (slot) read[static_cast<std::size_t>(*slot)] = true;
  }
  return read;
}

void TellBlock(WorldState& state, const AgentBlock& block, std::int64_t tick) {
  Population& population = state.populations[block.population];
  const SlotsRead read = SlotsReadBy(population.archetype);
  AgentColumns& agents = population.agents;
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::size_t row = block.first_row + i;
    for (std::size_t slot = 0; slot < read.size(); ++slot) {
      if (!read[slot]) continue;
      PackedTarget target = agents.TargetAt(row, slot);
      if (target.loss_told()) continue;
      if (Locate(state, target, agents.id[row])) continue;
      target.TellLoss();
      const AgentLocation at{block.population, static_cast<std::uint32_t>(row)};
      SubtractColdMix(state, at);
      agents.SetTarget(row, slot, target);
      AddColdMix(state, at);
      state.events.push_back({.tick = tick,
                              .agent_id = agents.id[row],
                              .kind = EventKind::kTargetLost,
                              .slot = static_cast<std::int32_t>(slot)});
    }
  }
}

}  // namespace

void TellLosses(WorldState& state, std::int64_t tick) {
  state.events.clear();
  for (AgentBlock& block : state.blocks) {
    if (block.losses == 0) continue;
    TellBlock(state, block, tick);
    block.losses = 0;
  }
  if (state.events.empty()) return;
  std::sort(state.events.begin(), state.events.end(),
            [](const Event& a, const Event& b) {
              return a.agent_id != b.agent_id ? a.agent_id < b.agent_id
                                              : a.slot < b.slot;
            });
  ++state.cold_version;  // for what is told stands with the targets
}

}  // namespace meander::core
