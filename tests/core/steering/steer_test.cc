#include "core/steering/steer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/archetype.h"
#include "core/math/trig.h"
#include "core/random/agent_random.h"
#include "core/steering/seek.h"
#include "core/steering/wander.h"
#include "core/world_state.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

constexpr std::int64_t kTick = 10;

AgentRow Row(AgentId id, const Vec3& position, const Vec3& velocity = {}) {
  AgentRow row;
  row.id = id;
  row.position = position;
  row.velocity = velocity;
  row.seed = 1000 + static_cast<std::uint64_t>(id);
  row.spawn_tick = kTick;
  return row;
}

// A state with one archetype and these agents in it.
WorldState StateOf(const Archetype& archetype,
                   const std::vector<AgentRow>& rows,
                   const SimulationConfig& config = SmallConfig()) {
  WorldState state;
  state.config = config;
  PutArchetype(state, archetype);
  for (const AgentRow& row : rows) AddAgent(state, archetype.id, row);
  Settle(state);
  state.populations[0].agents.BringForces();
  return state;
}

void SteerAll(WorldState& state, std::int64_t tick = kTick) {
  for (Population& population : state.populations) {
    population.agents.BringForces();
  }
  for (const AgentBlock& block : state.blocks) SteerBlock(state, block, tick);
}

Vec3 ForceOf(const WorldState& state, std::size_t row,
             std::size_t population = 0) {
  const AgentColumns& agents = state.populations[population].agents;
  return {agents.force_x[row], agents.force_y[row], agents.force_z[row]};
}

Archetype WithTerms(std::vector<Term> terms, float max_speed = 6.0f) {
  Archetype archetype = SeekerArchetype();
  archetype.max_speed = max_speed;
  archetype.terms = std::move(terms);
  return archetype;
}

TEST(SteerTest, WithoutTermsThereIsNoForce) {
  WorldState state = StateOf(WithTerms({}), {Row(1, {}, {1, 2, 3})});
  state.populations[0].agents.force_x[0] = 9.0f;
  state.populations[0].agents.force_y[0] = 9.0f;
  state.populations[0].agents.force_z[0] = 9.0f;
  SteerAll(state);
  EXPECT_TRUE(SameBits(ForceOf(state, 0), {}));
}

TEST(SteerTest, ForcesOfTheStepBeforeAreForgotten) {
  AgentRow row = Row(1, {1, 2, 3});
  row.targets[0] = PointTarget({4, 5, 6});
  WorldState state = StateOf(SeekerArchetype(), {row});
  SteerAll(state);
  const Vec3 once = ForceOf(state, 0);
  SteerAll(state);
  EXPECT_TRUE(SameBits(ForceOf(state, 0), once));
}

TEST(SteerTest, TermsAreWeightedAndAddedInTheOrderOfTheirList) {
  AgentRow row = Row(1, {0.1f, 0.2f, 0.3f}, {1.7f, -2.9f, 0.4f});
  row.targets = {PointTarget({5.3f, 1.1f, -7.7f}),
                 PointTarget({-9.1f, 3.7f, 2.2f}),
                 PointTarget({0.3f, -0.9f, 11.0f}), Target{}};
  const Vec3 forces[] = {
      SeekForce(row.targets[0].point - row.position, row.velocity, 6.0f),
      SeekForce(row.targets[1].point - row.position, row.velocity, 6.0f),
      SeekForce(row.targets[2].point - row.position, row.velocity, 6.0f)};
  const float weights[] = {0.7f, -0.3f, 0.9f};
  std::vector<Vec3> sums;
  for (const std::vector<int>& order :
       {std::vector{0, 1, 2}, std::vector{2, 1, 0}, std::vector{1, 2, 0}}) {
    std::vector<Term> terms;
    Vec3 sum;
    for (const int i : order) {
      terms.push_back({weights[i], Seek{i}});
      sum += weights[i] * forces[i];
    }
    WorldState state = StateOf(WithTerms(terms), {row});
    SteerAll(state);
    EXPECT_TRUE(SameBits(ForceOf(state, 0), sum));
    sums.push_back(sum);
  }
  // The order shows in the last bits, or the test would say nothing.
  EXPECT_FALSE(SameBits(sums[0], sums[1]) && SameBits(sums[0], sums[2]));
}

TEST(SteerTest, ATermMayStandMoreThanOnce) {
  AgentRow row = Row(1, {});
  row.targets[2] = PointTarget({0, 0, 5});
  WorldState state = StateOf(
      WithTerms({{1.0f, Seek{2}}, {2.0f, Seek{2}}, {-4.0f, Seek{2}}}), {row});
  SteerAll(state);
  EXPECT_EQ(ForceOf(state, 0), (Vec3{0, 0, -6}));
}

