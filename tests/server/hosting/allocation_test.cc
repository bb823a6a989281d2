// What a turn allocates once it is warm: nothing, with a watcher attached.
//
// Counts allocations of the whole program on threads that want to be counted,
// those of the workers: by replacing operator new, or by the hooks of a
// sanitizer, which has replaced it already.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "tests/server/hosting/hosting_rig.h"

namespace {

std::atomic<bool> g_counting = false;
std::atomic<std::int64_t> g_allocations = 0;
// Encoding, sending and asking may allocate; stepping may not.
thread_local bool t_exempt = false;

void Count() {
  if (g_counting && !t_exempt) ++g_allocations;
}

}  // namespace

#if defined(__has_feature)
#define MEANDER_HAS_FEATURE(feature) __has_feature(feature)
#else
#define MEANDER_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    MEANDER_HAS_FEATURE(address_sanitizer) ||                        \
    MEANDER_HAS_FEATURE(thread_sanitizer)

extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*)(const volatile void*, std::size_t),
    void (*)(const volatile void*));

namespace {
[[maybe_unused]] const int g_hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { Count(); },
    [](const volatile void*) {});
}  // namespace

#else

namespace {

void* Allocate(std::size_t size) {
  Count();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  std::abort();
}

void* AllocateAligned(std::size_t size, std::align_val_t alignment) {
  Count();
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

#endif

namespace meander::hosting {
namespace {

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

// Runs on until every worker has started and every buffer for readers has been
// filled.
template <typename OneTick>
void WarmUp(HostingRig& rig, WorldHost& host, OneTick one_tick) {
  Until([&rig] { return rig.clock.looks().size() > rig.workers.threads(); });
  std::vector<stream::PublishedStateRef> held;
  while (held.size() < rig.limits.published_states) {
    one_tick();
    held.push_back(ReadNow(host));
  }
}

TEST(AllocationTest, TheCounterCounts) {
  const Counting counting;
  std::thread([] { ::operator delete(::operator new(8)); }).join();
  EXPECT_GE(Counting::allocations(), 1);
}

TEST(AllocationTest, ATimerMayComeToTheBackgroundAndAllocatesNothing) {
  class Heavier final : public TickTimer,
                        public std::enable_shared_from_this<Heavier> {
   public:
    explicit Heavier(WorkerPool& pool) : pool_(pool) {}
    void OnDue() override {
      pool_.ArmNext(shared_from_this(), kPeriod * 1000, Urgency::kBackground);
      armed = true;
    }
    std::atomic<bool> armed = false;

   private:
    WorkerPool& pool_;
  };
  FakeClock clock;
  WorkerPool pool(clock, 2);
  const auto timer = std::make_shared<Heavier>(pool);
  const std::chrono::nanoseconds start = clock.Now();
  pool.Arm(timer, start + kPeriod);
  Until([&] {
    return clock.looks().size() == 3 &&
           clock.WhoWaitsUntil(start + kPeriod) != std::thread::id();
  });
  const Counting counting;
  clock.Advance(kPeriod);
  Until([&] { return timer->armed.load(); });
  EXPECT_EQ(Counting::allocations(), 0);
}

TEST(AllocationTest, AWarmTurnOfAWatchedWorldAllocatesNothing) {
  HostingRig rig(2);
  rig.on_encode = [] { t_exempt = true; };  // the broadcaster's thread
  const auto host = rig.Make(ClockMode::kRealtime);
  Submit(*host, {Define(), Spawn(5'000)});
  Watcher& every = rig.NewWatcher(1);
  Watcher& tenth = rig.NewWatcher(10);
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
  WarmUp(rig, *host, [&run] { run(1); });
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

TEST(AllocationTest, TheTicksOfASteppedWorldAllocateNothing) {
  HostingRig rig(2);
  rig.on_encode = [] { t_exempt = true; };
  const auto host = rig.Make(ClockMode::kManual);
  Submit(*host, {Define(), Spawn(5'000)});
  Watcher& watcher = rig.NewWatcher();
  host->Subscribe(watcher.subscription());
  watcher.AwaitTick(0);
  std::atomic<std::int64_t> told = 0;
  const auto run = [&] {
    told = 0;
    host->Step({.ticks = 100}, [&told](const core::Result<StepAnswer>& info) {
      told = info->info.tick;
      told.notify_all();
    });
    told.wait(0);
  };
  WarmUp(rig, *host, [&host] { StepOn(*host, 1); });
  run();
  watcher.AwaitTick(told);
  watcher.StopKeeping();
  const Counting counting;
  run();
  EXPECT_EQ(told, 204);
  EXPECT_LE(Counting::allocations(), 2) << "for the answer, none for a tick";
}

}  // namespace
}  // namespace meander::hosting
