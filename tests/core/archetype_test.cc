#include "core/archetype.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/faults.h"
#include "tests/core/test_world.h"

namespace meander::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Archetype Plain() {
  return {.id = 1,
          .max_speed = 10.0f,
          .max_force = 10.0f,
          .mass = 1.0f,
          .terms = {}};
}

template <typename Change>
Violations ValidateWith(Change change) {
  Archetype archetype = Plain();
  change(archetype);
  return Validate(archetype, SimulationConfig{}, "a");
}

Violations ValidateTerm(const Term& term) {
  return ValidateWith([&](Archetype& a) { a.terms = {Term{}, term}; });
}

Violations ValidateBehavior(const Behavior& behavior,
                            const SimulationConfig& config = {}) {
  Archetype archetype = Plain();
  archetype.terms = {Term{}, {.behavior = behavior}};
  return Validate(archetype, config, "a");
}

const std::string kTerm = "a.terms[1].";

// The limits of a number of the behavior.
template <typename Kind>
void ExpectNumber(const std::string& name, float Kind::*field, float most) {
  ExpectNumberLimits(kTerm + name, 0.0f, most, [field](float value) {
    Kind behavior;
    behavior.*field = value;
    return ValidateBehavior(behavior);
  });
}

// The same, also where it is not given.
template <typename Kind>
void ExpectMaybe(const std::string& name, std::optional<float> Kind::*field,
                 float most) {
  EXPECT_THAT(ValidateBehavior(Kind{}), IsEmpty());
  ExpectNumberLimits(kTerm + name, 0.0f, most, [field](float value) {
    Kind behavior;
    behavior.*field = value;
    return ValidateBehavior(behavior);
  });
}

template <typename Kind>
void ExpectSlot(const std::string& name) {
  ExpectIntegerLimits<std::int32_t>(kTerm + name, 0, 3, [](std::int32_t slot) {
    Kind behavior;
    behavior.slot = slot;
    return ValidateBehavior(behavior);
  });
}

// validate(value) takes the values up to `last` and no others.
template <typename Enum, typename Validate>
void ExpectChoices(const std::string& field, Enum last, Validate validate) {
  SCOPED_TRACE(field);
  for (int value = 0; value < 256; ++value) {
    const auto choice = static_cast<Enum>(value);
    if (value <= static_cast<int>(last)) {
      EXPECT_THAT(validate(choice), IsEmpty()) << value;
    } else {
      ExpectFault(validate(choice), ErrorCode::kMalformed, field,
                  "not one of its values");
    }
  }
}

template <typename Kind, typename Enum>
void ExpectChoice(const std::string& name, Enum Kind::*field, Enum last) {
  ExpectChoices(kTerm + name, last, [field](Enum value) {
    Kind behavior;
    behavior.*field = value;
    return ValidateBehavior(behavior);
  });
}

TEST(ArchetypeTest, IdHasLimits) {
  ExpectIntegerLimits<ArchetypeId>("a.id", 1, 1024, [](ArchetypeId id) {
    return ValidateWith([id](Archetype& a) { a.id = id; });
  });
}

TEST(ArchetypeTest, MaxSpeedHasLimits) {
  ExpectNumberLimits("a.max_speed", 0.0f, 1.0e6f, [](float speed) {
    return ValidateWith([speed](Archetype& a) { a.max_speed = speed; });
  });
}

TEST(ArchetypeTest, MaxForceHasLimits) {
  ExpectNumberLimits("a.max_force", 0.0f, 1.0e6f, [](float force) {
    return ValidateWith([force](Archetype& a) { a.max_force = force; });
  });
}

TEST(ArchetypeTest, MassHasLimits) {
  ExpectNumberLimits("a.mass", 1.0e-3f, 1.0e6f, [](float mass) {
    return ValidateWith([mass](Archetype& a) { a.mass = mass; });
  });
  ExpectFault(ValidateWith([](Archetype& a) { a.mass = 0.0f; }),
              ErrorCode::kOutOfBounds, "a.mass");
}

