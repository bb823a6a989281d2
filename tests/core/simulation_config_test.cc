#include "core/simulation_config.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/math/vec3.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/axes.h"
#include "tests/core/faults.h"

namespace meander::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kPath = "world.simulation";

// The violations of a config in which one thing was changed.
template <typename Change>
Violations ValidateConfig(Change change, SimulationConfig config = {}) {
  change(config);
  return Validate(config, kPath);
}

struct Corner {
  std::string name;
  Vec3 SimulationConfig::*member;
};
const Corner kCorners[] = {{"bounds.min", &SimulationConfig::bounds_min},
                           {"bounds.max", &SimulationConfig::bounds_max}};

TEST(SimulationConfigTest, TheDefaultIsValid) {
  EXPECT_THAT(Validate(SimulationConfig{}, ""), IsEmpty());
  EXPECT_EQ(SimulationConfig{}.tick_rate_hz, 60);
  EXPECT_EQ(SimulationConfig{}.bounds_max, (Vec3{2048, 2048, 2048}));
}

TEST(SimulationConfigTest, TickRateHasLimits) {
  ExpectIntegerLimits<std::int32_t>(
      "world.simulation.tick_rate_hz", 1, 1000, [](std::int32_t rate) {
        return ValidateConfig([rate](auto& c) { c.tick_rate_hz = rate; });
      });
}

TEST(SimulationConfigTest, MaxAgentsHasLimits) {
  ExpectIntegerLimits<std::int64_t>(
      "world.simulation.max_agents", 1, 1'000'000, [](std::int64_t agents) {
        return ValidateConfig([agents](auto& c) { c.max_agents = agents; });
      });
}

TEST(SimulationConfigTest, EachBoundIsAFiniteNumberUpTo16384) {
  for (const Corner& corner : kCorners) {
    const bool low = corner.name == "bounds.min";
    for (const NamedAxis& axis : kAxes) {
      const auto validate = [&](float value) {
        return ValidateConfig([&](SimulationConfig& c) {
          // The other corner as far away as may be.
          c.bounds_min.*axis.member = -kMaxBound;
          c.bounds_max.*axis.member = kMaxBound;
          (c.*corner.member).*axis.member = value;
        });
      };
      // Nearest to the other corner they may not touch.
      const float least = low ? -kMaxBound : Above(-kMaxBound);
      const float most = low ? Below(kMaxBound) : kMaxBound;
      const std::string field =
          "world.simulation." + corner.name + "." + axis.name;
      SCOPED_TRACE(field);
      EXPECT_THAT(validate(least), IsEmpty());
      EXPECT_THAT(validate(most), IsEmpty());
      EXPECT_THAT(validate(-0.0f), IsEmpty());
      for (const float value : {Below(-kMaxBound), Above(kMaxBound)}) {
        ExpectFault(validate(value), ErrorCode::kOutOfBounds, field,
                    "-16384 to 16384");
      }
      for (const float value : {kNan, kInfinity, -kInfinity}) {
        ExpectFault(validate(value), ErrorCode::kNonFinite, field);
      }
    }
  }
}

TEST(SimulationConfigTest, TheLowerBoundLiesBelowTheUpperOnAxesOfThePlane) {
  for (const NamedAxis& axis : kAxes) {
    const std::string field = "world.simulation.bounds.max." + axis.name;
    const auto validate = [&](float low, float high, Plane plane) {
      return ValidateConfig([&](SimulationConfig& c) {
        c.plane = plane;
        c.bounds_min.*axis.member = low;
        c.bounds_max.*axis.member = high;
      });
    };
    EXPECT_THAT(validate(5.0f, Above(5.0f), Plane::kNone), IsEmpty());
    ExpectFault(validate(5.0f, 5.0f, Plane::kNone), ErrorCode::kOutOfBounds,
                field, "above bounds.min." + axis.name + ", which is 5");
    ExpectFault(validate(5.0f, Below(5.0f), Plane::kNone),
                ErrorCode::kOutOfBounds, field);
    ExpectFault(validate(0.0f, -0.0f, Plane::kNone), ErrorCode::kOutOfBounds,
                field);
    for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
      const bool in_plane = PlaneMask(plane).*axis.member != 0.0f;
      const Violations violations = validate(5.0f, -5.0f, plane);
      EXPECT_EQ(violations.empty(), !in_plane)
          << axis.name << " in plane " << static_cast<int>(plane);
    }
  }
}

