#include "server/convert/command_convert.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tests/server/convert/proto_walk.h"

namespace meander::convert {
namespace {

using core::ErrorCode;
using google::protobuf::FieldDescriptor;

constexpr char kPath[] = "commands[0]";

v1::Command Text(const std::string& text) {
  return FromText<v1::Command>(text);
}

core::SimulationConfig Config() {
  core::SimulationConfig config;
  config.max_agents = 1000;
  return config;
}

// The first of a batch.
core::Result<core::Command> Convert(const v1::Command& command) {
  v1::SubmitCommandsRequest request;
  *request.add_commands() = command;
  return ToCore(request, 0, Config());
}

core::Command Good(const v1::Command& command) {
  const auto result = Convert(command);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().field << ": " << result.error().reason
                  << "\n"
                  << command.DebugString();
    return {};
  }
  return *result;
}

// What a client is told about the command: from conversion, else validation.
core::Violations Refusals(const v1::Command& command) {
  const auto result = Convert(command);
  if (!result.ok()) return {result.error()};
  return core::Validate(*result, Config(), kPath);
}

constexpr char kDefine[] = R"(
  apply_tick: 5
  define_archetype { archetype {
    id: 3 max_speed: 4 max_force: 5 mass: 6
    terms { weight: 0.5 seek { slot: 2 } }
    terms { weight: 2 wander_world_angle { radius: 1 distance: 2 jitter: 3 } }
  } })";
// All that an archetype can hold, but for the forms of wander.
constexpr char kDefineAll[] = R"(
  apply_tick: 5
  define_archetype { archetype {
    id: 3 max_speed: 4 max_force: 5 mass: 6 overspeed_time_constant: 7
    combine: COMBINE_PRIORITY_BUDGET limit_each_term: true
    force_plane: PLANE_XZ facing { turn_rate: 8 min_facing_speed: 9 }
    terms { weight: 2 gain: 3 level: 4 seek { slot: 1 } }
    terms { flee { slot: 1 range: 2 edge_inclusive: true
                   at_center: AT_CENTER_ZERO } }
    terms { arrive { slot: 1 slowing_radius: 2 } }
    terms { keep_away { slot: 1 radius: 2 } }
    terms { brake { } }
    terms { pursue { slot: 1 lead: LEAD_CLOSING max_prediction: 2
                     slowing_radius: 3 } }
    terms { evade { slot: 1 lead: LEAD_DISTANCE max_prediction: 2 } }
    terms { separation {
      neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                     max_neighbors: 4 }
      falloff: FALLOFF_LINEAR coincident: COINCIDENT_SKIP } }
    terms { alignment { neighborhood { radius: 1 field_of_view: 2
                                       neighbor_groups: 3
                                       max_neighbors: 4 } } }
    terms { cohesion {
      neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                     max_neighbors: 4 }
      mode: COHESION_MODE_PULL } }
  } })";
constexpr char kDefineSpherical[] = R"(
  apply_tick: 5
  define_archetype { archetype { id: 3 terms {
    wander_spherical { radius: 1 distance: 2 jitter: 3 } } } })";
constexpr char kDefineHeadingOffset[] = R"(
  apply_tick: 5
  define_archetype { archetype { id: 3 terms {
    wander_heading_offset { radius: 1 distance: 2 jitter: 3
                            plane: PLANE_XZ } } } })";
constexpr char kSpawnList[] = R"(
  apply_tick: 5
  spawn_agents { agents { agents {
    archetype_id: 3
    position { x: 1 y: 2 z: 3 } velocity { x: 4 y: 5 z: 6 }
    seed: 7 tag: 8
    targets { point { x: 9 y: 10 z: 11 } }
    targets { }
    targets { agent_id: 12 }
    wander_angle: 0.25 groups: 6 facing { x: 1 y: 2 z: 3 }
    wander_elevation: 0.5 wander_offset { x: 4 y: 5 z: 6 }
    wander_heading { x: 7 y: 8 z: 9 }
  } } })";
constexpr char kPrototype[] = R"(
  count: 10 prototype {
    archetype_id: 3 velocity { x: 4 y: 5 z: 6 } seed: 7 tag: 8
    targets { agent_id: 12 } wander_angle: 0.25 groups: 6
    facing { x: 1 y: 2 z: 3 } wander_elevation: 0.5
    wander_offset { x: 4 y: 5 z: 6 } wander_heading { x: 7 y: 8 z: 9 }
  })";
