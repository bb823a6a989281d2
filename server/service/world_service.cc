#include "server/service/world_service.h"

#include <cstdint>
#include <string>
#include <utility>

#include "meander/v1/world_service.grpc.pb.h"
#include "server/convert/world_convert.h"
#include "server/service/page_token.h"
#include "server/service/unary.h"
#include "server/service/world_message.h"

namespace meander::service {
namespace {

using google::protobuf::Empty;
using Raw = v1::WorldService::WithRawCallbackMethod_CreateWorld<
    v1::WorldService::WithRawCallbackMethod_GetWorld<
        v1::WorldService::WithRawCallbackMethod_ListWorlds<
            v1::WorldService::WithRawCallbackMethod_DeleteWorld<
                v1::WorldService::WithRawCallbackMethod_StepWorld<
                    v1::WorldService::Service>>>>>;

// What a message may take of a page beside itself: its tag, its length, and
// the page's token.
constexpr std::size_t kPageOverhead = 128;

class WorldService final : public Raw {
 public:
  explicit WorldService(const ServiceContext& context) : context_(context) {}

 private:
  using Context = grpc::CallbackServerContext;
  using Bytes = grpc::ByteBuffer;

  grpc::ServerUnaryReactor* CreateWorld(Context* /*context*/,
                                        const Bytes* request,
                                        Bytes* response) override {
    return ServeUnary<v1::CreateWorldRequest, v1::World>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { Create(r, to); });
  }
  grpc::ServerUnaryReactor* GetWorld(Context* /*context*/, const Bytes* request,
                                     Bytes* response) override {
    return ServeUnary<v1::GetWorldRequest, v1::World>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { Get(r, to); });
  }
  grpc::ServerUnaryReactor* ListWorlds(Context* /*context*/,
                                       const Bytes* request,
                                       Bytes* response) override {
    return ServeUnary<v1::ListWorldsRequest, v1::ListWorldsResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { List(r, to); });
  }
  grpc::ServerUnaryReactor* DeleteWorld(Context* /*context*/,
                                        const Bytes* request,
                                        Bytes* response) override {
    return ServeUnary<v1::DeleteWorldRequest, Empty>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { Delete(r, to); });
  }
  grpc::ServerUnaryReactor* StepWorld(Context* /*context*/,
                                      const Bytes* request,
                                      Bytes* response) override {
    return ServeUnary<v1::StepWorldRequest, v1::StepWorldResponse>(
        context_.calls, request, response,
        [this](const auto& r, const auto& to) { Step(r, to); });
  }

  void Create(const v1::CreateWorldRequest& request,
              const Responder<v1::World>& responder) const;
  void Get(const v1::GetWorldRequest& request,
           const Responder<v1::World>& responder) const;
  void List(const v1::ListWorldsRequest& request,
            const Responder<v1::ListWorldsResponse>& responder) const;
  void Delete(const v1::DeleteWorldRequest& request,
              const Responder<Empty>& responder) const;
  void Step(const v1::StepWorldRequest& request,
            const Responder<v1::StepWorldResponse>& responder) const;

  // Answers with the world as it is now.
  static void Show(const hosting::WorldHost& host,
                   const Responder<v1::World>& responder);

  const ServiceContext context_;
};

void WorldService::Show(const hosting::WorldHost& host,
                        const Responder<v1::World>& responder) {
  const auto status = host.Status();
  if (!status.ok()) return responder.Fail(status.error());
  responder.Answer(ToMessage(host.identity(), *status));
}

void WorldService::Create(const v1::CreateWorldRequest& request,
                          const Responder<v1::World>& responder) const {
  core::Violations violations;
  convert::CheckOutputOnly(request.world(), "world", violations);
  const convert::Simulation simulation =
      convert::ToCore(request.world().simulation(), context_.limits.max_agents,
                      "world.simulation", violations);
  const hosting::HostingConfig hosting =
      ToHosting(request.world().hosting(), "world.hosting", violations);
  if (violations.empty() || !hosting::IsWorldId(request.world_id())) {
    // Of a config that is known to be wrong only the id is looked at.
    const core::SimulationConfig plain{.max_agents = 1};
    for (core::Error& error : hosting::ValidateNewWorld(
             request.world_id(), violations.empty() ? simulation.config : plain,
             context_.limits)) {
      violations.push_back(std::move(error));
    }
  }
  if (!violations.empty()) return responder.Fail(violations);
  const auto host = context_.worlds.Create(
      request.world_id(), simulation.config, simulation.seed, hosting);
  if (!host.ok()) return responder.Fail(host.error());
  Show(**host, responder);
}

void WorldService::Get(const v1::GetWorldRequest& request,
                       const Responder<v1::World>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  Show(**host, responder);
}

void WorldService::List(
    const v1::ListWorldsRequest& request,
    const Responder<v1::ListWorldsResponse>& responder) const {
  const auto after = ParseWorldPageToken(request.page_token());
  if (!after.ok()) return responder.Fail(after.error());
  const auto size = ParsePageSize(request.page_size(), context_.limits);
  if (!size.ok()) return responder.Fail(size.error());

  // One more tells whether there is a next page.
  const auto hosts = context_.worlds.List(*after, *size + 1);
  v1::ListWorldsResponse response;
  std::size_t bytes = kPageOverhead;
  std::size_t shown = 0;
  for (; shown < std::min(*size, hosts.size()); ++shown) {
    const auto status = hosts[shown]->Status();
    if (!status.ok()) continue;  // Deleted meanwhile.
    v1::World world = ToMessage(hosts[shown]->identity(), *status);
    bytes += world.ByteSizeLong() + kPageOverhead;
    if (shown > 0 && bytes > context_.limits.max_message_bytes) break;
    *response.add_worlds() = std::move(world);
  }
  if (shown < hosts.size()) {
    response.set_next_page_token(hosts[shown - 1]->identity().id);
  }
  responder.Answer(response);
}

void WorldService::Delete(const v1::DeleteWorldRequest& request,
                          const Responder<Empty>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  if (const auto error = context_.worlds.Delete((*host)->identity().id)) {
    return responder.Fail(*error);
  }
  responder.Answer({});
}

void WorldService::Step(
    const v1::StepWorldRequest& request,
    const Responder<v1::StepWorldResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  const std::int64_t ticks = request.ticks() == 0 ? 1 : request.ticks();
  (*host)->Step(ticks, responder.stop(),
                context_.answers.OffWorker<core::Result<hosting::TickInfo>>(
                    [responder](const core::Result<hosting::TickInfo>& info) {
                      if (!info.ok()) return responder.Fail(info.error());
                      v1::StepWorldResponse response;
                      response.set_tick(info->tick);
                      response.set_epoch(info->epoch);
                      response.set_state_hash(info->state_hash);
                      responder.Answer(response);
                    }));
}

}  // namespace

std::unique_ptr<grpc::Service> MakeWorldService(const ServiceContext& context) {
  return std::make_unique<WorldService>(context);
}

}  // namespace meander::service
