#include "tests/scenarios/scenario.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "core/error.h"
#include "tests/scenarios/behavior_scenarios.h"

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

Target AtPoint(const Vec3& point) {
  return {.kind = Target::Kind::kPoint, .point = point};
}

Target AtAgent(core::AgentId agent) {
  return {.kind = Target::Kind::kAgent, .agent = agent};
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

// Seekers on a torus in a plane: each is after the one before it, the nearest
// way, which leads over the seams all the time. Some targets and agents lie on
// the upper faces, which are the lower ones.
Scenario Torus() {
  Scenario scenario{.name = "torus_xy", .seed = 31, .ticks = 300};
  scenario.config.tick_rate_hz = 30;
  scenario.config.plane = Plane::kXY;
  scenario.config.bounds_mode = core::BoundsMode::kWrap;
  scenario.config.bounds_min = {-20.5f, -16.0f, 0.0f};
  scenario.config.bounds_max = {19.25f, 16.0f, 0.0f};
  scenario.config.cell_size = 2.5f;
  auto& commands = scenario.commands;
  for (const Archetype& archetype : {kSeeker, kTorn, kWanderer}) {
    commands.push_back({1, DefineArchetype{archetype}});
  }
  std::vector<NewAgent> agents(300);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const auto along = static_cast<float>(i);
    agents[i].archetype_id = i % 4 == 0 ? 3 : 2;
    agents[i].position = {19.25f - along * 0.13f, along * 0.1f - 14.0f, 0.0f};
    agents[i].targets[1] = AtPoint({19.25f, 16.0f, 0.0f});
  }
  commands.push_back(Spawn(1, std::move(agents)));
  for (core::AgentId id = 1; id <= 300; ++id) {
    commands.push_back(
        {2, SetTarget{{id}, 0, AtAgent(id == 1 ? 300 : id - 1)}});
  }
  commands.push_back(
      SpawnIn(2, 200, 1, Box{{-20.5f, -16.0f, 0.0f}, {19.25f, 16.0f, 0.0f}}));
  commands.push_back({100, SetTarget{{1}, 0, AtPoint({19.25f, -16.0f, 0.0f})}});
  commands.push_back({150, DespawnAgents{{77, 78, 210}}});
  return scenario;
}

// Steps that go round a torus many times, and one axis as short as allowed.
Scenario TorusAtFullSpeed() {
  Scenario scenario{.name = "torus_3d", .seed = 32, .ticks = 200};
  scenario.config.tick_rate_hz = 1;
  scenario.config.bounds_mode = core::BoundsMode::kWrap;
  scenario.config.bounds_min = {-core::kMaxBound, 0.1f, -1.0e-3f};
  scenario.config.bounds_max = {core::kMaxBound, 1.25f, 33.3f};
  auto& commands = scenario.commands;
  Archetype fast = kTorn;
  fast.max_speed = core::kMaxSpeedOrForce;
  fast.max_force = core::kMaxSpeedOrForce;
  Archetype steady = kSeeker;
  steady.max_speed = core::kMaxSpeedOrForce;
  commands.push_back({1, DefineArchetype{fast}});
  commands.push_back({1, DefineArchetype{steady}});
  std::vector<NewAgent> agents(120);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const auto along = static_cast<float>(i);
    agents[i].archetype_id = i % 3 == 0 ? 2 : 3;
    agents[i].position = {along * 100.0f, 1.25f, 33.3f - along * 0.2f};
    agents[i].velocity = {along * -7001.7f, along * 3.3f, 5.0e5f - along};
    if (i % 3 == 0) continue;
    agents[i].targets[1] = AtPoint({core::kMaxBound, 0.1f, 33.3f});
  }
  commands.push_back(Spawn(1, std::move(agents)));
  for (core::AgentId id = 2; id <= 120; ++id) {
    if (id % 3 == 1) continue;  // those without a target keep their speed
    commands.push_back({2, SetTarget{{id}, 0, AtAgent(id % 7 + 1)}});
  }
  return scenario;
}

// Players who are moved from outside each tick, seekers after them, and things
// that are pushed about.
Scenario Players() {
  Scenario scenario{.name = "players", .seed = 33, .ticks = 240};
  scenario.config.plane = Plane::kXZ;
  scenario.config.bounds_mode = core::BoundsMode::kWrap;
  scenario.config.bounds_min = {-20.0f, 0.0f, -24.0f};
  scenario.config.bounds_max = {20.0f, 0.0f, 24.0f};
  auto& commands = scenario.commands;
  constexpr core::AgentId kPlayers = 20;
  const Archetype player{
      .id = 5, .max_speed = 8.0f, .mass = 80.0f, .external = true};
  for (const Archetype& archetype : {player, kSeeker, kWanderer}) {
    commands.push_back({1, DefineArchetype{archetype}});
  }
  commands.push_back(SpawnIn(1, kPlayers, 5, Disc{{}, 15.0f}));
  commands.push_back(SpawnIn(1, 300, 2, Disc{{}, 20.0f}));
  commands.push_back(SpawnIn(1, 100, 1, Disc{{}, 20.0f}));
  for (core::AgentId id = kPlayers + 1; id <= 320; ++id) {
    commands.push_back({2, SetTarget{{id}, 0, AtAgent(id % kPlayers + 1)}});
  }
  for (std::int64_t tick = 2; tick <= scenario.ticks; ++tick) {
    core::SetMotion motion;
    for (core::AgentId id = 1; id <= kPlayers; ++id) {
      // Once in a while one is not heard of, or only its velocity is.
      if ((tick + id) % 29 == 0 || (id == 3 && tick > 210)) continue;
      core::AgentMotion& moved = motion.motions.emplace_back();
      moved.agent_id = id;
      const auto along = static_cast<float>((tick * 13 + id * 391) % 4001);
      if ((tick + id) % 31 != 0) {
        moved.position = {along * 0.01f - 20.0f, 0.0f, along * 0.012f - 24.0f};
      }
      moved.velocity = {7.8f, -0.0f, static_cast<float>(id) * 0.1f};
    }
    commands.push_back({tick, motion});
    if (tick % 10 != 0) continue;
    const core::AgentId pushed = 1 + tick % 400;
    commands.push_back({tick, core::ApplyImpulse{{pushed, 420 - tick % 20},
                                                 {-900.0f, 0.0f, 1.0e4f}}});
  }
  // Player 3 leaves; those who did not know move nobody.
  commands.push_back({200, DespawnAgents{{3}}});
  return scenario;
}

