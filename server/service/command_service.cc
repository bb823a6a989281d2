#include "server/service/command_service.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "meander/v1/command_service.grpc.pb.h"
#include "server/convert/command_convert.h"
#include "server/service/unary.h"
#include "server/service/world_message.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;
using hosting::BatchCommand;

void SetResult(const core::Result<hosting::CommandAdmission>& result,
               v1::CommandResult& out) {
  if (!result.ok()) {
    convert::ToProto(result.error(), *out.mutable_rejection());
    return;
  }
  v1::CommandAdmission& admission = *out.mutable_admission();
  admission.set_sequence(result->sequence);
  admission.set_apply_tick(result->apply_tick);
  admission.set_first_agent_id(result->first_agent_id);
  admission.set_agent_count(result->agent_count);
}

class CommandService final
    : public v1::CommandService::WithRawCallbackMethod_SubmitCommands<
          v1::CommandService::Service> {
 public:
  explicit CommandService(const ServiceContext& context) : context_(context) {}

 private:
  grpc::ServerUnaryReactor* SubmitCommands(
      grpc::CallbackServerContext* /*context*/, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override {
    return ServeUnary<v1::SubmitCommandsRequest, v1::SubmitCommandsResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { Submit(r, to); });
  }

  void Submit(const v1::SubmitCommandsRequest& request,
              const Responder<v1::SubmitCommandsResponse>& responder) const;

  const ServiceContext context_;
};

void CommandService::Submit(
    const v1::SubmitCommandsRequest& request,
    const Responder<v1::SubmitCommandsResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  const auto size = static_cast<std::size_t>(request.commands_size());
  // Before anything is made of so many.
  if (size > context_.limits.max_batch_commands) {
    return responder.Fail(
        Error{ErrorCode::kOutOfBounds, "commands",
              "may hold " + std::to_string(context_.limits.max_batch_commands) +
                  " commands at most; it holds " + std::to_string(size)});
  }
  std::vector<BatchCommand> batch;
  batch.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    batch.push_back(convert::ToCore(request, i, (*host)->identity().config));
  }
  const core::Result<hosting::Submission> submission = (*host)->Submit(batch);
  if (!submission.ok()) return responder.Fail(submission.error());
  v1::SubmitCommandsResponse response;
  for (const auto& result : submission->results) {
    SetResult(result, *response.add_results());
  }
  response.set_tick(submission->tick);
  response.set_epoch(submission->epoch);
  convert::BoundDescriptions(context_.limits.max_message_bytes, response);
  responder.Answer(response);
}

}  // namespace

std::unique_ptr<grpc::Service> MakeCommandService(
    const ServiceContext& context) {
  return std::make_unique<CommandService>(context);
}

}  // namespace meander::service
