#include "core/step/integrate.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/archetype.h"
#include "core/world_state.h"
#include "gtest/gtest.h"
#include "tests/core/faults.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

// One agent under a given force.
struct Body {
  Vec3 position;
  Vec3 velocity;
  Vec3 force;
  Vec3 facing{1.0f, 0.0f, 0.0f};
};

Archetype Limits(float max_speed, float max_force, float mass = 1.0f) {
  return {.id = 1,
          .max_speed = max_speed,
          .max_force = max_force,
          .mass = mass,
          .terms = {}};
}

SimulationConfig ConfigOf(std::int32_t rate, float bound = kMaxBound) {
  SimulationConfig config;
  config.tick_rate_hz = rate;
  config.bounds_min = {-bound, -bound, -bound};
  config.bounds_max = {bound, bound, bound};
  config.bounds_mode = BoundsMode::kClamp;
  return config;
}

WorldState StateOf(const std::vector<Body>& bodies, const Archetype& archetype,
                   const SimulationConfig& config) {
  WorldState state;
  state.config = config;
  PutArchetype(state, archetype);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    AgentRow row;
    row.id = static_cast<AgentId>(i + 1);
    row.position = bodies[i].position;
    row.velocity = bodies[i].velocity;
    row.facing = bodies[i].facing;
    AddAgent(state, archetype.id, row);
    AgentColumns& agents = state.populations[0].agents;
    agents.BringForces();
    agents.force_x[i] = bodies[i].force.x;
    agents.force_y[i] = bodies[i].force.y;
    agents.force_z[i] = bodies[i].force.z;
  }
  Settle(state);
  return state;
}

Body BodyOf(const WorldState& state, std::size_t row) {
  const AgentRow agent = state.populations[0].agents.Row(row);
  return {agent.position, agent.velocity, {}, agent.facing};
}

// Steps one body; how many were stopped at a face goes to `stops`.
Body Integrated(const Body& body, const Archetype& archetype,
                const SimulationConfig& config,
                std::uint64_t* stops = nullptr) {
  WorldState state = StateOf({body}, archetype, config);
  const std::uint64_t stopped = IntegrateBlock(state, state.blocks[0]);
  if (stops != nullptr) *stops = stopped;
  return BodyOf(state, 0);
}

TEST(IntegrateTest, TheNewVelocityMovesTheAgent) {
  const Body body = Integrated({{1, 2, 3}, {4, 0, 0}, {0, 8, 0}},
                               Limits(100.0f, 100.0f), ConfigOf(4));
  EXPECT_EQ(body.velocity, (Vec3{4, 2, 0}));
  EXPECT_EQ(body.position, (Vec3{2, 2.5f, 3}));
}

TEST(IntegrateTest, TheForceIsCutAndThenDividedByMass) {
  const Body body =
      Integrated({{}, {}, {0, 0, 40}}, Limits(100.0f, 8.0f, 2.0f), ConfigOf(1));
  EXPECT_EQ(body.velocity, (Vec3{0, 0, 4}));
  const Body light = Integrated({{}, {}, {0, 0, 1}},
                                Limits(1.0e6f, 8.0f, 1.0e-3f), ConfigOf(1));
  EXPECT_NEAR(light.velocity.z, 1000.0f, 1.0e-3f);
  const Body heavy = Integrated({{}, {}, {0, 0, 1}},
                                Limits(100.0f, 8.0f, 1.0e6f), ConfigOf(1));
  EXPECT_NEAR(heavy.velocity.z, 1.0e-6f, 1.0e-12f);
}

TEST(IntegrateTest, TheVelocityIsCutToMaxSpeed) {
  const Body body =
      Integrated({{}, {30, 40, 0}, {}}, Limits(5.0f, 1.0f), ConfigOf(1));
  EXPECT_NEAR(body.velocity.x, 3.0f, 1.0e-6f);
  EXPECT_NEAR(body.velocity.y, 4.0f, 1.0e-6f);
  EXPECT_TRUE(SameBits(body.position, body.velocity));
}

