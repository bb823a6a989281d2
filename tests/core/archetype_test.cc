#include "core/archetype.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

TEST(ArchetypeTest, SeekSlotHasLimits) {
  ExpectIntegerLimits<std::int32_t>("a.terms[1].seek.slot", 0, 3,
                                    [](std::int32_t slot) {
                                      return ValidateTerm({1.0f, Seek{slot}});
                                    });
}

TEST(ArchetypeTest, NumbersOfWanderHaveLimits) {
  using Wander = WanderWorldAngle;
  const std::string path = "a.terms[1].wander_world_angle.";
  ExpectNumberLimits(path + "radius", 0.0f, 16384.0f, [](float value) {
    return ValidateTerm({1.0f, Wander{value, 1.0f, 1.0f}});
  });
  ExpectNumberLimits(path + "distance", 0.0f, 16384.0f, [](float value) {
    return ValidateTerm({1.0f, Wander{1.0f, value, 1.0f}});
  });
  ExpectNumberLimits(path + "jitter", 0.0f, 1.0e6f, [](float value) {
    return ValidateTerm({1.0f, Wander{1.0f, 1.0f, value}});
  });
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

TEST(ArchetypeTest, HasNoTermsWhenItIsExternal) {
  EXPECT_THAT(ValidateWith([](Archetype& a) { a.external = true; }), IsEmpty());
  ExpectFault(ValidateWith([](Archetype& a) {
                a.external = true;
                a.terms = {Term{}};
              }),
              ErrorCode::kMalformed, "a.terms", "must be empty");
}

TEST(ArchetypeTest, HasAtMostOneWander) {
  const Term wander{1.0f, WanderWorldAngle{}};
  const Term seek{1.0f, Seek{}};
  const auto with = [](const std::vector<Term>& terms) {
    return ValidateWith([&](Archetype& a) { a.terms = terms; });
  };
  EXPECT_THAT(with({seek, wander, seek}), IsEmpty());
  ExpectFault(with({wander, seek, wander}), ErrorCode::kMalformed,
              "a.terms[2].wander_world_angle", "at most one");
}

TEST(ArchetypeTest, EveryFieldAtFaultIsNamed) {
  Archetype archetype{.id = 0,
                      .max_speed = kNan,
                      .max_force = -1.0f,
                      .mass = 0.0f,
                      .terms = {{kNan, Seek{4}}}};
  EXPECT_THAT(
      Validate(archetype, {}, "a"),
      ElementsAre(FaultAt(ErrorCode::kOutOfBounds, "a.id"),
                  FaultAt(ErrorCode::kNonFinite, "a.max_speed"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.max_force"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.mass"),
                  FaultAt(ErrorCode::kNonFinite, "a.terms[0].weight"),
                  FaultAt(ErrorCode::kOutOfBounds, "a.terms[0].seek.slot")));
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
