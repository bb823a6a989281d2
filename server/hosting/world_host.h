// One hosted world: an actor that owns a core::World.
//
// Only a turn, on a worker and never two at a time, touches the world. Any
// thread may call the public methods; none of them waits for a step. Callbacks
// come exactly once, with no lock held, from the calling thread, a worker or
// the thread that closes, and must not block. A host lives, and ticks, until
// Close; then everything that was waiting is answered with the error, later
// calls too, and the world's memory is freed by a last turn.
//
// A world in which nothing can happen (no agent, nothing pending, nobody who
// looks) sleeps: it takes no turns, and whoever calls finds it at the tick that
// its clock has brought meanwhile.
#ifndef MEANDER_SERVER_HOSTING_WORLD_HOST_H_
#define MEANDER_SERVER_HOSTING_WORLD_HOST_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "core/world.h"
#include "server/hosting/command_inbox.h"
#include "server/hosting/host_context.h"
#include "server/hosting/order_queue.h"
#include "server/hosting/reader_queue.h"
#include "server/hosting/state_publisher.h"
#include "server/hosting/step_queue.h"
#include "server/hosting/world_answer.h"
#include "server/hosting/world_clock.h"
#include "server/hosting/world_info.h"
#include "server/stream/published_state.h"
#include "server/stream/subscription.h"
#include "server/stream/world_stream.h"

