#include "core/step/step_world.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/agent_state.h"
#include "core/command.h"
#include "core/parallel_for.h"
#include "core/space/wrap.h"
#include "core/steering/seek.h"
#include "core/world.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using enum CommandOutcome;

// Does the pieces from the last to the first.
class BackwardFor final : public ParallelFor {
 public:
  void Run(std::size_t count, IndexFunction body) override {
    for (std::size_t i = count; i-- > 0;) body(i);
  }
};

TEST(StepWorldTest, CommandsActInTheStepOfTheirTick) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()}, 3);
  NewAgent agent = AgentAt({1, 2, 3});
  agent.velocity = {3, 0, 0};
  world.Submit(Spawn({agent}), 3);
  world.StepTo(2);
  EXPECT_EQ(world.world().agent_count(), 0);
  EXPECT_EQ(world.world().archetype_count(), 0);
  EXPECT_EQ(world.Step(), (std::vector{kApplied, kApplied}));
  // It has moved in the tick of its spawning.
  EXPECT_EQ(world.Agent(1).step_count, 1);
  EXPECT_EQ(world.Agent(1).position,
            (Vec3{1, 2, 3} + Vec3{3, 0, 0} * (1.0f / 60.0f)));
}

TEST(StepWorldTest, OneStepIsSteeringAndThenIntegration) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  NewAgent agent = AgentToward({1, 2, 3}, PointTarget({-10, 5, 8}));
  agent.velocity = {0.5f, 0.25f, -1.0f};
  world.Submit(Spawn({agent}));
  world.Step();
  const float dt = 1.0f / 60.0f;
  const Vec3 force = ClampLength(
      SeekForce(Vec3{-10, 5, 8} - agent.position, agent.velocity, 6.0f), 12.0f);
  const Vec3 velocity = ClampLength(agent.velocity + force * dt, 6.0f);
  EXPECT_TRUE(SameBits(world.Agent(1).velocity, velocity));
  EXPECT_TRUE(
      SameBits(world.Agent(1).position, agent.position + velocity * dt));
}

// Two agents that seek each other see each other's old place: what one does
// the other does mirrored, whichever comes first.
TEST(StepWorldTest, AgentsThatSeekEachOtherMoveAsMirrorImages) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  NewAgent left = AgentToward({-7, 1, -2}, AgentTarget(2));
  NewAgent right = AgentToward({7, -1, 2}, AgentTarget(1));
  left.velocity = {0, 3, 1};
  right.velocity = {0, -3, -1};
  world.Submit(Spawn({left, right}));
  for (int tick = 1; tick <= 300; ++tick) {
    world.Step();
    ASSERT_EQ(world.Agent(1).position, -world.Agent(2).position) << tick;
    ASSERT_EQ(world.Agent(1).velocity, -world.Agent(2).velocity) << tick;
  }
  EXPECT_LT(Length(world.Agent(1).position), 2.0f) << "they have met";
}

TEST(StepWorldTest, ExchangingTwoAgentsExchangesWhatBecomesOfThem) {
  const auto run = [](bool exchanged) {
    TestWorld world;
    world.Submit(DefineArchetype{SeekerArchetype()});
    NewAgent one = AgentToward({-7, 1, 0}, AgentTarget(exchanged ? 1 : 2));
    NewAgent other = AgentToward({5, 3, 9}, AgentTarget(exchanged ? 2 : 1));
    one.velocity = {1, 2, 3};
    other.velocity = {-5, 0, 1};
    world.Submit(exchanged ? Spawn({other, one}) : Spawn({one, other}));
    world.StepTo(100);
    const AgentState first = world.Agent(exchanged ? 2 : 1);
    const AgentState second = world.Agent(exchanged ? 1 : 2);
    return std::pair(first.position, second.position);
  };
  const auto straight = run(false);
  const auto exchanged = run(true);
  EXPECT_TRUE(SameBits(straight.first, exchanged.first));
  EXPECT_TRUE(SameBits(straight.second, exchanged.second));
}

