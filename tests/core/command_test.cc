#include "core/command.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/math/trig.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/axes.h"
#include "tests/core/faults.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Violations ValidateOperation(Operation operation,
                             const SimulationConfig& config = SmallConfig()) {
  return Validate(Command{0, std::move(operation)}, config, "c");
}

// Where a point must lie: in bounds, finite, and on the plane.
template <typename Validate>
void ExpectPlace(const std::string& field, Validate validate) {
  SCOPED_TRACE(field);
  const SimulationConfig space = SmallConfig();
  for (const NamedAxis& axis : kAxes) {
    const auto at = [&](float value) {
      Vec3 point;
      point.*axis.member = value;
      return validate(point, space);
    };
    const std::string component = field + "." + axis.name;
    for (const float value : {-100.0f, -0.0f, 100.0f}) {
      EXPECT_THAT(at(value), IsEmpty()) << value;
    }
    for (const float value : {Below(-100.0f), Above(100.0f), 3.0e38f}) {
      ExpectFault(at(value), ErrorCode::kOutOfBounds, component, "-100 to 100");
    }
    for (const float value : {kNan, kInfinity, -kInfinity}) {
      ExpectFault(at(value), ErrorCode::kNonFinite, component);
    }
    for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
      const SimulationConfig flat = SmallConfig(plane);
      Vec3 point;
      point.*axis.member = 1.0e-30f;
      if (PlaneMask(plane).*axis.member != 0.0f) {
        EXPECT_THAT(validate(point, flat), IsEmpty());
        continue;
      }
      ExpectFault(validate(point, flat), ErrorCode::kOutOfBounds, component,
                  "must be 0");
      point.*axis.member = -0.0f;
      EXPECT_THAT(validate(point, flat), IsEmpty());
    }
  }
  EXPECT_EQ(validate({kNan, 0.0f, kInfinity}, space).size(), 2u);
  EXPECT_EQ(validate({200.0f, 200.0f, -200.0f}, space).size(), 3u);
}

TEST(CommandTest, ApplyTickIsNotNegative) {
  const auto at = [](std::int64_t tick) {
    return Validate(Command{tick, DespawnAgents{{1}}}, SmallConfig(), "c");
  };
  EXPECT_THAT(at(0), IsEmpty());
  EXPECT_THAT(at(std::numeric_limits<std::int64_t>::max()), IsEmpty());
  ExpectFault(at(-1), ErrorCode::kOutOfBounds, "c.apply_tick", "-1");
  ExpectFault(at(std::numeric_limits<std::int64_t>::min()),
              ErrorCode::kOutOfBounds, "c.apply_tick");
}

TEST(CommandTest, AnArchetypeIsCheckedAtItsPath) {
  EXPECT_THAT(ValidateOperation(DefineArchetype{SeekerArchetype()}), IsEmpty());
  Archetype archetype = SeekerArchetype();
  archetype.terms[0].weight = kNan;
  ExpectFault(ValidateOperation(DefineArchetype{archetype}),
              ErrorCode::kNonFinite,
              "c.define_archetype.archetype.terms[0].weight");
}

Violations ValidateAgent(const NewAgent& agent,
                         const SimulationConfig& config = SmallConfig()) {
  return Validate(agent, config, "a");
}

TEST(NewAgentTest, ArchetypeIdHasLimits) {
  ExpectIntegerLimits<ArchetypeId>(
      "a.archetype_id", 1, 1024,
      [](ArchetypeId id) { return ValidateAgent(AgentAt({}, id)); });
}

TEST(NewAgentTest, PositionIsAPlace) {
  ExpectPlace("a.position", [](const Vec3& point, const auto& config) {
    return ValidateAgent(AgentAt(point), config);
  });
}

TEST(NewAgentTest, PointTargetsArePlaces) {
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    ExpectPlace("a.targets[" + std::to_string(slot) + "].point",
                [slot](const Vec3& point, const SimulationConfig& config) {
                  NewAgent agent;
                  agent.targets[slot] = PointTarget(point);
                  return ValidateAgent(agent, config);
                });
  }
}

