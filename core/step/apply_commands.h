// Application of admitted commands, the first part of a step.
//
// Each takes effect wholly or has an outcome that does nothing, decided by the
// state alone. One thread.
#ifndef MEANDER_CORE_STEP_APPLY_COMMANDS_H_
#define MEANDER_CORE_STEP_APPLY_COMMANDS_H_

#include <cstdint>
#include <span>

#include "core/command.h"
#include "core/world_state.h"

namespace meander::core {

// Applies the commands of `tick` in their order and settles the state.
// outcomes[i] tells what became of commands[i]. Preconditions: as World::Step.
void ApplyCommands(WorldState& state, std::int64_t tick,
                   std::span<const AdmittedCommand> commands,
                   std::span<CommandOutcome> outcomes);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_APPLY_COMMANDS_H_
