#include "core/steering/start_wander.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "core/math/trig.h"
#include "core/random/agent_random.h"
#include "gtest/gtest.h"
#include "tests/core/steering/kernel_rows.h"

namespace meander::core {
namespace {

Archetype With(const Behavior& behavior) {
  Archetype archetype;
  archetype.terms = {Term{1.0f, Brake{}}, Term{1.0f, behavior}};
  return archetype;
}

TEST(DrawWanderStartTest, GivesEachUseItsOwnLanes) {
  for (const std::int64_t step : {0, 1, 12345}) {
    const WanderStartUniforms drawn = DrawWanderStart(77, step);
    const auto count = static_cast<std::uint64_t>(step);
    const auto angles = UniformBlock(77, count, Purpose::kInit, 0);
    const auto offset = UniformBlock(77, count, Purpose::kInit, 1);
    const auto heading = UniformBlock(77, count, Purpose::kInit, 2);
    EXPECT_EQ(drawn.angle, angles[0]);
    EXPECT_EQ(drawn.elevation, angles[1]);
    EXPECT_EQ(drawn.offset, (std::array{offset[0], offset[1], offset[2]}));
    EXPECT_EQ(drawn.heading, (std::array{heading[0], heading[1], heading[2]}));
  }
}

TEST(StartWanderTest, MakesWhatTheFormUsesAndNothingElse) {
  const WanderStartUniforms uniforms{.angle = 0.25f,
                                     .elevation = 0.75f,
                                     .offset = {0.5f, 1.0f, 0.5f},
                                     .heading = {0.5f, 0.5f, 0.0f}};
  WanderState wanted;
  EXPECT_EQ(StartWander(With(Seek{}), Plane::kNone, uniforms, {}), wanted);
  wanted.turn = 1u << 30;
  EXPECT_EQ(StartWander(With(WanderWorldAngle{}), Plane::kNone, uniforms, {}),
            wanted);
  wanted.elevation = 0.5f * kHalfPi;
  EXPECT_EQ(StartWander(With(WanderSpherical{}), Plane::kNone, uniforms, {}),
            wanted);
  wanted = {};
  wanted.offset = {0, 1, 0};
  wanted.heading = {0, 0, -1};
  EXPECT_EQ(
      StartWander(With(WanderHeadingOffset{}), Plane::kNone, uniforms, {}),
      wanted);
}

TEST(StartWanderTest, TakesWhatIsGivenAndDrawsTheRest) {
  const WanderStartUniforms uniforms{.angle = 0.25f,
                                     .elevation = 0.75f,
                                     .offset = {0.5f, 1.0f, 0.5f},
                                     .heading = {0.5f, 0.5f, 0.0f}};
  WanderGiven given;
  given.angle = 3.0f;
  WanderState state =
      StartWander(With(WanderSpherical{}), Plane::kNone, uniforms, given);
  EXPECT_EQ(state.turn, TurnFromRadians(3.0f));
  EXPECT_EQ(state.elevation, 0.5f * kHalfPi);
  given = {};
  given.elevation = -1.0f;
  given.heading = Vec3{0, -8, 0};
  state = StartWander(With(WanderSpherical{}), Plane::kNone, uniforms, given);
  EXPECT_EQ(state.turn, 1u << 30);
  EXPECT_EQ(state.elevation, -1.0f);
  state =
      StartWander(With(WanderHeadingOffset{}), Plane::kNone, uniforms, given);
  EXPECT_EQ(state.heading, (Vec3{0, -1, 0}));
  EXPECT_EQ(state.offset, (Vec3{0, 1, 0}));
}

TEST(StartWanderTest, LiesInThePlaneOfTheWorldElseOfTheTerm) {
  WanderHeadingOffset wander;
  wander.plane = Plane::kXZ;
  const WanderStartUniforms uniforms{.angle = 0.0f,
                                     .elevation = 0.0f,
                                     .offset = {0.9f, 0.8f, 0.7f},
                                     .heading = {0.1f, 0.2f, 0.3f}};
  const WanderState by_term =
      StartWander(With(wander), Plane::kNone, uniforms, {});
  EXPECT_EQ(Bits(by_term.offset.y), 0u);
  EXPECT_EQ(Bits(by_term.heading.y), 0u);
  EXPECT_GT(by_term.offset.z, 0.0f);
  const WanderState by_world =
      StartWander(With(wander), Plane::kXY, uniforms, {});
  EXPECT_EQ(Bits(by_world.offset.z), 0u);
  EXPECT_GT(by_world.offset.y, 0.0f);
}

TEST(DrawnDirectionTest, FallsBackToThePlanesFirstAxis) {
  constexpr std::array kMiddle{0.5f, 0.5f, 0.5f};
  EXPECT_EQ(DrawnDirection(kMiddle, Plane::kNone), (Vec3{1, 0, 0}));
  EXPECT_EQ(DrawnDirection(kMiddle, Plane::kYZ), (Vec3{0, 1, 0}));
  EXPECT_EQ(DrawnDirection({0.9f, 0.5f, 0.5f}, Plane::kYZ), (Vec3{0, 1, 0}))
      << "flattened away";
}

TEST(DrawnDirectionTest, PointsEverywhere) {
  // Of many agents each octant has its eighth.
  std::array<int, 8> octants{};
  constexpr int kAgents = 8000;
  for (std::uint64_t seed = 0; seed < kAgents; ++seed) {
    const Vec3 v =
        DrawnDirection(DrawWanderStart(seed, 0).offset, Plane::kNone);
    EXPECT_NEAR(Length(v), 1.0f, 1.0e-6f);
    ++octants[(v.x > 0 ? 1u : 0u) + (v.y > 0 ? 2u : 0u) + (v.z > 0 ? 4u : 0u)];
  }
  for (const int count : octants) EXPECT_NEAR(count, 1000, 120);
}

}  // namespace
}  // namespace meander::core
