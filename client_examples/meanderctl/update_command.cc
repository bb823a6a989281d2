// update: how the server runs a world, and its labels.

#include <memory>
#include <string>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/hosting_options.h"
#include "client_examples/meanderctl/session.h"
#include "client_examples/meanderctl/world_text.h"

namespace meander::ctl {
namespace {

constexpr CommandText kUpdate{
    .group = "Worlds",
    .name = "update",
    .summary = "change a world's clock, time scale, labels and the like",
    .text =
        "Changes how the server runs a world, between two ticks: only what is "
        "given. No bit of its state depends on any of it. Labels are added or "
        "replaced one by one: they are read, changed and written back, so two "
        "that change labels at the same moment can undo each other.\n",
    .examples =
        "Twice as fast as real time:\n"
        "$ meanderctl update meadow --clock realtime --time-scale 2\n"
        "$ meanderctl update meadow --label team=blue --label stage=test\n"
        "$ meanderctl update meadow --unlabel stage\n"
        "Hash less often, and let it be deleted when nobody cares:\n"
        "$ meanderctl update meadow --hash-interval 60 --idle-ttl 2h\n"};

struct UpdateOptions {
  std::string world;
  HostingOptions hosting;
  std::vector<std::string> labels;
  std::vector<std::string> unlabels;
};

// The labels as they are to be; the request names them.
grpc::Status ReadLabels(Session& session, const std::string& name,
                        v1::UpdateWorldRequest& request) {
  v1::GetWorldRequest get;
  get.set_name(name);
  v1::World now;
  grpc::Status status =
      session.Call(Repeat::kSafe, session.connection().worlds,
                   &v1::WorldService::Stub::GetWorld, get, now);
  if (!status.ok()) return status;
  *request.mutable_world()->mutable_labels() = now.labels();
  request.mutable_update_mask()->add_paths("labels");
  return status;
}

int Update(Session& session, const UpdateOptions& options) {
  v1::UpdateWorldRequest request;
  v1::World& world = *request.mutable_world();
  world.set_name(WorldName(options.world));
  options.hosting.Set(*world.mutable_hosting());
  options.hosting.Name(*request.mutable_update_mask());
  if (!options.labels.empty() || !options.unlabels.empty()) {
    const grpc::Status status = ReadLabels(session, world.name(), request);
    if (!status.ok()) return session.Fail(status);
  }
  for (const std::string& label : options.labels) {
    if (const Wrong wrong = SetLabel(label, world)) {
      return session.Fail("--label: " + *wrong, kUsage);
    }
  }
  for (const std::string& key : options.unlabels) {
    world.mutable_labels()->erase(key);
  }
  if (request.update_mask().paths().empty()) {
    return session.Fail("nothing is given that could be changed", kUsage);
  }
  v1::World changed;
  const grpc::Status status =
      session.Call(Repeat::kSafe, session.connection().worlds,
                   &v1::WorldService::Stub::UpdateWorld, request, changed);
  if (!status.ok()) return session.Fail(status);
  session.Say(changed, changed.name() + " updated at tick " +
                           std::to_string(changed.tick()));
  return kOk;
}

}  // namespace

void AddUpdateCommand(CommandLine& line) {
  const auto options = std::make_shared<UpdateOptions>();
  Command& command = line.Add(kUpdate);
  command.World(options->world).Fills("world.name");
  AddHostingOptions(command, "world.hosting.", options->hosting);
  command
      .Texts("--label", options->labels, "KEY=VALUE",
             "add or replace a label; may come several times")
      .Fills("world.labels");
  command.Texts("--unlabel", options->unlabels, "KEY",
                "remove a label; may come several times");
  command.Does(
      [options](Session& session) { return Update(session, *options); });
}

}  // namespace meander::ctl
