// What a running server does for its clients, one benchmark a run.
//
// A plain client; tests/bench/run.sh starts the server beside it. To add one,
// write its function into a service_*.cc of its own and name it below.

#include "tests/bench/service_bench.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/bench/bench_client.h"

namespace {

using meander::bench::ServiceArguments;

struct Named {
  std::string_view name;
  void (*measure)(const ServiceArguments&);
};

constexpr std::array kBenches{
    Named{"commands_per_second", meander::bench::MeasureCommands},
    Named{"external_agents", meander::bench::MeasureExternalAgents},
    Named{"tick_lateness", meander::bench::MeasureLateness},
    Named{"create_and_delete", meander::bench::MeasureComingAndGoing},
    Named{"idle_worlds", meander::bench::MeasureIdleWorlds},
    Named{"small_worlds", meander::bench::MeasureSmallWorlds},
    Named{"million_wander", meander::bench::MeasureMillionWanderers},
    Named{"million_flock2d", meander::bench::MeasureMillionFlocking},
    Named{"heavy_light", meander::bench::MeasureHeavyAndLight},
};

}  // namespace

int main(int argc, char** argv) {
  ServiceArguments arguments;
  const Named* chosen = nullptr;
  const bool parsed = meander::bench::ParseArguments(
      argc, argv, [&](std::string_view name, const std::string& value) {
        if (name == "server") {
          arguments.server = value;
        } else if (name == "server_pid") {
          arguments.server_pid = std::atol(value.c_str());
        } else if (name == "seconds") {
          arguments.seconds = std::atoi(value.c_str());
        } else if (name == "smoke") {
          arguments.smoke = value == "true";
        } else if (name == "bench") {
          const auto* const found =
              std::find_if(kBenches.begin(), kBenches.end(),
                           [&](const Named& b) { return b.name == value; });
          if (found != kBenches.end()) chosen = &*found;
        } else {
          return false;
        }
        return true;
      });
  if (!parsed || chosen == nullptr || arguments.server.empty() ||
      arguments.server_pid <= 0 || arguments.seconds <= 0) {
    std::fprintf(stderr,
                 "usage: meander_service_bench --server=HOST:PORT "
                 "--server_pid=PID --bench=NAME [--seconds=N] "
                 "[--smoke=true]\nStarted by "
                 "tests/bench/run.sh service.\n");
    return 2;
  }
  chosen->measure(arguments);
  return 0;
}
