// One step of every behavior that draws nothing, through a running server: the
// velocity that comes out is that of the force in behavior.proto.

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

constexpr std::int32_t kTickRateHz = 8;
constexpr float kMass = 2.0f;
constexpr float kTolerance = 1e-5f;

// An agent at the origin with what it is given. Others, of an external
// archetype, are made before it: agents 1, 2, ...
struct Step {
  std::string name;
  std::string terms;                // and whatever else an archetype has
  std::string agent;                // the rest of a NewAgent
  std::vector<std::string> others;  // the same
  std::vector<float> force;         // after all cuts
  float max_speed = 10.0f;
  float max_force = 1000.0f;
};

v1::Command Text(const std::string& text) {
  v1::Command command;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &command))
      << text;
  return command;
}

std::string Define(const Step& step) {
  return "define_archetype { archetype { id: 1 max_speed: " +
         std::to_string(step.max_speed) +
         " max_force: " + std::to_string(step.max_force) +
         " mass: " + std::to_string(kMass) + " " + step.terms + " } }";
}

std::string Spawn(int archetype, const std::string& agent) {
  return "spawn_agents { agents { agents { archetype_id: " +
         std::to_string(archetype) + " " + agent + " } } }";
}

class BehaviorsTest : public testing::Test {
 protected:
  // The agent after one step in a world of its own.
  v1::Agent Run(const Step& step) {
    v1::CreateWorldRequest request;
    request.set_world_id("w" + std::to_string(++worlds_));
    v1::World& world = *request.mutable_world();
    world.mutable_simulation()->set_tick_rate_hz(kTickRateHz);
    world.mutable_hosting()->set_clock_mode(v1::CLOCK_MODE_MANUAL);
    const grpc::Status created = client_.Create(request);
    EXPECT_TRUE(created.ok()) << Show(created);
    const std::string name = "worlds/" + request.world_id();
    std::vector<v1::Command> commands = {
        Text(Define(step)),
        Text("define_archetype { archetype { id: 2 external: true } }")};
    for (const std::string& other : step.others) {
      commands.push_back(Text(Spawn(2, other)));
    }
    commands.push_back(Text(Spawn(1, step.agent)));
    ExpectAdmitted(client_.MustSubmit(name, commands));
    client_.MustStep(name, 1);
    v1::GetAgentResponse response;
    const auto id = static_cast<std::int64_t>(step.others.size()) + 1;
    const grpc::Status got = client_.GetAgent(name, id, &response);
    EXPECT_TRUE(got.ok()) << Show(got);
    return response.agent();
  }

  void ExpectForces(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      SCOPED_TRACE(step.name);
      const v1::Vec3 before = Text(Spawn(1, step.agent))
                                  .spawn_agents()
                                  .agents()
                                  .agents(0)
                                  .velocity();
      const v1::Agent agent = Run(step);
      const v1::Vec3& after = agent.velocity();
      const float gain = 1.0f / (kTickRateHz * kMass);
      EXPECT_NEAR(after.x(), before.x() + step.force[0] * gain, kTolerance);
      EXPECT_NEAR(after.y(), before.y() + step.force[1] * gain, kTolerance);
      EXPECT_NEAR(after.z(), before.z() + step.force[2] * gain, kTolerance);
      EXPECT_NEAR(agent.position().x(), after.x() / kTickRateHz, kTolerance);
      EXPECT_NEAR(agent.position().y(), after.y() / kTickRateHz, kTolerance);
      EXPECT_NEAR(agent.position().z(), after.z() / kTickRateHz, kTolerance);
    }
  }

  ServerProcess server_;
  Client client_{server_.address()};
  int worlds_ = 0;
};

constexpr char kAt34[] = "targets { point { x: 3 y: 4 } }";
constexpr char kAt34Moving[] =
    "velocity { x: 1 } targets { point { x: 3 y: 4 } }";
constexpr char kAtOriginMoving[] = "velocity { x: 1 } targets { point { } }";
constexpr char kAtAgent[] = "targets { agent_id: 1 }";
constexpr char kRunner[] = "position { x: 20 } velocity { y: 3 }";