constexpr char kDespawn[] =
    "apply_tick: 5 despawn_agents { agent_ids: [1, 3] }";
constexpr char kSetPoint[] = R"(
  apply_tick: 5
  set_target { agent_ids: [1, 3] slot: 1 target { point { x: 1 y: 2 z: 3 } } }
  )";
constexpr char kSetAgent[] =
    "apply_tick: 5 set_target { agent_ids: [1] slot: 1 target { agent_id: 4 } "
    "}";

constexpr char kDefineExternal[] = R"(
  apply_tick: 5
  define_archetype { archetype { id: 3 max_speed: 4 mass: 6 external: true } }
  )";
constexpr char kRemoveArchetype[] =
    "apply_tick: 5 remove_archetype { archetype_id: 3 }";
constexpr char kSetArchetype[] =
    "apply_tick: 5 set_archetype { agent_ids: [1, 3] archetype_id: 2 }";
constexpr char kSetMotion[] = R"(
  apply_tick: 5
  set_motion {
    motions {
      agent_id: 1 position { x: 1 y: 2 z: 3 } velocity { x: 4 y: 5 z: 6 }
    }
    motions { agent_id: 3 velocity { x: 7 y: 8 z: 9 } }
    motions { agent_id: 5 position { x: 10 y: 11 z: 12 } }
  })";
constexpr char kApplyImpulse[] = R"(
  apply_tick: 5
  apply_impulse { agent_ids: [1, 3] impulse { x: 1 y: 2 z: 3 } }
  )";
constexpr char kSetCellSize[] = "apply_tick: 5 set_cell_size { cell_size: 2 }";

std::string InArea(const std::string& area) {
  return "apply_tick: 5 spawn_agents { area { " + std::string(kPrototype) +
         area + " } }";
}

// One for each shape that a command can have.
std::vector<std::string> Shapes() {
  return {kDefine,
          kDefineAll,
          kDefineSpherical,
          kDefineHeadingOffset,
          kSpawnList,
          InArea("disc { center { x: 1 y: 2 z: 3 } radius: 4 }"),
          InArea("box { min { x: 1 y: 2 z: 3 } max { x: 4 y: 5 z: 6 } }"),
          InArea("ball { center { x: 1 y: 2 z: 3 } radius: 4 }"),
          kDespawn,
          kSetPoint,
          kSetAgent,
          kDefineExternal,
          kRemoveArchetype,
          kSetArchetype,
          kSetMotion,
          kApplyImpulse,
          kSetCellSize};
}

TEST(CommandConvertTest, ReadsAnArchetype) {
  const core::Command command = Good(Text(kDefine));
  EXPECT_EQ(command.apply_tick, 5);
  const core::Archetype want{
      .id = 3,
      .max_speed = 4,
      .max_force = 5,
      .mass = 6,
      .terms = {{0.5f, core::Seek{2}}, {2, core::WanderWorldAngle{1, 2, 3}}}};
  EXPECT_EQ(command.operation, core::Operation(core::DefineArchetype{want}));
}

TEST(CommandConvertTest, FillsInTheDefaultsOfAnArchetype) {
  const core::Command command =
      Good(Text("define_archetype { archetype { id: 1 terms { seek { } } } }"));
  const auto& archetype =
      std::get<core::DefineArchetype>(command.operation).archetype;
  EXPECT_EQ(archetype.mass, 1.0f);
  ASSERT_EQ(archetype.terms.size(), 1u);
  EXPECT_EQ(archetype.terms[0].weight, 1.0f);
  // A weight of 0 that is set stays 0.
  const core::Command zero = Good(
      Text("define_archetype { archetype { terms { weight: 0 seek { } } } }"));
  EXPECT_EQ(
      std::get<core::DefineArchetype>(zero.operation).archetype.terms[0].weight,
      0.0f);
}