TEST(NewAgentTest, AgentTargetsAreIds) {
  for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
    const auto with = [slot](AgentId id) {
      NewAgent agent;
      agent.targets[slot] = AgentTarget(id);
      return ValidateAgent(agent);
    };
    const std::string field =
        "a.targets[" + std::to_string(slot) + "].agent_id";
    EXPECT_THAT(with(1), IsEmpty());
    EXPECT_THAT(with(std::numeric_limits<AgentId>::max()), IsEmpty());
    ExpectFault(with(0), ErrorCode::kOutOfBounds, field, "at least 1");
    ExpectFault(with(-1), ErrorCode::kOutOfBounds, field);
  }
}

TEST(NewAgentTest, ATargetIsOfAKnownKind) {
  NewAgent agent;
  agent.targets[2].kind = static_cast<Target::Kind>(3);
  ExpectFault(ValidateAgent(agent), ErrorCode::kMalformed, "a.targets[2]");
}

TEST(NewAgentTest, VelocityIsAtMostAMillionLongOnThePlane) {
  const auto with = [](const Vec3& velocity, Plane plane = Plane::kNone) {
    NewAgent agent;
    agent.velocity = velocity;
    return ValidateAgent(agent, SmallConfig(plane));
  };
  EXPECT_THAT(with({1.0e6f, 0.0f, 0.0f}), IsEmpty());
  EXPECT_THAT(with({6.0e5f, 0.0f, -8.0e5f}), IsEmpty());
  EXPECT_THAT(with({-0.0f, -0.0f, -0.0f}), IsEmpty());
  for (const Vec3& velocity :
       {Vec3{Above(1.0e6f), 0.0f, 0.0f}, Vec3{6.0e5f, 1.0e4f, -8.0e5f},
        Vec3{3.0e38f, 3.0e38f, 3.0e38f}}) {
    ExpectFault(with(velocity), ErrorCode::kOutOfBounds, "a.velocity",
                "at most 1e+06 long");
  }
  for (const NamedAxis& axis : kAxes) {
    Vec3 velocity;
    for (const float value : {kNan, kInfinity, -kInfinity}) {
      velocity.*axis.member = value;
      ExpectFault(with(velocity), ErrorCode::kNonFinite,
                  "a.velocity." + axis.name);
    }
  }
  ExpectFault(with({0, 0, 1}, Plane::kXY), ErrorCode::kOutOfBounds,
              "a.velocity.z", "must be 0");
  ExpectFault(with({0, 1, 0}, Plane::kXZ), ErrorCode::kOutOfBounds,
              "a.velocity.y", "must be 0");
  ExpectFault(with({1, 0, 0}, Plane::kYZ), ErrorCode::kOutOfBounds,
              "a.velocity.x", "must be 0");
  EXPECT_THAT(with({1, 1, -0.0f}, Plane::kXY), IsEmpty());
}

TEST(NewAgentTest, AHigherSpeedPassesWhereTheCallerAllowsIt) {
  NewAgent agent;
  agent.velocity = {1.000005e6f, 0.0f, 0.0f};
  EXPECT_THAT(Validate(agent, SmallConfig(), "a", 1.00001e6f), IsEmpty());
  ExpectFault(Validate(agent, SmallConfig(), "a"), ErrorCode::kOutOfBounds,
              "a.velocity");
}

TEST(NewAgentTest, WanderAngleHasLimits) {
  ExpectNumberLimits("a.wander_angle", -1.0e6f, 1.0e6f, [](float angle) {
    NewAgent agent;
    agent.wander_angle = angle;
    return ValidateAgent(agent);
  });
}

TEST(NewAgentTest, WanderElevationIsAtMostAQuarterTurn) {
  ExpectNumberLimits("a.wander_elevation", -kHalfPi, kHalfPi,
                     [](float elevation) {
                       NewAgent agent;
                       agent.wander_elevation = elevation;
                       return ValidateAgent(agent);
                     });
}

// The directions that a new agent may be given.
struct DirectionField {
  std::string name;
  std::optional<Vec3> NewAgent::*member;
};
const DirectionField kDirections[] = {
    {"a.facing", &NewAgent::facing},
    {"a.wander_offset", &NewAgent::wander_offset},
    {"a.wander_heading", &NewAgent::wander_heading}};

Violations ValidateDirection(const DirectionField& field, const Vec3& direction,
                             Plane plane = Plane::kNone) {
  NewAgent agent;
  agent.*field.member = direction;
  return ValidateAgent(agent, SmallConfig(plane));
}

