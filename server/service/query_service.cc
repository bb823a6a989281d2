#include "server/service/query_service.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meander/v1/query_service.grpc.pb.h"
#include "server/convert/agent_convert.h"
#include "server/service/list_size.h"
#include "server/service/page_token.h"
#include "server/service/unary.h"
#include "server/service/world_message.h"
#include "server/stream/published_state.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;
using core::Result;
using hosting::Detail;
using stream::PublishedState;
using stream::PublishedStateRef;

// What an agent takes of a page beside itself.
constexpr std::size_t kAgentOverhead = 8;

void ShowAgent(const PublishedState& state, core::AgentId id,
               const Responder<v1::GetAgentResponse>& responder) {
  const auto row = core::FindRow(state.motion, id);
  if (!row) {
    return responder.Fail(Error{ErrorCode::kAgentNotFound, "agent_id",
                                "there is no agent " + std::to_string(id) +
                                    " at tick " + std::to_string(state.tick)});
  }
  v1::GetAgentResponse response;
  convert::ToProto(
      core::MakeAgentState(state.motion, *state.cold, *row, state.tick),
      *response.mutable_agent());
  response.set_tick(state.tick);
  response.set_epoch(state.epoch);
  if (state.state_hash) response.set_state_hash(*state.state_hash);
  responder.Answer(response);
}

// Agents that were asked for by their ids.
struct AgentBatch {
  std::vector<core::AgentId> ids;
  std::size_t max_bytes = 0;
};

void ShowBatch(const PublishedState& state, const AgentBatch& batch,
               const Responder<v1::BatchGetAgentsResponse>& responder) {
  v1::BatchGetAgentsResponse response;
  for (const core::AgentId id : batch.ids) {
    if (const auto row = core::FindRow(state.motion, id)) {
      convert::ToProto(
          core::MakeAgentState(state.motion, *state.cold, *row, state.tick),
          *response.add_agents());
    } else {
      response.add_missing_agent_ids(id);
    }
  }
  response.set_tick(state.tick);
  response.set_epoch(state.epoch);
  if (state.state_hash) response.set_state_hash(*state.state_hash);
  const std::size_t bytes = response.ByteSizeLong();
  if (bytes > batch.max_bytes) {
    return responder.Fail(Error{ErrorCode::kOutOfBounds, "agent_ids",
                                "name agents that take " +
                                    std::to_string(bytes) +
                                    " bytes, which is more than the " +
                                    std::to_string(batch.max_bytes) +
                                    " of an answer; ask for fewer at once"});
  }
  responder.Answer(response);
}

// Each at least 1, and once.
std::optional<Error> CheckIds(const std::vector<core::AgentId>& ids) {
  std::vector<core::AgentId> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() < 1) {
    const auto bad = std::find(ids.begin(), ids.end(), sorted.front());
    return Error{ErrorCode::kOutOfBounds,
                 "agent_ids[" + std::to_string(bad - ids.begin()) + ']',
                 "must be at least 1; it is " + std::to_string(*bad)};
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return std::nullopt;
  return Error{ErrorCode::kMalformed, "agent_ids",
               "names agent " + std::to_string(*twice) + " twice"};
}

struct Page {
  std::string token;
  std::size_t size = 0;
  std::size_t max_bytes = 0;
};

void ShowPage(const PublishedState& state, const Page& page,
              const Responder<v1::ListAgentsResponse>& responder) {
  const auto after = ParseIdPageToken(page.token, state.epoch);
  if (!after.ok()) return responder.Fail(after.error());
  const auto& ids = state.motion.id;
  const auto begin = std::upper_bound(ids.begin(), ids.end(), *after);
  auto row = static_cast<std::size_t>(begin - ids.begin());
  const std::size_t end = row + std::min(page.size, ids.size() - row);

  v1::ListAgentsResponse response;
  std::size_t bytes = kPageOverhead;
  for (; row < end; ++row) {
    v1::Agent agent;
    convert::ToProto(
        core::MakeAgentState(state.motion, *state.cold, row, state.tick),
        agent);
    bytes += agent.ByteSizeLong() + kAgentOverhead;
    if (bytes > page.max_bytes && response.agents_size() > 0) break;
    *response.add_agents() = std::move(agent);
  }
  if (row < ids.size()) {
    response.set_next_page_token(IdPageToken(state.epoch, ids[row - 1]));
  }
  response.set_tick(state.tick);
  response.set_epoch(state.epoch);
  if (state.state_hash) response.set_state_hash(*state.state_hash);
  responder.Answer(response);
}

