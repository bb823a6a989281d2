// What a follower in lockstep is given: a snapshot of a world in mid-run, with
// commands pending, and the records that were admitted after it. A pure
// function of the golden scenario `mixed`.
#ifndef MEANDER_TESTS_SCENARIOS_LOCKSTEP_CASE_H_
#define MEANDER_TESTS_SCENARIOS_LOCKSTEP_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/scenarios/scenario.h"

namespace meander::scenarios {

struct LockstepCase {
  std::int64_t last_tick = 0;
  std::string snapshot;
  std::vector<std::string> records;  // in the order of admission
};

LockstepCase MakeLockstepCase();

// The world that an authority goes on with: everything of the case is admitted
// and nothing of `records` applied yet.
ScenarioRun Authority(const LockstepCase& lockstep);

// The snapshot as another simulation version would have written it, with a
// checksum that is right.
std::string OfAnotherVersion(std::string snapshot);

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_LOCKSTEP_CASE_H_