TEST(NewAgentTest, DirectionsHaveALength) {
  for (const DirectionField& field : kDirections) {
    SCOPED_TRACE(field.name);
    for (const NamedAxis& axis : kAxes) {
      const auto with = [&](float value) {
        Vec3 direction;
        direction.*axis.member = value;
        return ValidateDirection(field, direction);
      };
      for (const float value : {1.0e-6f, 1.0f, 1.0e6f}) {
        EXPECT_THAT(with(value), IsEmpty()) << value;
        EXPECT_THAT(with(-value), IsEmpty()) << value;
      }
      for (const float value : {0.0f, -0.0f, 0.99e-6f, -1.0e-30f, 1.0e-45f}) {
        ExpectFault(with(value), ErrorCode::kOutOfBounds, field.name,
                    "at least 1e-06 long");
      }
      for (const float value : {Above(1.0e6f), -3.0e38f}) {
        ExpectFault(with(value), ErrorCode::kOutOfBounds, field.name,
                    "at most 1e+06 long");
      }
      for (const float value : {kNan, kInfinity, -kInfinity}) {
        ExpectFault(with(value), ErrorCode::kNonFinite,
                    field.name + "." + axis.name);
      }
    }
    EXPECT_THAT(ValidateDirection(field, {6.0e5f, 0.0f, -8.0e5f}), IsEmpty());
    ExpectFault(ValidateDirection(field, {6.0e5f, 1.0e4f, -8.0e5f}),
                ErrorCode::kOutOfBounds, field.name);
  }
}

TEST(NewAgentTest, DirectionsLieInThePlane) {
  for (const DirectionField& field : kDirections) {
    for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
      for (const NamedAxis& axis : kAxes) {
        Vec3 direction = PlaneMask(plane);
        EXPECT_THAT(ValidateDirection(field, direction, plane), IsEmpty());
        if (direction.*axis.member != 0.0f) continue;
        direction.*axis.member = -0.0f;
        EXPECT_THAT(ValidateDirection(field, direction, plane), IsEmpty());
        direction.*axis.member = 1.0e-30f;
        ExpectFault(ValidateDirection(field, direction, plane),
                    ErrorCode::kOutOfBounds, field.name + "." + axis.name,
                    "must be 0");
      }
    }
  }
}

TEST(NewAgentTest, AnySeedTagAndGroupsWillDo) {
  NewAgent agent;
  agent.groups = 0;
  EXPECT_THAT(ValidateAgent(agent), IsEmpty());
  agent.groups = std::numeric_limits<std::uint32_t>::max();
  agent.seed = std::numeric_limits<std::uint64_t>::max();
  agent.tag = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(ValidateAgent(agent), IsEmpty());
}

TEST(SpawnAgentsTest, AListNamesTheFirstAgentAtFault) {
  std::vector<NewAgent> agents(3);
  EXPECT_THAT(ValidateOperation(Spawn(agents)), IsEmpty());
  agents[1].position.x = kNan;
  agents[1].archetype_id = 0;
  agents[2].archetype_id = 0;
  EXPECT_THAT(
      ValidateOperation(Spawn(agents)),
      ElementsAre(FaultAt(ErrorCode::kOutOfBounds,
                          "c.spawn_agents.agents.agents[1].archetype_id"),
                  FaultAt(ErrorCode::kNonFinite,
                          "c.spawn_agents.agents.agents[1].position.x")));
}

