#include "server/hosting/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>
#include <memory>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/server/hosting/fake_clock.h"
#include "tests/server/hosting/waiting.h"

namespace meander::hosting {
namespace {

class WorkerPoolTest : public testing::Test {
 protected:
  FakeClock clock_;
};

TEST_F(WorkerPoolTest, RunsWhatIsPostedInItsOrder) {
  std::vector<int> order;
  WorkerPool pool(clock_, 1);
  std::vector<std::shared_ptr<Task>> tasks;
  for (int i = 0; i < 100; ++i) {
    tasks.push_back(
        std::make_shared<Task>([&order, i] { order.push_back(i); }));
    pool.Post(tasks.back());
  }
  tasks.back()->Await(1);
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_F(WorkerPoolTest, HasAThreadForEachProcessorByDefault) {
  EXPECT_GE(WorkerPool(clock_).threads(), 1u);
}

TEST_F(WorkerPoolTest, EndsWithTasksInTheQueue) {
  std::binary_semaphore inside(0);
  std::binary_semaphore go(0);
  std::weak_ptr<Task> dropped;
  std::atomic<int> ran = 0;
  std::thread unblock;
  {
    WorkerPool pool(clock_, 1);
    pool.Post(std::make_shared<Task>([&] {
      inside.release();
      go.acquire();
    }));
    inside.acquire();
    for (int i = 0; i < 100'000; ++i) {
      const auto task = std::make_shared<Task>([&ran] { ++ran; });
      if (i == 99'999) dropped = task;
      pool.Post(task);
    }
    unblock = std::thread([&go] { go.release(); });
  }
  unblock.join();
  EXPECT_TRUE(dropped.expired());
}

TEST_F(WorkerPoolTest, ATaskMayPostItselfAgain) {
  std::shared_ptr<Task> task;
  int turns = 0;
  WorkerPool pool(clock_, 2);
  task = std::make_shared<Task>([&] {
    if (++turns < 1000) pool.Post(task);
  });
  pool.Post(task);
  task->Await(1000);
}

TEST_F(WorkerPoolTest, RunCallsTheBodyOnceForEachIndex) {
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    WorkerPool pool(clock_, threads);
    for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
      std::vector<std::atomic<int>> calls(count);
      pool.Run(count, [&calls](std::size_t i) { ++calls[i]; });
      for (const auto& call : calls) EXPECT_EQ(call, 1);
    }
  }
}

TEST_F(WorkerPoolTest, WhatTheBodiesWroteIsVisibleAfterRun) {
  WorkerPool pool(clock_, 4);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> plain(64);
    pool.Run(plain.size(), [&](std::size_t i) { plain[i] = round; });
    for (const int value : plain) ASSERT_EQ(value, round);
  }
}

TEST_F(WorkerPoolTest, IdleWorkersJoinTheCaller) {
  WorkerPool pool(clock_, 3);
  std::barrier all(3);  // comes back only if three threads are inside
  const auto task = std::make_shared<Task>(
      [&] { pool.Run(3, [&all](std::size_t) { all.arrive_and_wait(); }); });
  pool.Post(task);
  task->Await(1);
}

TEST_F(WorkerPoolTest, AWorkerThatHelpsLeavesForATask) {
  WorkerPool pool(clock_, 2);
  std::atomic<bool> second_ran = false;
  std::atomic<int> helped = 0;
  std::binary_semaphore helping(0);
  std::binary_semaphore posted(0);
  const auto second = std::make_shared<Task>([&] { second_ran = true; });
  const auto first = std::make_shared<Task>([&] {
    const std::thread::id caller = std::this_thread::get_id();
    pool.Run(100, [&](std::size_t) {
      if (std::this_thread::get_id() == caller) {
        while (!second_ran) std::this_thread::yield();
      } else if (!second_ran) {
        ++helped;
        helping.release();
        posted.acquire();
      }
    });
  });
  pool.Post(first);
  helping.acquire();
  pool.Post(second);
  posted.release();
  first->Await(1);
  EXPECT_EQ(helped, 1);
}

TEST_F(WorkerPoolTest, AllWorkersMayRunAtOnceWithNobodyIdle) {
  constexpr std::size_t kThreads = 4;
  WorkerPool pool(clock_, kThreads);
  std::barrier all(kThreads);
  std::vector<std::shared_ptr<Task>> tasks;
  std::atomic<int> pieces = 0;
  for (std::size_t i = 0; i < kThreads; ++i) {
    tasks.push_back(std::make_shared<Task>([&] {
      all.arrive_and_wait();
      for (int run = 0; run < 200; ++run) {
        pool.Run(50, [&pieces](std::size_t) { ++pieces; });
      }
    }));
    pool.Post(tasks.back());
  }
  for (const auto& task : tasks) task->Await(1);
  EXPECT_EQ(pieces, static_cast<int>(kThreads) * 200 * 50);
}

TEST_F(WorkerPoolTest, TasksAndRunsMayComeFromManyThreads) {
  WorkerPool pool(clock_, 3);
  std::atomic<int> pieces = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const auto task = std::make_shared<Task>(
            [&] { pool.Run(10, [&pieces](std::size_t) { ++pieces; }); });
        pool.Post(task);
        pool.Run(10, [&pieces](std::size_t) { ++pieces; });
        task->Await(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pieces, 3 * 300 * 20);
}

// However many tasks of the background there are, one thread is left.
TEST_F(WorkerPoolTest, WhatIsDueDoesNotWaitForTheBackground) {
  std::counting_semaphore<> inside(0);
  std::counting_semaphore<> go(0);
  WorkerPool pool(clock_, 2);
  std::vector<std::shared_ptr<Task>> heavy;
  for (int i = 0; i < 4; ++i) {
    heavy.push_back(std::make_shared<Task>([&] {
      inside.release();
      go.acquire();
    }));
    pool.Post(heavy.back(), Urgency::kBackground);
  }
  inside.acquire();
  for (int i = 0; i < 100; ++i) {
    const auto due = std::make_shared<Task>([] {});
    pool.Post(due);
    due->Await(1);
  }
  EXPECT_FALSE(inside.try_acquire()) << "one at a time, of two threads";
  go.release(4);
  for (const auto& task : heavy) task->Await(1);
}

TEST_F(WorkerPoolTest, TheBackgroundIsServedInItsTurn) {
  // What is due comes again and again, on both threads.
  std::atomic<bool> stop = false;
  std::vector<std::shared_ptr<Task>> due(4);
  WorkerPool pool(clock_, 2);
  for (auto& task : due) {
    task = std::make_shared<Task>([&pool, &stop, &task] {
      if (!stop) pool.Post(task);
    });
    pool.Post(task);
  }
  for (int i = 0; i < 20; ++i) {
    const auto background = std::make_shared<Task>([] {});
    pool.Post(background, Urgency::kBackground);
    background->Await(1);
  }
  stop = true;
}

TEST_F(WorkerPoolTest, ASingleThreadServesBothKindsInOrder) {
  std::binary_semaphore go(0);
  std::vector<int> order;
  WorkerPool pool(clock_, 1);
  pool.Post(std::make_shared<Task>([&go] { go.acquire(); }));
  std::vector<std::shared_ptr<Task>> tasks;
  for (int i = 0; i < 20; ++i) {
    tasks.push_back(
        std::make_shared<Task>([&order, i] { order.push_back(i); }));
    pool.Post(tasks.back(), i % 3 == 0 ? Urgency::kBackground : Urgency::kSoon);
  }
  go.release();
  for (const auto& task : tasks) task->Await(1);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

// A turn that the pool serves alone, with pieces that note their order.
class InterruptedTurnTest : public WorkerPoolTest {
 protected:
  // Posts a task that notes a letter.
  void PostNoting(char letter, Urgency urgency = Urgency::kSoon) {
    noting_.push_back(
        std::make_shared<Task>([this, letter] { order_ += letter; }));
    pool_.Post(noting_.back(), urgency);
  }
  // A turn of so many pieces, before each of which `before` is called.
  std::string OrderOf(std::size_t pieces, Urgency urgency,
                      const std::function<void(std::size_t)>& before) {
    const auto turn = std::make_shared<Task>([&] {
      pool_.Run(pieces, [&](std::size_t piece) {
        before(piece);
        order_ += '.';
      });
      order_ += '|';
    });
    pool_.Post(turn, urgency);
    turn->Await(1);
    for (const auto& task : noting_) task->Await(1);
    return order_;
  }

  std::string order_;
  std::vector<std::shared_ptr<Task>> noting_;
  WorkerPool pool_{clock_, 1};
};

TEST_F(InterruptedTurnTest, WhatIsDueWaitsForOnePieceOfTheBackground) {
  EXPECT_EQ(OrderOf(5, Urgency::kBackground,
                    [this](std::size_t piece) {
                      if (piece == 1) PostNoting('a');
                      if (piece == 1) PostNoting('b');
                      if (piece == 3) PostNoting('c');
                    }),
            "..ab..c.|");
}

TEST_F(InterruptedTurnTest, TimersOfWhatIsDueAreServedLikewise) {
  class Timer final : public TickTimer {
   public:
    explicit Timer(std::string& order) : order_(order) {}

   private:
    void OnDue() override { order_ += 't'; }
    std::string& order_;
  };
  const auto timer = std::make_shared<Timer>(order_);
  pool_.Arm(timer, clock_.Now() + kPeriod);
  EXPECT_EQ(OrderOf(4, Urgency::kBackground,
                    [this](std::size_t piece) {
                      if (piece == 2) clock_.Advance(kPeriod);
                    }),
            "...t.|");
}

TEST_F(InterruptedTurnTest, TheBackgroundWaitsForTheWholeTurn) {
  EXPECT_EQ(OrderOf(3, Urgency::kBackground,
                    [this](std::size_t piece) {
                      if (piece == 0) PostNoting('b', Urgency::kBackground);
                    }),
            "...|b");
}

// Else those that are due at one time would end in the opposite order.
TEST_F(InterruptedTurnTest, ATurnThatWasDueItselfIsNotInterruptedAtOnce) {
  EXPECT_EQ(OrderOf(5, Urgency::kSoon,
                    [this](std::size_t piece) {
                      if (piece == 0) PostNoting('a');
                      if (piece == 3) clock_.Advance(WorkerPool::kPatience);
                    }),
            "....a.|");
}

// What serves others waits for no more than what they are.
TEST_F(InterruptedTurnTest, WhatInterruptsIsNotInterrupted) {
  const auto inner = std::make_shared<Task>([this] {
    pool_.Run(2, [this](std::size_t) {
      clock_.Advance(2 * WorkerPool::kPatience);
      PostNoting('a');
      order_ += ',';
    });
  });
  EXPECT_EQ(OrderOf(3, Urgency::kBackground,
                    [&](std::size_t piece) {
                      if (piece == 0) pool_.Post(inner);
                    }),
            ".,,.aa.|");
}

TEST_F(InterruptedTurnTest, ATaskThatComesAgainAndAgainLetsTheTurnGoOn) {
  std::shared_ptr<Task> again;
  int times = 0;
  again = std::make_shared<Task>([&] {
    order_ += 'a';
    if (++times < 4) pool_.Post(again);
  });
  EXPECT_EQ(OrderOf(4, Urgency::kBackground,
                    [&](std::size_t piece) {
                      if (piece == 0) pool_.Post(again);
                    }),
            ".a.a.a.a|");
}

// Two threads, the one reserved for what is due in a turn of its own: the other
// serves it between two pieces.
TEST_F(WorkerPoolTest, WhatIsDueWaitsForOnePieceThoughAllThreadsAreAtTurns) {
  std::binary_semaphore inside(0);
  std::binary_semaphore go(0);
  std::thread::id caller;
  std::thread::id server;
  std::atomic<int> pieces_before = 0;
  WorkerPool pool(clock_, 2);
  const auto due =
      std::make_shared<Task>([&] { server = std::this_thread::get_id(); });
  const auto heavy = std::make_shared<Task>([&] {
    inside.acquire();
    caller = std::this_thread::get_id();
    pool.Run(100, [&](std::size_t piece) {
      if (piece == 50) pool.Post(due);
      if (server == std::thread::id()) ++pieces_before;
    });
    go.release();
  });
  const auto first = std::make_shared<Task>([&] {
    inside.release();
    go.acquire();
  });
  pool.Post(heavy, Urgency::kBackground);
  pool.Post(first);
  first->Await(1);
  heavy->Await(1);
  due->Await(1);
  EXPECT_EQ(server, caller);
  EXPECT_EQ(pieces_before, 51);
}

}  // namespace
}  // namespace meander::hosting
