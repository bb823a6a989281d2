#include "tests/conformance/moving_table.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace meander::core {
namespace {

using nlohmann::json;

[[noreturn]] void Fail(const std::string& what) {
  throw std::runtime_error(what);
}

// What stands between braces.
struct Fields {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<Fields> groups;
};

Fields ParseFields(std::istream& words, bool inner) {
  Fields fields;
  for (std::string name; words >> name;) {
    if (name == "}") {
      if (!inner) Fail("a } too many");
      return fields;
    }
    std::string value;
    if (name.back() == ':') {
      if (!(words >> value)) Fail("no value for " + name);
      name.pop_back();
      fields.values.emplace_back(name, value);
    } else if (words >> value && value == "{") {
      fields.groups.push_back(ParseFields(words, true));
      fields.groups.back().name = name;
    } else {
      Fail("neither a value nor fields: " + name);
    }
  }
  if (inner) Fail("a } is missing");
  return fields;
}

// Hands out the values of fields, and knows which were asked for.
class Reader {
 public:
  Reader(const Fields& fields, const json& inputs) {
    for (const auto& [name, written] : fields.values) {
      if (!values_.emplace(name, Resolve(written, inputs)).second) {
        Fail("twice: " + name);
      }
    }
  }

  template <typename T>
  void Read(const std::string& name, T& field) {
    if (const json* value = Take(name)) field = value->get<T>();
  }
  // Null is unset.
  void Read(const std::string& name, std::optional<float>& field) {
    const json* value = Take(name);
    if (value != nullptr && !value->is_null()) field = value->get<float>();
  }
  template <typename T>
  void Read(const std::string& name, T& field,
            const std::map<std::string, T>& names) {
    const json* value = Take(name);
    if (value == nullptr || value->is_null()) return;
    const auto found = names.find(value->get<std::string>());
    if (found == names.end()) Fail("no value of " + name);
    field = found->second;
  }
  void Done() const {
    for (const auto& [name, value] : values_) {
      if (taken_.count(name) == 0) Fail("no such field: " + name);
    }
  }

 private:
  static json Resolve(const std::string& written, const json& inputs) {
    if (written.front() != '<') {
      const json literal = json::parse(written, nullptr, false);
      return literal.is_discarded() ? json(written) : literal;
    }
    const std::string name = written.substr(1, written.size() - 2);
    if (inputs.contains(name)) return inputs.at(name);
    return inputs.at("agent").at(name);
  }
  const json* Take(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end()) return nullptr;
    taken_.insert(name);
    return &found->second;
  }

  std::map<std::string, json> values_;
  std::set<std::string> taken_;
};

const std::map<std::string, Lead> kLeads{{"INTERCEPT", Lead::kIntercept},
                                         {"CLOSING", Lead::kClosing},
                                         {"DISTANCE", Lead::kDistance}};

void ReadNeighborhood(Reader& reader, Neighborhood& neighborhood) {
  reader.Read("radius", neighborhood.radius);
  reader.Read("field_of_view", neighborhood.field_of_view);
}

template <typename Wander>
void ReadWander(Reader& reader, Wander& wander) {
  reader.Read("radius", wander.radius);
  reader.Read("distance", wander.distance);
  reader.Read("jitter", wander.jitter);
}

void ReadInto(Reader&, Seek&) {}
void ReadInto(Reader&, Brake&) {}
void ReadInto(Reader& reader, Flee& flee) {
  reader.Read("range", flee.range);
  reader.Read("edge_inclusive", flee.edge_inclusive);
  reader.Read("at_center", flee.at_center,
              {{"BRAKE", AtCenter::kBrake}, {"ZERO", AtCenter::kZero}});
}
void ReadInto(Reader& reader, Arrive& arrive) {
  reader.Read("slowing_radius", arrive.slowing_radius);
}
void ReadInto(Reader& reader, KeepAway& keep_away) {
  reader.Read("radius", keep_away.radius);
}
void ReadInto(Reader& reader, Pursue& pursue) {
  reader.Read("lead", pursue.lead, kLeads);
  reader.Read("max_prediction", pursue.max_prediction);
  reader.Read("slowing_radius", pursue.slowing_radius);
}
void ReadInto(Reader& reader, Evade& evade) {
  reader.Read("lead", evade.lead, kLeads);
  reader.Read("max_prediction", evade.max_prediction);
}
void ReadInto(Reader& reader, WanderWorldAngle& wander) {
  ReadWander(reader, wander);
}
void ReadInto(Reader& reader, WanderSpherical& wander) {
  ReadWander(reader, wander);
}
void ReadInto(Reader& reader, WanderHeadingOffset& wander) {
  ReadWander(reader, wander);
  reader.Read("plane", wander.plane,
              {{"xy", Plane::kXY}, {"xz", Plane::kXZ}, {"yz", Plane::kYZ}});
}
void ReadInto(Reader& reader, Separation& separation) {
  ReadNeighborhood(reader, separation.neighborhood);
  reader.Read("falloff", separation.falloff,
              {{"INVERSE", Falloff::kInverse},
               {"NEAREST_FADE", Falloff::kNearestFade},
               {"LINEAR", Falloff::kLinear}});
  reader.Read("coincident", separation.coincident,
              {{"SPREAD", Coincident::kSpread}, {"SKIP", Coincident::kSkip}});
}
void ReadInto(Reader& reader, Alignment& alignment) {
  ReadNeighborhood(reader, alignment.neighborhood);
}
void ReadInto(Reader& reader, Cohesion& cohesion) {
  ReadNeighborhood(reader, cohesion.neighborhood);
  reader.Read("mode", cohesion.mode,
              {{"SEEK", CohesionMode::kSeek}, {"PULL", CohesionMode::kPull}});
}