TEST(StepWorldTest, APursuerSeesItsPreyWhereItWasBefore) {
  // The prey comes first or last, in the order of definition and of ids.
  for (const bool prey_first : {true, false}) {
    TestWorld world;
    Archetype prey = SeekerArchetype(2);
    prey.max_speed = 1000.0f;
    prey.terms.clear();
    if (prey_first) world.Submit(DefineArchetype{prey});
    world.Submit(DefineArchetype{SeekerArchetype(1)});
    if (!prey_first) world.Submit(DefineArchetype{prey});
    NewAgent fast = AgentAt({10, 0, 0}, 2);
    fast.velocity = {0, 600, 0};
    const AgentId hunter = prey_first ? 2 : 1;
    const NewAgent seeker =
        AgentToward({0, 0, 0}, AgentTarget(prey_first ? 1 : 2));
    world.Submit(prey_first ? Spawn({fast, seeker}) : Spawn({seeker, fast}));
    world.Step();
    EXPECT_EQ(world.Agent(3 - hunter).position.y, 600.0f * (1.0f / 60.0f));
    EXPECT_EQ(world.Agent(hunter).velocity.y, 0.0f);
    EXPECT_GT(world.Agent(hunter).velocity.x, 0.0f);
  }
}

TEST(StepWorldTest, AnAgentIsSoughtInTheStepThatSpawnsIt) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.Submit(Spawn({AgentToward({0, 0, 0}, AgentTarget(2)),
                      AgentToward({50, 0, 0}, AgentTarget(1))}));
  world.Step();
  EXPECT_GT(world.Agent(1).velocity.x, 0.0f);
  EXPECT_LT(world.Agent(2).velocity.x, 0.0f);
}

TEST(StepWorldTest, WhoSeeksADeadAgentOrItselfFliesOn) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  NewAgent toward_itself = AgentToward({0, 0, 0}, AgentTarget(1));
  NewAgent toward_third = AgentToward({0, 10, 0}, AgentTarget(3));
  NewAgent third = AgentAt({0, 0, 50});
  for (NewAgent* agent : {&toward_itself, &toward_third}) {
    agent->velocity = {1, 0, 0};
  }
  world.Submit(Spawn({toward_itself, toward_third, third}));
  world.Step();
  EXPECT_EQ(world.Agent(1).velocity, (Vec3{1, 0, 0}));
  EXPECT_GT(world.Agent(2).velocity.z, 0.0f);
  world.Apply(DespawnAgents{{3}});
  const Vec3 velocity = world.Agent(2).velocity;
  world.StepTo(20);
  EXPECT_TRUE(SameBits(world.Agent(2).velocity, velocity));
  EXPECT_EQ(world.Agent(2).targets[0].agent, 3) << "the slot stays";
  EXPECT_EQ(world.Agent(1).velocity, (Vec3{1, 0, 0}));
}

TEST(StepWorldTest, ARedefinedArchetypeActsInTheSameStepOnItsAgents) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  NewAgent agent = AgentToward({0, 0, 0}, PointTarget({50, 0, 0}));
  agent.targets[1] = PointTarget({-50, 0, 0});
  agent.velocity = {5, 0, 0};
  world.Submit(Spawn({agent}));
  world.StepTo(30);
  EXPECT_GT(world.Agent(1).velocity.x, 5.0f);
  Archetype slow = SeekerArchetype();
  slow.max_speed = 2.0f;
  world.Apply(DefineArchetype{slow});
  EXPECT_NEAR(world.Agent(1).velocity.x, 2.0f, 1.0e-6f);
  slow.terms[0].behavior = Seek{1};
  world.Apply(DefineArchetype{slow});
  world.StepTo(200);
  EXPECT_LT(world.Agent(1).velocity.x, 0.0f);
}

