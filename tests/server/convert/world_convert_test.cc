#include "server/convert/world_convert.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "meander/v1/world_service.pb.h"
#include "server/convert/agent_convert.h"
#include "tests/server/convert/proto_walk.h"

namespace meander::convert {
namespace {

using core::ErrorCode;

constexpr std::int64_t kServerLimit = 1'000'000;
constexpr char kSimulationPath[] = "world.simulation";

v1::SimulationConfig FullConfig() {
  v1::SimulationConfig config;
  config.set_seed(0xfedcba9876543210);
  config.set_tick_rate_hz(30);
  config.set_plane(v1::PLANE_NONE);
  ToProto(core::Vec3{-10, -20, -30}, *config.mutable_bounds()->mutable_min());
  ToProto(core::Vec3{11, 21, 31}, *config.mutable_bounds()->mutable_max());
  config.mutable_bounds()->set_mode(v1::BOUNDS_MODE_OPEN);
  config.set_max_agents(77);
  config.set_cell_size(2.5f);
  return config;
}

Simulation Good(const v1::SimulationConfig& config) {
  core::Violations violations;
  Simulation out = ToCore(config, kServerLimit, kSimulationPath, violations);
  EXPECT_TRUE(violations.empty());
  return out;
}

core::Violations Bad(const v1::SimulationConfig& config) {
  core::Violations violations;
  (void)ToCore(config, kServerLimit, kSimulationPath, violations);
  return violations;
}

TEST(WorldConvertTest, ReadsEveryField) {
  const Simulation simulation = Good(FullConfig());
  EXPECT_EQ(simulation.seed, 0xfedcba9876543210);
  EXPECT_EQ(simulation.config.tick_rate_hz, 30);
  EXPECT_EQ(simulation.config.plane, core::Plane::kNone);
  EXPECT_EQ(simulation.config.bounds_min, (core::Vec3{-10, -20, -30}));
  EXPECT_EQ(simulation.config.bounds_max, (core::Vec3{11, 21, 31}));
  EXPECT_EQ(simulation.config.bounds_mode, core::BoundsMode::kOpen);
  EXPECT_EQ(simulation.config.max_agents, 77);
  EXPECT_EQ(simulation.config.cell_size, 2.5f);
}

TEST(WorldConvertTest, EveryFieldCounts) {
  v1::SimulationConfig config = FullConfig();
  const std::size_t leaves = Leaves(config, "").size();
  EXPECT_EQ(leaves, 12u);
  for (std::size_t i = 0; i < leaves; ++i) {
    v1::SimulationConfig changed = FullConfig();
    const Leaf leaf = Leaves(changed, kSimulationPath)[i];
    Change(leaf);
    EXPECT_FALSE(Good(changed) == Good(FullConfig())) << leaf.path;
  }
}

TEST(WorldConvertTest, ShowsEveryFieldAndComesBack) {
  for (const v1::Plane plane :
       {v1::PLANE_NONE, v1::PLANE_XY, v1::PLANE_XZ, v1::PLANE_YZ}) {
    for (const v1::BoundsMode mode :
         {v1::BOUNDS_MODE_OPEN, v1::BOUNDS_MODE_CLAMP, v1::BOUNDS_MODE_WRAP}) {
      v1::SimulationConfig config = FullConfig();
      config.set_plane(plane);
      config.mutable_bounds()->set_mode(mode);
      const Simulation simulation = Good(config);
      v1::SimulationConfig shown;
      ToProto(simulation, shown);
      EXPECT_EQ(shown.plane(), plane);
      EXPECT_EQ(shown.bounds().mode(), mode);
      EXPECT_EQ(Good(shown), simulation);
      std::vector<const google::protobuf::FieldDescriptor*> set;
      shown.GetReflection()->ListFields(shown, &set);
      EXPECT_EQ(static_cast<int>(set.size()),
                shown.GetDescriptor()->field_count());
    }
  }
}

TEST(WorldConvertTest, FillsInTheDefaultsThatTheProtocolNames) {
  const Simulation simulation = Good(v1::SimulationConfig());
  EXPECT_EQ(simulation, (Simulation{core::SimulationConfig{}, 0}));
  v1::SimulationConfig shown;
  ToProto(simulation, shown);
  EXPECT_EQ(shown.tick_rate_hz(), 60);
  EXPECT_EQ(shown.plane(), v1::PLANE_NONE);
  EXPECT_EQ(shown.bounds().min().x(), -2048.0f);
  EXPECT_EQ(shown.bounds().max().z(), 2048.0f);
  EXPECT_EQ(shown.bounds().mode(), v1::BOUNDS_MODE_OPEN);
  EXPECT_EQ(shown.max_agents(), 100'000);
  EXPECT_EQ(shown.cell_size(), 8.0f);
}

TEST(WorldConvertTest, FlattensBoundsOffThePlane) {
  v1::SimulationConfig config;
  config.set_plane(v1::PLANE_XZ);
  const Simulation simulation = Good(config);
  EXPECT_EQ(simulation.config.bounds_min, (core::Vec3{-2048, 0, -2048}));
  EXPECT_EQ(simulation.config.bounds_max, (core::Vec3{2048, 0, 2048}));
}

TEST(WorldConvertTest, KeepsToTheServersLimitOfAgents) {
  core::Violations violations;
  EXPECT_EQ(ToCore({}, 500, kSimulationPath, violations).config.max_agents,
            500);
  EXPECT_TRUE(violations.empty());

  v1::SimulationConfig config;
  config.set_max_agents(501);
  (void)ToCore(config, 500, kSimulationPath, violations);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(violations[0].field, "world.simulation.max_agents");
  EXPECT_NE(violations[0].reason.find("500"), std::string::npos);
}

struct BadField {
  std::string field;
  ErrorCode code;
  std::function<void(v1::SimulationConfig&)> spoil;
};

TEST(WorldConvertTest, NamesEveryFieldAtFault) {
  const BadField cases[] = {
      {"tick_rate_hz", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_tick_rate_hz(1001); }},
      {"tick_rate_hz", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_tick_rate_hz(-1); }},
      {"plane", ErrorCode::kMalformed,
       [](auto& c) { c.set_plane(static_cast<v1::Plane>(5)); }},
      {"plane", ErrorCode::kMalformed,
       [](auto& c) { c.set_plane(static_cast<v1::Plane>(-1)); }},
      {"bounds.mode", ErrorCode::kMalformed,
       [](auto& c) {
         c.mutable_bounds()->set_mode(static_cast<v1::BoundsMode>(4));
       }},
      {"bounds.min.x", ErrorCode::kOutOfBounds,
       [](auto& c) { c.mutable_bounds()->mutable_min()->set_x(-16385.0f); }},
      {"bounds.max.y", ErrorCode::kOutOfBounds,
       [](auto& c) { c.mutable_bounds()->mutable_max()->set_y(16385.0f); }},
      {"bounds.max.z", ErrorCode::kOutOfBounds,
       [](auto& c) { c.mutable_bounds()->mutable_max()->set_z(-30.0f); }},
      {"max_agents", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_max_agents(-1); }},
      {"max_agents", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_max_agents(1'000'001); }},
      {"bounds.max.y", ErrorCode::kOutOfBounds,
       [](auto& c) {
         c.mutable_bounds()->set_mode(v1::BOUNDS_MODE_WRAP);
         c.mutable_bounds()->mutable_max()->set_y(-19.5f);
       }},
      {"cell_size", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_cell_size(0.015f); }},
      {"cell_size", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_cell_size(-1.0f); }},
      {"cell_size", ErrorCode::kOutOfBounds,
       [](auto& c) { c.set_cell_size(32769.0f); }},
  };
  for (const BadField& bad : cases) {
    v1::SimulationConfig config = FullConfig();
    bad.spoil(config);
    const core::Violations violations = Bad(config);
    ASSERT_EQ(violations.size(), 1u) << bad.field;
    EXPECT_EQ(violations[0].field, "world.simulation." + bad.field);
    EXPECT_EQ(violations[0].code, bad.code) << bad.field;
    EXPECT_TRUE(LeadsToField(*v1::CreateWorldRequest::descriptor(),
                             violations[0].field));
  }
}

