// What a turn allocates once it is warm: nothing, with a watcher attached.
//
// Replaces operator new of the whole program by one that counts on threads
// that want to be counted: those of the workers and of the scheduler.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "tests/server/hosting/hosting_rig.h"

namespace {

std::atomic<bool> g_counting = false;
std::atomic<std::int64_t> g_allocations = 0;
// Encoding, sending and asking may allocate; stepping may not.
thread_local bool t_exempt = false;

void* Allocate(std::size_t size) {
  if (g_counting && !t_exempt) ++g_allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  std::abort();
}

void* AllocateAligned(std::size_t size, std::align_val_t alignment) {
  if (g_counting && !t_exempt) ++g_allocations;
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t rounded = (size + align - 1) / align * align;
  if (void* memory = std::aligned_alloc(align, rounded)) return memory;
  std::abort();
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return AllocateAligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return AllocateAligned(size, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace meander::hosting {
namespace {

constexpr std::chrono::nanoseconds kPeriod{16'666'667};

// Counts while it lives what other threads than its own allocate.
class Counting {
 public:
  Counting() {
    t_exempt = true;
    g_allocations = 0;
    g_counting = true;
  }
  ~Counting() {
    g_counting = false;
    t_exempt = false;
  }
  static std::int64_t allocations() { return g_allocations; }
};

TEST(AllocationTest, TheCounterCounts) {
  const Counting counting;
  std::thread([] { delete new int; }).join();
  EXPECT_GE(Counting::allocations(), 1);
}

TEST(AllocationTest, AWarmTurnOfAWatchedWorldAllocatesNothing) {
  HostingRig rig(2);
  rig.on_encode = [] { t_exempt = true; };  // the broadcaster's thread
  const auto host = rig.Make(ClockMode::kRealtime);
  Submit(*host, {Define(), Spawn(5'000)});
  Watcher every(1);
  Watcher tenth(10);
  host->Subscribe(every.subscription());
  host->Subscribe(tenth.subscription());
  every.AwaitTick(0);
  tenth.AwaitTick(0);
  std::int64_t tick = 0;
  const auto run = [&](std::int64_t ticks) {
    for (const std::int64_t end = tick + ticks; tick < end;) {
      rig.clock.Advance(kPeriod);
      every.AwaitTick(++tick);
    }
  };
  run(50);
  every.StopKeeping();
  tenth.StopKeeping();
  {
    const Counting counting;
    run(200);
    EXPECT_EQ(Counting::allocations(), 0);
  }
  EXPECT_GE(host->Status()->published_states, 240);
}

TEST(AllocationTest, AWarmTurnOfASteppedWorldAllocatesNothing) {
  HostingRig rig(2);
  rig.on_encode = [] { t_exempt = true; };
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(5'000)});
  Watcher watcher;
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  std::atomic<std::int64_t> told = 0;
  const auto run = [&] {
    told = 0;
    host->Step(100, {}, [&told](const core::Result<TickInfo>& info) {
      told = info->tick;
      told.notify_all();
    });
    told.wait(0);
  };
  run();
  watcher.AwaitTick(100);
  watcher.StopKeeping();
  const Counting counting;
  run();
  EXPECT_EQ(told, 200);
  EXPECT_EQ(Counting::allocations(), 0);
}

}  // namespace
}  // namespace meander::hosting