TEST(CommandConvertTest, ReadsAgentsOneByOne) {
  core::NewAgent want;
  want.archetype_id = 3;
  want.position = {1, 2, 3};
  want.velocity = {4, 5, 6};
  want.seed = 7;
  want.tag = 8;
  want.targets[0] = {.kind = core::Target::Kind::kPoint, .point = {9, 10, 11}};
  want.targets[2] = {.kind = core::Target::Kind::kAgent, .agent = 12};
  want.wander_angle = 0.25f;
  want.groups = 6;
  want.facing = {1, 2, 3};
  want.wander_elevation = 0.5f;
  want.wander_offset = {4, 5, 6};
  want.wander_heading = {7, 8, 9};
  EXPECT_EQ(
      Good(Text(kSpawnList)).operation,
      core::Operation(core::SpawnAgents{std::vector<core::NewAgent>{want}}));
}

TEST(CommandConvertTest, TellsZeroFromNoneInAnAgent) {
  const auto agent = [](const std::string& text) {
    const core::Command command =
        Good(Text("spawn_agents { agents { agents { " + text + " } } }"));
    return std::get<std::vector<core::NewAgent>>(
        std::get<core::SpawnAgents>(command.operation).placement)[0];
  };
  EXPECT_FALSE(agent("").seed.has_value());
  EXPECT_FALSE(agent("").wander_angle.has_value());
  EXPECT_EQ(agent("seed: 0").seed, 0u);
  EXPECT_EQ(agent("wander_angle: 0").wander_angle, 0.0f);
  EXPECT_FALSE(agent("").wander_elevation.has_value());
  EXPECT_EQ(agent("wander_elevation: 0").wander_elevation, 0.0f);
  EXPECT_FALSE(agent("").facing.has_value());
  EXPECT_EQ(agent("facing { }").facing, core::Vec3{});
  EXPECT_FALSE(agent("").wander_offset.has_value());
  EXPECT_EQ(agent("wander_offset { }").wander_offset, core::Vec3{});
  EXPECT_FALSE(agent("").wander_heading.has_value());
  EXPECT_EQ(agent("wander_heading { }").wander_heading, core::Vec3{});
  // Found by all, and by nobody.
  EXPECT_EQ(agent("").groups, 1u);
  EXPECT_EQ(agent("groups: 0").groups, 0u);
}

TEST(CommandConvertTest, ReadsAreas) {
  const auto area = [](const std::string& text) {
    const core::Command command = Good(Text(InArea(text)));
    return std::get<core::AreaPlacement>(
        std::get<core::SpawnAgents>(command.operation).placement);
  };
  const core::AreaPlacement disc =
      area("disc { center { x: 1 y: 2 z: 3 } radius: 4 }");
  EXPECT_EQ(disc.count, 10);
  EXPECT_EQ(disc.prototype.tag, 8u);
  EXPECT_EQ(disc.area, core::Area(core::Disc{{1, 2, 3}, 4}));
  EXPECT_EQ(area("box { min { x: 1 } max { y: 5 } }").area,
            core::Area(core::Box{{1, 0, 0}, {0, 5, 0}}));
  EXPECT_EQ(area("ball { center { x: 1 y: 2 z: 3 } radius: 4 }").area,
            core::Area(core::Ball{{1, 2, 3}, 4}));
}

TEST(CommandConvertTest, ReadsDespawnsAndTargets) {
  EXPECT_EQ(Good(Text(kDespawn)).operation,
            core::Operation(core::DespawnAgents{{1, 3}}));
  EXPECT_EQ(Good(Text(kSetPoint)).operation,
            core::Operation(core::SetTarget{
                {1, 3},
                1,
                {.kind = core::Target::Kind::kPoint, .point = {1, 2, 3}}}));
  EXPECT_EQ(Good(Text(kSetAgent)).operation,
            core::Operation(core::SetTarget{
                {1}, 1, {.kind = core::Target::Kind::kAgent, .agent = 4}}));
  EXPECT_EQ(Good(Text("set_target { agent_ids: 1 }")).operation,
            core::Operation(core::SetTarget{{1}, 0, {}}));
}

TEST(CommandConvertTest, ReadsChangesOfArchetypes) {
  EXPECT_EQ(Good(Text(kDefineExternal)).operation,
            core::Operation(core::DefineArchetype{
                {.id = 3, .max_speed = 4, .mass = 6, .external = true}}));
  EXPECT_EQ(Good(Text(kRemoveArchetype)).operation,
            core::Operation(core::RemoveArchetype{3}));
  EXPECT_EQ(Good(Text(kSetArchetype)).operation,
            core::Operation(core::SetArchetype{{1, 3}, 2}));
}

