#include "server/server.h"

#include <grpc/compression.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/resource_quota.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/simd/simd_target.h"
#include "core/world.h"
#include "server/convert/frame_convert.h"
#include "server/service/command_service.h"
#include "server/service/context.h"
#include "server/service/health_service.h"
#include "server/service/query_service.h"
#include "server/service/stream_service.h"
#include "server/service/world_service.h"

#ifndef MEANDER_VERSION
#define MEANDER_VERSION "unknown"
#endif

namespace meander {
namespace {

// gRPC's own reflection service takes a thread for each open call; all others
// take none. Calls beyond are refused with RESOURCE_EXHAUSTED.
constexpr int kMaxBlockingCalls = 32;

// How a peer that has vanished is noticed, and how often a client may ask the
// same about us.
constexpr int kKeepaliveMs = 10'000;
constexpr int kLeastClientPingMs = 5'000;

// How long connections without calls may take to close. Also what a call may
// take that came just before.
constexpr std::chrono::milliseconds kGoodbye{200};

log::MemoryWorldLogLimits LogLimits(const hosting::Limits& limits) {
  return {.records_per_world = limits.max_pending_commands,
          .bytes_per_world = limits.max_pending_bytes,
          .bytes_total = limits.max_pending_bytes_total};
}

stream::FrameEncoder MakeFrameEncoder(std::size_t max_message_bytes) {
  return [max_message_bytes](const stream::View& view,
                             const stream::PublishedState& state) {
    const std::size_t room =
        view.events ? convert::EventRoom(max_message_bytes) : 0;
    return stream::EncodedFrame{
        state.tick,
        convert::EncodeFrame({state.tick, state.epoch, state.state_hash},
                             state.motion, max_message_bytes - room)};
  };
}

// What the system says to someone who wants to listen there; gRPC only logs it.
std::string WhyNot(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failure =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(),
                  &hints, &found);
  if (failure != 0) return gai_strerror(failure);
  std::string reason = "the address is not available";
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (fd < 0) continue;
    const int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (bind(fd, at->ai_addr, at->ai_addrlen) != 0 || listen(fd, 1) != 0) {
      reason = std::strerror(errno);
    }
    close(fd);
  }
  freeaddrinfo(found);
  return reason;
}

void Configure(const hosting::Limits& limits, grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.max_request_bytes));
  // Decompressed requests are not bounded by the limit above.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);

  // Else a second server could share the port, and each would get some of the
  // calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
      kLeastClientPingMs);

  grpc::ResourceQuota quota("meander");
  quota.SetMaxThreads(kMaxBlockingCalls);
  builder.SetResourceQuota(quota);
  using Sync = grpc::ServerBuilder::SyncServerOption;
  builder.SetSyncServerOption(Sync::NUM_CQS, 1);
  builder.SetSyncServerOption(Sync::MIN_POLLERS, 1);
  builder.SetSyncServerOption(Sync::MAX_POLLERS, 1);
}

}  // namespace

Server::Server(const Options& options)
    : options_(options),
      listen_(*ParseListenAddress(options.listen)),
      log_(LogLimits(options_.limits)),
      agents_(options_.limits.max_agents_total),
      broadcaster_(options_.stream_threads),
      workers_(clock_, options_.worker_threads),
      worlds_(hosting::HostContext{
          options_.limits, clock_, log_, agents_, broadcaster_, workers_,
          MakeFrameEncoder(options_.limits.max_message_bytes),
          convert::MostEvents(options_.limits.max_message_bytes),
          core::ChooseSimdTarget(options_.simd.c_str()).target}),
      facts_{.version = MEANDER_VERSION,
             .simulation_version = core::kSimulationVersion,
             .started = clock_.Now(),
             .worker_threads = workers_.threads(),
             .kernels = std::string(core::NameOf(
                 core::ChooseSimdTarget(options_.simd.c_str()).target)),
             .limits = LimitsByFlag(options_.limits)},
      health_({"meander.v1.WorldService", "meander.v1.CommandService",
               "meander.v1.QueryService", "meander.v1.StreamService",
               "grpc.health.v1.Health"}) {}

std::unique_ptr<Server> Server::Start(const Options& options,
                                      std::string& error) {
  if (auto wrong = Validate(options)) {
    error = *std::move(wrong);
    return nullptr;
  }
  std::unique_ptr<Server> server(new Server(options));
  if (!server->Listen(error)) return nullptr;
  return server;
}

bool Server::Listen(std::string& error) {
  const service::ServiceContext context{.facts = facts_,
                                        .limits = options_.limits,
                                        .clock = clock_,
                                        .agents = agents_,
                                        .worlds = worlds_,
                                        .answers = answers_,
                                        .calls = calls_};
  services_.push_back(service::MakeWorldService(context));
  services_.push_back(service::MakeCommandService(context));
  services_.push_back(service::MakeQueryService(context));
  services_.push_back(service::MakeStreamService(context));
  services_.push_back(service::MakeHealthService(health_, calls_));

  // Naming it also keeps the linker from dropping its library.
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::EnableDefaultHealthCheckService(false);  // We have our own.

  grpc::ServerBuilder builder;
  Configure(options_.limits, builder);
  builder.AddListeningPort(options_.listen, grpc::InsecureServerCredentials(),
                           &port_);
  for (const auto& service : services_) builder.RegisterService(service.get());
  grpc_ = builder.BuildAndStart();
  if (grpc_ != nullptr && port_ != 0) return true;
  error = "cannot listen on " + options_.listen + ": " + WhyNot(listen_);
  return false;
}

Server::~Server() { Drain(); }

void Server::Drain() {
  const core::Error error{core::ErrorCode::kDraining, "",
                          "the server is shutting down"};
  health_.Drain();
  worlds_.CloseAll(error);
  if (grpc_ == nullptr) return;
  calls_.WaitForNone(options_.drain_timeout);
  grpc_->Shutdown(std::chrono::system_clock::now() + kGoodbye);
}

}  // namespace meander
