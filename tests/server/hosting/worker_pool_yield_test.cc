// What a turn in a WorkerPool owes to what is due, and what it is charged.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "server/hosting/pool_observer.h"
#include "server/hosting/worker_pool.h"
#include "tests/server/hosting/fake_clock.h"
#include "tests/server/hosting/waiting.h"

namespace meander::hosting {
namespace {

using std::chrono::nanoseconds;

class WorkerPoolYieldTest : public testing::Test {
 protected:
  // A turn of `body` on a worker, which this waits for.
  static void Serve(WorkerPool& pool, std::function<void()> body,
                    Urgency urgency = Urgency::kBackground) {
    const auto turn = std::make_shared<Task>(std::move(body));
    pool.Post(turn, urgency);
    turn->Await(1);
  }

  FakeClock clock_;
};

// Who comes before it is open waits.
class Door {
 public:
  void Open() {
    open_ = true;
    open_.notify_all();
  }
  void Pass() const { open_.wait(false); }

 private:
  std::atomic<bool> open_ = false;
};

// Counts the pieces that a thread has run since it last came to where the pool
// looks for what is due.
class LookCounter final : public PoolObserver {
 public:
  void On(PoolMoment /*moment*/, nanoseconds /*came*/) override {
    t_pieces = 0;
    ++looks_;
  }
  void NotePiece() {
    if (++t_pieces > 1) ++too_many_;
  }
  int looks() const { return looks_; }
  int too_many() const { return too_many_; }

 private:
  static thread_local int t_pieces;
  std::atomic<int> looks_ = 0;
  std::atomic<int> too_many_ = 0;
};
thread_local int LookCounter::t_pieces = 0;

TEST_F(WorkerPoolYieldTest, BetweenTwoLooksAThreadRunsOnePieceAtMost) {
  for (const std::size_t threads : {1u, 2u, 3u}) {
    LookCounter counter;
    WorkerPool pool(clock_, threads, &counter);
    for (const Urgency urgency : {Urgency::kSoon, Urgency::kBackground}) {
      Serve(
          pool,
          [&] {
            for (const std::size_t count : {1u, 1u, 2u, 300u, 1u}) {
              pool.Run(count, [&](std::size_t) { counter.NotePiece(); });
            }
          },
          urgency);
    }
    EXPECT_EQ(counter.too_many(), 0) << threads << " threads";
    EXPECT_GE(counter.looks(), 2 * 305);
  }
}

TEST_F(WorkerPoolYieldTest, WhatIsDueIsServedAfterALonePieceToo) {
  std::string order;
  WorkerPool pool(clock_, 1);
  const auto due = std::make_shared<Task>([&] { order += 'a'; });
  Serve(pool, [&] {
    pool.Run(1, [&](std::size_t) {
      pool.Post(due);
      order += '.';
    });
    order += '|';
  });
  EXPECT_EQ(order, ".a|");
}

// Tells when a caller of Run waits for its helpers.
class AwaitObserver final : public PoolObserver {
 public:
  void On(PoolMoment moment, nanoseconds /*came*/) override {
    if (moment == PoolMoment::kAwaitsHelpers) waiting_.release();
  }
  void Await() { waiting_.acquire(); }

