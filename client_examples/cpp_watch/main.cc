// Watches a world from C++: a line with rates and the state hash each second.
//
// The smallest client that is right: it reads frames as they come, puts the
// parts of one tick together, and copies columns before it reads them.

#include <grpcpp/grpcpp.h>

#include <charconv>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "meander/v1/stream_service.grpc.pb.h"

namespace {

using Clock = std::chrono::steady_clock;
using meander::v1::Frame;

constexpr char kUsage[] =
    "usage: cpp_watch [--server=HOST:PORT] [--seconds=N] [--interval_ticks=N] "
    "WORLD\n"
    "\n"
    "Watches a world, for example worlds/meadow, and prints rates and the\n"
    "state hash each second. Ends after N seconds, or with Ctrl-C. Exits 1\n"
    "when the server refuses or ends the stream.\n"
    "\n"
    "  --server          default 127.0.0.1:50051\n"
    "  --seconds         default 0: until Ctrl-C\n"
    "  --interval_ticks  frames at ticks divisible by it; default 1\n";

struct Arguments {
  std::string server = "127.0.0.1:50051";
  std::string world;
  double seconds = 0.0;
  int interval_ticks = 1;
};

// True when `argument` is --name=...; then `value` is what follows.
bool Flag(std::string_view argument, std::string_view name,
          std::string& value) {
  if (!argument.starts_with(name)) return false;
  value = argument.substr(name.size());
  return true;
}

// The whole of `text` as a number that is at least 0.
template <typename Number>
bool ParseNumber(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && number >= Number{0};
}

bool Parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    std::string value;
    if (Flag(argument, "--server=", arguments.server)) continue;
    if (Flag(argument, "--seconds=", value)) {
      if (!ParseNumber(value, arguments.seconds)) return false;
    } else if (Flag(argument, "--interval_ticks=", value)) {
      if (!ParseNumber(value, arguments.interval_ticks)) return false;
    } else if (argument.starts_with("-") || !arguments.world.empty()) {
      std::fprintf(stderr, "cpp_watch: \"%s\" is not one of these\n", argv[i]);
      return false;
    } else {
      arguments.world = argument;
    }
  }
  return !arguments.world.empty();
}

// Sums over the columns of one tick.
struct Motion {
  std::int64_t agents = 0;
  double speed_sum = 0.0;
  std::size_t bytes = 0;
};

constexpr std::size_t kBytesPerAgent = 28;

// Adds one message; frame.proto has the layout of the columns. False when the
// message contradicts itself.
bool AddPart(const Frame& part, Motion& motion) {
  const std::string& columns = part.columns();
  const std::size_t agents = columns.size() / kBytesPerAgent;
  if (columns.size() % kBytesPerAgent != 0 ||
      static_cast<std::int64_t>(agents) != part.part_agent_count()) {
    return false;
  }
  if (agents == 0) return true;
  // Copied, for the bytes of a message may lie at any address.
  std::vector<float> velocity(3 * agents);
  std::memcpy(velocity.data(), columns.data() + 4 * 4 * agents,
              velocity.size() * sizeof(float));
  for (std::size_t i = 0; i < agents; ++i) {
    motion.speed_sum += static_cast<double>(std::hypot(
        velocity[i], velocity[agents + i], velocity[2 * agents + i]));
  }
  motion.agents += part.part_agent_count();
  motion.bytes += columns.size();
  return true;
}

// In hexadecimal; "-" where the server computed none.
std::string HashText(const Frame& frame) {
  if (!frame.has_state_hash()) return "-";
  char text[17];
  std::snprintf(text, sizeof(text), "%016" PRIx64,
                std::uint64_t{frame.state_hash()});
  return text;
}

// Counts frames, and prints a line each second.
class Rates {
 public:
  void Add(const Frame& last_part, const Motion& motion) {
    if (!any_) {
      std::printf("tick %7" PRId64 "  first frame: %" PRId64
                  " agents, hash %s\n",
                  std::int64_t{last_part.tick()}, motion.agents,
                  HashText(last_part).c_str());
      std::fflush(stdout);
    }
    any_ = true;
    ++frames_;
    bytes_ += motion.bytes;
    const std::chrono::duration<double> passed = Clock::now() - since_;
    if (passed.count() < 1.0) return;
    std::printf("tick %7" PRId64 "  %6.1f frames/s  %7.2f MB/s  %" PRId64
                " agents  mean speed %.2f  skipped %" PRId64 "  hash %s\n",
                std::int64_t{last_part.tick()}, frames_ / passed.count(),
                static_cast<double>(bytes_) / passed.count() / 1e6,
                motion.agents,
                motion.agents == 0
                    ? 0.0
                    : motion.speed_sum / static_cast<double>(motion.agents),
                skipped_, HashText(last_part).c_str());
    std::fflush(stdout);
    since_ = Clock::now();
    frames_ = 0;
    bytes_ = 0;
  }
  void AddSkipped(std::int64_t frames) { skipped_ += frames; }
  bool any() const { return any_; }

 private:
  bool any_ = false;
  Clock::time_point since_ = Clock::now();
  int frames_ = 0;
  std::size_t bytes_ = 0;
  std::int64_t skipped_ = 0;
};

int Watch(const Arguments& arguments) {
  const auto stub = meander::v1::StreamService::NewStub(grpc::CreateChannel(
      arguments.server, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  if (arguments.seconds > 0.0) {
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::microseconds(static_cast<std::int64_t>(
                             arguments.seconds * 1e6)));
  }
  meander::v1::WatchWorldRequest request;
  request.set_world(arguments.world);
  request.set_interval_ticks(arguments.interval_ticks);
  const auto stream = stub->WatchWorld(&context, request);
  Rates rates;
  Motion motion;
  for (Frame part; stream->Read(&part);) {
    if (part.part() == 0) {
      motion = {};
      rates.AddSkipped(part.skipped());
    }
    if (!AddPart(part, motion)) {
      std::fprintf(stderr, "cpp_watch: a frame is not whole\n");
      context.TryCancel();
      return 1;
    }
    if (part.part() + 1 < part.parts()) continue;
    rates.Add(part, motion);
  }
  const grpc::Status status = stream->Finish();
  // The deadline is how long we wanted to watch.
  if (rates.any() &&
      status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return 0;
  }
  std::fprintf(stderr, "cpp_watch: %s (code %d)\n",
               status.error_message().c_str(),
               static_cast<int>(status.error_code()));
  return status.ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
  Arguments arguments;
  if (!Parse(argc, argv, arguments)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  return Watch(arguments);
}
