// The trajectories of steering.json: whole runs, not single forces. Without
// draws they are runs of a world; with draws, of kernel and integration.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/math/trig.h"
#include "gtest/gtest.h"
#include "tests/conformance/case_world.h"
#include "tests/conformance/moving_table.h"
#include "tests/conformance/vectors.h"
#include "tests/conformance/wander_case.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using nlohmann::json;

SimulationConfig Sixty() {
  SimulationConfig config;
  config.plane = Plane::kXY;
  return Normalized(config);
}

// The archetype that the table has for an origin, with the limits of the run.
Archetype ArchetypeOf(const json& run, const char* origin) {
  json inputs = run.at("inputs");
  inputs["agent"] = {{"max_speed", inputs.at("max_speed")},
                     {"max_force", inputs.value("max_force", 1.0e6)},
                     {"mass", 1.0}};
  return MakeArchetype(TheMovingTable().archetypes.at(origin), inputs);
}

// 1e-3 of the largest component among the samples.
double ToleranceOf(const json& samples, const char* what) {
  double largest = 0.0;
  for (const json& sample : samples) {
    for (const double component : sample.at(what)) {
      largest = std::max(largest, std::fabs(component));
    }
  }
  return 1.0e-3 * largest;
}

// `at(tick)` brings the run to that tick and gives position and velocity.
struct Motion {
  Vec3 position;
  Vec3 velocity;
};
void FollowsSamples(const json& samples,
                    const std::function<Motion(std::int64_t)>& at) {
  const double place = ToleranceOf(samples, "position");
  const double speed = ToleranceOf(samples, "velocity");
  for (const json& sample : samples) {
    const std::int64_t tick = sample.at("tick");
    SCOPED_TRACE("tick " + std::to_string(tick));
    const Motion motion = at(tick);
    ExpectNear(motion.position, sample.at("position"), place, "position");
    ExpectNear(motion.velocity, sample.at("velocity"), speed, "velocity");
  }
}

// Spawns in the first step, which is the first tick of the run.
class Run {
 public:
  explicit Run(const std::vector<Archetype>& archetypes) : world_(Sixty()) {
    for (const Archetype& archetype : archetypes) {
      world_.Submit(DefineArchetype{archetype});
    }
  }
  void Begin(const std::vector<NewAgent>& agents) {
    world_.Submit(Spawn(agents));
  }
  Motion At(std::int64_t tick, AgentId id) {
    world_.StepTo(tick);
    const AgentState agent = world_.Agent(id);
    return {agent.position, agent.velocity};
  }

 private:
  TestWorld world_;
};

NewAgent Moving(const Vec3& position, const Vec3& velocity,
                ArchetypeId archetype = 1) {
  NewAgent agent = AgentAt(position, archetype);
  agent.velocity = velocity;
  return agent;
}

void ArrivesAlike(const json& run) {
  json renamed = run;
  renamed["inputs"]["slow_radius"] = run.at("inputs").at("arrive_radius");
  Run world({ArchetypeOf(renamed, "arrive/godot")});
  world.Begin(
      {AgentToward(ToVec3(run.at("inputs").at("start")),
                   PointTarget(ToVec3(run.at("inputs").at("target"))))});
  FollowsSamples(run.at("samples"),
                 [&](std::int64_t tick) { return world.At(tick, 1); });
}

// Three agents seek one point and keep apart: how far is known in closed form.
void SettlesAlike(const json& run) {
  const json& inputs = run.at("inputs");
  Archetype archetype = ArchetypeOf(run, "seek/godot");
  archetype.terms.push_back(ArchetypeOf(run, "separation/godot").terms.at(0));
  archetype.terms.back().weight = inputs.at("weight");
  Run world({archetype});
  std::vector<NewAgent> agents;
  for (const json& start : inputs.at("starts")) {
    agents.push_back(AgentToward(ToVec3(start), PointTarget({})));
  }
  world.Begin(agents);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    json samples = run.at("samples");
    for (json& sample : samples) sample.update(sample.at("agents").at(i));
    Run alone({archetype});
    alone.Begin(agents);
    FollowsSamples(samples, [&](std::int64_t tick) {
      return alone.At(tick, static_cast<AgentId>(i + 1));
    });
  }
  const double side = run.at("closed_form_side");
  for (AgentId a = 1; a <= 3; ++a) {
    const Vec3 apart =
        world.At(600, a).position - world.At(600, a % 3 + 1).position;
    EXPECT_NEAR(double{Length(apart)}, side, 1.0e-3 * side);
  }
}

