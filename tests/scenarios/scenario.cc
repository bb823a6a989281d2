#include "tests/scenarios/scenario.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"

namespace meander::scenarios {
namespace {

using core::Archetype;
using core::AreaPlacement;
using core::Ball;
using core::Box;
using core::Command;
using core::DefineArchetype;
using core::DespawnAgents;
using core::Disc;
using core::NewAgent;
using core::Plane;
using core::Seek;
using core::SetTarget;
using core::SpawnAgents;
using core::Target;
using core::Vec3;
using core::WanderWorldAngle;

Target AtPoint(const Vec3& point) { return {Target::Kind::kPoint, point, 0}; }

Target AtAgent(core::AgentId agent) {
  return {Target::Kind::kAgent, {}, agent};
}

Command Spawn(std::int64_t tick, std::vector<NewAgent> agents) {
  return {tick, SpawnAgents{std::move(agents)}};
}

Command SpawnIn(std::int64_t tick, std::int64_t count, core::ArchetypeId id,
                core::Area area) {
  NewAgent prototype;
  prototype.archetype_id = id;
  return {tick, SpawnAgents{AreaPlacement{count, prototype, area}}};
}

const Archetype kWanderer{
    1, 6.0f, 12.0f, 1.0f, {{1.0f, WanderWorldAngle{2.0f, 3.0f, 8.0f}}}};
const Archetype kSeeker{2, 9.0f, 20.0f, 2.5f, {{1.0f, Seek{0}}}};
// Pulled to one target, pushed from another, and restless.
const Archetype kTorn{3,
                      4.5f,
                      7.0f,
                      0.4f,
                      {{1.5f, Seek{0}},
                       {-0.75f, Seek{1}},
                       {0.6f, WanderWorldAngle{1.17f, 1.403f, 8.974f}}}};

Scenario WanderersIn(std::string name, Plane plane, core::BoundsMode mode) {
  Scenario scenario = Wanderers(1000, 42);
  scenario.name = std::move(name);
  scenario.config.plane = plane;
  scenario.config.bounds_mode = mode;
  // So near that many agents meet a face.
  scenario.config.bounds_min = {-40.0f, -30.0f, -20.0f};
  scenario.config.bounds_max = {40.0f, 35.0f, 25.0f};
  scenario.commands.back() = plane == Plane::kNone
                                 ? SpawnIn(1, 1000, 1, Ball{{}, 20.0f})
                                 : SpawnIn(1, 1000, 1, Disc{{}, 20.0f});
  return scenario;
}

// Chains of seekers: each agent follows the one before, the first a point that
// moves; some die, and those behind them stop.
Scenario Chains() {
  Scenario scenario{.name = "chains", .seed = 7, .ticks = 500};
  scenario.config.tick_rate_hz = 30;
  scenario.config.plane = Plane::kXZ;
  auto& commands = scenario.commands;
  commands.push_back({1, DefineArchetype{kSeeker}});
  std::vector<NewAgent> agents(400);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const auto along = static_cast<float>(i);
    agents[i].archetype_id = 2;
    agents[i].position = {along * 0.37f - 50.0f, 0.0f, along * -0.11f};
    agents[i].tag = i * i;
    if (i % 20 == 0) {
      agents[i].targets[0] = AtPoint({90.0f, 0.0f, along - 200.0f});
    }
  }
  commands.push_back(Spawn(2, std::move(agents)));
  for (core::AgentId id = 1; id <= 400; ++id) {
    if (id % 20 == 1) continue;
    commands.push_back({2, SetTarget{{id}, 0, AtAgent(id - 1)}});
  }
  for (core::AgentId head = 1; head < 400; head += 40) {
    commands.push_back(
        {100, SetTarget{{head, head + 20}, 0, AtPoint({-60.0f, 0.0f, 5.0f})}});
  }
  commands.push_back({150, DespawnAgents{{30, 31, 250, 399}}});
  commands.push_back({151, DespawnAgents{{29, 31}}});  // 31 is gone
  commands.push_back({200, SetTarget{{41, 42}, 0, AtAgent(41)}});
  commands.push_back({220, SetTarget{{61}, 0, Target{}}});
  return scenario;
}

// Several archetypes at once, spawned over time, redefined in mid-run.
Scenario Mixed() {
  Scenario scenario{.name = "mixed", .seed = 0xfeedfacecafebeefu, .ticks = 400};
  scenario.config.tick_rate_hz = 120;
  scenario.config.bounds_min = {-300.0f, -200.0f, -100.0f};
  scenario.config.bounds_max = {300.0f, 250.0f, 150.0f};
  scenario.config.max_agents = 2000;
  auto& commands = scenario.commands;
  commands.push_back({1, DefineArchetype{kTorn}});
  commands.push_back({1, DefineArchetype{kWanderer}});
  commands.push_back(SpawnIn(1, 700, 1, Ball{{10.0f, -5.0f, 3.0f}, 60.0f}));
  commands.push_back(SpawnIn(
      50, 333, 3, Box{{-80.0f, -40.0f, -20.0f}, {80.0f, 90.0f, 40.0f}}));
  commands.push_back(SpawnIn(3, 257, 3, Disc{{0.0f, 0.0f, 12.0f}, 33.0f}));
  SetTarget pull{{}, 0, AtPoint({120.0f, -60.0f, 30.0f})};
  SetTarget push{{}, 1, AtAgent(5)};
  for (core::AgentId id = 701; id <= 1200; id += 2) {
    pull.agent_ids.push_back(id);
    push.agent_ids.push_back(id + 1);
  }
  commands.push_back({60, pull});
  commands.push_back({60, push});
  commands.push_back({90, SpawnAgents{AreaPlacement{
                              800, {.archetype_id = 1}, Ball{{}, 5.0f}}}});
  Archetype hasty = kWanderer;
  hasty.max_speed = 25.0f;
  hasty.max_force = 300.0f;
  hasty.terms.push_back({0.5f, Seek{2}});
  commands.push_back({200, DefineArchetype{hasty}});
  commands.push_back({201, DespawnAgents{{1, 700, 702, 1033, 1290}}});
  commands.push_back({202, SpawnAgents{std::vector<NewAgent>{
                               {.archetype_id = 3, .seed = 99},
                               {.archetype_id = 3, .seed = 99}}}});
  Archetype late = kSeeker;
  late.id = 77;
  commands.push_back({251, DefineArchetype{late}});
  commands.push_back(SpawnIn(250, 10, 77, Ball{{}, 5.0f}));  // too early
  return scenario;
}

// Numbers at the ends of their ranges.
Scenario Extremes() {
  Scenario scenario{.name = "extremes", .seed = ~0ull, .ticks = 300};
  scenario.config.tick_rate_hz = 1;
  scenario.config.bounds_min = {-core::kMaxBound, -1.0f, -core::kMaxBound};
  scenario.config.bounds_max = {core::kMaxBound, core::kMaxBound, 3.0e-3f};
  auto& commands = scenario.commands;
  Archetype fast = kTorn;
  fast.id = 4;
  fast.max_speed = core::kMaxSpeedOrForce;
  fast.max_force = core::kMaxSpeedOrForce;
  fast.mass = core::kMinMass;
  fast.terms[2].behavior =
      WanderWorldAngle{core::kMaxBound, core::kMaxBound, core::kMaxJitter};
  fast.terms[2].weight = core::kMaxWeight;
  Archetype still = kTorn;
  still.id = 5;
  still.max_speed = 0.0f;
  Archetype weak = kWanderer;
  weak.id = 6;
  weak.max_force = 0.0f;
  Archetype narrow = kWanderer;
  narrow.id = 7;
  narrow.terms[0].behavior = WanderWorldAngle{0.0f, 0.0f, 1.0f};
  for (const Archetype& archetype : {fast, still, weak, narrow}) {
    commands.push_back({1, DefineArchetype{archetype}});
  }
  const float denormal = std::numeric_limits<float>::denorm_min();
  const std::vector<Vec3> velocities{{},
                                     {-0.0f, 0.0f, -0.0f},
                                     {denormal, 0.0f, 0.0f},
                                     {0.0f, -denormal, denormal},
                                     {1.0e-20f, 2.0e-20f, 0.0f},
                                     {core::kMaxCommandedSpeed, 0.0f, 0.0f},
                                     {3.0f, -4.0f, 0.5f}};
  std::vector<NewAgent> agents;
  for (core::ArchetypeId id = 4; id <= 7; ++id) {
    for (const Vec3& velocity : velocities) {
      NewAgent agent;
      agent.archetype_id = id;
      agent.velocity = velocity;
      agent.position = {core::kMaxBound, -1.0f, -0.0f};
      agent.targets[0] = AtPoint(agent.position);
      agent.targets[1] = AtPoint({core::kMaxBound, -1.0f, denormal});
      agent.wander_angle = static_cast<float>(agents.size()) * 1.0e4f;
      agents.push_back(agent);
    }
  }
  commands.push_back(Spawn(1, std::move(agents)));
  return scenario;
}

std::vector<Scenario> MakeGoldenScenarios() {
  Scenario large = Wanderers(5000, 2024);
  large.name = "wanderers_5000";
  large.ticks = 600;
  return {
      large,
      WanderersIn("wanderers_3d", Plane::kNone, core::BoundsMode::kOpen),
      WanderersIn("wanderers_xy", Plane::kXY, core::BoundsMode::kClamp),
      WanderersIn("wanderers_xz", Plane::kXZ, core::BoundsMode::kOpen),
      WanderersIn("wanderers_yz", Plane::kYZ, core::BoundsMode::kClamp),
      Chains(),
      Mixed(),
      Extremes(),
  };
}

bool AppliesBefore(const core::AdmittedCommand& a,
                   const core::AdmittedCommand& b) {
  return std::pair(a.apply_tick, a.sequence) <
         std::pair(b.apply_tick, b.sequence);
}

}  // namespace