TEST(SteerTest, ASlotThatPointsNowhereMakesItsTermAbstain) {
  AgentRow itself = Row(1, {1, 2, 3}, {4, 5, 6});
  itself.targets[0] = AgentTarget(1);
  AgentRow dead = Row(2, {1, 2, 3}, {4, 5, 6});
  dead.targets[0] = AgentTarget(99);
  const AgentRow unset = Row(3, {1, 2, 3}, {4, 5, 6});
  AgentRow other_slot = Row(4, {1, 2, 3}, {4, 5, 6});
  other_slot.targets[1] = PointTarget({9, 9, 9});
  WorldState state =
      StateOf(SeekerArchetype(), {itself, dead, unset, other_slot});
  SteerAll(state);
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_TRUE(SameBits(ForceOf(state, row), {})) << "row " << row;
  }
}

TEST(SteerTest, AnAgentSeeksAnotherWhereverItLies) {
  WorldState state;
  state.config = SmallConfig();
  PutArchetype(state, SeekerArchetype(5));
  PutArchetype(state, WithTerms({}));
  AgentRow hunter = Row(1, {0, 0, 0});
  hunter.targets[0] = AgentTarget(700);
  AddAgent(state, 5, hunter);
  for (AgentId id = 2; id <= 800; ++id) {
    AddAgent(state, 1, Row(id, {static_cast<float>(id) * 0.1f, 30, 0}));
  }
  Settle(state);
  SteerAll(state);
  const Vec3 wanted = SeekForce(Vec3{700.0f * 0.1f, 30, 0}, {}, 6.0f);
  EXPECT_TRUE(SameBits(ForceOf(state, 0), wanted));
  // Still so when it has moved to another row.
  RemoveAgent(state, 2);
  RemoveAgent(state, 800);
  Settle(state);
  SteerAll(state);
  EXPECT_TRUE(SameBits(ForceOf(state, 0), wanted));
}

TEST(SteerTest, ABlockWritesItsOwnRowsAlone) {
  std::vector<AgentRow> rows;
  for (AgentId id = 1; id <= 600; ++id) {
    rows.push_back(Row(id, {static_cast<float>(id) * 0.1f, 0, 0}));
    rows.back().targets[0] = PointTarget({-50, 50, 0});
  }
  const Archetype archetype =
      WithTerms({{1.0f, Seek{0}}, {1.0f, WanderWorldAngle{2.0f, 3.0f, 8.0f}}});
  WorldState state = StateOf(archetype, rows);
  ASSERT_EQ(state.blocks.size(), 3u);
  EXPECT_EQ(state.blocks[2].rows, 88u);
  WorldState whole = StateOf(archetype, rows);
  SteerAll(whole);
  SteerBlock(state, state.blocks[1], kTick);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool inside = row >= 256 && row < 512;
    const AgentColumns& agents = state.populations[0].agents;
    EXPECT_TRUE(
        SameBits(ForceOf(state, row), inside ? ForceOf(whole, row) : Vec3{}));
    EXPECT_EQ(agents.wander_turn[row] != 0, inside) << "row " << row;
    EXPECT_TRUE(SameBits(agents.Row(row).position, rows[row].position));
    EXPECT_TRUE(SameBits(agents.Row(row).velocity, rows[row].velocity));
  }
}

// The angle after so many steps: one uniform each, lane 0 of the block that
// belongs to the agent's own step count.
std::uint32_t TurnAfter(std::uint64_t seed, std::uint32_t start,
                        std::uint64_t steps, float reach) {
  std::uint32_t turn = start;
  for (std::uint64_t step = 0; step < steps; ++step) {
    turn += TurnChange(UniformBlock(seed, step, Purpose::kStep, 0)[0], reach);
  }
  return turn;
}

constexpr float kReach = 8.0f * (1.0f / 60.0f) * 0.15915494f;

