#include "server/stream/published_state.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace meander::stream {
namespace {

PublishedStateRef Seal(PublishedStatePool& pool, std::int64_t tick) {
  std::optional<DraftState> draft = pool.Acquire();
  if (!draft) return {};
  (*draft)->tick = tick;
  return std::move(*draft).Seal();
}

TEST(PublishedStatePoolTest, GivesEachBufferOnceAndThenNothing) {
  PublishedStatePool pool(2);
  PublishedStateRef a = Seal(pool, 1);
  PublishedStateRef b = Seal(pool, 2);
  EXPECT_EQ(a->tick, 1);
  EXPECT_EQ(b->tick, 2);
  EXPECT_FALSE(pool.Acquire());
  b = {};
  EXPECT_EQ(pool.free_buffers(), 1u);
  EXPECT_TRUE(Seal(pool, 3));
}

TEST(PublishedStatePoolTest, ABufferReturnsWithItsLastReference) {
  PublishedStatePool pool(1);
  PublishedStateRef a = Seal(pool, 1);
  PublishedStateRef b = a;
  const PublishedStateRef c = std::move(a);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move)
  b = c;
  b = {};
  EXPECT_EQ(pool.free_buffers(), 0u);
  b = c;
  EXPECT_EQ(b->tick, 1);
}

TEST(PublishedStatePoolTest, ADraftThatIsNotSealedGoesBack) {
  PublishedStatePool pool(1);
  { const std::optional<DraftState> draft = pool.Acquire(); }
  EXPECT_EQ(pool.free_buffers(), 1u);
}

TEST(PublishedStatePoolTest, AWarmBufferKeepsWhatItHasAllocated) {
  PublishedStatePool pool(1);
  {
    std::optional<DraftState> draft = pool.Acquire();
    (*draft)->motion.Resize(1000);
    (*draft)->cold = std::make_shared<core::ColdColumns>();
  }
  std::optional<DraftState> draft = pool.Acquire();
  EXPECT_GE((*draft)->motion.position_x.capacity(), 1000u);
  EXPECT_EQ((*draft)->cold, nullptr);
}

TEST(PublishedStatePoolTest, ReferencesOutliveThePool) {
  std::optional<PublishedStatePool> pool(std::in_place, 2);
  PublishedStateRef ref = Seal(*pool, 7);
  pool.reset();
  EXPECT_EQ(ref->tick, 7);
  const PublishedStateRef copy = ref;
  ref = {};
  EXPECT_EQ(copy->tick, 7);
}

TEST(PublishedStatePoolTest, CallsOnceAfterARunOfFailedAcquires) {
  int calls = 0;
  PublishedStatePool pool(2, [&calls] { ++calls; });
  PublishedStateRef a = Seal(pool, 1);
  PublishedStateRef b = Seal(pool, 2);
  a = {};
  EXPECT_EQ(calls, 0);
  a = Seal(pool, 3);
  EXPECT_FALSE(pool.Acquire());
  EXPECT_FALSE(pool.Acquire());
  a = {};
  EXPECT_EQ(calls, 1);
  b = {};
  EXPECT_EQ(calls, 1);
}

TEST(PublishedStatePoolTest, OnFreeMayTakeTheBufferAtOnce) {
  PublishedStateRef next;
  PublishedStatePool* the_pool = nullptr;
  PublishedStatePool pool(1, [&] { next = Seal(*the_pool, 2); });
  the_pool = &pool;
  PublishedStateRef first = Seal(pool, 1);
  ASSERT_FALSE(pool.Acquire());
  first = {};
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tick, 2);
}

// Readers copy and drop references while the writer goes on and the pool goes
// away; each reader must see the rows that belong to its tick.
TEST(PublishedStatePoolTest, ReadersNeverSeeABufferBeingFilled) {
  std::optional<PublishedStatePool> pool(std::in_place, 3);
  std::mutex mutex;
  PublishedStateRef newest;
  std::atomic<bool> stop = false;
  std::atomic<int> torn = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        PublishedStateRef mine;
        {
          const std::lock_guard lock(mutex);
          mine = newest;
        }
        if (!mine) continue;
        const PublishedStateRef copy = mine;
        for (const core::AgentId id : copy->motion.id) {
          if (id != copy->tick) ++torn;
        }
      }
    });
  }
  for (std::int64_t tick = 1; tick <= 3000; ++tick) {
    std::optional<DraftState> draft = pool->Acquire();
    if (!draft) continue;
    (*draft)->tick = tick;
    (*draft)->motion.id.assign(50, tick);
    PublishedStateRef ref = std::move(*draft).Seal();
    const std::lock_guard lock(mutex);
    newest = std::move(ref);
  }
  pool.reset();
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0);
}

}  // namespace
}  // namespace meander::stream
