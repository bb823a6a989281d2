#include "server/hosting/command_inbox.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/codec/command_codec.h"
#include "core/validation.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;
using core::IndexPath;
using core::JoinPath;

core::Error OverQuota(const std::string& what, std::int64_t have,
                      std::int64_t more, std::int64_t limit) {
  return {ErrorCode::kQuotaExceeded, "",
          what + ": " + std::to_string(have) + " and " + std::to_string(more) +
              " more would exceed the limit of " + std::to_string(limit)};
}

std::int64_t Signed(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

// Each with a field: that of the command where the command as a whole was
// refused.
core::Violations Refusals(const AdmissionResults& results) {
  core::Violations refusals;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].ok()) continue;
    refusals.push_back(results[i].error());
    std::string& field = refusals.back().field;
    if (field.empty()) field = IndexPath("commands", i);
  }
  return refusals;
}

}  // namespace

// A batch on its way in: checked and encoded, but without a place in the order
// of things. That much depends on the batch alone.
struct CommandInbox::Draft {
  AdmissionResults results;  // of the batch
  // Of each command that is well formed:
  std::vector<std::size_t> indices;             // in the batch
  std::vector<core::AdmittedCommand> commands;  // apply_tick as it was asked
  std::vector<log::LogRecord> records;          // until a plan takes them
};

// Places for the commands of a draft, and what admission will be like once they
// are committed.
struct CommandInbox::Plan {
  std::int64_t next_sequence = 1;
  core::Admitted admitted;
  Horizon horizon;
  std::int64_t taken_agents = 0;  // of the budget

  std::vector<std::size_t> drafts;      // which of the draft it admits
  std::vector<log::LogRecord> records;  // of each
};

// How it went. Nothing was done when it is late or refused.
struct CommandInbox::Commitment {
  std::int64_t newest_tick = 0;
  bool late = false;  // a tick of the plan has been collected meanwhile
  std::optional<core::Error> refusal;
};

CommandInbox::CommandInbox(std::string uid,
                           const core::SimulationConfig& config,
                           const Limits& limits, log::WorldLog& log,
                           AgentBudget& budget, WorldRequestBook& requests)
    : uid_(std::move(uid)),
      config_(config),
      limits_(limits),
      log_(log),
      budget_(budget),
      requests_(requests),
      history_(limits.max_kept_outcomes) {}

core::Result<Admission, core::Violations> CommandInbox::Admit(
    std::span<BatchCommand> batch, const AdmissionOptions& options) {
  if (std::optional<core::Error> refusal = CheckBatch(batch.size())) {
    return core::Violations{*std::move(refusal)};
  }
  Draft draft = MakeDraft(batch);

  const std::lock_guard lock(admission_mutex_);
  if (!options.key) return AdmitDraft(draft, options);
  // One batch at a time, so that one that comes twice at once is found, too.
  const auto kept = requests_.Find(*options.key);
  if (!kept.ok()) return core::Violations{kept.error()};
  if (*kept) return std::get<KeptAdmission>(**kept).Unpack();
  core::Result<Admission, core::Violations> admission =
      AdmitDraft(draft, options);
  if (admission.ok()) {
    KeptAdmission answer(*admission);
    const std::size_t bytes = answer.bytes();
    requests_.Keep(*options.key, std::move(answer), bytes);
  }
  return admission;
}

void CommandInbox::SetInputDelay(std::int64_t ticks) {
  const std::lock_guard lock(mutex_);
  horizon_.input_delay = ticks;
}

std::span<const core::AdmittedCommand> CommandInbox::Collect(
    std::int64_t tick) {
  bool any = false;
  {
    const std::lock_guard lock(mutex_);
    MEANDER_CHECK(tick == horizon_.collected_tick + 1);
    horizon_.collected_tick = tick;
    any = loads_.contains(tick);
  }
  if (any) log_.Collect(uid_, tick, records_);
  for (const log::LogRecord& record : records_) {
    core::Result<core::AdmittedCommand> command =
        core::DecodeCommand(record.bytes);
    MEANDER_CHECK(command.ok());  // for we have encoded it
    commands_.push_back(*std::move(command));
  }
  records_.clear();
  return commands_;
}

