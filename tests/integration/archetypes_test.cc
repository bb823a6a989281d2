// Archetypes and agents with all their parameters: each is shown as it was
// given, and each that is out of its range is refused by its name.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::TextFormat;

// Of an archetype, the text with "%" in place of a value; the field that it
// fills; and values that the field cannot have.
struct Range {
  std::string text;
  std::string field;
  std::string values;  // separated by blanks
};

constexpr char kSlots[] = "-1 4";
constexpr char kDistances[] = "-1 -1e-30 16385 nan inf -inf";
constexpr char kUpToAMillion[] = "-1 1000001 nan inf -inf";
constexpr char kFactors[] = "-1001 1001 nan inf -inf";
constexpr char kNoEnum[] = "-1 77";

// The same fields of a behavior that others have, too.
void AddFields(const std::string& behavior,
               const std::vector<std::pair<std::string, std::string>>& fields,
               std::vector<Range>& ranges) {
  for (const auto& [field, values] : fields) {
    ranges.push_back({"terms { " + behavior + " { " + field + ": % } }",
                      "terms[0]." + behavior + "." + field, values});
  }
}

std::vector<Range> Ranges() {
  std::vector<Range> ranges = {
      {"id: %", "id", "0 -1 1025"},
      {"max_speed: %", "max_speed", kUpToAMillion},
      {"max_force: %", "max_force", kUpToAMillion},
      {"mass: %", "mass", "-1 0.0009 1000001 nan inf -inf"},
      {"overspeed_time_constant: %", "overspeed_time_constant", kUpToAMillion},
      {"combine: %", "combine", kNoEnum},
      {"force_plane: %", "force_plane", kNoEnum},
      {"facing { turn_rate: % }", "facing.turn_rate", kUpToAMillion},
      {"facing { min_facing_speed: % }", "facing.min_facing_speed",
       kUpToAMillion},
      {"terms { seek { } } terms { brake { } weight: % }", "terms[1].weight",
       kFactors},
      {"terms { brake { } gain: % }", "terms[0].gain", kFactors},
      {"terms { brake { } level: % }", "terms[0].level", "-1 1001"},
  };
  AddFields("seek", {{"slot", kSlots}}, ranges);
  AddFields("flee",
            {{"slot", kSlots}, {"range", kDistances}, {"at_center", kNoEnum}},
            ranges);
  AddFields("arrive", {{"slot", kSlots}, {"slowing_radius", kDistances}},
            ranges);
  AddFields("keep_away", {{"slot", kSlots}, {"radius", kDistances}}, ranges);
  AddFields("pursue",
            {{"slot", kSlots},
             {"lead", kNoEnum},
             {"max_prediction", kUpToAMillion},
             {"slowing_radius", kDistances}},
            ranges);
  AddFields(
      "evade",
      {{"slot", kSlots}, {"lead", kNoEnum}, {"max_prediction", kUpToAMillion}},
      ranges);
  for (const char* wander :
       {"wander_world_angle", "wander_spherical", "wander_heading_offset"}) {
    AddFields(wander,
              {{"radius", kDistances},
               {"distance", kDistances},
               {"jitter", kUpToAMillion}},
              ranges);
  }
  AddFields("wander_heading_offset", {{"plane", kNoEnum}}, ranges);
  for (const std::string behavior : {"separation", "alignment", "cohesion"}) {
    for (const auto& [field, values] :
         {std::pair("radius", kDistances),
          std::pair("field_of_view", "-1 6.3 nan inf -inf"),
          std::pair("max_neighbors", "-1 1025")}) {
      ranges.push_back(
          {"terms { " + behavior + " { neighborhood { " + field + ": % } } }",
           "terms[0]." + behavior + ".neighborhood." + field, values});
    }
  }
  const std::string around = " neighborhood { radius: 1 } ";
  ranges.push_back({"terms { separation {" + around + "falloff: % } }",
                    "terms[0].separation.falloff", kNoEnum});
  ranges.push_back({"terms { separation {" + around + "coincident: % } }",
                    "terms[0].separation.coincident", kNoEnum});
  ranges.push_back({"terms { cohesion {" + around + "mode: % } }",
                    "terms[0].cohesion.mode", kNoEnum});
  return ranges;
}

