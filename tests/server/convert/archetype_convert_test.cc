#include "server/convert/archetype_convert.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tests/server/convert/proto_walk.h"

namespace meander::convert {
namespace {

using core::ErrorCode;
using google::protobuf::FieldDescriptor;

core::Archetype Good(const v1::Archetype& archetype) {
  const auto result = ToCore(archetype, "archetype");
  if (result.ok()) return *result;
  ADD_FAILURE() << result.error().field << ": " << result.error().reason << "\n"
                << archetype.DebugString();
  return {};
}

v1::Archetype Shown(const core::Archetype& archetype) {
  v1::Archetype shown;
  ToProto(archetype, shown);
  return shown;
}

// For each behavior of the protocol an archetype with nothing left unset.
std::vector<v1::Archetype> FullOnes() {
  std::vector<v1::Archetype> all;
  const auto& behaviors = *v1::Term::descriptor()->FindOneofByName("behavior");
  for (int i = 0; i < behaviors.field_count(); ++i) {
    v1::Archetype& archetype = all.emplace_back();
    Fill(archetype);
    v1::Term& term = *archetype.mutable_terms(0);
    Fill(*term.GetReflection()->MutableMessage(&term, behaviors.field(i)));
  }
  return all;
}

// The same for what core has, whose fields differ from their defaults and from
// each other.
constexpr char kAll[] = R"(
  id: 3 max_speed: 4 max_force: 5 mass: 6 external: true
  overspeed_time_constant: 7 combine: COMBINE_FIRST_NONZERO
  limit_each_term: true force_plane: PLANE_XZ
  facing { turn_rate: 8 min_facing_speed: 9 }
  terms { weight: 0.5 gain: 0.25 level: 2 seek { slot: 1 } }
  terms { flee { slot: 1 range: 2 edge_inclusive: true
                 at_center: AT_CENTER_ZERO } }
  terms { arrive { slot: 1 slowing_radius: 2 stop: true } }
  terms { keep_away { slot: 1 radius: 2 } }
  terms { brake { } }
  terms { pursue { slot: 1 lead: LEAD_CLOSING max_prediction: 2
                   slowing_radius: 3 } }
  terms { evade { slot: 1 lead: LEAD_DISTANCE max_prediction: 2 } }
  terms { wander_world_angle { radius: 1 distance: 2 jitter: 3 } }
  terms { wander_spherical { radius: 1 distance: 2 jitter: 3 } }
  terms { wander_heading_offset { radius: 1 distance: 2 jitter: 3
                                  plane: PLANE_YZ } }
  terms { separation {
    neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                   max_neighbors: 4 }
    falloff: FALLOFF_NEAREST_FADE coincident: COINCIDENT_SKIP } }
  terms { alignment { neighborhood { radius: 1 field_of_view: 2
                                     neighbor_groups: 3 max_neighbors: 4 } } }
  terms { cohesion {
    neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                   max_neighbors: 4 }
    mode: COHESION_MODE_PULL } }
)";

core::Archetype All() {
  const core::Neighborhood near{1.0f, 2.0f, 3, 4};
  core::Archetype all;
  all.id = 3;
  all.max_speed = 4;
  all.max_force = 5;
  all.mass = 6;
  all.external = true;
  all.overspeed_time_constant = 7;
  all.combine = core::Combine::kFirstNonzero;
  all.limit_each_term = true;
  all.force_plane = core::Plane::kXZ;
  all.facing = core::Facing{8, 9};
  all.terms = {{0.5f, core::Seek{1}, 0.25f, 2},
               {1, core::Flee{1, 2.0f, true, core::AtCenter::kZero}},
               {1, core::Arrive{1, 2, true}},
               {1, core::KeepAway{1, 2}},
               {1, core::Brake{}},
               {1, core::Pursue{1, core::Lead::kClosing, 2.0f, 3}},
               {1, core::Evade{1, core::Lead::kDistance, 2.0f}},
               {1, core::WanderWorldAngle{1, 2, 3}},
               {1, core::WanderSpherical{1, 2, 3}},
               {1, core::WanderHeadingOffset{1, 2, 3, core::Plane::kYZ}},
               {1, core::Separation{near, core::Falloff::kNearestFade,
                                    core::Coincident::kSkip}},
               {1, core::Alignment{near}},
               {1, core::Cohesion{near, core::CohesionMode::kPull}}};
  return all;
}

