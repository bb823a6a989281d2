#include "tests/bench/bench_client.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace meander::bench {

bool ParseArguments(
    int argc, char** argv,
    const std::function<bool(std::string_view, const std::string&)>& take) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (!argument.starts_with("--") || equals == std::string_view::npos ||
        !take(argument.substr(2, equals - 2),
              std::string(argument.substr(equals + 1)))) {
      return false;
    }
  }
  return true;
}

void Require(const grpc::Status& status, const char* what) {
  if (!status.ok()) Fail(std::string(what) + ": " + status.error_message());
}

double CpuSeconds(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0.0;
  double system = 0.0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double ResidentMegabytes(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  double total = 0.0;
  double resident = 0.0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::shared_ptr<grpc::Channel> Connect(const std::string& server) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(),
                                   arguments);
}

std::string MakeWorld(v1::WorldService::Stub& worlds, const std::string& id,
                      v1::ClockMode clock) {
  v1::CreateWorldRequest request;
  request.set_world_id(id);
  v1::World& world = *request.mutable_world();
  world.mutable_simulation()->set_seed(1);
  world.mutable_simulation()->set_tick_rate_hz(60);
  world.mutable_simulation()->set_plane(v1::PLANE_XY);
  world.mutable_hosting()->set_clock_mode(clock);
  grpc::ClientContext context;
  v1::World made;
  Require(worlds.CreateWorld(&context, request, &made), "CreateWorld");
  return made.name();
}

v1::World GetWorld(v1::WorldService::Stub& worlds, const std::string& name) {
  grpc::ClientContext context;
  v1::GetWorldRequest request;
  request.set_name(name);
  v1::World world;
  Require(worlds.GetWorld(&context, request, &world), "GetWorld");
  return world;
}

void DeleteWorld(v1::WorldService::Stub& worlds, const std::string& name) {
  grpc::ClientContext context;
  v1::DeleteWorldRequest request;
  request.set_name(name);
  google::protobuf::Empty empty;
  Require(worlds.DeleteWorld(&context, request, &empty), "DeleteWorld");
}

v1::StepWorldResponse StepWorld(v1::WorldService::Stub& worlds,
                                const std::string& name, std::int64_t ticks) {
  grpc::ClientContext context;
  v1::StepWorldRequest request;
  request.set_name(name);
  request.set_ticks(ticks);
  v1::StepWorldResponse response;
  Require(worlds.StepWorld(&context, request, &response), "StepWorld");
  return response;
}

v1::SubmitCommandsResponse Submit(v1::CommandService::Stub& commands,
                                  const v1::SubmitCommandsRequest& request) {
  grpc::ClientContext context;
  v1::SubmitCommandsResponse response;
  Require(commands.SubmitCommands(&context, request, &response),
          "SubmitCommands");
  for (const v1::CommandResult& result : response.results()) {
    if (result.has_admission()) continue;
    Fail("a command was refused: " + result.rejection().description());
  }
  return response;
}

}  // namespace meander::bench
