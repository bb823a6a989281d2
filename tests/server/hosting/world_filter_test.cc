#include "server/hosting/world_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

namespace meander::hosting {
namespace {

using core::ErrorCode;

WorldStatus World(Labels labels, ClockState state = ClockState::kRunning,
                  ClockMode mode = ClockMode::kRealtime) {
  WorldSettings settings;
  settings.labels = std::move(labels);
  settings.hosting.clock_mode = mode;
  WorldStatus status;
  status.clock = state;
  status.settings = std::make_shared<const WorldSettings>(settings);
  return status;
}

bool Meets(const WorldStatus& world, const std::string& text) {
  const auto filter = WorldFilter::Parse(text);
  EXPECT_TRUE(filter.ok()) << text << ": " << filter.error().reason;
  return filter.ok() && filter->IsMetBy(world);
}

TEST(WorldFilterTest, NothingIsMetByEveryWorld) {
  EXPECT_TRUE(Meets(World({}), ""));
  EXPECT_TRUE(Meets(World({}), "  \t\n"));
  EXPECT_TRUE(WorldFilter().IsMetBy(World({})));
}

TEST(WorldFilterTest, LabelsAreComparedWhole) {
  const WorldStatus world = World({{"stage", "test"}, {"a.b-c", ""}});
  EXPECT_TRUE(Meets(world, "labels.stage = \"test\""));
  EXPECT_TRUE(Meets(world, "labels.stage=\"test\""));
  EXPECT_FALSE(Meets(world, "labels.stage = \"tes\""));
  EXPECT_FALSE(Meets(world, "labels.stage = \"Test\""));
  EXPECT_FALSE(Meets(world, "labels.stag = \"test\""));
  EXPECT_FALSE(Meets(world, "labels.stage != \"test\""));
  EXPECT_TRUE(Meets(world, "labels.stage != \"tes\""));
  EXPECT_TRUE(Meets(world, "labels.a.b-c = \"\""));
}

TEST(WorldFilterTest, AMissingLabelHasNoValue) {
  EXPECT_FALSE(Meets(World({}), "labels.stage = \"\""));
  EXPECT_TRUE(Meets(World({}), "labels.stage != \"\""));
  EXPECT_TRUE(Meets(World({}), "labels.stage != \"test\""));
}

TEST(WorldFilterTest, LabelsAreThereOrNot) {
  const WorldStatus world = World({{"stage", ""}});
  EXPECT_TRUE(Meets(world, "labels:stage"));
  EXPECT_TRUE(Meets(world, "labels : stage"));
  EXPECT_FALSE(Meets(world, "labels:stag"));
  EXPECT_FALSE(Meets(world, "NOT labels:stage"));
  EXPECT_TRUE(Meets(world, "NOT labels:stag"));
}

TEST(WorldFilterTest, StatesAndModesAreTold) {
  struct NamedState {
    const char* name;
    ClockState state;
  };
  for (const auto& [name, state] :
       {NamedState{"RUNNING", ClockState::kRunning},
        NamedState{"PAUSED", ClockState::kPaused},
        NamedState{"OVERLOADED", ClockState::kOverloaded}}) {
    for (const ClockState own :
         {ClockState::kRunning, ClockState::kPaused, ClockState::kOverloaded}) {
      const WorldStatus world = World({}, own);
      EXPECT_EQ(Meets(world, std::string("state = ") + name), own == state);
      EXPECT_EQ(Meets(world, std::string("state!=") + name), own != state);
    }
  }
  struct NamedMode {
    const char* name;
    ClockMode mode;
  };
  for (const auto& [name, mode] :
       {NamedMode{"REALTIME", ClockMode::kRealtime},
        NamedMode{"MANUAL", ClockMode::kManual},
        NamedMode{"UNTHROTTLED", ClockMode::kUnthrottled}}) {
    for (const ClockMode own :
         {ClockMode::kRealtime, ClockMode::kManual, ClockMode::kUnthrottled}) {
      const WorldStatus world = World({}, ClockState::kRunning, own);
      EXPECT_EQ(Meets(world, std::string("clock_mode = ") + name), own == mode);
      EXPECT_EQ(Meets(world, std::string("clock_mode != ") + name),
                own != mode);
    }
  }
}

TEST(WorldFilterTest, EveryTermMustBeMet) {
  const WorldStatus world =
      World({{"a", "1"}}, ClockState::kPaused, ClockMode::kManual);
  EXPECT_TRUE(Meets(world,
                    "labels.a = \"1\" AND state = PAUSED AND clock_mode = "
                    "MANUAL AND NOT labels:b"));
  EXPECT_FALSE(Meets(world, "labels.a = \"1\" AND state = RUNNING"));
  EXPECT_FALSE(Meets(world, "state = RUNNING AND labels.a = \"1\""));
}

TEST(WorldFilterTest, NotTurnsATermRound) {
  const WorldStatus world = World({{"a", "1"}}, ClockState::kPaused);
  EXPECT_FALSE(Meets(world, "NOT labels.a = \"1\""));
  EXPECT_TRUE(Meets(world, "NOT labels.a != \"1\""));
  EXPECT_FALSE(Meets(world, "NOT state = PAUSED"));
  EXPECT_TRUE(Meets(world, "NOT state != PAUSED"));
}

struct Bad {
  std::string text;
  int character;
  std::string expected;
};

TEST(WorldFilterTest, ErrorsTellWhatWasExpectedWhere) {
  using std::string_literals::operator""s;
  const Bad cases[] = {
      {"tick = 5", 1, "labels.KEY"},
      {"= 5", 1, "labels.KEY"},
      {"NOT", 4, "labels.KEY"},
      {"NOT NOT state = PAUSED", 5, "labels.KEY"},
      {"STATE = PAUSED", 1, "labels.KEY"},
      {"(state = PAUSED)", 1, "labels.KEY"},
      {"-state = PAUSED", 1, "labels.KEY"},
      {"\0"s, 1, "labels.KEY"},
      {"\xff\xfe", 1, "labels.KEY"},
      {"state", 6, "\"=\" or \"!=\""},
      {"state > PAUSED", 7, "\"=\" or \"!=\""},
      {"state ! = PAUSED", 7, "\"=\" or \"!=\""},
      {"state = ", 9, "PAUSED"},
      {"state = paused", 9, "PAUSED"},
      {"state = \"PAUSED\"", 9, "PAUSED"},
      {"state == PAUSED", 8, "PAUSED"},
      {"clock_mode = PAUSED", 14, "MANUAL"},
      {"labels", 7, "\":\""},
      {"labels = 5", 8, "\":\""},
      {"labels:", 8, "a label's key"},
      {"labels:A", 8, "a label's key"},
      {"labels:\"a\"", 8, "a label's key"},
      {"labels:" + std::string(64, 'a'), 8, "a label's key"},
      {"labels. = \"a\"", 1, "a label's key"},
      {"labels.1 = \"a\"", 1, "a label's key"},
      {"labels.a", 9, "\"=\" or \"!=\""},
      {"labels.a = b", 12, "quotation marks"},
      {"labels.a = \"b", 12, "quotation marks"},
      {"labels.a = \"", 12, "quotation marks"},
      {"labels.a = 'b'", 12, "quotation marks"},
      {"labels.a = \"b c\"", 12, "quotation marks"},
      {"labels.a = \"" + std::string(64, 'b') + '"', 12, "quotation marks"},
      {"labels:a labels:b", 10, "AND"},
      {"labels:a OR labels:b", 10, "AND"},
      {"labels:a and labels:b", 10, "AND"},
      {"labels:a AND", 13, "labels.KEY"},
      {"labels:a AND AND labels:b", 14, "labels.KEY"},
      {"labels.a = \"b\"\0"s, 15, "AND"},
  };
  for (const Bad& bad : cases) {
    const auto filter = WorldFilter::Parse(bad.text);
    ASSERT_FALSE(filter.ok()) << bad.text;
    EXPECT_EQ(filter.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(filter.error().field, "filter");
    EXPECT_TRUE(filter.error().reason.starts_with(
        "at character " + std::to_string(bad.character) + ": "))
        << bad.text << ": " << filter.error().reason;
    EXPECT_NE(filter.error().reason.find(bad.expected), std::string::npos)
        << bad.text << ": " << filter.error().reason;
  }
}

TEST(WorldFilterTest, ItsLengthIsLimited) {
  std::string text = "labels:a";
  text.resize(WorldFilter::kMaxBytes, ' ');
  EXPECT_TRUE(WorldFilter::Parse(text).ok());
  const auto filter = WorldFilter::Parse(text + ' ');
  ASSERT_FALSE(filter.ok());
  EXPECT_EQ(filter.error().code, ErrorCode::kOutOfBounds);
  EXPECT_EQ(filter.error().field, "filter");
  EXPECT_NE(filter.error().reason.find("1024"), std::string::npos);
}

TEST(WorldFilterTest, AnythingCanBeRead) {
  const std::string pieces[] = {"labels",
                                ".",
                                ":",
                                "a",
                                "=",
                                "!=",
                                "!",
                                "\"",
                                "AND",
                                " ",
                                "(",
                                "NOT ",
                                "state",
                                "PAUSED ",
                                "clock_mode",
                                "MANUAL",
                                "labels.a = \"b\" AND ",
                                "\t",
                                "\xc3"};
  std::mt19937 random(1);
  const WorldStatus world = World({{"a", "b"}});
  int good = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint32_t count = random() % 8; count > 0; --count) {
      text += pieces[random() % std::size(pieces)];
    }
    const auto filter = WorldFilter::Parse(text);
    if (filter.ok()) {
      ++good;
      (void)filter->IsMetBy(world);
    } else {
      EXPECT_EQ(filter.error().field, "filter");
      EXPECT_LT(filter.error().reason.size(), 256u);
    }
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace meander::hosting
