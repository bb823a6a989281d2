// The same seed and commands give the same state, whatever the server does
// beside.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/simd/simd_target.h"
#include "tests/integration/client.h"
#include "tests/integration/scoped_variable.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

constexpr std::int64_t kTicks = 120;

// Enough agents that every thread gets some.
void Fill(const Client& client, const std::string& name) {
  ExpectAdmitted(client.MustSubmit(
      name, {DefineWanderer(1), DefineSeeker(2), SpawnInDisc(1, 20'000, 500.0f),
             SpawnInDisc(2, 1'000)}));
  client.MustStep(name, 10);
  v1::Command target;
  for (int id = 20'001; id <= 21'000; ++id) {
    target.mutable_set_target()->add_agent_ids(id);
  }
  target.mutable_set_target()->mutable_target()->set_agent_id(1);
  target.set_apply_tick(20);
  v1::Command despawn;
  despawn.mutable_despawn_agents()->add_agent_ids(77);
  despawn.set_apply_tick(30);
  ExpectAdmitted(client.MustSubmit(name, {target, despawn}));
}

TEST(DeterminismTest, SeedsDecideForAnyNumberOfThreads) {
  std::optional<std::uint64_t> want;
  for (const char* threads : {"1", "2", "3", "8"}) {
    ServerProcess server({std::string("--worker_threads=") + threads});
    const Client client(server.address());
    std::map<std::string, std::uint64_t> hashes;
    for (const auto& [id, seed] : std::map<std::string, std::uint64_t>{
             {"a", 42}, {"b", 42}, {"c", 43}}) {
      const std::string name = client.MustCreate(id, seed);
      Fill(client, name);
      // Split differently in each world.
      const std::int64_t first = id == "a" ? 10 : 77;
      client.MustStep(name, first);
      hashes[id] = client.MustStep(name, kTicks - 10 - first).state_hash();
      EXPECT_EQ(client.MustGet(name).tick(), kTicks);
    }
    EXPECT_EQ(hashes["a"], hashes["b"]) << threads << " threads";
    EXPECT_NE(hashes["a"], hashes["c"]) << threads << " threads";
    EXPECT_EQ(hashes["a"], want.value_or(hashes["a"])) << threads << " threads";
    want = hashes["a"];
  }
}

TEST(DeterminismTest, KernelsOfEveryTargetGiveTheSameState) {
  std::map<std::string, std::uint64_t> hashes;
  for (const core::SimdTarget target : core::kSimdTargets) {
    if (!core::CanRun(target)) continue;
    const std::string kernels(core::NameOf(target));
    const ScopedVariable forced("MEANDER_SIMD", kernels);
    ServerProcess server;
    const Client client(server.address());
    v1::ServerInfo info;
    ASSERT_TRUE(client.Info(&info).ok());
    EXPECT_EQ(info.kernels(), kernels);
    const std::string name = client.MustCreate("a", 42);
    Fill(client, name);
    hashes[kernels] = client.MustStep(name, kTicks - 10).state_hash();
  }
  const std::uint64_t want = hashes.at("scalar");
  for (const auto& [kernels, hash] : hashes) EXPECT_EQ(hash, want) << kernels;
}

TEST(DeterminismTest, ARealtimeWorldHasTheStatesOfAManualOne) {
  ServerProcess server;
  const Client client(server.address());
  std::vector<v1::Command> setup = {DefineWanderer(1), SpawnInDisc(1, 100)};
  const std::string live =
      client.MustCreate("live", 5, v1::CLOCK_MODE_REALTIME);
  const auto response = client.MustSubmit(live, setup);
  ExpectAdmitted(response);
  // The other world gets them for the same ticks, whichever they are.
  std::int64_t last = 0;
  for (std::size_t i = 0; i < setup.size(); ++i) {
    last = response.results(static_cast<int>(i)).admission().apply_tick();
    setup[i].set_apply_tick(last);
  }
  Call call;
  const auto reader = client.Watch(call.context, live);
  std::map<std::int64_t, std::uint64_t> seen;
  v1::Frame frame;
  while (frame.tick() < last + 30 && reader->Read(&frame)) {
    seen[frame.tick()] = frame.state_hash();
  }
  call.context.TryCancel();

  const std::string manual = client.MustCreate("manual", 5);
  ExpectAdmitted(client.MustSubmit(manual, setup));
  ASSERT_GE(seen.size(), 2u);
  for (const auto& [tick, hash] : seen) {
    const std::int64_t now = client.MustGet(manual).tick();
    if (tick > now) client.MustStep(manual, tick - now);
    EXPECT_EQ(client.MustGet(manual).state_hash(), hash) << "tick " << tick;
  }
}

}  // namespace
}  // namespace meander
