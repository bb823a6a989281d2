#include "tests/integration/doomed_client.h"

#include <unistd.h>

#include <cstdio>

#include "tests/integration/client.h"

namespace meander {
namespace {

constexpr char kWatch[] = "--doomed_watcher";
constexpr char kStep[] = "--doomed_stepper";
constexpr char kItself[] = "/proc/self/exe";

void SayBusy() {
  std::puts(kDoomedClientIsBusy);
  std::fflush(stdout);
}

}  // namespace

std::vector<std::string> DoomedWatcher(const std::string& address,
                                       const std::string& world) {
  return {kItself, kWatch, address, world};
}

std::vector<std::string> DoomedStepper(const std::string& address,
                                       const std::string& world,
                                       std::int64_t ticks) {
  return {kItself, kStep, address, world, std::to_string(ticks)};
}

bool RunDoomedClient(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) return false;
  if (arguments[1] == kWatch) {
    const Client client(arguments[2]);
    Call call;
    const auto reader = client.Watch(call.context, arguments[3]);
    v1::Frame frame;
    if (reader->Read(&frame)) SayBusy();
    for (;;) pause();
  }
  if (arguments[1] == kStep && arguments.size() == 5) {
    const Client client(arguments[2]);
    client.MustServe();
    SayBusy();
    (void)client.Step(arguments[3], std::stoll(arguments[4]));
    return true;
  }
  return false;
}

}  // namespace meander
