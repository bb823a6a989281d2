// Commands: the only way to change a running world. Plain data.
//
// A Command is what a client asks for. Admission (the host's) checks it, gives
// it a sequence number, a tick and agent ids, and makes it an AdmittedCommand.
// Application, at its tick, is total: it happens wholly or has an outcome that
// does nothing, the same in every run.
#ifndef MEANDER_CORE_COMMAND_H_
#define MEANDER_CORE_COMMAND_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/operation.h"
#include "core/simulation_config.h"

namespace meander::core {

struct Command {
  std::int64_t apply_tick = 0;  // 0: the next tick
  Operation operation;

  bool operator==(const Command&) const = default;
};

struct AdmittedCommand {
  std::int64_t sequence = 0;    // from 1; orders the commands of a tick
  std::int64_t apply_tick = 0;  // the tick whose step applies it, from 1
  AgentId first_agent_id = 0;   // SpawnAgents; else 0
  Operation operation;

  bool operator==(const AdmittedCommand&) const = default;
};

// What became of a command at its tick.
enum class CommandOutcome : std::uint8_t {
  kApplied,
  kAgentGone,
  kArchetypeUnknown,
  kWorldFull,
  kArchetypeInUse,
};
inline constexpr std::size_t kCommandOutcomes = 5;

// What is wrong with listing so many agents one by one in one command, for a
// caller that wants to know before it has made them. `path` names the list.
std::optional<Error> CheckListSize(std::size_t agents,
                                   const SimulationConfig& config,
                                   std::string_view path);

// Fields at fault, named below `path` as in the protocol's NewAgent. Velocities
// may be up to `max_speed` (units/s) long.
Violations Validate(const NewAgent& agent, const SimulationConfig& config,
                    std::string_view path,
                    float max_speed = kMaxCommandedSpeed);

// Everything about a command that does not depend on the state of a world:
// fields at fault, named below `path` as in the protocol's Command. Whether
// agents and archetypes exist is for admission.
Violations Validate(const Command& command, const SimulationConfig& config,
                    std::string_view path);

}  // namespace meander::core

#endif  // MEANDER_CORE_COMMAND_H_
