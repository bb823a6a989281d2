// How a server starts, and how it ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/simd/simd_target.h"
#include "tests/integration/client.h"
#include "tests/integration/scoped_variable.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using grpc::StatusCode;
using grpc::health::v1::HealthCheckResponse;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

void ExpectDraining(const grpc::Status& status) {
  const Refusal refusal = Explain(status);
  EXPECT_EQ(refusal.code, StatusCode::UNAVAILABLE) << refusal.message;
  EXPECT_EQ(refusal.reason, "DRAINING");
  EXPECT_TRUE(refusal.retry);
}

TEST(LifecycleTest, ASecondServerOnThePortFailsAndSaysWhy) {
  ServerProcess server;
  const std::string port_file = TemporaryPath("second");
  const Outcome second(
      {"--listen=" + server.address(), "--port_file=" + port_file});
  EXPECT_EQ(second.code, 1);
  EXPECT_NE(second.errors.find("cannot listen on " + server.address() +
                               ": Address already in use"),
            std::string::npos)
      << second.errors;
  EXPECT_FALSE(std::ifstream(port_file).good());
  Client(server.address()).MustServe();
}

TEST(LifecycleTest, SigtermEndsEveryStreamWithDraining) {
  ServerProcess server;
  const Client client(server.address());
  const std::string name = client.MustCreate("a");
  constexpr std::size_t kStreams = 100;
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<std::unique_ptr<WatchReader>> readers;
  for (std::size_t i = 0; i < kStreams; ++i) {
    calls.push_back(std::make_unique<Call>());
    readers.push_back(client.Watch(calls.back()->context, name));
  }
  for (const auto& reader : readers) {
    v1::Frame frame;
    ASSERT_TRUE(reader->Read(&frame));
  }
  Call health_call;
  const auto health = client.health->Watch(&health_call.context, {});
  HealthCheckResponse response;
  ASSERT_TRUE(health->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);

  server.Signal(SIGTERM);
  for (const auto& reader : readers) {
    v1::Frame frame;
    EXPECT_FALSE(reader->Read(&frame));
    ExpectDraining(reader->Finish());
  }
  ASSERT_TRUE(health->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(health->Read(&response));
  ExpectDraining(health->Finish());
  EXPECT_EQ(server.Wait(), 0);
}

TEST(LifecycleTest, SigtermEndsAStepThatIsUnderWay) {
  ServerProcess server;
  const Client client(server.address());
  const std::string name = client.MustCreate("a");
  ExpectAdmitted(
      client.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 50'000)}));
  client.MustStep(name, 1);
  grpc::Status status;
  std::thread stepper([&] { status = client.Step(name, 1'000'000); });
  EXPECT_TRUE(Until(client, [&] { return client.MustGet(name).tick() > 1; }));
  server.Signal(SIGTERM);
  stepper.join();
  ExpectDraining(status);
  EXPECT_EQ(server.Wait(), 0);
}

// So many on one place have 10^11 pairs, which nobody waits for.
TEST(LifecycleTest, SigtermEndsATickThatWouldTakeMinutesBesideLightOnes) {
  constexpr std::int64_t kThrong = 400'000;
  ServerProcess server;
  const Client client(server.address());
  const std::string light =
      client.MustCreate("light", 1, v1::CLOCK_MODE_REALTIME);
  ExpectAdmitted(
      client.MustSubmit(light, {DefineWanderer(1), SpawnInDisc(1, 10)}));
  v1::CreateWorldRequest create;
  create.set_world_id("throng");
  create.mutable_world()->mutable_simulation()->set_max_agents(kThrong);
  create.mutable_world()->mutable_hosting()->set_clock_mode(
      v1::CLOCK_MODE_MANUAL);
  ASSERT_TRUE(client.Create(create).ok());
  v1::Command define;
  v1::Archetype& archetype =
      *define.mutable_define_archetype()->mutable_archetype();
  archetype.set_id(1);
  archetype.set_max_speed(6.0f);
  archetype.set_max_force(12.0f);
  archetype.add_terms()
      ->mutable_separation()
      ->mutable_neighborhood()
      ->set_radius(5.0f);
  ExpectAdmitted(client.MustSubmit("worlds/throng",
                                   {define, SpawnInDisc(1, kThrong, 0.001f)}));
  grpc::Status status;
  std::thread stepper([&] { status = client.Step("worlds/throng", 1); });
  const std::int64_t tick = client.MustGet(light).tick();
  EXPECT_TRUE(
      Until(client, [&] { return client.MustGet(light).tick() > tick + 30; }));
  EXPECT_EQ(client.MustGet("worlds/throng").tick(), 0);
  server.Signal(SIGTERM);
  stepper.join();
  ExpectDraining(status);
  EXPECT_EQ(server.Wait(), 0);
}

TEST(LifecycleTest, SigintEndsAServerToo) {
  ServerProcess server;
  Client(server.address()).MustServe();
  server.Signal(SIGINT);
  EXPECT_EQ(server.Wait(), 0);
}

// A watcher that reads nothing: the first part of its frame does not fit into
// what its connection takes unread, which gRPC would otherwise raise on a fast
// line, so its call cannot end in good order.
class StalledWatcher {
 public:
  explicit StalledWatcher(const std::string& address) {
    const Client client(address);
    const std::string name = client.MustCreate("stalled");
    ExpectAdmitted(
        client.MustSubmit(name, {DefineWanderer(1), SpawnInDisc(1, 100'000)}));
    client.MustStep(name, 1);
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    v1::WatchWorldRequest request;
    request.set_world(name);
    reader_ = v1::StreamService::NewStub(
                  grpc::CreateCustomChannel(
                      address, grpc::InsecureChannelCredentials(), arguments))
                  ->WatchWorld(&context_, request);
    reader_->WaitForInitialMetadata();  // It comes with the first write.
  }
  ~StalledWatcher() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<WatchReader> reader_;
};

TEST(LifecycleTest, WhatDoesNotDrainIsCancelledWhenTheTimeIsOver) {
  ServerProcess server({"--drain_timeout=100ms"});
  const StalledWatcher stalled(server.address());
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

TEST(LifecycleTest, AServerThatDrainsIsNotHealthy) {
  ServerProcess server({"--drain_timeout=1h"});
  {
    const StalledWatcher stalled(server.address());
    const Client client(server.address());
    Call call;
    const auto health = client.health->Watch(&call.context, {});
    HealthCheckResponse response;
    ASSERT_TRUE(health->Read(&response));
    server.Signal(SIGTERM);
    ASSERT_TRUE(health->Read(&response));  // It drains now.
    const Outcome asked({"--healthcheck", "--listen=" + server.address()});
    EXPECT_EQ(asked.code, 1);
    EXPECT_NE(asked.errors.find("NOT_SERVING"), std::string::npos)
        << asked.errors;
  }
  EXPECT_EQ(server.Wait(), 0);
}

TEST(LifecycleTest, ASecondSignalEndsTheServerAtOnce) {
  Process process({ServerPath(), "--listen=127.0.0.1:0", "--drain_timeout=1h"});
  const std::string line = process.ReadLine();
  const std::size_t begin = line.find("127.0.0.1:");
  const StalledWatcher stalled(
      line.substr(begin, line.find(' ', begin) - begin));
  process.Signal(SIGTERM);
  EXPECT_NE(process.ReadLine().find("drains"), std::string::npos);
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait(), 128 + SIGTERM);
}

// A connection on which nothing is said, not even that it is one.
class SilentConnection {
 public:
  explicit SilentConnection(const std::string& address)
      : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(
        std::stoi(address.substr(address.rfind(':') + 1))));
    EXPECT_EQ(
        connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)),
        0);
  }
  ~SilentConnection() { close(socket_); }

 private:
  const int socket_;
};

// That it ends in good order; how soon is a matter of time, and no test's.
TEST(LifecycleTest, ConnectionsWithoutCallsKeepNoServerFromEnding) {
  ServerProcess server({"--drain_timeout=1h"});
  const Client client(server.address());
  client.MustServe();  // Its channel stays open.
  const SilentConnection silent(server.address());
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

TEST(LifecycleTest, HelpAndVersionAreNoFailure) {
  const Outcome help({"--help"});
  EXPECT_EQ(help.code, 0);
  const Outcome version({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_NE(version.output.find("simulation version"), std::string::npos);
}

TEST(LifecycleTest, TheVersionTellsWhichKernelsRunOfWhich) {
  const std::string all = core::RunnableSimdTargets();
  for (const core::SimdTarget target : core::kSimdTargets) {
    if (!core::CanRun(target)) continue;
    const std::string name(core::NameOf(target));
    const ScopedVariable forced("MEANDER_SIMD", name);
    EXPECT_THAT(Outcome({"--version"}).output,
                MatchesRegex("meanderd [0-9.]+, simulation version [0-9]+, "
                             "kernels " +
                             name + " \\(of " + all + "\\)\n"));
  }
  const ScopedVariable none("MEANDER_SIMD", "");
  const std::string best(core::NameOf(core::BestSimdTarget()));
  EXPECT_THAT(Outcome({"--version"}).output,
              HasSubstr("kernels " + best + " (of " + all + ")"));
}

TEST(LifecycleTest, KernelsThatThereAreNotAreRefusedAtTheStart) {
  std::vector<std::string> names = {"fastest", "SCALAR", "scalar ", "scalar,"};
  for (const core::SimdTarget target : core::kSimdTargets) {
    if (!core::CanRun(target)) names.emplace_back(core::NameOf(target));
  }
  for (const std::string& name : names) {
    const ScopedVariable forced("MEANDER_SIMD", name);
    for (const char* flag : {"--listen=127.0.0.1:0", "--version"}) {
      const Outcome run({flag});
      EXPECT_EQ(run.code, 1) << name;
      EXPECT_EQ(run.output, "") << name;
      EXPECT_THAT(run.errors,
                  AllOf(HasSubstr("MEANDER_SIMD"), HasSubstr('"' + name + '"'),
                        HasSubstr(core::RunnableSimdTargets())));
    }
    const Outcome help({"--help"});
    EXPECT_EQ(help.code, 0) << name;
  }
}

struct BadFlags {
  std::vector<std::string> flags;
  std::string said;
};

TEST(LifecycleTest, WrongFlagsAreRefusedByName) {
  const BadFlags cases[] = {
      {{"--listen=0.0.0.0:0"}, "--insecure"},
      {{"--listen=127.0.0.1"}, "--listen"},
      {{"--listen=127.0.0.1:99999"}, "--listen"},
      {{"--max_worlds=0"}, "--max_worlds"},
      {{"--max_worlds=many"}, "max_worlds"},
      {{"--max_step_ticks=-1"}, "--max_step_ticks"},
      {{"--no_such_flag=1"}, "no_such_flag"},
      {{"worlds"}, "worlds"},
      {{"--listen=127.0.0.1:0", "--port_file=/nowhere/at/all"}, "--port_file"},
      {{"--listen=no.such.host.invalid:0", "--insecure"}, "cannot listen"},
  };
  for (const BadFlags& bad : cases) {
    const Outcome run(bad.flags);
    EXPECT_EQ(run.code, 1) << bad.said;
    EXPECT_NE(run.errors.find(bad.said), std::string::npos) << run.errors;
  }
}

TEST(LifecycleTest, APlaintextServerBeyondLoopbackIsTheCallersWish) {
  const Outcome refused({"--listen=0.0.0.0:0"});
  EXPECT_NE(refused.errors.find("TLS"), std::string::npos) << refused.errors;
  Process process({ServerPath(), "--listen=0.0.0.0:0", "--insecure"});
  EXPECT_NE(process.ReadLine().find("0.0.0.0:"), std::string::npos);
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait(), 0);
}

}  // namespace
}  // namespace meander