TEST(CommandConvertTest, ReadsMotions) {
  const core::SetMotion want{{{1, core::Vec3{1, 2, 3}, core::Vec3{4, 5, 6}},
                              {3, std::nullopt, core::Vec3{7, 8, 9}},
                              {5, core::Vec3{10, 11, 12}, std::nullopt}}};
  EXPECT_EQ(Good(Text(kSetMotion)).operation, core::Operation(want));
  EXPECT_EQ(Good(Text(kApplyImpulse)).operation,
            core::Operation(core::ApplyImpulse{{1, 3}, {1, 2, 3}}));
  EXPECT_EQ(Good(Text(kSetCellSize)).operation,
            core::Operation(core::SetCellSize{2}));
}

TEST(CommandConvertTest, TellsAMotionOfZeroFromNone) {
  const core::Command command = Good(
      Text("set_motion { motions { agent_id: 1 position { } } "
           "motions { agent_id: 2 velocity { } } motions { agent_id: 3 } }"));
  const core::SetMotion want{{{1, core::Vec3{}, std::nullopt},
                              {2, std::nullopt, core::Vec3{}},
                              {3, std::nullopt, std::nullopt}}};
  EXPECT_EQ(command.operation, core::Operation(want));
}

TEST(CommandConvertTest, NamesEveryOutcome) {
  const v1::CommandOutcome names[] = {
      v1::COMMAND_OUTCOME_APPLIED, v1::COMMAND_OUTCOME_AGENT_GONE,
      v1::COMMAND_OUTCOME_ARCHETYPE_UNKNOWN, v1::COMMAND_OUTCOME_WORLD_FULL,
      v1::COMMAND_OUTCOME_ARCHETYPE_IN_USE};
  ASSERT_EQ(std::size(names), core::kCommandOutcomes);
  for (std::size_t i = 0; i < core::kCommandOutcomes; ++i) {
    EXPECT_EQ(ToProto(static_cast<core::CommandOutcome>(i)), names[i]) << i;
  }
}

TEST(CommandConvertTest, EveryFieldOfEveryShapeCounts) {
  for (const std::string& shape : Shapes()) {
    const core::Command original = Good(Text(shape));
    EXPECT_TRUE(Refusals(Text(shape)).empty()) << shape;
    v1::Command probe = Text(shape);
    const std::size_t leaves = Leaves(probe, kPath).size();
    EXPECT_GE(leaves, 2u);
    for (std::size_t i = 0; i < leaves; ++i) {
      v1::Command changed = Text(shape);
      const Leaf leaf = Leaves(changed, kPath)[i];
      Change(leaf);
      EXPECT_FALSE(Good(changed) == original) << leaf.path;
    }
  }
}

// So that a field that is added to the protocol must be added to the shapes.
TEST(CommandConvertTest, ShapesCoverEveryFieldOfTheProtocol) {
  std::set<std::string> covered;
  for (const std::string& shape : Shapes()) {
    v1::Command command = Text(shape);
    for (const Leaf& leaf : Leaves(command, "")) {
      covered.insert(leaf.field->full_name());
    }
  }
  const auto* file = v1::Command::descriptor()->file();
  for (const auto* messages :
       {file, v1::Archetype::descriptor()->file(),
        v1::Seek::descriptor()->file(), v1::Target::descriptor()->file()}) {
    for (int i = 0; i < messages->message_type_count(); ++i) {
      const auto* type = messages->message_type(i);
      const std::string& name = type->name();
      // What a server says and no client sends.
      if (name == "Agent" || name.starts_with("Command")) continue;
      for (int j = 0; j < type->field_count(); ++j) {
        if (type->field(j)->message_type() != nullptr) continue;
        // A prototype's position must not be set; agents in a list have one.
        EXPECT_TRUE(covered.contains(type->field(j)->full_name()))
            << type->field(j)->full_name();
      }
    }
  }
}

TEST(CommandConvertTest, NamesEveryNumberThatIsNone) {
  for (const std::string& shape : Shapes()) {
    v1::Command probe = Text(shape);
    const std::size_t leaves = Leaves(probe, kPath).size();
    for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
      for (std::size_t i = 0; i < leaves; ++i) {
        v1::Command spoiled = Text(shape);
        const Leaf leaf = Leaves(spoiled, kPath)[i];
        if (leaf.field->cpp_type() != FieldDescriptor::CPPTYPE_FLOAT) continue;
        SetFloat(leaf, value);
        const core::Violations violations = Refusals(spoiled);
        ASSERT_FALSE(violations.empty()) << leaf.path << " " << value;
        EXPECT_EQ(violations[0].field, leaf.path);
        EXPECT_EQ(violations[0].code, ErrorCode::kNonFinite);
      }
    }
  }
}

