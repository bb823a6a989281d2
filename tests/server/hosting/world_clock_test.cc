#include "server/hosting/world_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace meander::hosting {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr nanoseconds kStart{5'000'000'123};

HostingConfig Realtime(double time_scale = 1.0) {
  return {.clock_mode = ClockMode::kRealtime, .time_scale = time_scale};
}
HostingConfig UnthrottledUntil(std::int64_t tick) {
  return {.clock_mode = ClockMode::kUnthrottled, .until_tick = tick};
}

// Takes what is due, from `tick` on, and says how much it was.
std::int64_t TakeAll(WorldClock& clock, nanoseconds now,
                     std::int64_t tick = 0) {
  const std::int64_t first = tick;
  while (clock.TakeIfDue(now, tick)) ++tick;
  return tick - first;
}

TEST(WorldClockTest, AManualClockBringsNothing) {
  WorldClock clock(60, {.clock_mode = ClockMode::kManual}, kStart);
  EXPECT_FALSE(clock.Goes());
  EXPECT_FALSE(clock.TakeIfDue(kStart + seconds(5), 0));
  EXPECT_EQ(clock.TakeAllDue(kStart + seconds(5), 0), 0);
  EXPECT_FALSE(clock.NextDue(0));
  EXPECT_EQ(clock.state(), ClockState::kRunning);
}

