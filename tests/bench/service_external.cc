#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "meander/v1/stream_service.grpc.pb.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/service_bench.h"
#include "tests/bench/service_players.h"

namespace meander::bench {
namespace {

constexpr int kPlayers = 200;

v1::SubmitCommandsRequest MoveAll(const std::string& world,
                                  std::int64_t batch) {
  v1::SubmitCommandsRequest request;
  request.set_world(world);
  v1::SetMotion& move = *request.add_commands()->mutable_set_motion();
  for (int player = 1; player <= kPlayers; ++player) {
    v1::AgentMotion& motion = *move.add_motions();
    motion.set_agent_id(player);
    motion.mutable_position()->set_x(0.125f * static_cast<float>(batch));
    motion.mutable_position()->set_y(static_cast<float>(player));
  }
  return request;
}

}  // namespace

void MeasureExternalAgents(const ServiceArguments& arguments) {
  const auto channel = Connect(arguments.server);
  const auto worlds = v1::WorldService::NewStub(channel);
  const auto commands = v1::CommandService::NewStub(channel);
  const auto streams = v1::StreamService::NewStub(Connect(arguments.server));
  const std::string world =
      MakeWorld(*worlds, "bench-live", v1::CLOCK_MODE_REALTIME);
  std::deque<v1::SubmitCommandsRequest> requests;  // keep their places
  std::vector<Sent> sent;
  requests.push_back(SpawnPlayers(world, kPlayers));
  AddSent(requests.back(), Submit(*commands, requests.back()), sent);

  grpc::ClientContext context;
  v1::WatchWorldRequest watch;
  watch.set_world(world);
  watch.set_interval_ticks(1);
  const auto reader = streams->WatchWorld(&context, watch);
  v1::Frame frame;
  const std::int64_t slipped = GetWorld(*worlds, world).slipped_ticks();
  const std::int64_t batches = std::int64_t{60} * arguments.seconds;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t fresh = 0;  // ticks that have a batch
  for (std::int64_t batch = 1; batch <= batches; ++batch) {
    if (!reader->Read(&frame)) Fail("the stream of frames has ended");
    requests.push_back(MoveAll(world, batch));
    AddSent(requests.back(), Submit(*commands, requests.back()), sent);
    const std::int64_t tick = sent.back().apply_tick;
    if (batch == 1) first = tick;
    if (tick != last) ++fresh;
    last = tick;
  }
  while (frame.tick() < last) {
    if (!reader->Read(&frame)) Fail("the stream of frames has ended");
  }
  context.TryCancel();
  const v1::World live = GetWorld(*worlds, world);
  DeleteWorld(*worlds, world);
  if (HashByHand(*worlds, *commands, sent, live.tick()) != live.state_hash()) {
    Fail("the commands made another world than they do by hand");
  }
  const std::string load = '/' + std::to_string(kPlayers) + "x60Hz";
  const auto print = [&](const char* name, std::int64_t ticks) {
    Print({.name = name + load,
           .value = static_cast<double>(ticks),
           .unit = "ticks of " + std::to_string(last - first + 1),
           .hash = live.state_hash()});
  };
  print("external_ticks_without_command", last - first + 1 - fresh);
  print("external_missed_ticks", live.slipped_ticks() - slipped);
}

}  // namespace meander::bench
