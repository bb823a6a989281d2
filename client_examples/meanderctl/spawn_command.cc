// spawn: agents, and an archetype for them where one is given.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client_examples/meanderctl/batch.h"
#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/json_input.h"
#include "client_examples/meanderctl/session.h"

namespace meander::ctl {
namespace {

constexpr CommandText kSpawn{
    .group = "Agents",
    .name = "spawn",
    .summary = "put agents into a world",
    .text =
        "Makes agents: one at a place, or many at random places that the "
        "world's seed decides. What they are is an archetype: one that the "
        "world has, by its id; one that is given as JSON; or one that --seek "
        "or --wander describe. A given archetype is defined first, which "
        "changes it for all agents that have it already: a wanderer is "
        "archetype 1 and a seeker archetype 2, unless --archetype-id says "
        "otherwise. Either all of it happens or nothing.\n",
    .examples =
        "Wanderers (radius, distance, jitter of the circle they steer by):\n"
        "$ meanderctl spawn meadow --wander 2,3,8 --count 100 --disc 50\n"
        "One that seeks a point, or agent 1:\n"
        "$ meanderctl spawn meadow --seek 30,0 --at -10,5\n"
        "$ meanderctl spawn meadow --seek agent:1 --at 0,0 --max-speed 9\n"
        "More of an archetype that is there, in a box:\n"
        "$ meanderctl spawn meadow --archetype 1 --count 10 --box "
        "-20,-20:20,20\n"
        "An archetype of one's own, with all that a meander.v1.Archetype can "
        "hold:\n"
        "$ meanderctl spawn meadow --at 1,1 --target 9,9 --archetype "
        "'{\"id\": 7, \"max_speed\": 3, \"max_force\": 6, \"terms\": "
        "[{\"arrive\": {\"slowing_radius\": 8}}]}'\n"
        "A flock: off the near ones, along with the others, toward them:\n"
        "$ meanderctl spawn meadow --count 60 --disc 15 --archetype "
        "'{\"id\": 8, \"max_speed\": 8, \"max_force\": 16, \"terms\": ["
        "{\"separation\": {\"neighborhood\": {\"radius\": 3}}}, "
        "{\"alignment\": {\"neighborhood\": {\"radius\": 8}}, "
        "\"weight\": 2}, "
        "{\"cohesion\": {\"neighborhood\": {\"radius\": 8}}}, "
        "{\"wander_heading_offset\": {\"radius\": 2, \"distance\": 3, "
        "\"jitter\": 8}}]}'\n"
        "One more that nobody of it sees, and that looks where it will:\n"
        "$ meanderctl spawn meadow --archetype 8 --at 0,0 --groups 0 "
        "--facing 0,1\n"};

// Fields of the request, which options fill.
std::string InArchetype(const char* field) {
  return std::string("commands[*].define_archetype.archetype") + field;
}
std::string InArea(const char* field) {
  return std::string("commands[*].spawn_agents.area") + field;
}
// A field of each agent, however it is placed.
Option& FillsAgents(Option& option, const std::string& field) {
  return option.Fills("commands[*].spawn_agents.area.prototype." + field)
      .Fills("commands[*].spawn_agents.agents.agents[*]." + field);
}

constexpr std::int32_t kWandererId = 1;
constexpr std::int32_t kSeekerId = 2;
constexpr double kMaxSpeed = 6.0;
constexpr double kMaxForce = 12.0;

struct SpawnOptions {
  BatchOptions batch;
  std::string archetype;
  std::optional<v1::WanderWorldAngle> wander;
  std::optional<v1::Target> seek;
  std::optional<std::int32_t> archetype_id;
  std::optional<double> max_speed;
  std::optional<double> max_force;
  std::optional<double> mass;
  std::optional<std::int64_t> count;
  std::optional<v1::Vec3> at;
  std::optional<v1::Disc> disc;
  std::optional<v1::Box> box;
  std::optional<v1::Ball> ball;
  std::optional<v1::Vec3> velocity;
  std::optional<std::uint64_t> tag;
  std::optional<v1::Target> target;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> groups;
  std::optional<v1::Vec3> facing;
  std::optional<float> wander_angle;
  std::optional<float> wander_elevation;
  std::optional<v1::Vec3> wander_offset;
  std::optional<v1::Vec3> wander_heading;
  std::optional<std::int64_t> tick;
};

// What --wander and --seek describe.
v1::Archetype Described(const SpawnOptions& options) {
  v1::Archetype archetype;
  archetype.set_id(options.wander ? kWandererId : kSeekerId);
  if (options.wander) {
    *archetype.add_terms()->mutable_wander_world_angle() = *options.wander;
  }
  if (options.seek) archetype.add_terms()->mutable_seek();
  archetype.set_max_speed(static_cast<float>(kMaxSpeed));
  archetype.set_max_force(static_cast<float>(kMaxForce));
  return archetype;
}

// The archetype to define; nothing when one that is there is named, whose id
// is set.
Wrong ReadArchetype(const SpawnOptions& options,
                    std::optional<v1::Archetype>& archetype, std::int32_t& id) {
  const bool described = options.wander || options.seek;
  if (!described && options.archetype.empty()) {
    return "what are they? Give --archetype, --wander or --seek";
  }
  if (!described && !ParseValue(options.archetype, id)) {
    if (options.archetype_id || options.max_speed || options.max_force ||
        options.mass) {
      return "--archetype: the world's own archetype " + options.archetype +
             " is not changed by --archetype-id, --max-speed, --max-force or "
             "--mass; give it as JSON";
    }
    return std::nullopt;
  }
  archetype.emplace();
  if (described) {
    archetype = Described(options);
  } else if (const Wrong wrong = ReadMessage(options.archetype, *archetype)) {
    return "--archetype: " + *wrong;
  }
  if (options.archetype_id) archetype->set_id(*options.archetype_id);
  if (options.max_speed) {
    archetype->set_max_speed(static_cast<float>(*options.max_speed));
  }
  if (options.max_force) {
    archetype->set_max_force(static_cast<float>(*options.max_force));
  }
  if (options.mass) archetype->set_mass(static_cast<float>(*options.mass));
  id = archetype->id();
  return std::nullopt;
}

v1::NewAgent Prototype(const SpawnOptions& options, std::int32_t archetype_id) {
  v1::NewAgent agent;
  agent.set_archetype_id(archetype_id);
  if (options.velocity) *agent.mutable_velocity() = *options.velocity;
  if (options.tag) agent.set_tag(*options.tag);
  if (options.seek) *agent.add_targets() = *options.seek;
  if (options.target) *agent.add_targets() = *options.target;
  if (options.seed) agent.set_seed(*options.seed);
  if (options.groups) agent.set_groups(*options.groups);
  if (options.facing) *agent.mutable_facing() = *options.facing;
  if (options.wander_angle) agent.set_wander_angle(*options.wander_angle);
  if (options.wander_elevation) {
    agent.set_wander_elevation(*options.wander_elevation);
  }
  if (options.wander_offset) {
    *agent.mutable_wander_offset() = *options.wander_offset;
  }
  if (options.wander_heading) {
    *agent.mutable_wander_heading() = *options.wander_heading;
  }
  return agent;
}

Wrong SetPlacement(const SpawnOptions& options, const v1::NewAgent& agent,
                   v1::SpawnAgents& spawn) {
  if (options.at) {
    v1::NewAgent& placed = *spawn.mutable_agents()->add_agents();
    placed = agent;
    *placed.mutable_position() = *options.at;
    return std::nullopt;
  }
  v1::AreaPlacement& area = *spawn.mutable_area();
  area.set_count(options.count.value_or(1));
  *area.mutable_prototype() = agent;
  if (options.disc) {
    *area.mutable_disc() = *options.disc;
  } else if (options.box) {
    *area.mutable_box() = *options.box;
  } else if (options.ball) {
    *area.mutable_ball() = *options.ball;
  } else {
    return "where? Give --at, --disc, --box or --ball";
  }
  return std::nullopt;
}

Wrong FillRequest(const SpawnOptions& options,
                  v1::SubmitCommandsRequest& request) {
  std::optional<v1::Archetype> archetype;
  std::int32_t id = 0;
  if (Wrong wrong = ReadArchetype(options, archetype, id)) return wrong;
  if (archetype) {
    v1::Command& define = *request.add_commands();
    define.set_apply_tick(options.tick.value_or(0));
    *define.mutable_define_archetype()->mutable_archetype() =
        *std::move(archetype);
  }
  v1::Command& spawn = *request.add_commands();
  spawn.set_apply_tick(options.tick.value_or(0));
  request.set_all_or_nothing(true);
  return SetPlacement(options, Prototype(options, id),
                      *spawn.mutable_spawn_agents());
}

int Spawn(Session& session, const SpawnOptions& options) {
  v1::SubmitCommandsRequest request;
  if (const Wrong wrong = FillRequest(options, request)) {
    return session.Fail(*wrong, kUsage);
  }
  v1::SubmitCommandsResponse response;
  const grpc::Status status = Submit(session, options.batch, request, response);
  if (!status.ok()) return session.Fail(status);
  const v1::CommandAdmission& admission =
      response.results(response.results_size() - 1).admission();
  session.Say(response, (admission.agent_count() == 1 ? "agent " : "agents ") +
                            AgentRange(admission) + " at tick " +
                            std::to_string(admission.apply_tick()));
  return kOk;
}

void AddArchetypeOptions(Command& command, SpawnOptions& options) {
  Option& archetype =
      command
          .Text("--archetype", options.archetype, "ID|JSON|FILE|-",
                "one that the world has, or an Archetype as JSON")
          .Offers(Offer::kFiles)
          .Fills(InArchetype(""));
  FillsAgents(archetype, "archetype_id");
  command
      .Value("--wander", options.wander, "R,D,J",
             "wander: radius of the circle and its distance ahead, in units, "
             "and jitter in radians per second")
      .Fills(InArchetype(".terms"))
      .Excludes(archetype);
  FillsAgents(command.Value("--seek", options.seek, "X,Y,Z|agent:ID",
                            "seek this target; with --wander, do both"),
              "targets[0]")
      .Excludes(archetype);
  command
      .Value("--archetype-id", options.archetype_id, "ID",
             "the id to define it as; default 1 for a wanderer, 2 for a seeker")
      .Fills(InArchetype(".id"));
  command
      .Value("--max-speed", options.max_speed, "SPEED",
             "highest speed in units per second; default 6")
      .Fills(InArchetype(".max_speed"));
  command
      .Value("--max-force", options.max_force, "FORCE",
             "largest steering force; default 12")
      .Fills(InArchetype(".max_force"));
  command.Value("--mass", options.mass, "MASS", "mass; default 1")
      .Fills(InArchetype(".mass"));
}

void AddPlaceOptions(Command& command, SpawnOptions& options) {
  Option& count = command.Value("--count", options.count, "N",
                                "how many, in an area; default 1");
  count.Fills(InArea(".count"));
  Option& at = command.Value("--at", options.at, "X,Y,Z",
                             "one agent, at this place in units");
  FillsAgents(at, "position").Excludes(count);
  Option& disc = command.Value("--disc", options.disc, "[X,Y,Z:]R",
                               "at random in a disc of this radius, in the "
                               "world's plane");
  disc.Fills(InArea(".disc")).Excludes(at);
  Option& box = command.Value(
      "--box", options.box, "LOW:HIGH",
      "at random in a box: two corners, each X,Y,Z or one number");
  box.Fills(InArea(".box")).Excludes(at).Excludes(disc);
  command
      .Value("--ball", options.ball, "[X,Y,Z:]R",
             "at random in a ball, in a world without a plane")
      .Fills(InArea(".ball"))
      .Excludes(at)
      .Excludes(disc)
      .Excludes(box);
}

void AddAgentOptions(Command& command, SpawnOptions& options) {
  FillsAgents(command.Value("--velocity", options.velocity, "X,Y,Z",
                            "in units per second; default at rest"),
              "velocity");
  FillsAgents(command.Value("--target", options.target, "X,Y,Z|agent:ID",
                            "what target slot 0 points at; slot 1 with --seek"),
              "targets");
  FillsAgents(command.Value("--tag", options.tag, "N",
                            "a number of your own; default 0"),
              "tag");
  FillsAgents(command.Value("--seed", options.seed, "N",
                            "where their random numbers come from, the same "
                            "for all; default one of its own for each"),
              "seed");
  FillsAgents(command.Value("--groups", options.groups, "BITS",
                            "bits by which others find them as neighbors; "
                            "default 1, 0 for nobody"),
              "groups");
  FillsAgents(command.Value("--facing", options.facing, "X,Y,Z",
                            "the direction that they face; default that of "
                            "the velocity"),
              "facing");
  command
      .Value("--tick", options.tick, "TICK",
             "when; default 0: the next tick that takes commands")
      .Fills("commands[*].apply_tick");
}

// What a wander starts with; each has its effect on the forms that have it.
void AddWanderOptions(Command& command, SpawnOptions& options) {
  FillsAgents(command.Value("--wander-angle", options.wander_angle, "RADIANS",
                            "angle on the circle, or azimuth on the sphere; "
                            "default drawn"),
              "wander_angle");
  FillsAgents(
      command.Value("--wander-elevation", options.wander_elevation, "RADIANS",
                    "elevation on the sphere; default drawn"),
      "wander_elevation");
  FillsAgents(command.Value("--wander-offset", options.wander_offset, "X,Y,Z",
                            "direction from the center of a heading-offset "
                            "wander to its point; default drawn"),
              "wander_offset");
  FillsAgents(command.Value("--wander-heading", options.wander_heading, "X,Y,Z",
                            "heading of a heading-offset wander at rest; "
                            "default drawn"),
              "wander_heading");
}

}  // namespace

void AddSpawnCommand(CommandLine& line) {
  const auto options = std::make_shared<SpawnOptions>();
  Command& command = line.Add(kSpawn);
  command.World(options->batch.world);
  AddArchetypeOptions(command, *options);
  AddPlaceOptions(command, *options);
  AddAgentOptions(command, *options);
  AddWanderOptions(command, *options);
  AddBatchOptions(command, options->batch);
  command.Does(
      [options](Session& session) { return Spawn(session, *options); });
}

}  // namespace meander::ctl
