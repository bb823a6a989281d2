#include "client_examples/meanderctl/demo_world.h"

#include <cstddef>

namespace meander::ctl {
namespace {

// Of a world whose demo died.
constexpr std::int64_t kIdleSeconds = 30;

}  // namespace

DemoWorld::~DemoWorld() {
  if (name_.empty()) return;
  v1::DeleteWorldRequest request;
  request.set_name(name_);
  google::protobuf::Empty empty;
  // Whatever the answer: there is nothing else to be done about it.
  (void)session_.Call(Repeat::kUnsafe, session_.connection().worlds,
                      &v1::WorldService::Stub::DeleteWorld, request, empty);
}

grpc::Status DemoWorld::Make(const scenes::Scene& scene) {
  v1::CreateWorldRequest create;
  create.set_request_id(NewRequestId());
  constexpr std::size_t kDigits = 8;
  create.set_world_id("demo-" + scene.name + '-' +
                      create.request_id().substr(0, kDigits));
  v1::World& world = *create.mutable_world();
  *world.mutable_simulation() = scene.simulation;
  world.mutable_hosting()->set_clock_mode(v1::CLOCK_MODE_MANUAL);
  world.mutable_hosting()->mutable_idle_ttl()->set_seconds(kIdleSeconds);
  (*world.mutable_labels())["demo"] = scene.name;
  v1::World made;
  grpc::Status status =
      session_.Call(Repeat::kSafe, session_.connection().worlds,
                    &v1::WorldService::Stub::CreateWorld, create, made);
  if (!status.ok()) return status;
  name_ = made.name();

  v1::SubmitCommandsRequest submit;
  submit.set_world(name_);
  submit.set_all_or_nothing(true);
  submit.set_request_id(NewRequestId());
  for (const v1::Command& command : scene.commands) {
    *submit.add_commands() = command;
  }
  v1::SubmitCommandsResponse admitted;
  return session_.Call(Repeat::kSafe, session_.connection().commands,
                       &v1::CommandService::Stub::SubmitCommands, submit,
                       admitted);
}

grpc::Status DemoWorld::Start(const std::optional<double>& time_scale) {
  v1::UpdateWorldRequest request;
  request.mutable_world()->set_name(name_);
  v1::HostingConfig& hosting = *request.mutable_world()->mutable_hosting();
  hosting.set_clock_mode(v1::CLOCK_MODE_REALTIME);
  request.mutable_update_mask()->add_paths("hosting.clock_mode");
  if (time_scale) {
    hosting.set_time_scale(*time_scale);
    request.mutable_update_mask()->add_paths("hosting.time_scale");
  }
  v1::World world;
  return session_.Call(Repeat::kSafe, session_.connection().worlds,
                       &v1::WorldService::Stub::UpdateWorld, request, world);
}

grpc::Status DemoWorld::StepTo(std::int64_t tick,
                               v1::StepWorldResponse& response) {
  v1::StepWorldRequest request;
  request.set_name(name_);
  request.set_until_tick(tick);
  request.set_include_frame(true);
  request.set_request_id(NewRequestId());
  return Call(session_.LongCalls(), Repeat::kSafe, session_.connection().worlds,
              &v1::WorldService::Stub::StepWorld, request, response);
}

}  // namespace meander::ctl