TEST_F(BehaviorsTest, OneTargetIsSoughtOrLeft) {
  ExpectForces({
      {"seek, cut", "terms { seek { } }", kAt34, {}, {12, 16, 0}, 100, 20},
      {"seek in slot 2",
       "terms { seek { slot: 2 } }",
       "targets { } targets { } targets { point { z: 5 } }",
       {},
       {0, 0, 10}},
      {"seek of an empty slot",
       "terms { seek { } }",
       "velocity { x: 1 }",
       {},
       {0, 0, 0}},
      {"seek at the target",
       "terms { seek { } }",
       kAtOriginMoving,
       {},
       {-1, 0, 0}},
      {"flee", "terms { flee { } }", kAt34Moving, {}, {-7, -8, 0}},
      {"flee at its range",
       "terms { flee { range: 5 } }",
       kAt34Moving,
       {},
       {0, 0, 0}},
      {"flee at its range, inclusive",
       "terms { flee { range: 5 edge_inclusive: true } }",
       kAt34Moving,
       {},
       {-7, -8, 0}},
      {"flee within its range",
       "terms { flee { range: 5.5 } }",
       kAt34Moving,
       {},
       {-7, -8, 0}},
      {"flee at the center",
       "terms { flee { } }",
       kAtOriginMoving,
       {},
       {-1, 0, 0}},
      {"flee at the center, zero",
       "terms { flee { at_center: AT_CENTER_ZERO } }",
       kAtOriginMoving,
       {},
       {0, 0, 0}},
      {"arrive",
       "terms { arrive { slowing_radius: 10 } }",
       kAt34Moving,
       {},
       {2, 4, 0}},
      {"arrive from outside",
       "terms { arrive { slowing_radius: 4 } }",
       kAt34Moving,
       {},
       {5, 8, 0}},
      // a = 8, h = 0.5: D = min(10, 1, -0.5 + sqrt(0.25 + 2)) = 1.
      {"arrive to a stop",
       "terms { arrive { stop: true } }",
       "targets { point { x: 0.125 } }",
       {},
       {16, 0, 0},
       10,
       20},
      {"keep_away",
       "terms { keep_away { radius: 10 } }",
       kAt34Moving,
       {},
       {-3.5f, -4, 0}},
      {"keep_away from its radius on",
       "terms { keep_away { radius: 5 } }",
       kAt34Moving,
       {},
       {0, 0, 0}},
      {"brake",
       "terms { brake { } }",
       "velocity { x: 1 y: 2 z: 3 }",
       {},
       {-1, -2, -3}},
  });
}

TEST_F(BehaviorsTest, AMotionIsForeseen) {
  const std::vector<std::string> runner = {kRunner};
  ExpectForces({
      // t = 20 / sqrt(91), 20 / 13, 2, 1.
      {"pursue", "terms { pursue { } }", kAtAgent, runner, {9.539392f, 3, 0}},
      {"pursue, closing",
       "terms { pursue { lead: LEAD_CLOSING } }",
       kAtAgent,
       runner,
       {9.743911f, 2.248595f, 0}},
      {"pursue, distance",
       "terms { pursue { lead: LEAD_DISTANCE } }",
       kAtAgent,
       runner,
       {9.578263f, 2.873479f, 0}},
      {"pursue, not far",
       "terms { pursue { max_prediction: 1 } }",
       kAtAgent,
       runner,
       {9.889364f, 1.483405f, 0}},
      {"pursue, slowing",
       "terms { pursue { lead: LEAD_DISTANCE slowing_radius: 40 } }",
       kAtAgent,
       runner,
       {5, 1.5f, 0}},
      {"evade", "terms { evade { } }", kAtAgent, runner, {-9.539392f, -3, 0}},
      {"evade, closing",
       "terms { evade { lead: LEAD_CLOSING } }",
       kAtAgent,
       runner,
       {-9.743911f, -2.248595f, 0}},
      {"evade, not far",
       "terms { evade { max_prediction: 1 } }",
       kAtAgent,
       runner,
       {-9.889364f, -1.483405f, 0}},
  });
}