TEST(IntegrateTest, WithoutSpeedAnAgentStandsStill) {
  const Body body = Integrated({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                               Limits(0.0f, 100.0f), ConfigOf(60));
  EXPECT_TRUE(SameBits(body.velocity, {}));
  EXPECT_TRUE(SameBits(body.position, {1, 2, 3}));
}

TEST(IntegrateTest, WithoutForceAnAgentFliesOn) {
  const Body body = Integrated({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                               Limits(100.0f, 0.0f), ConfigOf(2));
  EXPECT_TRUE(SameBits(body.velocity, {4, 5, 6}));
  EXPECT_TRUE(SameBits(body.position, {3, 4.5f, 6}));
}

TEST(IntegrateTest, WithinItsLimitsNoBitIsRounded) {
  // Exactly as fast and as strong as may be.
  const Body body =
      Integrated({{}, {3, 4, 0}, {0, 0, 8}}, Limits(5.0f, 8.0f), ConfigOf(1));
  EXPECT_NEAR(Length(body.velocity), 5.0f, 1.0e-6f);
  const Body straight =
      Integrated({{}, {3, 4, 0}, {}}, Limits(5.0f, 8.0f), ConfigOf(1));
  EXPECT_TRUE(SameBits(straight.velocity, {3, 4, 0}));
}

struct Face {
  float Vec3::*axis;
  float side;
};
constexpr Face kFaces[] = {{&Vec3::x, -1}, {&Vec3::x, 1},  {&Vec3::y, -1},
                           {&Vec3::y, 1},  {&Vec3::z, -1}, {&Vec3::z, 1}};

// At 1 Hz, so that a velocity is a step; bounds +-64.
Body MovedTo(const Face& face, float from, float step, std::uint64_t* stops) {
  Body body{{1, 2, 3}, {4, 5, 6}, {}};
  body.position.*face.axis = face.side * from;
  body.velocity.*face.axis = face.side * step;
  return Integrated(body, Limits(1000.0f, 0.0f), ConfigOf(1, 64.0f), stops);
}

TEST(IntegrateTest, AnAgentStopsAtTheFaceAndKeepsTheRestOfItsVelocity) {
  for (const Face& face : kFaces) {
    std::uint64_t stops = 0;
    Body body = MovedTo(face, 63.0f, 2.0f, &stops);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(body.position.*face.axis, face.side * 64.0f);
    EXPECT_EQ(Bits(body.velocity.*face.axis), 0u);
    Body wanted{{5, 7, 9}, {4, 5, 6}, {}};
    wanted.position.*face.axis = body.position.*face.axis;
    wanted.velocity.*face.axis = 0.0f;
    EXPECT_EQ(body.position, wanted.position);
    EXPECT_EQ(body.velocity, wanted.velocity);
  }
}

TEST(IntegrateTest, TheFaceItselfIsWithinTheBounds) {
  for (const Face& face : kFaces) {
    std::uint64_t stops = 9;
    const Body body = MovedTo(face, 63.0f, 1.0f, &stops);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(body.position.*face.axis, face.side * 64.0f);
    EXPECT_EQ(body.velocity.*face.axis, face.side * 1.0f);
    // On it already, and going in, along and out.
    EXPECT_EQ(MovedTo(face, 64.0f, -1.0f, &stops).position.*face.axis,
              face.side * 63.0f);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(MovedTo(face, 64.0f, 0.0f, &stops).position.*face.axis,
              face.side * 64.0f);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(MovedTo(face, 64.0f, 1.0e-3f, &stops).position.*face.axis,
              face.side * 64.0f);
    EXPECT_EQ(stops, 1u);
  }
}

TEST(IntegrateTest, OneUnitInTheLastPlaceInsideIsNotStopped) {
  for (const Face& face : kFaces) {
    std::uint64_t stops = 9;
    const float inside = Below(64.0f);
    const Body near = MovedTo(face, 63.0f, inside - 63.0f, &stops);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(near.position.*face.axis, face.side * inside);
    const Body reached = MovedTo(face, inside, 64.0f - inside, &stops);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(reached.position.*face.axis, face.side * 64.0f);
    const Body beyond = MovedTo(face, inside, 0x1p-16f, &stops);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(beyond.position.*face.axis, face.side * 64.0f);
    EXPECT_EQ(Bits(beyond.velocity.*face.axis), 0u);
  }
}

TEST(IntegrateTest, AStopInACornerCountsOnce) {
  std::uint64_t stops = 0;
  const Body body =
      Integrated({{60, -60, 60}, {10, -10, 10}, {}}, Limits(1000.0f, 0.0f),
                 ConfigOf(1, 64.0f), &stops);
  EXPECT_EQ(stops, 1u);
  EXPECT_EQ(body.position, (Vec3{64, -64, 64}));
  EXPECT_TRUE(SameBits(body.velocity, {}));
}

SimulationConfig TorusOf(std::int32_t rate, float bound) {
  SimulationConfig config = ConfigOf(rate, bound);
  config.bounds_mode = BoundsMode::kWrap;
  return config;
}

TEST(IntegrateTest, BoundsThatWrapKeepTheVelocityAndStopNobody) {
  std::uint64_t stops = 0;
  const Body body = Integrated({{9, -9.5f, 0}, {2, -1, 0.5f}, {}},
                               Limits(100, 1), TorusOf(1, 10.0f), &stops);
  EXPECT_EQ(body.position, (Vec3{-9, 9.5f, 0.5f}));
  EXPECT_EQ(body.velocity, (Vec3{2, -1, 0.5f}));
  EXPECT_EQ(stops, 0u);
}

TEST(IntegrateTest, OneUnitInTheLastPlaceBelowTheUpperFaceIsNotWrapped) {
  const float inside = Below(10.0f);
  const SimulationConfig config = TorusOf(1, 10.0f);
  const auto moved = [&](float from, float by) {
    return Integrated({{from, 0, 0}, {by, 0, 0}, {}}, Limits(100, 1), config)
        .position.x;
  };
  EXPECT_EQ(moved(inside, 0.0f), inside);
  EXPECT_EQ(moved(9.0f, inside - 9.0f), inside);
  EXPECT_EQ(moved(inside, 10.0f - inside), -10.0f);
  EXPECT_EQ(moved(9.0f, 1.0f), -10.0f);
  EXPECT_EQ(moved(-10.0f, -1.0e-7f), -10.0f) << "too little to move";
  EXPECT_EQ(moved(-10.0f, inside - 10.0f), inside);
}

// At a million units a second and one step a second an agent goes round the
// smallest torus a million times.
TEST(IntegrateTest, AStepMayGoRoundATorusManyTimes) {
  for (const float bound : {0.5f, 7.3f, 2048.0f, kMaxBound}) {
    for (const float speed : {1.0e6f, -1.0e6f, 333'333.3f, -12'345.6f}) {
      const Body body = Integrated({{bound * 0.25f, -bound, Below(bound)},
                                    {speed, -speed * 0.5f, speed * 0.25f},
                                    {}},
                                   Limits(1.0e6f, 1.0e6f), TorusOf(1, bound));
      for (const float place :
           {body.position.x, body.position.y, body.position.z}) {
        EXPECT_GE(place, -bound);
        EXPECT_LT(place, bound);
      }
      EXPECT_NE(body.velocity.x, 0.0f);
    }
  }
}

TEST(IntegrateTest, AnExternalArchetypeLeavesItsAgentsWhereTheyAre) {
  Archetype archetype = Limits(1.0f, 1.0f);
  archetype.external = true;
  for (const BoundsMode mode :
       {BoundsMode::kOpen, BoundsMode::kClamp, BoundsMode::kWrap}) {
    SimulationConfig config = ConfigOf(1, 10.0f);
    config.bounds_mode = mode;
    std::uint64_t stops = 0;
    const Body before{
        {10, -10, 1}, {1.0e6f, -0.0f, 3}, {5, 5, 5}, {0.6f, -0.0f, 0.8f}};
    const Body body = Integrated(before, archetype, config, &stops);
    EXPECT_TRUE(SameBits(body.position, before.position));
    EXPECT_TRUE(SameBits(body.velocity, before.velocity));
    EXPECT_TRUE(SameBits(body.facing, before.facing));
    EXPECT_EQ(stops, 0u);
  }
}

// Many steps without a force.
Body Coasted(Body body, const Archetype& archetype,
             const SimulationConfig& config, int steps) {
  for (int i = 0; i < steps; ++i) {
    body.force = {};
    body = Integrated(body, archetype, config);
  }
  return body;
}

TEST(IntegrateTest, AnAgentThatIsTooFastSlowsDownAlikeAtAnyRate) {
  Archetype archetype = Limits(2.0f, 100.0f);
  archetype.overspeed_time_constant = 0.5f;
  const double wanted = 2.0 + 2.0 * std::exp(-4.0);
  for (const std::int32_t rate : {30, 144}) {
    const Body body = Coasted({{}, {-2.4f, 0, 3.2f}, {}}, archetype,
                              ConfigOf(rate), 2 * rate);
    EXPECT_NEAR(Length(body.velocity), wanted, 1.0e-4) << rate;
    EXPECT_NEAR(body.velocity.x / body.velocity.z, -0.75f, 1.0e-5f);
  }
}

TEST(IntegrateTest, WithoutATimeConstantAnAgentIsCutToMaxSpeedAtOnce) {
  Archetype archetype = Limits(2.0f, 100.0f);
  EXPECT_EQ(Integrated({{}, {0, 4, 0}, {}}, archetype, ConfigOf(30)).velocity,
            (Vec3{0, 2, 0}));
  archetype.overspeed_time_constant = 1.0e-6f;  // over within a step
  EXPECT_EQ(Integrated({{}, {0, 4, 0}, {}}, archetype, ConfigOf(30)).velocity,
            (Vec3{0, 2, 0}));
}

TEST(IntegrateTest, NoForceMakesAnAgentFasterThanItsExcessAllows) {
  Archetype archetype = Limits(2.0f, 100.0f);
  archetype.overspeed_time_constant = 0.5f;
  // Not too fast before: max_speed is the limit.
  EXPECT_EQ(
      Integrated({{}, {1, 0, 0}, {100, 0, 0}}, archetype, ConfigOf(1)).velocity,
      (Vec3{2, 0, 0}));
  EXPECT_EQ(
      Integrated({{}, {2, 0, 0}, {100, 0, 0}}, archetype, ConfigOf(1)).velocity,
      (Vec3{2, 0, 0}));
  // Too fast, and pushed on.
  const float limit =
      Coasted({{}, {4, 0, 0}, {}}, archetype, ConfigOf(4), 1).velocity.x;
  EXPECT_NEAR(limit, 2.0 + 2.0 * std::exp(-0.5), 1.0e-5);
  EXPECT_EQ(
      Integrated({{}, {4, 0, 0}, {100, 0, 0}}, archetype, ConfigOf(4)).velocity,
      (Vec3{limit, 0, 0}));
  // Too fast, and held back by more than that.
  EXPECT_EQ(
      Integrated({{}, {4, 0, 0}, {-12, 0, 0}}, archetype, ConfigOf(4)).velocity,
      (Vec3{1, 0, 0}));
}

// Next to nothing of the excess is lost in a step, and what rounding adds must
// not add up.
TEST(IntegrateTest, AnAgentThatHardlySlowsDownNeverGetsFasterThanAnyMayBe) {
  std::mt19937 random(1);
  const auto draw = [&random] {
    return static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
  };
  Archetype archetype = Limits(1.0f, 1.0e6f, 1.0e-3f);
  archetype.overspeed_time_constant = 1.0e6f;
  std::vector<Body> bodies(256);
  for (Body& body : bodies) {
    body.velocity = ClampLength(Vec3{draw(), draw(), draw()} * 1.0e8f, 1.0e6f);
  }
  WorldState state = StateOf(bodies, archetype, TorusOf(60, 100.0f));
  AgentColumns& agents = state.populations[0].agents;
  float fastest = 0.0f;
  for (int i = 0; i < 5000; ++i) {
    for (std::size_t row = 0; row < agents.size(); ++row) {
      if (i % 3 == 0) {
        agents.force_x[row] = draw() * 1.0e6f;
        agents.force_y[row] = draw() * 1.0e6f;
        agents.force_z[row] = draw() * 1.0e6f;
      }
      fastest = std::fmax(fastest, Length(agents.Velocity(row)));
    }
    IntegrateBlock(state, state.blocks[0]);
  }
  EXPECT_GT(fastest, 0.9999e6f);
  EXPECT_LE(fastest, 1.000001e6f);
}

struct Normal {
  Plane plane;
  float Vec3::*axis;
  float Vec3::*first;
  float Vec3::*second;
};
constexpr Normal kNormals[] = {{Plane::kXY, &Vec3::z, &Vec3::x, &Vec3::y},
                               {Plane::kXZ, &Vec3::y, &Vec3::x, &Vec3::z},
                               {Plane::kYZ, &Vec3::x, &Vec3::y, &Vec3::z}};

TEST(IntegrateTest, AForcePlaneLimitsTheSpeedInItAndLeavesTheRestAlone) {
  for (const Normal& normal : kNormals) {
    Archetype archetype = Limits(5.0f, 1000.0f);
    archetype.force_plane = normal.plane;
    for (const float vertical :
         {0.0f, -0.0f, 7.0f, -4.999f, 1.0e-45f, 1.0e4f, -1.2345e-20f}) {
      Body body{{1, 2, 3}, {}, {}};
      body.velocity.*normal.first = 30.0f;
      body.force.*normal.second = 40.0f;
      body.velocity.*normal.axis = vertical;
      const Body moved = Integrated(body, archetype, ConfigOf(1));
      EXPECT_EQ(Bits(moved.velocity.*normal.axis), Bits(vertical));
      EXPECT_NEAR(moved.velocity.*normal.first, 3.0f, 1.0e-5f);
      EXPECT_NEAR(moved.velocity.*normal.second, 4.0f, 1.0e-5f);
      EXPECT_EQ(moved.position.*normal.axis, body.position.*normal.axis);
    }
  }
}

TEST(IntegrateTest, WithinItsLimitsAForcePlaneRoundsNoBit) {
  for (const Normal& normal : kNormals) {
    Archetype archetype = Limits(100.0f, 1000.0f);
    archetype.force_plane = normal.plane;
    const Vec3 velocity{0.1f, -7.3f, 1.0e-20f};
    EXPECT_TRUE(SameBits(
        Integrated({{}, velocity, {}}, archetype, ConfigOf(60)).velocity,
        velocity));
  }
}

TEST(IntegrateTest, InAForcePlaneWhatIsTooFastInItSlowsDown) {
  Archetype archetype = Limits(2.0f, 100.0f);
  archetype.overspeed_time_constant = 0.5f;
  archetype.force_plane = Plane::kXZ;
  const Body body = Coasted({{}, {4, 6, 0}, {}}, archetype, ConfigOf(60), 120);
  EXPECT_NEAR(body.velocity.x, 2.0 + 2.0 * std::exp(-4.0), 1.0e-4);
  EXPECT_EQ(body.velocity.y, 6.0f);
  // Speed along the normal is no excess.
  EXPECT_EQ(Coasted({{}, {1, 60, 0}, {}}, archetype, ConfigOf(60), 9).velocity,
            (Vec3{1, 60, 0}));
}

TEST(IntegrateTest, WithAForcePlaneNobodyIsFasterThanAnyMayBe) {
  Archetype archetype = Limits(1.0e6f, 1.0e6f, 1.0e-3f);
  archetype.force_plane = Plane::kXY;
  const Body body = Integrated({{}, {8.0e5f, 0, 1.0e6f}, {1.0e6f, 1.0e6f, 0}},
                               archetype, TorusOf(1, 100.0f));
  EXPECT_NEAR(Length(body.velocity), 1.0e6f, 1.0f);
  EXPECT_GT(body.velocity.z, 7.0e5f);
}

Archetype WithFacing(float turn_rate, float min_facing_speed = 1.0f) {
  Archetype archetype = Limits(100.0f, 100.0f);
  archetype.facing = Facing{turn_rate, min_facing_speed};
  return archetype;
}

// The angle of the facing in XY, in degrees.
double Degrees(const Body& body) {
  return std::atan2(double{body.facing.y}, double{body.facing.x}) * 180.0 /
         3.141592653589793;
}

TEST(IntegrateTest, TheFacingTurnsByAShareOfTheAngleTheShortWayRound) {
  const SimulationConfig config = ConfigOf(4);
  const auto turned = [&](const Vec3& velocity, float turn_rate) {
    return Degrees(
        Integrated({{}, velocity, {}}, WithFacing(turn_rate), config));
  };
  EXPECT_NEAR(turned({0, 3, 0}, 2.0f), 45.0, 1.0e-4);
  EXPECT_NEAR(turned({0, 3, 0}, 1.0f), 22.5, 1.0e-4);
  EXPECT_NEAR(turned({0, -3, 0}, 1.0f), -22.5, 1.0e-4);
  EXPECT_NEAR(turned({-3, 3, 0}, 1.0f), 33.75, 1.0e-4);
  EXPECT_NEAR(turned({-3, -3, 0}, 1.0f), -33.75, 1.0e-4);
  EXPECT_NEAR(turned({0, 3, 0}, 0.0f), 0.0, 1.0e-4);
  EXPECT_NEAR(turned({3, 0, 0}, 1.0f), 0.0, 1.0e-4);
  // At most all of it.
  for (const float turn_rate : {4.0f, 5.0f, 1.0e6f}) {
    EXPECT_NEAR(turned({0, 3, 0}, turn_rate), 90.0, 1.0e-4);
  }
}

TEST(IntegrateTest, TheFacingFollowsTheNewVelocityOnceItIsFastEnough) {
  const SimulationConfig config = ConfigOf(1);
  const auto facing = [&](const Body& body, float min_facing_speed) {
    return Integrated(body, WithFacing(1.0f, min_facing_speed), config).facing;
  };
  EXPECT_EQ(facing({{}, {}, {0, 0, 3}}, 1.0f), (Vec3{0, 0, 1}));
  EXPECT_EQ(facing({{}, {0, 2, 0}, {}}, 2.0f), (Vec3{1, 0, 0})) << "not above";
  EXPECT_EQ(facing({{}, {0, Above(2.0f), 0}, {}}, 2.0f), (Vec3{0, 1, 0}));
  EXPECT_EQ(facing({{}, {0, 1.0e-18f, 0}, {}}, 0.0f), (Vec3{0, 1, 0}));
  EXPECT_EQ(facing({{}, {0, 1.0e-30f, 0}, {}}, 0.0f), (Vec3{1, 0, 0}))
      << "at rest";
  EXPECT_EQ(facing({{}, {}, {}}, 0.0f), (Vec3{1, 0, 0}));
  // Where a face takes the velocity away there is nothing to follow.
  EXPECT_EQ(facing({{kMaxBound, 0, 0}, {5, 0, 0}, {}, {0, 1, 0}}, 1.0f),
            (Vec3{0, 1, 0}));
}

TEST(IntegrateTest, WithoutFacingInItsArchetypeAnAgentFacesWhereItDid) {
  const Vec3 facing{0.6f, -0.0f, 0.8f};
  const Body body = Integrated({{}, {0, 30, 0}, {0, 5, 0}, facing},
                               Limits(100.0f, 100.0f), ConfigOf(1));
  EXPECT_TRUE(SameBits(body.facing, facing));
  // Slowly enough, with it as well.
  EXPECT_TRUE(SameBits(Integrated({{}, {0, 30, 0}, {}, facing},
                                  WithFacing(1.0f, 30.0f), ConfigOf(1))
                           .facing,
                       facing));
}

TEST(IntegrateTest, InAForcePlaneTheFacingFollowsWhatIsInIt) {
  Archetype archetype = WithFacing(1.0f);
  archetype.force_plane = Plane::kXZ;
  const Body body = Integrated({{}, {3, 50, 4}, {}}, archetype, ConfigOf(1));
  EXPECT_NEAR(body.facing.x, 0.6f, 1.0e-6f);
  EXPECT_EQ(body.facing.y, 0.0f);
  EXPECT_NEAR(body.facing.z, 0.8f, 1.0e-6f);
  const Vec3 still{1, 0, 0};
  EXPECT_EQ(Integrated({{}, {0, 50, 0}, {}}, archetype, ConfigOf(1)).facing,
            still);
}

TEST(IntegrateTest, InAPlaneTheFacingTurnsInIt) {
  for (const Normal& normal : kNormals) {
    SimulationConfig config = ConfigOf(2);
    config.plane = normal.plane;
    Body body;
    body.facing = AxesOf(normal.plane).first;
    body.velocity = AxesOf(normal.plane).second * 9.0f;
    const Body half = Integrated(body, WithFacing(1.0f), config);
    EXPECT_NEAR(half.facing.*normal.first, std::sqrt(0.5f), 1.0e-6f);
    EXPECT_NEAR(half.facing.*normal.second, std::sqrt(0.5f), 1.0e-6f);
    EXPECT_EQ(Bits(half.facing.*normal.axis), 0u);
    // Opposite ways turn it from the second axis toward the first.
    body.velocity = body.facing * -9.0f;
    const Body back = Integrated(body, WithFacing(1.0f), config);
    EXPECT_NEAR(back.facing.*normal.second, -1.0f, 1.0e-6f);
    EXPECT_EQ(Bits(back.facing.*normal.axis), 0u);
  }
}

TEST(IntegrateTest, TheFacingStaysAUnitVectorForeverAndAtAnySpeed) {
  const SimulationConfig config = TorusOf(60, 100.0f);
  Archetype archetype = Limits(1.0e6f, 1.0e6f, 1.0e-3f);
  archetype.facing = Facing{7.0f, 0.0f};
  Body body{{}, {1, 2, 3}, {}};
  for (int i = 0; i < 3000; ++i) {
    const auto n = static_cast<float>(i);
    body.force = Vec3{std::sin(n), std::cos(0.7f * n), std::sin(0.3f * n)} *
                 (i % 7 == 0 ? 1.0e6f : 1.0f);
    if (i % 11 == 0) body.velocity = body.velocity * -1.0f;
    body = Integrated(body, archetype, config);
    ASSERT_NEAR(Length(body.facing), 1.0f, 1.0e-6f) << i;
  }
}

TEST(StopAtFaceTest, LeavesAVelocityInwardAlone) {
  float position = 70.0f;
  float velocity = -3.0f;
  EXPECT_TRUE(StopAtFace(-64.0f, 64.0f, position, velocity));
  EXPECT_EQ(position, 64.0f);
  EXPECT_EQ(velocity, -3.0f);
  position = -70.0f;
  velocity = 3.0f;
  EXPECT_TRUE(StopAtFace(-64.0f, 64.0f, position, velocity));
  EXPECT_EQ(position, -64.0f);
  EXPECT_EQ(velocity, 3.0f);
  EXPECT_FALSE(StopAtFace(-64.0f, 64.0f, position, velocity));
}

TEST(IntegrateTest, EachBlockMovesItsOwnRowsAndCountsItsOwnStops) {
  std::vector<Body> bodies;
  for (int i = 0; i < 600; ++i) {
    bodies.push_back({{60, 0, 0}, {i % 2 == 0 ? 10.0f : 1.0f, 0, 0}, {}});
  }
  WorldState state = StateOf(bodies, Limits(1000.0f, 0.0f), ConfigOf(1, 64.0f));
  ASSERT_EQ(state.blocks.size(), 3u);
  EXPECT_EQ(IntegrateBlock(state, state.blocks[1]), 128u);
  for (std::size_t row = 0; row < bodies.size(); ++row) {
    const bool inside = row >= 256 && row < 512;
    const float moved = row % 2 == 0 ? 64.0f : 61.0f;
    EXPECT_EQ(BodyOf(state, row).position.x, inside ? moved : 60.0f);
  }
  EXPECT_EQ(IntegrateBlock(state, state.blocks[2]), 44u);
}

TEST(IntegrateTest, StaysFiniteAndInBoundsOnTheEdgesOfWhatIsLegal) {
  for (const float force : {0.0f, 1.0e-45f, 1.0f, 1.0e6f, 1.0e12f}) {
    for (const float mass : {1.0e-3f, 1.0f, 1.0e6f}) {
      for (const float speed : {0.0f, 1.0f, 1.0e6f}) {
        for (const std::int32_t rate : {1, 60, 1000}) {
          const Body body = Integrated(
              {{-16384, 0, 16384}, {1.0e6f, 0, 0}, {force, -force, force}},
              Limits(speed, 1.0e6f, mass), ConfigOf(rate));
          ASSERT_TRUE(IsFinite(body.position) && IsFinite(body.velocity));
          EXPECT_LE(std::fabs(body.position.x), kMaxBound);
          EXPECT_LE(std::fabs(body.position.y), kMaxBound);
          EXPECT_LE(std::fabs(body.position.z), kMaxBound);
          EXPECT_LE(Length(body.velocity), speed * 1.000001f);
        }
      }
    }
  }
}

}  // namespace
}  // namespace meander::core
