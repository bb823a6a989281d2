// Admission: where commands become part of a world's future.
//
// A command is admitted whole or refused whole; a refused one takes neither a
// sequence number nor agent ids. What is admitted is in the log before its
// number is known to anybody, for a tick that no step has collected yet, and
// quotas count what is pending. Any thread may admit; one at a time collects.
// Admission checks and encodes without holding up Collect, and Collect may
// close ticks meanwhile: what that makes late is moved or refused at the end.
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
#include "server/hosting/admission.h"
#include "server/hosting/agent_budget.h"
#include "server/hosting/limits.h"
#include "server/hosting/outcome_history.h"
#include "server/hosting/world_answer.h"
#include "server/log/world_log.h"

namespace meander::hosting {

class CommandInbox {
 public:
  // `log` already has the world. Everything but the config outlives the inbox.
  CommandInbox(std::string uid, const core::SimulationConfig& config,
               const Limits& limits, log::WorldLog& log, AgentBudget& budget,
               WorldRequestBook& requests);

  // Admits each command by itself, and takes the commands out of the batch. A
  // command that could not be read is refused with its own error; fields of
  // others are named from "commands[i]". A key that was answered before gets
  // the same answer and admits nothing; what is answered is kept under it.
  // The batch as a whole is refused when it is empty or too large (the field
  // is "commands"), when its key is reused, and after Close; with
  // all_or_nothing also with the refusals of its commands, in their order, each
  // of which has a field.
  core::Result<Admission, core::Violations> Admit(
      std::span<BatchCommand> batch, const AdmissionOptions& options = {});

  // How many ticks after the newest one (at least 1, at most max_ticks_ahead)
  // a command without an apply_tick applies.
  void SetInputDelay(std::int64_t ticks);

  // Closes `tick`, the one after the last collected, to admission and returns
  // its commands in ascending sequence; valid until the next call.
  std::span<const core::AdmittedCommand> Collect(std::int64_t tick);

  // Closes every tick up to `tick`, none of which has a command; their steps
  // have ended.
  void Skip(std::int64_t tick);

  // The step that collected last has ended: how each of its commands did, and
  // how many agents live.
  void Applied(std::span<const core::CommandOutcome> outcomes,
               std::int64_t live_agents);

  // One for each sequence. kOutOfBounds when one was never given out, with the
  // field "sequences[i]".
  core::Result<std::vector<CommandReport>> Reports(
      std::span<const std::int64_t> sequences) const;

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
    std::int64_t newest_tick = 0;  // the step of it has ended
    std::int64_t input_delay = 1;
    std::int64_t live_agents = 0;
    TickLoad pending;

    std::int64_t agents() const { return live_agents + pending.spawns; }
  };
  struct Draft;
  struct Plan;
  struct Commitment;

  std::optional<core::Error> CheckBatch(std::size_t commands) const;
  Draft MakeDraft(std::span<BatchCommand> batch) const;
  core::Result<Admission, core::Violations> AdmitDraft(
      Draft& draft, const AdmissionOptions& options);
  std::optional<core::Result<Admission, core::Violations>> TryAdmit(
      Draft& draft, const AdmissionOptions& options);
  Plan MakePlan(Draft& draft, LatePolicy late_policy) const;
  core::Result<CommandAdmission> PlanCommand(Draft& draft, std::size_t index,
                                             LatePolicy late_policy,
                                             Plan& plan) const;
  core::Result<std::int64_t> ChooseTick(std::int64_t wanted, LatePolicy policy,
                                        const std::string& path,
                                        const Horizon& horizon) const;
  std::optional<core::Error> CheckCounts(std::int64_t spawns,
                                         const Horizon& horizon) const;
  std::optional<core::Error> CheckBytes(std::size_t bytes,
                                        const Horizon& horizon) const;
  Commitment Commit(Draft& draft, Plan& plan, LatePolicy late_policy);
  bool MoveLate(Draft& draft, Plan& plan, LatePolicy late_policy) const;

  const std::string uid_;
  const core::SimulationConfig config_;
  const Limits& limits_;
  log::WorldLog& log_;
  AgentBudget& budget_;  // has given what lives and what is pending
  WorldRequestBook& requests_;

  // Admission, one batch at a time. Taken before mutex_.
  std::mutex admission_mutex_;
  std::int64_t next_sequence_ = 1;
  core::Admitted admitted_;  // by commands so far

  mutable std::mutex mutex_;  // held for moments only; guards:
  Horizon horizon_;
  std::map<std::int64_t, TickLoad> loads_;  // by tick, none empty
  OutcomeHistory history_;
  std::optional<core::Error> closed_;

  // Of the thread that collects.
  std::vector<log::LogRecord> records_;
  std::vector<core::AdmittedCommand> commands_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_COMMAND_INBOX_H_
