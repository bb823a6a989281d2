// How much faster two threads step a world than one, beside what the machine
// gives to two threads that have nothing to do with each other.
//
// Processors that share a core, and others' work, take from the second thread
// what no program can get back; how much changes from minute to minute. So the
// three are measured in turns, A B C C B A.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/core_bench.h"

namespace meander::bench {
namespace {

std::string NameOf(const Scene& scene, const Size& size, int threads) {
  return Named(scene.name, size.agents) + "/threads:" + std::to_string(threads);
}

// Worlds of a scene, each made and stepped by a thread of its own, with
// nothing shared but when they begin.
class WorldsApart {
 public:
  WorldsApart(const Scene& scene, const Size& size, int count)
      : agent_steps_(static_cast<double>(size.agents * size.sample_ticks)),
        gate_(count + 1),
        spans_(static_cast<std::size_t>(count)) {
    for (Span& span : spans_) {
      threads_.emplace_back(
          [this, &scene, &size, &span] { Loop(scene, size, span); });
    }
    gate_.arrive_and_wait();  // the worlds are made
  }
  ~WorldsApart() {
    stopping_ = true;
    gate_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }

  // An agent-step of one of the worlds, from when the first begins until the
  // last ends.
  Times operator()() {
    ready_ = 0;
    gate_.arrive_and_wait();
    gate_.arrive_and_wait();
    double begin = spans_.front().begin;
    double end = spans_.front().end;
    for (const Span& span : spans_) {
      begin = std::min(begin, span.begin);
      end = std::max(end, span.end);
    }
    return {.wall = (end - begin) / agent_steps_};
  }

  const SteppedScene& world(std::size_t place) const {
    return *spans_[place].stepped;
  }

 private:
  struct Span {
    double begin = 0.0;
    double end = 0.0;
    const SteppedScene* stepped = nullptr;
  };

  void Loop(const Scene& scene, const Size& size, Span& span) {
    SteppedScene stepped(scene, size);
    span.stepped = &stepped;
    gate_.arrive_and_wait();
    for (;;) {
      gate_.arrive_and_wait();
      if (stopping_) return;
      // They have been woken up one after the other.
      for (++ready_; ready_ < spans_.size();) std::this_thread::yield();
      span.begin = Now().wall;
      stepped();
      span.end = Now().wall;
      gate_.arrive_and_wait();
    }
  }

  const double agent_steps_;
  std::barrier<> gate_;  // of the threads and of whoever measures
  std::atomic<std::size_t> ready_ = 0;
  std::vector<Span> spans_;  // what crosses a gate is seen behind it
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

struct Turn {
  double one = 0.0;
  double two = 0.0;
  double apart = 0.0;
};

// The median over all turns of what `ratio` makes of each.
template <typename Ratio>
Figure Of(const std::vector<Turn>& turns, std::string name,
          std::string baseline, Ratio ratio) {
  std::vector<double> ratios;
  for (const Turn& turn : turns) ratios.push_back(ratio(turn));
  return {.name = std::move(name),
          .value = Median(ratios),
          .unit = "x",
          .baseline = std::move(baseline),
          .ratio = Median(ratios),
          .quartiles = Quartiles(ratios),
          .samples = static_cast<int>(ratios.size()),
          .clock = "wall"};
}

void MeasureSpeedup(benchmark::State& state, const Scene& scene,
                    const Size& size) {
  SteppedScene one(scene, size);
  SteppedScene two(scene, size, 2);
  WorldsApart apart(scene, size, 2);
  std::vector<Turn> turns;
  for (auto _ : state) {
    Turn turn;
    const bool back = turns.size() % 2 == 1;
    if (back) turn.apart = apart().wall;
    if (back) turn.two = two().wall;
    turn.one = one().wall;
    if (!back) turn.two = two().wall;
    if (!back) turn.apart = apart().wall;
    turns.push_back(turn);
  }
  const std::string alone = NameOf(scene, size, 1);
  const std::string both = NameOf(scene, size, 2);
  Figure speedup = Of(turns, "speedup/" + both, alone,
                      [](const Turn& t) { return t.one / t.two; });
  Figure given = Of(turns, "apart/" + both, alone,
                    [](const Turn& t) { return 2 * t.one / t.apart; });
  Figure reached = Of(turns, "reached/" + both, "apart/" + both,
                      [](const Turn& t) { return t.apart / (2 * t.two); });
  one.Stamp(speedup);
  if (two.Stamp(reached).hash != speedup.hash ||
      apart.world(0).Stamp(given).hash != speedup.hash ||
      apart.world(1).Stamp(given).hash != speedup.hash) {
    Fail(speedup.name + ": threads change the hash");
  }
  Print(speedup);
  Print(given);
  Print(reached);
}

}  // namespace

void RegisterSpeedup(const Suite& suite) {
  for (const Scene& scene : kScenes) {
    for (std::size_t i = 1; i < suite.sizes.size(); ++i) {
      const Size size = suite.sizes[i];
      Register(
          "speedup/" + NameOf(scene, size, 2), size.pairs,
          [=](benchmark::State& state) { MeasureSpeedup(state, scene, size); });
    }
  }
}

}  // namespace meander::bench
