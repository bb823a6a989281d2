// Every case of steering.json, on the kernels that step worlds.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/math/trig.h"
#include "core/steering/combine.h"
#include "core/steering/pursue.h"
#include "core/steering/start_wander.h"
#include "gtest/gtest.h"
#include "tests/conformance/case_world.h"
#include "tests/conformance/moving_table.h"
#include "tests/conformance/vectors.h"
#include "tests/conformance/wander_case.h"

namespace meander::core {
namespace {

using nlohmann::json;

constexpr std::int32_t kTicksPerSecond = 60;

Archetype ArchetypeOf(const VectorCase& test) {
  return MakeArchetype(TheMovingTable().archetypes.at(test.origin),
                       test.inputs);
}

CaseWorld WorldOf(const VectorCase& test) {
  CaseWorld world(ArchetypeOf(test), Plane::kNone, kTicksPerSecond);
  const json& agent = test.inputs.at("agent");
  world.SetMotion(ToVec3(agent.at("position")), ToVec3(agent.at("velocity")));
  return world;
}

void SteersAlike(const VectorCase& test) {
  CaseWorld world = WorldOf(test);
  const json& inputs = test.inputs;
  for (const char* const place : {"target", "point"}) {
    if (inputs.contains(place)) world.SetTarget(ToVec3(inputs.at(place)));
  }
  if (inputs.contains("target_position")) {
    world.SetTarget(ToVec3(inputs.at("target_position")),
                    ToVec3(inputs.at("target_velocity")));
  }
  if (inputs.contains("neighbours")) {
    for (const json& other : inputs.at("neighbours")) {
      world.AddNeighbor(ToVec3(other.at("position")),
                        ToVec3(other.at("velocity")));
    }
  }
  ExpectNear(world.Steer(), test.expected.at("force"), test.Tolerance(),
             "force");
}

void LooksAheadAlike(const VectorCase& test) {
  const Archetype archetype = ArchetypeOf(test);
  const auto& pursue = std::get<Pursue>(archetype.terms.at(0).behavior);
  const Vec3 r = test.InputVector("target_position") -
                 ToVec3(test.inputs.at("agent").at("position"));
  const float time =
      LeadTime(pursue.lead, r, test.InputVector("target_velocity"),
               archetype.max_speed, pursue.max_prediction);
  const json& wanted = test.expected.contains("t")
                           ? test.expected.at("t")
                           : test.expected.at("t_heuristic");
  EXPECT_TRUE(IsFinite(time));
  EXPECT_GE(time, 0.0f);
  if (!wanted.is_number()) return;
  const double t = wanted;
  EXPECT_NEAR(double{time}, t, 1.0e-4 * t);
}

void ExpectAngle(float actual, const json& wanted, const char* what) {
  EXPECT_NEAR(std::remainder(double{actual} - wanted.get<double>(),
                             2.0 * std::numbers::pi),
              0.0, 1.0e-4)
      << what;
}

void WandersAlike(const VectorCase& test) {
  CaseWorld world = WorldOf(test);
  const json& inputs = test.inputs;
  WanderState start;
  if (inputs.contains("angle")) {
    start.turn = TurnFromRadians(test.Input("angle"));
  }
  if (inputs.contains("elevation")) start.elevation = test.Input("elevation");
  if (inputs.contains("offset")) {
    start.offset = test.InputVector("offset");
    start.heading = test.InputVector("heading");
  }
  world.SetWander(start);
  const Archetype archetype = ArchetypeOf(test);
  const std::vector<float> draws = inputs.at("draws");
  ASSERT_EQ(LanesOf(WanderFormOf(archetype)), test.expected.at("draws_used"));
  ASSERT_EQ(draws.size(), test.expected.at("draws_used"));
  const Vec3 force =
      std::visit(WanderStep{world, draws}, archetype.terms.at(0).behavior);

  ExpectNear(force, test.expected.at("force"), test.Tolerance(), "force");
  const WanderState end = world.subject().Wander(0);
  const json& expected = test.expected;
  if (expected.contains("angle")) {
    ExpectAngle(RadiansFromTurn(end.turn), expected.at("angle"), "angle");
  }
  if (expected.contains("elevation")) {
    EXPECT_NEAR(double{end.elevation}, expected.at("elevation").get<double>(),
                1.0e-4);
  }
  if (expected.contains("offset")) {
    ExpectNear(end.offset, expected.at("offset"), 1.0e-4, "offset");
    ExpectNear(end.heading, expected.at("heading"), 1.0e-4, "heading");
  }
}

void StartsToWanderAlike(const VectorCase& test) {
  const std::vector<float> draws = test.inputs.at("draws");
  ASSERT_EQ(draws.size(), kStartOffsetLanes.count + kStartHeadingLanes.count);
  Archetype archetype = ArchetypeOf(test);
  WanderStartUniforms uniforms;
  std::copy_n(draws.begin(), 3, uniforms.offset.begin());
  std::copy_n(draws.begin() + 3, 3, uniforms.heading.begin());
  const WanderState start =
      StartWander(archetype, Plane::kNone, uniforms, WanderGiven{});
  ExpectNear(start.offset, test.expected.at("offset"), 1.0e-4, "offset");
  ExpectNear(start.heading, test.expected.at("heading"), 1.0e-4, "heading");
}

bool HasNegativeLimit(const VectorCase& test) {
  return test.origin == "limit/godot" && test.Input("limit") < 0.0f;
}

void LimitsAlike(const VectorCase& test) {
  Vec3 vector = test.InputVector("vector");
  float limit = ArchetypeOf(test).max_force;
  if (HasNegativeLimit(test)) {
    vector = -vector;
    limit = -limit;
  }
  ExpectNear(ClampLength(vector, limit), test.expected.at("vector"),
             test.Tolerance(), "vector");
}

// The terms' forces, level by level, as SteerBlock sums and combines them.
void CombinesAlike(const VectorCase& test) {
  float sums[2][3] = {};
  const ForceColumns level{&sums[0][0], &sums[0][1], &sums[0][2]};
  const ForceColumns total{&sums[1][0], &sums[1][1], &sums[1][2]};
  SteeringBlock block;
  block.rows = 1;
  block.force_x = level.x;
  block.force_y = level.y;
  block.force_z = level.z;
  std::vector<Term> terms;
  Archetype archetype;
  const json& given = test.inputs.at("terms");
  for (std::size_t i = 0; i < given.size(); ++i) {
    json inputs = given.at(i);
    inputs["budget"] = test.inputs.at("budget");
    archetype = MakeArchetype(TheMovingTable().archetypes.at(test.origin),
                              inputs, static_cast<std::int32_t>(i));
    terms.push_back(archetype.terms.at(0));
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    block.term.weight = terms[i].weight;
    block.AddForce(0, ToVec3(given.at(i).at("force")));
    const bool level_ends =
        i + 1 == terms.size() || terms[i + 1].level != terms[i].level;
    if (!level_ends) continue;
    CombineLevel(archetype.combine, archetype.max_force, level, total, 1);
    std::fill_n(sums[0], 3, 0.0f);
  }
  Vec3 force{sums[1][0], sums[1][1], sums[1][2]};
  const bool clamped = test.origin.find("clamped") != std::string::npos;
  if (clamped) force = ClampLength(force, archetype.max_force);
  ExpectNear(force, test.expected.at("force"), test.Tolerance(), "force");
}

// How many steps there are in a second; none when it is no whole number.
std::int32_t TickRateOf(const VectorCase& test) {
  const double rate = 1.0 / test.inputs.at("dt").get<double>();
  const double whole = std::round(rate);
  return std::fabs(rate - whole) < 1.0e-6 ? static_cast<std::int32_t>(whole)
                                          : 0;
}

void StepsAlike(const VectorCase& test) {
  // A step takes dt, or kTicksPerSecond-th of another unit of time.
  const std::int32_t rate = TickRateOf(test);
  const std::int32_t ticks = rate == 0 ? kTicksPerSecond : rate;
  const float unit =
      rate == 0 ? test.Input("dt") * static_cast<float>(ticks) : 1.0f;
  Archetype archetype = ArchetypeOf(test);
  archetype.max_speed *= unit;
  archetype.max_force *= unit * unit;
  archetype.overspeed_time_constant /= unit;
  CaseWorld world(archetype, Plane::kNone, ticks);
  const json& agent = test.inputs.at("agent");
  world.SetMotion(ToVec3(agent.at("position")),
                  ToVec3(agent.at("velocity")) * unit);
  world.Integrate(test.InputVector("force") * (unit * unit));
  ExpectNear(world.Position(), test.expected.at("position"), test.Tolerance(),
             "position");
  ExpectNear(world.Velocity() / unit, test.expected.at("velocity"),
             test.Tolerance(), "velocity");
}

void FacesAlike(const VectorCase& test) {
  CaseWorld world(ArchetypeOf(test), Plane::kXY, TickRateOf(test));
  const double before = test.inputs.at("rotation");
  world.SetMotion({}, test.InputVector("velocity"));
  world.SetFacing({static_cast<float>(std::cos(before)),
                   static_cast<float>(std::sin(before)), 0.0f});
  world.Integrate({});
  const Vec3 facing = world.subject().FacingOf(0);
  EXPECT_NEAR(double{Length(facing)}, 1.0, 1.0e-6);
  ExpectAngle(Atan2(facing.y, facing.x), test.expected.at("rotation"),
              "rotation");
}

const std::map<std::string, std::function<void(const VectorCase&)>>& Checks() {
  static const auto* const runs =
      new std::map<std::string, std::function<void(const VectorCase&)>>{
          {"seek", SteersAlike},
          {"flee", SteersAlike},
          {"arrive", SteersAlike},
          {"keep_away", SteersAlike},
          {"brake", SteersAlike},
          {"pursue", SteersAlike},
          {"evade", SteersAlike},
          {"separation", SteersAlike},
          {"alignment", SteersAlike},
          {"cohesion", SteersAlike},
          {"intercept_time", LooksAheadAlike},
          {"look_ahead", LooksAheadAlike},
          {"wander", WandersAlike},
          {"wander_spherical", WandersAlike},
          {"wander_state", StartsToWanderAlike},
          {"limit", LimitsAlike},
          {"blend", CombinesAlike},
          {"blend_clamped", CombinesAlike},
          {"add_within_chain", CombinesAlike},
          {"prioritize", CombinesAlike},
          {"first_nonzero", CombinesAlike},
          {"step", StepsAlike},
          {"facing", FacesAlike}};
  return *runs;
}

class VectorTest : public testing::TestWithParam<VectorCase> {};

TEST_P(VectorTest, MovesAlike) {
  const VectorCase& test = GetParam();
  SCOPED_TRACE(test.id);
  const std::string behavior = test.origin.substr(0, test.origin.find('/'));
  Checks().at(behavior)(test);
}

std::string NameOf(const testing::TestParamInfo<VectorCase>& info) {
  std::string name = info.param.id;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Steering, VectorTest, testing::ValuesIn(VectorCases()),
                         NameOf);

TEST(VectorsTest, AreAllThere) {
  EXPECT_EQ(VectorCases().size(), 336u);
  std::set<std::string> ids;
  for (const VectorCase& test : VectorCases()) ids.insert(test.id);
  EXPECT_EQ(ids.size(), 336u);
}

TEST(MovingTableTest, HasARowForEachFunctionOfTheOriginsAndNoOther) {
  std::set<std::string> with_cases;
  for (const VectorCase& test : VectorCases()) with_cases.insert(test.origin);
  std::set<std::string> with_row;
  for (const auto& [origin, archetype] : TheMovingTable().archetypes) {
    with_row.insert(origin);
  }
  EXPECT_EQ(with_row, with_cases);
}

TEST(MovingTableTest, NamesEachCaseThatIsFedOtherwiseAndNoOther) {
  const MovingTable& table = TheMovingTable();
  for (const auto& [name, reason] : table.fed_otherwise) {
    EXPECT_FALSE(reason.empty()) << name;
    const std::string prefix =
        name.ends_with('*') ? name.substr(0, name.size() - 1) : name;
    EXPECT_TRUE(std::any_of(VectorCases().begin(), VectorCases().end(),
                            [&prefix](const VectorCase& test) {
                              return test.id.rfind(prefix, 0) == 0;
                            }))
        << name;
  }
  for (const VectorCase& test : VectorCases()) {
    const bool odd_step =
        test.origin.rfind("step/", 0) == 0 && TickRateOf(test) == 0;
    if (odd_step || HasNegativeLimit(test)) {
      EXPECT_TRUE(table.IsFedOtherwise(test.id)) << test.id;
    }
  }
}

TEST(MovingTableTest, RefusesWhatIsNoArchetype) {
  const json inputs{{"radius", 2.0}};
  const auto refuses = [&inputs](const char* written) {
    EXPECT_THROW(MakeArchetype(written, inputs), std::exception) << written;
  };
  refuses("terms { sek { } }");
  refuses("terms { arrive { radius: 1 } }");
  refuses("terms { arrive { slowing_radius: <slow_radius> } }");
  refuses("terms { arrive { slowing_radius: 1 }");
  refuses("terms { seek { } } }");
  refuses("term { seek { } }");
  refuses("max_sped: 1");
  refuses("terms { separation { falloff: LINEA } }");
  const Archetype archetype = MakeArchetype(
      "mass: 3 terms { weight: 2 arrive { slowing_radius: <radius> } }",
      inputs);
  EXPECT_EQ(archetype.mass, 3.0f);
  EXPECT_EQ(archetype.terms.at(0).weight, 2.0f);
  EXPECT_EQ(std::get<Arrive>(archetype.terms[0].behavior).slowing_radius, 2.0f);
}

}  // namespace
}  // namespace meander::core
