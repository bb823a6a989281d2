// Whether the agents of a snapshot are some that a world can have.
//
// Pure functions.
#ifndef MEANDER_CORE_CODEC_CHECK_AGENTS_H_
#define MEANDER_CORE_CODEC_CHECK_AGENTS_H_

#include <optional>

#include "core/codec/decoded_agents.h"
#include "core/error.h"
#include "core/math/vec3.h"
#include "core/simulation_config.h"
#include "core/world_state.h"

namespace meander::core {

// Off the plane a command may say -0; an encoder never does.
bool IsFlat(const Vec3& value, Plane plane);

// What is wrong with the first agent with which anything is. The state is all
// else that the snapshot says. Preconditions: targets are of some kind.
std::optional<Error> CheckAgents(const WorldState& state,
                                 const DecodedAgents& agents,
                                 AgentId next_agent_id);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_CHECK_AGENTS_H_