TEST(SpawnAgentsTest, AListHoldsAtLeastOneAgentAndAtMostMaxAgents) {
  SimulationConfig config = SmallConfig();
  config.max_agents = 5;
  const auto with = [&](std::size_t count) {
    return ValidateOperation(Spawn(std::vector<NewAgent>(count)), config);
  };
  const std::string field = "c.spawn_agents.agents.agents";
  ExpectFault(with(0), ErrorCode::kMalformed, field, "at least one");
  EXPECT_THAT(with(1), IsEmpty());
  EXPECT_THAT(with(5), IsEmpty());
  ExpectFault(with(6), ErrorCode::kOutOfBounds, field,
              "at most 5 agents; it holds 6");
  config.max_agents = kMaxAgents;
  EXPECT_THAT(with(65'536), IsEmpty());
  ExpectFault(with(65'537), ErrorCode::kOutOfBounds, field,
              "at most 65536 agents; it holds 65537");
}

AreaPlacement Placement(Area area, std::int64_t count = 1) {
  return {.count = count, .prototype = {}, .area = area};
}

Violations ValidateArea(const Area& area,
                        const SimulationConfig& config = SmallConfig()) {
  return ValidateOperation(SpawnAgents{Placement(area)}, config);
}

TEST(AreaPlacementTest, CountGoesUpToMaxAgents) {
  ExpectIntegerLimits<std::int64_t>(
      "c.spawn_agents.area.count", 1, SmallConfig().max_agents,
      [](std::int64_t count) {
        return ValidateOperation(SpawnAgents{Placement(Disc{}, count)});
      });
}

TEST(AreaPlacementTest, ThePrototypeIsCheckedButHasNoPosition) {
  AreaPlacement area = Placement(Disc{});
  area.prototype.velocity.y = kInfinity;
  area.prototype.archetype_id = 1025;
  area.prototype.facing = Vec3{};
  const std::string prototype = "c.spawn_agents.area.prototype.";
  EXPECT_THAT(
      ValidateOperation(SpawnAgents{area}),
      ElementsAre(FaultAt(ErrorCode::kOutOfBounds, prototype + "archetype_id"),
                  FaultAt(ErrorCode::kNonFinite, prototype + "velocity.y"),
                  FaultAt(ErrorCode::kOutOfBounds, prototype + "facing")));
  for (const NamedAxis& axis : kAxes) {
    for (const float value : {1.0e-30f, kNan, kInfinity}) {
      area = Placement(Disc{});
      area.prototype.position.*axis.member = value;
      ExpectFault(ValidateOperation(SpawnAgents{area}), ErrorCode::kMalformed,
                  prototype + "position", "must not be set");
    }
  }
}

TEST(AreaPlacementTest, ThePrototypeStandsInBoundsThatLeaveOutZero) {
  SimulationConfig config = SmallConfig(Plane::kXZ);
  config.bounds_min = {10.0f, 0.0f, 10.0f};
  EXPECT_THAT(ValidateArea(Disc{{50.0f, 0.0f, 50.0f}, 5.0f}, config),
              IsEmpty());
}

TEST(AreaPlacementTest, CentersArePlaces) {
  ExpectPlace("c.spawn_agents.area.disc.center",
              [](const Vec3& point, const SimulationConfig& config) {
                return ValidateArea(Disc{point, 0.0f}, config);
              });
  const auto ball = [](const Vec3& center) {
    return ValidateArea(Ball{center, 0.0f});
  };
  const std::string field = "c.spawn_agents.area.ball.center.";
  for (const NamedAxis& axis : kAxes) {
    Vec3 center;
    center.*axis.member = 100.0f;
    EXPECT_THAT(ball(center), IsEmpty());
    center.*axis.member = Above(100.0f);
    ExpectFault(ball(center), ErrorCode::kOutOfBounds, field + axis.name);
    center.*axis.member = kNan;
    ExpectFault(ball(center), ErrorCode::kNonFinite, field + axis.name);
  }
}

TEST(AreaPlacementTest, ADiscLiesInTheBoundsOfItsPlane) {
  const std::string field = "c.spawn_agents.area.disc.radius";
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    // Without a plane it lies in XY.
    const Vec3 flat = PlaneMask(plane == Plane::kNone ? Plane::kXY : plane);
    const SimulationConfig config = SmallConfig(plane);
    EXPECT_THAT(ValidateArea(Disc{{}, 100.0f}, config), IsEmpty());
    EXPECT_THAT(ValidateArea(Disc{{}, -0.0f}, config), IsEmpty());
    ExpectFault(ValidateArea(Disc{{}, Above(100.0f)}, config),
                ErrorCode::kOutOfBounds, field, "beyond the world's bounds");
    for (const NamedAxis& axis : kAxes) {
      for (const float side : {-75.0f, 75.0f}) {
        Vec3 center;
        center.*axis.member = side;
        if (flat.*axis.member != 0.0f) {
          EXPECT_THAT(ValidateArea(Disc{center, 25.0f}, config), IsEmpty());
          ExpectFault(ValidateArea(Disc{center, 25.1f}, config),
                      ErrorCode::kOutOfBounds, field);
        } else if (plane == Plane::kNone) {
          EXPECT_THAT(ValidateArea(Disc{center, 100.0f}, config), IsEmpty());
        }
      }
    }
  }
}

TEST(AreaPlacementTest, ABallLiesInTheBounds) {
  const std::string field = "c.spawn_agents.area.ball.radius";
  EXPECT_THAT(ValidateArea(Ball{{}, 100.0f}), IsEmpty());
  for (const NamedAxis& axis : kAxes) {
    for (const float side : {-75.0f, 75.0f}) {
      Vec3 center;
      center.*axis.member = side;
      EXPECT_THAT(ValidateArea(Ball{center, 25.0f}), IsEmpty());
      ExpectFault(ValidateArea(Ball{center, 25.1f}), ErrorCode::kOutOfBounds,
                  field);
    }
  }
}

TEST(AreaPlacementTest, RadiiAreFiniteAndNotNegative) {
  const std::string path = "c.spawn_agents.area.";
  for (const float radius : {Below(0.0f), -1.0f, 40000.0f}) {
    ExpectFault(ValidateArea(Disc{{}, radius}), ErrorCode::kOutOfBounds,
                path + "disc.radius");
    ExpectFault(ValidateArea(Ball{{}, radius}), ErrorCode::kOutOfBounds,
                path + "ball.radius");
  }
  for (const float radius : {kNan, kInfinity, -kInfinity}) {
    ExpectFault(ValidateArea(Disc{{}, radius}), ErrorCode::kNonFinite,
                path + "disc.radius");
    ExpectFault(ValidateArea(Ball{{}, radius}), ErrorCode::kNonFinite,
                path + "ball.radius");
  }
}

TEST(AreaPlacementTest, ABallNeedsAWorldWithoutAPlane) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    ExpectFault(ValidateArea(Ball{{}, 1.0f}, SmallConfig(plane)),
                ErrorCode::kMalformed, "c.spawn_agents.area.ball", "use disc");
  }
}

