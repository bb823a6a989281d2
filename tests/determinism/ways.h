// The ways to run a scenario that must make no difference: one for each thing
// that a host is free to choose.
//
//   once         one thread, rows as they come, no interruption
//   threads_N    N threads, pieces of work handed out in random order
//   spawns       the agents of each spawn one by one, in random order
//   rows         rows change places at random every few ticks
//   snapshots    the world is encoded, forgotten and decoded every few ticks
//   sync         each tick is stepped, taken back by a snapshot and stepped
//                again, and both results are compared byte for byte
//   upward, downward, toward_zero
//                the host rounds that way, flushes subnormal results to zero
//                and takes subnormal operands for zero, in the thread that
//                steps and in those that lend themselves
//
//   simd_NAME    with the kernels of that SimdTarget
//
// WebAssembly has neither threads nor another floating-point environment, so
// those ways do not exist there; nor do kernels that a machine cannot run. Pure
// of the scenario.
#ifndef MEANDER_TESTS_DETERMINISM_WAYS_H_
#define MEANDER_TESTS_DETERMINISM_WAYS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "tests/scenarios/scenario.h"

namespace meander::scenarios {

struct WayResult {
  std::map<std::int64_t, std::uint64_t> hashes;  // by tick
  // What the way itself saw go wrong; empty when nothing did.
  std::string fault;
};

struct Way {
  std::string_view name;
  // Runs to each of `ticks`, which ascend.
  WayResult (*run)(const Scenario& scenario,
                   std::span<const std::int64_t> ticks);
};

// All that exist on this target.
std::span<const Way> Ways();

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_DETERMINISM_WAYS_H_
