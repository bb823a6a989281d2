// A world of players, and the same one again by hand.
#ifndef MEANDER_TESTS_BENCH_SERVICE_PLAYERS_H_
#define MEANDER_TESTS_BENCH_SERVICE_PLAYERS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"

namespace meander::bench {

// Defines players, who are moved from outside alone, and spawns so many.
v1::SubmitCommandsRequest SpawnPlayers(const std::string& world,
                                       std::int64_t players);

// A command that was admitted: which, and where it went.
struct Sent {
  std::int64_t sequence = 0;
  std::int64_t apply_tick = 0;
  const v1::Command* command = nullptr;
};
// Adds what became of a batch.
void AddSent(const v1::SubmitCommandsRequest& request,
             const v1::SubmitCommandsResponse& response,
             std::vector<Sent>& sent);

// The state hash at `tick` of a new world that gets the commands, all that
// there were, in their order and for their ticks.
std::uint64_t HashByHand(v1::WorldService::Stub& worlds,
                         v1::CommandService::Stub& commands,
                         std::vector<Sent> sent, std::int64_t tick);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_SERVICE_PLAYERS_H_