TEST(AreaPlacementTest, CornersOfABoxArePlaces) {
  ExpectPlace("c.spawn_agents.area.box.min",
              [](const Vec3& point, const SimulationConfig& config) {
                return ValidateArea(Box{point, config.bounds_max}, config);
              });
  ExpectPlace("c.spawn_agents.area.box.max",
              [](const Vec3& point, const SimulationConfig& config) {
                return ValidateArea(Box{config.bounds_min, point}, config);
              });
}

TEST(AreaPlacementTest, ABoxMayBeFlatButNotTurnedInsideOut) {
  const Vec3 low{1.0f, 2.0f, 3.0f};
  EXPECT_THAT(ValidateArea(Box{low, low}), IsEmpty());
  for (const NamedAxis& axis : kAxes) {
    Vec3 high = low;
    high.*axis.member = Below(high.*axis.member);
    ExpectFault(ValidateArea(Box{low, high}), ErrorCode::kOutOfBounds,
                "c.spawn_agents.area.box.max");
  }
}

// Every operation that names agents by ids alone, and its field.
struct IdsCase {
  std::string field;
  Operation (*make)(std::vector<AgentId> ids);
};
const IdsCase kIdsCases[] = {
    {"c.despawn_agents.agent_ids",
     [](std::vector<AgentId> ids) {
       return Operation(DespawnAgents{std::move(ids)});
     }},
    {"c.set_target.agent_ids",
     [](std::vector<AgentId> ids) {
       return Operation(SetTarget{std::move(ids), 0, {}});
     }},
    {"c.set_archetype.agent_ids",
     [](std::vector<AgentId> ids) {
       return Operation(SetArchetype{std::move(ids), 1});
     }},
    {"c.apply_impulse.agent_ids",
     [](std::vector<AgentId> ids) {
       return Operation(ApplyImpulse{std::move(ids), {}});
     }},
};

TEST(AgentIdsTest, AreAtLeastOneAndPositive) {
  for (const auto& [field, make] : kIdsCases) {
    const auto with = [&make = make](std::vector<AgentId> ids) {
      return ValidateOperation(make(std::move(ids)));
    };
    EXPECT_THAT(with({1}), IsEmpty());
    EXPECT_THAT(with({9, 3, std::numeric_limits<AgentId>::max()}), IsEmpty());
    ExpectFault(with({}), ErrorCode::kMalformed, field, "at least one");
    ExpectFault(with({1, 0, -1}), ErrorCode::kOutOfBounds, field + "[1]",
                "at least 1; it is 0");
    ExpectFault(with({-5}), ErrorCode::kOutOfBounds, field + "[0]");
  }
}

TEST(AgentIdsTest, AreEachNamedOnce) {
  for (const auto& [field, make] : kIdsCases) {
    ExpectFault(ValidateOperation(make({7, 3, 5, 3})), ErrorCode::kMalformed,
                field, "names agent 3 twice");
  }
}

