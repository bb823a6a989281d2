#include "tests/server/hosting/commands.h"

#include <utility>

namespace meander::hosting {

std::vector<BatchCommand> Batch(std::vector<core::Command> commands) {
  std::vector<BatchCommand> batch;
  batch.reserve(commands.size());
  for (core::Command& command : commands) {
    batch.emplace_back(std::move(command));
  }
  return batch;
}

}  // namespace meander::hosting
