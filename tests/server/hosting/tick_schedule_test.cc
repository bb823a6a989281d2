#include "server/hosting/tick_schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace meander::hosting {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr nanoseconds kScheduleStart{123'456'789'123};

// Takes what is due and says how much it was.
std::int64_t TakeAll(TickSchedule& schedule, nanoseconds now) {
  std::int64_t ticks = 0;
  while (schedule.TakeIfDue(now)) ++ticks;
  return ticks;
}

TEST(TickScheduleTest, TheFirstTickIsDueOnePeriodAfterTheStart) {
  TickSchedule schedule(kScheduleStart, 50);
  EXPECT_EQ(schedule.NextDue(), kScheduleStart + milliseconds(20));
  EXPECT_FALSE(schedule.TakeIfDue(kScheduleStart));
  EXPECT_FALSE(
      schedule.TakeIfDue(kScheduleStart + milliseconds(20) - nanoseconds(1)));
  EXPECT_TRUE(schedule.TakeIfDue(kScheduleStart + milliseconds(20)));
  EXPECT_FALSE(schedule.TakeIfDue(kScheduleStart + milliseconds(20)));
}

TEST(TickScheduleTest, ATickIsDueExactlyWhenItSaysSo) {
  for (const std::int32_t rate : {1, 3, 7, 60, 144, 997, 1000}) {
    TickSchedule schedule(kScheduleStart, rate);
    for (std::int64_t tick = 1; tick <= 3 * rate; ++tick) {
      const nanoseconds due = schedule.NextDue();
      ASSERT_EQ(due - kScheduleStart, nanoseconds(tick * 1'000'000'000 / rate));
      ASSERT_FALSE(schedule.TakeIfDue(due - nanoseconds(1))) << rate;
      ASSERT_TRUE(schedule.TakeIfDue(due)) << rate << ", tick " << tick;
    }
    EXPECT_EQ(schedule.slipped_ticks(), 0);
  }
}

TEST(TickScheduleTest, AnHourAt60HzDriftsByNothing) {
  TickSchedule schedule(kScheduleStart, 60);
  std::int64_t late = 1;  // wakes up a little late, differently each time
  while (schedule.NextDue() <= kScheduleStart + hours(1)) {
    late = late * 48'271 % 2'147'483'647;
    ASSERT_EQ(
        TakeAll(schedule, schedule.NextDue() + nanoseconds(late % 10'000'000)),
        1);
  }
  EXPECT_EQ(schedule.taken_ticks(), 60 * 3600);
  EXPECT_EQ(schedule.slipped_ticks(), 0);
  EXPECT_EQ(schedule.NextDue(),
            kScheduleStart + hours(1) + nanoseconds(1'000'000'000 / 60));
}

TEST(TickScheduleTest, AWorldThatIsFourTicksBehindCatchesUp) {
  TickSchedule schedule(kScheduleStart, 60);
  EXPECT_EQ(TakeAll(schedule, kScheduleStart + nanoseconds(seconds(4)) / 60 +
                                  nanoseconds(1)),
            4);
  EXPECT_EQ(schedule.slipped_ticks(), 0);
}

TEST(TickScheduleTest, AWorldThatIsFiveTicksBehindGivesOneUp) {
  TickSchedule schedule(kScheduleStart, 60);
  EXPECT_EQ(TakeAll(schedule, kScheduleStart + nanoseconds(seconds(5)) / 60 +
                                  nanoseconds(1)),
            4);
  EXPECT_EQ(schedule.slipped_ticks(), 1);
}

TEST(TickScheduleTest, AJumpOfThreeSecondsSlipsAllButFourTicks) {
  TickSchedule schedule(kScheduleStart, 60);
  ASSERT_EQ(TakeAll(schedule, kScheduleStart + seconds(1)), 4);
  ASSERT_EQ(schedule.slipped_ticks(), 56);
  EXPECT_EQ(TakeAll(schedule, kScheduleStart + seconds(4)), 4);
  EXPECT_EQ(schedule.slipped_ticks(), 56 + 176);
  // And goes on in phase, one tick a period.
  EXPECT_EQ(schedule.NextDue(),
            kScheduleStart + seconds(4) + nanoseconds(1'000'000'000 / 60));
  EXPECT_EQ(TakeAll(schedule, schedule.NextDue()), 1);
}

TEST(TickScheduleTest, AStepOfThreePeriodsRunsAtAThirdOfTheRate) {
  TickSchedule schedule(kScheduleStart, 60);
  nanoseconds now = kScheduleStart + milliseconds(17);
  while (now < kScheduleStart + seconds(60)) {
    ASSERT_TRUE(schedule.TakeIfDue(now));
    now += milliseconds(50);
  }
  EXPECT_NEAR(static_cast<double>(schedule.taken_ticks()), 1200.0, 1.0);
  EXPECT_NEAR(static_cast<double>(schedule.slipped_ticks()), 2400.0, 5.0);
}

TEST(TickScheduleTest, TakenAndSlippedTicksAccountForAllTime) {
  TickSchedule schedule(kScheduleStart, 144);
  std::int64_t seed = 7;
  nanoseconds now = kScheduleStart;
  for (int i = 0; i < 100'000; ++i) {
    seed = seed * 48'271 % 2'147'483'647;
    now += nanoseconds(seed % 40'000'000);
    ASSERT_LE(TakeAll(schedule, now), kMaxCatchUpTicks);
    ASSERT_GT(schedule.NextDue(), now);
    ASSERT_LE(schedule.NextDue() - now, nanoseconds(1'000'000'000 / 144 + 1));
  }
}

TEST(TickScheduleTest, NothingOverflowsInACentury) {
  TickSchedule schedule(nanoseconds(0), 1000);
  const nanoseconds now = hours(24 * 365 * 100) + nanoseconds(1);
  EXPECT_EQ(TakeAll(schedule, now), 4);
  EXPECT_EQ(schedule.taken_ticks() + schedule.slipped_ticks(),
            std::int64_t{24} * 365 * 100 * 3600 * 1000);
  EXPECT_EQ(schedule.NextDue(), now - nanoseconds(1) + milliseconds(1));
}

TEST(TickScheduleTest, AClockBeforeTheStartIsEarly) {
  TickSchedule schedule(kScheduleStart, 60);
  EXPECT_FALSE(schedule.TakeIfDue(kScheduleStart - seconds(10)));
  EXPECT_EQ(schedule.slipped_ticks(), 0);
}

TEST(TickScheduleTest, AScaledTickIsDueExactlyWhenItSaysSo) {
  for (const double scale : {0.01, 0.333, 0.5, 1.0, 1.001, 7.25, 100.0}) {
    for (const std::int32_t rate : {1, 7, 60, 1000}) {
      TickSchedule schedule(kScheduleStart, rate, scale);
      const auto thousandths = static_cast<std::int64_t>(scale * 1000 + 0.5);
      for (std::int64_t tick = 1; tick <= 300; ++tick) {
        const nanoseconds due = schedule.NextDue();
        ASSERT_EQ(due - kScheduleStart,
                  nanoseconds(tick * 1'000'000'000'000 / (rate * thousandths)));
        ASSERT_FALSE(schedule.TakeIfDue(due - nanoseconds(1)));
        ASSERT_TRUE(schedule.TakeIfDue(due)) << rate << " x " << scale;
      }
    }
  }
}

TEST(TickScheduleTest, ACenturyAtTheHighestRateOverflowsNothing) {
  TickSchedule schedule(kScheduleStart, 1000, 100.0);
  const std::int64_t century = std::int64_t{100} * 365 * 24 * 3600;
  EXPECT_EQ(schedule.TakeAllDue(kScheduleStart + seconds(century)),
            century * 100'000);
  EXPECT_EQ(schedule.NextDue(),
            kScheduleStart + seconds(century) + nanoseconds(10'000));
  EXPECT_EQ(schedule.slipped_ticks(), 0);
}

TEST(TickScheduleTest, TakesAllThatIsDueAtOnceAndNothingTwice) {
  TickSchedule schedule(kScheduleStart, 60);
  EXPECT_EQ(schedule.TakeAllDue(kScheduleStart + seconds(10)), 600);
  EXPECT_EQ(schedule.TakeAllDue(kScheduleStart + seconds(10)), 0);
  EXPECT_FALSE(schedule.TakeIfDue(kScheduleStart + seconds(10)));
  EXPECT_EQ(schedule.taken_ticks(), 600);
  EXPECT_EQ(schedule.slipped_ticks(), 0);
}

}  // namespace
}  // namespace meander::hosting
