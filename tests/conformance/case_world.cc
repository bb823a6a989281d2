#include "tests/conformance/case_world.h"

#include "core/parallel_for.h"
#include "core/steering/steer.h"
#include "core/step/find_neighbors.h"
#include "core/step/integrate.h"

namespace meander::core {
namespace {

constexpr ArchetypeId kOthers = 2;
// The subject comes first: in the first block, at its first row.
constexpr AgentBlock kSubject{.population = 0, .first_row = 0, .rows = 1};

}  // namespace

CaseWorld::CaseWorld(const Archetype& archetype, Plane plane,
                     std::int32_t tick_rate_hz) {
  state_.config.plane = plane;
  state_.config.tick_rate_hz = tick_rate_hz;
  state_.config.bounds_min = {-kMaxBound, -kMaxBound, -kMaxBound};
  state_.config.bounds_max = {kMaxBound, kMaxBound, kMaxBound};
  state_.config = Normalized(state_.config);
  PutArchetype(state_, archetype);
  Archetype others;
  others.id = kOthers;
  others.external = true;
  PutArchetype(state_, others);
  AgentRow row;
  row.id = next_id_++;
  AddAgent(state_, archetype.id, row);
  RebuildCaches(state_);
}

void CaseWorld::SetMotion(const Vec3& position, const Vec3& velocity) {
  Subject().SetPosition(0, position);
  Subject().SetVelocity(0, velocity);
}

void CaseWorld::SetFacing(const Vec3& facing) {
  Subject().SetFacing(0, facing);
}

void CaseWorld::SetWander(const WanderState& wander) {
  Subject().SetWander(0, wander);
}

void CaseWorld::SetTarget(const Vec3& place) {
  Subject().SetTarget(0, 0,
                      Pack({.kind = Target::Kind::kPoint, .point = place}));
}

void CaseWorld::SetTarget(const Vec3& place, const Vec3& velocity) {
  const AgentId target = AddOther(place, velocity);
  Subject().SetTarget(0, 0,
                      Pack({.kind = Target::Kind::kAgent, .agent = target}));
}

void CaseWorld::AddNeighbor(const Vec3& position, const Vec3& velocity) {
  AddOther(position, velocity);
}

AgentId CaseWorld::AddOther(const Vec3& position, const Vec3& velocity) {
  AgentRow row;
  row.id = next_id_++;
  row.position = position;
  row.velocity = velocity;
  AddAgent(state_, kOthers, row);
  RebuildCaches(state_);
  return row.id;
}

Vec3 CaseWorld::Steer() {
  SerialFor serial;
  FindNeighbors(state_, serial);
  Subject().BringForces();
  SteerBlock(state_, kSubject, state_.tick + 1);
  return Force();
}

void CaseWorld::Integrate() { IntegrateBlock(state_, kSubject); }

void CaseWorld::Integrate(const Vec3& force) {
  Subject().BringForces();
  Subject().force_x[0] = force.x;
  Subject().force_y[0] = force.y;
  Subject().force_z[0] = force.z;
  Integrate();
}

SteeringBlock CaseWorld::Block() {
  const Archetype& archetype = state_.populations[0].archetype;
  AgentColumns& agents = Subject();
  agents.BringForces();
  SteeringBlock block;
  block.rows = 1;
  block.position_x = agents.position_x.data();
  block.position_y = agents.position_y.data();
  block.position_z = agents.position_z.data();
  block.velocity_x = agents.velocity_x.data();
  block.velocity_y = agents.velocity_y.data();
  block.velocity_z = agents.velocity_z.data();
  block.force_x = agents.force_x.data();
  block.force_y = agents.force_y.data();
  block.force_z = agents.force_z.data();
  block.max_speed = archetype.max_speed;
  block.max_force = archetype.max_force;
  block.mass = archetype.mass;
  block.dt = StepSeconds(state_.config);
  if (archetype.limit_each_term) block.term.limit = archetype.max_force;
  return block;
}

Vec3 CaseWorld::Force() const {
  return {subject().force_x[0], subject().force_y[0], subject().force_z[0]};
}

}  // namespace meander::core
