#include "server/service/world_service.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "meander/v1/world_service.grpc.pb.h"
#include "server/convert/archetype_convert.h"
#include "server/convert/frame_convert.h"
#include "server/convert/world_convert.h"
#include "server/hosting/world_filter.h"
#include "server/service/page_token.h"
#include "server/service/request_id.h"
#include "server/service/settings_message.h"
#include "server/service/unary.h"
#include "server/service/world_message.h"

namespace meander::service {
namespace {

using core::Error;
using core::ErrorCode;
using google::protobuf::Empty;
using hosting::WorldStatus;
using Api = v1::WorldService;
using Raw = Api::WithRawCallbackMethod_CreateWorld<
    Api::WithRawCallbackMethod_GetWorld<Api::WithRawCallbackMethod_ListWorlds<
        Api::WithRawCallbackMethod_ListArchetypes<
            Api::WithRawCallbackMethod_UpdateWorld<
                Api::WithRawCallbackMethod_DeleteWorld<
                    Api::WithRawCallbackMethod_PauseWorld<
                        Api::WithRawCallbackMethod_ResumeWorld<
                            Api::WithRawCallbackMethod_StepWorld<
                                Api::WithRawCallbackMethod_GetServerInfo<
                                    Api::Service>>>>>>>>>>;

// What an answer of StepWorld takes beside its frame.
constexpr std::size_t kStepAnswerBytes = 64;

class WorldService final : public Raw {
 public:
  explicit WorldService(const ServiceContext& context) : context_(context) {}

 private:
  using Context = grpc::CallbackServerContext;
  using Bytes = grpc::ByteBuffer;
  using Reactor = grpc::ServerUnaryReactor;

  Reactor* CreateWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Create);
  }
  Reactor* GetWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Get);
  }
  Reactor* ListWorlds(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::List);
  }
  Reactor* ListArchetypes(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::ListTypes);
  }
  Reactor* UpdateWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Update);
  }
  Reactor* DeleteWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Delete);
  }
  Reactor* PauseWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Pause);
  }
  Reactor* ResumeWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Resume);
  }
  Reactor* StepWorld(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Step);
  }
  Reactor* GetServerInfo(Context*, const Bytes* request, Bytes* to) override {
    return Serve(request, to, &WorldService::Info);
  }

  template <typename Request, typename Response>
  Reactor* Serve(const Bytes* request, Bytes* response,
                 void (WorldService::*method)(const Request&,
                                              const Responder<Response>&)
                     const) {
    return ServeUnary<Request, Response>(
        context_.calls, request, response,
        [this, method](const auto& r, const auto& to) {
          (this->*method)(r, to);
        });
  }

  void Create(const v1::CreateWorldRequest& request,
              const Responder<v1::World>& responder) const;
  void Get(const v1::GetWorldRequest& request,
           const Responder<v1::World>& responder) const;
  void List(const v1::ListWorldsRequest& request,
            const Responder<v1::ListWorldsResponse>& responder) const;
  void ListTypes(const v1::ListArchetypesRequest& request,
                 const Responder<v1::ListArchetypesResponse>& responder) const;
  void Update(const v1::UpdateWorldRequest& request,
              const Responder<v1::World>& responder) const;
  void Delete(const v1::DeleteWorldRequest& request,
              const Responder<Empty>& responder) const;
  void Pause(const v1::PauseWorldRequest& request,
             const Responder<v1::World>& responder) const;
  void Resume(const v1::ResumeWorldRequest& request,
              const Responder<v1::World>& responder) const;
  void Step(const v1::StepWorldRequest& request,
            const Responder<v1::StepWorldResponse>& responder) const;
  void Info(const v1::GetServerInfoRequest& request,
            const Responder<v1::ServerInfo>& responder) const;

  // Answers with the world as its host tells it, off the threads that step.
  hosting::StatusCallback ShowStatus(
      const std::shared_ptr<hosting::WorldHost>& host,
      const Responder<v1::World>& responder) const {
    return context_.answers.OffWorker<core::Result<WorldStatus>>(
        [host, responder](const core::Result<WorldStatus>& status) {
          if (!status.ok()) return responder.Fail(status.error());
          responder.Answer(ToMessage(host->identity(), *status));
        });
  }

  const ServiceContext context_;
};

