#include "server/options.h"

#include <absl/flags/commandlineflag.h>
#include <absl/flags/flag.h>
#include <absl/flags/reflection.h>
#include <absl/time/time.h>
#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "core/simd/simd_target.h"
#include "core/simulation_config.h"

// The help of a flag begins with its group.
ABSL_FLAG(std::string, listen, meander::Options{}.listen,
          "[Listening] host:port to listen on; port 0 for any that is free. "
          "Only loopback addresses without --insecure");
ABSL_FLAG(bool, insecure, meander::Options{}.insecure,
          "[Listening] allow addresses that are not loopback, in plaintext and "
          "without authentication: TLS is not available yet");
ABSL_FLAG(std::string, port_file, meander::Options{}.port_file,
          "[Listening] file to write the real port to, in decimal, once the "
          "server listens");
ABSL_FLAG(std::uint64_t, worker_threads, meander::Options{}.worker_threads,
          "[Threads] threads that step worlds; 0 for one for each processor");
ABSL_FLAG(std::uint64_t, stream_threads, meander::Options{}.stream_threads,
          "[Threads] threads that encode and send frames");
ABSL_FLAG(absl::Duration, drain_timeout,
          absl::FromChrono(meander::Options{}.drain_timeout),
          "[Shutdown] how long calls may take to end after SIGTERM or SIGINT, "
          "with a unit: 500ms, 10s");
ABSL_FLAG(
    bool, healthcheck, false,
    "[Health] start nothing, but ask the server that was started with "
    "the same flags whether it serves: the exit code is 0 when it says so "
    "within " +
        std::to_string(meander::kHealthcheckTimeout.count()) + " ms, else 1");

// Every limit, once: LIMIT(type, name, least, most, help). Its default stands
// in hosting/limits.h; least and most may look at `limits`, the others.
#define MEANDER_LIMITS(LIMIT)                                                  \
  LIMIT(uint64_t, max_worlds, 1, kMany,                                        \
        "[Limits of the server] worlds at once")                               \
  LIMIT(int64_t, max_agents_total, 1, kMany,                                   \
        "[Limits of the server] agents, alive and about to be spawned, of "    \
        "all worlds together; one takes about 400 bytes")                      \
  LIMIT(uint64_t, max_request_bytes, kKiB, 1024 * kMiB,                        \
        "[Limits of the server] bytes of a request")                           \
  LIMIT(uint64_t, max_message_bytes, 64 * kKiB, 4 * kMiB,                      \
        "[Limits of the server] bytes of a message that the server sends; "    \
        "longer frames and lists come in parts")                               \
  LIMIT(uint64_t, max_page_size, 1, kMany,                                     \
        "[Limits of the server] entries of a page of a list")                  \
  LIMIT(uint64_t, default_page_size, 1, limits.max_page_size,                  \
        "[Limits of the server] entries of a page whose size is not given")    \
  LIMIT(uint64_t, max_pending_bytes_total, 1, kEndless,                        \
        "[Limits of the server] bytes of admitted commands that wait for "     \
        "their tick, all worlds together")                                     \
  LIMIT(uint64_t, max_batch_commands, 1,                                       \
        limits.max_message_bytes / kBytesOfARefusal,                           \
        "[Limits of the server] commands of a batch")                          \
  LIMIT(int64_t, max_step_ticks, 1, kMany,                                     \
        "[Limits of the server] ticks of a call of StepWorld")                 \
  LIMIT(int64_t, max_agents, 1, core::kMaxAgents,                              \
        "[Limits of a world] the highest max_agents of a world")               \
  LIMIT(uint64_t, max_pending_commands, 1, kMany,                              \
        "[Limits of a world] admitted commands that wait for their tick")      \
  LIMIT(uint64_t, max_pending_bytes, 1, kEndless,                              \
        "[Limits of a world] bytes of the commands that wait")                 \
  LIMIT(int64_t, max_ticks_ahead, 1, kMany,                                    \
        "[Limits of a world] how many ticks ahead a command's apply_tick may " \
        "lie")                                                                 \
  LIMIT(uint64_t, max_subscribers, 1, kMany, "[Limits of a world] watchers")   \
  LIMIT(uint64_t, max_waiting_steppers, 1, kMany,                              \
        "[Limits of a world] calls at once that step it, and as many that "    \
        "change it")                                                           \
  LIMIT(uint64_t, max_waiting_readers, 1, kMany,                               \
        "[Limits of a world] queries that wait for the next tick")             \
  LIMIT(uint64_t, published_states, 2, 64,                                     \
        "[Limits of a world] buffers that hold published ticks for readers")   \
  LIMIT(uint64_t, max_kept_answers, 1, kMany,                                  \
        "[Limits of a world] answers to requests with a request id that are "  \
        "kept, and as many of CreateWorld")                                    \
  LIMIT(uint64_t, max_kept_answer_bytes, 1, kEndless,                          \
        "[Limits of a world] bytes of the answers that are kept")              \
  LIMIT(uint64_t, max_kept_outcomes, 1, kMany,                                 \
        "[Limits of a world] commands that reached their tick whose outcome "  \
        "is kept")                                                             \
  LIMIT(uint64_t, max_kept_events, 1, kMany,                                   \
        "[Limits of a world] events that are kept for watchers who ask and "   \
        "are behind")

