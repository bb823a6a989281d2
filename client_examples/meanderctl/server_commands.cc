// info, health, version: the server, and this program.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/session.h"
#include "core/world.h"

namespace meander::ctl {
namespace {

constexpr CommandText kInfo{
    .group = "Server",
    .name = "info",
    .summary = "show what server this is, and its limits",
    .text =
        "Shows the server's version, what it holds, and every limit by the "
        "name of the flag of meanderd that sets it.\n",
    .examples =
        "$ meanderctl info\n"
        "$ meanderctl info --json | jq -r .limits.max_worlds\n"};

int Info(Session& session) {
  v1::ServerInfo info;
  const grpc::Status status = session.Call(
      Repeat::kSafe, session.connection().worlds,
      &v1::WorldService::Stub::GetServerInfo, v1::GetServerInfoRequest(), info);
  if (!status.ok()) return session.Fail(status);
  if (session.json()) {
    session.Print(info);
    return kOk;
  }
  const auto print = [&session](std::string name, const std::string& value) {
    name.resize(28, ' ');
    session.Print(name + value);
  };
  print("server", session.settings().server);
  print("version", info.version());
  print("simulation version", std::to_string(info.simulation_version()));
  print("uptime", std::to_string(info.uptime().seconds()) + " s");
  print("worlds", std::to_string(info.world_count()));
  print("agents", std::to_string(info.agent_count()));
  print("worker threads", std::to_string(info.worker_threads()));
  print("kernels", info.kernels());
  print("default durability", Word(info.default_durability()));
  session.Print("limits");
  for (const auto& [name, limit] : std::map<std::string, std::int64_t>(
           info.limits().begin(), info.limits().end())) {
    print("  " + name, std::to_string(limit));
  }
  return kOk;
}

constexpr CommandText kHealth{
    .group = "Server",
    .name = "health",
    .summary = "ask whether the server serves",
    .text =
        "Asks grpc.health.v1.Health and prints the answer, for example "
        "SERVING. The exit code is 0 for that one alone, so that probes can "
        "use it.\n",
    .examples =
        "$ meanderctl health\n"
        "$ meanderctl health --quiet --timeout 5 && echo yes\n"};

int Health(Session& session, const std::string& service) {
  grpc::health::v1::HealthCheckRequest request;
  request.set_service(service);
  grpc::health::v1::HealthCheckResponse response;
  const grpc::Status status =
      session.Call(Repeat::kSafe, session.connection().health,
                   &grpc::health::v1::Health::Stub::Check, request, response);
  if (!status.ok()) return session.Fail(status);
  using Answer = grpc::health::v1::HealthCheckResponse;
  session.Say(response, Answer::ServingStatus_Name(response.status()));
  return response.status() == Answer::SERVING ? kOk : kFailed;
}

constexpr CommandText kVersion{
    .group = "Server",
    .name = "version",
    .summary = "say which version of meanderctl this is",
    .text =
        "Says which version this is, and of which simulation: servers of equal "
        "simulation versions give equal bits. Asks no server; `meanderctl "
        "info` tells of one.\n",
    .examples = "$ meanderctl version\n"};

}  // namespace

std::string VersionText() {
  return "meanderctl " MEANDER_VERSION " (simulation version " +
         std::to_string(core::kSimulationVersion) + ")";
}

void AddServerCommands(CommandLine& line) {
  line.Add(kInfo).Does([](Session& session) { return Info(session); });

  const auto service = std::make_shared<std::string>();
  Command& health = line.Add(kHealth);
  health.Text("--service", *service, "NAME",
              "ask about one service, such as meander.v1.WorldService");
  health.Does(
      [service](Session& session) { return Health(session, *service); });

  line.Add(kVersion).Does([](Session& session) {
    session.Print(VersionText());
    return kOk;
  });
}

}  // namespace meander::ctl