TEST_F(BehaviorsTest, NeighborsCount) {
  const std::string near = "neighborhood { radius: 8 ";
  const std::vector<std::string> two = {
      "position { x: 2 } velocity { x: 4 }",
      "position { y: 4 } velocity { y: 4 z: 2 } groups: 2"};
  const auto separation = [&](const std::string& rest) {
    return "terms { separation { " + near + "} " + rest + " } }";
  };
  const auto alignment = [&](const std::string& rest) {
    return "terms { alignment { " + near + rest + " } } }";
  };
  const auto cohesion = [&](const std::string& rest) {
    return "terms { cohesion { " + near + "} " + rest + " } }";
  };
  ExpectForces({
      {"separation", separation(""), "", two, {-8.944272f, -4.472136f, 0}},
      {"separation, nearest fade",
       separation("falloff: FALLOFF_NEAREST_FADE"),
       "",
       two,
       {-6.708204f, -3.354102f, 0}},
      {"separation, linear",
       separation("falloff: FALLOFF_LINEAR"),
       "",
       two,
       {-7.5f, -5, 0}},
      {"separation, stacked",
       separation("coincident: COINCIDENT_SKIP"),
       "velocity { x: 1 }",
       {""},
       {0, 0, 0}},
      {"alignment", alignment(""), "", two, {2, 2, 1}},
      {"alignment with the nearest",
       alignment("max_neighbors: 1"),
       "",
       two,
       {4, 0, 0}},
      {"alignment with some groups",
       alignment("neighbor_groups: 6"),
       "",
       two,
       {0, 4, 2}},
      {"alignment with what is in view",
       alignment("field_of_view: 1.5"),
       "velocity { x: 1 }",
       two,
       {3, 0, 0}},
      {"alignment with nobody",
       alignment("neighbor_groups: 0"),
       "velocity { x: 1 }",
       two,
       {0, 0, 0}},
      {"cohesion", cohesion(""), "", two, {4.472136f, 8.944272f, 0}},
      {"cohesion, pull",
       cohesion("mode: COHESION_MODE_PULL"),
       "",
       two,
       {1.25f, 2.5f, 0}},
  });
}

TEST_F(BehaviorsTest, TermsAreCombined) {
  const std::vector<std::string> one = {"position { x: 4 }"};
  const std::string pull =
      "terms { cohesion { neighborhood { radius: 10 } "
      "mode: COHESION_MODE_PULL } ";  // a force of 4 along x
  const std::string up = "targets { point { y: 50 } }";
  ExpectForces({
      {"weight and gain",
       "terms { weight: 2 gain: 3 brake { } }",
       "velocity { x: 1 }",
       {},
       {-6, 0, 0}},
      {"each is limited",
       "limit_each_term: true terms { weight: 0.5 seek { } }",
       up,
       {},
       {0, 1, 0},
       10,
       2},
      {"only the sum is limited",
       "terms { weight: 0.5 seek { } }",
       up,
       {},
       {0, 2, 0},
       10,
       2},
      {"a sum", pull + "} terms { seek { } level: 1 }", up, one, {4, 10, 0}},
      {"a budget",
       "combine: COMBINE_PRIORITY_BUDGET terms { seek { } level: 1 } " + pull +
           "}",
       up,
       one,
       {4, 1, 0},
       10,
       5},
      {"the first",
       "combine: COMBINE_FIRST_NONZERO terms { seek { } level: 2 } " + pull +
           "level: 1 } terms { seek { slot: 3 } }",
       up,
       one,
       {4, 0, 0}},
  });
}

TEST_F(BehaviorsTest, WithAPlaneOfForcesHeightAndVerticalSpeedStay) {
  const v1::Agent agent = Run({"",
                               "force_plane: PLANE_XY terms { seek { } }",
                               "velocity { z: 1 } targets { point { z: 50 } }",
                               {},
                               {}});
  EXPECT_EQ(agent.velocity().z(), 1.0f);
  EXPECT_EQ(agent.position().z(), 0.0f);
}

TEST_F(BehaviorsTest, WhoIsTooFastSlowsDown) {
  const std::string fast = "velocity { x: 20 }";
  EXPECT_FLOAT_EQ(Run({"at once", "", fast, {}, {}}).velocity().x(), 10.0f);
  // 10 + 10 * exp(-0.125 / 0.5).
  EXPECT_NEAR(Run({"in time", "overspeed_time_constant: 0.5", fast, {}, {}})
                  .velocity()
                  .x(),
              17.788008f, 1e-4f);
}

TEST_F(BehaviorsTest, FacingFollowsTheVelocity) {
  const std::string agent = "velocity { x: 2 } facing { y: 3 }";
  // Half of a right angle.
  const v1::Vec3 half =
      Run({"half", "facing { turn_rate: 4 }", agent, {}, {}}).facing();
  EXPECT_NEAR(half.x(), 0.70710678f, kTolerance);
  EXPECT_NEAR(half.y(), 0.70710678f, kTolerance);
  EXPECT_NEAR(half.z(), 0.0f, kTolerance);
  const v1::Vec3 still = Run({"still",
                              "facing { turn_rate: 4 min_facing_speed: 2 }",
                              agent,
                              {},
                              {}})
                             .facing();
  EXPECT_EQ(still.x(), 0.0f);
  EXPECT_EQ(still.y(), 1.0f);
}

}  // namespace
}  // namespace meander
