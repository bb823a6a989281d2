// The timers of a WorkerPool: when they fire, who waits for them, who serves
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "server/hosting/worker_pool.h"
#include "tests/server/hosting/fake_clock.h"
#include "tests/server/hosting/waiting.h"

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

std::shared_ptr<Alarm> NewAlarm(std::function<void()> ring = {}) {
  return std::make_shared<Alarm>(std::move(ring));
}

// A gate that those who come must wait at.
class Gate {
 public:
  void Pass() {
    inside_.release();
    open_.acquire();
  }
  void AwaitOne() { inside_.acquire(); }
  bool AnotherCame() { return inside_.try_acquire(); }
  void Open(std::ptrdiff_t times) { open_.release(times); }

 private:
  std::counting_semaphore<> inside_{0};
  std::counting_semaphore<> open_{0};
};

class WorkerTimersTest : public testing::Test {
 protected:
  nanoseconds In(int ms) const { return start_ + milliseconds(ms); }
  // The thread that waits until then.
  std::thread::id AwaitSomebodyUntil(nanoseconds time) const {
    std::thread::id who;
    Until([&] {
      who = clock_.WhoWaitsUntil(time);
      return who != std::thread::id();
    });
    return who;
  }
  // Waits until the workers, with nothing to serve, go to wait.
  void AwaitStart(std::size_t workers) const {
    Until([&] { return clock_.looks().size() == 1 + workers; });
  }
  int LooksOfWorkers() const {
    int sum = 0;
    for (const auto& [thread, looks] : clock_.looks()) {
      if (thread != std::this_thread::get_id()) sum += looks;
    }
    return sum;
  }

  FakeClock clock_;
  const nanoseconds start_ = clock_.Now();
};

TEST_F(WorkerTimersTest, FireOnceWhenTheTimeHasCome) {
  WorkerPool pool(clock_, 2);
  const auto alarm = NewAlarm();
  const auto before = NewAlarm();
  pool.Arm(alarm, In(10));
  pool.Arm(before, In(9));
  clock_.Advance(milliseconds(9));
  before->Await(1);
  EXPECT_EQ(alarm->rings(), 0);
  clock_.Advance(milliseconds(1));
  alarm->Await(1);
  EXPECT_EQ(pool.armed(), 0u);
}

TEST_F(WorkerTimersTest, WhatIsOverdueFiresAtOnce) {
  WorkerPool pool(clock_, 2);
  const auto alarm = NewAlarm();
  pool.Arm(alarm, In(-10));
  alarm->Await(1);
}

TEST_F(WorkerTimersTest, AnEarlierOneIsWaitedForInstead) {
  WorkerPool pool(clock_, 1);
  const auto late = NewAlarm();
  const auto early = NewAlarm();
  pool.Arm(late, In(1000));
  AwaitSomebodyUntil(In(1000));
  pool.Arm(early, In(0));
  early->Await(1);
  EXPECT_EQ(late->rings(), 0);
}

TEST_F(WorkerTimersTest, FireInTheOrderOfTheirTimes) {
  WorkerPool pool(clock_, 1);
  std::vector<int> order;  // of the worker until all have fired
  std::vector<std::shared_ptr<Alarm>> alarms;
  std::vector<int> times;
  for (int i = 0; i < 200; ++i) times.push_back(i);
  std::shuffle(times.begin(), times.end(), std::mt19937(5));
  for (const int time : times) {
    alarms.push_back(NewAlarm([&order, time] { order.push_back(time); }));
    pool.Arm(alarms.back(), In(1 + time));
  }
  for (std::size_t i = 0; i < alarms.size(); i += 3) pool.Disarm(*alarms[i]);
  for (std::size_t i = 0; i < alarms.size(); i += 6) {
    pool.Arm(alarms[i], In(1 + times[i]), Urgency::kBackground);
  }
  clock_.Advance(milliseconds(1000));
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    if (i % 3 != 0 || i % 6 == 0) alarms[i]->Await(1);
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.size(), 200u - 67 + 34);
}

TEST_F(WorkerTimersTest, ArmingAgainMovesATimer) {
  WorkerPool pool(clock_, 2);
  const auto alarm = NewAlarm();
  const auto other = NewAlarm();
  pool.Arm(alarm, In(1));
  pool.Arm(alarm, In(5), Urgency::kBackground);
  pool.Arm(other, In(4));
  EXPECT_EQ(pool.armed(), 2u);
  clock_.Advance(milliseconds(4));
  other->Await(1);
  EXPECT_EQ(alarm->rings(), 0);
  clock_.Advance(milliseconds(1));
  alarm->Await(1);
}