void CommandInbox::Skip(std::int64_t tick) {
  const std::lock_guard lock(mutex_);
  MEANDER_CHECK(loads_.empty() && tick >= horizon_.collected_tick);
  horizon_.collected_tick = horizon_.newest_tick = tick;
}

void CommandInbox::Applied(std::span<const core::CommandOutcome> outcomes,
                           std::int64_t live_agents) {
  const std::lock_guard lock(mutex_);
  history_.End(horizon_.collected_tick, commands_, outcomes);
  commands_.clear();
  const std::int64_t agents_before = horizon_.agents();
  horizon_.newest_tick = horizon_.collected_tick;
  horizon_.live_agents = live_agents;
  const auto applied = loads_.find(horizon_.collected_tick);
  if (applied != loads_.end()) {
    horizon_.pending.commands -= applied->second.commands;
    horizon_.pending.bytes -= applied->second.bytes;
    horizon_.pending.spawns -= applied->second.spawns;
    loads_.erase(applied);
  }
  if (!closed_) budget_.Return(agents_before - horizon_.agents());
}

core::Result<std::vector<CommandReport>> CommandInbox::Reports(
    std::span<const std::int64_t> sequences) const {
  std::vector<CommandReport> reports;
  reports.reserve(sequences.size());
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto report = history_.Find(sequences[i]);
    if (!report) {
      return core::Error{ErrorCode::kOutOfBounds, IndexPath("sequences", i),
                         "must be of a command that was admitted, 1 to " +
                             std::to_string(history_.last_sequence()) +
                             "; it is " + std::to_string(sequences[i])};
    }
    reports.push_back(*report);
  }
  return reports;
}

std::int64_t CommandInbox::pending() const {
  const std::lock_guard lock(mutex_);
  return Signed(horizon_.pending.commands);
}

void CommandInbox::Close(const core::Error& error) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  closed_ = error;
  budget_.Return(horizon_.agents());
}

std::optional<core::Error> CommandInbox::CheckBatch(
    std::size_t commands) const {
  if (commands == 0) {
    return core::Error{ErrorCode::kMalformed, "commands",
                       "must hold at least one command"};
  }
  if (commands > limits_.max_batch_commands) {
    return core::Error{ErrorCode::kOutOfBounds, "commands",
                       "must hold at most " +
                           std::to_string(limits_.max_batch_commands) +
                           " commands; it holds " + std::to_string(commands)};
  }
  const std::lock_guard lock(mutex_);
  return closed_;
}

// Everything that does not depend on where the world stands.
CommandInbox::Draft CommandInbox::MakeDraft(
    std::span<BatchCommand> batch) const {
  Draft draft;
  draft.results.reserve(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!batch[i].ok()) {
      draft.results.emplace_back(batch[i].error());
      continue;
    }
    core::Violations violations =
        core::Validate(*batch[i], config_, IndexPath("commands", i));
    if (!violations.empty()) {
      draft.results.emplace_back(std::move(violations.front()));
      continue;
    }
    draft.results.emplace_back(CommandAdmission{});
    draft.indices.push_back(i);
    draft.commands.push_back({.apply_tick = batch[i]->apply_tick,
                              .operation = std::move(batch[i]->operation)});
    log::LogRecord& record = draft.records.emplace_back();
    core::EncodeCommand(draft.commands.back(), record.bytes);
  }
  return draft;
}

core::Result<Admission, core::Violations> CommandInbox::AdmitDraft(
    Draft& draft, const AdmissionOptions& options) {
  // A round that must be repeated refuses one command more, at least, the next
  // time: so this ends.
  for (;;) {
    if (auto admission = TryAdmit(draft, options)) return *std::move(admission);
  }
}