#define MEANDER_DEFINE_FLAG(type, name, least, most, help) \
  ABSL_FLAG(std::type, name, meander::hosting::Limits{}.name, help);
MEANDER_LIMITS(MEANDER_DEFINE_FLAG)
#undef MEANDER_DEFINE_FLAG

namespace meander {
namespace {

// What a refused command takes in an answer when its description is left out.
constexpr std::size_t kBytesOfARefusal = 200;

constexpr std::uint64_t kMany = 1'000'000'000;
constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kEndless = std::numeric_limits<std::int64_t>::max();

struct Range {
  std::string_view flag;
  std::uint64_t value;
  std::uint64_t least;
  std::uint64_t most;
};

std::vector<Range> Ranges(const Options& options) {
  const hosting::Limits& limits = options.limits;
  // What is negative is too little.
  const auto number = [](auto value) {
    return value < decltype(value){} ? std::uint64_t{0}
                                     : static_cast<std::uint64_t>(value);
  };
  return {{"worker_threads", options.worker_threads, 0, 1024},
          {"stream_threads", options.stream_threads, 1, 1024},
#define MEANDER_RANGE(type, name, least, most, help) \
  {#name, number(limits.name), least, most},
          MEANDER_LIMITS(MEANDER_RANGE)
#undef MEANDER_RANGE
  };
}

// "[Group] the rest" in two.
std::pair<std::string, std::string> SplitHelp(const std::string& help) {
  const std::size_t end = help.find("] ");
  return {help.substr(1, end - 1), help.substr(end + 2)};
}

bool IsOurs(const absl::CommandLineFlag& flag) {
  return flag.Help().starts_with("[");
}

}  // namespace

bool ListenAddress::IsLoopback() const {
  in_addr four{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) {
    return ntohl(four.s_addr) >> 24 == 127;
  }
  return host == "localhost" || host == "::1";
}

bool ListenAddress::IsAnyInterface() const {
  in_addr four{};
  in6_addr six{};
  return (inet_pton(AF_INET, host.c_str(), &four) == 1 && four.s_addr == 0) ||
         (inet_pton(AF_INET6, host.c_str(), &six) == 1 &&
          IN6_IS_ADDR_UNSPECIFIED(&six));
}

std::string ListenAddress::WithPort(int real_port) const {
  const bool six = host.find(':') != std::string::npos;
  return (six ? '[' + host + ']' : host) + ':' + std::to_string(real_port);
}

std::optional<ListenAddress> ParseListenAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // An IPv6 address needs brackets.
  }
  const std::string_view digits = text.substr(colon + 1);
  ListenAddress address{std::string(host), 0};
  const auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), address.port);
  const bool whole =
      error == std::errc() && end == digits.data() + digits.size();
  if (host.empty() || digits.empty() || !whole) return std::nullopt;
  return address;
}