TEST(ArchetypeTest, WeightHasLimits) {
  ExpectNumberLimits("a.terms[1].weight", -1.0e3f, 1.0e3f, [](float weight) {
    return ValidateTerm({weight, Seek{}});
  });
}

TEST(ArchetypeTest, GainHasLimits) {
  ExpectNumberLimits(kTerm + "gain", -1.0e3f, 1.0e3f,
                     [](float gain) { return ValidateTerm({.gain = gain}); });
}

TEST(ArchetypeTest, LevelHasLimits) {
  ExpectIntegerLimits<std::int32_t>(
      kTerm + "level", 0, 1000,
      [](std::int32_t level) { return ValidateTerm({.level = level}); });
}

TEST(ArchetypeTest, OverspeedTimeConstantHasLimits) {
  ExpectNumberLimits("a.overspeed_time_constant", 0.0f, 1.0e6f, [](float time) {
    return ValidateWith(
        [time](Archetype& a) { a.overspeed_time_constant = time; });
  });
}

TEST(ArchetypeTest, CombineHasThreeValues) {
  ExpectChoices("a.combine", Combine::kFirstNonzero, [](Combine value) {
    return ValidateWith([value](Archetype& a) { a.combine = value; });
  });
}

TEST(ArchetypeTest, EachTermMayBeLimitedInEveryCombination) {
  for (const Combine combine : {Combine::kWeightedSum, Combine::kPriorityBudget,
                                Combine::kFirstNonzero}) {
    EXPECT_THAT(ValidateWith([combine](Archetype& a) {
                  a.combine = combine;
                  a.limit_each_term = true;
                }),
                IsEmpty());
  }
}

TEST(ArchetypeTest, ForcePlaneIsAPlaneInAWorldWithoutOne) {
  ExpectChoices("a.force_plane", Plane::kYZ, [](Plane plane) {
    return ValidateWith([plane](Archetype& a) { a.force_plane = plane; });
  });
  for (const Plane world : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    SimulationConfig config;
    config.plane = world;
    Archetype archetype = Plain();
    EXPECT_THAT(Validate(archetype, config, "a"), IsEmpty());
    for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
      archetype.force_plane = plane;
      ExpectFault(Validate(archetype, config, "a"), ErrorCode::kMalformed,
                  "a.force_plane", "must not be set");
    }
  }
}

TEST(ArchetypeTest, NumbersOfFacingHaveLimits) {
  EXPECT_THAT(ValidateWith([](Archetype& a) { a.facing = Facing{}; }),
              IsEmpty());
  ExpectNumberLimits("a.facing.turn_rate", 0.0f, 1.0e6f, [](float value) {
    return ValidateWith([value](Archetype& a) { a.facing = Facing{value}; });
  });
  ExpectNumberLimits("a.facing.min_facing_speed", 0.0f, 1.0e6f,
                     [](float value) {
                       return ValidateWith([value](Archetype& a) {
                         a.facing = Facing{1.0f, value};
                       });
                     });
}

TEST(ArchetypeTest, SlotsOfEveryBehaviorWithATargetHaveLimits) {
  ExpectSlot<Seek>("seek.slot");
  ExpectSlot<Flee>("flee.slot");
  ExpectSlot<Arrive>("arrive.slot");
  ExpectSlot<KeepAway>("keep_away.slot");
  ExpectSlot<Pursue>("pursue.slot");
  ExpectSlot<Evade>("evade.slot");
}

TEST(ArchetypeTest, NumbersOfFleeHaveLimits) {
  ExpectMaybe("flee.range", &Flee::range, 16384.0f);
  ExpectChoice("flee.at_center", &Flee::at_center, AtCenter::kZero);
  EXPECT_THAT(ValidateBehavior(Flee{.edge_inclusive = true}), IsEmpty());
}