namespace meander::hosting {

class WorldHost final : public WorkerTask,
                        public TickTimer,
                        public std::enable_shared_from_this<WorldHost> {
 public:
  // Makes a world at tick 0 and starts its clock. Preconditions: the config
  // and the settings are valid. An error is the log's.
  static core::Result<std::shared_ptr<WorldHost>> Create(
      const HostContext& context, WorldIdentity identity,
      WorldSettings settings);
  ~WorldHost() override;

  const WorldIdentity& identity() const { return identity_; }

  // Admits commands; see CommandInbox::Admit. What is submitted before a call
  // of Step takes effect in its first tick.
  core::Result<Submission, core::Violations> Submit(
      std::span<BatchCommand> batch, const AdmissionOptions& options = {});

  // How commands ended; see CommandInbox::Reports.
  core::Result<OutcomeReports> Outcomes(
      std::span<const std::int64_t> sequences);

  // Advances a world whose own clock does not go, to the order's tick, and
  // tells it. Callers are served one after the other. Stops at a whole tick,
  // with kCancelled, once a stop is requested. Errors: kClockMode, also when
  // the clock is started meanwhile; kOutOfBounds with the field "ticks" or
  // "until_tick"; kTickMismatch; kRequestIdReused; kQuotaExceeded when too many
  // wait.
  void Step(StepOrder order, StepCallback done);

  // Between two ticks: stops the clock, starts it again, or changes settings.
  // Tells the world as it is then. Errors: kQuotaExceeded when too many wait;
  // of Update those of Validate and kDurabilityUnavailable.
  void Pause(StatusCallback done) { Give({PauseOrder{}, std::move(done)}); }
  void Resume(StatusCallback done) { Give({ResumeOrder{}, std::move(done)}); }
  void Update(SettingsPatch patch, StatusCallback done) {
    Give({std::move(patch), std::move(done)});
  }

  // Gives the state of the newest tick, with all columns for kFull: at once
  // when it is published, else from the next turn. Errors: kQuotaExceeded when
  // too many wait.
  void Read(Detail detail, ReadCallback done);

  core::Result<WorldStatus> Status();
  // As it was when somebody last called: does not wake it.
  WorldStatus StatusAsleep() const;

  // See WorldStream::Subscribe.
  void Subscribe(const std::shared_ptr<stream::Subscription>& subscription);

  // Somebody has asked for this world by its name.
  void Touch() { touched_ = clock_.Now(); }
  // Whether nobody has touched, watched or waited for it for as long as its
  // settings say that it is kept, and `grace` more: how old this may be.
  bool HasExpired(std::chrono::nanoseconds grace);

  // Whether it takes no turns until somebody calls.
  bool IsAsleep() const {
    const std::lock_guard lock(mutex_);
    return asleep_;
  }

  // The first call counts.
  void Close(const core::Error& error);

  const stream::WorldStream& stream() const { return *stream_; }

 private:
  enum class Turn { kIdle, kQueued, kRunning, kRunningAgain, kOver };

  WorldHost(const HostContext& context, WorldIdentity identity,
            WorldSettings settings);
  void Start(const HostContext& context);

  // From outside: a turn, please.
  void RequestTurn();
  void RequestTurnLocked();
  // How the next turn is wanted: the heavy come after the others.
  Urgency UrgencyLocked() const;
  std::optional<core::Error> CheckStepLocked(const StepOrder& order) const;
  void Give(Order order);

  // Sleep.
  bool CanSleepLocked() const;
  // An UNTHROTTLED world begins with its first command.
  bool AwaitsFirstCommandLocked() const;
  void WakeLocked();

  // The turn.
  void OnDue() override;
  void RunTurn() override;
  bool BeginTurn();
  bool TickIsDue();
  StepQueue::Verdict NextLocked(Calls& calls);
  void TakeTick();
  void ShowIfAsked();
  void EndTurn();

  void ObeyLocked(Calls& calls);
  void HashIfWanted();
  void HashState() { state_hash_ = world_->Hash(workers_).value; }
  bool FrameFits() const;
  void AnswerStepper();
  // How readers look at a tick; none when nobody does.
  std::optional<Detail> LookAt(std::int64_t tick) const;
  std::optional<Detail> UnansweredLook() const;
  stream::PublishedStateRef MakeState(std::optional<Detail> look);
  void Announce(stream::PublishedStateRef state, std::optional<Detail> look);
  void UpdateStatusLocked();
  WorldStatus StatusLocked() const;
  stream::PublishedStateRef PublishLocked(stream::PublishedStateRef state,
                                          std::optional<Detail> look,
                                          std::span<const core::Event> events);

  const WorldIdentity identity_;
  const Limits& limits_;
  Clock& clock_;
  log::WorldLog& log_;
  WorkerPool& workers_;
  WorldRequestBook requests_;
  CommandInbox inbox_;
  std::shared_ptr<stream::WorldStream> stream_;
  std::atomic<std::chrono::nanoseconds> touched_;

  // Of the turn; of who holds mutex_ while the world sleeps.
  std::optional<core::World> world_;  // empty after the last turn
  std::optional<StatePublisher> publisher_;
  std::optional<std::uint64_t> state_hash_;  // of the newest tick
  std::uint64_t archetypes_seen_ = 0;        // by UpdateStatusLocked
  std::int64_t hash_interval_;
  bool step_ends_ = false;  // the tick that is due is a stepper's last
  std::chrono::nanoseconds slice_end_{0};
  bool slice_used_ = false;  // by the turn before
  bool heavy_ = false;       // the turn before, and the one before that
  std::shared_ptr<const core::MotionColumns> motion_;  // made for steppers
  std::vector<core::CommandOutcome> outcomes_;
  stream::PublishedStateRef outdated_;  // to be let go with no lock held

  // Taken before the locks of inbox_, stream_ and workers_.
  mutable std::mutex mutex_;  // guards all below
  Turn turn_ = Turn::kIdle;
  bool asleep_ = false;  // turn_ is kIdle and no timer is armed
  WorldClock world_clock_;
  WorldStatus status_;
  OrderQueue orders_;
  StepQueue steppers_;
  ReaderQueue readers_;
  std::int64_t submitting_ = 0;  // calls of Submit that have begun
  bool owed_ = false;  // the newest tick was wanted, but no buffer was free
  std::optional<core::Error> closed_;
  std::atomic<bool> gone_ = false;  // closed_ is set; read without mutex_
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_HOST_H_
