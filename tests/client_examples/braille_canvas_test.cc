#include "client_examples/scenes/braille_canvas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace meander::scenes {
namespace {

using testing::ElementsAre;

TEST(BrailleCanvasTest, AnEmptyOneIsSpaces) {
  EXPECT_THAT(BrailleCanvas(3, 2).Lines(true), ElementsAre("   ", "   "));
  EXPECT_THAT(BrailleCanvas(0, 1).Lines(true), ElementsAre(""));
}

TEST(BrailleCanvasTest, EachDotOfACellIsTheOneThatUnicodeNames) {
  // U+2801, 2808, 2802, 2810, 2804, 2820, 2840, 2880.
  const char* const letters[4][2] = {{"\u2801", "\u2808"},
                                     {"\u2802", "\u2810"},
                                     {"\u2804", "\u2820"},
                                     {"\u2840", "\u2880"}};
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 2; ++x) {
      BrailleCanvas canvas(1, 1);
      canvas.Dot({x + 0.5, y + 0.5}, 31);
      EXPECT_THAT(canvas.Lines(false), ElementsAre(letters[y][x]));
    }
  }
}

TEST(BrailleCanvasTest, DotsOfOneCellAddUp) {
  BrailleCanvas canvas(2, 2);
  for (int y = 4; y < 8; ++y) {
    for (int x = 2; x < 4; ++x) {
      canvas.Dot({static_cast<double>(x), static_cast<double>(y)}, 31);
    }
  }
  EXPECT_THAT(canvas.Lines(false), ElementsAre("  ", " \u28ff"));
}

TEST(BrailleCanvasTest, WhatLiesOutsideIsLeftOut) {
  BrailleCanvas canvas(2, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Spot& spot :
       {Spot{-0.01, 0}, Spot{0, -0.01}, Spot{4, 0}, Spot{0, 4}, Spot{nan, 0},
        Spot{0, nan}, Spot{infinity, 0}, Spot{0, -infinity},
        Spot{1e30, 1e30}}) {
    canvas.Dot(spot, 31);
  }
  EXPECT_THAT(canvas.Lines(true), ElementsAre("  "));
}

TEST(BrailleCanvasTest, ColorsChangeOnlyWhereTheyMustAndEndWithTheLine) {
  BrailleCanvas canvas(5, 1);
  canvas.Dot({0, 0}, 31);
  canvas.Dot({2, 0}, 31);
  canvas.Dot({6, 0}, 96);
  EXPECT_THAT(canvas.Lines(true),
              ElementsAre("\x1b[31m\u2801\u2801 \x1b[96m\u2801 \x1b[m"));
}

TEST(BrailleCanvasTest, ACellHasTheColorOfItsLatestDot) {
  BrailleCanvas canvas(1, 1);
  canvas.Dot({0, 0}, 36);
  canvas.Dot({1, 0}, 96);
  EXPECT_THAT(canvas.Lines(true), ElementsAre("\x1b[96m\u2809\x1b[m"));
}

TEST(BrailleCanvasTest, ACircleIsClosedAndHollow) {
  BrailleCanvas canvas(8, 4);  // 16 by 16 dots
  canvas.Circle({8.0, 8.0}, 7.0, 90);
  const std::vector<std::string> lines = canvas.Lines(false);
  EXPECT_THAT(lines[1], testing::HasSubstr("    "));
  EXPECT_THAT(lines[1], testing::Not(testing::StartsWith(" ")));
  EXPECT_THAT(lines[1], testing::Not(testing::EndsWith(" ")));
  // Whatever its size it ends.
  canvas.Circle({0.0, 0.0}, 1e12, 90);
  BrailleCanvas dot(1, 1);
  dot.Circle({0.5, 0.5}, 0.0, 90);
  EXPECT_THAT(dot.Lines(false), ElementsAre("\u2801"));
}

TEST(ProjectionTest, TheWholeRectangleIsSeenInTheMiddle) {
  Camera camera;
  camera.center = {10, 20, 0};
  camera.half_width = 4;
  camera.half_height = 2;
  const Projection project(camera, 80, 80);
  EXPECT_EQ(project.scale(), 10.0);
  EXPECT_EQ(project({10, 20, 5}).x, 40.0);
  EXPECT_EQ(project({10, 20, 5}).y, 40.0);
  // Up is up.
  EXPECT_EQ(project({14, 22, 0}).x, 80.0);
  EXPECT_EQ(project({14, 22, 0}).y, 20.0);
}

}  // namespace
}  // namespace meander::scenes