void WorldService::Create(const v1::CreateWorldRequest& request,
                          const Responder<v1::World>& responder) const {
  core::Violations violations;
  convert::CheckOutputOnly(request.world(), "world", violations);
  const std::size_t before = violations.size();
  convert::Simulation simulation =
      convert::ToCore(request.world().simulation(), context_.limits.max_agents,
                      "world.simulation", violations);
  // A config that is known to be wrong is not looked at again.
  if (violations.size() > before) simulation.config = {.max_agents = 1};
  auto key = ToRequestKey(hosting::KeyedMethod::kCreateWorld, request);
  if (!key.ok()) violations.push_back(key.error());
  hosting::NewWorld world{.id = request.world_id(),
                          .config = simulation.config,
                          .seed = simulation.seed,
                          .settings = ToSettings(request.world(), violations),
                          .key = std::nullopt};
  if (key.ok()) world.key = *key;
  for (Error& error : hosting::Validate(world, context_.limits)) {
    violations.push_back(std::move(error));
  }
  if (!violations.empty()) return responder.Fail(violations);
  const auto creation = context_.worlds.Create(std::move(world));
  if (!creation.ok()) return responder.Fail(creation.error());
  responder.Answer(ToMessage((*creation)->identity, (*creation)->status));
}

void WorldService::Get(const v1::GetWorldRequest& request,
                       const Responder<v1::World>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  const auto status = (*host)->Status();
  if (!status.ok()) return responder.Fail(status.error());
  responder.Answer(ToMessage((*host)->identity(), *status));
}

void WorldService::List(
    const v1::ListWorldsRequest& request,
    const Responder<v1::ListWorldsResponse>& responder) const {
  const auto after = ParseWorldPageToken(request.page_token());
  if (!after.ok()) return responder.Fail(after.error());
  const auto size = ParsePageSize(request.page_size(), context_.limits);
  if (!size.ok()) return responder.Fail(size.error());
  const auto filter = hosting::WorldFilter::Parse(request.filter());
  if (!filter.ok()) return responder.Fail(filter.error());

  // With a filter a page looks at more worlds than it shows, but not at any
  // number. One more tells whether there is a next page.
  const std::size_t looks =
      request.filter().empty() ? *size : context_.limits.max_page_size;
  const auto hosts = context_.worlds.List(*after, looks + 1);
  v1::ListWorldsResponse response;
  std::size_t bytes = kPageOverhead;
  std::size_t shown = 0;
  std::size_t seen = 0;
  for (; seen < std::min(looks, hosts.size()) && shown < *size; ++seen) {
    const auto status = hosts[seen]->Status();
    if (!status.ok() || !filter->IsMetBy(*status)) continue;  // or deleted
    v1::World world = ToMessage(hosts[seen]->identity(), *status);
    bytes += world.ByteSizeLong() + kPageOverhead;
    if (shown > 0 && bytes > context_.limits.max_message_bytes) break;
    *response.add_worlds() = std::move(world);
    ++shown;
  }
  if (seen < hosts.size()) {
    response.set_next_page_token(hosts[seen - 1]->identity().id);
  }
  responder.Answer(response);
}

void ShowArchetypes(const stream::PublishedState& state,
                    const std::string& token, std::size_t size,
                    std::size_t max_message_bytes,
                    const Responder<v1::ListArchetypesResponse>& responder) {
  const auto after = ParseIdPageToken(token, state.epoch);
  if (!after.ok()) return responder.Fail(after.error());
  const auto& archetypes = state.cold->archetypes;
  auto next = std::find_if(archetypes.begin(), archetypes.end(),
                           [&](const auto& a) { return a.id > *after; });

  v1::ListArchetypesResponse response;
  std::size_t bytes = kPageOverhead;
  for (std::size_t shown = 0; next != archetypes.end() && shown < size;
       ++next, ++shown) {
    v1::Archetype archetype;
    convert::ToProto(*next, archetype);
    bytes += archetype.ByteSizeLong() + kPageOverhead;
    if (shown > 0 && bytes > max_message_bytes) break;
    *response.add_archetypes() = std::move(archetype);
  }
  if (next != archetypes.end()) {
    response.set_next_page_token(IdPageToken(state.epoch, std::prev(next)->id));
  }
  response.set_tick(state.tick);
  response.set_epoch(state.epoch);
  responder.Answer(response);
}

void WorldService::ListTypes(
    const v1::ListArchetypesRequest& request,
    const Responder<v1::ListArchetypesResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.world(), "world");
  if (!host.ok()) return responder.Fail(host.error());
  const auto size = ParsePageSize(request.page_size(), context_.limits);
  if (!size.ok()) return responder.Fail(size.error());
  using Read = core::Result<stream::PublishedStateRef>;
  (*host)->Read(
      hosting::Detail::kFull,
      context_.answers.OffWorker<Read>(
          [responder, token = request.page_token(), size = *size,
           bytes = context_.limits.max_message_bytes](const Read& state) {
            if (!state.ok()) return responder.Fail(state.error());
            ShowArchetypes(**state, token, size, bytes, responder);
          }));
}