struct BadCase {
  std::string command;
  std::string field;  // Below commands[0].
  ErrorCode code = ErrorCode::kMalformed;
};

std::vector<BadCase> ShapesThatAreNone() {
  const std::string area = "spawn_agents { area { count: 1 ";
  return {
      {"", ""},
      {"apply_tick: 3", ""},
      {"apply_tick: -1 despawn_agents { agent_ids: 1 }", "apply_tick",
       ErrorCode::kOutOfBounds},
      {"define_archetype { }", "define_archetype.archetype"},
      {"define_archetype { archetype { id: 1 max_speed: 1 terms { } } }",
       "define_archetype.archetype.terms[0]"},
      {"define_archetype { archetype { id: 1 terms { seek { } } "
       "terms { weight: 1 } } }",
       "define_archetype.archetype.terms[1]"},
      {"spawn_agents { }", "spawn_agents"},
      {"spawn_agents { agents { } }", "spawn_agents.agents.agents"},
      {"spawn_agents { agents { agents { archetype_id: 1 } agents { "
       "archetype_id: 1 targets { } targets { } targets { } targets { } "
       "targets { } } } }",
       "spawn_agents.agents.agents[1].targets"},
      {area + "} }", "spawn_agents.area.prototype"},
      {area + "prototype { archetype_id: 1 } } }", "spawn_agents.area"},
      {area + "prototype { archetype_id: 1 position { } } disc { } } }",
       "spawn_agents.area.prototype.position"},
      {area + "prototype { archetype_id: 1 targets { } targets { } targets { } "
              "targets { } targets { } } disc { } } }",
       "spawn_agents.area.prototype.targets"},
      {"despawn_agents { }", "despawn_agents.agent_ids"},
      {"despawn_agents { agent_ids: [1, 2, 1] }", "despawn_agents.agent_ids"},
      {"despawn_agents { agent_ids: [1, 0] }", "despawn_agents.agent_ids[1]",
       ErrorCode::kOutOfBounds},
      {"set_target { slot: 1 }", "set_target.agent_ids"},
      {"set_target { agent_ids: [3, 3] }", "set_target.agent_ids"},
      {"define_archetype { archetype { id: 1 external: true terms { seek { } "
       "} } }",
       "define_archetype.archetype.terms"},
      {"set_archetype { archetype_id: 1 }", "set_archetype.agent_ids"},
      {"set_archetype { agent_ids: [3, 3] archetype_id: 1 }",
       "set_archetype.agent_ids"},
      {"set_motion { }", "set_motion.motions"},
      {"set_motion { motions { agent_id: 1 velocity { } } motions { agent_id: "
       "2 } }",
       "set_motion.motions[1]"},
      {"set_motion { motions { agent_id: 1 velocity { } } motions { agent_id: "
       "1 position { } } }",
       "set_motion.motions"},
      {"apply_impulse { impulse { x: 1 } }", "apply_impulse.agent_ids"},
  };
}