TEST_F(WorkerTimersTest, OneMayArmItselfAgain) {
  WorkerPool pool(clock_, 2);
  std::shared_ptr<Alarm> alarm;
  int times = 0;
  alarm = NewAlarm([&] {
    if (++times >= 100) return;
    if (times % 2 == 0) {
      pool.Arm(alarm, In(times));
    } else {
      pool.ArmNext(alarm, In(times));
    }
  });
  pool.Arm(alarm, start_);
  clock_.Advance(milliseconds(100));
  alarm->Await(100);
  EXPECT_EQ(pool.armed(), 0u);
}

TEST_F(WorkerTimersTest, AreLetGoWhenTheyFiredWereDisarmedOrAreLeft) {
  std::weak_ptr<Alarm> fired;
  std::weak_ptr<Alarm> disarmed;
  std::weak_ptr<Alarm> left;
  {
    WorkerPool pool(clock_, 2);
    const auto add = [&](std::weak_ptr<Alarm>& weak, int after) {
      const auto alarm = NewAlarm();
      weak = alarm;
      pool.Arm(alarm, In(after));
      return alarm;
    };
    add(fired, 0)->Await(1);
    pool.Disarm(*add(disarmed, 1));
    add(left, 1);
    EXPECT_TRUE(disarmed.expired());
    EXPECT_FALSE(left.expired());
  }
  EXPECT_TRUE(fired.expired());
  EXPECT_TRUE(left.expired());
}

TEST_F(WorkerTimersTest, ManyThreadsMayArmAndDisarmAtOnce) {
  WorkerPool pool(clock_, 3);
  std::vector<std::shared_ptr<Alarm>> alarms;
  for (int i = 0; i < 20; ++i) alarms.push_back(NewAlarm());
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 3; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int i = 0; i < 3000; ++i) {
        const auto& alarm = alarms[random() % alarms.size()];
        const auto urgency = static_cast<Urgency>(random() % 2);
        if (random() % 3 == 0) {
          pool.Disarm(*alarm);
        } else {
          pool.Arm(alarm, clock_.Now() + nanoseconds(random() % 1000), urgency);
        }
        if (random() % 10 == 0) clock_.Advance(nanoseconds(100));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  clock_.Advance(milliseconds(1));
  Until([&pool] { return pool.armed() == 0; });
}

TEST_F(WorkerTimersTest, TheMonotonicClockFiresThem) {
  MonotonicClock clock;
  WorkerPool pool(clock, 2);
  const auto alarm = NewAlarm();
  const nanoseconds due = clock.Now() + milliseconds(5);
  pool.Arm(alarm, due);
  alarm->Await(1);
  EXPECT_GE(clock.Now(), due);
}

TEST_F(WorkerTimersTest, WhoWaitsForOneServesItAndNobodyElseIsWokenUp) {
  WorkerPool pool(clock_, 3);
  AwaitStart(3);
  std::thread::id served_by;
  std::shared_ptr<Alarm> alarm;
  int next = 1;
  alarm = NewAlarm([&] {
    served_by = std::this_thread::get_id();
    pool.ArmNext(alarm, In(++next));
  });
  pool.Arm(alarm, In(1));
  const std::thread::id first = AwaitSomebodyUntil(In(1));
  for (int ms = 1; ms <= 100; ++ms) {
    clock_.Advance(milliseconds(1));
    EXPECT_EQ(AwaitSomebodyUntil(In(ms + 1)), first);
    EXPECT_EQ(served_by, first);
  }
  EXPECT_EQ(alarm->rings(), 100);
  const int looks = clock_.looks().at(first);
  EXPECT_GE(looks, 200);
  EXPECT_LE(LooksOfWorkers() - looks, 10)
      << "the others looked when they started, not at every time";
}

