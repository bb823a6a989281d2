// meanderd: a server from its flags, until a signal ends it.

#include <absl/flags/flag.h>
#include <absl/flags/parse.h>
#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/simd/simd_target.h"
#include "core/world.h"
#include "server/convert/error_docs.h"
#include "server/health_check.h"
#include "server/options.h"
#include "server/port_file.h"
#include "server/server.h"

#ifndef MEANDER_VERSION
#define MEANDER_VERSION "unknown"
#endif

ABSL_FLAG(bool, print_errors, false,
          "[Documentation] start nothing, but print the table of error reasons "
          "in Markdown");

namespace meander {
namespace {

constexpr int kFailed = 1;
constexpr int kSignalExit = 128;  // As a shell counts.

std::string Version() {
  return "meanderd " MEANDER_VERSION ", simulation version " +
         std::to_string(core::kSimulationVersion);
}

// What steps the worlds of this server, of what this machine runs.
std::string Kernels(const std::string& simd) {
  const core::SimdTarget target = core::ChooseSimdTarget(simd.c_str()).target;
  return "kernels " + std::string(core::NameOf(target)) + " (of " +
         core::RunnableSimdTargets() + ')';
}

bool Has(const std::vector<char*>& arguments, std::string_view flag) {
  for (const char* argument : arguments) {
    if (argument == flag) return true;
  }
  return false;
}

int Fail(const std::string& reason) {
  std::fprintf(stderr, "meanderd: %s\n", reason.c_str());
  return kFailed;
}

// Each watcher takes a descriptor; the soft limit is often as low as 1,024.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The signals that end a server, kept from every thread that is started later:
// they are waited for instead.
sigset_t BlockEndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c)
  return signals;
}

int WaitFor(const sigset_t& signals) {
  int number = 0;
  while (sigwait(&signals, &number) != 0) {
  }
  return number;
}

int Serve(const Options& options, const sigset_t& signals) {
  RaiseDescriptorLimit();
  std::string error;
  const std::unique_ptr<Server> server = Server::Start(options, error);
  if (server == nullptr) return Fail(error);
  if (!options.port_file.empty()) {
    if (const auto wrong = WritePortFile(options.port_file, server->port())) {
      return Fail(*wrong);
    }
  }
  const bool local = ParseListenAddress(options.listen)->IsLoopback();
  std::printf("meanderd listens on %s (plaintext%s), %s\n",
              server->address().c_str(),
              local ? "" : "; whoever reaches it can change every world",
              Kernels(options.simd).c_str());
  std::fflush(stdout);

  std::printf("meanderd drains after signal %d\n", WaitFor(signals));
  std::fflush(stdout);
  std::thread([signals] {
    // Asked a second time: at once, whatever still hangs.
    std::_Exit(kSignalExit + WaitFor(signals));
  }).detach();
  server->Drain();
  return 0;
}

int TellVersion() {
  Options options;
  options.simd = SimdFromEnvironment();
  if (const auto wrong = Validate(options)) return Fail(*wrong);
  std::printf("%s, %s\n", Version().c_str(), Kernels(options.simd).c_str());
  return 0;
}

int Main(int argc, char** argv) {
  const std::vector<char*> all(argv, argv + argc);
  if (Has(all, "--help") || Has(all, "-h")) {
    std::printf(
        "%s\n\nServes deterministic worlds of steering agents over gRPC.\n"
        "Flags, each --name=value, and their defaults:\n%s",
        Version().c_str(), FlagsHelp().c_str());
    return 0;
  }
  if (Has(all, "--version")) {
    return TellVersion();
  }
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    return Fail("takes flags only; there is \"" + std::string(rest[1]) + '"');
  }
  if (absl::GetFlag(FLAGS_print_errors)) {
    std::fputs(convert::ErrorDocs().c_str(), stdout);
    return 0;
  }
  Options options = OptionsFromFlags();
  const bool only_ask = HealthcheckAsked();
  if (only_ask) options.insecure = true;  // No server becomes open by that.
  if (const auto wrong = Validate(options)) return Fail(*wrong);
  if (only_ask) {
    if (const auto wrong = CheckHealth(options)) return Fail(*wrong);
    std::puts("meanderd serves");
    return 0;
  }
  return Serve(options, BlockEndSignals());
}

}  // namespace
}  // namespace meander

int main(int argc, char** argv) { return meander::Main(argc, argv); }
