#include "tests/core/codec/sample_snapshot.h"

#include <optional>

#include "core/codec/snapshot.h"
#include "core/command.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

SimulationConfig SampleConfig() {
  SimulationConfig config;
  config.tick_rate_hz = 4;
  config.plane = Plane::kXZ;
  config.bounds_min = {-64.0f, 0.0f, -32.0f};
  config.bounds_max = {64.0f, 0.0f, 32.0f};
  config.bounds_mode = BoundsMode::kOpen;
  config.max_agents = 100;
  return config;
}

NewAgent Moving(const Vec3& position, const Vec3& velocity) {
  NewAgent agent = AgentAt(position, 7);
  agent.velocity = velocity;
  agent.wander_angle = 0.0f;
  return agent;
}

}  // namespace

TestWorld SampleWorld() {
  TestWorld world(SampleConfig(), 0x0123456789abcdefu);
  // Defined in another order than that of their ids.
  world.Submit(DefineArchetype{{.id = 7,
                                .max_speed = 8.0f,
                                .max_force = 1.0f,
                                .mass = 2.0f,
                                .terms = {},
                                .overspeed_time_constant = 0.25f,
                                .combine = Combine::kFirstNonzero,
                                .facing = Facing{}}});
  world.Submit(DefineArchetype{
      {.id = 2,
       .max_speed = 0.0f,
       .max_force = 4.0f,
       .mass = 1.0f,
       .terms = {{0.5f, Seek{1}},
                 {-1.0f, WanderWorldAngle{2.0f, 3.0f, 0}, 2.0f, 1}},
       .combine = Combine::kPriorityBudget,
       .limit_each_term = true}});
  NewAgent still = AgentAt({-1.0f, 0.0f, 2.5f}, 2);
  still.seed = 11;
  still.tag = 12;
  still.groups = 6;
  still.wander_angle = 1.5f;
  still.facing = {3.0f, 0.0f, -4.0f};
  still.targets = {PointTarget({3.0f, 0.0f, -4.0f}), AgentTarget(2),
                   AgentTarget(4), Target{}};
  world.Submit(Spawn({Moving({0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, -2.0f}),
                      Moving({1.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}), still}));
  world.StepTo(2);
  world.Submit(Spawn({Moving({63.0f, 0.0f, 0.0f}, {4.0f, 0.0f, 4.0f}),
                      Moving({-3.0f, 0.0f, 3.0f}, {0.5f, 0.0f, 0.0f})}));
  world.Submit(DespawnAgents{{2}});
  world.StepTo(5);

  world.Submit(SetTarget{{1, 3}, 3, PointTarget({1.0f, 0.0f, 1.0f})}, 8);
  world.Submit(SpawnAgents{AreaPlacement{10, AgentAt({}, 7),
                                         Disc{{0.0f, 0.0f, 0.0f}, 30.0f}}},
               9);
  world.Submit(DefineArchetype{SeekerArchetype(3)}, 6);
  world.Submit(Spawn({Moving({5.0f, 0.0f, 5.0f}, {}), still}), 6);
  world.Submit(DespawnAgents{{4, 5}}, 3600);
  return world;
}

namespace {

// Bytes of a value in each column.
std::vector<std::size_t> ColumnWidths() {
  std::vector<std::size_t> widths{8, 4};  // ids
  widths.insert(widths.end(), 6, 4);      // position, velocity
  widths.insert(widths.end(), 11, 4);     // wander, facing
  for (const std::size_t width : {8, 8, 4, 8}) widths.push_back(width);
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    for (const std::size_t width : {1, 4, 4, 4, 8}) widths.push_back(width);
  }
  return widths;
}

}  // namespace

std::string DenseSample() {
  const std::string packed = SampleSnapshot();
  std::size_t at = SampleLayout().id;
  std::string dense = packed.substr(0, at);
  for (const std::size_t width : ColumnWidths()) {
    const bool each = packed[at++] != 0;
    for (std::size_t row = 0; row < SampleLayout::kAgents; ++row) {
      dense += packed.substr(at, width);
      if (each) at += width;
    }
    if (!each) at += width;
  }
  return dense + packed.substr(at);
}

std::string Packed(const std::string& dense) {
  std::size_t at = SampleLayout().id;
  std::string packed = dense.substr(0, at);
  for (const std::size_t width : ColumnWidths()) {
    const std::string values = dense.substr(at, SampleLayout::kAgents * width);
    at += values.size();
    const bool each =
        values.substr(width) != values.substr(0, values.size() - width);
    packed += each ? '\1' : '\0';
    packed += each ? values : values.substr(0, width);
  }
  return packed + dense.substr(at);
}

