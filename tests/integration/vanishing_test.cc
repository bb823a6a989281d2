// Clients that are gone without a word leave nothing behind.
//
// The server lives in this process, so that its counters can be read; the
// clients that are killed are processes of their own.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/doomed_client.h"
#include "tests/integration/server_here.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

class VanishingTest : public testing::Test {
 protected:
  std::size_t Subscribers(const std::string& id) const {
    return server_->worlds().Find(id)->stream().subscribers();
  }

  bool BecomesSubscribers(const std::string& id, std::size_t count) const {
    return Until(*client_, [&] { return Subscribers(id) == count; });
  }

  const std::unique_ptr<Server> server_ = StartServer();
  const std::unique_ptr<Client> client_ =
      std::make_unique<Client>(server_->address());
};

TEST_F(VanishingTest, CancelledWatchersAreForgottenAndOthersGoOn) {
  const std::string name = client_->MustCreate("a");
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<std::unique_ptr<WatchReader>> readers;
  v1::Frame frame;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(std::make_unique<Call>());
    readers.push_back(client_->Watch(calls.back()->context, name));
    ASSERT_TRUE(readers.back()->Read(&frame));
  }
  EXPECT_EQ(Subscribers("a"), 20u);
  for (std::size_t i = 1; i < calls.size(); ++i) {
    calls[i]->context.TryCancel();
  }
  EXPECT_TRUE(BecomesSubscribers("a", 1));
  client_->MustStep(name, 1);
  ASSERT_TRUE(readers[0]->Read(&frame));
  EXPECT_EQ(frame.tick(), 1);
  calls[0]->context.TryCancel();
  EXPECT_TRUE(BecomesSubscribers("a", 0));
}

TEST_F(VanishingTest, AKilledWatcherIsForgottenAndOthersGoOn) {
  const std::string name = client_->MustCreate("a", 1, v1::CLOCK_MODE_REALTIME);
  Call call;
  const auto reader = client_->Watch(call.context, name);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));
  {
    Process doomed(DoomedWatcher(server_->address(), name));
    EXPECT_EQ(doomed.ReadLine(), kDoomedClientIsBusy);
    EXPECT_EQ(Subscribers("a"), 2u);
    doomed.Signal(SIGKILL);
    EXPECT_EQ(doomed.Wait(), 128 + SIGKILL);
  }
  EXPECT_TRUE(BecomesSubscribers("a", 1));
  const std::int64_t tick = frame.tick();
  while (frame.tick() < tick + 10) ASSERT_TRUE(reader->Read(&frame));
  call.context.TryCancel();
  EXPECT_TRUE(BecomesSubscribers("a", 0));
}

