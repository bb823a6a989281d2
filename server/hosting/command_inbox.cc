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

}  // namespace

// A batch on its way in: what admission will be like once it is committed.
struct CommandInbox::Plan {
  std::int64_t next_sequence = 1;
  core::Admitted admitted;
  Horizon horizon;
  std::int64_t taken_agents = 0;  // of the budget

  std::vector<core::AdmittedCommand> commands;
  std::vector<log::LogRecord> records;  // of each
  std::vector<std::size_t> places;      // of each, in the batch
};

CommandInbox::CommandInbox(std::string uid,
                           const core::SimulationConfig& config,
                           const Limits& limits, log::WorldLog& log,
                           AgentBudget& budget)
    : uid_(std::move(uid)),
      config_(config),
      limits_(limits),
      log_(log),
      budget_(budget) {}

core::Result<AdmissionResults> CommandInbox::Admit(
    std::span<BatchCommand> batch) {
  if (std::optional<core::Error> refusal = CheckBatch(batch.size())) {
    return *std::move(refusal);
  }
  AdmissionResults results = CheckForm(batch);

  const std::lock_guard admission(admission_mutex_);
  Plan plan = BeginPlan();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!results[i].ok()) continue;
    results[i] = PlanCommand(*batch[i], IndexPath("commands", i), plan);
    if (results[i].ok()) plan.places.push_back(i);
  }
  if (std::optional<core::Error> refusal = Commit(plan, results)) {
    budget_.Return(plan.taken_agents);
    // A store that is full refuses commands; else there is no world any more.
    if (refusal->code != ErrorCode::kQuotaExceeded) return *std::move(refusal);
    for (const std::size_t i : plan.places) results[i] = *refusal;
    return results;
  }
  next_sequence_ = plan.next_sequence;
  admitted_ = plan.admitted;
  return results;
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

void CommandInbox::Applied(std::int64_t live_agents) {
  commands_.clear();
  const std::lock_guard lock(mutex_);
  const std::int64_t agents_before = horizon_.agents();
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
AdmissionResults CommandInbox::CheckForm(
    std::span<const BatchCommand> batch) const {
  AdmissionResults results;
  results.reserve(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!batch[i].ok()) {
      results.emplace_back(batch[i].error());
      continue;
    }
    core::Violations violations =
        core::Validate(*batch[i], config_, IndexPath("commands", i));
    if (violations.empty()) {
      results.emplace_back(CommandAdmission{});
    } else {
      results.emplace_back(std::move(violations.front()));
    }
  }
  return results;
}

CommandInbox::Plan CommandInbox::BeginPlan() const {
  Plan plan;
  plan.next_sequence = next_sequence_;
  plan.admitted = admitted_;
  const std::lock_guard lock(mutex_);
  plan.horizon = horizon_;
  return plan;
}

core::Result<CommandAdmission> CommandInbox::PlanCommand(
    core::Command& command, const std::string& path, Plan& plan) const {
  const core::Result<std::int64_t> tick =
      ChooseTick(command.apply_tick, path, plan.horizon);
  if (!tick.ok()) return tick.error();
  if (auto refusal =
          core::CheckReferences(command.operation, plan.admitted, path)) {
    return *std::move(refusal);
  }
  const std::int64_t spawns = core::SpawnCount(command.operation);
  if (auto refusal = CheckCounts(spawns, plan.horizon)) {
    return *std::move(refusal);  // before anything is made of so many
  }
  core::AdmittedCommand admitted{
      .sequence = plan.next_sequence,
      .apply_tick = *tick,
      .first_agent_id = spawns > 0 ? plan.admitted.next_agent_id : 0,
      .operation = std::move(command.operation)};
  log::LogRecord record{.sequence = admitted.sequence,
                        .apply_tick = admitted.apply_tick,
                        .first_agent_id = admitted.first_agent_id,
                        .agent_count = spawns,
                        .bytes = {}};
  core::EncodeCommand(admitted, record.bytes);
  if (auto refusal = CheckBytes(record.bytes.size(), plan.horizon)) {
    command.operation = std::move(admitted.operation);
    return *std::move(refusal);
  }
  if (!budget_.Take(spawns)) {
    command.operation = std::move(admitted.operation);
    return OverQuota("agents of all worlds, alive and pending", budget_.taken(),
                     spawns, budget_.most());
  }
  plan.taken_agents += spawns;
  if (const auto* define =
          std::get_if<core::DefineArchetype>(&admitted.operation)) {
    plan.admitted.archetypes.set(
        static_cast<std::size_t>(define->archetype.id));
  }
  plan.next_sequence += 1;
  plan.admitted.next_agent_id += spawns;
  plan.horizon.pending.Add(record);
  plan.commands.push_back(std::move(admitted));
  plan.records.push_back(std::move(record));
  return CommandAdmission{.sequence = plan.records.back().sequence,
                          .apply_tick = *tick,
                          .first_agent_id = plan.records.back().first_agent_id,
                          .agent_count = spawns};
}

core::Result<std::int64_t> CommandInbox::ChooseTick(
    std::int64_t wanted, const std::string& path,
    const Horizon& horizon) const {
  const std::int64_t farthest =
      horizon.collected_tick + limits_.max_ticks_ahead;
  if (wanted > farthest) {
    return core::Error{ErrorCode::kTickTooFar, JoinPath(path, "apply_tick"),
                       "must be at most " +
                           std::to_string(limits_.max_ticks_ahead) +
                           " ticks ahead, now " + std::to_string(farthest) +
                           "; it is " + std::to_string(wanted)};
  }
  return std::max(wanted, horizon.collected_tick + 1);
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

std::optional<core::Error> CommandInbox::Commit(Plan& plan,
                                                AdmissionResults& results) {
  const std::lock_guard lock(mutex_);
  if (closed_) return closed_;
  MoveLate(plan, results);
  std::map<std::int64_t, TickLoad> loads;
  for (const log::LogRecord& record : plan.records) {
    loads[record.apply_tick].Add(record);
  }
  if (auto refusal = log_.Append(uid_, plan.records)) return refusal;
  for (const auto& [tick, load] : loads) {
    loads_[tick].Add(load);
    horizon_.pending.Add(load);
  }
  return std::nullopt;
}

// Steps may have collected ticks since the plan began. What was meant for one
// of them goes to the next one, as if it had come now.
void CommandInbox::MoveLate(Plan& plan, AdmissionResults& results) const {
  const std::int64_t next_tick = horizon_.collected_tick + 1;
  for (std::size_t i = 0; i < plan.records.size(); ++i) {
    log::LogRecord& record = plan.records[i];
    if (record.apply_tick >= next_tick) continue;
    record.apply_tick = next_tick;
    plan.commands[i].apply_tick = next_tick;
    record.bytes.clear();
    core::EncodeCommand(plan.commands[i], record.bytes);
    results[plan.places[i]]->apply_tick = next_tick;
  }
}

}  // namespace meander::hosting
