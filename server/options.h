// What a server is started with: one struct, from flags or from a test.
//
// Defaults are safe: plaintext on the loopback interface. A server takes only
// options in which Validate finds nothing wrong. Plain data; the functions on
// flags belong to main.
#ifndef MEANDER_SERVER_OPTIONS_H_
#define MEANDER_SERVER_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/hosting/limits.h"

namespace meander {

struct Options {
  std::string listen = "127.0.0.1:50051";  // host:port; port 0 for any
  bool insecure = false;  // plaintext beyond the loopback interface, too
  std::string port_file;  // gets the real port; empty for none
  std::size_t worker_threads = 0;  // 0 for one for each processor
  std::size_t stream_threads = 1;
  std::string simd;  // names the kernels of all worlds; empty for the fastest
  std::chrono::milliseconds drain_timeout{10'000};
  hosting::Limits limits;
};

struct ListenAddress {
  std::string host;  // without the brackets of an IPv6 address
  std::uint16_t port = 0;

  bool IsLoopback() const;
  bool IsAnyInterface() const;  // 0.0.0.0 or [::]
  // As it is written in --listen, with another port.
  std::string WithPort(int real_port) const;
};

// host:port or [host]:port.
std::optional<ListenAddress> ParseListenAddress(std::string_view text);

// What is wrong, for a person, with the name of the flag or variable.
std::optional<std::string> Validate(const Options& options);

// The variable of the environment that is Options::simd. No flag: every choice
// gives the same bits, so it serves diagnosis alone.
inline constexpr char kSimdVariable[] = "MEANDER_SIMD";
std::string SimdFromEnvironment();

// The flags as they were parsed, and what the environment says.
Options OptionsFromFlags();
// How long --healthcheck waits for an answer.
inline constexpr std::chrono::milliseconds kHealthcheckTimeout{3'000};
// Whether --healthcheck was given: not to start a server but to ask one.
bool HealthcheckAsked();
// Every limit by the name of its flag.
std::map<std::string, std::int64_t> LimitsByFlag(const hosting::Limits& limits);
// All flags of a server in groups, with their defaults, and the variables of
// the environment that it reads.
std::string FlagsHelp();

}  // namespace meander

#endif  // MEANDER_SERVER_OPTIONS_H_