TEST(AgentIdsTest, AreAtMostMaxAgents) {
  SimulationConfig config = SmallConfig();
  config.max_agents = 3;
  for (const auto& [field, make] : kIdsCases) {
    EXPECT_THAT(ValidateOperation(make({1, 2, 3}), config), IsEmpty());
    ExpectFault(ValidateOperation(make({1, 2, 3, 4}), config),
                ErrorCode::kOutOfBounds, field, "at most 3 agents");
  }
}

TEST(TargetTest, CarriesNothingThatItsKindDoesNotUse) {
  const auto with = [](const Target& target) {
    return ValidateOperation(SetTarget{{1}, 0, target});
  };
  const auto expect_refused = [&](const Target& target) {
    ExpectFault(with(target), ErrorCode::kMalformed, "c.set_target.target",
                "does not have");
  };
  expect_refused(
      {.kind = Target::Kind::kAgent, .point = {kNan, 0.0f, 0.0f}, .agent = 1});
  expect_refused(
      {.kind = Target::Kind::kAgent, .point = {0.0f, -0.0f, 0.0f}, .agent = 1});
  expect_refused({.kind = Target::Kind::kPoint, .agent = 7});
  expect_refused({.kind = Target::Kind::kNone, .agent = 7});
  expect_refused({.loss_told = true});
  expect_refused({.kind = Target::Kind::kNone, .point = {0.0f, 0.0f, 1.0f}});
}

TEST(SetTargetTest, SlotHasLimits) {
  ExpectIntegerLimits<std::int32_t>(
      "c.set_target.slot", 0, 3, [](std::int32_t slot) {
        return ValidateOperation(SetTarget{{1}, slot, {}});
      });
}

TEST(SetTargetTest, TheTargetIsChecked) {
  ExpectPlace("c.set_target.target.point", [](const Vec3& point,
                                              const SimulationConfig& config) {
    return ValidateOperation(SetTarget{{1}, 0, PointTarget(point)}, config);
  });
  EXPECT_THAT(ValidateOperation(SetTarget{{1}, 0, AgentTarget(1)}), IsEmpty());
  ExpectFault(ValidateOperation(SetTarget{{1}, 0, AgentTarget(0)}),
              ErrorCode::kOutOfBounds, "c.set_target.target.agent_id");
  Target unknown;
  unknown.kind = static_cast<Target::Kind>(3);
  ExpectFault(ValidateOperation(SetTarget{{1}, 0, unknown}),
              ErrorCode::kMalformed, "c.set_target.target");
}

TEST(ArchetypeIdTest, HasLimits) {
  ExpectIntegerLimits<ArchetypeId>(
      "c.remove_archetype.archetype_id", 1, 1024,
      [](ArchetypeId id) { return ValidateOperation(RemoveArchetype{id}); });
  ExpectIntegerLimits<ArchetypeId>(
      "c.set_archetype.archetype_id", 1, 1024, [](ArchetypeId id) {
        return ValidateOperation(SetArchetype{{1}, id});
      });
}

Violations ValidateMotion(const AgentMotion& motion,
                          const SimulationConfig& config = SmallConfig()) {
  const AgentMotion good{7, Vec3{}, Vec3{}};
  return ValidateOperation(SetMotion{{good, motion}}, config);
}

const std::string kMotion = "c.set_motion.motions[1]";

TEST(SetMotionTest, EachMotionIsOfAnAgentAndSaysSomething) {
  EXPECT_THAT(ValidateMotion({1, Vec3{}, std::nullopt}), IsEmpty());
  EXPECT_THAT(ValidateMotion({1, std::nullopt, Vec3{}}), IsEmpty());
  ExpectFault(ValidateMotion({1, std::nullopt, std::nullopt}),
              ErrorCode::kMalformed, kMotion, "position or velocity");
  ExpectFault(ValidateMotion({0, Vec3{}, Vec3{}}), ErrorCode::kOutOfBounds,
              kMotion + ".agent_id", "at least 1; it is 0");
  ExpectFault(ValidateMotion({7, Vec3{}, Vec3{}}), ErrorCode::kMalformed,
              "c.set_motion.motions", "names agent 7 twice");
}

