// create, get, list, delete: worlds as such.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/hosting_options.h"
#include "client_examples/meanderctl/json_input.h"
#include "client_examples/meanderctl/paging.h"
#include "client_examples/meanderctl/session.h"
#include "client_examples/meanderctl/world_text.h"

namespace meander::ctl {
namespace {

constexpr CommandText kCreate{
    .group = "Worlds",
    .name = "create",
    .summary = "make a world",
    .text =
        "Makes a world at tick 0, without agents. What decides its motion "
        "(seed, tick rate, plane, bounds) stays as it is made; how the server "
        "runs it can be changed later by `meanderctl update`. The same seed "
        "and the same commands give the same bits. Without --clock it runs in "
        "real time, at once.\n",
    .examples =
        "A world that runs at 60 ticks a second:\n"
        "$ meanderctl create meadow\n"
        "One in a plane, with walls, stepped by hand:\n"
        "$ meanderctl create pond --clock manual --plane xy --seed 42 "
        "--bounds -100:100 --bounds-mode clamp\n"
        "One with a label that computes 600 ticks at once, from its first "
        "command on:\n"
        "$ meanderctl create sprint --clock unthrottled --until 600 "
        "--label team=blue\n"
        "One like another:\n"
        "$ meanderctl get pond --json | meanderctl create pond2 --like -\n"};

struct CreateOptions {
  std::string world;
  std::string like;
  std::optional<std::uint64_t> seed;
  std::optional<std::int32_t> tick_rate;
  std::optional<v1::Plane> plane;
  std::optional<v1::Box> bounds;
  std::optional<v1::BoundsMode> bounds_mode;
  std::optional<std::int64_t> max_agents;
  std::optional<float> cell_size;
  std::optional<v1::Durability> durability;
  HostingOptions hosting;
  std::vector<std::string> labels;
  std::string request_id;
};

void AddSimulationOptions(Command& command, CreateOptions& options) {
  command
      .Value("--seed", options.seed, "N",
             "where all random numbers come from; default 0")
      .Fills("world.simulation.seed");
  command
      .Value("--tick-rate", options.tick_rate, "HZ",
             "steps per second of simulated time; default 60")
      .Fills("world.simulation.tick_rate_hz");
  command
      .Choice("--plane", options.plane,
              "the plane that agents move in; default none: three dimensions")
      .Fills("world.simulation.plane");
  command
      .Value("--bounds", options.bounds, "LOW:HIGH",
             "where agents may be: two corners, each X,Y,Z or one number for "
             "all axes; default -2048:2048")
      .Fills("world.simulation.bounds");
  command
      .Choice("--bounds-mode", options.bounds_mode,
              "what happens at a face; default open")
      .Fills("world.simulation.bounds.mode");
  command
      .Value("--max-agents", options.max_agents, "N",
             "the most agents alive at once; default 100000")
      .Fills("world.simulation.max_agents");
  command
      .Value("--cell-size", options.cell_size, "UNITS",
             "edge of the cells in which neighbors are looked for; default 8")
      .Fills("world.simulation.cell_size");
  command
      .Choice("--durability", options.durability,
              "what an acknowledged command survives; default the server's")
      .Fills("world.hosting.durability");
}

void SetSimulation(const CreateOptions& options,
                   v1::SimulationConfig& simulation) {
  if (options.seed) simulation.set_seed(*options.seed);
  if (options.tick_rate) simulation.set_tick_rate_hz(*options.tick_rate);
  if (options.plane) simulation.set_plane(*options.plane);
  if (options.bounds) {
    *simulation.mutable_bounds()->mutable_min() = options.bounds->min();
    *simulation.mutable_bounds()->mutable_max() = options.bounds->max();
  }
  if (options.bounds_mode) {
    simulation.mutable_bounds()->set_mode(*options.bounds_mode);
  }
  if (options.max_agents) simulation.set_max_agents(*options.max_agents);
  if (options.cell_size) simulation.set_cell_size(*options.cell_size);
}

// What may be given to a new world; the rest tells of the old one.
Wrong ReadModel(const std::string& source, v1::World& world) {
  v1::World model;
  if (Wrong wrong = ReadMessage(source, model)) return wrong;
  if (model.has_simulation()) {
    *world.mutable_simulation() = model.simulation();
  }
  if (model.has_hosting()) *world.mutable_hosting() = model.hosting();
  *world.mutable_labels() = model.labels();
  return std::nullopt;
}

int Create(Session& session, const CreateOptions& options) {
  v1::CreateWorldRequest request;
  request.set_world_id(WorldName(options.world).substr(WorldName("").size()));
  v1::World& world = *request.mutable_world();
  if (!options.like.empty()) {
    if (const Wrong wrong = ReadModel(options.like, world)) {
      return session.Fail("--like: " + *wrong, kUsage);
    }
  }
  SetSimulation(options, *world.mutable_simulation());
  options.hosting.Set(*world.mutable_hosting());
  if (options.durability) {
    world.mutable_hosting()->set_durability(*options.durability);
  }
  for (const std::string& label : options.labels) {
    if (const Wrong wrong = SetLabel(label, world)) {
      return session.Fail("--label: " + *wrong, kUsage);
    }
  }
  request.set_request_id(options.request_id.empty() ? NewRequestId()
                                                    : options.request_id);
  v1::World made;
  const grpc::Status status =
      session.Call(Repeat::kSafe, session.connection().worlds,
                   &v1::WorldService::Stub::CreateWorld, request, made);
  if (!status.ok()) return session.Fail(status);
  session.Say(made, made.name());
  return kOk;
}

constexpr CommandText kGet{
    .group = "Worlds",
    .name = "get",
    .summary = "show all there is to know about a world",
    .text =
        "Shows worlds as they are now: tick, hash, agents, clock, config.\n",
    .examples =
        "$ meanderctl get meadow\n"
        "Its tick alone:\n"
        "$ meanderctl get meadow --json | jq -r .tick\n"};

int Get(Session& session, const std::vector<std::string>& names) {
  bool first = true;
  for (const std::string& name : names) {
    v1::GetWorldRequest request;
    request.set_name(WorldName(name));
    v1::World world;
    const grpc::Status status =
        session.Call(Repeat::kSafe, session.connection().worlds,
                     &v1::WorldService::Stub::GetWorld, request, world);
    if (!status.ok()) return session.Fail(status);
    if (session.json()) {
      session.Print(world);
      continue;
    }
    if (!first) session.Print("");
    first = false;
    for (const std::string& line : Describe(world)) session.Print(line);
  }
  return kOk;
}

constexpr CommandText kList{
    .group = "Worlds",
    .name = "list",
    .summary = "list worlds, all or those that meet a filter",
    .text =
        "Lists worlds in the order of their names. A filter is terms joined by "
        "AND, each of which may follow NOT:\n"
        "  labels.KEY = \"VALUE\"   labels:KEY   state = PAUSED\n"
        "  clock_mode = MANUAL    and != in place of =\n",
    .examples =
        "$ meanderctl list\n"
        "$ meanderctl list --filter 'clock_mode = MANUAL AND "
        "labels.team = \"blue\"'\n"
        "Names alone, for scripts:\n"
        "$ meanderctl list --json | jq -r .name\n"};

struct ListOptions {
  std::string filter;
  std::optional<std::int64_t> limit;
};

int List(Session& session, const ListOptions& options) {
  v1::ListWorldsRequest request;
  request.set_filter(options.filter);
  Table table(WorldColumns());
  const grpc::Status status = EachOnPages<v1::ListWorldsResponse>(
      session, session.connection().worlds, &v1::WorldService::Stub::ListWorlds,
      request, options.limit.value_or(0),
      [&](const v1::ListWorldsResponse& page) {
        for (const v1::World& world : page.worlds()) {
          if (session.json()) {
            session.Print(world);
          } else {
            table.Add(WorldCells(world));
          }
        }
        return page.worlds_size();
      });
  if (!status.ok()) return session.Fail(status);
  if (!session.json()) session.Print(table);
  return kOk;
}

constexpr CommandText kDelete{
    .group = "Worlds",
    .name = "delete",
    .summary = "end worlds",
    .text =
        "Ends worlds, at once and for good: their watchers and steppers end "
        "with NOT_FOUND. Stops at the first that cannot be deleted.\n",
    .examples = "$ meanderctl delete meadow\n"};

int Delete(Session& session, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    v1::DeleteWorldRequest request;
    request.set_name(WorldName(name));
    google::protobuf::Empty nothing;
    const grpc::Status status =
        session.Call(Repeat::kUnsafe, session.connection().worlds,
                     &v1::WorldService::Stub::DeleteWorld, request, nothing);
    if (!status.ok()) return session.Fail(status);
    session.Say(nothing, request.name() + " deleted");
  }
  return kOk;
}

void AddCreate(CommandLine& line) {
  const auto options = std::make_shared<CreateOptions>();
  Command& command = line.Add(kCreate);
  command.Text("WORLD", options->world, "WORLD", "its name, for example meadow")
      .Required()
      .Fills("world_id");
  AddSimulationOptions(command, *options);
  AddHostingOptions(command, "world.hosting.", options->hosting);
  command
      .Texts("--label", options->labels, "KEY=VALUE",
             "a word about it; may come several times")
      .Fills("world.labels");
  command
      .Text("--like", options->like, "JSON|FILE|-",
            "take what is not given from this World, as --json prints it")
      .Offers(Offer::kFiles)
      .Fills("world");
  command
      .Text("--request-id", options->request_id, "UUID",
            "makes a repeated call safe; default a new one")
      .Fills("request_id");
  command.Does(
      [options](Session& session) { return Create(session, *options); });
}

}  // namespace

void AddWorldCommands(CommandLine& line) {
  AddCreate(line);
  {
    const auto names = std::make_shared<std::vector<std::string>>();
    Command& command = line.Add(kGet);
    command.Worlds(*names);
    command.Does([names](Session& session) { return Get(session, *names); });
  }
  {
    const auto options = std::make_shared<ListOptions>();
    Command& command = line.Add(kList);
    command
        .Text("--filter", options->filter, "FILTER", "only worlds that meet it")
        .Fills("filter");
    command.Value("--limit", options->limit, "N",
                  "the most worlds to list; default 0: all");
    command.Does(
        [options](Session& session) { return List(session, *options); });
  }
  {
    const auto names = std::make_shared<std::vector<std::string>>();
    Command& command = line.Add(kDelete);
    command.Worlds(*names);
    command.Does([names](Session& session) { return Delete(session, *names); });
  }
}

}  // namespace meander::ctl