 private:
  std::counting_semaphore<> waiting_{0};
};

// The last piece of a Run is a helper's: something comes while the caller
// waits.
TEST_F(WorkerPoolYieldTest, WhatIsDueIsServedBeforeTheTurnGoesOnAfterARun) {
  AwaitObserver observer;
  Door helping;
  std::thread::id caller;
  std::atomic<bool> hold = true;
  WorkerPool pool(clock_, 2, &observer);
  // Keeps whoever serves it, so that the other one is needed.
  const auto due =
      std::make_shared<Task>([&] { Until([&] { return !hold; }); });
  const auto second = std::make_shared<Task>([&] { hold = false; });
  Serve(pool, [&] {
    caller = std::this_thread::get_id();
    pool.Run(2, [&](std::size_t) {
      if (std::this_thread::get_id() == caller) {
        helping.Pass();
        return;
      }
      helping.Open();
      observer.Await();
      pool.Post(due);
      pool.Post(second);
      clock_.Advance(WorkerPool::kGrace);
    });
    EXPECT_FALSE(hold);
  });
  due->Await(1);
  second->Await(1);
}

// As when the thread that is there for it is kept from computing.
TEST_F(WorkerPoolYieldTest, WhatIsDueIsLeftToAThreadThatDoesNotComeForAGrace) {
  Door helping;
  Door held;
  std::thread::id caller;
  std::thread::id server;
  int served_before = -1;
  int pieces = 0;
  WorkerPool pool(clock_, 2);
  const auto due =
      std::make_shared<Task>([&] { server = std::this_thread::get_id(); });
  Serve(pool, [&] {
    caller = std::this_thread::get_id();
    pool.Run(100, [&](std::size_t) {
      if (std::this_thread::get_id() != caller) {
        helping.Open();
        held.Pass();
        return;
      }
      switch (++pieces) {
        case 1:
          helping.Pass();
          break;
        case 2:
          pool.Post(due);
          break;
        case 4:
          clock_.Advance(WorkerPool::kGrace - nanoseconds(1));
          break;
        case 6:
          clock_.Advance(nanoseconds(1));
          break;
        case 99:
          held.Open();
          break;
        default:
          break;
      }
      if (served_before < 0 && server != std::thread::id()) {
        served_before = pieces;
      }
    });
  });
  EXPECT_EQ(server, caller);
  EXPECT_EQ(served_before, 7) << "the first piece after the grace";
}

// Else those that are due at one time would end in the opposite order.
TEST_F(WorkerPoolYieldTest, ATurnThatWasDueItselfKeepsItsPatienceOverTheGrace) {
  Door helping;
  Door held;
  std::thread::id caller;
  std::atomic<bool> served = false;
  int pieces = 0;
  WorkerPool pool(clock_, 2);
  const auto due = std::make_shared<Task>([&] { served = true; });
  Serve(
      pool,
      [&] {
        caller = std::this_thread::get_id();
        pool.Run(50, [&](std::size_t) {
          if (std::this_thread::get_id() != caller) {
            helping.Open();
            held.Pass();
            return;
          }
          ++pieces;
          if (pieces == 1) {
            helping.Pass();
            pool.Post(due);
            clock_.Advance(WorkerPool::kPatience - nanoseconds(1));
          }
          if (pieces == 10) {
            EXPECT_FALSE(served);
          }
          if (pieces == 11) clock_.Advance(nanoseconds(1));
          if (pieces == 12) {
            EXPECT_TRUE(served);
            held.Open();
          }
        });
      },
      Urgency::kSoon);
}

TEST_F(WorkerPoolYieldTest, ATurnIsNotChargedForThoseThatInterruptIt) {
  using std::chrono::milliseconds;
  nanoseconds charged{0};
  nanoseconds nested_charged{0};
  WorkerPool pool(clock_, 1);
  const auto due = std::make_shared<Task>([&] {
    const nanoseconds before = pool.TurnCpu();
    clock_.Advance(milliseconds(7));
    nested_charged = pool.TurnCpu() - before;
  });
  Serve(pool, [&] {
    const nanoseconds before = pool.TurnCpu();
    pool.Run(4, [&](std::size_t piece) {
      if (piece == 1) pool.Post(due);
      clock_.Advance(milliseconds(1));
    });
    charged = pool.TurnCpu() - before;
  });
  due->Await(1);
  EXPECT_EQ(charged, milliseconds(4));
  EXPECT_EQ(nested_charged, milliseconds(7));
}

TEST_F(WorkerPoolYieldTest, WhoIsNoWorkerIsChargedForAllThatItComputes) {
  WorkerPool pool(clock_, 2);
  const nanoseconds before = pool.TurnCpu();
  clock_.Advance(nanoseconds(5));
  EXPECT_EQ(pool.TurnCpu() - before, nanoseconds(5));
}

}  // namespace
}  // namespace meander::hosting
