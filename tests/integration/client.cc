#include "tests/integration/client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "meander/rpc/v1/error_details.pb.h"

namespace meander {
namespace {

// Far more than any call takes, also under a sanitizer on a busy machine.
constexpr std::chrono::seconds kGuard{60};

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

template <typename Message>
Message& OrScratch(Message* message, Message& scratch) {
  return message != nullptr ? *message : scratch;
}

}  // namespace

Call::Call() {
  context.set_deadline(std::chrono::system_clock::now() + kGuard);
}

bool Refusal::Names(const std::string& field) const {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

Refusal Explain(const grpc::Status& status) {
  Refusal out;
  out.code = status.error_code();
  out.message = status.error_message();
  rpc::v1::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  for (const auto& any : details.details()) {
    rpc::v1::ErrorInfo info;
    rpc::v1::BadRequest bad;
    if (any.type_url().ends_with("/google.rpc.ErrorInfo") &&
        info.ParseFromString(any.value())) {
      out.reason = info.reason();
      out.domain = info.domain();
    } else if (any.type_url().ends_with("/google.rpc.BadRequest") &&
               bad.ParseFromString(any.value())) {
      for (const auto& violation : bad.field_violations()) {
        out.fields.push_back(violation.field());
        out.descriptions.push_back(violation.description());
      }
    } else if (any.type_url().ends_with("/google.rpc.RetryInfo")) {
      out.retry = true;
    } else {
      ADD_FAILURE() << "unknown detail " << any.type_url();
    }
  }
  return out;
}

std::string Show(const grpc::Status& status) {
  return "code " + std::to_string(status.error_code()) + ": " +
         status.error_message();
}

Client::Client(const std::string& address)
    : channel(Connect(address)),
      worlds(v1::WorldService::NewStub(channel)),
      commands(v1::CommandService::NewStub(channel)),
      queries(v1::QueryService::NewStub(channel)),
      streams(v1::StreamService::NewStub(channel)),
      health(grpc::health::v1::Health::NewStub(channel)) {}

grpc::Status Client::Create(const v1::CreateWorldRequest& request,
                            v1::World* world) const {
  Call call;
  v1::World scratch;
  return worlds->CreateWorld(&call.context, request,
                             &OrScratch(world, scratch));
}

grpc::Status Client::Get(const std::string& name, v1::World* world) const {
  Call call;
  v1::World scratch;
  v1::GetWorldRequest request;
  request.set_name(name);
  return worlds->GetWorld(&call.context, request, &OrScratch(world, scratch));
}

grpc::Status Client::List(const v1::ListWorldsRequest& request,
                          v1::ListWorldsResponse* response) const {
  Call call;
  v1::ListWorldsResponse scratch;
  return worlds->ListWorlds(&call.context, request,
                            &OrScratch(response, scratch));
}

grpc::Status Client::ListArchetypes(
    const v1::ListArchetypesRequest& request,
    v1::ListArchetypesResponse* response) const {
  Call call;
  v1::ListArchetypesResponse scratch;
  return worlds->ListArchetypes(&call.context, request,
                                &OrScratch(response, scratch));
}

grpc::Status Client::Update(const v1::UpdateWorldRequest& request,
                            v1::World* world) const {
  Call call;
  v1::World scratch;
  return worlds->UpdateWorld(&call.context, request,
                             &OrScratch(world, scratch));
}

grpc::Status Client::Pause(const std::string& name, v1::World* world) const {
  Call call;
  v1::World scratch;
  v1::PauseWorldRequest request;
  request.set_name(name);
  return worlds->PauseWorld(&call.context, request, &OrScratch(world, scratch));
}

grpc::Status Client::Resume(const std::string& name, v1::World* world) const {
  Call call;
  v1::World scratch;
  v1::ResumeWorldRequest request;
  request.set_name(name);
  return worlds->ResumeWorld(&call.context, request,
                             &OrScratch(world, scratch));
}

grpc::Status Client::Info(v1::ServerInfo* info) const {
  Call call;
  return worlds->GetServerInfo(&call.context, {}, info);
}

grpc::Status Client::Delete(const std::string& name) const {
  Call call;
  google::protobuf::Empty empty;
  v1::DeleteWorldRequest request;
  request.set_name(name);
  return worlds->DeleteWorld(&call.context, request, &empty);
}

grpc::Status Client::Step(const std::string& name, std::int64_t ticks,
                          v1::StepWorldResponse* response) const {
  v1::StepWorldRequest request;
  request.set_name(name);
  request.set_ticks(ticks);
  return Step(request, response);
}

grpc::Status Client::Step(const v1::StepWorldRequest& request,
                          v1::StepWorldResponse* response) const {
  Call call;
  v1::StepWorldResponse scratch;
  return worlds->StepWorld(&call.context, request,
                           &OrScratch(response, scratch));
}

grpc::Status Client::Submit(const v1::SubmitCommandsRequest& request,
                            v1::SubmitCommandsResponse* response) const {
  Call call;
  v1::SubmitCommandsResponse scratch;
  return commands->SubmitCommands(&call.context, request,
                                  &OrScratch(response, scratch));
}

grpc::Status Client::GetAgent(const std::string& world, std::int64_t id,
                              v1::GetAgentResponse* response) const {
  Call call;
  v1::GetAgentResponse scratch;
  v1::GetAgentRequest request;
  request.set_world(world);
  request.set_agent_id(id);
  return queries->GetAgent(&call.context, request,
                           &OrScratch(response, scratch));
}

grpc::Status Client::ListAgents(const v1::ListAgentsRequest& request,
                                v1::ListAgentsResponse* response) const {
  Call call;
  v1::ListAgentsResponse scratch;
  return queries->ListAgents(&call.context, request,
                             &OrScratch(response, scratch));
}

std::unique_ptr<WatchReader> Client::Watch(grpc::ClientContext& context,
                                           const std::string& world,
                                           std::int32_t interval_ticks) const {
  v1::WatchWorldRequest request;
  request.set_world(world);
  request.set_interval_ticks(interval_ticks);
  return streams->WatchWorld(&context, request);
}

v1::World Client::MustGet(const std::string& name) const {
  v1::World world;
  const grpc::Status status = Get(name, &world);
  EXPECT_TRUE(status.ok()) << Show(status);
  return world;
}

v1::StepWorldResponse Client::MustStep(const std::string& name,
                                       std::int64_t ticks) const {
  v1::StepWorldResponse response;
  const grpc::Status status = Step(name, ticks, &response);
  EXPECT_TRUE(status.ok()) << Show(status);
  return response;
}

v1::SubmitCommandsResponse Client::MustSubmit(
    const std::string& world, const std::vector<v1::Command>& list) const {
  v1::SubmitCommandsRequest request;
  request.set_world(world);
  for (const v1::Command& command : list) *request.add_commands() = command;
  v1::SubmitCommandsResponse response;
  const grpc::Status status = Submit(request, &response);
  EXPECT_TRUE(status.ok()) << Show(status);
  EXPECT_EQ(response.results_size(), static_cast<int>(list.size()));
  return response;
}

std::string Client::MustCreate(const std::string& id, std::uint64_t seed,
                               v1::ClockMode clock) const {
  v1::CreateWorldRequest request;
  request.set_world_id(id);
  request.mutable_world()->mutable_simulation()->set_seed(seed);
  request.mutable_world()->mutable_hosting()->set_clock_mode(clock);
  const grpc::Status status = Create(request);
  EXPECT_TRUE(status.ok()) << Show(status);
  return "worlds/" + id;
}

void Client::MustServe() const {
  Call call;
  grpc::health::v1::HealthCheckResponse response;
  const grpc::Status status = health->Check(&call.context, {}, &response);
  EXPECT_TRUE(status.ok()) << Show(status);
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
}

v1::Command DefineWanderer(std::int32_t archetype_id) {
  v1::Command command;
  auto& archetype = *command.mutable_define_archetype()->mutable_archetype();
  archetype.set_id(archetype_id);
  archetype.set_max_speed(5.0f);
  archetype.set_max_force(10.0f);
  auto& wander = *archetype.add_terms()->mutable_wander_world_angle();
  wander.set_radius(1.0f);
  wander.set_distance(2.0f);
  wander.set_jitter(6.0f);
  return command;
}

v1::Command DefineSeeker(std::int32_t archetype_id) {
  v1::Command command;
  auto& archetype = *command.mutable_define_archetype()->mutable_archetype();
  archetype.set_id(archetype_id);
  archetype.set_max_speed(5.0f);
  archetype.set_max_force(10.0f);
  archetype.add_terms()->mutable_seek()->set_slot(0);
  return command;
}

v1::Command SpawnInDisc(std::int32_t archetype_id, std::int64_t count,
                        float radius) {
  v1::Command command;
  auto& area = *command.mutable_spawn_agents()->mutable_area();
  area.set_count(count);
  area.mutable_prototype()->set_archetype_id(archetype_id);
  area.mutable_disc()->set_radius(radius);
  return command;
}

v1::Command At(std::int64_t tick, v1::Command command) {
  command.set_apply_tick(tick);
  return command;
}

void ExpectAdmitted(const v1::SubmitCommandsResponse& response) {
  for (const auto& result : response.results()) {
    EXPECT_TRUE(result.has_admission()) << result.ShortDebugString();
  }
}

bool Until(const Client& client, const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kGuard;
  while (!condition()) {
    client.MustServe();
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

}  // namespace meander