class QueryService final
    : public v1::QueryService::WithRawCallbackMethod_GetAgent<
          v1::QueryService::WithRawCallbackMethod_BatchGetAgents<
              v1::QueryService::WithRawCallbackMethod_ListAgents<
                  v1::QueryService::Service>>> {
 public:
  explicit QueryService(const ServiceContext& context) : context_(context) {}

 private:
  grpc::ServerUnaryReactor* GetAgent(grpc::CallbackServerContext* /*context*/,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override {
    return ServeUnary<v1::GetAgentRequest, v1::GetAgentResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { Get(r, to); });
  }
  grpc::ServerUnaryReactor* BatchGetAgents(
      grpc::CallbackServerContext* /*context*/, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override {
    return ServeUnary<v1::BatchGetAgentsRequest, v1::BatchGetAgentsResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { BatchGet(r, to); });
  }
  grpc::ServerUnaryReactor* ListAgents(grpc::CallbackServerContext* /*context*/,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override {
    return ServeUnary<v1::ListAgentsRequest, v1::ListAgentsResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { List(r, to); });
  }

  void Get(const v1::GetAgentRequest& request,
           const Responder<v1::GetAgentResponse>& responder) const;
  void BatchGet(const v1::BatchGetAgentsRequest& request,
                const Responder<v1::BatchGetAgentsResponse>& responder) const;
  void List(const v1::ListAgentsRequest& request,
            const Responder<v1::ListAgentsResponse>& responder) const;

  // Reads the newest state and shows it, off the threads that step.
  template <typename Response, typename Show>
  void Read(hosting::WorldHost& host, const Responder<Response>& responder,
            Show show) const {
    host.Read(Detail::kFull,
              context_.answers.OffWorker<Result<PublishedStateRef>>(
                  [responder, show = std::move(show)](
                      const Result<PublishedStateRef>& state) {
                    if (!state.ok()) return responder.Fail(state.error());
                    show(**state);
                  }));
  }

  const ServiceContext context_;
};

void QueryService::Get(const v1::GetAgentRequest& request,
                       const Responder<v1::GetAgentResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  const core::AgentId id = request.agent_id();
  if (id < 1) {
    return responder.Fail(
        Error{ErrorCode::kOutOfBounds, "agent_id",
              "must be at least 1; it is " + std::to_string(id)});
  }
  Read(**host, responder, [id, responder](const PublishedState& state) {
    ShowAgent(state, id, responder);
  });
}

void QueryService::BatchGet(
    const v1::BatchGetAgentsRequest& request,
    const Responder<v1::BatchGetAgentsResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  // Before anything is made of so many.
  if (auto error = CheckListSize("agent_ids", request.agent_ids_size(),
                                 context_.limits.max_page_size)) {
    return responder.Fail(*error);
  }
  AgentBatch batch{
      .ids = {request.agent_ids().begin(), request.agent_ids().end()},
      .max_bytes = context_.limits.max_message_bytes};
  if (auto error = CheckIds(batch.ids)) return responder.Fail(*error);
  Read(**host, responder,
       [responder, batch = std::move(batch)](const PublishedState& state) {
         ShowBatch(state, batch, responder);
       });
}

void QueryService::List(
    const v1::ListAgentsRequest& request,
    const Responder<v1::ListAgentsResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  const auto size = ParsePageSize(request.page_size(), context_.limits);
  if (!size.ok()) return responder.Fail(size.error());
  Read(**host, responder,
       [responder, page = Page{request.page_token(), *size,
                               context_.limits.max_message_bytes}](
           const PublishedState& state) { ShowPage(state, page, responder); });
}

}  // namespace

std::unique_ptr<grpc::Service> MakeQueryService(const ServiceContext& context) {
  return std::make_unique<QueryService>(context);
}

}  // namespace meander::service
