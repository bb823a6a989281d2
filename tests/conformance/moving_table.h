// The tables of README.md: what of Meander reproduces each function of the
// libraries that teams come from. The tests run the archetypes of the first
// table, so that a row which does not reproduce its origin fails.
//
// An archetype is written as fields, `name: value` or `name { fields }`, with
// the protocol's names; <name> stands for the origin's parameter. max_speed,
// max_force and mass are those of the origin's agent unless they are written.
#ifndef MEANDER_TESTS_CONFORMANCE_MOVING_TABLE_H_
#define MEANDER_TESTS_CONFORMANCE_MOVING_TABLE_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/archetype.h"

namespace meander::core {

struct MovingTable {
  // By "behaviour/variant": the archetype, as it is written.
  std::map<std::string, std::string> archetypes;
  // Cases that are not fed as they stand, and why: an id, or all of a function
  // ("step/four/*").
  std::vector<std::pair<std::string, std::string>> fed_otherwise;

  bool IsFedOtherwise(const std::string& id) const;
};

// From README.md. Throws std::runtime_error when a row is not one.
const MovingTable& TheMovingTable();

// The archetype that is written, with the origin's parameters from `inputs`.
// `index` is what <index> stands for. Throws std::runtime_error for what is no
// archetype, or names a parameter that is not there.
Archetype MakeArchetype(const std::string& written,
                        const nlohmann::json& inputs, std::int32_t index = 0);

}  // namespace meander::core

#endif  // MEANDER_TESTS_CONFORMANCE_MOVING_TABLE_H_
