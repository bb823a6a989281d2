// Admission: where commands become part of a world's future.
//
// A command is admitted whole or refused whole; a refused one takes neither a
// sequence number nor agent ids. What is admitted is in the log before its
// number is known to anybody, for a tick that no step has collected yet, and
// quotas count what is pending. Any thread may admit; one at a time collects.
// Admission checks and encodes without holding up Collect.
#ifndef MEANDER_SERVER_HOSTING_COMMAND_INBOX_H_
#define MEANDER_SERVER_HOSTING_COMMAND_INBOX_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "core/references.h"
#include "core/simulation_config.h"
#include "server/hosting/agent_budget.h"
#include "server/hosting/limits.h"
#include "server/log/world_log.h"

namespace meander::hosting {

struct CommandAdmission {
  std::int64_t sequence = 0;
  std::int64_t apply_tick = 0;
  core::AgentId first_agent_id = 0;  // SpawnAgents; else 0
  std::int64_t agent_count = 0;      // SpawnAgents; else 0

  bool operator==(const CommandAdmission&) const = default;
};

// A command of a batch, or why it could not even be read.
using BatchCommand = core::Result<core::Command>;
// One for each command of a batch, in its order.
using AdmissionResults = std::vector<core::Result<CommandAdmission>>;

class CommandInbox {
 public:
  // `log` already has the world. Limits, log and budget outlive the inbox.
  CommandInbox(std::string uid, const core::SimulationConfig& config,
               const Limits& limits, log::WorldLog& log, AgentBudget& budget);

  // Admits each command by itself, and takes what it admits out of the batch.
  // The batch as a whole is refused when it is empty or too large (the field
  // is "commands") and after Close. A command that could not be read is
  // refused with its own error; fields of others are named from "commands[i]".
  core::Result<AdmissionResults> Admit(std::span<BatchCommand> batch);

  // Closes `tick`, the one after the last collected, to admission and returns
  // its commands in ascending sequence; valid until the next call.
  std::span<const core::AdmittedCommand> Collect(std::int64_t tick);

  // The step that collected last has ended; so many agents live.
  void Applied(std::int64_t live_agents);

  // Commands admitted for a tick whose step has not ended.
  std::int64_t pending() const;

  // Refuses everything from now on and returns what it took of the budget.
  void Close(const core::Error& error);

 private:
  // What is pending for one tick.
  struct TickLoad {
    std::size_t commands = 0;
    std::size_t bytes = 0;
    std::int64_t spawns = 0;

    void Add(const log::LogRecord& record) {
      Add(TickLoad{1, record.bytes.size(), record.agent_count});
    }
    void Add(const TickLoad& other) {
      commands += other.commands;
      bytes += other.bytes;
      spawns += other.spawns;
    }
  };
  // Where the step stands and what is pending, as admission needs it.
  struct Horizon {
    std::int64_t collected_tick = 0;
    std::int64_t live_agents = 0;
    TickLoad pending;

    std::int64_t agents() const { return live_agents + pending.spawns; }
  };
  struct Plan;

  std::optional<core::Error> CheckBatch(std::size_t commands) const;
  AdmissionResults CheckForm(std::span<const BatchCommand> batch) const;
  Plan BeginPlan() const;
  core::Result<CommandAdmission> PlanCommand(core::Command& command,
                                             const std::string& path,
                                             Plan& plan) const;
  core::Result<std::int64_t> ChooseTick(std::int64_t wanted,
                                        const std::string& path,
                                        const Horizon& horizon) const;
  std::optional<core::Error> CheckCounts(std::int64_t spawns,
                                         const Horizon& horizon) const;
  std::optional<core::Error> CheckBytes(std::size_t bytes,
                                        const Horizon& horizon) const;
  std::optional<core::Error> Commit(Plan& plan, AdmissionResults& results);
  void MoveLate(Plan& plan, AdmissionResults& results) const;

  const std::string uid_;
  const core::SimulationConfig config_;
  const Limits& limits_;
  log::WorldLog& log_;
  AgentBudget& budget_;  // has given what lives and what is pending

  // Admission, one batch at a time. Taken before mutex_.
  std::mutex admission_mutex_;
  std::int64_t next_sequence_ = 1;
  core::Admitted admitted_;  // by commands so far

  mutable std::mutex mutex_;  // held for moments only; guards:
  Horizon horizon_;
  std::map<std::int64_t, TickLoad> loads_;  // by tick, none empty
  std::optional<core::Error> closed_;

  // Of the thread that collects.
  std::vector<log::LogRecord> records_;
  std::vector<core::AdmittedCommand> commands_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_COMMAND_INBOX_H_