template <typename T>
Behavior ReadAs(const Fields& fields, const json& inputs) {
  T behavior;
  Reader reader(fields, inputs);
  ReadInto(reader, behavior);
  reader.Done();
  return behavior;
}

Behavior ReadBehavior(const Fields& fields, const json& inputs) {
  using Read = Behavior (*)(const Fields&, const json&);
  static const std::map<std::string, Read> kReads{
      {"seek", ReadAs<Seek>},
      {"flee", ReadAs<Flee>},
      {"arrive", ReadAs<Arrive>},
      {"keep_away", ReadAs<KeepAway>},
      {"brake", ReadAs<Brake>},
      {"pursue", ReadAs<Pursue>},
      {"evade", ReadAs<Evade>},
      {"wander_world_angle", ReadAs<WanderWorldAngle>},
      {"wander_spherical", ReadAs<WanderSpherical>},
      {"wander_heading_offset", ReadAs<WanderHeadingOffset>},
      {"separation", ReadAs<Separation>},
      {"alignment", ReadAs<Alignment>},
      {"cohesion", ReadAs<Cohesion>}};
  const auto found = kReads.find(fields.name);
  if (found == kReads.end()) Fail("no such behavior: " + fields.name);
  return found->second(fields, inputs);
}

Term ReadTerm(const Fields& fields, const json& inputs) {
  Term term;
  Reader reader(fields, inputs);
  reader.Read("weight", term.weight);
  reader.Read("level", term.level);
  reader.Done();
  if (fields.groups.size() > 1) Fail("more than one behavior in a term");
  for (const Fields& behavior : fields.groups) {
    term.behavior = ReadBehavior(behavior, inputs);
  }
  return term;
}

Facing ReadFacing(const Fields& fields, const json& inputs) {
  Facing facing;
  Reader reader(fields, inputs);
  reader.Read("turn_rate", facing.turn_rate);
  reader.Read("min_facing_speed", facing.min_facing_speed);
  reader.Done();
  return facing;
}

// The cells of a row that begins with code; empty when it is no such row.
std::vector<std::string> Cells(const std::string& line) {
  std::vector<std::string> cells;
  if (line.rfind("| `", 0) != 0) return cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    const std::size_t last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos
                        ? std::string()
                        : cell.substr(first, last - first + 1));
  }
  return cells;
}

std::string Code(const std::string& cell) {
  if (cell.size() < 2 || cell.front() != '`' || cell.back() != '`') {
    Fail("not code: " + cell);
  }
  return cell.substr(1, cell.size() - 2);
}

MovingTable ReadTables(std::istream& in) {
  MovingTable table;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> cells = Cells(line);
    if (cells.empty()) continue;
    const std::string name = Code(cells[0]);
    if (cells.size() == 2) {
      table.fed_otherwise.emplace_back(name, cells[1]);
    } else if (!table.archetypes.emplace(name, Code(cells.back())).second) {
      Fail("a second row for " + name);
    }
  }
  return table;
}

}  // namespace

bool MovingTable::IsFedOtherwise(const std::string& id) const {
  const std::string all = id.substr(0, id.rfind('/')) + "/*";
  return std::any_of(
      fed_otherwise.begin(), fed_otherwise.end(),
      [&](const auto& row) { return row.first == id || row.first == all; });
}

const MovingTable& TheMovingTable() {
  static const auto* const table = [] {
    std::ifstream in("tests/conformance/README.md");
    if (!in.good()) Fail("to be run from the root of the repository");
    return new MovingTable(ReadTables(in));
  }();
  return *table;
}

Archetype MakeArchetype(const std::string& written, const json& inputs,
                        std::int32_t index) {
  std::istringstream words(written);
  const Fields fields = ParseFields(words, false);
  json all = inputs;
  all["index"] = index;
  Archetype archetype;
  if (inputs.contains("agent")) {
    archetype.max_speed = inputs.at("agent").at("max_speed").get<float>();
    archetype.max_force = inputs.at("agent").at("max_force").get<float>();
    archetype.mass = inputs.at("agent").at("mass").get<float>();
  }
  Reader reader(fields, all);
  reader.Read("max_speed", archetype.max_speed);
  reader.Read("max_force", archetype.max_force);
  reader.Read("mass", archetype.mass);
  reader.Read("limit_each_term", archetype.limit_each_term);
  reader.Read("overspeed_time_constant", archetype.overspeed_time_constant);
  reader.Read("combine", archetype.combine,
              {{"WEIGHTED_SUM", Combine::kWeightedSum},
               {"PRIORITY_BUDGET", Combine::kPriorityBudget},
               {"FIRST_NONZERO", Combine::kFirstNonzero}});
  reader.Done();
  for (const Fields& group : fields.groups) {
    if (group.name == "terms") {
      archetype.terms.push_back(ReadTerm(group, all));
    } else if (group.name == "facing") {
      archetype.facing = ReadFacing(group, all);
    } else {
      Fail("no such field: " + group.name);
    }
  }
  return archetype;
}

}  // namespace meander::core