TEST(SimulationConfigTest, BoundsThatWrapAreAtLeastOneUnitApartOnThePlane) {
  for (const NamedAxis& axis : kAxes) {
    const auto validate = [&](float high, Plane plane, BoundsMode mode) {
      return ValidateConfig([&](SimulationConfig& c) {
        c.plane = plane;
        c.bounds_mode = mode;
        c.bounds_min.*axis.member = 5.0f;
        c.bounds_max.*axis.member = high;
      });
    };
    EXPECT_THAT(validate(6.0f, Plane::kNone, BoundsMode::kWrap), IsEmpty());
    ExpectFault(validate(Below(6.0f), Plane::kNone, BoundsMode::kWrap),
                ErrorCode::kOutOfBounds,
                "world.simulation.bounds.max." + axis.name,
                "at least 1 above bounds.min." + axis.name);
    // Below is said in one way alone.
    ExpectFault(validate(4.0f, Plane::kNone, BoundsMode::kWrap),
                ErrorCode::kOutOfBounds,
                "world.simulation.bounds.max." + axis.name, "must be above");
    for (const BoundsMode mode : {BoundsMode::kOpen, BoundsMode::kClamp}) {
      EXPECT_THAT(validate(5.25f, Plane::kNone, mode), IsEmpty());
    }
    for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
      const bool in_plane = PlaneMask(plane).*axis.member != 0.0f;
      EXPECT_EQ(validate(5.25f, plane, BoundsMode::kWrap).empty(), !in_plane);
    }
  }
}

TEST(SimulationConfigTest, CellSizeHasLimits) {
  EXPECT_EQ(SimulationConfig{}.cell_size, 8.0f);
  ExpectNumberLimits("world.simulation.cell_size", 1.0f / 64.0f, 32768.0f,
                     [](float size) {
                       return ValidateConfig(
                           [size](SimulationConfig& c) { c.cell_size = size; });
                     });
}

TEST(SimulationConfigTest, BoundsOffThePlaneAreIgnored) {
  for (const Plane plane : {Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    for (const NamedAxis& axis : kAxes) {
      for (const float value : {kNan, kInfinity, -20000.0f}) {
        const Violations violations = ValidateConfig([&](SimulationConfig& c) {
          c.plane = plane;
          c.bounds_min.*axis.member = value;
        });
        const bool in_plane = PlaneMask(plane).*axis.member != 0.0f;
        EXPECT_EQ(violations.empty(), !in_plane) << axis.name << " " << value;
      }
    }
  }
}

TEST(SimulationConfigTest, FlatteningSetsWhatIsOffThePlaneToPositiveZero) {
  const Vec3 value{-1.0f, kNan, -0.0f};
  EXPECT_TRUE(std::isnan(Flatten(value, Plane::kNone).y));
  EXPECT_EQ(Flatten(value, Plane::kXZ), (Vec3{-1.0f, 0.0f, -0.0f}));
  const Vec3 flat = Flatten({-1.0f, 2.0f, -0.0f}, Plane::kXY);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(flat.z), 0u);
  EXPECT_EQ(
      std::bit_cast<std::uint32_t>(Flatten({-0.0f, 1.0f, 2.0f}, Plane::kYZ).x),
      0u);
}

