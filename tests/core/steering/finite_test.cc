// Forces and motion stay finite for every legal input, however odd.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/steering/steer.h"
#include "core/step/integrate.h"
#include "core/world_state.h"
#include "gtest/gtest.h"
#include "tests/core/different_behaviors.h"
#include "tests/core/floats.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

SimulationConfig WideConfig(std::int32_t rate, BoundsMode mode) {
  SimulationConfig config;
  config.tick_rate_hz = rate;
  config.bounds_min = {-kMaxBound, -kMaxBound, -kMaxBound};
  config.bounds_max = {kMaxBound, kMaxBound, kMaxBound};
  config.bounds_mode = mode;
  return config;
}

std::vector<Behavior> BehaviorsOf(float radius) {
  Flee flee;
  flee.range = radius;
  flee.edge_inclusive = true;
  Arrive stop;
  stop.stop = true;
  std::vector<Behavior> behaviors{
      Seek{}, Flee{}, flee, Arrive{0, radius, false}, stop, KeepAway{0, radius},
      Brake{}};
  for (const Lead lead : {Lead::kIntercept, Lead::kClosing, Lead::kDistance}) {
    Pursue pursue;
    pursue.lead = lead;
    pursue.slowing_radius = radius;
    behaviors.emplace_back(pursue);
    Evade evade;
    evade.lead = lead;
    evade.max_prediction = radius;
    behaviors.emplace_back(evade);
  }
  for (const float distance : {0.0f, kTiny, 16384.0f}) {
    for (const float jitter : {0.0f, 1.0e6f}) {
      behaviors.emplace_back(WanderWorldAngle{radius, distance, jitter});
      behaviors.emplace_back(WanderSpherical{radius, distance, jitter});
      behaviors.emplace_back(
          WanderHeadingOffset{radius, distance, jitter, Plane::kNone});
      behaviors.emplace_back(
          WanderHeadingOffset{radius, distance, jitter, Plane::kXZ});
    }
  }
  return behaviors;
}

// Agents that are at the edges of what is legal, and targets of each kind.
std::vector<AgentRow> OddAgents() {
  const Vec3 places[] = {{},
                         {kMaxBound, kMaxBound, kMaxBound},
                         {-kMaxBound, -kMaxBound, kMaxBound},
                         {kTiny, -kTiny, 1.0e-20f},
                         {1.0e-22f, 0, 0}};
  const Vec3 velocities[] = {{},
                             {1.0e6f, 0, 0},
                             {-5.7e5f, 5.7e5f, 5.7e5f},
                             {kTiny, kTiny, 0},
                             {0, 4.0e-23f, 0}};
  std::vector<AgentRow> rows;
  for (const Vec3& place : places) {
    for (const Vec3& velocity : velocities) {
      AgentRow row;
      row.id = static_cast<AgentId>(rows.size() + 1);
      row.position = place;
      row.velocity = velocity;
      row.facing = {1, 0, 0};
      row.wander.offset = {0, 1, 0};
      row.wander.heading = {0, 0, 1};
      row.seed = rows.size();
      rows.push_back(row);
    }
  }
  return rows;
}

Archetype With(const Behavior& behavior, float max_speed, float max_force,
               float mass) {
  Archetype archetype;
  archetype.max_speed = max_speed;
  archetype.max_force = max_force;
  archetype.mass = mass;
  archetype.overspeed_time_constant = 1.0f;
  archetype.facing = Facing{1.0f, 0.0f};
  Term term{1000.0f, behavior};
  term.gain = -1000.0f;
  Term again{-1000.0f, Seek{}};
  again.level = 1;
  archetype.terms = {term, again};
  return archetype;
}

