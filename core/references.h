// Whether what an operation names was admitted before it.
//
// The one rule that admission, and whoever checks what was admitted (snapshots,
// later logs and lockstep), share. Pure functions.
#ifndef MEANDER_CORE_REFERENCES_H_
#define MEANDER_CORE_REFERENCES_H_

#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/archetype.h"
#include "core/command.h"
#include "core/error.h"

namespace meander::core {

// By id.
using ArchetypeSet = std::bitset<std::size_t{kMaxArchetypeId} + 1>;

// What was admitted before a command.
struct Admitted {
  AgentId next_agent_id = 1;  // every id below it was given out
  // Defined by some command, also those that were removed again: whether one
  // is there at a tick is for application.
  ArchetypeSet archetypes;
};

// The first thing that the operation names and that was not admitted before
// it: kAgentNotFound or kArchetypeUnknown, with the field named below `path` as
// in the protocol's Command. Precondition: the operation is valid.
std::optional<Error> CheckReferences(const Operation& operation,
                                     const Admitted& before,
                                     std::string_view path);

}  // namespace meander::core

#endif  // MEANDER_CORE_REFERENCES_H_