TEST_F(WorkerTimersTest, TwoTimersTakeTwoThreadsOneWakeUpEach) {
  WorkerPool pool(clock_, 2);
  AwaitStart(2);
  std::vector<std::shared_ptr<Alarm>> alarms;
  for (int i = 0; i < 2; ++i) {
    alarms.push_back(NewAlarm([&, i, next = i + 1]() mutable {
      next += 2;
      pool.ArmNext(alarms[static_cast<std::size_t>(i)], In(next));
    }));
  }
  pool.Arm(alarms[0], In(1));
  pool.Arm(alarms[1], In(2));
  AwaitSomebodyUntil(In(1));
  for (int ms = 1; ms <= 100; ++ms) {
    clock_.Advance(milliseconds(1));
    EXPECT_NE(AwaitSomebodyUntil(In(ms + 1)), AwaitSomebodyUntil(In(ms + 2)));
  }
  EXPECT_EQ(alarms[0]->rings() + alarms[1]->rings(), 100);
  EXPECT_LE(LooksOfWorkers(), 200 + 10)
      << "nobody is called for a timer that somebody waits for";
}

TEST_F(WorkerTimersTest, AnotherTakesOverTheWaitingWhileATurnLasts) {
  Gate gate;
  std::thread::id server;
  const auto first = NewAlarm([&] {
    server = std::this_thread::get_id();
    gate.Pass();
  });
  const auto second = NewAlarm();
  const auto armed_meanwhile = NewAlarm();
  WorkerPool pool(clock_, 2);
  pool.Arm(first, In(1));
  pool.Arm(second, In(2));
  AwaitSomebodyUntil(In(1));
  clock_.Advance(milliseconds(1));
  gate.AwaitOne();
  AwaitSomebodyUntil(In(2));
  EXPECT_NE(clock_.WhoWaitsUntil(In(2)), server);
  clock_.Advance(milliseconds(1));
  second->Await(1);
  pool.Arm(armed_meanwhile, In(3));
  AwaitSomebodyUntil(In(3));
  clock_.Advance(milliseconds(1));
  armed_meanwhile->Await(1);
  EXPECT_EQ(first->rings(), 0);
  gate.Open(1);
}

TEST_F(WorkerTimersTest, ThoseDueAtOnceAreShared) {
  for (int round = 0; round < 50; ++round) {
    WorkerPool pool(clock_, 3);
    std::barrier all(3);  // comes back only if three threads are inside
    std::vector<std::shared_ptr<Alarm>> alarms;
    for (int i = 0; i < 3; ++i) {
      alarms.push_back(NewAlarm([&all] { all.arrive_and_wait(); }));
      pool.Arm(alarms.back(), clock_.Now() + milliseconds(1));
    }
    clock_.Advance(milliseconds(1));
    for (const auto& alarm : alarms) alarm->Await(1);
  }
}

// However many timers of the background are due, one thread is left.
TEST_F(WorkerTimersTest, WhatIsDueDoesNotWaitForTheBackground) {
  Gate gate;
  WorkerPool pool(clock_, 3);
  std::vector<std::shared_ptr<Alarm>> heavy;
  for (int i = 0; i < 5; ++i) {
    heavy.push_back(NewAlarm([&gate] { gate.Pass(); }));
    pool.Arm(heavy.back(), In(1), Urgency::kBackground);
  }
  clock_.Advance(milliseconds(1));
  gate.AwaitOne();
  gate.AwaitOne();
  for (int ms = 2; ms <= 100; ++ms) {
    const auto due = NewAlarm();
    pool.Arm(due, In(ms));
    clock_.Advance(milliseconds(1));
    due->Await(1);
  }
  EXPECT_FALSE(gate.AnotherCame()) << "two at a time, of three threads";
  gate.Open(5);
  for (const auto& alarm : heavy) alarm->Await(1);
}

// The thread that takes nothing of the background may arm what it must leave
// to another.
TEST_F(WorkerTimersTest, SomebodyWaitsForABackgroundTimerWhoeverArmedIt) {
  Gate busy;
  Gate armer_runs;
  WorkerPool pool(clock_, 2);
  pool.Post(std::make_shared<Task>([&busy] { busy.Pass(); }),
            Urgency::kBackground);
  busy.AwaitOne();
  const auto far = NewAlarm();
  pool.Arm(far, In(1000), Urgency::kBackground);
  std::shared_ptr<Alarm> armer;
  armer = NewAlarm([&] {
    if (clock_.Now() > start_) return;
    armer_runs.Pass();
    pool.ArmNext(armer, In(5), Urgency::kBackground);
  });
  pool.Arm(armer, start_);
  armer_runs.AwaitOne();  // on the reserved thread: the other one is busy
  busy.Open(1);
  AwaitSomebodyUntil(In(1000));
  armer_runs.Open(1);
  AwaitSomebodyUntil(In(5));
  clock_.Advance(milliseconds(5));
  armer->Await(2);
}