std::vector<BadCase> ValuesOutOfRange() {
  const std::string define = "define_archetype { archetype { ";
  const std::string below = "define_archetype.archetype.";
  const std::string agent = "spawn_agents { agents { agents { archetype_id: 1 ";
  const std::string at = "spawn_agents.agents.agents[0].";
  const auto area = [](const std::string& text) {
    return "spawn_agents { area { count: 1 prototype { archetype_id: 1 } " +
           text + " } }";
  };
  std::vector<BadCase> cases = {
      {define + "id: 0 } }", below + "id"},
      {define + "id: 1025 } }", below + "id"},
      {define + "id: 1 max_speed: -1 } }", below + "max_speed"},
      {define + "id: 1 max_speed: 2e6 } }", below + "max_speed"},
      {define + "id: 1 max_speed: 1e-9 } }", below + "max_speed"},
      {define + "id: 1 max_force: -1 } }", below + "max_force"},
      {define + "id: 1 max_force: 2e6 } }", below + "max_force"},
      {define + "id: 1 mass: -1 } }", below + "mass"},
      {define + "id: 1 mass: 2e6 } }", below + "mass"},
      {define + "id: 1 terms { weight: 1001 seek { } } } }",
       below + "terms[0].weight"},
      {define + "id: 1 terms { seek { slot: 4 } } } }",
       below + "terms[0].seek.slot"},
      {define + "id: 1 terms { wander_world_angle { radius: -1 } } } }",
       below + "terms[0].wander_world_angle.radius"},
      {define + "id: 1 terms { wander_world_angle { distance: 2e4 } } } }",
       below + "terms[0].wander_world_angle.distance"},
      {define + "id: 1 terms { wander_world_angle { jitter: 2e6 } } } }",
       below + "terms[0].wander_world_angle.jitter"},
      {"spawn_agents { agents { agents { } } }", at + "archetype_id"},
      {agent + "position { y: 2049 } } } }", at + "position.y"},
      {agent + "velocity { z: 2e6 } } } }", at + "velocity"},
      {agent + "targets { point { x: -3000 } } } } }",
       at + "targets[0].point.x"},
      {agent + "targets { } targets { agent_id: 0 } } } }",
       at + "targets[1].agent_id"},
      {agent + "wander_angle: 2e6 } } }", at + "wander_angle"},
      {agent + "wander_elevation: 1.6 } } }", at + "wander_elevation"},
      {agent + "facing { } } } }", at + "facing"},
      {agent + "wander_offset { } } } }", at + "wander_offset"},
      {agent + "wander_heading { } } } }", at + "wander_heading"},
      {"spawn_agents { area { prototype { archetype_id: 1 } disc { } } }",
       "spawn_agents.area.count"},
      {"spawn_agents { area { count: 1001 prototype { archetype_id: 1 } disc { "
       "} } }",
       "spawn_agents.area.count"},
      {area("disc { radius: -1 }"), "spawn_agents.area.disc.radius"},
      {area("disc { radius: 2049 }"), "spawn_agents.area.disc.radius"},
      {area("disc { center { x: 3000 } }"), "spawn_agents.area.disc.center.x"},
      {area("box { max { x: 3000 } }"), "spawn_agents.area.box.max.x"},
      {area("box { min { x: 1 } }"), "spawn_agents.area.box.max"},
      {area("ball { center { z: 2000 } radius: 100 }"),
       "spawn_agents.area.ball.radius"},
      {"set_target { agent_ids: -1 }", "set_target.agent_ids[0]"},
      {"set_target { agent_ids: 1 slot: 4 }", "set_target.slot"},
      {"set_target { agent_ids: 1 slot: -1 }", "set_target.slot"},
      {"set_target { agent_ids: 1 target { point { z: 1e9 } } }",
       "set_target.target.point.z"},
      {"set_target { agent_ids: 1 target { agent_id: -4 } }",
       "set_target.target.agent_id"},
      {"remove_archetype { }", "remove_archetype.archetype_id"},
      {"remove_archetype { archetype_id: 1025 }",
       "remove_archetype.archetype_id"},
      {"set_archetype { agent_ids: 0 archetype_id: 1 }",
       "set_archetype.agent_ids[0]"},
      {"set_archetype { agent_ids: 1 }", "set_archetype.archetype_id"},
      {"set_motion { motions { position { } } }",
       "set_motion.motions[0].agent_id"},
      {"set_motion { motions { agent_id: 2 position { } } motions { agent_id: "
       "1 position { y: -2049 } } }",
       "set_motion.motions[1].position.y"},
      {"set_motion { motions { agent_id: 1 velocity { x: 8e5 y: 8e5 } } }",
       "set_motion.motions[0].velocity"},
      {"apply_impulse { agent_ids: 0 }", "apply_impulse.agent_ids[0]"},
      {"apply_impulse { agent_ids: 1 impulse { z: -1.1e6 } }",
       "apply_impulse.impulse"},
      {"set_cell_size { }", "set_cell_size.cell_size"},
      {"set_cell_size { cell_size: 0.0156 }", "set_cell_size.cell_size"},
      {"set_cell_size { cell_size: 32769 }", "set_cell_size.cell_size"},
  };
  for (BadCase& bad : cases) bad.code = ErrorCode::kOutOfBounds;
  return cases;
}

