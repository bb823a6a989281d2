#include "client_examples/scenes/trail_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace meander::scenes {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A unit is ten of the drawing's; (0, 0) is at (800, 400).
Picture Plain() {
  Picture picture;
  picture.camera.half_width = 80;
  picture.camera.half_height = 40;
  return picture;
}

Body BodyAt(std::int64_t id, double x, double y) {
  return {id, {x, y, 0}, {1, 0, 0}};
}

TEST(TrailPictureTest, IsOneElementAlsoWithoutAgents) {
  EXPECT_THAT(ToSvg(Plain(), {}),
              AllOf(StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""),
                    EndsWith("</svg>\n")));
}

TEST(TrailPictureTest, ATrailIsALineThroughItsSamples) {
  Trails trails;
  trails.Add({BodyAt(1, 0, 0)});
  EXPECT_THAT(ToSvg(Plain(), trails), HasSubstr(" d=\"M809 400"));
  // One age each; a part begins where the one before ends.
  trails.Add({BodyAt(1, 1, 0)});
  trails.Add({BodyAt(1, 1, 2)});
  trails.Add({BodyAt(1, 4, 2)});
  const std::string svg = ToSvg(Plain(), trails);
  EXPECT_THAT(svg, HasSubstr("\".12\" d=\"M800 400l10 0\""));
  EXPECT_THAT(svg, HasSubstr("\".25\" d=\"M810 400l0-20\""));
  EXPECT_THAT(svg, HasSubstr("\".45\" d=\"M810 380l30 0\""));
}

TEST(TrailPictureTest, SamplesOnALineAreLeftOutAndBendsStay) {
  Trails trails;
  for (int i = 0; i < 40; ++i) trails.Add({BodyAt(1, 0.25 * i, 0)});
  for (int i = 0; i < 40; ++i) trails.Add({BodyAt(1, 10, 0.25 * i)});
  const std::string svg = ToSvg(Plain(), trails);
  EXPECT_THAT(svg, HasSubstr("\".12\" d=\"M800 400l50 0\""));
  EXPECT_THAT(svg, HasSubstr("\".25\" d=\"M850 400l50 0\""));
  EXPECT_LT(svg.size(), 1000u);
}

TEST(TrailPictureTest, NoLineLeadsAcrossATorus) {
  Trails trails;
  for (const double x : {70.0, 75.0, -75.0, -70.0}) {
    trails.Add({BodyAt(1, x, 0)});
  }
  const std::string svg = ToSvg(Plain(), trails);
  EXPECT_THAT(svg, HasSubstr("M1500 400l50 0\""));
  EXPECT_THAT(svg, HasSubstr("M50 400l50 0\""));
  EXPECT_THAT(svg, Not(HasSubstr("l-1500")));
}

TEST(TrailPictureTest, AgentsThatAreGoneLeaveATrailAlone) {
  Trails trails;
  trails.Add({BodyAt(1, 0, 0), BodyAt(2, 0, 10)});
  trails.Add({BodyAt(1, 5, 0), BodyAt(2, 5, 10)});
  trails.Add({BodyAt(1, 10, 0)});
  const std::string svg = ToSvg(Plain(), trails);
  EXPECT_THAT(svg, HasSubstr("M800 300l50 0"));
  const std::size_t dart = svg.find("z\"");
  ASSERT_NE(dart, std::string::npos);
  EXPECT_EQ(svg.find('z', dart + 1), std::string::npos);
}

TEST(TrailPictureTest, EachKindHasItsColorAndItsName) {
  Picture picture = Plain();
  picture.kinds = {"fish", "sharks & <co>"};
  picture.kind_of_agent = {1};
  Trails trails;
  trails.Add({BodyAt(1, 0, 0)});
  const std::string svg = ToSvg(picture, trails);
  EXPECT_THAT(svg, HasSubstr("<path fill=\"#ffb703\""));
  EXPECT_THAT(svg, Not(HasSubstr("<path fill=\"#4cc9f0\"")));
  EXPECT_THAT(svg, HasSubstr(">fish</tspan>"));
  EXPECT_THAT(svg, HasSubstr(">sharks &amp; &lt;co></tspan>"));
}

TEST(TrailPictureTest, WhatIsFarOutOrNotMovingIsDrawnAllTheSame) {
  Trails trails;
  const double huge = std::numeric_limits<double>::max();
  trails.Add({BodyAt(1, huge, -huge), {2, {0, 0, 0}, {0, 0, 0}}});
  trails.Add({BodyAt(1, huge, -huge), {2, {0, 0, 0}, {0, 0, 0}}});
  const std::string svg = ToSvg(Plain(), trails);
  EXPECT_THAT(svg, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
  EXPECT_THAT(svg, HasSubstr("M800 391"));  // a dart that points up
}

}  // namespace
}  // namespace meander::scenes