TEST(SetMotionTest, PositionIsAPlace) {
  ExpectPlace(kMotion + ".position",
              [](const Vec3& point, const SimulationConfig& config) {
                return ValidateMotion({1, point, std::nullopt}, config);
              });
}

TEST(SetMotionTest, TheUpperFaceOfATorusIsAPlace) {
  SimulationConfig config = SmallConfig();
  config.bounds_mode = BoundsMode::kWrap;
  EXPECT_THAT(ValidateMotion({1, config.bounds_max, std::nullopt}, config),
              IsEmpty());
  const Vec3 beyond{Above(100.0f), 0.0f, 0.0f};
  ExpectFault(ValidateMotion({1, beyond, std::nullopt}, config),
              ErrorCode::kOutOfBounds, kMotion + ".position.x");
}

TEST(SetMotionTest, VelocityIsAtMostAMillionLongOnThePlane) {
  const auto with = [](const Vec3& velocity, Plane plane) {
    return ValidateMotion({1, std::nullopt, velocity}, SmallConfig(plane));
  };
  EXPECT_THAT(with({6.0e5f, -8.0e5f, 0.0f}, Plane::kXY), IsEmpty());
  ExpectFault(with({6.0e5f, -8.0e5f, 4.0e3f}, Plane::kNone),
              ErrorCode::kOutOfBounds, kMotion + ".velocity", "1e+06");
  ExpectFault(with({0.0f, 0.0f, 1.0f}, Plane::kXY), ErrorCode::kOutOfBounds,
              kMotion + ".velocity.z", "must be 0");
  ExpectFault(with({kNan, 0.0f, 0.0f}, Plane::kXY), ErrorCode::kNonFinite,
              kMotion + ".velocity.x");
}

TEST(SetMotionTest, ListsAtLeastOneAgentAndNotTooMany) {
  SetMotion set;
  ExpectFault(ValidateOperation(set), ErrorCode::kMalformed,
              "c.set_motion.motions", "at least one");
  SimulationConfig config = SmallConfig();
  config.max_agents = kMaxAgents;
  for (AgentId id = 1; id <= kMaxListedAgents; ++id) {
    set.motions.push_back({id, Vec3{}, std::nullopt});
  }
  EXPECT_THAT(ValidateOperation(set, config), IsEmpty());
  ExpectFault(ValidateOperation(set), ErrorCode::kOutOfBounds,
              "c.set_motion.motions", "at most 10000");
  set.motions.push_back({kMaxListedAgents + 1, Vec3{}, std::nullopt});
  ExpectFault(ValidateOperation(set, config), ErrorCode::kOutOfBounds,
              "c.set_motion.motions", "at most 65536");
}

TEST(ApplyImpulseTest, TheImpulseIsAtMostAMillionLongOnThePlane) {
  const auto with = [](const Vec3& impulse, Plane plane = Plane::kNone) {
    return ValidateOperation(ApplyImpulse{{1}, impulse}, SmallConfig(plane));
  };
  EXPECT_THAT(with({0.0f, 1.0e6f, 0.0f}), IsEmpty());
  ExpectFault(with({0.0f, Above(1.0e6f), 0.0f}), ErrorCode::kOutOfBounds,
              "c.apply_impulse.impulse", "1e+06");
  ExpectFault(with({0.0f, 1.0f, 0.0f}, Plane::kXZ), ErrorCode::kOutOfBounds,
              "c.apply_impulse.impulse.y", "must be 0");
  ExpectFault(with({0.0f, 0.0f, kInfinity}), ErrorCode::kNonFinite,
              "c.apply_impulse.impulse.z");
}

TEST(SetCellSizeTest, TheSizeHasLimits) {
  ExpectNumberLimits(
      "c.set_cell_size.cell_size", 1.0f / 64.0f, 32768.0f,
      [](float size) { return ValidateOperation(SetCellSize{size}); });
}

TEST(SpawnCountTest, CountsAgentsOfSpawnsAlone) {
  EXPECT_EQ(SpawnCount(Spawn(std::vector<NewAgent>(3))), 3);
  EXPECT_EQ(SpawnCount(SpawnAgents{Placement(Disc{}, 12)}), 12);
  EXPECT_EQ(SpawnCount(DespawnAgents{{1, 2}}), 0);
  EXPECT_EQ(SpawnCount(SetTarget{{1}, 0, {}}), 0);
  EXPECT_EQ(SpawnCount(DefineArchetype{}), 0);
}

}  // namespace
}  // namespace meander::core