TEST(ArchetypeConvertTest, ReadsEveryBehaviorAndParameter) {
  ASSERT_EQ(All().terms.size(), std::variant_size_v<core::Behavior>);
  EXPECT_EQ(Good(FromText<v1::Archetype>(kAll)), All());
}

TEST(ArchetypeConvertTest, ComesBackAsItWas) {
  for (const core::Archetype& archetype : {All(), core::Archetype{}}) {
    EXPECT_EQ(Good(Shown(archetype)), archetype);
  }
}

// So that a field or a behavior that is added to the protocol is converted,
// both ways.
TEST(ArchetypeConvertTest, NoFieldOfTheProtocolIsForgotten) {
  const std::vector<v1::Archetype> all = FullOnes();
  EXPECT_EQ(all.size(), std::variant_size_v<core::Behavior>);
  for (const v1::Archetype& archetype : all) {
    EXPECT_EQ(Shown(Good(archetype)).DebugString(), archetype.DebugString());
  }
}

TEST(ArchetypeConvertTest, EveryFieldCounts) {
  for (const v1::Archetype& archetype : FullOnes()) {
    v1::Archetype probe = archetype;
    const std::size_t leaves = Leaves(probe, "").size();
    for (std::size_t i = 0; i < leaves; ++i) {
      v1::Archetype changed = archetype;
      const Leaf leaf = Leaves(changed, "")[i];
      Change(leaf);
      EXPECT_FALSE(Good(changed) == Good(archetype)) << leaf.path;
    }
  }
}

TEST(ArchetypeConvertTest, EveryValueOfEveryEnumComesBack) {
  int values = 0;
  for (const v1::Archetype& archetype : FullOnes()) {
    v1::Archetype probe = archetype;
    const std::size_t leaves = Leaves(probe, "").size();
    for (std::size_t i = 0; i < leaves; ++i) {
      v1::Archetype changed = archetype;
      const Leaf leaf = Leaves(changed, "")[i];
      if (leaf.field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM) continue;
      for (int j = 0; j < leaf.field->enum_type()->value_count(); ++j) {
        SetEnum(leaf, j);
        v1::Archetype expected = changed;
        // UNSPECIFIED is shown as what it stands for.
        SetEnum(Leaves(expected, "")[i], j == 0 ? 1 : j);
        EXPECT_EQ(Shown(Good(changed)).DebugString(), expected.DebugString());
        ++values;
      }
    }
  }
  EXPECT_GT(values, 100);
}

TEST(ArchetypeConvertTest, NamesTheEnumWhoseNumberIsNone) {
  for (const v1::Archetype& archetype : FullOnes()) {
    v1::Archetype probe = archetype;
    const std::size_t leaves = Leaves(probe, "").size();
    for (std::size_t i = 0; i < leaves; ++i) {
      for (const int number : {-1, 99}) {
        v1::Archetype spoiled = archetype;
        const Leaf leaf = Leaves(spoiled, "a.b")[i];
        if (leaf.field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM) continue;
        SetEnum(leaf, number);
        const auto result = ToCore(spoiled, "a.b");
        ASSERT_FALSE(result.ok()) << leaf.path;
        EXPECT_EQ(result.error().field, leaf.path);
        EXPECT_EQ(result.error().code, ErrorCode::kMalformed);
        EXPECT_NE(result.error().reason.find(std::to_string(number)),
                  std::string::npos);
      }
    }
  }
}

