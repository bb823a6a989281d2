// A server in the test's own process, so that its counters can be read.
#ifndef MEANDER_TESTS_INTEGRATION_SERVER_HERE_H_
#define MEANDER_TESTS_INTEGRATION_SERVER_HERE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "server/server.h"

namespace meander {

inline std::unique_ptr<Server> StartServer() {
  Options options;
  options.listen = "127.0.0.1:0";
  std::string error;
  auto server = Server::Start(options, error);
  EXPECT_NE(server, nullptr) << error;
  MEANDER_CHECK(server != nullptr);
  return server;
}

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_SERVER_HERE_H_