// What is not a matter of one value.
std::vector<Range> Contradictions() {
  const std::string seek = "terms { seek { } } ";
  std::string many;
  for (int i = 0; i < 17; ++i) many += seek;
  return {
      {many, "terms", ""},
      {seek + "terms { }", "terms[1]", ""},
      {seek + "terms { separation { } }", "terms[1].separation.neighborhood",
       ""},
      {"external: true " + seek, "terms", ""},
      {"external: true facing { turn_rate: 1 }", "facing", ""},
      {"terms { arrive { slowing_radius: 1 stop: true } }",
       "terms[0].arrive.slowing_radius", ""},
      {"terms { wander_world_angle { } } terms { wander_spherical { } }",
       "terms[1]", ""},
  };
}

v1::Archetype Archetype(const std::string& text) {
  v1::Archetype archetype;
  archetype.set_id(1);
  v1::Archetype given;
  EXPECT_TRUE(TextFormat::ParseFromString(text, &given)) << text;
  archetype.MergeFrom(given);
  // A 0 that is given is not one that is merged.
  if (text.starts_with("id: ")) archetype.set_id(given.id());
  return archetype;
}

v1::Command Define(const v1::Archetype& archetype) {
  v1::Command command;
  *command.mutable_define_archetype()->mutable_archetype() = archetype;
  return command;
}

class ArchetypesTest : public testing::Test {
 protected:
  // Whole, with the field, though what comes before it is well.
  void ExpectRefused(const v1::Archetype& archetype, const std::string& field) {
    v1::SubmitCommandsRequest request;
    request.set_world(world_);
    request.set_all_or_nothing(true);
    *request.add_commands() = DefineSeeker(7);
    *request.add_commands() = Define(archetype);
    const Refusal refusal = Explain(client_.Submit(request));
    EXPECT_EQ(refusal.code, grpc::StatusCode::INVALID_ARGUMENT)
        << archetype.ShortDebugString();
    EXPECT_TRUE(
        refusal.Names("commands[1].define_archetype.archetype." + field))
        << archetype.ShortDebugString() << ": " << refusal.message;
  }

  std::vector<v1::Archetype> List() {
    v1::ListArchetypesRequest request;
    request.set_world(world_);
    v1::ListArchetypesResponse response;
    const grpc::Status status = client_.ListArchetypes(request, &response);
    EXPECT_TRUE(status.ok()) << Show(status);
    return {response.archetypes().begin(), response.archetypes().end()};
  }

  void ExpectUntouched() {
    client_.MustStep(world_, 1);
    EXPECT_TRUE(List().empty());
    const v1::World world = client_.MustGet(world_);
    EXPECT_EQ(world.pending_command_count(), 0);
    EXPECT_EQ(world.command_outcomes().applied(), 0);
  }

  ServerProcess server_;
  Client client_{server_.address()};
  std::string world_ = client_.MustCreate("here");
};

TEST_F(ArchetypesTest, EveryValueOutOfRangeIsRefusedByItsField) {
  for (const Range& range : Ranges()) {
    std::istringstream values(range.values);
    for (std::string value; values >> value;) {
      std::string text = range.text;
      ExpectRefused(Archetype(text.replace(text.find('%'), 1, value)),
                    range.field);
    }
  }
  ExpectUntouched();
}

TEST_F(ArchetypesTest, WhatContradictsItselfIsRefused) {
  for (const Range& range : Contradictions()) {
    ExpectRefused(Archetype(range.text), range.field);
  }
  ExpectUntouched();
}

