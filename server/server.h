// A whole server in one object: the composition root.
//
// Owns everything that lives as long as the server, in the order in which it
// must be made, and takes it down in the opposite one. Listening begins in
// Start; Drain ends every call and may be called from any thread, once or more
// often. Tests start servers in their own process.
#ifndef MEANDER_SERVER_SERVER_H_
#define MEANDER_SERVER_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "server/hosting/agent_budget.h"
#include "server/hosting/clock.h"
#include "server/hosting/worker_pool.h"
#include "server/hosting/world_registry.h"
#include "server/log/memory_world_log.h"
#include "server/options.h"
#include "server/service/answer_queue.h"
#include "server/service/health_board.h"
#include "server/service/open_calls.h"
#include "server/service/server_facts.h"
#include "server/stream/broadcaster.h"

namespace grpc {
class Server;
class Service;
}  // namespace grpc

namespace meander {

class Server {
 public:
  // Null, and `error` says why, when the options are wrong or the address
  // cannot be listened on.
  static std::unique_ptr<Server> Start(const Options& options,
                                       std::string& error);
  // Drains.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // host:port with the real port.
  std::string address() const { return listen_.WithPort(port_); }
  int port() const { return port_; }

  // Tells NOT_SERVING, ends every stream and waiting call with UNAVAILABLE /
  // DRAINING, and returns when all calls have ended: after
  // Options::drain_timeout at the latest they are cancelled. Connections that
  // clients leave open are not waited for.
  void Drain();

  hosting::WorldRegistry& worlds() { return worlds_; }

 private:
  explicit Server(const Options& options);
  bool Listen(std::string& error);

  const Options options_;
  const ListenAddress listen_;

  hosting::MonotonicClock clock_;
  log::MemoryWorldLog log_;
  hosting::AgentBudget agents_;
  stream::Broadcaster broadcaster_;
  service::AnswerQueue answers_;
  hosting::WorkerPool workers_;
  hosting::WorldRegistry worlds_;
  const service::ServerFacts facts_;
  service::HealthBoard health_;
  service::OpenCalls calls_;
  std::vector<std::unique_ptr<grpc::Service>> services_;
  std::unique_ptr<grpc::Server> grpc_;
  int port_ = 0;
};

}  // namespace meander

#endif  // MEANDER_SERVER_SERVER_H_
