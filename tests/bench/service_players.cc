#include "tests/bench/service_players.h"

#include <algorithm>
#include <cstddef>

#include "tests/bench/bench_client.h"

namespace meander::bench {

v1::SubmitCommandsRequest SpawnPlayers(const std::string& world,
                                       std::int64_t players) {
  v1::SubmitCommandsRequest request;
  request.set_world(world);
  v1::Archetype& archetype =
      *request.add_commands()->mutable_define_archetype()->mutable_archetype();
  archetype.set_id(1);
  archetype.set_max_speed(10.0f);
  archetype.set_max_force(10.0f);
  archetype.set_external(true);
  v1::AreaPlacement& area =
      *request.add_commands()->mutable_spawn_agents()->mutable_area();
  area.set_count(players);
  area.mutable_prototype()->set_archetype_id(1);
  area.mutable_disc()->set_radius(100.0f);
  return request;
}

void AddSent(const v1::SubmitCommandsRequest& request,
             const v1::SubmitCommandsResponse& response,
             std::vector<Sent>& sent) {
  for (int i = 0; i < response.results_size(); ++i) {
    const v1::CommandResult& result = response.results(i);
    if (!result.has_admission()) continue;
    sent.push_back({result.admission().sequence(),
                    result.admission().apply_tick(), &request.commands(i)});
  }
}

std::uint64_t HashByHand(v1::WorldService::Stub& worlds,
                         v1::CommandService::Stub& commands,
                         std::vector<Sent> sent, std::int64_t tick) {
  constexpr std::size_t kBatch = 4'000;
  std::sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
    return a.sequence < b.sequence;
  });
  const std::string world =
      MakeWorld(worlds, "bench-by-hand", v1::CLOCK_MODE_MANUAL);
  std::int64_t now = 0;
  for (std::size_t begin = 0; begin < sent.size(); begin += kBatch) {
    v1::SubmitCommandsRequest request;
    request.set_world(world);
    request.set_late_policy(v1::LATE_POLICY_REJECT);
    const std::size_t end = std::min(begin + kBatch, sent.size());
    for (std::size_t i = begin; i < end; ++i) {
      if (sent[i].sequence != static_cast<std::int64_t>(i) + 1) {
        Fail("a sequence was lost or given twice");
      }
      v1::Command& command = *request.add_commands();
      command = *sent[i].command;
      command.set_apply_tick(sent[i].apply_tick);
    }
    Submit(commands, request);
    // What comes later in sequence is for the last of these ticks or after it.
    const std::int64_t safe = sent[end - 1].apply_tick - 1;
    if (safe > now) now = StepWorld(worlds, world, safe - now).tick();
  }
  const std::uint64_t hash = StepWorld(worlds, world, tick - now).state_hash();
  DeleteWorld(worlds, world);
  return hash;
}

}  // namespace meander::bench
