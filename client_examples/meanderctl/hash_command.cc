// hash: a tick and its state hash, for scripts and diff.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/session.h"
#include "client_examples/meanderctl/world_text.h"

namespace meander::ctl {
namespace {

constexpr std::int64_t kMaxInterval = 3600;

constexpr CommandText kHash{
    .group = "Time",
    .name = "hash",
    .summary = "print a world's tick and state hash",
    .text =
        "Prints TICK HASH on one line, the hash as 16 hexadecimal digits; "
        "\"-\" "
        "in its place at a tick that is not hashed. Equal lines mean equal "
        "states, bit for bit. With --tick it waits until the world comes to "
        "that tick by its own clock, or by somebody's steps, and never steps "
        "it itself.\n",
    .examples =
        "$ meanderctl hash meadow\n"
        "Are two worlds the same?\n"
        "$ diff <(meanderctl hash meadow) <(meanderctl hash meadow) && echo "
        "same\n"
        "At a tick to come, of a world that runs:\n"
        "$ meanderctl create brook && meanderctl hash brook --tick 180\n"};

struct HashOptions {
  std::string world;
  std::optional<std::int64_t> tick;
};

template <typename Message>
int Show(Session& session, const Message& message) {
  if (!session.json()) {
    session.Print(std::to_string(message.tick()) + ' ' + HashOf(message));
    return kOk;
  }
  // Numbers of 64 bits are strings, as everywhere in protobuf JSON.
  std::string json = "{\"tick\":\"" + std::to_string(message.tick()) +
                     "\",\"epoch\":\"" + std::to_string(message.epoch()) + '"';
  if (message.has_state_hash()) {
    json += ",\"state_hash\":\"" + std::to_string(message.state_hash()) + '"';
  }
  session.Print(json + '}');
  return kOk;
}

// Frames at as few ticks as can be, `tick` among them.
std::int32_t IntervalFor(std::int64_t tick) {
  for (std::int64_t interval = std::min(tick, kMaxInterval); interval > 1;
       --interval) {
    if (tick % interval == 0) return static_cast<std::int32_t>(interval);
  }
  return 1;
}

int WaitFor(Session& session, const std::string& world, std::int64_t tick) {
  v1::WatchWorldRequest request;
  request.set_world(world);
  request.set_interval_ticks(IntervalFor(tick));
  grpc::ClientContext context;
  if (const auto timeout = session.settings().timeout) {
    context.set_deadline(std::chrono::system_clock::now() + *timeout);
  }
  const auto stream =
      session.connection().streams->WatchWorld(&context, request);
  v1::Frame frame;
  while (stream->Read(&frame)) {
    if (frame.tick() < tick) continue;
    context.TryCancel();
    if (frame.tick() == tick) return Show(session, frame);
    return session.Fail("the world is past tick " + std::to_string(tick) +
                        " already: at tick " + std::to_string(frame.tick()));
  }
  return session.Fail(stream->Finish());
}

int ShowHash(Session& session, const HashOptions& options) {
  const std::string name = WorldName(options.world);
  if (options.tick) {
    if (*options.tick < 1) {
      return session.Fail("--tick: must be at least 1", kUsage);
    }
    return WaitFor(session, name, *options.tick);
  }
  v1::GetWorldRequest request;
  request.set_name(name);
  v1::World world;
  const grpc::Status status =
      session.Call(Repeat::kSafe, session.connection().worlds,
                   &v1::WorldService::Stub::GetWorld, request, world);
  if (!status.ok()) return session.Fail(status);
  return Show(session, world);
}

}  // namespace

void AddHashCommand(CommandLine& line) {
  const auto options = std::make_shared<HashOptions>();
  Command& command = line.Add(kHash);
  command.World(options->world);
  command.Value("--tick", options->tick, "TICK",
                "wait for this tick, from 1; default: the tick it is at");
  command.Does(
      [options](Session& session) { return ShowHash(session, *options); });
}

}  // namespace meander::ctl
