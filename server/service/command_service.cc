#include "server/service/command_service.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "meander/v1/command_service.grpc.pb.h"
#include "server/convert/command_convert.h"
#include "server/service/list_size.h"
#include "server/service/request_id.h"
#include "server/service/unary.h"
#include "server/service/world_message.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;
using core::Result;
using hosting::BatchCommand;

void SetResult(const Result<hosting::CommandAdmission>& result,
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

Result<hosting::LatePolicy> ToLatePolicy(int policy) {
  switch (policy) {
    case v1::LATE_POLICY_UNSPECIFIED:
    case v1::LATE_POLICY_NEXT_TICK:
      return hosting::LatePolicy::kNextTick;
    case v1::LATE_POLICY_REJECT:
      return hosting::LatePolicy::kReject;
    default:  // Enums of the protocol are open.
      return Error{ErrorCode::kMalformed, "late_policy",
                   std::to_string(policy) + " is not one of its values"};
  }
}

Result<hosting::AdmissionOptions> ToOptions(
    const v1::SubmitCommandsRequest& request) {
  hosting::AdmissionOptions options;
  options.all_or_nothing = request.all_or_nothing();
  const auto policy = ToLatePolicy(request.late_policy());
  if (!policy.ok()) return policy.error();
  options.late_policy = *policy;
  const auto key = ToRequestKey(hosting::KeyedMethod::kSubmitCommands, request);
  if (!key.ok()) return key.error();
  options.key = *key;
  return options;
}

v1::CommandOutcome OutcomeOf(const hosting::CommandReport& report) {
  using State = hosting::CommandReport::State;
  if (report.state == State::kPending) return v1::COMMAND_OUTCOME_PENDING;
  if (report.state == State::kForgotten) return v1::COMMAND_OUTCOME_FORGOTTEN;
  return convert::ToProto(report.outcome);
}

class CommandService final
    : public v1::CommandService::WithRawCallbackMethod_SubmitCommands<
          v1::CommandService::WithRawCallbackMethod_GetCommandOutcomes<
              v1::CommandService::Service>> {
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
  grpc::ServerUnaryReactor* GetCommandOutcomes(
      grpc::CallbackServerContext* /*context*/, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override {
    return ServeUnary<v1::GetCommandOutcomesRequest,
                      v1::GetCommandOutcomesResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { GetOutcomes(r, to); });
  }

  void Submit(const v1::SubmitCommandsRequest& request,
              const Responder<v1::SubmitCommandsResponse>& responder) const;
  void GetOutcomes(
      const v1::GetCommandOutcomesRequest& request,
      const Responder<v1::GetCommandOutcomesResponse>& responder) const;

  const ServiceContext context_;
};

void CommandService::Submit(
    const v1::SubmitCommandsRequest& request,
    const Responder<v1::SubmitCommandsResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  // Before anything is made of so many.
  if (auto error = CheckListSize("commands", request.commands_size(),
                                 context_.limits.max_batch_commands)) {
    return responder.Fail(*error);
  }
  const auto options = ToOptions(request);
  if (!options.ok()) return responder.Fail(options.error());
  const auto size = static_cast<std::size_t>(request.commands_size());
  std::vector<BatchCommand> batch;
  batch.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    batch.push_back(convert::ToCore(request, i, (*host)->identity().config));
  }
  const auto submission = (*host)->Submit(batch, *options);
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

void CommandService::GetOutcomes(
    const v1::GetCommandOutcomesRequest& request,
    const Responder<v1::GetCommandOutcomesResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  if (auto error = CheckListSize("sequences", request.sequences_size(),
                                 context_.limits.max_page_size)) {
    return responder.Fail(*error);
  }
  const auto outcomes =
      (*host)->Outcomes({request.sequences().data(),
                         static_cast<std::size_t>(request.sequences_size())});
  if (!outcomes.ok()) return responder.Fail(outcomes.error());
  v1::GetCommandOutcomesResponse response;
  for (const hosting::CommandReport& report : outcomes->reports) {
    v1::CommandReport& out = *response.add_reports();
    out.set_sequence(report.sequence);
    out.set_outcome(OutcomeOf(report));
    out.set_tick(report.tick);
  }
  response.set_tick(outcomes->tick);
  response.set_epoch(outcomes->epoch);
  responder.Answer(response);
}

}  // namespace

std::unique_ptr<grpc::Service> MakeCommandService(
    const ServiceContext& context) {
  return std::make_unique<CommandService>(context);
}

}  // namespace meander::service
