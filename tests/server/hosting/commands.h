// Commands as tests of hosting write them.
#ifndef MEANDER_TESTS_SERVER_HOSTING_COMMANDS_H_
#define MEANDER_TESTS_SERVER_HOSTING_COMMANDS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/command.h"
#include "server/hosting/command_inbox.h"

namespace meander::hosting {

// A wanderer that moves at every tick.
inline core::Archetype Wanderer(core::ArchetypeId id = 1) {
  core::Archetype archetype;
  archetype.id = id;
  archetype.max_speed = 6.0f;
  archetype.max_force = 12.0f;
  archetype.terms = {{.behavior = core::WanderWorldAngle{
                          .radius = 2.0f, .distance = 3.0f, .jitter = 8.0f}}};
  return archetype;
}

inline core::Command Define(core::ArchetypeId id = 1,
                            std::int64_t apply_tick = 0) {
  return {apply_tick, core::DefineArchetype{Wanderer(id)}};
}

// `count` agents about the origin.
inline core::Command Spawn(std::int64_t count, std::int64_t apply_tick = 0,
                           core::ArchetypeId archetype = 1) {
  return {apply_tick, core::SpawnAgents{core::AreaPlacement{
                          .count = count,
                          .prototype = {.archetype_id = archetype},
                          .area = core::Disc{.center = {}, .radius = 50.0f}}}};
}

inline core::Command Despawn(std::vector<core::AgentId> ids,
                             std::int64_t apply_tick = 0) {
  return {apply_tick, core::DespawnAgents{std::move(ids)}};
}

inline core::Command AimAt(std::vector<core::AgentId> ids, core::AgentId target,
                           std::int64_t apply_tick = 0) {
  return {apply_tick,
          core::SetTarget{
              .agent_ids = std::move(ids),
              .slot = 0,
              .target = {.kind = core::Target::Kind::kAgent, .agent = target}}};
}

std::vector<BatchCommand> Batch(std::vector<core::Command> commands);

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_COMMANDS_H_
