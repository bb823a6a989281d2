// What makes a world step, and what its client changes about that, with the
// real clock: nothing here needs a machine that keeps up.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

class ClockTest : public testing::Test {
 protected:
  // A world whose ticks cost something, so that it does not sleep.
  std::string Create(const std::string& id, std::int32_t rate,
                     const v1::HostingConfig& hosting = {},
                     std::int64_t agents = 10) const {
    v1::CreateWorldRequest request;
    request.set_world_id(id);
    request.mutable_world()->mutable_simulation()->set_tick_rate_hz(rate);
    request.mutable_world()->mutable_simulation()->set_max_agents(1'000'000);
    *request.mutable_world()->mutable_hosting() = hosting;
    const grpc::Status status = client_.Create(request);
    EXPECT_TRUE(status.ok()) << Show(status);
    const std::string name = "worlds/" + id;
    if (agents > 0) {
      ExpectAdmitted(client_.MustSubmit(
          name, {DefineWanderer(1), SpawnInDisc(1, agents)}));
    }
    return name;
  }

  v1::World Update(const std::string& name,
                   const v1::HostingConfig& hosting) const {
    v1::UpdateWorldRequest request;
    request.mutable_world()->set_name(name);
    *request.mutable_world()->mutable_hosting() = hosting;
    v1::World world;
    const grpc::Status status = client_.Update(request, &world);
    EXPECT_TRUE(status.ok()) << Show(status);
    return world;
  }

  bool Reaches(const std::string& name, std::int64_t tick) const {
    return Until(client_, [&] { return client_.MustGet(name).tick() >= tick; });
  }

  // Enough for a world of 1,000 Hz to take many ticks.
  void MakeRoundTrips() const {
    for (int i = 0; i < 50; ++i) client_.MustServe();
  }

  ServerProcess server_;
  Client client_{server_.address()};
};

// How many ticks a clock of `rate` can bring between two moments.
class Ticks {
 public:
  explicit Ticks(double rate) : rate_(rate) {}
  // With the one that was under way.
  double AtMost() const {
    const std::chrono::duration<double> passed = steady_clock::now() - begin_;
    return passed.count() * rate_ + 1.0;
  }

 private:
  const double rate_;
  const steady_clock::time_point begin_ = steady_clock::now();
};

v1::HostingConfig Mode(v1::ClockMode mode, std::int64_t until_tick = 0) {
  v1::HostingConfig hosting;
  hosting.set_clock_mode(mode);
  hosting.set_until_tick(until_tick);
  return hosting;
}

v1::HostingConfig Scale(double time_scale) {
  v1::HostingConfig hosting;
  hosting.set_time_scale(time_scale);
  return hosting;
}

TEST_F(ClockTest, APausedWorldStandsAndCanBeStepped) {
  for (const std::int64_t agents : {0, 10}) {
    const std::string name =
        Create("a" + std::to_string(agents), 1000, {}, agents);
    EXPECT_TRUE(Reaches(name, 3));
    v1::World paused;
    ASSERT_TRUE(client_.Pause(name, &paused).ok());
    EXPECT_EQ(paused.state(), v1::WORLD_STATE_PAUSED);
    EXPECT_GE(paused.tick(), 3);
    MakeRoundTrips();
    v1::World again;
    ASSERT_TRUE(client_.Pause(name, &again).ok());
    EXPECT_EQ(again.DebugString(), paused.DebugString());
    EXPECT_EQ(client_.MustGet(name).DebugString(), paused.DebugString());

    // Commands are admitted, and take effect when it is stepped.
    ExpectAdmitted(
        client_.MustSubmit(name, {DefineWanderer(2), SpawnInDisc(2, 5)}));
    EXPECT_EQ(client_.MustStep(name, 1).tick(), paused.tick() + 1);
    EXPECT_EQ(client_.MustGet(name).agent_count(), agents + 5);
    EXPECT_EQ(client_.MustGet(name).state(), v1::WORLD_STATE_PAUSED);
  }
}

