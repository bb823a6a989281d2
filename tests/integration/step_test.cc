// StepWorld and request ids, over the wire.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/client.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::StatusCode;

constexpr char kUuid[] = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c61";
constexpr char kOtherUuid[] = "6b8f2a9c-3d1e-4f7a-9b0c-5d2e8f4a7c62";

class StepTest : public testing::Test {
 protected:
  v1::StepWorldResponse MustStep(const v1::StepWorldRequest& request) const {
    v1::StepWorldResponse response;
    const grpc::Status status = client_.Step(request, &response);
    EXPECT_TRUE(status.ok()) << Show(status);
    return response;
  }

  std::string CreateHeavy(std::int64_t agents) const {
    const std::string name = client_.MustCreate("heavy");
    ExpectAdmitted(
        client_.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, agents)}));
    return name;
  }

  ServerProcess server_;
  Client client_{server_.address()};
};

v1::StepWorldRequest StepBy(const std::string& name, std::int64_t ticks = 0,
                            const std::string& request_id = "") {
  v1::StepWorldRequest request;
  request.set_name(name);
  request.set_ticks(ticks);
  request.set_request_id(request_id);
  return request;
}

TEST_F(StepTest, StepsGoUntilATick) {
  const std::string name = client_.MustCreate("a");
  v1::StepWorldRequest request = StepBy(name);
  request.set_until_tick(40);
  EXPECT_EQ(MustStep(request).tick(), 40);
  // It is there already, or beyond.
  const v1::StepWorldResponse again = MustStep(request);
  EXPECT_EQ(again.tick(), 40);
  EXPECT_EQ(again.state_hash(), client_.MustGet(name).state_hash());
  request.set_until_tick(7);
  EXPECT_EQ(MustStep(request).tick(), 40);
  EXPECT_EQ(client_.MustGet(name).tick(), 40);
}

TEST_F(StepTest, WhatCannotBeMeantIsRefusedByItsField) {
  const std::string name = client_.MustCreate("a");
  const auto field =
      [&](const std::function<void(v1::StepWorldRequest&)>& set) {
        v1::StepWorldRequest request = StepBy(name);
        set(request);
        const Refusal refusal = Explain(client_.Step(request));
        EXPECT_EQ(refusal.code, StatusCode::INVALID_ARGUMENT);
        EXPECT_EQ(refusal.fields.size(), 1u);
        return refusal.fields.empty() ? "" : refusal.fields[0];
      };
  EXPECT_EQ(field([](auto& r) {
              r.set_ticks(1);
              r.set_until_tick(5);
            }),
            "until_tick");
  EXPECT_EQ(field([](auto& r) { r.set_until_tick(-1); }), "until_tick");
  EXPECT_EQ(field([](auto& r) { r.set_until_tick(1'000'001); }), "until_tick");
  EXPECT_EQ(field([](auto& r) { r.set_ticks(1'000'001); }), "ticks");
  EXPECT_EQ(field([](auto& r) { r.set_ticks(-1); }), "ticks");
  EXPECT_EQ(client_.MustGet(name).tick(), 0);
}

TEST_F(StepTest, AnExpectedTickMustBeTheWorlds) {
  const std::string name = client_.MustCreate("a");
  v1::StepWorldRequest request = StepBy(name, 3);
  request.set_expected_tick(0);
  EXPECT_EQ(MustStep(request).tick(), 3);
  const Refusal refusal = Explain(client_.Step(request));
  EXPECT_EQ(refusal.code, StatusCode::ABORTED);
  EXPECT_EQ(refusal.reason, "TICK_MISMATCH");
  EXPECT_TRUE(refusal.Names("expected_tick"));
  EXPECT_NE(refusal.message.find("at tick 3"), std::string::npos);
  EXPECT_EQ(client_.MustGet(name).tick(), 3);
}

