// How late light worlds are alone and beside a heavy one, and why: in the same
// run a bare thread with a timer, and the pool's own moments.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/figure.h"
#include "tests/bench/scenes.h"
#include "tests/bench/service_bench.h"
#include "tests/bench/service_house.h"
#include "tests/bench/service_pool_times.h"

namespace meander::bench {
namespace {

using std::chrono::nanoseconds;

// The heavy world flocks.
constexpr std::string_view kHeavy = "heavy";
constexpr std::int32_t kHeavyRateHz = 20;
constexpr std::int64_t kHeavyWarmTicks = 5;

struct Sizes {
  int light_worlds = 100;
  std::int64_t light_agents = 100;
  std::int64_t heavy_agents = 300'000;
  Stretch stretch;
  int pairs = 5;
};
constexpr Sizes kSmokeSizes{.light_worlds = 4,
                            .light_agents = 10,
                            .heavy_agents = 100'000,
                            .stretch = {.first_tick = 5, .ticks = 15},
                            .pairs = 1};

// For the heavy world in a smoke run, on whatever machine.
constexpr std::chrono::seconds kSmokePatience{30};

hosting::WorldStatus StatusOf(hosting::WorldHost& host) {
  const auto status = host.Status();
  if (!status.ok()) Fail("the heavy world is gone");
  return *status;
}

// A flock that is at it by the time that this returns.
std::shared_ptr<hosting::WorldHost> HostHeavy(
    const hosting::HostContext& context, std::int64_t agents) {
  scenarios::Scenario scenario = Flock2d(agents);
  scenario.config.tick_rate_hz = kHeavyRateHz;
  const auto host =
      hosting::WorldHost::Create(context,
                                 {.id = std::string(kHeavy),
                                  .uid = std::string(kHeavy),
                                  .config = core::Normalized(scenario.config),
                                  .seed = scenario.seed},
                                 {});
  if (!host.ok()) Fail("a world could not be made");
  std::vector<hosting::BatchCommand> batch;
  for (core::Command& command : scenario.commands) {
    command.apply_tick = 0;
    batch.emplace_back(std::move(command));
  }
  if (!(*host)->Submit(batch).ok()) Fail("a world could not be filled");
  std::int64_t first = 0;
  for (;;) {
    const hosting::WorldStatus status = StatusOf(**host);
    if (status.agent_count == 0) first = status.tick;
    if (status.tick > first + kHeavyWarmTicks) return *host;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// The values of each stretch by name, in the order in which names came.
class Table {
 public:
  void Add(const std::string& name, const std::string& unit, double value) {
    const auto [at, is_new] = places_.emplace(name, rows_.size());
    if (is_new) rows_.push_back({name, unit, {}});
    rows_[at->second].values.push_back(value);
  }
  void PrintAll() const {
    for (const Row& row : rows_) {
      Print({.name = "heavy_light/" + row.name,
             .value = Median(row.values),
             .unit = row.unit,
             .hash = {},
             .baseline = {},
             .quartiles = Quartiles(row.values),
             .samples = static_cast<int>(row.values.size())});
    }
  }

 private:
  struct Row {
    std::string name;
    std::string unit;
    std::vector<double> values;
  };
  std::map<std::string, std::size_t> places_;
  std::vector<Row> rows_;
};

double Milliseconds(nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}

// What the slowest hundredth spent where, on average.
void TakeApart(std::vector<Wait> waits, const std::string& where,
               Table& table) {
  if (waits.empty()) return;
  std::sort(waits.begin(), waits.end(),
            [](const Wait& a, const Wait& b) { return a.all < b.all; });
  const std::size_t first = (waits.size() - 1) * 99 / 100;
  table.Add("taken_p99/" + where, "ms", Milliseconds(waits[first].all));
  Wait sum;
  for (std::size_t i = first; i < waits.size(); ++i) {
    sum.all += waits[i].all;
    sum.at_rest += waits[i].at_rest;
    sum.due_turns += waits[i].due_turns;
    sum.heavy_work += waits[i].heavy_work;
    sum.kept_from_it += waits[i].kept_from_it;
  }
  const auto count = static_cast<double>(waits.size() - first);
  const auto add = [&](const std::string& what, nanoseconds time) {
    table.Add("slowest_hundredth/" + where + '/' + what, "ms",
              Milliseconds(time) / count);
  };
  add("till_taken", sum.all);
  add("waking_up", sum.at_rest);
  add("in_due_turns", sum.due_turns);
  add("in_heavy_work", sum.heavy_work);
  add("without_processor", sum.kept_from_it);
}

void AddStretches(const PoolTimes& times, Table& table) {
  std::vector<nanoseconds> cpu = times.StretchesCpu();
  std::vector<nanoseconds> wall = times.StretchesWall();
  if (cpu.empty()) return;
  table.Add("unlooking_cpu/longest", "ms",
            Milliseconds(*std::max_element(cpu.begin(), cpu.end())));
  table.Add("unlooking_cpu/p99", "ms", P99(cpu));
  table.Add("unlooking_wall/longest", "ms",
            Milliseconds(*std::max_element(wall.begin(), wall.end())));
}

// A tick of the heavy world, and a piece of one.
void AwaitHeavy(hosting::WorldHost& heavy, std::int64_t tick,
                const PoolTimes& times) {
  const auto end = std::chrono::steady_clock::now() + kSmokePatience;
  while (StatusOf(heavy).tick == tick || !times.AnyStretch()) {
    if (std::chrono::steady_clock::now() > end) Fail("no heavy work is done");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// The light worlds for a stretch, and a bare timer thread meanwhile.
void Host(const Sizes& sizes, bool smoke, bool beside_heavy, Table& table) {
  PoolTimes times;
  Lateness light;
  double bare = 0.0;
  {
    House house(sizes.stretch, &times);
    std::shared_ptr<hosting::WorldHost> heavy;
    hosting::WorldStatus before;
    if (beside_heavy) {
      heavy = HostHeavy(house.context(), sizes.heavy_agents);
      before = StatusOf(*heavy);
    }
    // However long this thread is kept from going on, some ticks are measured.
    if (smoke) times.Start();
    house.Add(sizes.light_worlds, sizes.light_agents);
    times.Start();
    std::thread timer([&] { bare = BareTimer(sizes.stretch); });
    house.Await();
    if (smoke && heavy) AwaitHeavy(*heavy, before.tick, times);
    times.Stop();
    timer.join();
    if (heavy) {
      const hosting::WorldStatus after = StatusOf(*heavy);
      heavy->Close({core::ErrorCode::kDraining, "", "the run is over"});
      table.Add("heavy_ticks", "ticks",
                static_cast<double>(after.tick - before.tick));
      table.Add(
          "heavy_missed_ticks", "ticks",
          static_cast<double>(after.slipped_ticks - before.slipped_ticks));
    }
    light = house.Tell();
  }
  const std::string where = beside_heavy ? "beside" : "alone";
  table.Add("light_lateness_p99/" + where, "ms", light.published);
  table.Add("bare_timer_p99/" + where, "ms", bare);
  table.Add("light_missed_ticks/" + where, "ticks",
            static_cast<double>(light.slipped));
  TakeApart(times.Waits(), where, table);
  if (beside_heavy) AddStretches(times, table);
}

}  // namespace

void MeasureHeavyAndLight(const ServiceArguments& arguments) {
  const Sizes sizes = arguments.smoke ? kSmokeSizes : Sizes{};
  Table table;
  for (int pair = 0; pair < sizes.pairs; ++pair) {
    const bool alone_first = pair % 2 == 0;
    Host(sizes, arguments.smoke, !alone_first, table);
    Host(sizes, arguments.smoke, alone_first, table);
  }
  table.PrintAll();
}

}  // namespace meander::bench
