// Points, targets and agents between the protocol and core, bit for bit.
//
// Nothing is checked here: what a client may send is for Validate in core.
// Pure functions.
#ifndef MEANDER_SERVER_CONVERT_AGENT_CONVERT_H_
#define MEANDER_SERVER_CONVERT_AGENT_CONVERT_H_

#include "core/agent_state.h"
#include "core/command.h"
#include "core/math/vec3.h"
#include "meander/v1/agent.pb.h"
#include "meander/v1/vector.pb.h"

namespace meander::convert {

core::Vec3 ToCore(const v1::Vec3& vector);
core::Target ToCore(const v1::Target& target);

void ToProto(const core::Vec3& vector, v1::Vec3& out);
// An empty message for kNone.
void ToProto(const core::Target& target, v1::Target& out);
// All target slots, also those that are not set.
void ToProto(const core::AgentState& agent, v1::Agent& out);

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_AGENT_CONVERT_H_