TEST_F(WorkerTimersTest, TimersAndTasksAreServedInTheOrderInWhichTheyCame) {
  for (const Urgency urgency : {Urgency::kSoon, Urgency::kBackground}) {
    Gate gate;
    std::vector<int> order;
    const auto note = [&order](int i) {
      return [&, i] { order.push_back(i); };
    };
    WorkerPool pool(clock_, 1);
    const nanoseconds start = clock_.Now();
    const auto first = NewAlarm(note(1));
    const auto third = NewAlarm(note(3));
    const auto last = NewAlarm(note(5));
    pool.Post(std::make_shared<Task>([&gate] { gate.Pass(); }));
    gate.AwaitOne();
    pool.Arm(last, start + milliseconds(5), urgency);
    pool.Arm(third, start + milliseconds(3), urgency);
    pool.Arm(first, start + milliseconds(1));
    clock_.Advance(milliseconds(2));
    pool.Post(std::make_shared<Task>(note(2)), urgency);
    clock_.Advance(milliseconds(2));
    pool.Post(std::make_shared<Task>(note(4)));
    clock_.Advance(milliseconds(2));
    gate.Open(1);
    last->Await(1);
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4, 5}));
  }
}

TEST_F(WorkerTimersTest, ATimerThatOutlivesItsPoolGoesToAnother) {
  const auto alarm = NewAlarm();
  {
    WorkerPool pool(clock_, 1);
    pool.Arm(alarm, In(1000));
  }
  EXPECT_EQ(alarm.use_count(), 1) << "the pool lets it go";
  WorkerPool pool(clock_, 1);
  EXPECT_EQ(pool.armed(), 0u);
  pool.Disarm(*alarm);
  pool.Arm(alarm, In(1));
  clock_.Advance(milliseconds(1));
  alarm->Await(1);
}

TEST_F(WorkerTimersTest, AWorkerThatHelpsLeavesForOne) {
  WorkerPool pool(clock_, 2);
  std::atomic<bool> rang = false;
  std::atomic<int> helped = 0;
  Gate helping;
  std::atomic<bool> done = false;
  const auto alarm = NewAlarm([&rang] { rang = true; });
  pool.Arm(alarm, In(1));
  pool.Post(std::make_shared<Task>([&] {
    const std::thread::id caller = std::this_thread::get_id();
    pool.Run(100, [&](std::size_t) {
      if (std::this_thread::get_id() == caller) {
        Until([&rang] { return rang.load(); });
      } else if (!rang) {
        ++helped;
        helping.Pass();
      }
    });
    done = true;
  }));
  helping.AwaitOne();
  clock_.Advance(milliseconds(1));
  helping.Open(1);
  Until([&done] { return done.load(); });
  alarm->Await(1);
  EXPECT_EQ(helped, 1);
  EXPECT_EQ(alarm->rings(), 1);
}

// A turn that ends by arming its next one relies on its worker to look at it;
// but that of an interrupted turn has pieces to see to.
TEST_F(WorkerTimersTest, SomebodyWaitsForWhatATurnInsideAnotherHasArmed) {
  std::binary_semaphore is_busy(0);
  std::binary_semaphore idles(0);
  std::binary_semaphore ends(0);
  const auto late = NewAlarm();
  const auto next = NewAlarm();
  WorkerPool pool(clock_, 2);
  pool.Arm(late, In(1000));
  const auto inner = NewAlarm([&] {
    idles.release();
    AwaitSomebodyUntil(In(1000));
    pool.ArmNext(next, In(16));
  });
  const auto outer = std::make_shared<Task>([&] {
    pool.Run(2, [&](std::size_t piece) {
      if (piece > 0) return;
      is_busy.acquire();
      pool.Arm(inner, In(0));
    });
    ends.acquire();
  });
  pool.Post(outer, Urgency::kBackground);
  const auto other = std::make_shared<Task>([&] {
    is_busy.release();
    idles.acquire();
  });
  pool.Post(other);
  inner->Await(1);
  AwaitSomebodyUntil(In(16));
  ends.release();
  outer->Await(1);
  clock_.Advance(milliseconds(16));
  next->Await(1);
}

}  // namespace
}  // namespace meander::hosting