TEST(CommandConvertTest, NamesEveryFieldAtFault) {
  for (const auto& cases : {ShapesThatAreNone(), ValuesOutOfRange()}) {
    for (const BadCase& bad : cases) {
      const core::Violations violations = Refusals(Text(bad.command));
      ASSERT_FALSE(violations.empty()) << bad.command;
      EXPECT_EQ(violations[0].field,
                bad.field.empty() ? kPath : kPath + ("." + bad.field));
      EXPECT_EQ(violations[0].code, bad.code) << bad.command;
      EXPECT_FALSE(violations[0].reason.empty());
      EXPECT_TRUE(LeadsToField(*v1::SubmitCommandsRequest::descriptor(),
                               violations[0].field))
          << violations[0].field;
    }
  }
}

TEST(CommandConvertTest, RefusesLongListsBeforeItCopiesThem) {
  v1::Command spawn;
  auto& list = *spawn.mutable_spawn_agents()->mutable_agents();
  for (int i = 0; i < 1001; ++i) list.add_agents()->set_archetype_id(1);
  core::Violations violations = Refusals(spawn);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(violations[0].field, "commands[0].spawn_agents.agents.agents");
  EXPECT_NE(violations[0].reason.find("1000"), std::string::npos);

  v1::Command move;
  for (int i = 0; i < 1001; ++i) {
    auto& motion = *move.mutable_set_motion()->add_motions();
    motion.set_agent_id(i + 1);
    motion.mutable_velocity();
  }
  violations = Refusals(move);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(violations[0].field, "commands[0].set_motion.motions");

  v1::Command define;
  auto& archetype = *define.mutable_define_archetype()->mutable_archetype();
  archetype.set_id(1);
  for (int i = 0; i < 17; ++i) archetype.add_terms()->mutable_seek();
  violations = Refusals(define);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(violations[0].field,
            "commands[0].define_archetype.archetype.terms");
}

TEST(CommandConvertTest, PutsEveryFieldIntoARejection) {
  v1::CommandRejection rejection;
  ToProto(core::Error{ErrorCode::kTickTooFar, "commands[3].apply_tick",
                      "at most 3600 ahead"},
          rejection);
  EXPECT_EQ(rejection.code(), 11);  // OUT_OF_RANGE
  EXPECT_EQ(rejection.reason(), "TICK_TOO_FAR");
  EXPECT_EQ(rejection.field(), "commands[3].apply_tick");
  EXPECT_EQ(rejection.description(), "at most 3600 ahead");
}

TEST(CommandConvertTest, LeavesOutDescriptionsInTheTailOfALongAnswer) {
  constexpr std::size_t kLimit = 1 << 20;
  constexpr int kBatch = 4096;
  v1::SubmitCommandsResponse response;
  for (int i = 0; i < kBatch; ++i) {
    // Longer than any real one.
    ToProto(core::Error{ErrorCode::kSimulationVersionMismatch,
                        std::string(500, 'f'), std::string(500, 'd')},
            *response.add_results()->mutable_rejection());
  }
  EXPECT_GT(response.ByteSizeLong(), kLimit);
  BoundDescriptions(kLimit, response);
  EXPECT_LE(response.ByteSizeLong(), kLimit);
  EXPECT_GT(response.ByteSizeLong(), kLimit - 16 * 1024);
  int described = 0;
  for (const auto& result : response.results()) {
    const auto& rejection = result.rejection();
    EXPECT_FALSE(rejection.reason().empty());
    EXPECT_FALSE(rejection.field().empty());
    if (rejection.description().empty()) continue;
    // Those that are described come first.
    EXPECT_EQ(&result, &response.results(described));
    ++described;
  }
  EXPECT_GT(described, 1000);
  EXPECT_LT(described, kBatch);
}

TEST(CommandConvertTest, LeavesShortAnswersAlone) {
  v1::SubmitCommandsResponse response;
  response.add_results()->mutable_admission()->set_sequence(1);
  ToProto(core::Error{ErrorCode::kMalformed, "commands[1]", "no operation"},
          *response.add_results()->mutable_rejection());
  const std::string before = response.SerializeAsString();
  BoundDescriptions(1 << 20, response);
  EXPECT_EQ(response.SerializeAsString(), before);
}

}  // namespace
}  // namespace meander::convert