TEST(ArchetypeTest, NumbersOfArriveHaveLimits) {
  ExpectNumber("arrive.slowing_radius", &Arrive::slowing_radius, 16384.0f);
  EXPECT_THAT(ValidateBehavior(Arrive{.stop = true}), IsEmpty());
  EXPECT_THAT(ValidateBehavior(Arrive{0, -0.0f, true}), IsEmpty());
  ExpectFault(ValidateBehavior(Arrive{0, 1.0f, true}), ErrorCode::kMalformed,
              kTerm + "arrive.slowing_radius", "must be 0 when stop is set");
}

TEST(ArchetypeTest, RadiusOfKeepAwayHasLimits) {
  ExpectNumber("keep_away.radius", &KeepAway::radius, 16384.0f);
}

TEST(ArchetypeTest, BrakeNeedsNothing) {
  EXPECT_THAT(ValidateBehavior(Brake{}), IsEmpty());
}

TEST(ArchetypeTest, NumbersOfPursueAndEvadeHaveLimits) {
  ExpectChoice("pursue.lead", &Pursue::lead, Lead::kDistance);
  ExpectMaybe("pursue.max_prediction", &Pursue::max_prediction, 1.0e6f);
  ExpectNumber("pursue.slowing_radius", &Pursue::slowing_radius, 16384.0f);
  ExpectChoice("evade.lead", &Evade::lead, Lead::kDistance);
  ExpectMaybe("evade.max_prediction", &Evade::max_prediction, 1.0e6f);
}

template <typename Wander>
void ExpectWanderLimits(const std::string& name) {
  ExpectNumber(name + ".radius", &Wander::radius, 16384.0f);
  ExpectNumber(name + ".distance", &Wander::distance, 16384.0f);
  ExpectNumber(name + ".jitter", &Wander::jitter, 1.0e6f);
}

TEST(ArchetypeTest, NumbersOfEachWanderHaveLimits) {
  ExpectWanderLimits<WanderWorldAngle>("wander_world_angle");
  ExpectWanderLimits<WanderSpherical>("wander_spherical");
  ExpectWanderLimits<WanderHeadingOffset>("wander_heading_offset");
}

TEST(ArchetypeTest, ASphericalWanderNeedsAWorldWithoutAPlane) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    SimulationConfig config;
    config.plane = plane;
    ExpectFault(ValidateBehavior(WanderSpherical{}, config),
                ErrorCode::kMalformed, kTerm + "wander_spherical",
                "use wander_world_angle");
    EXPECT_THAT(ValidateBehavior(WanderWorldAngle{}, config), IsEmpty());
  }
}