Scenario Wanderers(std::int64_t count, std::uint64_t seed) {
  Scenario scenario{.name = "wanderers", .seed = seed, .ticks = 600};
  const float radius = 5.0f * std::sqrt(static_cast<float>(count));
  scenario.config.plane = Plane::kXY;
  scenario.config.bounds_min = {-2.0f * radius, -2.0f * radius, 0.0f};
  scenario.config.bounds_max = {2.0f * radius, 2.0f * radius, 0.0f};
  scenario.config.bounds_mode = core::BoundsMode::kClamp;
  scenario.config.max_agents = std::max<std::int64_t>(count, 100'000);
  scenario.commands = {{1, DefineArchetype{kWanderer}},
                       SpawnIn(1, count, 1, Disc{{}, radius})};
  return scenario;
}

const std::vector<Scenario>& GoldenScenarios() {
  static const std::vector<Scenario> scenarios = MakeGoldenScenarios();
  return scenarios;
}

const Scenario& GoldenScenario(std::string_view name) {
  for (const Scenario& scenario : GoldenScenarios()) {
    if (scenario.name == name) return scenario;
  }
  MEANDER_CHECK(!"a scenario of that name");
  std::abort();
}

core::Admission Admit(std::span<const core::Command> commands) {
  core::Admission admission;
  for (const core::Command& command : commands) {
    core::AdmittedCommand& admitted = admission.pending.emplace_back();
    admitted.sequence = admission.next_sequence++;
    admitted.apply_tick = command.apply_tick;
    admitted.operation = command.operation;
    const std::int64_t spawned = core::SpawnCount(command.operation);
    if (spawned > 0) admitted.first_agent_id = admission.next_agent_id;
    admission.next_agent_id += spawned;
  }
  return admission;
}

ScenarioRun::ScenarioRun(const Scenario& scenario)
    : ScenarioRun(core::World(scenario.config, scenario.seed),
                  Admit(scenario.commands)) {}

ScenarioRun::ScenarioRun(core::World world, core::Admission admission)
    : world_(std::move(world)), admission_(std::move(admission)) {}

void ScenarioRun::StepTo(std::int64_t tick, core::ParallelFor& parallel) {
  while (world_.tick() < tick) {
    auto& pending = admission_.pending;
    const auto due = std::stable_partition(
        pending.begin(), pending.end(),
        [next = world_.tick() + 1](const core::AdmittedCommand& command) {
          return command.apply_tick != next;
        });
    std::sort(due, pending.end(), AppliesBefore);
    const std::span<const core::AdmittedCommand> commands(due, pending.end());
    std::vector<core::CommandOutcome> outcomes(commands.size());
    world_.Step(commands, outcomes, parallel);
    pending.erase(due, pending.end());
    outcomes_.insert(outcomes_.end(), outcomes.begin(), outcomes.end());
  }
}

std::uint64_t GoldenHash(const Scenario& scenario) {
  core::SerialFor serial;
  ScenarioRun run(scenario);
  run.StepTo(scenario.ticks, serial);
  return run.world().Hash(serial).value;
}

}  // namespace meander::scenarios