TEST_F(StepTest, OfTwoThatExpectATickOneSteps) {
  const std::string name = client_.MustCreate("a");
  for (int round = 0; round < 20; ++round) {
    v1::StepWorldRequest request = StepBy(name, 1);
    request.set_expected_tick(round);
    std::vector<grpc::Status> ends(2);
    std::vector<std::thread> threads;
    for (grpc::Status& end : ends) {
      threads.emplace_back([&] { end = client_.Step(request); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_NE(ends[0].ok(), ends[1].ok());
    EXPECT_EQ(client_.MustGet(name).tick(), round + 1);
  }
}

TEST_F(StepTest, AFrameComesAlongWhenItIsAskedForAndFits) {
  const std::string name = client_.MustCreate("a");
  // 28 bytes each; a mebibyte holds some 37,000.
  ExpectAdmitted(
      client_.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 37'000)}));
  EXPECT_FALSE(client_.MustStep(name, 1).has_frame());
  v1::StepWorldRequest request = StepBy(name, 2);
  request.set_include_frame(true);
  const v1::StepWorldResponse step = MustStep(request);
  ASSERT_TRUE(step.has_frame());
  EXPECT_FALSE(step.frame_omitted());
  EXPECT_LE(step.ByteSizeLong(), std::size_t{1} << 20);
  Call call;
  const auto reader = client_.Watch(call.context, name);
  v1::Frame watched;
  ASSERT_TRUE(reader->Read(&watched));
  EXPECT_EQ(step.frame().tick(), 3);
  EXPECT_EQ(step.frame().SerializeAsString(), watched.SerializeAsString());
  call.context.TryCancel();

  ExpectAdmitted(client_.MustSubmit(name, {SpawnInDisc(1, 500)}));
  const v1::StepWorldResponse large = MustStep(request);
  EXPECT_FALSE(large.has_frame());
  EXPECT_TRUE(large.frame_omitted());
  EXPECT_EQ(large.tick(), 5);
}

TEST_F(StepTest, AnEmptyWorldHasAFrameToo) {
  v1::StepWorldRequest request = StepBy(client_.MustCreate("a"));
  request.set_include_frame(true);
  const v1::StepWorldResponse step = MustStep(request);
  ASSERT_TRUE(step.has_frame());
  EXPECT_EQ(step.frame().tick(), 1);
  EXPECT_EQ(step.frame().state_hash(), step.state_hash());
}

TEST_F(StepTest, ARepeatedStepIsAnsweredAndStepsOnce) {
  const std::string name = client_.MustCreate("a");
  v1::StepWorldRequest request = StepBy(name, 5, kUuid);
  request.set_expected_tick(0);
  const v1::StepWorldResponse first = MustStep(request);
  EXPECT_EQ(first.tick(), 5);
  EXPECT_EQ(MustStep(request).SerializeAsString(), first.SerializeAsString());
  client_.MustStep(name, 1);
  EXPECT_EQ(MustStep(request).SerializeAsString(), first.SerializeAsString());
  EXPECT_EQ(client_.MustGet(name).tick(), 6);
  request.clear_expected_tick();
  request.set_request_id(kOtherUuid);
  EXPECT_EQ(MustStep(request).tick(), 11);
}

TEST_F(StepTest, ARepeatedStepHasItsFrameWhileTheWorldIsThere) {
  const std::string name = client_.MustCreate("a");
  v1::StepWorldRequest request = StepBy(name, 5, kUuid);
  request.set_include_frame(true);
  EXPECT_TRUE(MustStep(request).has_frame());
  client_.MustStep(name, 1);
  const v1::StepWorldResponse late = MustStep(request);
  EXPECT_EQ(late.tick(), 5);
  EXPECT_FALSE(late.has_frame());
  EXPECT_TRUE(late.frame_omitted());
}

TEST_F(StepTest, ARetryAfterALostAnswerGoesOnToTheSameTick) {
  const std::string name = CreateHeavy(2'000);
  const v1::StepWorldRequest request = StepBy(name, 20'000, kUuid);
  Call call;
  std::thread lost([&] {
    v1::StepWorldResponse response;
    EXPECT_EQ(client_.worlds->StepWorld(&call.context, request, &response)
                  .error_code(),
              StatusCode::CANCELLED);
  });
  EXPECT_TRUE(Until(client_, [&] { return client_.MustGet(name).tick() > 0; }));
  call.context.TryCancel();
  lost.join();
  const v1::StepWorldResponse retried = MustStep(request);
  EXPECT_EQ(retried.tick(), 20'000);
  EXPECT_EQ(client_.MustGet(name).tick(), 20'000);
}

TEST_F(StepTest, AnIdOfAnotherStepIsRefused) {
  const std::string name = client_.MustCreate("a");
  MustStep(StepBy(name, 5, kUuid));
  const Refusal refusal = Explain(client_.Step(StepBy(name, 6, kUuid)));
  EXPECT_EQ(refusal.code, StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(refusal.reason, "REQUEST_ID_REUSED");
  EXPECT_TRUE(refusal.Names("request_id"));
  EXPECT_EQ(client_.MustGet(name).tick(), 5);
  // Each world has ids of its own, and so has each method.
  const std::string other = client_.MustCreate("b");
  EXPECT_EQ(MustStep(StepBy(other, 6, kUuid)).tick(), 6);
}

TEST_F(StepTest, EqualStepsAtOnceAreOne) {
  const std::string name = CreateHeavy(1'000);
  const v1::StepWorldRequest request = StepBy(name, 500, kUuid);
  std::set<std::string> answers;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const std::string answer = MustStep(request).SerializeAsString();
      const std::lock_guard lock(mutex);
      answers.insert(answer);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers.size(), 1u);
  EXPECT_EQ(client_.MustGet(name).tick(), 500);
}

v1::CreateWorldRequest CreateOnce(const std::string& id) {
  v1::CreateWorldRequest request;
  request.set_world_id(id);
  request.set_request_id(kUuid);
  request.mutable_world()->mutable_hosting()->set_clock_mode(
      v1::CLOCK_MODE_MANUAL);
  return request;
}

TEST_F(StepTest, ARepeatedCreationIsAnsweredAndMakesOneWorld) {
  v1::World first;
  ASSERT_TRUE(client_.Create(CreateOnce("a"), &first).ok());
  client_.MustStep("worlds/a", 3);
  v1::World again;
  ASSERT_TRUE(client_.Create(CreateOnce("a"), &again).ok());
  EXPECT_EQ(again.DebugString(), first.DebugString());
  EXPECT_EQ(client_.MustGet("worlds/a").uid(), first.uid());
  EXPECT_EQ(client_.MustGet("worlds/a").tick(), 3);
  // Also when it has been deleted meanwhile.
  ASSERT_TRUE(client_.Delete("worlds/a").ok());
  ASSERT_TRUE(client_.Create(CreateOnce("a"), &again).ok());
  EXPECT_EQ(again.DebugString(), first.DebugString());
  EXPECT_EQ(client_.Get("worlds/a").error_code(), StatusCode::NOT_FOUND);
}

TEST_F(StepTest, AnIdOfAnotherCreationIsRefused) {
  ASSERT_TRUE(client_.Create(CreateOnce("a")).ok());
  const Refusal refusal = Explain(client_.Create(CreateOnce("b")));
  EXPECT_EQ(refusal.code, StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(refusal.reason, "REQUEST_ID_REUSED");
  EXPECT_EQ(client_.Get("worlds/b").error_code(), StatusCode::NOT_FOUND);
}

TEST_F(StepTest, AFailureIsNotKept) {
  client_.MustCreate("a");
  EXPECT_EQ(Explain(client_.Create(CreateOnce("a"))).reason, "WORLD_EXISTS");
  ASSERT_TRUE(client_.Delete("worlds/a").ok());
  EXPECT_TRUE(client_.Create(CreateOnce("a")).ok());
}

TEST_F(StepTest, EqualCreationsAtOnceMakeOneWorld) {
  std::set<std::string> uids;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const Client client(server_.address());
      v1::World world;
      const grpc::Status status = client.Create(CreateOnce("a"), &world);
      EXPECT_TRUE(status.ok()) << Show(status);
      const std::lock_guard lock(mutex);
      uids.insert(world.uid());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(uids, std::set<std::string>{client_.MustGet("worlds/a").uid()});
  v1::ListWorldsResponse list;
  ASSERT_TRUE(client_.List({}, &list).ok());
  EXPECT_EQ(list.worlds_size(), 1);
}

}  // namespace
}  // namespace meander