TEST(WorldConvertTest, RefusesNumbersThatAreNone) {
  v1::SimulationConfig config = FullConfig();
  const std::size_t leaves = Leaves(config, "").size();
  for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
    for (std::size_t i = 0; i < leaves; ++i) {
      v1::SimulationConfig spoiled = FullConfig();
      const Leaf leaf = Leaves(spoiled, kSimulationPath)[i];
      if (leaf.field->cpp_type() !=
          google::protobuf::FieldDescriptor::CPPTYPE_FLOAT) {
        continue;
      }
      SetFloat(leaf, value);
      const core::Violations violations = Bad(spoiled);
      ASSERT_EQ(violations.size(), 1u) << leaf.path;
      EXPECT_EQ(violations[0].field, leaf.path);
      EXPECT_EQ(violations[0].code, ErrorCode::kNonFinite);
    }
  }
}

TEST(WorldConvertTest, ReportsAllFieldsAtFaultAtOnce) {
  v1::SimulationConfig config = FullConfig();
  config.set_tick_rate_hz(5000);
  config.set_plane(static_cast<v1::Plane>(99));
  config.set_max_agents(-5);
  EXPECT_EQ(Bad(config).size(), 3u);
}

TEST(WorldConvertTest, OnlyTheServerSetsWhatIsOutputOnly) {
  v1::World world;
  world.mutable_simulation()->set_seed(1);
  world.mutable_hosting()->set_clock_mode(v1::CLOCK_MODE_MANUAL);
  (*world.mutable_labels())["a"] = "b";
  core::Violations violations;
  CheckOutputOnly(world, "world", violations);
  EXPECT_TRUE(violations.empty());

  world.set_name("worlds/a");
  world.set_uid("0");
  world.set_tick(1);
  world.set_epoch(1);
  world.set_state_hash(1);
  world.set_agent_count(1);
  world.set_archetype_count(1);
  world.set_pending_command_count(1);
  world.mutable_command_outcomes();
  world.set_bound_stops(1);
  world.set_slipped_ticks(1);
  world.set_state(v1::WORLD_STATE_PAUSED);
  world.add_hints("none");
  CheckOutputOnly(world, "world", violations);
  EXPECT_EQ(static_cast<int>(violations.size()),
            world.GetDescriptor()->field_count() - 3);
  for (const core::Error& violation : violations) {
    EXPECT_EQ(violation.code, ErrorCode::kMalformed);
    EXPECT_TRUE(
        LeadsToField(*v1::CreateWorldRequest::descriptor(), violation.field))
        << violation.field;
  }
}

TEST(WorldConvertTest, EachCornerOfTheBoundsHasItsOwnDefault) {
  v1::SimulationConfig config;
  config.mutable_bounds()->set_mode(v1::BOUNDS_MODE_CLAMP);
  core::Violations violations;
  EXPECT_EQ(ToCore(config, 1000, "", violations).config.bounds_min,
            (core::Vec3{-2048, -2048, -2048}));
  config.mutable_bounds()->mutable_min()->set_x(5.0f);
  const core::SimulationConfig bounded =
      ToCore(config, 1000, "", violations).config;
  EXPECT_EQ(bounded.bounds_min, (core::Vec3{5, 0, 0}));
  EXPECT_EQ(bounded.bounds_max, (core::Vec3{2048, 2048, 2048}));
  EXPECT_EQ(bounded.bounds_mode, core::BoundsMode::kClamp);
  EXPECT_TRUE(violations.empty());
}

}  // namespace
}  // namespace meander::convert
