// Behaviors that differ from each other in one field: what must be told apart
// by whoever writes, hashes or compares them.
#ifndef MEANDER_TESTS_CORE_DIFFERENT_BEHAVIORS_H_
#define MEANDER_TESTS_CORE_DIFFERENT_BEHAVIORS_H_

#include <vector>

#include "core/behavior.h"

namespace meander::core {

// Each behavior as it is made, and with each of its fields changed.
std::vector<Behavior> DifferentBehaviors();

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_DIFFERENT_BEHAVIORS_H_