TEST_F(ClockTest, AResumedWorldGoesOnFromThereAndMakesUpForNothing) {
  const std::string name = Create("a", 1000);
  EXPECT_TRUE(Reaches(name, 3));
  v1::World paused;
  ASSERT_TRUE(client_.Pause(name, &paused).ok());
  MakeRoundTrips();
  const Ticks ticks(1000);
  v1::World resumed;
  ASSERT_TRUE(client_.Resume(name, &resumed).ok());
  EXPECT_EQ(resumed.state(), v1::WORLD_STATE_RUNNING);
  EXPECT_EQ(resumed.tick(), paused.tick());
  EXPECT_EQ(resumed.slipped_ticks(), paused.slipped_ticks());
  EXPECT_TRUE(Reaches(name, paused.tick() + 10));
  const std::int64_t tick = client_.MustGet(name).tick();
  EXPECT_LE(static_cast<double>(tick - paused.tick()), ticks.AtMost());
  // Which does nothing to a world that is not paused.
  ASSERT_TRUE(client_.Resume(name, &resumed).ok());
  EXPECT_GE(resumed.tick(), tick);
  EXPECT_EQ(Explain(client_.Step(name, 1)).reason, "CLOCK_MODE");
}

TEST_F(ClockTest, AManualWorldCanBePausedAndStaysManual) {
  const std::string name = Create("a", 60, Mode(v1::CLOCK_MODE_MANUAL), 0);
  v1::World world;
  ASSERT_TRUE(client_.Pause(name, &world).ok());
  EXPECT_EQ(world.state(), v1::WORLD_STATE_PAUSED);
  EXPECT_EQ(client_.MustStep(name, 2).tick(), 2);
  ASSERT_TRUE(client_.Resume(name, &world).ok());
  EXPECT_EQ(world.state(), v1::WORLD_STATE_RUNNING);
  EXPECT_EQ(world.hosting().clock_mode(), v1::CLOCK_MODE_MANUAL);
  EXPECT_EQ(client_.MustStep(name, 2).tick(), 4);
}

TEST_F(ClockTest, ATimeScaleChangesHowOftenAWorldSteps) {
  for (const std::int64_t agents : {0, 10}) {
    const std::string name =
        Create("a" + std::to_string(agents), 100, Scale(0.01), agents);
    const steady_clock::time_point begin = steady_clock::now();
    EXPECT_TRUE(Reaches(name, 2));
    EXPECT_GE(steady_clock::now() - begin, seconds(1));

    // A hundred times as fast as it is made, or there is no end to it.
    const v1::World fast = Update(name, Scale(100));
    EXPECT_EQ(fast.hosting().time_scale(), 100.0);
    EXPECT_EQ(fast.hosting().clock_mode(), v1::CLOCK_MODE_REALTIME);
    EXPECT_TRUE(Reaches(name, fast.tick() + 1000));

    const Ticks slow_ticks(1);
    const v1::World slow = Update(name, Scale(0.01));
    MakeRoundTrips();
    EXPECT_LE(static_cast<double>(client_.MustGet(name).tick() - slow.tick()),
              slow_ticks.AtMost());
  }
}

TEST_F(ClockTest, WhatIsShownOfATimeScaleIsInEffect) {
  const std::string name = Create("a", 60, Scale(1.0004), 0);
  EXPECT_EQ(client_.MustGet(name).hosting().time_scale(), 1.0);
  EXPECT_EQ(Update(name, Scale(33.3337)).hosting().time_scale(), 33.334);
}

