#include "server/service/unary.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "meander/v1/world_service.grpc.pb.h"
#include "server/service/answer_queue.h"

namespace meander::service {
namespace {

using Handler =
    std::function<void(const v1::GetWorldRequest&, Responder<v1::World>)>;

class OneMethod final : public v1::WorldService::WithRawCallbackMethod_GetWorld<
                            v1::WorldService::Service> {
 public:
  explicit OneMethod(Handler handler) : handler_(std::move(handler)) {}

 private:
  grpc::ServerUnaryReactor* GetWorld(grpc::CallbackServerContext* /*context*/,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override {
    return ServeUnary<v1::GetWorldRequest, v1::World>(calls_, request, response,
                                                      handler_);
  }

  OpenCalls calls_;
  const Handler handler_;
};

// One method behind a real server, in this process.
class Served {
 public:
  explicit Served(Handler handler) : service_(std::move(handler)) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    stub_ = v1::WorldService::NewStub(server_->InProcessChannel({}));
  }

  grpc::Status Get(const std::string& name, v1::World& world) {
    grpc::ClientContext context;
    v1::GetWorldRequest request;
    request.set_name(name);
    return stub_->GetWorld(&context, request, &world);
  }
  v1::WorldService::Stub& stub() { return *stub_; }

 private:
  OneMethod service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::WorldService::Stub> stub_;
};

v1::World Named(const std::string& name) {
  v1::World world;
  world.set_name(name);
  return world;
}

TEST(UnaryTest, AnswersAtOnce) {
  Served served([](const auto& request, const auto& responder) {
    responder.Answer(Named(request.name()));
  });
  v1::World world;
  EXPECT_TRUE(served.Get("x", world).ok());
  EXPECT_EQ(world.name(), "x");
}

TEST(UnaryTest, AnswersWithAnEmptyMessage) {
  Served served([](const auto& /*request*/, const auto& responder) {
    responder.Answer({});
  });
  v1::World world;
  EXPECT_TRUE(served.Get("x", world).ok());
}

TEST(UnaryTest, AnswersLaterFromAnotherThread) {
  std::thread answering;
  Served served([&](const auto& request, auto responder) {
    answering = std::thread(
        [responder, name = request.name()] { responder.Answer(Named(name)); });
  });
  v1::World world;
  EXPECT_TRUE(served.Get("later", world).ok());
  EXPECT_EQ(world.name(), "later");
  answering.join();
}

TEST(UnaryTest, TheFirstAnswerCounts) {
  Served served([](const auto& /*request*/, const auto& responder) {
    responder.Fail(core::Error{core::ErrorCode::kWorldExists, "name", "first"});
    responder.Answer(Named("second"));
    responder.Fail(core::Error{core::ErrorCode::kDraining, "", "third"});
  });
  v1::World world;
  const grpc::Status status = served.Get("x", world);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(status.error_message(), "name: first");
}

TEST(UnaryTest, ACallThatNobodyAnswersIsFinished) {
  Served served([](const auto& /*request*/, const auto& /*responder*/) {});
  v1::World world;
  EXPECT_EQ(served.Get("x", world).error_code(), grpc::StatusCode::INTERNAL);
}

TEST(UnaryTest, ACallerThatHasGoneStopsTheToken) {
  std::optional<Responder<v1::World>> waiting;
  std::promise<void> arrived;
  std::promise<void> stopped;
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
  Served served([&](const auto& /*request*/, auto responder) {
    waiting = responder;
    on_stop.emplace(responder.stop(), [&] { stopped.set_value(); });
    arrived.set_value();
  });
  grpc::ClientContext context;
  std::thread caller([&] {
    v1::World world;
    EXPECT_EQ(served.stub().GetWorld(&context, {}, &world).error_code(),
              grpc::StatusCode::CANCELLED);
  });
  arrived.get_future().wait();
  context.TryCancel();
  stopped.get_future().wait();
  caller.join();
  waiting->Answer({});
}

TEST(AnswerQueueTest, AnswersTheAskingThreadAtOnce) {
  AnswerQueue queue;
  std::thread::id answered;
  const auto callback =
      queue.OffWorker<core::Result<int>>([&](const core::Result<int>& result) {
        EXPECT_EQ(*result, 7);
        answered = std::this_thread::get_id();
      });
  callback(7);
  EXPECT_EQ(answered, std::this_thread::get_id());
}

TEST(AnswerQueueTest, TakesAnswersOffOtherThreads) {
  AnswerQueue queue;
  std::promise<std::thread::id> answered;
  std::thread::id worker_id;
  const auto callback =
      queue.OffWorker<core::Result<int>>([&](const core::Result<int>& result) {
        EXPECT_FALSE(result.ok());
        answered.set_value(std::this_thread::get_id());
      });
  std::thread worker([&] {
    worker_id = std::this_thread::get_id();
    callback(core::Error{core::ErrorCode::kDraining, "", "bye"});
  });
  const std::thread::id answering = answered.get_future().get();
  worker.join();
  EXPECT_NE(answering, worker_id);
  EXPECT_NE(answering, std::this_thread::get_id());
}

}  // namespace
}  // namespace meander::service
