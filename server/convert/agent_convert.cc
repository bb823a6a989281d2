#include "server/convert/agent_convert.h"

namespace meander::convert {

core::Vec3 ToCore(const v1::Vec3& vector) {
  return {vector.x(), vector.y(), vector.z()};
}

core::Target ToCore(const v1::Target& target) {
  core::Target out;
  switch (target.kind_case()) {
    case v1::Target::kPoint:
      out.kind = core::Target::Kind::kPoint;
      out.point = ToCore(target.point());
      break;
    case v1::Target::kAgentId:
      out.kind = core::Target::Kind::kAgent;
      out.agent = target.agent_id();
      break;
    case v1::Target::KIND_NOT_SET:
      break;
  }
  return out;
}

void ToProto(const core::Vec3& vector, v1::Vec3& out) {
  out.set_x(vector.x);
  out.set_y(vector.y);
  out.set_z(vector.z);
}

void ToProto(const core::Target& target, v1::Target& out) {
  switch (target.kind) {
    case core::Target::Kind::kPoint:
      ToProto(target.point, *out.mutable_point());
      break;
    case core::Target::Kind::kAgent:
      out.set_agent_id(target.agent);
      break;
    case core::Target::Kind::kNone:
      out.clear_kind();
      break;
  }
}

void ToProto(const core::AgentState& agent, v1::Agent& out) {
  out.set_id(agent.id);
  out.set_archetype_id(agent.archetype_id);
  ToProto(agent.position, *out.mutable_position());
  ToProto(agent.velocity, *out.mutable_velocity());
  out.set_seed(agent.seed);
  out.set_tag(agent.tag);
  out.set_step_count(agent.step_count);
  out.clear_targets();
  for (const core::Target& target : agent.targets) {
    ToProto(target, *out.add_targets());
  }
  out.set_wander_angle(agent.wander_angle);
  out.set_groups(agent.groups);
  ToProto(agent.facing, *out.mutable_facing());
  out.set_wander_elevation(agent.wander_elevation);
  ToProto(agent.wander_offset, *out.mutable_wander_offset());
  ToProto(agent.wander_heading, *out.mutable_wander_heading());
}

}  // namespace meander::convert
