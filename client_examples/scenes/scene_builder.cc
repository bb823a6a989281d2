#include "client_examples/scenes/scene_builder.h"

#include <google/protobuf/text_format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/math/trig.h"

namespace meander::scenes {
namespace {

template <typename Message>
Message FromText(const std::string& text) {
  Message message;
  if (!google::protobuf::TextFormat::ParseFromString(text, &message)) {
    std::fprintf(stderr, "scenes: not a %s: %s\n",
                 Message::descriptor()->name().c_str(), text.c_str());
    std::abort();
  }
  return message;
}

// Those that the last spawn makes.
Ids NewIds(const Scene& scene, std::int64_t count) {
  const auto all = static_cast<std::int64_t>(KindsOfAgents(scene).size());
  Ids ids;
  for (std::int64_t id = all - count + 1; id <= all; ++id) ids.push_back(id);
  return ids;
}

v1::SetTarget& Aim(Scene& scene, std::int64_t tick, const Ids& ids,
                   std::int32_t slot) {
  v1::SetTarget& aim = *AddCommand(scene, tick).mutable_set_target();
  Fill(ids, *aim.mutable_agent_ids());
  aim.set_slot(slot);
  return aim;
}

}  // namespace

Scene NewScene(const char* name, const char* summary, std::int64_t ticks,
               const std::string& simulation) {
  Scene scene;
  scene.name = name;
  scene.summary = summary;
  scene.ticks = ticks;
  scene.trail_ticks = ticks;
  scene.simulation = FromText<v1::SimulationConfig>(simulation);
  return scene;
}

std::int32_t Define(Scene& scene, const std::string& kind,
                    const std::string& archetype) {
  std::int32_t id = 1;
  for (const v1::Command& command : scene.commands) {
    if (command.has_define_archetype()) ++id;
  }
  v1::Archetype& defined =
      *AddCommand(scene, 1).mutable_define_archetype()->mutable_archetype();
  defined = FromText<v1::Archetype>(archetype);
  defined.set_id(id);
  if (!kind.empty()) scene.kinds.push_back(kind);
  return id;
}

Ids SpawnIn(Scene& scene, std::int64_t tick, std::int64_t count,
            std::int32_t archetype, const std::string& prototype,
            const std::string& area) {
  v1::AreaPlacement& placement =
      *AddCommand(scene, tick).mutable_spawn_agents()->mutable_area();
  placement = FromText<v1::AreaPlacement>(area);
  placement.set_count(count);
  *placement.mutable_prototype() = FromText<v1::NewAgent>(prototype);
  placement.mutable_prototype()->set_archetype_id(archetype);
  return NewIds(scene, count);
}

Ids SpawnThese(Scene& scene, std::int64_t tick, std::int32_t archetype,
               std::vector<v1::NewAgent> agents) {
  v1::AgentList& list =
      *AddCommand(scene, tick).mutable_spawn_agents()->mutable_agents();
  for (v1::NewAgent& agent : agents) {
    if (agent.archetype_id() == 0) agent.set_archetype_id(archetype);
    *list.add_agents() = std::move(agent);
  }
  return NewIds(scene, list.agents_size());
}

v1::NewAgent At(const Point& position, const Point& velocity) {
  v1::NewAgent agent;
  *agent.mutable_position() = ToVec3(position);
  *agent.mutable_velocity() = ToVec3(velocity);
  return agent;
}

void AimAtPoint(Scene& scene, std::int64_t tick, const Ids& ids,
                std::int32_t slot, const Point& point) {
  *Aim(scene, tick, ids, slot).mutable_target()->mutable_point() =
      ToVec3(point);
}

void AimAtAgent(Scene& scene, std::int64_t tick, const Ids& ids,
                std::int32_t slot, std::int64_t agent) {
  Aim(scene, tick, ids, slot).mutable_target()->set_agent_id(agent);
}

v1::Command& AddCommand(Scene& scene, std::int64_t tick) {
  v1::Command& command = scene.commands.emplace_back();
  command.set_apply_tick(tick);
  return command;
}

void Fill(const Ids& ids, google::protobuf::RepeatedField<std::int64_t>& out) {
  out.Assign(ids.begin(), ids.end());
}

v1::Vec3 ToVec3(const Point& point) {
  v1::Vec3 out;
  out.set_x(static_cast<float>(point[0]));
  out.set_y(static_cast<float>(point[1]));
  out.set_z(static_cast<float>(point[2]));
  return out;
}

Point OnCircle(double radius, double turns) {
  // Core's own: that of a platform's library may differ in the last bit, and
  // then every hash would.
  constexpr double kTurn = 4294967296.0;
  const double whole = turns - std::floor(turns);
  const core::SinCosPair at =
      core::SinCosTurn(static_cast<std::uint32_t>(whole * kTurn));
  return {radius * static_cast<double>(at.cos),
          radius * static_cast<double>(at.sin), 0.0};
}

Point Plus(const Point& a, const Point& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

}  // namespace meander::scenes