TEST(SteerTest, WanderDrawsOneUniformAStepWhateverComesOfIt) {
  // Used, not needed at rest, of no effect on the speed, weighted away.
  Archetype still = WandererArchetype(2);
  still.max_speed = 0.0f;
  Archetype weightless = WandererArchetype(3);
  weightless.terms[0].weight = 0.0f;
  Archetype powerless = WandererArchetype(4);
  powerless.max_force = 0.0f;
  Archetype busy = WandererArchetype(5);
  busy.terms.insert(busy.terms.begin(), {1.0f, Seek{0}});
  busy.terms.push_back({1.0f, Seek{1}});

  TestWorld world;
  for (const Archetype& archetype :
       {WandererArchetype(1), still, weightless, powerless, busy}) {
    world.Submit(DefineArchetype{archetype});
  }
  for (ArchetypeId id = 1; id <= 5; ++id) {
    NewAgent agent = AgentAt({static_cast<float>(id), 0, 0}, id);
    agent.seed = 77;
    agent.wander_angle = 0.0f;
    agent.targets[0] = PointTarget({50, 50, 50});
    world.Submit(Spawn({agent}), 3 * id);
  }
  for (std::int64_t tick = 1; tick <= 60; ++tick) {
    world.Step();
    for (AgentId id = 1; id <= 5; ++id) {
      const std::int64_t steps = tick - 3 * id + 1;
      if (steps < 1) continue;
      const AgentState agent = world.Agent(id);
      ASSERT_EQ(agent.step_count, steps);
      const std::uint32_t turn =
          TurnAfter(77, 0, static_cast<std::uint64_t>(steps), kReach);
      ASSERT_EQ(Bits(agent.wander_angle), Bits(RadiansFromTurn(turn)))
          << "agent " << id << " at tick " << tick;
    }
  }
}

TEST(SteerTest, AnArchetypeWithoutWanderKeepsNoAngleButCountsSteps) {
  TestWorld world;
  world.Submit(DefineArchetype{SeekerArchetype()});
  NewAgent agent;
  agent.wander_angle = 1.25f;
  world.Submit(Spawn({agent}));
  world.StepTo(20);
  EXPECT_EQ(Bits(world.Agent(1).wander_angle), 0u);
  // A wander defined later starts, and draws, with number 20.
  world.Apply(DefineArchetype{WandererArchetype()});
  const std::uint64_t seed = world.Agent(1).seed;
  const float start = UniformBlock(seed, 20, Purpose::kInit, 0)[0];
  const float uniform = UniformBlock(seed, 20, Purpose::kStep, 0)[0];
  EXPECT_EQ(Bits(world.Agent(1).wander_angle),
            Bits(RadiansFromTurn(TurnFromUniform(start) +
                                 TurnChange(uniform, kReach))));
}

// The place foreseen, 74 units ahead, is 26 behind on a torus of 100.
TEST(SteerTest, OnATorusTheNearestImageOfAPlaceForeseenIsFledFrom) {
  SimulationConfig config = SmallConfig(Plane::kXY);
  config.bounds_mode = BoundsMode::kWrap;
  config.bounds_min = {-50.0f, -50.0f, 0.0f};
  config.bounds_max = {50.0f, 50.0f, 0.0f};
  TestWorld world(config);
  Archetype evader = SeekerArchetype();
  evader.max_speed = 35.0f;
  evader.terms = {{.behavior = Evade{.lead = Lead::kDistance}}};
  world.Submit(DefineArchetype{evader});
  world.Submit(
      DefineArchetype{{.id = 2, .max_speed = 30.0f, .external = true}});
  NewAgent threat = AgentAt({40.0f, 0.0f, 0.0f}, 2);
  threat.velocity = {30.0f, 0.0f, 0.0f};
  world.Submit(Spawn({AgentToward({}, AgentTarget(2)), threat}));
  world.Step();
  EXPECT_GT(world.Agent(1).velocity.x, 0.0f);
}

TEST(SteerTest, AWorldAngleWandersInTheForcePlane) {
  TestWorld world;
  Archetype archetype = WandererArchetype();
  archetype.force_plane = Plane::kXZ;
  world.Submit(DefineArchetype{archetype});
  NewAgent agent = AgentAt({0.0f, 5.0f, 0.0f});
  agent.wander_angle = kHalfPi;  // along the plane's second axis
  world.Submit(Spawn({agent}));
  world.Step();
  EXPECT_GT(world.Agent(1).velocity.z, 0.05f);
  EXPECT_EQ(world.Agent(1).position.y, 5.0f);
}

TEST(SteerTest, AgentsSeededAlikeWanderAlike) {
  TestWorld world;
  world.Submit(DefineArchetype{WandererArchetype()});
  NewAgent agent;
  agent.seed = 5;
  world.Submit(Spawn({agent, NewAgent{}, agent}));
  world.StepTo(100);
  EXPECT_TRUE(SameBits(world.Agent(1).position, world.Agent(3).position));
  EXPECT_FALSE(SameBits(world.Agent(1).position, world.Agent(2).position));
}