void PursuesAlike(const json& run) {
  const json& inputs = run.at("inputs");
  Archetype cruiser;
  cruiser.id = 2;
  cruiser.max_speed = 100.0f;
  const std::vector<Archetype> archetypes{ArchetypeOf(run, "pursue/four"),
                                          cruiser};
  Run world(archetypes);
  NewAgent pursuer = Moving({}, ToVec3(inputs.at("initial_velocity")));
  pursuer.targets[0] = AgentTarget(2);
  const std::vector<NewAgent> agents{
      pursuer, Moving(ToVec3(inputs.at("target_position")),
                      ToVec3(inputs.at("target_velocity")), 2)};
  world.Begin(agents);
  FollowsSamples(run.at("samples"),
                 [&](std::int64_t tick) { return world.At(tick, 1); });
  Run again(archetypes);
  again.Begin(agents);
  json cruise = run.at("samples");
  for (json& sample : cruise) {
    sample["position"] = sample.at("target_position");
    sample["velocity"] = inputs.at("target_velocity");
  }
  FollowsSamples(cruise, [&](std::int64_t tick) { return again.At(tick, 2); });
}

void SlowsAlike(const json& run) {
  Run world({ArchetypeOf(run, "step/steerkit")});
  world.Begin({Moving({}, ToVec3(run.at("inputs").at("velocity")))});
  FollowsSamples(run.at("samples"),
                 [&](std::int64_t tick) { return world.At(tick, 1); });
}

// Steps a wander with the run's own draws, from `draw` on.
void WandersWithItsDraws(const json& run, const Archetype& archetype,
                         CaseWorld& world, std::size_t draw) {
  const std::vector<float> draws = run.at("inputs").at("draws");
  const unsigned lanes = LanesOf(WanderFormOf(archetype));
  std::int64_t now = 0;
  FollowsSamples(run.at("samples"), [&](std::int64_t tick) {
    for (; now < tick; ++now) {
      const auto drawn = std::span(draws).subspan(draw, lanes);
      std::visit(WanderStep{world, drawn}, archetype.terms.at(0).behavior);
      world.Integrate();
      draw += lanes;
    }
    return Motion{world.Position(), world.Velocity()};
  });
  EXPECT_EQ(draw, draws.size()) << "every draw is used";
}

void WandersByAngleAlike(const json& run) {
  const Archetype archetype = ArchetypeOf(run, "wander/four");
  CaseWorld world(archetype, Plane::kNone, 60);
  world.SetMotion({}, ToVec3(run.at("inputs").at("velocity")));
  WandersWithItsDraws(run, archetype, world, 0);
  const double angle = run.at("samples").back().at("angle");
  EXPECT_NEAR(
      std::remainder(
          double{RadiansFromTurn(world.subject().wander_turn[0])} - angle,
          2.0 * std::numbers::pi),
      0.0, 1.0e-3);
}

void WandersByOffsetAlike(const json& run) {
  const Archetype archetype = ArchetypeOf(run, "wander/steerkit");
  CaseWorld world(archetype, Plane::kNone, 60);
  const json& start = run.at("inputs").at("initial_state");
  WanderState state;
  state.offset = ToVec3(start.at("offset"));
  state.heading = ToVec3(start.at("heading"));
  world.SetWander(state);
  // The first six made the initial state.
  WandersWithItsDraws(run, archetype, world,
                      kStartOffsetLanes.count + kStartHeadingLanes.count);
  const WanderState end = world.subject().Wander(0);
  const json& sample = run.at("samples").back();
  ExpectNear(end.offset, sample.at("offset"), 1.0e-3, "offset");
  ExpectNear(end.heading, sample.at("heading"), 1.0e-3, "heading");
}

const std::map<std::string, std::function<void(const json&)>>& Runs() {
  static const auto* const runs =
      new std::map<std::string, std::function<void(const json&)>>{
          {"godot_arrive_seed004", ArrivesAlike},
          {"godot_triangle_w2_simultaneous", SettlesAlike},
          {"four_wander_2468", WandersByAngleAlike},
          {"steerkit_wander_xy_1", WandersByOffsetAlike},
          {"four_pursue_cruise", PursuesAlike},
          {"steerkit_overspeed_fade", SlowsAlike}};
  return *runs;
}

class TrajectoryTest : public testing::TestWithParam<std::string> {};

TEST_P(TrajectoryTest, IsFollowed) {
  Runs().at(GetParam())(Trajectory(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Steering, TrajectoryTest,
                         testing::ValuesIn(TrajectoryNames()),
                         [](const auto& run) { return run.param; });

TEST(TrajectoriesTest, AreAllThere) { EXPECT_EQ(TrajectoryNames().size(), 6u); }

}  // namespace
}  // namespace meander::core
