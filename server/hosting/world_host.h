// One hosted world: an actor that owns a core::World.
//
// Only a turn, on a worker and never two at a time, touches the world. Any
// thread may call the public methods; none of them waits for a step. Callbacks
// come exactly once, with no lock held, from the calling thread, a worker or
// the thread that closes, and must not block. A host lives, and ticks, until
// Close; then everything that was waiting is answered with the error, later
// calls too, and the world's memory is freed by a last turn.
#ifndef MEANDER_SERVER_HOSTING_WORLD_HOST_H_
#define MEANDER_SERVER_HOSTING_WORLD_HOST_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "core/world.h"
#include "server/hosting/agent_budget.h"
#include "server/hosting/clock.h"
#include "server/hosting/command_inbox.h"
#include "server/hosting/limits.h"
#include "server/hosting/state_publisher.h"
#include "server/hosting/tick_schedule.h"
#include "server/hosting/tick_scheduler.h"
#include "server/hosting/worker_pool.h"
#include "server/hosting/world_answer.h"
#include "server/hosting/world_info.h"
#include "server/log/world_log.h"
#include "server/stream/broadcaster.h"
#include "server/stream/frame_cache.h"
#include "server/stream/published_state.h"
#include "server/stream/subscription.h"
#include "server/stream/world_stream.h"

namespace meander::hosting {

// What hosts share. Everything outlives every open host. Construct in this
// order and destroy in the opposite one, after all hosts are closed: then no
// thread meets an object that is gone.
struct HostContext {
  const Limits& limits;
  Clock& clock;
  log::WorldLog& log;
  AgentBudget& agents;
  TickScheduler& scheduler;
  stream::Broadcaster& broadcaster;
  WorkerPool& workers;
  stream::FrameEncoder encode_frame;
};

struct Submission {
  AdmissionResults results;
  std::int64_t tick = 0;  // the world's newest at admission
  std::int64_t epoch = 1;
};

struct OutcomeReports {
  std::vector<CommandReport> reports;
  std::int64_t tick = 0;  // the world's newest
  std::int64_t epoch = 1;
};

using StepCallback = std::function<void(core::Result<TickInfo>)>;
using ReadCallback =
    std::function<void(core::Result<stream::PublishedStateRef>)>;

class WorldHost final : public WorkerTask,
                        public TickTimer,
                        public std::enable_shared_from_this<WorldHost> {
 public:
  // Makes a world at tick 0 and starts its clock. Preconditions: the config
  // and the hosting are valid. An error is the log's.
  static core::Result<std::shared_ptr<WorldHost>> Create(
      const HostContext& context, WorldIdentity identity);
  ~WorldHost() override;

  const WorldIdentity& identity() const { return identity_; }

  // Admits commands; see CommandInbox::Admit. What is submitted before a call
  // of Step takes effect in its first tick.
  core::Result<Submission, core::Violations> Submit(
      std::span<BatchCommand> batch, const AdmissionOptions& options = {});

  // How commands ended; see CommandInbox::Reports.
  core::Result<OutcomeReports> Outcomes(
      std::span<const std::int64_t> sequences) const;

  // Advances a MANUAL world by 1 to max_step_ticks ticks and tells the last
  // one. Callers are served one after the other. Stops at a whole tick, with
  // kCancelled, once a stop is requested. Errors: kClockMode; kOutOfBounds with
  // the field "ticks"; kQuotaExceeded when too many wait.
  void Step(std::int64_t ticks, std::stop_token stop, StepCallback done);

  // Gives the state of the newest tick, with cold columns for kFull: at once
  // when it is published, else from the next turn. Errors: kQuotaExceeded when
  // too many wait.
  void Read(Detail detail, ReadCallback done);

  core::Result<WorldStatus> Status() const;

  // See WorldStream::Subscribe.
  void Subscribe(const std::shared_ptr<stream::Subscription>& subscription);

  // The first call counts.
  void Close(const core::Error& error);

  const stream::WorldStream& stream() const { return *stream_; }

 private:
  struct Stepper {
    std::int64_t remaining;
    std::stop_token stop;
    StepCallback done;
  };
  struct Reader {
    Detail detail;
    ReadCallback done;
  };
  struct Answers;
  enum class Turn { kIdle, kQueued, kRunning, kRunningAgain, kOver };

  WorldHost(const HostContext& context, WorldIdentity identity);
  void Start(const HostContext& context);

  // From outside: a turn, please.
  void OnDue() override { RequestTurn(); }
  void RequestTurn();
  void RequestTurnLocked();
  std::optional<core::Error> CheckStepLocked(std::int64_t ticks) const;

  // The turn.
  void RunTurn() override;
  bool BeginTurn();
  bool TickIsDue();
  bool StepIsAsked();
  void TakeTick();
  void ShowIfAsked();
  void EndTurn();

  static bool WantsFull(const Reader& reader) {
    return reader.detail == Detail::kFull;
  }
  // How readers look at a tick; empty when nobody does.
  std::optional<Detail> LookAt(std::int64_t tick) const;
  std::optional<Detail> UnansweredLook() const;
  stream::PublishedStateRef MakeState(std::optional<Detail> look);
  void Announce(stream::PublishedStateRef state, std::optional<Detail> look);
  void UpdateStatusLocked();
  stream::PublishedStateRef PublishLocked(stream::PublishedStateRef state,
                                          std::optional<Detail> look);
  void TakeReadersLocked(const stream::PublishedStateRef& state,
                         Answers& answers);
  void TakeStepperLocked(Answers& answers);

  const WorldIdentity identity_;
  const Limits& limits_;
  Clock& clock_;
  log::WorldLog& log_;
  TickScheduler& scheduler_;
  WorkerPool& workers_;

  WorldRequestBook requests_;
  CommandInbox inbox_;
  std::shared_ptr<stream::WorldStream> stream_;

  // Of the turn.
  std::optional<core::World> world_;  // empty after the last turn
  std::optional<StatePublisher> publisher_;
  TickSchedule schedule_;
  std::uint64_t state_hash_ = 0;  // of the newest tick
  std::vector<core::CommandOutcome> outcomes_;

  // Taken before the locks of inbox_, stream_, scheduler_ and workers_.
  mutable std::mutex mutex_;  // guards all below
  Turn turn_ = Turn::kIdle;
  WorldStatus status_;
  std::deque<Stepper> steppers_;  // the first is being served
  std::vector<Reader> readers_;
  std::chrono::nanoseconds looked_until_{0};       // publish until then
  std::chrono::nanoseconds looked_full_until_{0};  // with cold columns
  bool owed_ = false;  // the newest tick was wanted, but no buffer was free
  std::optional<core::Error> closed_;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_HOST_H_