TEST(SteerTest, RemovingAnAgentChangesNobodysDraws) {
  TestWorld with;
  TestWorld without;
  for (TestWorld* world : {&with, &without}) {
    world->Submit(DefineArchetype{WandererArchetype()});
    world->Submit(Spawn(std::vector<NewAgent>(5)));
    world->StepTo(10);
  }
  without.Submit(DespawnAgents{{1, 3}});
  with.StepTo(60);
  without.StepTo(60);
  for (const AgentId id : {2, 4, 5}) {
    EXPECT_EQ(with.Agent(id), without.Agent(id));
  }
}

TEST(SteerTest, TheComponentOffThePlaneStaysPositiveZero) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    const Vec3 mask = PlaneMask(plane);
    const auto off = [&](const Vec3& v) {
      return Bits(mask.x == 0.0f ? v.x : mask.y == 0.0f ? v.y : v.z);
    };
    // -0 is legal in a command.
    const Vec3 given{mask.x == 0.0f ? -0.0f : 1.0f,
                     mask.y == 0.0f ? -0.0f : -2.0f,
                     mask.z == 0.0f ? -0.0f : 3.0f};
    TestWorld world(SmallConfig(plane));
    for (const float weight : {1.0f, -1.0f, 0.0f, -0.0f, -1000.0f}) {
      Archetype archetype = WandererArchetype(
          static_cast<ArchetypeId>(world.admission().next_sequence));
      archetype.terms = {{weight, Seek{0}},
                         {-weight, WanderWorldAngle{2.0f, 3.0f, 50.0f}},
                         {weight, Seek{1}}};
      world.Submit(DefineArchetype{archetype});
      NewAgent agent = AgentAt(given, archetype.id);
      agent.velocity = given;
      agent.targets = {PointTarget(given), AgentTarget(1), Target{}, Target{}};
      world.Submit(Spawn({agent}));
    }
    for (std::int64_t tick = 1; tick <= 300; ++tick) {
      world.Step();
      for (AgentId id = 1; id <= 5; ++id) {
        const AgentState agent = world.Agent(id);
        ASSERT_EQ(off(agent.position), 0u) << "agent " << id << " at " << tick;
        ASSERT_EQ(off(agent.velocity), 0u) << "agent " << id << " at " << tick;
        ASSERT_EQ(off(agent.targets[0].point), 0u);
      }
      for (const Population& population : world.world().state().populations) {
        const AgentColumns& agents = population.agents;
        ASSERT_EQ(
            off({agents.force_x[0], agents.force_y[0], agents.force_z[0]}), 0u);
      }
    }
  }
}

TEST(SteerTest, EqualWeightsCommuteWithinRoundingAndTheSumIsCutWhole) {
  AgentRow row = Row(1, {0.1f, 0.2f, 0.3f}, {1.7f, -2.9f, 0.4f});
  row.targets[0] = PointTarget({5.3f, 1.1f, -7.7f});
  row.targets[1] = PointTarget({-9.1f, 3.7f, 2.2f});
  const std::vector<Term> terms = {{0.7f, Seek{0}},
                                   {0.7f, Flee{.slot = 1}},
                                   {0.7f, Brake{}},
                                   {0.7f, WanderWorldAngle{2.0f, 3.0f, 8.0f}}};
  WorldState forward = StateOf(WithTerms(terms), {row});
  WorldState backward = StateOf(
      WithTerms(std::vector<Term>(terms.rbegin(), terms.rend())), {row});
  SteerAll(forward);
  SteerAll(backward);
  EXPECT_GT(Length(ForceOf(forward, 0)), 1.0f);
  EXPECT_LT(Length(ForceOf(forward, 0) - ForceOf(backward, 0)), 1.0e-5f);

  // Two forces of 2F each, at rest.
  TestWorld world;
  Archetype archetype = WithTerms({{3.0f, Seek{0}}, {1.0f, Seek{1}}}, 20.0f);
  archetype.max_force = 10.0f;
  world.Submit(DefineArchetype{archetype});
  NewAgent agent;
  agent.targets[0] = PointTarget({50, 0, 0});
  agent.targets[1] = PointTarget({0, 50, 0});
  world.Submit(Spawn({agent}));
  world.Step();
  const Vec3 velocity = world.Agent(1).velocity;
  EXPECT_NEAR(velocity.x / velocity.y, 3.0f, 1.0e-5f);
  EXPECT_NEAR(Length(velocity), 10.0f / 60.0f, 1.0e-6f);
}

}  // namespace
}  // namespace meander::core
