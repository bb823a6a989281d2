#include "client_examples/meanderctl/world_text.h"

#include <cstdint>
#include <map>

#include "client_examples/meanderctl/values.h"

namespace meander::ctl {
namespace {

std::string Labels(const v1::World& world) {
  // In one order, whatever that of the map.
  const std::map<std::string, std::string> labels(world.labels().begin(),
                                                  world.labels().end());
  std::string out;
  for (const auto& [key, value] : labels) {
    if (!out.empty()) out += ' ';
    out += key + '=' + value;
  }
  return out;
}

std::string Clock(const v1::World& world) {
  const v1::HostingConfig& hosting = world.hosting();
  std::string out = Word(hosting.clock_mode());
  if (hosting.clock_mode() == v1::CLOCK_MODE_REALTIME) {
    out += ", " + std::to_string(world.simulation().tick_rate_hz()) +
           " ticks/s x " + Short(hosting.time_scale());
  }
  if (hosting.clock_mode() == v1::CLOCK_MODE_UNTHROTTLED) {
    out += " until tick " + std::to_string(hosting.until_tick());
  }
  return out;
}

std::string Outcomes(const v1::CommandOutcomeCounts& counts) {
  std::string out = std::to_string(counts.applied()) + " applied";
  const auto add = [&out](std::int64_t count, const char* what) {
    if (count != 0) out += ", " + std::to_string(count) + ' ' + what;
  };
  add(counts.agent_gone(), "agent-gone");
  add(counts.archetype_unknown(), "archetype-unknown");
  add(counts.world_full(), "world-full");
  add(counts.archetype_in_use(), "archetype-in-use");
  return out;
}

std::string IdleTtl(const v1::HostingConfig& hosting) {
  const double seconds = static_cast<double>(hosting.idle_ttl().seconds()) +
                         hosting.idle_ttl().nanos() * 1e-9;
  return seconds == 0.0 ? "none" : Short(seconds) + " s";
}

}  // namespace

std::vector<std::string> Describe(const v1::World& world) {
  std::vector<std::string> lines;
  const auto add = [&lines](std::string name, const std::string& value) {
    name.resize(16, ' ');
    lines.push_back(name + value);
  };
  const v1::SimulationConfig& simulation = world.simulation();
  const v1::Bounds& bounds = simulation.bounds();
  lines.push_back(world.name());
  add("  state", Word(world.state()));
  add("  clock", Clock(world));
  add("  tick", std::to_string(world.tick()) + " of epoch " +
                    std::to_string(world.epoch()));
  add("  state hash", HashOf(world));
  add("  agents", std::to_string(world.agent_count()) + " of " +
                      std::to_string(simulation.max_agents()));
  add("  archetypes", std::to_string(world.archetype_count()));
  add("  commands", std::to_string(world.pending_command_count()) +
                        " pending, " + Outcomes(world.command_outcomes()));
  add("  slipped ticks", std::to_string(world.slipped_ticks()));
  add("  bound stops", std::to_string(world.bound_stops()));
  for (const std::string& hint : world.hints()) add("  hint", hint);
  add("  seed", std::to_string(simulation.seed()));
  add("  plane", Word(simulation.plane()));
  add("  bounds", Point(bounds.min()) + " to " + Point(bounds.max()) + ", " +
                      Word(bounds.mode()));
  add("  cell size", Short(static_cast<double>(simulation.cell_size())));
  add("  input delay", std::to_string(world.hosting().input_delay_ticks()));
  add("  hash interval", std::to_string(world.hosting().hash_interval_ticks()));
  add("  idle ttl", IdleTtl(world.hosting()));
  add("  durability", Word(world.hosting().durability()));
  add("  labels", Labels(world));
  add("  uid", world.uid());
  return lines;
}

std::vector<Column> WorldColumns() {
  return {{"WORLD"},         {"STATE"},        {"CLOCK"},
          {"TICK", true},    {"AGENTS", true}, {"PENDING", true},
          {"SLIPPED", true}, {"HASH"},         {"LABELS"}};
}

std::vector<std::string> WorldCells(const v1::World& world) {
  return {world.name(),
          Word(world.state()),
          Word(world.hosting().clock_mode()),
          std::to_string(world.tick()),
          std::to_string(world.agent_count()),
          std::to_string(world.pending_command_count()),
          std::to_string(world.slipped_ticks()),
          HashOf(world),
          Labels(world)};
}

}  // namespace meander::ctl
