#include "server/service/settings_message.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace meander::service {
namespace {

using core::ErrorCode;
using hosting::ClockMode;
using hosting::Durability;
using hosting::HostingConfig;
using hosting::SettingsPatch;
using hosting::WorldSettings;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// Nothing in it is the default.
WorldSettings Special() {
  return {.hosting = {.clock_mode = ClockMode::kUnthrottled,
                      .durability = Durability::kAsync,
                      .time_scale = 2.5,
                      .input_delay_ticks = 3,
                      .hash_interval_ticks = 4,
                      .idle_ttl = seconds(5) + nanoseconds(6),
                      .until_tick = 7},
          .labels = {{"a", "1"}, {"b.c", "D_e"}}};
}

v1::World Shown(const WorldSettings& settings) {
  v1::World world;
  ToMessage(settings, world);
  return world;
}

WorldSettings Read(const v1::World& world) {
  core::Violations violations;
  WorldSettings settings = ToSettings(world, violations);
  EXPECT_TRUE(violations.empty());
  return settings;
}

v1::UpdateWorldRequest Update(const WorldSettings& settings,
                              const std::vector<std::string>& mask) {
  v1::UpdateWorldRequest request;
  *request.mutable_world() = Shown(settings);
  for (const auto& path : mask) request.mutable_update_mask()->add_paths(path);
  return request;
}

// `from` after the request.
WorldSettings Apply(const v1::UpdateWorldRequest& request,
                    WorldSettings from = {}) {
  core::Violations violations;
  ToPatch(request, violations).ApplyTo(from);
  EXPECT_TRUE(violations.empty());
  return from;
}

TEST(SettingsMessageTest, SettingsComeBackAsTheyWere) {
  EXPECT_EQ(Read(Shown(Special())), Special());
  for (const auto clock :
       {ClockMode::kRealtime, ClockMode::kManual, ClockMode::kUnthrottled}) {
    for (const auto durability :
         {Durability::kNone, Durability::kAsync, Durability::kCommitted}) {
      WorldSettings settings;
      settings.hosting.clock_mode = clock;
      settings.hosting.durability = durability;
      EXPECT_EQ(Read(Shown(settings)), settings);
    }
  }
}

TEST(SettingsMessageTest, UnsetIsTheDefault) {
  EXPECT_EQ(Read({}), WorldSettings{});
}

TEST(SettingsMessageTest, ShowsEveryFieldAlsoWhereItIsTheDefault) {
  const v1::World world = Shown({});
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_REALTIME);
  EXPECT_EQ(world.hosting().durability(), v1::DURABILITY_NONE);
  EXPECT_EQ(world.hosting().time_scale(), 1.0);
  EXPECT_EQ(world.hosting().input_delay_ticks(), 1);
  EXPECT_EQ(world.hosting().hash_interval_ticks(), 1);
  EXPECT_TRUE(world.hosting().has_idle_ttl());
}

TEST(SettingsMessageTest, UnknownEnumsAreNamed) {
  v1::World world;
  world.mutable_hosting()->set_clock_mode(static_cast<v1::ClockMode>(17));
  world.mutable_hosting()->set_durability(static_cast<v1::Durability>(-1));
  core::Violations violations;
  ToSettings(world, violations);
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_EQ(violations[0].code, ErrorCode::kMalformed);
  EXPECT_EQ(violations[0].field, "world.hosting.durability");
  EXPECT_EQ(violations[1].field, "world.hosting.clock_mode");
}

TEST(SettingsMessageTest, ATimeScaleIsRoundedToThousandths) {
  v1::World world;
  const auto scale = [&world](double value) {
    world.mutable_hosting()->set_time_scale(value);
    return Read(world).hosting.time_scale;
  };
  EXPECT_EQ(scale(0.0), 1.0);
  EXPECT_EQ(scale(-0.0), 1.0);
  EXPECT_EQ(scale(1.0004), 1.0);
  EXPECT_EQ(scale(1.0006), 1.001);
  EXPECT_EQ(scale(0.01), 0.01);
  EXPECT_EQ(scale(100.0), 100.0);
  // What is out of range is refused as it was sent.
  EXPECT_EQ(scale(0.0099), 0.0099);
  EXPECT_EQ(scale(100.0001), 100.0001);
  EXPECT_EQ(scale(-1.5), -1.5);
  EXPECT_TRUE(std::isnan(scale(std::numeric_limits<double>::quiet_NaN())));
}