TEST(StepWorldTest, OpenBoundsCountStopsAndClampedOnesDoNot) {
  for (const BoundsMode mode : {BoundsMode::kOpen, BoundsMode::kClamp}) {
    SimulationConfig config = SmallConfig(Plane::kXY);
    config.tick_rate_hz = 1;
    config.bounds_mode = mode;
    TestWorld world(config);
    Archetype archetype = SeekerArchetype();
    archetype.max_speed = 50.0f;
    archetype.terms.clear();
    world.Submit(DefineArchetype{archetype});
    NewAgent corner = AgentAt({80, 80, 0});
    corner.velocity = {30, 30, 0};
    NewAgent face = AgentAt({0, -70, 0});
    face.velocity = {0, -15, 0};
    world.Submit(Spawn({corner, face, AgentAt({100, 100, 0})}));
    world.Step();  // the corner
    const std::int64_t one = mode == BoundsMode::kOpen ? 1 : 0;
    EXPECT_EQ(world.world().bound_stops(), one);
    world.Step();  // the other comes up to the face
    EXPECT_EQ(world.world().bound_stops(), one);
    EXPECT_EQ(world.Agent(2).position.y, -100.0f);
    world.Step();  // and is stopped there
    EXPECT_EQ(world.world().bound_stops(), 2 * one);
    world.StepTo(10);
    EXPECT_EQ(world.world().bound_stops(), 2 * one);
    EXPECT_EQ(world.Agent(1).position, (Vec3{100, 100, 0}));
    EXPECT_TRUE(SameBits(world.Agent(1).velocity, {}));
    EXPECT_TRUE(SameBits(world.Agent(2).velocity, {}));
  }
}

TEST(StepWorldTest, WhoSeeksBeyondTheFaceIsStoppedAtEachStep) {
  SimulationConfig config = SmallConfig();
  config.bounds_mode = BoundsMode::kOpen;
  TestWorld world(config);
  Archetype archetype = SeekerArchetype();
  archetype.terms[0].weight = -1.0f;
  world.Submit(DefineArchetype{archetype});
  world.Submit(Spawn({AgentToward({99, 0, 0}, PointTarget({0, 0, 0}))}));
  world.StepTo(600);
  EXPECT_EQ(world.Agent(1).position.x, 100.0f);
  EXPECT_GT(world.world().bound_stops(), 100);
}

SimulationConfig SmallTorus(Plane plane) {
  SimulationConfig config = SmallConfig(plane);
  config.bounds_mode = BoundsMode::kWrap;
  return config;
}

// A crowd that seeks each other on a torus, each place moved by `shift`.
TestWorld CrowdOnATorus(Plane plane, const Vec3& shift) {
  const SimulationConfig config = SmallTorus(plane);
  const Wrap wrap = WrapOf(config);
  TestWorld world(config);
  world.Submit(DefineArchetype{SeekerArchetype()});
  std::vector<NewAgent> agents;
  std::vector<Vec3> goals;
  for (int i = 0; i < 300; ++i) {
    const auto n = static_cast<float>(i);
    const Vec3 place{std::fmod(n * 37.7f, 200.0f) - 100.0f,
                     std::fmod(n * 11.3f, 200.0f) - 100.0f,
                     std::fmod(n * 71.9f, 200.0f) - 100.0f};
    const Vec3 moved = WrapPlace(wrap, Flatten(place + shift, plane));
    agents.push_back(AgentAt(moved));
    const Vec3 goal = WrapPlace(wrap, Flatten(place * 0.7f + shift, plane));
    goals.push_back(goal);
  }
  world.Submit(Spawn(agents));
  for (AgentId id = 1; id <= 300; ++id) {
    const auto at = static_cast<std::size_t>(id - 1);
    world.Submit(SetTarget{
        {id},
        0,
        id % 3 == 0 ? PointTarget(goals[at]) : AgentTarget(id % 7 + 1)});
  }
  return world;
}