void WorldService::Update(const v1::UpdateWorldRequest& request,
                          const Responder<v1::World>& responder) const {
  const auto host =
      FindWorld(context_.worlds, request.world().name(), "world.name");
  if (!host.ok()) return responder.Fail(host.error());
  core::Violations violations;
  hosting::SettingsPatch patch = ToPatch(request, violations);
  if (!violations.empty()) return responder.Fail(violations);
  (*host)->Update(std::move(patch), ShowStatus(*host, responder));
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

void WorldService::Pause(const v1::PauseWorldRequest& request,
                         const Responder<v1::World>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  (*host)->Pause(ShowStatus(*host, responder));
}

void WorldService::Resume(const v1::ResumeWorldRequest& request,
                          const Responder<v1::World>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  (*host)->Resume(ShowStatus(*host, responder));
}

// The state at the tick of an answer, where it fits into one message.
bool SetFrame(const hosting::StepAnswer& answer, std::size_t max_message_bytes,
              v1::Frame& out) {
  if (answer.motion == nullptr) return false;
  const hosting::TickInfo& info = answer.info;
  const auto parts =
      convert::EncodeFrame({info.tick, info.epoch, info.state_hash},
                           *answer.motion, max_message_bytes);
  return parts.size() == 1 && out.ParseFromString(parts.front());
}

void WorldService::Step(
    const v1::StepWorldRequest& request,
    const Responder<v1::StepWorldResponse>& responder) const {
  const auto host = FindWorld(context_.worlds, request.name(), "name");
  if (!host.ok()) return responder.Fail(host.error());
  if (request.ticks() != 0 && request.until_tick() != 0) {
    return responder.Fail(Error{ErrorCode::kMalformed, "until_tick",
                                "cannot be given together with ticks"});
  }
  const auto key = ToRequestKey(hosting::KeyedMethod::kStepWorld, request);
  if (!key.ok()) return responder.Fail(key.error());
  hosting::StepOrder order{
      .ticks = request.ticks() == 0 ? 1 : request.ticks(),
      .until_tick = request.until_tick(),
      .expected_tick = std::nullopt,
      .key = *key,
      .include_motion = request.include_frame(),
      .stop = responder.stop(),
  };
  if (request.has_expected_tick())
    order.expected_tick = request.expected_tick();
  const auto answer = [responder, framed = request.include_frame(),
                       frame_bytes = context_.limits.max_message_bytes -
                                     kStepAnswerBytes](
                          const core::Result<hosting::StepAnswer>& step) {
    if (!step.ok()) return responder.Fail(step.error());
    v1::StepWorldResponse response;
    response.set_tick(step->info.tick);
    response.set_epoch(step->info.epoch);
    response.set_state_hash(step->info.state_hash);
    v1::Frame frame;
    if (SetFrame(*step, frame_bytes, frame)) {
      *response.mutable_frame() = std::move(frame);
    } else {
      response.set_frame_omitted(framed);
    }
    responder.Answer(response);
  };
  (*host)->Step(
      std::move(order),
      context_.answers.OffWorker<core::Result<hosting::StepAnswer>>(answer));
}

void WorldService::Info(const v1::GetServerInfoRequest& /*request*/,
                        const Responder<v1::ServerInfo>& responder) const {
  const ServerFacts& facts = context_.facts;
  v1::ServerInfo info;
  info.set_version(facts.version);
  info.set_simulation_version(
      static_cast<std::int32_t>(facts.simulation_version));
  info.set_world_count(static_cast<std::int64_t>(context_.worlds.size()));
  info.set_agent_count(context_.agents.taken());
  const auto uptime = context_.clock.Now() - facts.started;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(uptime);
  info.mutable_uptime()->set_seconds(seconds.count());
  info.mutable_uptime()->set_nanos(
      static_cast<std::int32_t>((uptime - seconds).count()));
  info.set_worker_threads(static_cast<std::int32_t>(facts.worker_threads));
  info.set_kernels(facts.kernels);
  info.set_default_durability(ToMessage(hosting::HostingConfig{}.durability));
  info.mutable_limits()->insert(facts.limits.begin(), facts.limits.end());
  responder.Answer(info);
}

}  // namespace

std::unique_ptr<grpc::Service> MakeWorldService(const ServiceContext& context) {
  return std::make_unique<WorldService>(context);
}

}  // namespace meander::service
