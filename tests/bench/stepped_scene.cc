#include "tests/bench/stepped_scene.h"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <semaphore>

#include "server/hosting/clock.h"
#include "server/hosting/worker_pool.h"

namespace meander::bench {
namespace {

class Turn final : public hosting::WorkerTask {
 public:
  explicit Turn(const std::function<void()>& work) : work_(work) {}
  void RunTurn() override {
    work_();
    done_.release();
  }
  void Wait() { done_.acquire(); }

 private:
  const std::function<void()>& work_;
  std::binary_semaphore done_{0};
};

}  // namespace

class Threads::Pool {
 public:
  explicit Pool(std::size_t count) : workers_(clock_, count) {}
  void Run(const std::function<void(core::ParallelFor&)>& work) {
    const std::function<void()> bound = [&] { work(workers_); };
    const auto turn = std::make_shared<Turn>(bound);
    workers_.Post(turn);
    turn->Wait();
  }

 private:
  hosting::MonotonicClock clock_;
  hosting::WorkerPool workers_;
};

Threads::Threads(int count)
    : pool_(count > 1 ? std::make_unique<Pool>(static_cast<std::size_t>(count))
                      : nullptr) {}

Threads::~Threads() = default;

void Threads::Run(const std::function<void(core::ParallelFor&)>& work) {
  core::SerialFor serial;
  if (pool_ == nullptr) {
    work(serial);
  } else {
    pool_->Run(work);
  }
}

std::string Named(std::string_view name, std::int64_t agents) {
  return std::string(name) + '/' + std::to_string(agents);
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

SteppedScene::SteppedScene(const Scene& scene, const Size& size, int threads,
                           core::SimdTarget simd)
    : size_(size), threads_(threads), run_(scene.make(size.agents)) {
  run_.UseSimd(simd);
  threads_.Run([&](core::ParallelFor& parallel) {
    run_.StepTo(size.warm_ticks, parallel);
  });
  if (world().agent_count() != size.agents) Fail("a scene lacks agents");
}

Times SteppedScene::operator()() {
  Times spent;
  threads_.Run([&](core::ParallelFor& parallel) {
    const auto agent_steps =
        static_cast<double>(size_.agents * size_.sample_ticks);
    spent = Measured(agent_steps, [&] {
      run_.StepTo(world().tick() + size_.sample_ticks, parallel);
    });
  });
  return spent;
}

Figure& SteppedScene::Stamp(Figure& figure) const {
  core::SerialFor serial;
  figure.hash = world().Hash(serial).value;
  figure.tick = world().tick();
  return figure;
}

}  // namespace meander::bench