TEST_F(VanishingTest, ACancelledStepStopsAtAWholeTickAndOthersGoOn) {
  const std::string name = client_->MustCreate("a");
  ExpectAdmitted(
      client_->MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 1'000)}));
  Call call;
  std::thread stepper([&] {
    v1::StepWorldRequest request;
    request.set_name(name);
    request.set_ticks(1'000'000);
    v1::StepWorldResponse response;
    const grpc::Status status =
        client_->worlds->StepWorld(&call.context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  });
  EXPECT_TRUE(
      Until(*client_, [&] { return client_->MustGet(name).tick() > 0; }));
  call.context.TryCancel();
  stepper.join();
  // Answered only once the first is out of the way, long before its end.
  const std::int64_t tick = client_->MustStep(name, 1).tick();
  EXPECT_LT(tick, 1'000'000);
  EXPECT_EQ(client_->MustStep(name, 1).tick(), tick + 1);
}

TEST_F(VanishingTest, AKilledStepperStopsAndOthersGoOn) {
  const std::string name = client_->MustCreate("a");
  ExpectAdmitted(
      client_->MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 1'000)}));
  client_->MustStep(name, 1);
  Process doomed(DoomedStepper(server_->address(), name, 1'000'000));
  EXPECT_EQ(doomed.ReadLine(), kDoomedClientIsBusy);
  EXPECT_TRUE(
      Until(*client_, [&] { return client_->MustGet(name).tick() > 1; }));
  doomed.Signal(SIGKILL);
  doomed.Wait();
  const std::int64_t tick = client_->MustStep(name, 1).tick();
  EXPECT_LT(tick, 1'000'000);
  EXPECT_EQ(client_->MustStep(name, 1).tick(), tick + 1);
}

// Watchers come and go in the middle of everything.
TEST_F(VanishingTest, WatchersThatCancelAtAnyMomentLeaveNothing) {
  client_->MustCreate("a", 1, v1::CLOCK_MODE_REALTIME);
  constexpr int kThreads = 4;
  constexpr int kWatchers = 150;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kWatchers; ++i) {
        Call call;
        const auto reader = client_->Watch(call.context, "worlds/a");
        v1::Frame frame;
        // Before, at, or after the first frames.
        for (int reads = (i + t) % 3; reads > 0; --reads) reader->Read(&frame);
        call.context.TryCancel();
        reader->Finish();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(BecomesSubscribers("a", 0));
}

// Four ways for a stream to end, all at once, again and again.
TEST(RacingTest, CancelsDeadlinesDeletesAndADrainEndEachStreamOnce) {
  for (int round = 0; round < 10; ++round) {
    const auto server = StartServer();
    const Client client(server->address());
    v1::CreateWorldRequest request;
    request.set_world_id("a");
    request.mutable_world()->mutable_simulation()->set_tick_rate_hz(1000);
    ASSERT_TRUE(client.Create(request).ok());
    std::atomic<int> ended{0};
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = t; !over; ++i) {
          Call call;
          if (i % 3 == 0) {
            call.context.set_deadline(std::chrono::system_clock::now() +
                                      std::chrono::milliseconds(i % 5));
          }
          const auto reader = client.Watch(call.context, "worlds/a");
          v1::Frame frame;
          for (int reads = i % 4; reads > 0; --reads) reader->Read(&frame);
          if (i % 3 == 1) call.context.TryCancel();
          if (i % 3 == 2) (void)client.Delete("worlds/a");
          while (reader->Read(&frame)) {
          }
          EXPECT_FALSE(reader->Finish().ok());
          if (i % 3 == 2) (void)client.Create(request);
          ++ended;
          ended.notify_one();
        }
      });
    }
    for (int now = 0; now < 50; now = ended) ended.wait(now);
    server->Drain();
    over = true;
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_F(VanishingTest, WorldsDieUnderWatchersSteppersAndSubmitters) {
  std::atomic<bool> over{false};
  const auto expect_sane = [](const grpc::Status& status) {
    const bool gone = status.error_code() == grpc::StatusCode::NOT_FOUND;
    EXPECT_TRUE(status.ok() || gone) << Show(status);
  };
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (!over) {
      Call call;
      const auto reader = client_->Watch(call.context, "worlds/a");
      v1::Frame frame;
      while (reader->Read(&frame)) {
      }
      expect_sane(reader->Finish());
    }
  });
  threads.emplace_back([&] {
    while (!over) expect_sane(client_->Step("worlds/a", 100));
  });
  threads.emplace_back([&] {
    v1::SubmitCommandsRequest request;
    request.set_world("worlds/a");
    *request.add_commands() = DefineWanderer(1);
    *request.add_commands() = SpawnInDisc(1, 10);
    while (!over) expect_sane(client_->Submit(request));
  });
  threads.emplace_back([&] {
    v1::ListAgentsRequest request;
    request.set_world("worlds/a");
    while (!over) expect_sane(client_->ListAgents(request));
  });
  for (int i = 0; i < 100; ++i) {
    client_->MustCreate("a");
    client_->MustStep("worlds/a", 1);
    ASSERT_TRUE(client_->Delete("worlds/a").ok());
    EXPECT_EQ(client_->Get("worlds/a").error_code(),
              grpc::StatusCode::NOT_FOUND);
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server_->worlds().size(), 0u);
  client_->MustServe();
}

}  // namespace
}  // namespace meander