// Empty when a command has become late that must not move: what comes after it
// may depend on it, so that it has to be planned anew.
std::optional<core::Result<Admission, core::Violations>> CommandInbox::TryAdmit(
    Draft& draft, const AdmissionOptions& options) {
  Plan plan = MakePlan(draft, options.late_policy);
  if (options.all_or_nothing) {
    core::Violations refusals = Refusals(draft.results);
    if (!refusals.empty()) {
      budget_.Return(plan.taken_agents);
      return refusals;
    }
  }
  Commitment commitment = Commit(draft, plan, options.late_policy);
  if (commitment.late || commitment.refusal) {
    budget_.Return(plan.taken_agents);
  } else {
    next_sequence_ = plan.next_sequence;
    admitted_ = plan.admitted;
  }
  if (commitment.late) {
    for (std::size_t i = 0; i < plan.drafts.size(); ++i) {
      draft.records[plan.drafts[i]] = std::move(plan.records[i]);
    }
    return std::nullopt;
  }
  if (commitment.refusal) {
    // A store that is full refuses commands; else there is no world any more.
    if (options.all_or_nothing ||
        commitment.refusal->code != ErrorCode::kQuotaExceeded) {
      return core::Violations{*std::move(commitment.refusal)};
    }
    for (const std::size_t i : plan.drafts) {
      draft.results[draft.indices[i]] = *commitment.refusal;
    }
  }
  return Admission{std::move(draft.results), commitment.newest_tick};
}

CommandInbox::Plan CommandInbox::MakePlan(Draft& draft,
                                          LatePolicy late_policy) const {
  Plan plan;
  plan.next_sequence = next_sequence_;
  plan.admitted = admitted_;
  {
    const std::lock_guard lock(mutex_);
    plan.horizon = horizon_;
  }
  for (std::size_t i = 0; i < draft.commands.size(); ++i) {
    draft.results[draft.indices[i]] = PlanCommand(draft, i, late_policy, plan);
  }
  return plan;
}

core::Result<CommandAdmission> CommandInbox::PlanCommand(Draft& draft,
                                                         std::size_t index,
                                                         LatePolicy late_policy,
                                                         Plan& plan) const {
  const core::AdmittedCommand& command = draft.commands[index];
  log::LogRecord& record = draft.records[index];
  const std::string path = IndexPath("commands", draft.indices[index]);
  const core::Result<std::int64_t> tick =
      ChooseTick(command.apply_tick, late_policy, path, plan.horizon);
  if (!tick.ok()) return tick.error();
  if (auto refusal =
          core::CheckReferences(command.operation, plan.admitted, path)) {
    return *std::move(refusal);
  }
  const std::int64_t spawns = core::SpawnCount(command.operation);
  if (auto refusal = CheckCounts(spawns, plan.horizon)) {
    return *std::move(refusal);
  }
  if (auto refusal = CheckBytes(record.bytes.size(), plan.horizon)) {
    return *std::move(refusal);
  }
  if (!budget_.Take(spawns)) {
    return OverQuota("agents of all worlds, alive and pending", budget_.taken(),
                     spawns, budget_.most());
  }
  record.sequence = plan.next_sequence;
  record.apply_tick = *tick;
  record.first_agent_id = spawns > 0 ? plan.admitted.next_agent_id : 0;
  record.agent_count = spawns;
  core::SetPlace(record.sequence, record.apply_tick, record.first_agent_id,
                 record.bytes);
  const CommandAdmission admission{.sequence = record.sequence,
                                   .apply_tick = record.apply_tick,
                                   .first_agent_id = record.first_agent_id,
                                   .agent_count = spawns};
  if (const auto* define =
          std::get_if<core::DefineArchetype>(&command.operation)) {
    plan.admitted.archetypes.set(
        static_cast<std::size_t>(define->archetype.id));
  }
  plan.next_sequence += 1;
  plan.admitted.next_agent_id += spawns;
  plan.taken_agents += spawns;
  plan.horizon.pending.Add(record);
  plan.drafts.push_back(index);
  plan.records.push_back(std::move(record));
  return admission;
}

