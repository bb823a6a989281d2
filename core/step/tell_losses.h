// The events of a step: who has lost a target.
#ifndef MEANDER_CORE_STEP_TELL_LOSSES_H_
#define MEANDER_CORE_STEP_TELL_LOSSES_H_

#include "core/world_state.h"

namespace meander::core {

// Replaces the state's events by those of the step that produces `tick`: of the
// blocks that have `losses`, whose slots it marks as told. Visits no other
// block's agents; does not allocate once it has told as much before.
// Precondition: nobody has come, gone or been given another target since
// steering counted them; that they have moved does not matter. One thread.
void TellLosses(WorldState& state, std::int64_t tick);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_TELL_LOSSES_H_
