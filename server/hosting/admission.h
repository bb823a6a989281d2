// What goes into admission and what comes out of it.
//
// Plain data.
#ifndef MEANDER_SERVER_HOSTING_ADMISSION_H_
#define MEANDER_SERVER_HOSTING_ADMISSION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "server/hosting/request_book.h"

namespace meander::hosting {

// A command of a batch, or why it could not even be read.
using BatchCommand = core::Result<core::Command>;

// What becomes of a command whose apply_tick has been collected already.
enum class LatePolicy : std::uint8_t {
  kNextTick,  // applies at the first tick that has not
  kReject,    // is refused with kTickLate
};

struct AdmissionOptions {
  bool all_or_nothing = false;  // any refusal refuses the batch
  LatePolicy late_policy = LatePolicy::kNextTick;
  std::optional<RequestKey> key;  // admit at most once under it
};

struct CommandAdmission {
  std::int64_t sequence = 0;
  std::int64_t apply_tick = 0;
  core::AgentId first_agent_id = 0;  // SpawnAgents; else 0
  std::int64_t agent_count = 0;      // SpawnAgents; else 0

  bool operator==(const CommandAdmission&) const = default;
};

// One for each command of a batch, in its order.
using AdmissionResults = std::vector<core::Result<CommandAdmission>>;

// What became of a batch.
struct Admission {
  AdmissionResults results;
  std::int64_t tick = 0;  // the world's newest at admission
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_ADMISSION_H_
