// What meanderctl says and returns when something goes wrong.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/error.h"
#include "meander/rpc/v1/error_details.pb.h"
#include "tests/integration/client.h"
#include "tests/integration/ctl_shell.h"
#include "tests/integration/server_process.h"

namespace meander {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class MeanderctlFailureTest : public testing::Test {
 protected:
  const ServerProcess server;
  const CtlShell shell{server.address()};
};

TEST_F(MeanderctlFailureTest, RefusalsNameTheReasonAndTheOption) {
  const ShellResult result =
      shell.Run("meanderctl create hill --tick-rate 100000");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(Lines(result.err),
              ElementsAre("meanderctl: OUT_OF_BOUNDS: "
                          "world.simulation.tick_rate_hz: must be 1 to 1000; "
                          "it is 100000",
                          "  --tick-rate sets it"));
}

TEST_F(MeanderctlFailureTest, EachFieldAtFaultHasALineWithItsOption) {
  const ShellResult result = shell.Run(
      "meanderctl create hill --tick-rate 100000 --max-agents -1 "
      "--bounds -1:99999");
  EXPECT_EQ(result.code, 1);
  const std::vector<std::string> lines = Lines(result.err);
  ASSERT_GE(lines.size(), 4u) << result.err;
  EXPECT_THAT(lines[0], StartsWith("meanderctl: OUT_OF_BOUNDS: "));
  const auto has = [&](const std::string& field, const std::string& option) {
    return testing::Contains(AllOf(StartsWith("  world.simulation." + field),
                                   testing::EndsWith(" (" + option + ")")));
  };
  EXPECT_THAT(lines, has("tick_rate_hz: ", "--tick-rate"));
  EXPECT_THAT(lines, has("max_agents: ", "--max-agents"));
  EXPECT_THAT(lines, has("bounds.max.", "--bounds"));
}

TEST_F(MeanderctlFailureTest, FieldsOfACommandNameTheirOptionToo) {
  shell.Must("meanderctl create meadow --clock manual --plane xy");
  const ShellResult disc = shell.Run(
      "meanderctl spawn meadow --wander 2,3,8 --count 5 --disc 99999");
  EXPECT_EQ(disc.code, 1);
  EXPECT_THAT(disc.err, HasSubstr("--disc sets it"));
  const ShellResult speed = shell.Run(
      "meanderctl spawn meadow --wander 2,3,8 --at 0,0 --max-speed 1e9");
  EXPECT_EQ(speed.code, 1);
  EXPECT_THAT(speed.err, HasSubstr("(--max-speed)"));
  // All or nothing: neither has defined the archetype.
  shell.Must("meanderctl step meadow");
  EXPECT_EQ(shell.Must("meanderctl get meadow --json | jq .archetype_count"),
            "0\n");
}

TEST_F(MeanderctlFailureTest, ErrorsAreOneLineOfJsonForAProgram) {
  const ShellResult result = shell.Run(
      "meanderctl create hill --tick-rate 100000 --json 2>&1 | "
      "jq -r '.code, .reason, .field_violations[].field'");
  EXPECT_THAT(Lines(result.out),
              ElementsAre("INVALID_ARGUMENT", "OUT_OF_BOUNDS",
                          "world.simulation.tick_rate_hz"));
}

TEST_F(MeanderctlFailureTest, UsageErrorsSayWhatIsWrongAndWhereToRead) {
  const struct {
    const char* arguments;
    const char* wrong;
  } cases[] = {
      {"frob", "there is no command \"frob\""},
      {"--frob", "there is no option \"--frob\""},
      {"create", "WORLD is required"},
      {"create a b", "not expected: b"},
      {"create a --seed 1x", "--seed: \"1x\" is not a number"},
      {"create a --seed -1", "--seed: \"-1\" is no whole number of its range"},
      {"create a --tick-rate 1e3", "is no whole number"},
      {"create a --plane q", "--plane: \"q\" is not one of none|xy|xz|yz"},
      {"create a --bounds 1:2:3", "--bounds: \"1:2:3\" must be LOW:HIGH"},
      {"create a --idle-ttl 3w", "--idle-ttl: \"3w\" must be seconds"},
      {"create a --label x", "--label: \"x\" must be KEY=VALUE"},
      {"create a --like '{\"tick\": []}'", "--like: is not World as JSON"},
      {"create a --like '{} {}'", "--like: must hold one JSON object"},
      {"step a --ticks 1 --until 2", "--ticks excludes --until"},
      {"step a --ticks", "--ticks"},
      {"spawn a --at 0,0", "--archetype, --wander or --seek"},
      {"spawn a --wander 2,3,8", "--at, --disc, --box or --ball"},
      {"spawn a --wander 2,3 --at 0,0", "must be RADIUS,DISTANCE,JITTER"},
      {"spawn a --archetype 1 --max-speed 2 --at 0,0", "give it as JSON"},
      {"spawn a --archetype no/file --at 0,0", "--archetype: cannot be read"},
      {"command a", "no commands are given"},
      {"command a '{\"frob\": 1}'", "COMMAND: value 1: is not Command"},
      {"command a '{} 7'", "must hold JSON objects"},
      {"command a '[{}'", "ends within its array"},
      {"command a '{\"a'", "ends within an object"},
      {"command a --file no/file", "no/file: cannot be read"},
      {"outcomes a 5-1", "SEQUENCE: \"5-1\" must be FIRST-LAST"},
      {"agents a 1 --limit 3", "excludes"},
      {"update a", "nothing is given"},
      {"hash a --tick 0", "--tick: must be at least 1"},
      {"completion fish", "\"fish\" is not bash"},
      {"list --server ''", "--server: is empty"},
      {"list --timeout -1", "--timeout: \"-1\" must be at least 0"},
  };
  for (const auto& [arguments, wrong] : cases) {
    const ShellResult result =
        shell.Run(std::string("meanderctl ") + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_THAT(result.err, AllOf(StartsWith("meanderctl: "), HasSubstr(wrong)))
        << arguments;
  }
  EXPECT_EQ(shell.Run("meanderctl").code, 2);
  EXPECT_EQ(shell.Must("meanderctl list --json"), "");
}

TEST_F(MeanderctlFailureTest, AReaderThatHasGoneEndsItQuietly) {
  shell.Must("meanderctl create meadow --clock manual");
  shell.Must("meanderctl spawn meadow --wander 2,3,8 --count 5000 --disc 100");
  shell.Must("meanderctl step meadow");
  const ShellResult result = shell.Run(
      "meanderctl agents meadow --limit 0 | head -n 1; "
      "echo ${PIPESTATUS[0]}");
  EXPECT_THAT(Lines(result.out), ElementsAre(StartsWith("AGENT"), "141"));
  EXPECT_EQ(result.err, "");
}

TEST_F(MeanderctlFailureTest, OutputThatCannotBeWrittenIsAFailure) {
  const ShellResult result = shell.Run("meanderctl version >/dev/full");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot write"));
}

TEST_F(MeanderctlFailureTest, AWorldThatIsMissingIsNamed) {
  const ShellResult result = shell.Run("meanderctl delete nowhere");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err,
            "meanderctl: WORLD_NOT_FOUND: there is no world "
            "\"worlds/nowhere\"\n");
}

TEST(MeanderctlConnectionTest, NoServerIsCodeThreeAndSaysWhereToLook) {
  // Nothing listens on port 1.
  const CtlShell shell("127.0.0.1:1");
  const ShellResult result = shell.Run("meanderctl list --retries 1");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(
      Lines(result.err),
      ElementsAre("meanderctl: UNAVAILABLE; trying again in 0.1 s (1 of 1)",
                  StartsWith("meanderctl: UNAVAILABLE: failed to connect"),
                  "  is meanderd running there? --server or MEANDER_SERVER "
                  "says where"));
  const ShellResult quiet = shell.Run("meanderctl list --retries 1 --quiet");
  EXPECT_EQ(Lines(quiet.err).size(), 2u);
  EXPECT_EQ(shell.Run("meanderctl watch meadow").code, 3);
  EXPECT_EQ(shell.Run("meanderctl hash meadow --tick 5").code, 3);
}

// A port that takes connections and never says a word.
class SilentPort {
 public:
  SilentPort() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    sockaddr* const any = reinterpret_cast<sockaddr*>(&address);
    MEANDER_CHECK(bind(socket_, any, size) == 0 && listen(socket_, 16) == 0 &&
                  getsockname(socket_, any, &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  ~SilentPort() { close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  const int socket_;
  int port_ = 0;
};

TEST(MeanderctlConnectionTest, ATimeoutIsCodeFour) {
  const SilentPort port;
  const CtlShell shell(port.address());
  for (const char* command : {"list", "step meadow", "hash meadow --tick 5"}) {
    const ShellResult result =
        shell.Run(std::string("meanderctl --timeout 200ms ") + command);
    EXPECT_EQ(result.code, 4) << command;
    EXPECT_THAT(result.err, AllOf(StartsWith("meanderctl: DEADLINE_EXCEEDED"),
                                  HasSubstr("--timeout sets")));
  }
  EXPECT_EQ(shell.Run("meanderctl watch meadow --seconds 200ms").code, 4);
}

// Drains for the first calls, and answers then.
class DrainingService : public v1::WorldService::Service {
 public:
  grpc::Status CreateWorld(grpc::ServerContext*,
                           const v1::CreateWorldRequest* request,
                           v1::World* world) override {
    world->set_name("worlds/" + request->world_id());
    return Answer(request->request_id());
  }
  grpc::Status StepWorld(grpc::ServerContext*,
                         const v1::StepWorldRequest* request,
                         v1::StepWorldResponse*) override {
    return Answer(request->request_id());
  }
  grpc::Status DeleteWorld(grpc::ServerContext*, const v1::DeleteWorldRequest*,
                           google::protobuf::Empty*) override {
    return Answer("");
  }

  // The ids of the requests since the last time.
  std::vector<std::string> TakeIds() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ids_, {});
  }

 private:
  grpc::Status Answer(const std::string& id) {
    const std::lock_guard lock(mutex_);
    ids_.push_back(id);
    if (ids_.size() > 2) return grpc::Status::OK;
    rpc::v1::Status details;
    rpc::v1::ErrorInfo info;
    info.set_reason("DRAINING");
    rpc::v1::RetryInfo retry;
    retry.mutable_retry_delay()->set_nanos(300'000'000);
    const auto add = [&details](const char* type, const auto& detail) {
      google::protobuf::Any& any = *details.add_details();
      any.set_type_url(std::string("type.googleapis.com/google.rpc.") + type);
      detail.SerializeToString(any.mutable_value());
    };
    add("ErrorInfo", info);
    add("RetryInfo", retry);
    return {grpc::StatusCode::UNAVAILABLE, "the server is shutting down",
            details.SerializeAsString()};
  }

  std::mutex mutex_;
  std::vector<std::string> ids_;
};

class MeanderctlRetryTest : public testing::Test {
 protected:
  MeanderctlRetryTest() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port_);
    builder.RegisterService(&service);
    server_ = builder.BuildAndStart();
    shell = std::make_unique<CtlShell>("127.0.0.1:" + std::to_string(port_));
  }

