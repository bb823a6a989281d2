#include "client_examples/meanderctl/connection.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <random>
#include <thread>

#include "client_examples/meanderctl/failure.h"

namespace meander::ctl {
namespace {

using SystemClock = std::chrono::system_clock;
using std::chrono::milliseconds;

// The first of the delays between repeats; each next one is twice as long.
constexpr milliseconds kFirstDelay{100};
// After a refused connection gRPC waits so long before it tries anew.
constexpr int kReconnectMilliseconds = 50;
// Above every limit that a server can have for its messages.
constexpr int kMaxMessageBytes = 16 << 20;

std::shared_ptr<grpc::Channel> Connect(const std::string& server) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS,
                   kReconnectMilliseconds);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  return grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(),
                                   arguments);
}

}  // namespace

Connection::Connection(const std::string& server)
    : channel(Connect(server)),
      worlds(v1::WorldService::NewStub(channel)),
      commands(v1::CommandService::NewStub(channel)),
      queries(v1::QueryService::NewStub(channel)),
      streams(v1::StreamService::NewStub(channel)),
      health(grpc::health::v1::Health::NewStub(channel)) {}

grpc::Status CallWithRepeats(
    const CallSettings& settings, Repeat repeat,
    const std::function<grpc::Status(grpc::ClientContext&)>& once) {
  const SystemClock::time_point deadline =
      settings.timeout ? SystemClock::now() + *settings.timeout
                       : SystemClock::time_point::max();
  const std::int64_t repeats = repeat == Repeat::kSafe ? settings.retries : 0;
  Microseconds delay = kFirstDelay;
  for (std::int64_t i = 1;; ++i) {
    grpc::ClientContext context;
    if (settings.timeout) context.set_deadline(deadline);
    grpc::Status status = once(context);
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE || i > repeats) {
      return status;
    }
    const Failure failure = Explain(status);
    const Microseconds wait =
        std::max(delay, failure.retry_delay.value_or(delay));
    if (SystemClock::now() + wait >= deadline) return status;
    if (!settings.quiet) {
      std::fprintf(stderr,
                   "meanderctl: %s; trying again in %.1f s (%" PRId64
                   " of %" PRId64 ")\n",
                   failure.reason.c_str(),
                   std::chrono::duration<double>(wait).count(), i, repeats);
    }
    std::this_thread::sleep_for(wait);
    delay *= 2;
  }
}

std::string NewRequestId() {
  std::random_device entropy;
  std::array<std::uint32_t, 4> words{};
  for (std::uint32_t& word : words) word = entropy();
  // Version 4 of the layout that RFC 4122 describes.
  words[1] = (words[1] & 0xffff0fffu) | 0x4000u;
  words[2] = (words[2] & 0x3fffffffu) | 0x80000000u;
  char text[37];
  std::snprintf(text, sizeof text,
                "%08" PRIx32 "-%04" PRIx32 "-%04" PRIx32 "-%04" PRIx32
                "-%04" PRIx32 "%08" PRIx32,
                words[0], words[1] >> 16, words[1] & 0xffffu, words[2] >> 16,
                words[2] & 0xffffu, words[3]);
  return text;
}

}  // namespace meander::ctl
