#include "server/hosting/hosting_config.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace meander::hosting {
namespace {

using core::ErrorCode;

// What is wrong with these settings, one fault at most.
core::Error FaultOf(const WorldSettings& settings) {
  const core::Violations violations = Validate(settings, Limits{}, "world");
  EXPECT_EQ(violations.size(), 1u);
  return violations.empty() ? core::Error{} : violations.front();
}
core::Error FaultOf(const HostingConfig& hosting) {
  return FaultOf(WorldSettings{.hosting = hosting, .labels = {}});
}
bool IsFine(const WorldSettings& settings) {
  return Validate(settings, Limits{}, "world").empty();
}
bool IsFine(const HostingConfig& hosting) {
  return IsFine(WorldSettings{.hosting = hosting, .labels = {}});
}

TEST(HostingConfigTest, TheDefaultsAreFine) {
  EXPECT_TRUE(IsFine(WorldSettings{}));
}

TEST(HostingConfigTest, TimeScalesEndWhereTheySay) {
  for (const double scale : {0.01, 1.0, 100.0}) {
    EXPECT_TRUE(IsFine(HostingConfig{.time_scale = scale})) << scale;
  }
  for (const double scale : {0.0, -1.0, 0.0099, 100.1, std::nan(""),
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
    const core::Error fault = FaultOf(HostingConfig{.time_scale = scale});
    EXPECT_EQ(fault.code, std::isfinite(scale) ? ErrorCode::kOutOfBounds
                                               : ErrorCode::kNonFinite);
    EXPECT_EQ(fault.field, "world.hosting.time_scale");
  }
}

TEST(HostingConfigTest, CountsOfTicksEndWhereTheySay) {
  const std::int64_t ahead = Limits{}.max_ticks_ahead;
  EXPECT_TRUE(IsFine(HostingConfig{.input_delay_ticks = ahead}));
  for (const std::int64_t delay : {std::int64_t{0}, ahead + 1}) {
    EXPECT_EQ(FaultOf(HostingConfig{.input_delay_ticks = delay}).field,
              "world.hosting.input_delay_ticks");
  }
  EXPECT_TRUE(IsFine(HostingConfig{.hash_interval_ticks = kMaxHashInterval}));
  for (const std::int64_t interval : {std::int64_t{0}, kMaxHashInterval + 1}) {
    EXPECT_EQ(FaultOf(HostingConfig{.hash_interval_ticks = interval}).field,
              "world.hosting.hash_interval_ticks");
  }
}

TEST(HostingConfigTest, AnIdleTtlIsNeverOrASecondToThirtyDays) {
  using std::chrono::nanoseconds;
  for (const nanoseconds ttl :
       {nanoseconds(0), nanoseconds(kMinIdleTtl), nanoseconds(kMaxIdleTtl)}) {
    EXPECT_TRUE(IsFine(HostingConfig{.idle_ttl = ttl}));
  }
  for (const nanoseconds ttl :
       {nanoseconds(-1), nanoseconds(1), kMinIdleTtl - nanoseconds(1),
        kMaxIdleTtl + nanoseconds(1)}) {
    EXPECT_EQ(FaultOf(HostingConfig{.idle_ttl = ttl}).field,
              "world.hosting.idle_ttl");
  }
}

TEST(HostingConfigTest, OnlyAnUnthrottledClockNeedsItsTick) {
  EXPECT_TRUE(IsFine(HostingConfig{.until_tick = 5}));
  EXPECT_TRUE(IsFine(
      HostingConfig{.clock_mode = ClockMode::kUnthrottled, .until_tick = 1}));
  EXPECT_EQ(FaultOf(HostingConfig{.clock_mode = ClockMode::kUnthrottled}).field,
            "world.hosting.until_tick");
  EXPECT_TRUE(IsFine(HostingConfig{.until_tick = kMaxUntilTick}));
  for (const std::int64_t tick : {std::int64_t{-1}, kMaxUntilTick + 1,
                                  std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(FaultOf(HostingConfig{.until_tick = tick}).code,
              ErrorCode::kOutOfBounds);
  }
}

TEST(HostingConfigTest, KnowsALabelWhenItSeesOne) {
  for (const std::string& key :
       {std::string("a"), std::string("team.red_1-x"), std::string(63, 'k')}) {
    EXPECT_TRUE(IsLabelKey(key)) << key;
  }
  for (const std::string& key :
       {std::string(), std::string("A"), std::string("1a"), std::string("a b"),
        std::string("a\0b", 3), std::string("\xc3\xa4"), std::string("a/b"),
        std::string(64, 'k')}) {
    EXPECT_FALSE(IsLabelKey(key)) << key;
  }
  EXPECT_TRUE(IsLabelValue(""));
  EXPECT_TRUE(IsLabelValue("v1.2-Beta_3"));
  EXPECT_FALSE(IsLabelValue(std::string(64, 'v')));
  EXPECT_FALSE(IsLabelValue("two words"));
  EXPECT_FALSE(IsLabelValue(std::string("\0", 1)));
}

TEST(HostingConfigTest, NamesTheLabelThatIsWrong) {
  WorldSettings settings;
  settings.labels = {{"good", "x"}, {"team", "a b"}};
  EXPECT_EQ(FaultOf(settings).field, "world.labels.team");
  settings.labels = {{"Bad Key", "x"}};
  EXPECT_EQ(FaultOf(settings).field, "world.labels");
  settings.labels.clear();
  for (std::size_t i = 0; i < kMaxLabels; ++i) {
    settings.labels["k" + std::to_string(i)] = "";
  }
  EXPECT_TRUE(IsFine(settings));
  settings.labels["one-more"] = "";
  EXPECT_EQ(FaultOf(settings).code, ErrorCode::kOutOfBounds);
}

TEST(HostingConfigTest, APatchChangesWhatItHoldsAndNothingElse) {
  WorldSettings settings;
  settings.labels = {{"a", "1"}};
  const WorldSettings before = settings;
  SettingsPatch{}.ApplyTo(settings);
  EXPECT_EQ(settings, before);
  SettingsPatch{.time_scale = 3.0}.ApplyTo(settings);
  EXPECT_EQ(settings.hosting.time_scale, 3.0);
  settings.hosting.time_scale = before.hosting.time_scale;
  EXPECT_EQ(settings, before);
  SettingsPatch{.clock_mode = ClockMode::kManual,
                .durability = Durability::kAsync,
                .input_delay_ticks = 2,
                .hash_interval_ticks = 3,
                .idle_ttl = std::chrono::seconds(4),
                .until_tick = 5,
                .labels = Labels{{"b", "2"}}}
      .ApplyTo(settings);
  EXPECT_EQ(settings, (WorldSettings{{.clock_mode = ClockMode::kManual,
                                      .durability = Durability::kAsync,
                                      .time_scale = 1.0,
                                      .input_delay_ticks = 2,
                                      .hash_interval_ticks = 3,
                                      .idle_ttl = std::chrono::seconds(4),
                                      .until_tick = 5},
                                     {{"b", "2"}}}));
}

}  // namespace
}  // namespace meander::hosting
