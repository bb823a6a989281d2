// A scene as it is measured, and the floor that it is measured beside.
#ifndef MEANDER_TESTS_BENCH_STEPPED_SCENE_H_
#define MEANDER_TESTS_BENCH_STEPPED_SCENE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/codec/snapshot.h"
#include "core/parallel_for.h"
#include "core/world.h"
#include "tests/bench/pairs.h"
#include "tests/bench/scenes.h"

namespace meander::bench {

// How much of a world is measured.
struct Size {
  std::int64_t agents = 0;
  std::int64_t warm_ticks = 0;    // before the first sample
  std::int64_t sample_ticks = 0;  // in each sample
  int pairs = 0;
};

// "name/N".
std::string Named(std::string_view name, std::int64_t agents);

// Threads to step with. One is the caller's; several are those of a server's
// pool: a turn on one of its workers, whom the others help.
class Threads {
 public:
  explicit Threads(int count);
  ~Threads();

  // Calls `work` on one of them and returns when it has.
  void Run(const std::function<void(core::ParallelFor&)>& work);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;  // none for one
};

// The floor of a tick: reads and writes position, velocity (six columns) and a
// cold record of 32 bytes of each agent once.
class MemoryPass {
 public:
  explicit MemoryPass(std::int64_t agents);
  // Of one agent, in one pass.
  Times operator()();

 private:
  const std::int64_t agents_;
  std::vector<std::uint32_t> hot_;
  std::vector<std::uint64_t> cold_;
};
inline constexpr char kMemoryPass[] = "memory_pass";

// A scene that is stepped on, past its warm-up when it is made.
class SteppedScene {
 public:
  SteppedScene(const Scene& scene, const Size& size, int threads = 1,
               core::SimdTarget simd = SimdInUse());

  // One agent-step of the next ticks of a sample.
  Times operator()();

  const core::World& world() const { return run_.world(); }
  std::string Snapshot() const {
    return core::EncodeSnapshot(run_.world(), run_.admission());
  }
  // Hash and tick as they are now.
  Figure& Stamp(Figure& figure) const;

 private:
  const Size size_;
  Threads threads_;
  scenarios::ScenarioRun run_;
};

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_STEPPED_SCENE_H_