TEST(StepWorldTest, MovedByHalfAPeriodATorusMovesAlike) {
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kYZ}) {
    TestWorld one = CrowdOnATorus(plane, {});
    TestWorld other = CrowdOnATorus(plane, {100, 100, 100});
    const Wrap wrap = WrapOf(one.world().config());
    const Vec3 mask = PlaneMask(plane);
    const Vec3 half = mask * 100.0f;
    for (int step = 0; step < 5; ++step) {
      one.Step();
      other.Step();
      for (AgentId id = 1; id <= 300; ++id) {
        const AgentState a = one.Agent(id);
        const AgentState b = other.Agent(id);
        const Vec3 wanted = WrapPlace(wrap, a.position + half);
        ASSERT_LT(Length(a.velocity - b.velocity), 1.0e-3f) << id;
        ASSERT_LT(Length(Delta(wrap, wanted, b.position)), 1.0e-3f) << id;
      }
    }
  }
}

TEST(StepWorldTest, AChaserOnATorusCatchesUpAcrossTheSeam) {
  TestWorld world(SmallTorus(Plane::kXZ));
  world.Submit(DefineArchetype{SeekerArchetype()});
  world.Submit(Spawn({AgentToward({95, 0, -97}, PointTarget({-95, 0, 97}))}));
  const Wrap wrap = WrapOf(world.world().config());
  float nearest = 200.0f;
  while (world.world().tick() < 180) {
    world.Step();
    const Vec3 place = world.Agent(1).position;
    nearest = std::min(nearest, Length(Delta(wrap, place, {-95, 0, 97})));
  }
  EXPECT_LT(nearest, 0.1f);
  EXPECT_EQ(world.world().bound_stops(), 0);
}

Archetype Player(ArchetypeId id) {
  return {.id = id, .max_speed = 1.0f, .mass = 4.0f, .external = true};
}

TEST(StepWorldTest, AnExternalAgentGrowsOlderWhereItIs) {
  TestWorld world;
  world.Submit(DefineArchetype{Player(1)});
  NewAgent agent = AgentAt({1, 2, 3});
  agent.velocity = {50, 0, -0.0f};  // beyond its max_speed
  agent.wander_angle = 1.0f;
  world.Submit(Spawn({agent}));
  world.StepTo(10);
  EXPECT_EQ(world.Agent(1).step_count, 10);
  EXPECT_TRUE(SameBits(world.Agent(1).position, {1, 2, 3}));
  EXPECT_TRUE(SameBits(world.Agent(1).velocity, {50, 0, -0.0f}));
  const StateHash before = world.Hash();
  world.Step();
  EXPECT_NE(world.Hash(), before) << "its step count is state";
}

TEST(StepWorldTest, AChaserSeesAPlayerWhereThisTickPutIt) {
  TestWorld world;
  world.Submit(DefineArchetype{Player(1)});
  world.Submit(DefineArchetype{SeekerArchetype(2)});
  NewAgent chaser = AgentAt({0, 0, 0}, 2);
  world.Submit(Spawn({AgentAt({10, 0, 0}), chaser}));
  world.Step();
  world.Submit(SetTarget{{2}, 0, AgentTarget(1)});
  world.Submit(SetMotion{{{1, Vec3{0, 20, 0}, Vec3{0, 3, 0}}}});
  world.Step();
  const AgentState after = world.Agent(2);
  EXPECT_EQ(after.velocity.x, 0.0f);
  EXPECT_GT(after.velocity.y, 0.0f);
  EXPECT_EQ(world.Agent(1).position, (Vec3{0, 20, 0}));
  EXPECT_EQ(world.Agent(1).velocity, (Vec3{0, 3, 0}));
}

TEST(StepWorldTest, AnAgentThatIsPutSomewhereMovesOnInTheSameStep) {
  TestWorld world;
  world.Submit(DefineArchetype{{.id = 1, .max_speed = 6.0f}});
  world.Submit(Spawn({NewAgent{}}));
  world.Step();
  world.Apply(SetMotion{{{1, Vec3{5, 5, 5}, Vec3{0, 0, 60}}}});
  EXPECT_EQ(world.Agent(1).velocity, (Vec3{0, 0, 6})) << "cut to max_speed";
  EXPECT_EQ(world.Agent(1).position, (Vec3{5, 5, 5 + 6.0f * (1.0f / 60.0f)}));
}