// The number or enum at the end of a path such as "terms[0].seek.slot".
const FieldDescriptor* FieldAt(std::string path) {
  const Descriptor* type = v1::Archetype::descriptor();
  for (;;) {
    const std::size_t dot = path.find('.');
    const FieldDescriptor* field =
        type->FindFieldByName(path.substr(0, path.find_first_of(".[")));
    if (field == nullptr || dot == std::string::npos) return field;
    type = field->message_type();
    path = path.substr(dot + 1);
  }
}

// So that a parameter that is added to the protocol has its range tested.
TEST(ArchetypeRangesTest, CoverEveryParameter) {
  // Any bits and any bool will do.
  std::set<std::string> covered = {"meander.v1.Neighborhood.neighbor_groups"};
  for (const Range& range : Ranges()) {
    ASSERT_NE(FieldAt(range.field), nullptr) << range.field;
    covered.insert(FieldAt(range.field)->full_name());
  }
  for (const auto* file :
       {v1::Archetype::descriptor()->file(), v1::Seek::descriptor()->file()}) {
    for (int i = 0; i < file->message_type_count(); ++i) {
      const Descriptor& type = *file->message_type(i);
      for (int j = 0; j < type.field_count(); ++j) {
        const FieldDescriptor& field = *type.field(j);
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE ||
            field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
          continue;
        }
        EXPECT_TRUE(covered.contains(field.full_name())) << field.full_name();
      }
    }
  }
}

// All that an archetype can say, with one form of wander each.
constexpr char kEverything[] = R"(
  id: 1 max_speed: 4 max_force: 5 mass: 6 overspeed_time_constant: 7
  combine: COMBINE_PRIORITY_BUDGET limit_each_term: true
  force_plane: PLANE_XZ facing { turn_rate: 8 min_facing_speed: 9 }
  terms { weight: -2 gain: 3 level: 4 seek { slot: 1 } }
  terms { weight: 1 gain: 1 flee { slot: 1 range: 2 edge_inclusive: true
          at_center: AT_CENTER_ZERO } }
  terms { weight: 1 gain: 1 flee { at_center: AT_CENTER_BRAKE } }
  terms { weight: 1 gain: 1 arrive { slot: 1 slowing_radius: 2 } }
  terms { weight: 1 gain: 1 arrive { stop: true } }
  terms { weight: 1 gain: 1 keep_away { slot: 1 radius: 2 } }
  terms { weight: 1 gain: 1 brake { } }
  terms { weight: 1 gain: 1 pursue { slot: 1 lead: LEAD_CLOSING
          max_prediction: 2 slowing_radius: 3 } }
  terms { weight: 1 gain: 1 evade { slot: 1 lead: LEAD_DISTANCE
          max_prediction: 2 } }
  terms { weight: 1 gain: 1 separation {
    neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                   max_neighbors: 4 }
    falloff: FALLOFF_LINEAR coincident: COINCIDENT_SKIP } }
  terms { weight: 1 gain: 1 alignment {
    neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                   max_neighbors: 4 } } }
  terms { weight: 1 gain: 1 cohesion {
    neighborhood { radius: 1 field_of_view: 2 neighbor_groups: 3
                   max_neighbors: 4 }
    mode: COHESION_MODE_PULL } }
)";
constexpr char kWanders[] =
    "combine: COMBINE_WEIGHTED_SUM mass: 1 "
    "force_plane: PLANE_NONE "
    "terms { weight: 1 gain: 1 ";

TEST_F(ArchetypesTest, EveryParameterIsShownAsItWasGiven) {
  const std::vector<v1::Archetype> given = {
      Archetype(kEverything),
      Archetype(std::string("id: 2 ") + kWanders +
                "wander_world_angle { radius: 1 distance: 2 jitter: 3 } }"),
      Archetype(std::string("id: 3 ") + kWanders +
                "wander_spherical { radius: 1 distance: 2 jitter: 3 } }"),
      Archetype(std::string("id: 4 ") + kWanders +
                "wander_heading_offset { radius: 1 distance: 2 jitter: 3 "
                "plane: PLANE_YZ } }")};
  std::vector<v1::Command> commands;
  for (const v1::Archetype& archetype : given) {
    commands.push_back(Define(archetype));
  }
  ExpectAdmitted(client_.MustSubmit(world_, commands));
  client_.MustStep(world_, 1);
  const std::vector<v1::Archetype> shown = List();
  ASSERT_EQ(shown.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_EQ(shown[i].DebugString(), given[i].DebugString());
  }
}