std::string SampleSnapshot() {
  const TestWorld world = SampleWorld();
  return EncodeSnapshot(world.world(), world.admission());
}

TestWorld TorusWorld() {
  SimulationConfig config = SmallConfig(Plane::kXZ);
  config.bounds_mode = BoundsMode::kWrap;
  TestWorld world(config, 7);
  world.Submit(DefineArchetype{SeekerArchetype(2)});
  world.Submit(DefineArchetype{SeekerArchetype(4)});
  world.Submit(DefineArchetype{{.id = 5, .max_speed = 1.0f, .external = true}});
  // The upper face is the lower one.
  NewAgent player = AgentAt({100.0f, 0.0f, -100.0f}, 5);
  player.wander_angle = 0.0f;
  NewAgent chaser = AgentAt({99.0f, 0.0f, 1.0f}, 2);
  chaser.wander_angle = 0.0f;
  world.Submit(Spawn({player, chaser}));
  world.Submit(RemoveArchetype{4});
  world.Step();
  world.Submit(SetTarget{{2}, 3, PointTarget({-100.0f, 0.0f, 100.0f})});
  world.Submit(SetMotion{{{1, std::nullopt, Vec3{6.0e5f, 0.0f, 0.0f}}}});
  world.Submit(ApplyImpulse{{1}, {0.0f, 0.0f, 8.0e5f}});
  world.Submit(SetCellSize{0.25f});
  world.Step();

  world.Submit(SetArchetype{{2}, 4}, 5);
  world.Submit(SetMotion{{{2, Vec3{100.0f, 0.0f, 100.0f}, std::nullopt}}}, 3);
  world.Submit(ApplyImpulse{{1, 2}, {-3.0f, 0.0f, 0.5f}}, 3);
  world.Submit(RemoveArchetype{5}, 4);
  world.Submit(SetCellSize{16.0f}, 4);
  return world;
}

TestWorld SpaceWorld() {
  SimulationConfig config = SmallConfig();
  config.tick_rate_hz = 4;
  TestWorld world(config, 9);
  world.Submit(DefineArchetype{
      {.id = 1,
       .max_speed = 4.0f,
       .max_force = 0.0f,
       .terms = {{1.0f, WanderSpherical{2.0f, 3.0f, 0.0f}},
                 {1.0f, Brake{}, 0.5f, 1}},
       .facing = Facing{.turn_rate = 4.0f, .min_facing_speed = 1.0f}}});
  world.Submit(DefineArchetype{
      {.id = 2,
       .max_speed = 4.0f,
       .max_force = 0.0f,
       .terms = {{1.0f, WanderHeadingOffset{1.0f, 2.0f, 0.0f, Plane::kXZ}},
                 {1.0f, Flee{0, 5.0f}}},
       .force_plane = Plane::kXZ}});
  NewAgent climber = AgentAt({1.0f, 2.0f, 3.0f}, 1);
  climber.velocity = {0.0f, 2.0f, 0.0f};
  climber.groups = 0x80000000u;
  climber.wander_angle = 1.5f;
  climber.wander_elevation = -0.5f;
  climber.facing = {0.0f, 0.0f, 5.0f};
  NewAgent stroller = AgentAt({-4.0f, 0.0f, 8.0f}, 2);
  stroller.velocity = {2.0f, 3.0f, 0.0f};
  stroller.groups = 0;
  stroller.wander_offset = {0.0f, 7.0f, 0.25f};
  stroller.wander_heading = {2.0f, 0.0f, 0.0f};
  stroller.facing = {0.0f, -2.0f, 0.0f};
  NewAgent rester = AgentAt({-5.0f, -5.0f, -5.0f}, 1);
  rester.wander_angle = 0.0f;
  rester.wander_elevation = 0.0f;
  world.Submit(Spawn({climber, stroller, rester}));
  world.StepTo(2);

  NewAgent full = AgentAt({0.0f, 1.0f, 0.0f}, 2);
  full.seed = 3;
  full.groups = 5;
  full.wander_angle = -1.0f;
  full.wander_elevation = 1.0f;
  full.wander_offset = {1.0f, 2.0f, 3.0f};
  full.wander_heading = {-1.0f, 0.0f, 4.0f};
  full.facing = {1.0f, 1.0f, 1.0f};
  world.Submit(Spawn({full}), 4);
  world.Submit(SetArchetype{{1, 2}, 2}, 5);
  return world;
}

std::string SpaceSnapshot() {
  const TestWorld world = SpaceWorld();
  return EncodeSnapshot(world.world(), world.admission());
}

std::string TorusSnapshot() {
  const TestWorld world = TorusWorld();
  return EncodeSnapshot(world.world(), world.admission());
}

}  // namespace meander::core