  DrainingService service;
  std::unique_ptr<CtlShell> shell;

 private:
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(MeanderctlRetryTest, TriesAgainWithTheSameRequestIdAfterTheDelay) {
  for (const char* command : {"create meadow", "step meadow"}) {
    const auto start = std::chrono::steady_clock::now();
    const ShellResult result = shell->Run(std::string("meanderctl ") + command);
    EXPECT_EQ(result.code, 0);
    // Twice the delay that the server asked for.
    EXPECT_GE(std::chrono::steady_clock::now() - start,
              std::chrono::milliseconds(600));
    EXPECT_THAT(Lines(result.err),
                ElementsAre("meanderctl: DRAINING; trying again in 0.3 s (1 "
                            "of 3)",
                            "meanderctl: DRAINING; trying again in 0.3 s (2 "
                            "of 3)"));
    const std::vector<std::string> ids = service.TakeIds();
    ASSERT_EQ(ids.size(), 3u);
    EXPECT_THAT(ids[0], MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-"
                                     "[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    EXPECT_EQ(ids[1], ids[0]);
    EXPECT_EQ(ids[2], ids[0]);
  }
}

TEST_F(MeanderctlRetryTest, EachRunHasAnotherRequestIdUnlessOneIsGiven) {
  shell->Must("meanderctl create meadow");
  const std::string first = service.TakeIds()[0];
  shell->Must("meanderctl create meadow");
  EXPECT_NE(service.TakeIds()[0], first);
  shell->Must("meanderctl create meadow --request-id mine");
  EXPECT_THAT(service.TakeIds(), ElementsAre("mine", "mine", "mine"));
}

TEST_F(MeanderctlRetryTest, NeverRepeatsWhatWouldNotBeTheSame) {
  const ShellResult result = shell->Run("meanderctl delete meadow");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(service.TakeIds().size(), 1u);
  EXPECT_THAT(Lines(result.err),
              ElementsAre("meanderctl: DRAINING: the server is shutting down",
                          "  may be tried again after 0.3 s"));
}

TEST_F(MeanderctlRetryTest, EndsWhenTheTimeWouldPassFirst) {
  const ShellResult result =
      shell->Run("meanderctl create meadow --timeout 200ms");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(service.TakeIds().size(), 1u);
  EXPECT_THAT(result.err, Not(HasSubstr("trying again")));
}

}  // namespace
}  // namespace meander