TEST(StepWorldTest, TheOrderOfBlocksChangesNoBit) {
  const auto run = [](ParallelFor& parallel) {
    World world(SmallConfig(), 9);
    std::vector<NewAgent> agents;
    for (int i = 0; i < 1200; ++i) {
      agents.push_back(AgentToward({static_cast<float>(i % 90), 1, 0},
                                   AgentTarget(1 + (7 * i) % 1200)));
      agents.back().archetype_id = 1 + i % 3;
    }
    std::vector<AdmittedCommand> commands;
    for (ArchetypeId id = 1; id <= 3; ++id) {
      Archetype archetype = WandererArchetype(id);
      archetype.terms.push_back({0.5f, Seek{0}});
      commands.push_back({id, 1, 0, DefineArchetype{archetype}});
    }
    commands.push_back({4, 1, 1, Spawn(agents)});
    std::vector<CommandOutcome> outcomes(commands.size());
    world.Step(commands, outcomes, parallel);
    for (int i = 0; i < 50; ++i) world.Step(parallel);
    return world.Hash(parallel);
  };
  SerialFor forward;
  BackwardFor backward;
  EXPECT_EQ(run(forward), run(backward));
}

// Agents on one point with equal velocities; `backward`: the highest id comes
// first.
std::vector<AdmittedCommand> Stack(Plane plane, AgentId agents, bool backward) {
  Archetype apart = SeekerArchetype();
  apart.max_speed = 5.0f;
  apart.max_force = 10.0f;
  apart.terms = {Term{1.0f, Separation{{.radius = 2.0f}}}};
  std::vector<AdmittedCommand> commands;
  commands.push_back({1, 1, 0, DefineArchetype{apart}});
  for (AgentId i = 1; i <= agents; ++i) {
    NewAgent agent = AgentAt(Flatten({2000, -700, 1300}, plane));
    agent.velocity = Flatten({1, 2, 3}, plane);
    const AgentId id = backward ? agents + 1 - i : i;
    commands.push_back({i + 1, 1, id, Spawn({agent})});
  }
  return commands;
}

float LeastDistance(const MotionColumns& motion) {
  float least = std::numeric_limits<float>::infinity();
  const auto place = [&motion](std::size_t i) {
    return Vec3{motion.position_x[i], motion.position_y[i],
                motion.position_z[i]};
  };
  for (std::size_t i = 0; i < motion.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(least, Length(place(i) - place(j)));
    }
  }
  return least;
}

TEST(StepWorldTest, AgentsOnOnePointComeApartInEitherOrderOfInsertion) {
  SerialFor serial;
  for (const Plane plane : {Plane::kNone, Plane::kXY}) {
    for (const AgentId agents : {2, 50}) {
      SimulationConfig wide = SmallConfig(plane);
      wide.bounds_min = wide.bounds_min * 100.0f;
      wide.bounds_max = wide.bounds_max * 100.0f;
      World forward(wide, 1);
      World backward(wide, 1);
      std::vector<CommandOutcome> outcomes(static_cast<std::size_t>(agents) +
                                           1);
      forward.Step(Stack(plane, agents, false), outcomes, serial);
      backward.Step(Stack(plane, agents, true), outcomes, serial);
      MotionColumns motion;
      forward.CopyMotion(motion);
      EXPECT_GT(LeastDistance(motion), 0.0f) << agents;
      while (forward.tick() < 600) {
        forward.Step(serial);
        backward.Step(serial);
        forward.CopyMotion(motion);
        for (std::size_t i = 0; i < motion.size(); ++i) {
          ASSERT_TRUE(IsFinite(motion.position_x[i]) &&
                      IsFinite(motion.position_y[i]) &&
                      IsFinite(motion.position_z[i]));
        }
        if (forward.tick() == 300) {
          EXPECT_GT(LeastDistance(motion), 0.05f) << agents;
        }
      }
      EXPECT_GT(LeastDistance(motion), 0.05f) << agents;
      EXPECT_EQ(forward.Hash(serial), backward.Hash(serial)) << agents;
    }
  }
}

}  // namespace
}  // namespace meander::core