// Agents that change archetypes, archetypes that are removed, come again and
// become external for a while; cells of another size.
Scenario Archetypes() {
  Scenario scenario{.name = "archetypes", .seed = 34, .ticks = 300};
  scenario.config.bounds_mode = core::BoundsMode::kClamp;
  scenario.config.bounds_min = {-60.0f, -50.0f, -40.0f};
  scenario.config.bounds_max = {60.0f, 50.0f, 40.0f};
  scenario.config.cell_size = core::kMinCellSize;
  auto& commands = scenario.commands;
  for (const Archetype& archetype : {kWanderer, kSeeker, kTorn}) {
    commands.push_back({1, DefineArchetype{archetype}});
  }
  commands.push_back(SpawnIn(1, 400, 1, Ball{{}, 30.0f}));
  core::SetArchetype to_seekers{{}, 2};
  core::SetArchetype to_torn{{}, 3};
  core::SetArchetype to_wanderers{{}, 1};
  SetTarget pull{{}, 0, AtPoint({50.0f, -45.0f, 39.0f})};
  for (core::AgentId id = 400; id >= 1; --id) {
    if (id % 3 == 0) to_seekers.agent_ids.push_back(id);
    if (id % 3 == 1) to_torn.agent_ids.push_back(id);
    if (id % 3 == 2 || id % 5 == 0) to_wanderers.agent_ids.push_back(id);
    if (id % 2 == 0) pull.agent_ids.push_back(id);
  }
  commands.push_back({20, to_seekers});
  commands.push_back({20, pull});
  commands.push_back({21, core::RemoveArchetype{2}});  // in use
  commands.push_back({40, to_torn});
  Archetype late = kSeeker;
  late.id = 9;
  commands.push_back({290, DefineArchetype{late}});
  commands.push_back({41, core::SetArchetype{{7, 9}, 9}});  // too early
  commands.push_back({50, core::SetCellSize{3.5f}});
  commands.push_back({60, to_wanderers});
  to_seekers.archetype_id = 1;
  commands.push_back({80, to_seekers});
  commands.push_back({80, core::RemoveArchetype{2}});
  commands.push_back({81, core::RemoveArchetype{2}});  // gone already
  commands.push_back(SpawnIn(82, 10, 2, Ball{{}, 5.0f}));
  Archetype other = kSeeker;
  other.id = 700;
  other.max_speed = 3.0f;
  commands.push_back({100, DefineArchetype{other}});  // where 2 was
  to_seekers.archetype_id = 700;
  commands.push_back({100, to_seekers});
  commands.push_back({101, DefineArchetype{kSeeker}});
  commands.push_back(SpawnIn(101, 50, 2, Ball{{}, 5.0f}));
  const Archetype held{.id = 3, .max_speed = 1.0f, .external = true};
  commands.push_back({150, DefineArchetype{held}});
  commands.push_back({160, core::ApplyImpulse{{1, 4}, {3.0f, 9.9e5f, -2.0f}}});
  commands.push_back({200, DefineArchetype{kTorn}});
  commands.push_back({201, DespawnAgents{{1, 2, 3, 411, 430}}});
  commands.push_back({202, core::SetArchetype{{4, 1}, 2}});  // 1 is gone
  commands.push_back({250, core::SetCellSize{core::kMaxCellSize}});
  return scenario;
}

std::vector<Scenario> MakeGoldenScenarios() {
  Scenario large = Wanderers(5000, 2024);
  large.name = "wanderers_5000";
  large.ticks = 600;
  std::vector<Scenario> scenarios{
      large,
      WanderersIn("wanderers_3d", Plane::kNone, core::BoundsMode::kOpen),
      WanderersIn("wanderers_xy", Plane::kXY, core::BoundsMode::kClamp),
      WanderersIn("wanderers_xz", Plane::kXZ, core::BoundsMode::kOpen),
      WanderersIn("wanderers_yz", Plane::kYZ, core::BoundsMode::kClamp),
      Chains(),
      Mixed(),
      Extremes(),
      Torus(),
      TorusAtFullSpeed(),
      Players(),
      Archetypes(),
  };
  for (Scenario& scenario : BehaviorScenarios()) {
    scenarios.push_back(std::move(scenario));
  }
  return scenarios;
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
    if (const auto* define = std::get_if<DefineArchetype>(&command.operation)) {
      admission.archetypes.set(static_cast<std::size_t>(define->archetype.id));
    }
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

}  // namespace meander::scenarios