TEST(ArchetypeTest, APlaneOfAHeadingOffsetIsThatOfTheWorld) {
  ExpectChoice("wander_heading_offset.plane", &WanderHeadingOffset::plane,
               Plane::kYZ);
  for (const Plane world : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    SimulationConfig config;
    config.plane = world;
    for (const Plane plane :
         {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
      const Violations violations =
          ValidateBehavior(WanderHeadingOffset{.plane = plane}, config);
      if (plane == Plane::kNone || plane == world) {
        EXPECT_THAT(violations, IsEmpty());
      } else {
        ExpectFault(violations, ErrorCode::kMalformed,
                    kTerm + "wander_heading_offset.plane",
                    "must be that of the world");
      }
    }
  }
}

// The limits of the neighborhood of a behavior.
template <typename Kind>
void ExpectNeighborhoodLimits(const std::string& behavior) {
  const auto with = [](const Neighborhood& around) {
    Kind kind;
    kind.neighborhood = around;
    return ValidateBehavior(kind);
  };
  const std::string path = kTerm + behavior + ".neighborhood.";
  EXPECT_THAT(with({}), IsEmpty());
  ExpectNumberLimits(path + "radius", 0.0f, 16384.0f,
                     [&](float value) { return with({.radius = value}); });
  ExpectNumberLimits(
      path + "field_of_view", 0.0f, 0x1.921fb6p+2f,
      [&](float value) { return with({.field_of_view = value}); });
  ExpectIntegerLimits<std::int32_t>(
      path + "max_neighbors", 0, 1024,
      [&](std::int32_t value) { return with({.max_neighbors = value}); });
  for (const std::uint32_t groups : {0u, 1u, 0x80000000u}) {
    EXPECT_THAT(with({.neighbor_groups = groups}), IsEmpty());
  }
}

TEST(ArchetypeTest, NeighborhoodsHaveLimits) {
  ExpectNeighborhoodLimits<Separation>("separation");
  ExpectNeighborhoodLimits<Alignment>("alignment");
  ExpectNeighborhoodLimits<Cohesion>("cohesion");
}

TEST(ArchetypeTest, ChoicesAmongNeighborsHaveTheirValues) {
  ExpectChoice("separation.falloff", &Separation::falloff, Falloff::kLinear);
  ExpectChoice("separation.coincident", &Separation::coincident,
               Coincident::kSkip);
  ExpectChoice("cohesion.mode", &Cohesion::mode, CohesionMode::kPull);
}

TEST(ArchetypeTest, WhereBoundsWrapARadiusIsAtMostHalfThePeriod) {
  const auto with = [](float radius, const SimulationConfig& config) {
    return ValidateBehavior(Cohesion{{.radius = radius}}, config);
  };
  const std::string field = kTerm + "cohesion.neighborhood.radius";
  SimulationConfig config = SmallConfig();
  config.bounds_min = {-100.0f, -30.0f, -50.0f};
  config.bounds_max = {100.0f, 40.0f, 50.0f};
  EXPECT_THAT(with(100.0f, config), IsEmpty()) << "they do not wrap";
  config.bounds_mode = BoundsMode::kWrap;
  EXPECT_THAT(with(35.0f, config), IsEmpty());
  ExpectFault(with(Above(35.0f), config), ErrorCode::kOutOfBounds, field,
              "0 to 35");
  // What is off the plane does not wrap.
  config.plane = Plane::kXZ;
  EXPECT_THAT(with(50.0f, Normalized(config)), IsEmpty());
  ExpectFault(with(Above(50.0f), Normalized(config)), ErrorCode::kOutOfBounds,
              field, "0 to 50");
}

TEST(ArchetypeTest, NeighborhoodOfIsThatOfABehaviorAmongNeighbors) {
  const Behavior separation = Separation{{.radius = 1.0f}};
  const Behavior alignment = Alignment{{.radius = 2.0f}};
  const Behavior cohesion = Cohesion{{.radius = 3.0f}};
  EXPECT_EQ(NeighborhoodOf(separation)->radius, 1.0f);
  EXPECT_EQ(NeighborhoodOf(alignment)->radius, 2.0f);
  EXPECT_EQ(NeighborhoodOf(cohesion)->radius, 3.0f);
  for (const Behavior& other :
       {Behavior(Seek{}), Behavior(Flee{}), Behavior(Arrive{}),
        Behavior(KeepAway{}), Behavior(Brake{}), Behavior(Pursue{}),
        Behavior(Evade{}), Behavior(WanderWorldAngle{}),
        Behavior(WanderSpherical{}), Behavior(WanderHeadingOffset{})}) {
    EXPECT_EQ(NeighborhoodOf(other), nullptr) << other.index();
  }
}

TEST(ArchetypeTest, HasAtMostSixteenTerms) {
  const auto with_terms = [](std::size_t count) {
    return ValidateWith([count](Archetype& a) { a.terms.resize(count); });
  };
  EXPECT_THAT(with_terms(0), IsEmpty());
  EXPECT_THAT(with_terms(16), IsEmpty());
  ExpectFault(with_terms(17), ErrorCode::kOutOfBounds, "a.terms",
              "at most 16 terms; it holds 17");
}

TEST(ArchetypeTest, HasNoTermsAndNoFacingWhenItIsExternal) {
  EXPECT_THAT(ValidateWith([](Archetype& a) { a.external = true; }), IsEmpty());
  ExpectFault(ValidateWith([](Archetype& a) {
                a.external = true;
                a.terms = {Term{}};
              }),
              ErrorCode::kMalformed, "a.terms", "must be empty");
  ExpectFault(ValidateWith([](Archetype& a) {
                a.external = true;
                a.facing = Facing{};
              }),
              ErrorCode::kMalformed, "a.facing", "must not be set");
}

const Behavior kWanders[] = {WanderWorldAngle{}, WanderSpherical{},
                             WanderHeadingOffset{}};

TEST(ArchetypeTest, HasAtMostOneWander) {
  const Term seek{1.0f, Seek{}};
  const auto with = [](const std::vector<Term>& terms) {
    return ValidateWith([&](Archetype& a) { a.terms = terms; });
  };
  for (const Behavior& first : kWanders) {
    const Term wander{1.0f, first};
    EXPECT_THAT(with({seek, wander, seek}), IsEmpty());
    for (const Behavior& second : kWanders) {
      ExpectFault(with({wander, seek, {1.0f, second}}), ErrorCode::kMalformed,
                  "a.terms[2]", "at most one");
    }
  }
}

TEST(ArchetypeTest, WanderFormOfIsThatOfItsOnlyWander) {
  Archetype archetype = Plain();
  EXPECT_EQ(WanderFormOf(archetype), WanderForm::kNone);
  archetype.terms = {{1.0f, Seek{}}, {1.0f, Cohesion{}}};
  EXPECT_EQ(WanderFormOf(archetype), WanderForm::kNone);
  const WanderForm forms[] = {WanderForm::kWorldAngle, WanderForm::kSpherical,
                              WanderForm::kHeadingOffset};
  for (std::size_t i = 0; i < 3; ++i) {
    archetype.terms = {{1.0f, Seek{}}, {1.0f, kWanders[i]}, {1.0f, Brake{}}};
    EXPECT_EQ(WanderFormOf(archetype), forms[i]);
  }
}

TEST(ArchetypeTest, EveryFieldAtFaultIsNamed) {
  Archetype archetype{.id = 0,
                      .max_speed = kNan,
                      .max_force = -1.0f,
                      .mass = 0.0f,
                      .terms = {{kNan, Seek{4}, kInfinity, -1},
                                {1.0f, Flee{-1, kNan, false, AtCenter{2}}}},
                      .overspeed_time_constant = -1.0f,
                      .facing = Facing{kNan, -1.0f}};
  EXPECT_THAT(
      Validate(archetype, {}, "a"),
      ElementsAre(FaultAt(ErrorCode::kOutOfBounds, "a.id"),
                  FaultAt(ErrorCode::kNonFinite, "a.max_speed"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.max_force"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.mass"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.overspeed_time_constant"),
                  FaultAt(ErrorCode::kNonFinite, "a.facing.turn_rate"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.facing.min_facing_speed"),
                  FaultAt(ErrorCode::kNonFinite, "a.terms[0].weight"),
                  FaultAt(ErrorCode::kNonFinite, "a.terms[0].gain"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.terms[0].level"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.terms[0].seek.slot"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.terms[1].flee.slot"),
                  FaultAt(ErrorCode::kNonFinite, "a.terms[1].flee.range"),
                  FaultAt(ErrorCode::kMalformed, "a.terms[1].flee.at_center")));
}

// The rule that a step at full speed moves by 16 units in the last place of
// the largest bound.

SimulationConfig ConfigOf(float bound, std::int32_t rate) {
  SimulationConfig config;
  config.tick_rate_hz = rate;
  config.bounds_min = {-bound, -bound, -bound};
  config.bounds_max = {bound, bound, bound};
  return config;
}

Violations ValidateSpeed(float max_speed, const SimulationConfig& config) {
  Archetype archetype = Plain();
  archetype.max_speed = max_speed;
  return Validate(archetype, config, "");
}

bool Moves(float max_speed, float bound, std::int32_t rate) {
  return ValidateSpeed(max_speed, ConfigOf(bound, rate)).empty();
}

// The number that follows `words` in the text.
float NumberAfter(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << text;
  if (at == std::string::npos) return kNan;
  return std::strtof(text.c_str() + at + words.size(), nullptr);
}

float NamedBound(const std::string& reason) {
  return NumberAfter(reason, "needs bounds within +-");
}

float NamedSpeed(const std::string& reason) {
  return NumberAfter(reason, "these bounds need at least ");
}

TEST(ArchetypeTest, ASpeedThatWouldRoundAwayIsRefusedWithTheBoundsThatWouldDo) {
  const Violations violations = ValidateSpeed(0.02f, ConfigOf(12000.0f, 60));
  ExpectFault(violations, ErrorCode::kOutOfBounds, "max_speed",
              "0.02 needs bounds within +-256, these bounds need at least "
              "0.9375, or 0");
  EXPECT_TRUE(Moves(0.02f, 256.0f, 60));
  EXPECT_FALSE(Moves(0.02f, 512.0f, 60));
  EXPECT_FALSE(Moves(0.02f, 12000.0f, 60));
  EXPECT_TRUE(Moves(0.9375f, 12000.0f, 60));
  EXPECT_FALSE(Moves(0.937f, 12000.0f, 60));
}

TEST(ArchetypeTest, AnAgentAtRestMayStandInAnyBounds) {
  EXPECT_TRUE(Moves(0.0f, kMaxBound, 1000));
  EXPECT_TRUE(Moves(-0.0f, kMaxBound, 1000));
  EXPECT_FALSE(Moves(1.0e-45f, kMaxBound, 1000));
}

TEST(ArchetypeTest, TheLargestBoundOfAnyAxisAndSideCounts) {
  for (const float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    for (Vec3 SimulationConfig::*corner :
         {&SimulationConfig::bounds_min, &SimulationConfig::bounds_max}) {
      SimulationConfig config = ConfigOf(100.0f, 60);
      EXPECT_THAT(ValidateSpeed(0.02f, config), IsEmpty());
      float& bound = const_cast<float&>((config.*corner).*axis);
      bound *= 100.0f;
      ExpectFault(ValidateSpeed(0.02f, config), ErrorCode::kOutOfBounds,
                  "max_speed");
    }
  }
}

TEST(ArchetypeTest, TheBoundThatIsNamedIsTheLargestPowerOfTwoThatWouldDo) {
  int refused = 0;
  for (const std::int32_t rate : {1, 3, 7, 30, 49, 60, 144, 999, 1000}) {
    for (float speed = 1.0e-9f; speed < 100.0f; speed *= 1.37f) {
      const Violations violations =
          ValidateSpeed(speed, ConfigOf(kMaxBound, rate));
      if (violations.empty()) continue;
      ++refused;
      SCOPED_TRACE(violations[0].reason);
      const float bound = NamedBound(violations[0].reason);
      int exponent = 0;
      EXPECT_EQ(std::frexp(bound, &exponent), 0.5f);
      EXPECT_TRUE(Moves(speed, bound, rate));
      EXPECT_FALSE(Moves(speed, 2.0f * bound, rate));
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(ArchetypeTest, NoBoundsAreNamedForASpeedThatIsTooSlowForAny) {
  ExpectFault(ValidateSpeed(1.0e-30f, ConfigOf(100.0f, 60)),
              ErrorCode::kOutOfBounds, "max_speed",
              "1e-30 is too slow for any useful bounds, these bounds need");
}

TEST(ArchetypeTest, TheSpeedThatIsNamedWouldDo) {
  for (std::int32_t rate = 1; rate <= kMaxTickRateHz; ++rate) {
    for (const float bound : {16384.0f, 12000.0f, 2048.0f, 100.0f, 1.0f}) {
      const Violations violations =
          ValidateSpeed(1.0e-9f, ConfigOf(bound, rate));
      ASSERT_EQ(violations.size(), 1u);
      const float speed = NamedSpeed(violations[0].reason);
      EXPECT_TRUE(Moves(speed, bound, rate)) << violations[0].reason;
      EXPECT_FALSE(Moves(0.999f * speed, bound, rate)) << violations[0].reason;
    }
  }
}

}  // namespace
}  // namespace meander::core
