// Worlds as a person reads them. Pure functions.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_WORLD_TEXT_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_WORLD_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "client_examples/meanderctl/table.h"
#include "meander/v1/world.pb.h"

namespace meander::ctl {

// One world on many lines.
std::vector<std::string> Describe(const v1::World& world);

// Worlds in a table, a line for each.
std::vector<Column> WorldColumns();
std::vector<std::string> WorldCells(const v1::World& world);

// A message's optional state_hash.
template <typename Message>
std::string HashOf(const Message& message) {
  return Hash(message.has_state_hash()
                  ? std::optional<std::uint64_t>(message.state_hash())
                  : std::nullopt);
}

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_WORLD_TEXT_H_