core::Result<std::int64_t> CommandInbox::ChooseTick(
    std::int64_t wanted, LatePolicy policy, const std::string& path,
    const Horizon& horizon) const {
  const std::int64_t next_tick = horizon.collected_tick + 1;
  if (wanted == 0) {
    return std::max(horizon.newest_tick + horizon.input_delay, next_tick);
  }
  const std::int64_t farthest =
      horizon.collected_tick + limits_.max_ticks_ahead;
  if (wanted > farthest) {
    return core::Error{ErrorCode::kTickTooFar, JoinPath(path, "apply_tick"),
                       "must be at most " +
                           std::to_string(limits_.max_ticks_ahead) +
                           " ticks ahead, now " + std::to_string(farthest) +
                           "; it is " + std::to_string(wanted)};
  }
  if (wanted < next_tick && policy == LatePolicy::kReject) {
    return core::Error{ErrorCode::kTickLate, JoinPath(path, "apply_tick"),
                       "must be at least " + std::to_string(next_tick) +
                           ", the first tick whose commands have not been "
                           "collected; it is " +
                           std::to_string(wanted)};
  }
  return std::max(wanted, next_tick);
}

std::optional<core::Error> CommandInbox::CheckCounts(
    std::int64_t spawns, const Horizon& horizon) const {
  const TickLoad& pending = horizon.pending;
  const std::int64_t agents = horizon.agents();
  if (spawns > 0 && spawns > config_.max_agents - agents) {
    return OverQuota("agents, alive and pending", agents, spawns,
                     config_.max_agents);
  }
  if (pending.commands < limits_.max_pending_commands) return std::nullopt;
  return OverQuota("pending commands", Signed(pending.commands), 1,
                   Signed(limits_.max_pending_commands));
}

std::optional<core::Error> CommandInbox::CheckBytes(
    std::size_t bytes, const Horizon& horizon) const {
  const std::size_t pending = horizon.pending.bytes;
  if (bytes <= limits_.max_pending_bytes - pending) return std::nullopt;
  return OverQuota("bytes of pending commands", Signed(pending), Signed(bytes),
                   Signed(limits_.max_pending_bytes));
}

CommandInbox::Commitment CommandInbox::Commit(Draft& draft, Plan& plan,
                                              LatePolicy late_policy) {
  const std::lock_guard lock(mutex_);
  Commitment commitment{.newest_tick = horizon_.newest_tick};
  commitment.refusal = closed_;
  if (closed_) return commitment;
  commitment.late = !MoveLate(draft, plan, late_policy);
  if (commitment.late) return commitment;
  std::map<std::int64_t, TickLoad> loads;
  for (const log::LogRecord& record : plan.records) {
    loads[record.apply_tick].Add(record);
  }
  commitment.refusal = log_.Append(uid_, plan.records);
  if (commitment.refusal) return commitment;
  for (const auto& [tick, load] : loads) {
    loads_[tick].Add(load);
    horizon_.pending.Add(load);
  }
  for (const log::LogRecord& record : plan.records) {
    history_.Admit(record.sequence, record.apply_tick);
  }
  return commitment;
}

// Steps may have collected ticks since the plan began. What was meant for one
// of them goes to the next one, as if it had come now; false when there is
// something that must not.
bool CommandInbox::MoveLate(Draft& draft, Plan& plan,
                            LatePolicy late_policy) const {
  const std::int64_t next_tick = horizon_.collected_tick + 1;
  for (std::size_t i = 0; i < plan.records.size(); ++i) {
    log::LogRecord& record = plan.records[i];
    if (record.apply_tick >= next_tick) continue;
    const std::size_t index = plan.drafts[i];
    const bool asked = draft.commands[index].apply_tick != 0;
    if (asked && late_policy == LatePolicy::kReject) return false;
    record.apply_tick = next_tick;
    core::SetPlace(record.sequence, record.apply_tick, record.first_agent_id,
                   record.bytes);
    draft.results[draft.indices[index]]->apply_tick = next_tick;
  }
  return true;
}

}  // namespace meander::hosting