TEST(WorldClockTest, ATimeScaleBringsTicksMoreOrLessOften) {
  WorldClock twice(50, Realtime(2.0), kStart);
  EXPECT_EQ(twice.NextDue(0), kStart + milliseconds(10));
  WorldClock slow(50, Realtime(0.01), kStart);
  EXPECT_EQ(slow.NextDue(0), kStart + seconds(2));
  WorldClock fastest(1000, Realtime(100.0), kStart);
  EXPECT_EQ(fastest.NextDue(0), kStart + nanoseconds(10'000));
}

TEST(WorldClockTest, AnUnthrottledClockIsAlwaysDueUpToItsTick) {
  WorldClock clock(60, UnthrottledUntil(1'000), kStart);
  EXPECT_TRUE(clock.Goes());
  EXPECT_LE(clock.NextDue(0), kStart);
  EXPECT_EQ(TakeAll(clock, kStart), 1'000);
  EXPECT_FALSE(clock.NextDue(1'000));
  EXPECT_EQ(clock.TakeAllDue(kStart, 900), 100);
  EXPECT_EQ(clock.TakeAllDue(kStart, 2'000), 0);
  clock.Set(UnthrottledUntil(1'010), kStart);
  EXPECT_EQ(TakeAll(clock, kStart, 1'000), 10);
  EXPECT_EQ(clock.slipped_ticks(), 0);
}

TEST(WorldClockTest, APausedClockStandsAndMakesUpForNothing) {
  WorldClock clock(50, Realtime(), kStart);
  EXPECT_EQ(TakeAll(clock, kStart + milliseconds(20)), 1);
  clock.Pause();
  EXPECT_EQ(clock.state(), ClockState::kPaused);
  EXPECT_FALSE(clock.Goes());
  EXPECT_FALSE(clock.NextDue(1));
  const nanoseconds later = kStart + seconds(100);
  EXPECT_EQ(TakeAll(clock, later), 0);
  EXPECT_EQ(clock.TakeAllDue(later, 1), 0);
  clock.Resume(later);
  EXPECT_EQ(clock.state(), ClockState::kRunning);
  EXPECT_EQ(TakeAll(clock, later), 0);
  EXPECT_EQ(clock.NextDue(1), later + milliseconds(20));
  EXPECT_EQ(clock.slipped_ticks(), 0);
  clock.Resume(later + milliseconds(19));
  EXPECT_EQ(clock.NextDue(1), later + milliseconds(20))
      << "a clock that goes is not started again";
}

TEST(WorldClockTest, AChangeOfRateBeginsNowAndKeepsWhatSlipped) {
  WorldClock clock(50, Realtime(), kStart);
  const nanoseconds late = kStart + seconds(1);
  EXPECT_EQ(TakeAll(clock, late), 4);
  EXPECT_EQ(clock.slipped_ticks(), 46);
  clock.Set(Realtime(0.5), late);
  EXPECT_EQ(clock.NextDue(4), late + milliseconds(40));
  EXPECT_EQ(clock.slipped_ticks(), 46);
  EXPECT_EQ(TakeAll(clock, late + seconds(1)), 4);
  EXPECT_EQ(clock.slipped_ticks(), 46 + 21);
}

TEST(WorldClockTest, SettingTheSameAgainDisturbsNoSchedule) {
  WorldClock clock(50, Realtime(), kStart);
  HostingConfig other = Realtime();
  other.hash_interval_ticks = 7;
  other.until_tick = 100;
  clock.Set(other, kStart + milliseconds(13));
  EXPECT_EQ(clock.NextDue(0), kStart + milliseconds(20));
}

TEST(WorldClockTest, TakingAllDueNeverSlips) {
  WorldClock clock(60, Realtime(), kStart);
  EXPECT_EQ(clock.TakeAllDue(kStart + std::chrono::hours(1), 0), 216'000);
  EXPECT_EQ(clock.slipped_ticks(), 0);
  EXPECT_EQ(clock.TakeAllDue(kStart + std::chrono::hours(1), 216'000), 0);
  EXPECT_GT(clock.NextDue(216'000), kStart + std::chrono::hours(1));
}

// Each second half of the periods slip, for so many seconds.
nanoseconds Overrun(WorldClock& clock, nanoseconds from, int halves) {
  nanoseconds now = from;
  for (int i = 0; i < halves * 2; ++i) {
    now += milliseconds(500);
    TakeAll(clock, now);
  }
  return now;
}

TEST(WorldClockTest, OneHiccupIsNoOverload) {
  WorldClock clock(60, Realtime(), kStart);
  const nanoseconds now = kStart + seconds(3);
  TakeAll(clock, now);
  EXPECT_EQ(clock.slipped_ticks(), 176);
  EXPECT_EQ(clock.state(), ClockState::kRunning);
}

TEST(WorldClockTest, TwoSecondsOfSlippingAreAnOverloadUntilOneWithout) {
  WorldClock clock(60, Realtime(), kStart);
  nanoseconds now = Overrun(clock, kStart, 1);
  EXPECT_EQ(clock.state(), ClockState::kRunning);
  now = Overrun(clock, now, 1);
  EXPECT_EQ(clock.state(), ClockState::kOverloaded);
  // Catch up with what is left, then a second on time.
  const nanoseconds end = now + milliseconds(2'500);
  for (; now < end; now += milliseconds(5)) TakeAll(clock, now);
  EXPECT_EQ(clock.state(), ClockState::kRunning);
}

TEST(WorldClockTest, StepsLongerThanASecondAreAnOverload) {
  WorldClock clock(60, Realtime(), kStart);
  clock.TakeIfDue(kStart + seconds(3), 0);
  EXPECT_EQ(clock.state(), ClockState::kRunning);
  clock.TakeIfDue(kStart + seconds(6), 1);
  EXPECT_EQ(clock.state(), ClockState::kOverloaded);
  clock.Pause();
  EXPECT_EQ(clock.state(), ClockState::kPaused);
  clock.Resume(kStart + seconds(7));
  EXPECT_EQ(clock.state(), ClockState::kRunning) << "it begins anew";
}

TEST(WorldClockTest, FewSlipsAreTolerated) {
  WorldClock clock(60, Realtime(), kStart);
  // 6 of 60 periods a second slip: as many as may.
  nanoseconds now = kStart;
  for (int second = 0; second < 10; ++second) {
    now += milliseconds(167);  // 10 periods, 6 of which slip
    TakeAll(clock, now);
    for (int i = 0; i < 50; ++i) {
      now += nanoseconds(16'666'667);
      TakeAll(clock, now);
    }
    EXPECT_EQ(clock.state(), ClockState::kRunning) << second;
  }
  EXPECT_GT(clock.slipped_ticks(), 50);
}

}  // namespace
}  // namespace meander::hosting
