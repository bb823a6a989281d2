// Much of everything, on one server.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace meander {
namespace {

// A sanitizer takes its time, and keeps memory that was freed.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// In KiB.
std::int64_t ResidentMemory(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::string word;
  while (status >> word) {
    std::int64_t size = 0;
    if (word == "VmRSS:" && status >> size) return size;
  }
  ADD_FAILURE() << "no VmRSS";
  return 0;
}

TEST(LoadTest, EachOfManyStepsBesideAStalledWatcherTellsItsTick) {
  constexpr std::int64_t kSteps = kSanitized ? 5'000 : 50'000;
  const ServerProcess server;
  const Client client(server.address());
  const std::string name = client.MustCreate("a");
  ExpectAdmitted(
      client.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 100)}));
  Call call;
  call.context.set_deadline(std::chrono::system_clock::now() +
                            std::chrono::minutes(10));
  const Client stalled(server.address());
  const auto reader = stalled.Watch(call.context, name);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));
  for (std::int64_t tick = 1; tick <= kSteps; ++tick) {
    ASSERT_EQ(client.MustStep(name, 1).tick(), tick);
  }
  // It reads on, and is told what it has missed.
  std::int64_t skipped = 0;
  while (frame.tick() < kSteps) {
    ASSERT_TRUE(reader->Read(&frame));
    skipped += frame.skipped();
  }
  EXPECT_GT(skipped, 0);
  call.context.TryCancel();
}

TEST(LoadTest, WorldsThatComeAndGoLeaveNothing) {
  constexpr int kHalf = kSanitized ? 500 : 10'000;
  const ServerProcess server;
  const Client client(server.address());
  std::int64_t halfway = 0;
  for (int i = 0; i < 2 * kHalf; ++i) {
    if (i == kHalf) halfway = ResidentMemory(server.pid());
    const std::string name = client.MustCreate("w" + std::to_string(i));
    ASSERT_TRUE(client.Delete(name).ok());
  }
  if (!kSanitized) {
    EXPECT_LE(ResidentMemory(server.pid()), halfway + 2 * 1024);
  }
  v1::ServerInfo info;
  ASSERT_TRUE(client.Info(&info).ok());
  EXPECT_EQ(info.world_count(), 0);
  EXPECT_EQ(info.agent_count(), 0);
}

}  // namespace
}  // namespace meander