TEST(SettingsMessageTest, DurationsThatAreNoneAreRefused) {
  struct Case {
    std::int64_t seconds;
    std::int32_t nanos;
  };
  for (const auto& [whole, nanos] :
       {Case{1, -1}, Case{-1, 1}, Case{0, 1'000'000'000},
        Case{5, std::numeric_limits<std::int32_t>::max()},
        Case{0, std::numeric_limits<std::int32_t>::min()}}) {
    v1::World world;
    world.mutable_hosting()->mutable_idle_ttl()->set_seconds(whole);
    world.mutable_hosting()->mutable_idle_ttl()->set_nanos(nanos);
    core::Violations violations;
    ToSettings(world, violations);
    ASSERT_EQ(violations.size(), 1u) << whole << " " << nanos;
    EXPECT_EQ(violations[0].code, ErrorCode::kMalformed);
    EXPECT_EQ(violations[0].field, "world.hosting.idle_ttl");
  }
}

TEST(SettingsMessageTest, DurationsOutOfRangeStayOutOfRange) {
  for (const std::int64_t whole : {std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min(),
                                   std::int64_t{2'592'001}, std::int64_t{-1}}) {
    v1::World world;
    world.mutable_hosting()->mutable_idle_ttl()->set_seconds(whole);
    const core::Violations violations =
        hosting::Validate(Read(world), hosting::Limits{}, "world");
    ASSERT_EQ(violations.size(), 1u) << whole;
    EXPECT_EQ(violations[0].field, "world.hosting.idle_ttl");
  }
}

TEST(SettingsPatchTest, AMaskChangesWhatItNames) {
  const WorldSettings special = Special();
  WorldSettings expected;
  expected.hosting.time_scale = special.hosting.time_scale;
  expected.labels = special.labels;
  EXPECT_EQ(Apply(Update(special, {"labels", "hosting.time_scale", "labels"})),
            expected);
}

TEST(SettingsPatchTest, EveryFieldOfHostingHasItsPath) {
  const auto& type = *v1::HostingConfig::descriptor();
  std::vector<std::string> paths = {"labels"};
  for (int i = 0; i < type.field_count(); ++i) {
    paths.push_back("hosting." + std::string(type.field(i)->name()));
    WorldSettings changed =
        Apply(Update(Special(), {paths.back()}), WorldSettings{});
    EXPECT_NE(changed, WorldSettings{}) << paths.back();
  }
  EXPECT_EQ(Apply(Update(Special(), paths)), Special());
}

TEST(SettingsPatchTest, HostingMeansAllOfItButDurability) {
  WorldSettings expected = Special();
  expected.hosting.durability = Durability::kNone;
  expected.labels.clear();
  EXPECT_EQ(Apply(Update(Special(), {"hosting"})), expected);
  expected.hosting.durability = Durability::kAsync;
  for (const auto& mask :
       {std::vector<std::string>{"hosting", "hosting.durability"},
        std::vector<std::string>{"hosting.durability", "hosting"}}) {
    EXPECT_EQ(Apply(Update(Special(), mask)), expected);
  }
}

TEST(SettingsPatchTest, WhatIsNamedAndNotSetGetsItsDefault) {
  WorldSettings expected;
  expected.hosting.durability = Special().hosting.durability;
  v1::UpdateWorldRequest request;
  request.mutable_update_mask()->add_paths("hosting");
  request.mutable_update_mask()->add_paths("labels");
  EXPECT_EQ(Apply(request, Special()), expected);
}

TEST(SettingsPatchTest, WithoutAMaskWhatIsSetCounts) {
  EXPECT_EQ(Apply(Update(Special(), {})), Special());
  v1::UpdateWorldRequest request;
  EXPECT_EQ(Apply(request, Special()), Special());
  request.mutable_world()->mutable_hosting()->set_until_tick(70);
  request.mutable_world()->set_tick(1);  // not of the settings
  WorldSettings expected = Special();
  expected.hosting.until_tick = 70;
  EXPECT_EQ(Apply(request, Special()), expected);
}

TEST(SettingsPatchTest, OtherPathsAreRefusedAndQuoted) {
  for (const std::string path :
       {"", "tick", "simulation", "hosting.", "hosting.x",
        "hosting.time_scale ", "hosting.time_scale.x", "labels.a",
        "world.labels", "Labels", "*", "hosting\x01"}) {
    core::Violations violations;
    ToPatch(Update({}, {"labels", path, path}), violations);
    ASSERT_EQ(violations.size(), 1u) << path;
    EXPECT_EQ(violations[0].code, ErrorCode::kMalformed);
    EXPECT_EQ(violations[0].field, "update_mask");
    EXPECT_EQ(violations[0].reason.find('\x01'), std::string::npos);
  }
  core::Violations violations;
  ToPatch(Update({}, {std::string(100'000, 'x')}), violations);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_LT(violations[0].reason.size(), 256u);
}

}  // namespace
}  // namespace meander::service
