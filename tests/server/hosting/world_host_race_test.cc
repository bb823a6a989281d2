// Everything at once on worlds that are closed meanwhile: each callback comes
// exactly once, and nothing outlives the last reference.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <thread>
#include <vector>

#include "server/hosting/world_registry.h"
#include "tests/server/hosting/hosting_rig.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;

// What was asked of worlds, and how often it was answered.
struct Ledger {
  std::atomic<int> asked = 0;
  std::atomic<int> answered = 0;
  std::atomic<int> wrong = 0;

  template <typename T>
  std::function<void(core::Result<T>)> Expect() {
    ++asked;
    auto once = std::make_shared<std::atomic<int>>(0);
    return [this, once](const core::Result<T>& result) {
      if (once->fetch_add(1) != 0) ++wrong;
      if (!result.ok() && result.error().code != ErrorCode::kWorldNotFound &&
          result.error().code != ErrorCode::kDraining &&
          result.error().code != ErrorCode::kCancelled &&
          result.error().code != ErrorCode::kClockMode) {
        ++wrong;
      }
      ++answered;
    };
  }
};

class MortalWatcher final : public stream::FrameSink {
 public:
  MortalWatcher(Ledger& ledger, std::int32_t interval)
      : ledger_(ledger),
        subscription_(std::make_shared<stream::Subscription>(
            stream::View{interval}, *this)) {
    ++ledger_.asked;
  }
  const std::shared_ptr<stream::Subscription>& subscription() const {
    return subscription_;
  }
  void Write(std::shared_ptr<const stream::EncodedFrame>, std::size_t,
             const stream::OwnFields&) override {
    subscription_->WriteDone(true);
  }
  void Finish(std::optional<core::Error>) override {
    Ledger& ledger = ledger_;
    delete this;
    ++ledger.answered;
  }

 private:
  Ledger& ledger_;
  const std::shared_ptr<stream::Subscription> subscription_;
};

// One client that does this and that.
void Play(WorldHost& host, Ledger& ledger, unsigned seed) {
  std::mt19937 random(seed);
  std::stop_source stop;
  std::vector<std::shared_ptr<stream::Subscription>> subscriptions;
  for (int i = 0; i < 12; ++i) {
    switch (random() % 6) {
      case 0: {
        std::vector<BatchCommand> batch =
            Batch({Define(), Spawn(random() % 50 + 1)});
        (void)host.Submit(batch);
        break;
      }
      case 1:
        host.Step({.ticks = static_cast<std::int64_t>(random() % 20 + 1),
                   .stop = stop.get_token()},
                  ledger.Expect<StepAnswer>());
        break;
      case 2:
        host.Read(random() % 2 == 0 ? Detail::kMotion : Detail::kFull,
                  ledger.Expect<stream::PublishedStateRef>());
        break;
      case 3: {
        auto* watcher = new MortalWatcher(
            ledger, static_cast<std::int32_t>(random() % 3 + 1));
        subscriptions.push_back(watcher->subscription());
        host.Subscribe(subscriptions.back());
        break;
      }
      case 4:
        if (!subscriptions.empty()) {
          subscriptions.back()->End(std::nullopt);
          subscriptions.pop_back();
        }
        break;
      default:
        if (random() % 8 == 0) stop.request_stop();
        (void)host.Status();
    }
  }
}

TEST(WorldHostRaceTest, WorldsThatAreClosedInUseAnswerEverythingOnce) {
  constexpr int kRounds = 300;
  Ledger ledger;
  std::vector<std::weak_ptr<WorldHost>> hosts;
  {
    HostingRig rig(2);
    std::atomic<bool> stop = false;
    std::thread time([&] {
      while (!stop) {
        rig.clock.Advance(std::chrono::milliseconds(5));
        std::this_thread::yield();
      }
    });
    for (int round = 0; round < kRounds; ++round) {
      std::shared_ptr<WorldHost> host = rig.MakeUnshared(
          round % 2 == 0 ? ClockMode::kManual : ClockMode::kRealtime);
      hosts.push_back(host);
      std::vector<std::thread> clients;
      for (unsigned client = 0; client < 2; ++client) {
        clients.emplace_back([&ledger, host, round, client] {
          Play(*host, ledger, static_cast<unsigned>(round) * 2 + client);
        });
      }
      for (int spin = round % 100; spin > 0; --spin) std::this_thread::yield();
      host->Close({ErrorCode::kWorldNotFound, "", "deleted"});
      host.reset();
      for (std::thread& client : clients) client.join();
    }
    Until([&ledger] { return ledger.answered == ledger.asked; });
    for (const auto& host : hosts) {
      Until([&host] { return host.expired(); });
    }
    stop = true;
    time.join();
  }
  EXPECT_EQ(ledger.answered, ledger.asked);
  EXPECT_EQ(ledger.wrong, 0);
}

// A server that goes away under load: everything is closed, then destroyed in
// the order that HostContext asks for, with turns still in the queue.
TEST(WorldHostRaceTest, AServerMayGoAwayWhileItsWorldsRun) {
  for (int round = 0; round < 100; ++round) {
    Ledger ledger;
    {
      HostingRig rig(2);
      std::vector<std::shared_ptr<WorldHost>> hosts;
      for (int i = 0; i < 6; ++i) {
        hosts.push_back(
            rig.Make(i % 2 == 0 ? ClockMode::kManual : ClockMode::kRealtime));
        Play(*hosts.back(), ledger, static_cast<unsigned>(round * 6 + i));
        auto* watcher = new MortalWatcher(ledger, 1);
        hosts.back()->Subscribe(watcher->subscription());
      }
      rig.clock.Advance(std::chrono::milliseconds(40));
    }
    EXPECT_EQ(ledger.answered, ledger.asked);
    EXPECT_EQ(ledger.wrong, 0);
  }
}

// Names that are made and deleted by many threads at once.
TEST(WorldHostRaceTest, WorldsMayComeAndGoByName) {
  HostingRig rig(2);
  std::vector<std::weak_ptr<WorldHost>> hosts;
  std::mutex mutex;
  std::atomic<int> created = 0;
  std::atomic<int> deleted = 0;
  {
    WorldRegistry registry(rig.Context());
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 3; ++seed) {
      threads.emplace_back([&, seed] {
        std::mt19937 random(seed);
        for (int i = 0; i < 500; ++i) {
          const std::string id = "w" + std::to_string(random() % 5);
          NewWorld world{.id = id,
                         .config = SmallConfig(),
                         .seed = static_cast<std::uint64_t>(i)};
          if (random() % 2 == 0) {
            world.settings.hosting.clock_mode = ClockMode::kManual;
          }
          if (registry.Create(world).ok()) ++created;
          if (const auto found = registry.Find(id)) {
            {
              const std::lock_guard lock(mutex);
              hosts.push_back(found);
            }
            Answer<stream::PublishedStateRef> reader;
            found->Read(Detail::kMotion, reader.Callback());
            (void)reader.Get();
          }
          if (random() % 2 == 0 && !registry.Delete(id)) ++deleted;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(registry.size(), static_cast<std::size_t>(created - deleted));
  }
  for (const auto& host : hosts) {
    Until([&host] { return host.expired(); });
  }
  EXPECT_EQ(rig.workers.armed(), 0u);
}

}  // namespace
}  // namespace meander::hosting