// Steers and moves all of them twice, each toward the next but `apart`.
void ExpectFinite(const Archetype& archetype, const SimulationConfig& config,
                  std::size_t apart) {
  WorldState state;
  state.config = config;
  PutArchetype(state, archetype);
  std::vector<AgentRow> rows = OddAgents();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].targets[0] = AgentTarget(rows[(i + apart) % rows.size()].id);
    AddAgent(state, archetype.id, rows[i]);
  }
  Settle(state);
  state.populations[0].agents.BringForces();
  for (std::int64_t tick = 1; tick <= 2; ++tick) {
    SteerBlock(state, state.blocks[0], tick);
    const AgentColumns& agents = state.populations[0].agents;
    for (std::size_t i = 0; i < agents.size(); ++i) {
      ASSERT_TRUE(IsFinite(
          Vec3{agents.force_x[i], agents.force_y[i], agents.force_z[i]}))
          << "force on " << i;
    }
    IntegrateBlock(state, state.blocks[0]);
    for (std::size_t i = 0; i < agents.size(); ++i) {
      ASSERT_TRUE(IsFinite(agents.Position(i)) && IsFinite(agents.Velocity(i)))
          << "motion of " << i;
      const WanderState wander = agents.Wander(i);
      ASSERT_TRUE(IsFinite(wander.offset) && IsFinite(wander.heading) &&
                  IsFinite(wander.elevation) && IsFinite(agents.FacingOf(i)))
          << "state of " << i;
    }
  }
}

TEST(FiniteTest, EveryBehaviorIsFiniteOnTheEdgesOfWhatIsLegal) {
  for (const float radius : {0.0f, kTiny, 1.0e-20f, 1.0f, 16384.0f}) {
    const std::vector<Behavior> behaviors = BehaviorsOf(radius);
    for (std::size_t b = 0; b < behaviors.size(); ++b) {
      for (const float limit : {0.0f, 1.0e-30f, 1.0f, 1.0e6f}) {
        SCOPED_TRACE("behavior " + std::to_string(b) + ", radius " +
                     std::to_string(radius) + ", limit " +
                     std::to_string(limit));
        const float mass = limit == 1.0f ? 1.0e-3f : 1.0e6f;
        for (const std::int32_t rate : {1, 1000}) {
          ExpectFinite(With(behaviors[b], limit, 1.0e6f, mass),
                       WideConfig(rate, BoundsMode::kOpen), 1 + b % 7);
          ExpectFinite(With(behaviors[b], 1.0e6f, limit, 1.0e-3f),
                       WideConfig(rate, BoundsMode::kWrap), 5);
        }
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(FiniteTest, EveryWayToCombineIsFinite) {
  for (const Combine combine : {Combine::kWeightedSum, Combine::kPriorityBudget,
                                Combine::kFirstNonzero}) {
    for (const bool limit_each : {false, true}) {
      Archetype archetype = With(Flee{}, 1.0e6f, 1.0e6f, 1.0e-3f);
      archetype.combine = combine;
      archetype.limit_each_term = limit_each;
      ExpectFinite(archetype, WideConfig(1, BoundsMode::kOpen), 3);
    }
  }
}

// S = F = 0, radii of 0, the target where the agent is, all on one point.
TEST(FiniteTest, EverybodyOnOnePointWithNothingToGoByIsFinite) {
  struct Limit {
    float speed, force;
  };
  const std::vector<Behavior> behaviors = DifferentBehaviors();
  for (std::size_t b = 0; b < behaviors.size(); ++b) {
    for (const Limit& limit :
         {Limit{0.0f, 0.0f}, Limit{0.0f, 1.0e6f}, Limit{1.0e6f, 0.0f}}) {
      TestWorld world;
      Archetype archetype = With(behaviors[b], limit.speed, limit.force, 1.0f);
      archetype.id = 1;
      world.Submit(DefineArchetype{archetype});
      std::vector<NewAgent> agents(4, AgentAt({1, 2, 3}));
      for (std::size_t i = 0; i < agents.size(); ++i) {
        agents[i].targets = {PointTarget({1, 2, 3}), AgentTarget(1),
                             AgentTarget(2), AgentTarget(3)};
        if (i >= 2) agents[i].velocity = {0, 4, 0};
      }
      world.Submit(Spawn(agents));
      for (int tick = 0; tick < 10; ++tick) {
        world.Step();
        for (AgentId id = 1; id <= 4; ++id) {
          const AgentState agent = world.Agent(id);
          ASSERT_TRUE(IsFinite(agent.position) && IsFinite(agent.velocity) &&
                      IsFinite(agent.facing) && IsFinite(agent.wander_offset) &&
                      IsFinite(agent.wander_heading))
              << "behavior " << b << ", agent " << id;
        }
      }
    }
  }
}

}  // namespace
}  // namespace meander::core
