// What the tests call a server with: stubs, and calls whose success they
// expect.
//
// Each Client has a connection of its own. Every call has a deadline that only
// a server that hangs can meet. Thread-safe as gRPC's stubs are.
#ifndef MEANDER_TESTS_INTEGRATION_CLIENT_H_
#define MEANDER_TESTS_INTEGRATION_CLIENT_H_

#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "meander/v1/command_service.grpc.pb.h"
#include "meander/v1/query_service.grpc.pb.h"
#include "meander/v1/stream_service.grpc.pb.h"
#include "meander/v1/world_service.grpc.pb.h"

namespace meander {

// The most bytes of one message from the server.
inline constexpr std::size_t kMessageLimit = 1 << 20;

// A call with its guard.
struct Call {
  Call();
  grpc::ClientContext context;
};

// A status with its details, as a client sees them.
struct Refusal {
  grpc::StatusCode code = grpc::StatusCode::OK;
  std::string message;
  std::string reason;               // ErrorInfo.reason
  std::string domain;               // ErrorInfo.domain
  std::vector<std::string> fields;  // BadRequest
  std::vector<std::string> descriptions;
  bool retry = false;  // there is a RetryInfo

  bool Names(const std::string& field) const;
};
Refusal Explain(const grpc::Status& status);
// For messages of tests.
std::string Show(const grpc::Status& status);

using WatchReader = grpc::ClientReader<v1::Frame>;

class Client {
 public:
  explicit Client(const std::string& address);

  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::WorldService::Stub> worlds;
  const std::unique_ptr<v1::CommandService::Stub> commands;
  const std::unique_ptr<v1::QueryService::Stub> queries;
  const std::unique_ptr<v1::StreamService::Stub> streams;
  const std::unique_ptr<grpc::health::v1::Health::Stub> health;

  grpc::Status Create(const v1::CreateWorldRequest& request,
                      v1::World* world = nullptr) const;
  grpc::Status Get(const std::string& name, v1::World* world = nullptr) const;
  grpc::Status List(const v1::ListWorldsRequest& request,
                    v1::ListWorldsResponse* response = nullptr) const;
  grpc::Status ListArchetypes(
      const v1::ListArchetypesRequest& request,
      v1::ListArchetypesResponse* response = nullptr) const;
  grpc::Status Update(const v1::UpdateWorldRequest& request,
                      v1::World* world = nullptr) const;
  grpc::Status Delete(const std::string& name) const;
  grpc::Status Pause(const std::string& name, v1::World* world = nullptr) const;
  grpc::Status Resume(const std::string& name,
                      v1::World* world = nullptr) const;
  grpc::Status Step(const std::string& name, std::int64_t ticks,
                    v1::StepWorldResponse* response = nullptr) const;
  grpc::Status Step(const v1::StepWorldRequest& request,
                    v1::StepWorldResponse* response = nullptr) const;
  grpc::Status Info(v1::ServerInfo* info) const;
  grpc::Status Submit(const v1::SubmitCommandsRequest& request,
                      v1::SubmitCommandsResponse* response = nullptr) const;
  grpc::Status GetAgent(const std::string& world, std::int64_t id,
                        v1::GetAgentResponse* response = nullptr) const;
  grpc::Status ListAgents(const v1::ListAgentsRequest& request,
                          v1::ListAgentsResponse* response = nullptr) const;
  std::unique_ptr<WatchReader> Watch(grpc::ClientContext& context,
                                     const std::string& world,
                                     std::int32_t interval_ticks = 0) const;

  // The same where anything but success fails the test.
  v1::World MustGet(const std::string& name) const;
  v1::StepWorldResponse MustStep(const std::string& name,
                                 std::int64_t ticks) const;
  v1::SubmitCommandsResponse MustSubmit(
      const std::string& world, const std::vector<v1::Command>& commands) const;
  // A world, by default stepped by hand. Returns its name.
  std::string MustCreate(const std::string& id, std::uint64_t seed = 0,
                         v1::ClockMode clock = v1::CLOCK_MODE_MANUAL) const;
  void MustServe() const;
};

// Commands that the tests have in common.
v1::Command DefineWanderer(std::int32_t archetype_id);
v1::Command DefineSeeker(std::int32_t archetype_id);
// So many in a disc about the origin.
v1::Command SpawnInDisc(std::int32_t archetype_id, std::int64_t count,
                        float radius = 100.0f);
// The command, for that tick.
v1::Command At(std::int64_t tick, v1::Command command);
// All are admitted; fails the test when not.
void ExpectAdmitted(const v1::SubmitCommandsResponse& response);

// Asks the server again and again, which takes a round trip each time, until
// the condition holds; false when a minute has passed.
bool Until(const Client& client, const std::function<bool()>& condition);

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_CLIENT_H_