TEST(ArchetypeConvertTest, FillsInTheDefaults) {
  const core::Archetype archetype = Good(FromText<v1::Archetype>(
      "id: 1 facing { turn_rate: 2 } "
      "terms { flee { } } terms { pursue { } } terms { evade { } } "
      "terms { separation { neighborhood { radius: 3 } } }"));
  core::Archetype want;
  want.facing = core::Facing{2, 1};
  want.terms = {{1, core::Flee{}},
                {1, core::Pursue{}},
                {1, core::Evade{}},
                {1, core::Separation{{.radius = 3}}}};
  EXPECT_EQ(archetype, want);
  EXPECT_EQ(std::get<core::Separation>(archetype.terms[3].behavior)
                .neighborhood.neighbor_groups,
            0xffffffffu);
  EXPECT_FALSE(Good(FromText<v1::Archetype>("id: 1")).facing.has_value());
}

TEST(ArchetypeConvertTest, TellsZeroFromUnset) {
  const core::Archetype archetype = Good(FromText<v1::Archetype>(
      "id: 1 facing { min_facing_speed: 0 } "
      "terms { weight: 0 gain: 0 flee { range: 0 } } "
      "terms { pursue { max_prediction: 0 } } "
      "terms { evade { max_prediction: 0 } } "
      "terms { alignment { neighborhood { field_of_view: 0 "
      "neighbor_groups: 0 } } }"));
  core::Archetype want;
  want.facing = core::Facing{0, 0};
  want.terms = {{0, core::Flee{.range = 0.0f}, 0},
                {1, core::Pursue{.max_prediction = 0.0f}},
                {1, core::Evade{.max_prediction = 0.0f}},
                {1, core::Alignment{{0.0f, 0.0f, 0, 0}}}};
  EXPECT_EQ(archetype, want);
  EXPECT_EQ(Good(Shown(archetype)), want);
}

TEST(ArchetypeConvertTest, ShowsDefaultsAndZerosAsTheyAre) {
  v1::Archetype shown;
  shown.add_terms();  // of another archetype
  shown.mutable_facing();
  ToProto(core::Archetype{}, shown);
  EXPECT_EQ(shown.mass(), 1.0f);
  EXPECT_EQ(shown.terms_size(), 0);
  EXPECT_FALSE(shown.external());
  EXPECT_FALSE(shown.has_facing());
  EXPECT_EQ(shown.combine(), v1::COMBINE_WEIGHTED_SUM);
  EXPECT_EQ(shown.force_plane(), v1::PLANE_NONE);
  core::Archetype flee;
  flee.terms = {{0.0f, core::Flee{}}};
  ToProto(flee, shown);
  ASSERT_EQ(shown.terms_size(), 1);
  EXPECT_TRUE(shown.terms(0).has_weight());
  EXPECT_EQ(shown.terms(0).weight(), 0.0f);
  EXPECT_EQ(shown.terms(0).gain(), 1.0f);
  EXPECT_FALSE(shown.terms(0).flee().has_range());
  EXPECT_EQ(shown.terms(0).flee().at_center(), v1::AT_CENTER_BRAKE);
}

TEST(ArchetypeConvertTest, NamesWhatIsWrongBelowItsPath) {
  const auto fault = [](const std::string& text) {
    const auto result = ToCore(FromText<v1::Archetype>(text), "a.b");
    return result.ok() ? "none" : result.error().field;
  };
  EXPECT_EQ(fault("terms { seek { } } terms { }"), "a.b.terms[1]");
  EXPECT_EQ(fault("terms { separation { } }"),
            "a.b.terms[0].separation.neighborhood");
  EXPECT_EQ(fault("terms { brake { } } terms { alignment { } }"),
            "a.b.terms[1].alignment.neighborhood");
  EXPECT_EQ(fault("terms { cohesion { } }"),
            "a.b.terms[0].cohesion.neighborhood");
  std::string many;
  for (int i = 0; i < 17; ++i) many += "terms { } ";
  EXPECT_EQ(fault(many), "a.b.terms");
}

}  // namespace
}  // namespace meander::convert
