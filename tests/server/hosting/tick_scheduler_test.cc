#include "server/hosting/tick_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/server/hosting/fake_clock.h"

namespace meander::hosting {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

class Alarm final : public TickTimer {
 public:
  explicit Alarm(std::function<void()> ring = {}) : ring_(std::move(ring)) {}

  void OnDue() override {
    if (ring_) ring_();
    ++rings_;
    rings_.notify_all();
  }

  int rings() const { return rings_; }
  void Await(int rings) const {
    for (int now = rings_; now < rings; now = rings_) rings_.wait(now);
  }

 private:
  const std::function<void()> ring_;
  std::atomic<int> rings_ = 0;
};

TEST(TickSchedulerTest, FiresOnceWhenTheTimeHasCome) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  const auto alarm = std::make_shared<Alarm>();
  const auto before = std::make_shared<Alarm>();
  scheduler.Arm(alarm, clock.Now() + milliseconds(10));
  scheduler.Arm(before, clock.Now() + milliseconds(9));
  clock.Advance(milliseconds(9));
  before->Await(1);
  EXPECT_EQ(alarm->rings(), 0);
  clock.Advance(milliseconds(1));
  alarm->Await(1);
  EXPECT_EQ(scheduler.armed(), 0u);
}

TEST(TickSchedulerTest, WhatIsOverdueFiresAtOnce) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  const auto alarm = std::make_shared<Alarm>();
  scheduler.Arm(alarm, clock.Now() - milliseconds(10));
  alarm->Await(1);
}

TEST(TickSchedulerTest, AnEarlierTimerWakesTheThreadUp) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  const auto late = std::make_shared<Alarm>();
  const auto early = std::make_shared<Alarm>();
  scheduler.Arm(late, clock.Now() + milliseconds(1000));
  scheduler.Arm(early, clock.Now());
  early->Await(1);
  EXPECT_EQ(late->rings(), 0);
}

TEST(TickSchedulerTest, FiresInTheOrderOfTheirTimes) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  std::vector<int> order;  // of the scheduler's thread until all have fired
  std::vector<std::shared_ptr<Alarm>> alarms;
  std::vector<int> times;
  for (int i = 0; i < 200; ++i) times.push_back(i);
  std::shuffle(times.begin(), times.end(), std::mt19937(5));
  const nanoseconds start = clock.Now();
  for (const int time : times) {
    alarms.push_back(
        std::make_shared<Alarm>([&order, time] { order.push_back(time); }));
    scheduler.Arm(alarms.back(), start + milliseconds(1 + time));
  }
  for (std::size_t i = 0; i < alarms.size(); i += 3) {
    scheduler.Disarm(*alarms[i]);
  }
  for (std::size_t i = 0; i < alarms.size(); i += 6) {
    scheduler.Arm(alarms[i], start + milliseconds(1 + times[i]));
  }
  clock.Advance(milliseconds(1000));
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    if (i % 3 != 0 || i % 6 == 0) alarms[i]->Await(1);
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.size(), 200u - 67 + 34);
}

TEST(TickSchedulerTest, ArmingAgainMovesTheTimer) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  const auto alarm = std::make_shared<Alarm>();
  const auto other = std::make_shared<Alarm>();
  scheduler.Arm(alarm, clock.Now() + milliseconds(1));
  scheduler.Arm(alarm, clock.Now() + milliseconds(5));
  scheduler.Arm(other, clock.Now() + milliseconds(4));
  EXPECT_EQ(scheduler.armed(), 2u);
  clock.Advance(milliseconds(4));
  other->Await(1);
  EXPECT_EQ(alarm->rings(), 0);
  clock.Advance(milliseconds(1));
  alarm->Await(1);
}

TEST(TickSchedulerTest, ATimerMayArmItselfAgain) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  std::shared_ptr<Alarm> alarm;
  const nanoseconds start = clock.Now();
  int times = 0;
  alarm = std::make_shared<Alarm>([&] {
    if (++times < 100) scheduler.Arm(alarm, start + milliseconds(times));
  });
  scheduler.Arm(alarm, start);
  clock.Advance(milliseconds(100));
  alarm->Await(100);
  EXPECT_EQ(scheduler.armed(), 0u);
}

TEST(TickSchedulerTest, LetsGoOfTimersThatFiredWereDisarmedOrAreLeft) {
  FakeClock clock;
  std::weak_ptr<Alarm> fired;
  std::weak_ptr<Alarm> disarmed;
  std::weak_ptr<Alarm> left;
  {
    TickScheduler scheduler(clock);
    const auto add = [&](std::weak_ptr<Alarm>& weak, milliseconds after) {
      const auto alarm = std::make_shared<Alarm>();
      weak = alarm;
      scheduler.Arm(alarm, clock.Now() + after);
      return alarm;
    };
    add(fired, milliseconds(0))->Await(1);
    scheduler.Disarm(*add(disarmed, milliseconds(1)));
    add(left, milliseconds(1));
    EXPECT_TRUE(disarmed.expired());
    EXPECT_FALSE(left.expired());
  }
  EXPECT_TRUE(fired.expired());
  EXPECT_TRUE(left.expired());
}

TEST(TickSchedulerTest, ThreadsMayArmAndDisarmAtOnce) {
  FakeClock clock;
  TickScheduler scheduler(clock);
  std::vector<std::shared_ptr<Alarm>> alarms;
  for (int i = 0; i < 20; ++i) alarms.push_back(std::make_shared<Alarm>());
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 3; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 3000; ++i) {
        const auto& alarm = alarms[random() % alarms.size()];
        if (random() % 3 == 0) {
          scheduler.Disarm(*alarm);
        } else {
          scheduler.Arm(alarm, clock.Now() + nanoseconds(random() % 1000));
        }
        if (random() % 10 == 0) clock.Advance(nanoseconds(100));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  clock.Advance(milliseconds(1));
  while (scheduler.armed() > 0) std::this_thread::yield();
}

TEST(TickSchedulerTest, TheMonotonicClockFires) {
  MonotonicClock clock;
  TickScheduler scheduler(clock);
  const auto alarm = std::make_shared<Alarm>();
  const nanoseconds due = clock.Now() + milliseconds(5);
  scheduler.Arm(alarm, due);
  alarm->Await(1);
  EXPECT_GE(clock.Now(), due);
}

}  // namespace
}  // namespace meander::hosting
