// An inbox with what a host puts around it, and steps without a world.
#ifndef MEANDER_TESTS_SERVER_HOSTING_INBOX_RIG_H_
#define MEANDER_TESTS_SERVER_HOSTING_INBOX_RIG_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "server/hosting/command_inbox.h"
#include "server/log/memory_world_log.h"
#include "tests/server/hosting/commands.h"
#include "tests/server/hosting/fake_clock.h"

namespace meander::hosting {

class InboxRig : public testing::Test {
 protected:
  InboxRig() {
    config_.plane = core::Plane::kXY;
    config_.bounds_min.z = config_.bounds_max.z = 0.0f;
    config_.max_agents = 100;
    EXPECT_FALSE(log_.CreateWorld("uid"));
  }

  CommandInbox& inbox() {
    if (!inbox_) {
      inbox_.emplace("uid", config_, limits_, log_, budget_, requests_);
    }
    return *inbox_;
  }

  AdmissionResults Admit(std::vector<core::Command> commands) {
    std::vector<BatchCommand> batch = Batch(std::move(commands));
    auto admission = inbox().Admit(batch);
    EXPECT_TRUE(admission.ok()) << admission.error().front().reason;
    return admission.ok() ? admission->results : AdmissionResults();
  }

  // Admits the batch as it is told.
  core::Result<Admission, core::Violations> AdmitWith(
      const AdmissionOptions& options, std::vector<core::Command> commands) {
    std::vector<BatchCommand> batch = Batch(std::move(commands));
    return inbox().Admit(batch, options);
  }

  core::Error RefuseBatch(std::vector<BatchCommand> batch) {
    auto admission = inbox().Admit(batch);
    EXPECT_FALSE(admission.ok());
    return admission.ok() ? core::Error{} : admission.error().front();
  }

  // Admits one command that must be refused.
  core::Error Refuse(core::Command command) {
    const AdmissionResults results = Admit({std::move(command)});
    EXPECT_FALSE(results.at(0).ok());
    return results.at(0).ok() ? core::Error{} : results.at(0).error();
  }

  // Ends a step in which that many commands were applied.
  void Apply(std::size_t commands, std::int64_t live_agents) {
    const std::vector<core::CommandOutcome> outcomes(commands);
    inbox().Applied(outcomes, live_agents);
  }

  // Steps over a tick as a world would that does whatever it is told.
  std::vector<core::AdmittedCommand> Step() {
    const auto commands = inbox().Collect(++tick_);
    std::vector<core::AdmittedCommand> copy(commands.begin(), commands.end());
    for (const core::AdmittedCommand& command : copy) {
      live_ += core::SpawnCount(command.operation);
    }
    Apply(copy.size(), live_);
    return copy;
  }

  core::SimulationConfig config_;
  Limits limits_;
  log::MemoryWorldLog log_;
  AgentBudget budget_{1'000'000};
  FakeClock clock_;
  WorldRequestBook requests_{limits_, clock_};
  std::optional<CommandInbox> inbox_;
  std::int64_t tick_ = 0;
  std::int64_t live_ = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_INBOX_RIG_H_
