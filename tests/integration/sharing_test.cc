// Many watchers of one view share each frame's bytes.
//
// The server lives in this process, so that its counters can be read.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_here.h"

namespace meander {
namespace {

// Reads every frame up to `last` and tells the ticks.
class Watcher {
 public:
  Watcher(const Client& client, const std::string& world, std::int32_t interval)
      : reader_(client.Watch(call_.context, world, interval)) {}

  std::set<std::int64_t> ReadUntil(std::int64_t last) {
    std::set<std::int64_t> ticks;
    v1::Frame frame;
    do {
      if (!reader_->Read(&frame)) {
        ADD_FAILURE() << Show(reader_->Finish());
        break;
      }
      EXPECT_TRUE(ticks.insert(frame.tick()).second);
    } while (frame.tick() < last);
    return ticks;
  }

  void Cancel() { call_.context.TryCancel(); }

 private:
  Call call_;
  std::unique_ptr<WatchReader> reader_;
};

TEST(SharingTest, AHundredWatchersOfAViewCostOneEncodingATick) {
  const auto server = StartServer();
  const Client client(server->address());
  const std::string name = client.MustCreate("a");
  const auto host = server->worlds().Find("a");
  ExpectAdmitted(
      client.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 100)}));

  constexpr std::int64_t kLast = 300;
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 100; ++i) {
    watchers.push_back(std::make_unique<Watcher>(client, name, 0));
    EXPECT_EQ(watchers.back()->ReadUntil(0), (std::set<std::int64_t>{0}));
  }
  EXPECT_EQ(host->stream().subscribers(), 100u);
  EXPECT_EQ(host->stream().encodings(), 1);

  // In steps that leave some watchers behind, now and then.
  std::thread stepper([&] {
    for (std::int64_t tick = 0; tick < kLast; tick += 3) {
      client.MustStep(name, 3);
    }
  });
  std::set<std::int64_t> delivered = {0};
  std::vector<std::set<std::int64_t>> seen(watchers.size());
  std::vector<std::thread> readers;
  for (std::size_t i = 0; i < watchers.size(); ++i) {
    readers.emplace_back([&, i] { seen[i] = watchers[i]->ReadUntil(kLast); });
  }
  stepper.join();
  for (std::thread& reader : readers) reader.join();
  for (const auto& ticks : seen) delivered.insert(ticks.begin(), ticks.end());
  EXPECT_EQ(host->stream().encodings(),
            static_cast<std::int64_t>(delivered.size()));
  for (const auto& watcher : watchers) watcher->Cancel();
}

TEST(SharingTest, EachViewIsEncodedForItself) {
  const auto server = StartServer();
  const Client client(server->address());
  const std::string name = client.MustCreate("a");
  const auto host = server->worlds().Find("a");
  Watcher every(client, name, 1);
  Watcher third(client, name, 3);
  Watcher third_too(client, name, 3);
  std::set<std::int64_t> ticks = every.ReadUntil(0);
  std::set<std::int64_t> thirds = third.ReadUntil(0);
  third_too.ReadUntil(0);
  for (int tick = 1; tick <= 9; ++tick) {
    client.MustStep(name, 1);
    ticks.merge(every.ReadUntil(tick));
    if (tick % 3 != 0) continue;
    thirds.merge(third.ReadUntil(tick));
    third_too.ReadUntil(tick);
  }
  EXPECT_EQ(ticks.size(), 10u);
  EXPECT_EQ(thirds, (std::set<std::int64_t>{0, 3, 6, 9}));
  EXPECT_EQ(host->stream().encodings(),
            static_cast<std::int64_t>(ticks.size() + thirds.size()));
  every.Cancel();
  third.Cancel();
  third_too.Cancel();
}

TEST(SharingTest, NobodyWatchesNothingIsMade) {
  const auto server = StartServer();
  const Client client(server->address());
  const std::string name = client.MustCreate("a");
  client.MustStep(name, 1'000);
  const auto host = server->worlds().Find("a");
  EXPECT_EQ(host->stream().encodings(), 0);
  EXPECT_EQ(host->Status()->published_states, 0);
}

}  // namespace
}  // namespace meander