TEST(SimulationConfigTest, EveryFieldAtFaultIsNamed) {
  SimulationConfig config;
  config.tick_rate_hz = 0;
  config.max_agents = 0;
  config.bounds_min = {kNan, 3.0f, 0.0f};
  config.bounds_max = {1.0f, 3.0f, 20000.0f};
  EXPECT_THAT(Validate(config, "c"),
              ElementsAre(FaultAt(ErrorCode::kOutOfBounds, "c.tick_rate_hz"),
                          FaultAt(ErrorCode::kNonFinite, "c.bounds.min.x"),
                          FaultAt(ErrorCode::kOutOfBounds, "c.bounds.max.y"),
                          FaultAt(ErrorCode::kOutOfBounds, "c.bounds.max.z"),
                          FaultAt(ErrorCode::kOutOfBounds, "c.max_agents")));
}

TEST(SimulationConfigTest, FieldsAreNamedAloneBelowAnEmptyPath) {
  SimulationConfig config;
  config.tick_rate_hz = 1001;
  ExpectFault(Validate(config, ""), ErrorCode::kOutOfBounds, "tick_rate_hz");
}

TEST(SimulationConfigTest, OnlyKnownPlanesAndModesAreValid) {
  for (int value = 0; value < 256; ++value) {
    const auto plane = static_cast<Plane>(value);
    const Violations planes = ValidateConfig([=](auto& c) { c.plane = plane; });
    EXPECT_EQ(planes.empty(), value <= 3) << value;
    if (!planes.empty()) {
      ExpectFault(planes, ErrorCode::kMalformed, "world.simulation.plane");
    }
    const auto mode = static_cast<BoundsMode>(value);
    const Violations modes =
        ValidateConfig([=](auto& c) { c.bounds_mode = mode; });
    EXPECT_EQ(modes.empty(), value <= 2) << value;
    if (!modes.empty()) {
      ExpectFault(modes, ErrorCode::kMalformed, "world.simulation.bounds.mode");
    }
  }
}

TEST(SimulationConfigTest, NormalizedBoundsArePositiveZeroOffThePlane) {
  for (const Plane plane : {Plane::kNone, Plane::kXY, Plane::kXZ, Plane::kYZ}) {
    SimulationConfig config;
    config.plane = plane;
    config.bounds_min = {-1.0f, -2.0f, -3.0f};
    config.bounds_max = {1.0f, 2.0f, 3.0f};
    const SimulationConfig normalized = Normalized(config);
    for (const NamedAxis& axis : kAxes) {
      const bool in_plane = PlaneMask(plane).*axis.member != 0.0f;
      for (const Corner& corner : kCorners) {
        const float before = (config.*corner.member).*axis.member;
        const float after = (normalized.*corner.member).*axis.member;
        EXPECT_EQ(std::bit_cast<std::uint32_t>(after),
                  in_plane ? std::bit_cast<std::uint32_t>(before) : 0u);
      }
    }
    EXPECT_EQ(Normalized(normalized), normalized);
    EXPECT_EQ(normalized.plane, plane);
  }
}

TEST(SimulationConfigTest, APlaneHasTheTwoAxesOfItsName) {
  EXPECT_EQ(PlaneMask(Plane::kNone), (Vec3{1, 1, 1}));
  EXPECT_EQ(PlaneMask(Plane::kXY), (Vec3{1, 1, 0}));
  EXPECT_EQ(PlaneMask(Plane::kXZ), (Vec3{1, 0, 1}));
  EXPECT_EQ(PlaneMask(Plane::kYZ), (Vec3{0, 1, 1}));
}

TEST(SimulationConfigTest, AStepLastsTheRoundedInverseOfTheRate) {
  for (std::int32_t rate = 1; rate <= kMaxTickRateHz; ++rate) {
    SimulationConfig config;
    config.tick_rate_hz = rate;
    EXPECT_EQ(StepSeconds(config), static_cast<float>(1.0 / rate)) << rate;
  }
}

}  // namespace
}  // namespace meander::core