TEST_F(ClockTest, AnUnthrottledWorldGoesToItsTickAndStands) {
  const std::string name =
      Create("a", 60, Mode(v1::CLOCK_MODE_UNTHROTTLED, 20'000));
  EXPECT_TRUE(Reaches(name, 20'000));
  MakeRoundTrips();
  EXPECT_EQ(client_.MustGet(name).tick(), 20'000);
  EXPECT_EQ(client_.MustGet(name).slipped_ticks(), 0);

  v1::HostingConfig further;
  further.set_until_tick(20'500);
  EXPECT_EQ(Update(name, further).hosting().until_tick(), 20'500);
  EXPECT_TRUE(Reaches(name, 20'500));
  EXPECT_EQ(client_.MustGet(name).tick(), 20'500);
}

TEST_F(ClockTest, NoClockChangesABit) {
  const std::string manual = Create("manual", 60, Mode(v1::CLOCK_MODE_MANUAL));
  const std::string free =
      Create("free", 60, Mode(v1::CLOCK_MODE_MANUAL, 3'000));
  v1::HostingConfig hosting = Mode(v1::CLOCK_MODE_UNTHROTTLED);
  Update(free, hosting);
  EXPECT_TRUE(Reaches(free, 3'000));
  EXPECT_EQ(client_.MustGet(free).state_hash(),
            client_.MustStep(manual, 3'000).state_hash());
}

TEST_F(ClockTest, AModeCanBeChangedAtAnyTime) {
  const std::string name = Create("a", 1000);
  EXPECT_TRUE(Reaches(name, 3));
  const v1::World manual = Update(name, Mode(v1::CLOCK_MODE_MANUAL));
  EXPECT_EQ(client_.MustStep(name, 1).tick(), manual.tick() + 1);
  Update(name, Mode(v1::CLOCK_MODE_REALTIME));
  EXPECT_TRUE(Reaches(name, manual.tick() + 3));
}

TEST_F(ClockTest, StepsThatWaitEndWhenTheClockIsStarted) {
  const std::string name = Create("a", 60, Mode(v1::CLOCK_MODE_MANUAL), 1'000);
  std::thread stepper([&] {
    EXPECT_EQ(Explain(client_.Step(name, 1'000'000)).reason, "CLOCK_MODE");
  });
  EXPECT_TRUE(Reaches(name, 1));
  Update(name, Mode(v1::CLOCK_MODE_REALTIME));
  stepper.join();
}

TEST_F(ClockTest, HashesComeAtTicksOfTheirIntervalAndWhereAStepEnds) {
  v1::HostingConfig hosting = Mode(v1::CLOCK_MODE_MANUAL);
  hosting.set_hash_interval_ticks(4);
  const std::string name = Create("a", 60, hosting);
  const std::string twin = Create("b", 60, Mode(v1::CLOCK_MODE_MANUAL));
  Call call;
  const auto reader = client_.Watch(call.context, name);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));
  EXPECT_EQ(frame.tick(), 0);
  EXPECT_TRUE(frame.has_state_hash());
  const v1::StepWorldResponse step = client_.MustStep(name, 10);
  EXPECT_EQ(step.state_hash(), client_.MustStep(twin, 10).state_hash());
  EXPECT_EQ(client_.MustGet(name).state_hash(), step.state_hash());
  do {
    ASSERT_TRUE(reader->Read(&frame));
    EXPECT_EQ(frame.has_state_hash(),
              frame.tick() % 4 == 0 || frame.tick() == 10)
        << frame.tick();
  } while (frame.tick() < 10);
  EXPECT_EQ(frame.state_hash(), step.state_hash());
  call.context.TryCancel();

  hosting.set_hash_interval_ticks(1'000'000);
  hosting.set_clock_mode(v1::CLOCK_MODE_REALTIME);
  Update(name, hosting);
  EXPECT_TRUE(Reaches(name, 12));
  EXPECT_FALSE(client_.MustGet(name).has_state_hash());
}

TEST_F(ClockTest, AnInputDelayChoosesTheTickOfCommands) {
  v1::HostingConfig hosting = Mode(v1::CLOCK_MODE_MANUAL);
  hosting.set_input_delay_ticks(5);
  const std::string name = Create("a", 60, hosting, 0);
  const auto apply_tick = [&] {
    return client_.MustSubmit(name, {DefineWanderer(1)})
        .results(0)
        .admission()
        .apply_tick();
  };
  EXPECT_EQ(apply_tick(), 5);
  hosting.set_input_delay_ticks(2);
  Update(name, hosting);
  EXPECT_EQ(apply_tick(), 2);
}

TEST_F(ClockTest, AWorldThatNobodyUsesIsDeletedAndOthersAreNot) {
  v1::HostingConfig mortal = Mode(v1::CLOCK_MODE_MANUAL);
  mortal.mutable_idle_ttl()->set_seconds(1);
  const std::string watched = Create("watched", 60, mortal, 0);
  const std::string kept = Create("kept", 60, mortal, 0);
  v1::UpdateWorldRequest keep;  // no longer mortal
  keep.mutable_world()->set_name(kept);
  keep.mutable_update_mask()->add_paths("hosting.idle_ttl");
  ASSERT_TRUE(client_.Update(keep).ok());
  Call call;
  const auto reader = client_.Watch(call.context, watched);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));

  // The last to be used, and the first to go. A list uses nobody.
  Create("idle", 60, mortal, 0);
  const auto begin = steady_clock::now();
  v1::ListWorldsResponse list;
  EXPECT_TRUE(Until(client_, [&] {
    list = {};
    EXPECT_TRUE(client_.List({}, &list).ok());
    return list.worlds_size() < 3;
  }));
  EXPECT_GE(steady_clock::now() - begin, seconds(1));
  ASSERT_EQ(list.worlds_size(), 2);
  EXPECT_EQ(list.worlds(0).name(), kept);
  EXPECT_EQ(list.worlds(1).name(), watched);
  EXPECT_EQ(Explain(client_.Get("worlds/idle")).reason, "WORLD_NOT_FOUND");
  call.context.TryCancel();
}

// The process stands still for three seconds, as a machine that sleeps does.
TEST_F(ClockTest, TimeThatNobodyCouldServeSlipsAndIsCounted) {
  constexpr double kRate = 60;
  const std::string name = Create("a", 60);
  Call call;
  const auto reader = client_.Watch(call.context, name);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));
  while (frame.tick() < 10) ASSERT_TRUE(reader->Read(&frame));

  const Ticks all(kRate);
  const v1::World before = client_.MustGet(name);
  server_.Signal(SIGSTOP);
  std::this_thread::sleep_for(seconds(3));
  const Ticks since(kRate);
  server_.Signal(SIGCONT);
  EXPECT_TRUE(Until(client_, [&] {
    return client_.MustGet(name).slipped_ticks() >=
           before.slipped_ticks() + 160;
  }));
  const v1::World after = client_.MustGet(name);
  // Four at most beyond what the time outside of the stop brings; some more
  // for the signals' own way.
  const auto taken = static_cast<double>(after.tick() - before.tick());
  EXPECT_LE(taken, 4 + since.AtMost() + 30);
  const auto slipped =
      static_cast<double>(after.slipped_ticks() - before.slipped_ticks());
  EXPECT_LE(taken + slipped, all.AtMost());
  // A watcher is shown each tick once, and no tick that was not taken.
  std::int64_t frames = 0;
  while (frame.tick() < after.tick()) {
    const std::int64_t last = frame.tick();
    ASSERT_TRUE(reader->Read(&frame));
    EXPECT_GT(frame.tick(), last);
    ++frames;
  }
  EXPECT_LE(frames, after.tick() - 10 + 1);
  call.context.TryCancel();
}

TEST_F(ClockTest, AWorldThatCannotKeepItsRateSaysSoAndGoesOn) {
  const std::string neighbor = Create("neighbor", 60);
  const std::string heavy = Create("heavy", 1000, {}, 300'000);
  Call call;
  const auto reader = client_.Watch(call.context, neighbor);
  v1::Frame frame;
  ASSERT_TRUE(reader->Read(&frame));
  Call heavy_call;
  const auto heavy_reader = client_.Watch(heavy_call.context, heavy, 3600);

  EXPECT_TRUE(Until(client_, [&] {
    return client_.MustGet(heavy).state() == v1::WORLD_STATE_OVERLOADED;
  }));
  EXPECT_GT(client_.MustGet(heavy).slipped_ticks(), 0);
  v1::ListWorldsRequest overloaded;
  overloaded.set_filter("state = OVERLOADED AND clock_mode = REALTIME");
  v1::ListWorldsResponse list;
  EXPECT_TRUE(Until(client_, [&] {
    list = {};
    EXPECT_TRUE(client_.List(overloaded, &list).ok());
    return list.worlds_size() >= 1 && list.worlds(0).name() == heavy;
  }));

  // Nobody is disconnected, nothing is refused, the neighbor ticks.
  ExpectAdmitted(client_.MustSubmit(heavy, {DefineWanderer(2)}));
  const std::int64_t tick = frame.tick();
  while (frame.tick() < tick + 30) ASSERT_TRUE(reader->Read(&frame));
  ASSERT_TRUE(heavy_reader->Read(&frame));

  EXPECT_EQ(Update(heavy, Scale(0.01)).state(), v1::WORLD_STATE_RUNNING);
  call.context.TryCancel();
  heavy_call.context.TryCancel();
}

}  // namespace
}  // namespace meander