std::optional<std::string> Validate(const Options& options) {
  const auto address = ParseListenAddress(options.listen);
  if (!address) {
    return "--listen must be host:port with a port of 0 to 65535; it is \"" +
           options.listen + '"';
  }
  if (!address->IsLoopback() && !options.insecure) {
    return "--listen=" + options.listen +
           " is not a loopback address, and TLS is not available yet: whoever "
           "reaches it could read and change every world. Give --insecure if "
           "that is what you want";
  }
  if (options.drain_timeout < std::chrono::milliseconds::zero() ||
      options.drain_timeout > std::chrono::hours(1)) {
    return "--drain_timeout must be 0 to 1h";
  }
  const std::string refusal =
      core::ChooseSimdTarget(options.simd.c_str()).refusal;
  if (!refusal.empty()) return std::string(kSimdVariable) + ": " + refusal;
  for (const Range& range : Ranges(options)) {
    if (range.value >= range.least && range.value <= range.most) continue;
    return "--" + std::string(range.flag) + " must be " +
           std::to_string(range.least) + " to " + std::to_string(range.most);
  }
  return std::nullopt;
}

std::string SimdFromEnvironment() {
  const char* const name = std::getenv(kSimdVariable);
  return name == nullptr ? "" : name;
}

Options OptionsFromFlags() {
  Options options;
  options.simd = SimdFromEnvironment();
  options.listen = absl::GetFlag(FLAGS_listen);
  options.insecure = absl::GetFlag(FLAGS_insecure);
  options.port_file = absl::GetFlag(FLAGS_port_file);
  options.worker_threads = absl::GetFlag(FLAGS_worker_threads);
  options.stream_threads = absl::GetFlag(FLAGS_stream_threads);
  options.drain_timeout =
      absl::ToChronoMilliseconds(absl::GetFlag(FLAGS_drain_timeout));
#define MEANDER_READ_FLAG(type, name, least, most, help) \
  options.limits.name = absl::GetFlag(FLAGS_##name);
  MEANDER_LIMITS(MEANDER_READ_FLAG)
#undef MEANDER_READ_FLAG
  return options;
}

bool HealthcheckAsked() { return absl::GetFlag(FLAGS_healthcheck); }

std::map<std::string, std::int64_t> LimitsByFlag(
    const hosting::Limits& limits) {
  return {
#define MEANDER_PAIR(type, name, least, most, help) \
  {#name, static_cast<std::int64_t>(limits.name)},
      MEANDER_LIMITS(MEANDER_PAIR)
#undef MEANDER_PAIR
  };
}

std::string FlagsHelp() {
  struct Line {
    std::string group, text;
  };
  std::vector<Line> lines;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    if (!IsOurs(*flag)) continue;
    const auto [group, help] = SplitHelp(flag->Help());
    const std::string value = flag->DefaultValue();
    lines.push_back({group, "  --" + std::string(name) + "\n      " + help +
                                " (" + (value.empty() ? "none" : value) +
                                ")\n"});
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::tie(a.group, a.text) < std::tie(b.group, b.text);
  });
  std::string out, group;
  for (const Line& line : lines) {
    if (line.group != group) out += '\n' + line.group + ":\n";
    group = line.group;
    out += line.text;
  }
  out += "\nEnvironment:\n  ";
  out += kSimdVariable;
  out +=
      "\n      whose kernels step the worlds, for diagnosis: any gives the "
      "same bits. This machine runs ";
  return out + core::RunnableSimdTargets() + " (by default the last)\n";
}

}  // namespace meander
