// agents, archetypes: what lives in a world.

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/paging.h"
#include "client_examples/meanderctl/session.h"

namespace meander::ctl {
namespace {

constexpr std::int64_t kAgentLimit = 100;

constexpr CommandText kAgents{
    .group = "Agents",
    .name = "agents",
    .summary = "show agents: those that are named, or the first ones",
    .text =
        "Shows agents as they are now: positions in units, velocities in units "
        "per second. Named ones are shown at one tick, and the exit code is 1 "
        "when one of them is not alive. Others are listed in the order of "
        "their ids; a thousand of them at a time show one tick. Angles are in "
        "radians.\n",
    .examples =
        "$ meanderctl agents meadow --limit 5\n"
        "$ meanderctl agents meadow 1 2\n"
        "Where it looks, who sees it, and where its wander stands:\n"
        "$ meanderctl agents meadow 1 --long\n"
        "The velocity of each:\n"
        "$ meanderctl agents meadow --limit 0 --json | jq -c '[.id, "
        ".velocity.x, .velocity.y]'\n"};

struct AgentsOptions {
  std::string world;
  std::vector<std::string> ids;
  std::optional<std::int64_t> limit;
  bool more = false;  // columns
};

std::string TargetText(const v1::Target& target) {
  switch (target.kind_case()) {
    case v1::Target::kPoint:
      return Point(target.point());
    case v1::Target::kAgentId:
      return "agent:" + std::to_string(target.agent_id());
    case v1::Target::KIND_NOT_SET:
      break;
  }
  return "-";
}

// The slots up to the last one that is set.
std::string TargetsText(const v1::Agent& agent) {
  int used = agent.targets_size();
  while (used > 0 &&
         agent.targets(used - 1).kind_case() == v1::Target::KIND_NOT_SET) {
    --used;
  }
  std::string out;
  for (int i = 0; i < used; ++i) {
    out += (i == 0 ? "" : " ") + TargetText(agent.targets(i));
  }
  return out;
}

std::string Direction(const v1::Vec3& direction) {
  std::string out;
  for (const float value : {direction.x(), direction.y(), direction.z()}) {
    if (!out.empty()) out += ',';
    out += Fixed(static_cast<double>(value), kDecimals);
  }
  return out;
}

// What its form of wander has; the rest is 0.
std::string WanderText(const v1::Agent& agent) {
  const v1::Vec3& heading = agent.wander_heading();
  if (heading.x() != 0.0f || heading.y() != 0.0f || heading.z() != 0.0f) {
    return "offset " + Direction(agent.wander_offset()) + " heading " +
           Direction(heading);
  }
  std::string out;
  if (agent.wander_angle() != 0.0f) {
    out =
        "angle " + Fixed(static_cast<double>(agent.wander_angle()), kDecimals);
  }
  if (agent.wander_elevation() != 0.0f) {
    out += (out.empty() ? "" : " ") + std::string("elevation ") +
           Fixed(static_cast<double>(agent.wander_elevation()), kDecimals);
  }
  return out.empty() ? "-" : out;
}

Table AgentTable(const AgentsOptions& options) {
  std::vector<Column> columns = {
      {"AGENT", true}, {"ARCHETYPE", true}, {"X", true},  {"Y", true},
      {"Z", true},     {"VX", true},        {"VY", true}, {"VZ", true},
      {"SPEED", true}, {"STEPS", true},     {"TAG", true}};
  if (options.more) {
    columns.insert(
        columns.end(),
        {{"SEED", true}, {"GROUPS", true}, {"FACING", true}, {"WANDER"}});
  }
  columns.push_back({"TARGETS"});
  return Table(std::move(columns));
}

void AddAgent(const v1::Agent& agent, const AgentsOptions& options,
              Table& table) {
  std::vector<std::string> cells = {std::to_string(agent.id()),
                                    std::to_string(agent.archetype_id())};
  for (const v1::Vec3* vector : {&agent.position(), &agent.velocity()}) {
    for (const float value : {vector->x(), vector->y(), vector->z()}) {
      cells.push_back(Fixed(static_cast<double>(value), kDecimals));
    }
  }
  const v1::Vec3& v = agent.velocity();
  cells.push_back(
      Fixed(static_cast<double>(std::hypot(v.x(), v.y(), v.z())), kDecimals));
  cells.push_back(std::to_string(agent.step_count()));
  cells.push_back(std::to_string(agent.tag()));
  if (options.more) {
    cells.push_back(std::to_string(agent.seed()));
    cells.push_back(std::to_string(agent.groups()));
    cells.push_back(Direction(agent.facing()));
    cells.push_back(WanderText(agent));
  }
  cells.push_back(TargetsText(agent));
  table.Add(std::move(cells));
}

int ShowNamed(Session& session, const AgentsOptions& options) {
  v1::BatchGetAgentsRequest request;
  request.set_world(WorldName(options.world));
  for (const std::string& text : options.ids) {
    std::int64_t id = 0;
    if (const Wrong wrong = ParseValue(text, id)) {
      return session.Fail("ID: \"" + text + "\" " + *wrong, kUsage);
    }
    request.add_agent_ids(id);
  }
  v1::BatchGetAgentsResponse response;
  const grpc::Status status =
      session.Call(Repeat::kSafe, session.connection().queries,
                   &v1::QueryService::Stub::BatchGetAgents, request, response);
  if (!status.ok()) return session.Fail(status);
  Table table = AgentTable(options);
  for (const v1::Agent& agent : response.agents()) {
    if (session.json()) {
      session.Print(agent);
    } else {
      AddAgent(agent, options, table);
    }
  }
  if (!table.empty()) session.Print(table);
  if (response.missing_agent_ids().empty()) return kOk;
  std::string missing;
  for (const std::int64_t id : response.missing_agent_ids()) {
    missing += (missing.empty() ? "" : ", ") + std::to_string(id);
  }
  return session.Fail("AGENT_NOT_FOUND: not alive at tick " +
                      std::to_string(response.tick()) + ": " + missing);
}

int ShowFirst(Session& session, const AgentsOptions& options) {
  v1::ListAgentsRequest request;
  request.set_world(WorldName(options.world));
  Table table = AgentTable(options);
  const grpc::Status status = EachOnPages<v1::ListAgentsResponse>(
      session, session.connection().queries,
      &v1::QueryService::Stub::ListAgents, request,
      options.limit.value_or(kAgentLimit),
      [&](const v1::ListAgentsResponse& page) {
        for (const v1::Agent& agent : page.agents()) {
          if (session.json()) {
            session.Print(agent);
          } else {
            AddAgent(agent, options, table);
          }
        }
        return page.agents_size();
      });
  if (!status.ok()) return session.Fail(status);
  if (!session.json()) session.Print(table);
  return kOk;
}

constexpr CommandText kArchetypes{
    .group = "Agents",
    .name = "archetypes",
    .summary = "list what kinds of agents a world has",
    .text =
        "Lists archetypes in the order of their ids: limits, and the steering "
        "terms, each as weight * (gain * behavior); how they are combined, "
        "where they are not just added up, and at which level, where there are "
        "several.\n",
    .examples =
        "$ meanderctl archetypes meadow\n"
        "One with all its parameters:\n"
        "$ meanderctl archetypes meadow --json | head -n 1\n"};

// "seek slot 0" of the message that a term holds.
std::string BehaviorText(const v1::Term& term) {
  const auto& reflection = *term.GetReflection();
  const auto* const field = reflection.GetOneofFieldDescriptor(
      term, term.GetDescriptor()->FindOneofByName("behavior"));
  if (field == nullptr) return "?";  // from a newer server
  std::string out(field->name());
  std::replace(out.begin(), out.end(), '_', '-');
  if (const auto* const slot = field->message_type()->FindFieldByName("slot")) {
    const auto& behavior = reflection.GetMessage(term, field);
    out += " slot " +
           std::to_string(behavior.GetReflection()->GetInt32(behavior, slot));
  }
  return out;
}

// "2 * (3 * brake)": weight and gain, where they are not 1.
std::string TermText(const v1::Term& term) {
  std::string out = BehaviorText(term);
  if (term.has_gain() && term.gain() != 1.0f) {
    out = '(' + Short(static_cast<double>(term.gain())) + " * " + out + ')';
  }
  if (term.has_weight() && term.weight() != 1.0f) {
    out = Short(static_cast<double>(term.weight())) + " * " + out;
  }
  return out;
}

// "2 * seek slot 0 + wander-world-angle"; levels from 0 on in brackets, where
// there are more than one: "first-nonzero: [0] separation [1] alignment".
std::string TermsText(const v1::Archetype& archetype) {
  if (archetype.external()) return "(moved from outside)";
  std::map<std::int32_t, std::string> levels;
  for (const v1::Term& term : archetype.terms()) {
    std::string& level = levels[term.level()];
    if (!level.empty()) level += " + ";
    level += TermText(term);
  }
  std::string out;
  if (archetype.combine() > v1::COMBINE_WEIGHTED_SUM) {
    out = Word(archetype.combine()) + ':';
  }
  for (const auto& [level, terms] : levels) {
    if (!out.empty()) out += ' ';
    if (levels.size() > 1) out += '[' + std::to_string(level) + "] ";
    out += terms;
  }
  return out;
}

int ShowArchetypes(Session& session, const std::string& world) {
  v1::ListArchetypesRequest request;
  request.set_world(WorldName(world));
  Table table({{"ARCHETYPE", true},
               {"MAX SPEED", true},
               {"MAX FORCE", true},
               {"MASS", true},
               {"TERMS"}});
  const grpc::Status status = EachOnPages<v1::ListArchetypesResponse>(
      session, session.connection().worlds,
      &v1::WorldService::Stub::ListArchetypes, request, 0,
      [&](const v1::ListArchetypesResponse& page) {
        for (const v1::Archetype& archetype : page.archetypes()) {
          if (session.json()) {
            session.Print(archetype);
            continue;
          }
          table.Add({std::to_string(archetype.id()),
                     Short(static_cast<double>(archetype.max_speed())),
                     Short(static_cast<double>(archetype.max_force())),
                     Short(static_cast<double>(archetype.mass())),
                     TermsText(archetype)});
        }
        return page.archetypes_size();
      });
  if (!status.ok()) return session.Fail(status);
  if (!session.json()) session.Print(table);
  return kOk;
}

}  // namespace

void AddAgentCommands(CommandLine& line) {
  const auto options = std::make_shared<AgentsOptions>();
  Command& agents = line.Add(kAgents);
  agents.World(options->world);
  Option& ids =
      agents.Texts("ID", options->ids, "ID", "these agents").Fills("agent_ids");
  agents
      .Value("--limit", options->limit, "N",
             "the most agents to list; default 100, 0 for all")
      .Excludes(ids);
  agents.Switch("--long", options->more,
                "show seed, groups, facing and wander, too");
  agents.Does([options](Session& session) {
    return options->ids.empty() ? ShowFirst(session, *options)
                                : ShowNamed(session, *options);
  });

  const auto world = std::make_shared<std::string>();
  Command& archetypes = line.Add(kArchetypes);
  archetypes.World(*world);
  archetypes.Does(
      [world](Session& session) { return ShowArchetypes(session, *world); });
}

}  // namespace meander::ctl
