#include "tests/bench/stepped_scene.h"

#include <benchmark/benchmark.h>

#include <cstddef>

#include "server/hosting/clock.h"
#include "server/hosting/worker_pool.h"

namespace meander::bench {
namespace {

class ServerThreads final : public core::ParallelFor {
 public:
  explicit ServerThreads(std::size_t threads) : pool_(clock_, threads) {}
  void Run(std::size_t count, core::IndexFunction body) override {
    pool_.Run(count, body);
  }

 private:
  hosting::MonotonicClock clock_;
  hosting::WorkerPool pool_;
};

}  // namespace

std::string Named(std::string_view name, std::int64_t agents) {
  return std::string(name) + '/' + std::to_string(agents);
}

std::unique_ptr<core::ParallelFor> Lend(int threads) {
  if (threads == 1) return std::make_unique<core::SerialFor>();
  return std::make_unique<ServerThreads>(static_cast<std::size_t>(threads - 1));
}

MemoryPass::MemoryPass(std::int64_t agents)
    : agents_(agents),
      hot_(static_cast<std::size_t>(6 * agents), 1),
      cold_(static_cast<std::size_t>(4 * agents), 1) {}

Times MemoryPass::operator()() {
  // About as long as a step, so that reading clocks costs nothing.
  const auto passes = static_cast<int>(4'000'000 / agents_ + 1);
  return Measured(static_cast<double>(agents_ * passes), [&] {
    for (int i = 0; i < passes; ++i) {
      for (std::uint32_t& word : hot_) ++word;
      for (std::uint64_t& word : cold_) ++word;
      benchmark::ClobberMemory();
    }
  });
}

SteppedScene::SteppedScene(const Scene& scene, const Size& size, int threads)
    : size_(size), threads_(Lend(threads)), run_(scene.make(size.agents)) {
  run_.StepTo(size.warm_ticks, *threads_);
  if (world().agent_count() != size.agents) Fail("a scene lacks agents");
}

Times SteppedScene::operator()() {
  return Measured(static_cast<double>(size_.agents * size_.sample_ticks), [&] {
    run_.StepTo(world().tick() + size_.sample_ticks, *threads_);
  });
}

Figure& SteppedScene::Stamp(Figure& figure) {
  figure.hash = world().Hash(*threads_).value;
  figure.tick = world().tick();
  return figure;
}

}  // namespace meander::bench