// At speed 0 and with no jitter a wander stays where it began.
TEST_F(ArchetypesTest, AgentsShowWhatTheyStartedWith) {
  const auto spawn = [](int archetype) {
    v1::Command command;
    EXPECT_TRUE(TextFormat::ParseFromString(
        "spawn_agents { agents { agents { archetype_id: " +
            std::to_string(archetype) +
            " groups: 2147483649 facing { y: 3 z: 4 } wander_angle: 0.5 "
            "wander_elevation: 0.25 wander_offset { x: 3 z: -4 } "
            "wander_heading { y: -2 } } } }",
        &command));
    return command;
  };
  std::vector<v1::Command> commands;
  int id = 0;
  for (const char* wander :
       {"wander_world_angle", "wander_spherical", "wander_heading_offset"}) {
    v1::Archetype archetype =
        Archetype(std::string("terms { ") + wander + " { radius: 1 } }");
    archetype.set_id(++id);
    commands.push_back(Define(archetype));
    commands.push_back(spawn(id));
  }
  ExpectAdmitted(client_.MustSubmit(world_, commands));
  client_.MustStep(world_, 1);
  for (int i = 1; i <= id; ++i) {
    v1::GetAgentResponse response;
    ASSERT_TRUE(client_.GetAgent(world_, i, &response).ok());
    const v1::Agent& agent = response.agent();
    EXPECT_EQ(agent.groups(), 2147483649u);
    EXPECT_FLOAT_EQ(agent.facing().y(), 0.6f);
    EXPECT_FLOAT_EQ(agent.facing().z(), 0.8f);
    EXPECT_NEAR(agent.wander_angle(), i == 3 ? 0.0f : 0.5f, 1e-6f);
    EXPECT_EQ(agent.wander_elevation(), i == 2 ? 0.25f : 0.0f);
    EXPECT_NEAR(agent.wander_offset().x(), i == 3 ? 0.6f : 0.0f, 1e-6f);
    EXPECT_NEAR(agent.wander_offset().z(), i == 3 ? -0.8f : 0.0f, 1e-6f);
    EXPECT_NEAR(agent.wander_heading().y(), i == 3 ? -1.0f : 0.0f, 1e-6f);
  }
}

TEST_F(ArchetypesTest, AgentsHaveGroupOneAndDrawnWandersUnlessGiven) {
  v1::Archetype archetype =
      Archetype("terms { wander_heading_offset { radius: 1 } }");
  v1::Command unset;
  ASSERT_TRUE(TextFormat::ParseFromString(
      "spawn_agents { agents { agents { archetype_id: 1 } "
      "agents { archetype_id: 1 groups: 0 } } }",
      &unset));
  ExpectAdmitted(client_.MustSubmit(world_, {Define(archetype), unset}));
  client_.MustStep(world_, 1);
  v1::GetAgentResponse first;
  v1::GetAgentResponse second;
  ASSERT_TRUE(client_.GetAgent(world_, 1, &first).ok());
  ASSERT_TRUE(client_.GetAgent(world_, 2, &second).ok());
  EXPECT_EQ(first.agent().groups(), 1u);
  EXPECT_EQ(second.agent().groups(), 0u);
  EXPECT_EQ(first.agent().facing().x(), 1.0f);
  EXPECT_NE(first.agent().wander_offset().x(),
            second.agent().wander_offset().x());
}

}  // namespace
}  // namespace meander
