// meanderd --healthcheck, as an image or a supervisor runs it.

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/server_process.h"

namespace meander {
namespace {

Outcome Ask(const std::string& listen) {
  return Outcome({"--healthcheck", "--listen=" + listen});
}

void ExpectUnhealthy(const Outcome& asked, const std::string& reason) {
  EXPECT_EQ(asked.code, 1);
  EXPECT_NE(asked.errors.find(reason), std::string::npos) << asked.errors;
}

TEST(HealthcheckTest, AServerThatServesIsHealthy) {
  const ServerProcess server;
  const Outcome asked = Ask(server.address());
  EXPECT_EQ(asked.code, 0) << asked.errors;
  EXPECT_EQ(asked.output, "meanderd serves\n");
}

TEST(HealthcheckTest, WhereNothingListensIsUnhealthy) {
  ServerProcess server;
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
  ExpectUnhealthy(Ask(server.address()),
                  server.address() + " does not answer: ");
}

// The only test that waits for the whole time.
TEST(HealthcheckTest, AServerThatHangsIsUnhealthyInTime) {
  const ServerProcess server;
  server.Signal(SIGSTOP);
  ExpectUnhealthy(Ask(server.address()), "does not answer within 3000 ms");
  server.Signal(SIGCONT);
}

TEST(HealthcheckTest, AsksTheServerOfTheSameFlags) {
  for (const char* listen :
       {"127.0.0.1:0", "localhost:0", "[::1]:0", "0.0.0.0:0", "[::]:0"}) {
    const std::vector<std::string> flags = {
        std::string("--listen=") + listen, "--insecure",
        "--port_file=" + TemporaryPath("port")};
    std::vector<std::string> server_argv = {ServerPath()};
    std::vector<std::string> ask = {"--healthcheck"};
    server_argv.insert(server_argv.end(), flags.begin(), flags.end());
    ask.insert(ask.end(), flags.begin(), flags.end());

    Process server(server_argv);
    EXPECT_NE(server.ReadLine().find("listens"), std::string::npos) << listen;
    const Outcome asked(ask);
    EXPECT_EQ(asked.code, 0) << listen << ": " << asked.errors;
    server.Signal(SIGTERM);
    EXPECT_EQ(server.Wait(), 0);
  }
}

TEST(HealthcheckTest, AllInterfacesAreAskedThroughLoopback) {
  ServerProcess server;
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
  const std::string port = server.address().substr(server.address().rfind(':'));
  ExpectUnhealthy(Ask("0.0.0.0" + port), "127.0.0.1" + port);
  ExpectUnhealthy(Ask("[::]" + port), "127.0.0.1" + port);
}

TEST(HealthcheckTest, AsksAnOpenServerWithoutInsecure) {
  Process server({ServerPath(), "--listen=0.0.0.0:0", "--insecure"});
  const std::string line = server.ReadLine();
  const std::size_t begin = line.find("0.0.0.0:");
  ASSERT_NE(begin, std::string::npos) << line;
  const Outcome asked = Ask(line.substr(begin, line.find(' ', begin) - begin));
  EXPECT_EQ(asked.code, 0) << asked.errors;
}

TEST(HealthcheckTest, APortThatNobodyTellsIsNamed) {
  ExpectUnhealthy(Ask("127.0.0.1:0"), "needs --port_file");
  const std::string path = TemporaryPath("port");
  const std::vector<std::string> ask = {"--healthcheck", "--listen=127.0.0.1:0",
                                        "--port_file=" + path};
  const std::string reason = "--port_file=" + path + " holds no port";
  ExpectUnhealthy(Outcome(ask), reason);
  for (const char* text : {"", "none", "0", "65536", "99999999999", "-1"}) {
    std::ofstream(path) << text << '\n';
    ExpectUnhealthy(Outcome(ask), reason);
  }
  std::remove(path.c_str());
}

TEST(HealthcheckTest, NoProxyIsAskedInstead) {
  const ServerProcess server;
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  setenv("grpc_proxy", "http://127.0.0.1:1", 1);
  const Outcome asked = Ask(server.address());
  unsetenv("http_proxy");
  unsetenv("grpc_proxy");
  EXPECT_EQ(asked.code, 0) << asked.errors;
}

TEST(HealthcheckTest, WrongFlagsAreRefusedByName) {
  ExpectUnhealthy(Ask("127.0.0.1"), "--listen");
}

}  // namespace
}  // namespace meander
