#include "server/hosting/world_host.h"

#include <string>
#include <utility>

namespace meander::hosting {
namespace {

using core::Error;
using core::ErrorCode;

Error TooManyWait(const std::string& who, std::size_t limit) {
  return {ErrorCode::kQuotaExceeded, "",
          std::to_string(limit) + " " + who + " wait for this world already, " +
              "which is its limit"};
}

}  // namespace

core::Result<std::shared_ptr<WorldHost>> WorldHost::Create(
    const HostContext& context, WorldIdentity identity,
    WorldSettings settings) {
  if (auto error = context.log.CreateWorld(identity.uid)) {
    return *std::move(error);
  }
  std::shared_ptr<WorldHost> host(
      new WorldHost(context, std::move(identity), std::move(settings)));
  host->Start(context);
  return host;
}

WorldHost::WorldHost(const HostContext& context, WorldIdentity identity,
                     WorldSettings settings)
    : identity_(std::move(identity)),
      limits_(context.limits),
      clock_(context.clock),
      log_(context.log),
      workers_(context.workers),
      requests_(limits_, clock_),
      inbox_(identity_.uid, identity_.config, limits_, log_, context.agents,
             requests_),
      touched_(clock_.Now()),
      world_(std::in_place, identity_.config, identity_.seed),
      hash_interval_(settings.hosting.hash_interval_ticks),
      world_clock_(identity_.config.tick_rate_hz, settings.hosting,
                   clock_.Now()),
      orders_(limits_),
      steppers_(requests_, limits_.max_step_ticks) {
  inbox_.SetInputDelay(settings.hosting.input_delay_ticks);
  status_.settings = std::make_shared<WorldSettings>(std::move(settings));
  world_->UseSimd(context.simd);
  status_.simd = world_->simd();
  HashState();
  UpdateStatusLocked();  // nobody else knows the host yet
}

WorldHost::~WorldHost() = default;

void WorldHost::Start(const HostContext& context) {
  const auto request_turn = [weak = weak_from_this()] {
    if (const auto host = weak.lock()) host->RequestTurn();
  };
  stream_ = std::make_shared<stream::WorldStream>(
      context.broadcaster, context.encode_frame,
      stream::StreamLimits{.max_subscribers = limits_.max_subscribers,
                           .max_kept_events = limits_.max_kept_events,
                           .max_frame_events = context.max_frame_events},
      request_turn);
  publisher_.emplace(limits_.published_states, request_turn);
  asleep_ = true;  // for it is empty
}

core::Result<Submission, core::Violations> WorldHost::Submit(
    std::span<BatchCommand> batch, const AdmissionOptions& options) {
  {
    const std::lock_guard lock(mutex_);
    WakeLocked();
    ++submitting_;
  }
  core::Result<Admission, core::Violations> admission =
      inbox_.Admit(batch, options);
  const std::lock_guard lock(mutex_);
  --submitting_;
  if (!closed_ && status_.tick == 0) RequestTurnLocked();
  if (!admission.ok()) return admission.error();
  return Submission{.results = std::move(admission->results),
                    .tick = admission->tick,
                    .epoch = status_.epoch};
}

core::Result<OutcomeReports> WorldHost::Outcomes(
    std::span<const std::int64_t> sequences) {
  const std::lock_guard lock(mutex_);
  if (closed_) return *closed_;
  WakeLocked();
  core::Result<std::vector<CommandReport>> reports = inbox_.Reports(sequences);
  if (!reports.ok()) return reports.error();
  return OutcomeReports{.reports = *std::move(reports),
                        .tick = status_.tick,
                        .epoch = status_.epoch};
}

void WorldHost::Step(StepOrder order, StepCallback done) {
  std::optional<Error> refusal;
  {
    const std::lock_guard lock(mutex_);
    refusal = CheckStepLocked(order);
    if (!refusal) {
      steppers_.Add(std::move(order), std::move(done));
      RequestTurnLocked();
    }
  }
  if (refusal) done(*std::move(refusal));
}

std::optional<Error> WorldHost::CheckStepLocked(const StepOrder& order) const {
  if (closed_) return closed_;
  if (order.until_tick == 0 &&
      (order.ticks < 1 || order.ticks > limits_.max_step_ticks)) {
    return Error{ErrorCode::kOutOfBounds, "ticks",
                 "must be 1 to " + std::to_string(limits_.max_step_ticks) +
                     "; it is " + std::to_string(order.ticks)};
  }
  if (order.until_tick < 0) {
    return Error{
        ErrorCode::kOutOfBounds, "until_tick",
        "must not be negative; it is " + std::to_string(order.until_tick)};
  }
  if (steppers_.size() >= limits_.max_waiting_steppers) {
    return TooManyWait("steppers", limits_.max_waiting_steppers);
  }
  return std::nullopt;
}

void WorldHost::Give(Order order) {
  std::optional<Error> refusal;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) {
      refusal = closed_;
    } else if (orders_.size() >= limits_.max_waiting_steppers) {
      refusal = TooManyWait("orders", limits_.max_waiting_steppers);
    } else {
      orders_.Add(std::move(order));
      RequestTurnLocked();
    }
  }
  if (refusal) order.done(*std::move(refusal));
}

void WorldHost::Read(Detail detail, ReadCallback done) {
  std::optional<Error> refusal;
  stream::PublishedStateRef current;  // outlives the lock
  bool answered = false;
  {
    const std::lock_guard lock(mutex_);
    WakeLocked();
    readers_.Look(detail, clock_.Now());
    current = stream_->Current();
    answered = current && Serves(*current, detail);
    if (closed_) {
      refusal = closed_;
    } else if (!answered && readers_.size() >= limits_.max_waiting_readers) {
      refusal = TooManyWait("readers", limits_.max_waiting_readers);
    } else if (!answered) {
      readers_.Add(detail, std::move(done));
      RequestTurnLocked();
    }
  }
  if (refusal) {
    done(*std::move(refusal));
  } else if (answered) {
    done(std::move(current));
  }
}

core::Result<WorldStatus> WorldHost::Status() {
  const std::lock_guard lock(mutex_);
  if (closed_) return *closed_;
  WakeLocked();
  return StatusLocked();
}

WorldStatus WorldHost::StatusAsleep() const {
  const std::lock_guard lock(mutex_);
  return StatusLocked();
}

WorldStatus WorldHost::StatusLocked() const {
  WorldStatus status = status_;
  status.pending_commands = inbox_.pending();
  status.clock = world_clock_.state();
  status.slipped_ticks = world_clock_.slipped_ticks();
  return status;
}

void WorldHost::Subscribe(
    const std::shared_ptr<stream::Subscription>& subscription) {
  {
    const std::lock_guard lock(mutex_);
    WakeLocked();
  }
  stream_->Subscribe(subscription);
  RequestTurn();  // it may have fallen asleep in between
}

bool WorldHost::HasExpired(std::chrono::nanoseconds grace) {
  const std::lock_guard lock(mutex_);
  const bool in_use = stream_->subscribers() > 0 || steppers_.size() > 0 ||
                      orders_.size() > 0 || readers_.size() > 0 ||
                      submitting_ > 0;
  if (in_use) Touch();
  const std::chrono::nanoseconds ttl = status_.settings->hosting.idle_ttl;
  return ttl.count() > 0 && clock_.Now() - touched_.load() >= ttl + grace;
}

void WorldHost::Close(const Error& error) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = error;
    gone_ = true;
    steppers_.FailAll(error, calls);
    readers_.FailAll(error, calls);
    orders_.FailAll(error, calls);
    RequestTurnLocked();  // the last one
  }
  workers_.Disarm(*this);
  inbox_.Close(error);
  log_.DeleteWorld(identity_.uid);
  stream_->Close(error);
  MakeAll(calls);
}

void WorldHost::RequestTurn() {
  const std::lock_guard lock(mutex_);
  if (!closed_) RequestTurnLocked();
}

// Posts under the lock: once Close has returned nobody posts any more, and the
// workers may go.
void WorldHost::RequestTurnLocked() {
  WakeLocked();
  switch (turn_) {
    case Turn::kIdle:
      turn_ = Turn::kQueued;
      workers_.Post(shared_from_this(), UrgencyLocked());
      break;
    case Turn::kRunning:
      turn_ = Turn::kRunningAgain;
      break;
    case Turn::kQueued:
    case Turn::kRunningAgain:
    case Turn::kOver:
      break;
  }
}

Urgency WorldHost::UrgencyLocked() const {
  return heavy_ ? Urgency::kBackground : Urgency::kSoon;
}

// Called between a turn's end and the next, when there is no timer.
bool WorldHost::CanSleepLocked() const {
  return world_->agent_count() == 0 && submitting_ == 0 &&
         inbox_.pending() == 0 && readers_.size() == 0 && !owed_ &&
         stream_->subscribers() == 0;
}

bool WorldHost::AwaitsFirstCommandLocked() const {
  return status_.tick == 0 && inbox_.pending() == 0 &&
         status_.settings->hosting.clock_mode == ClockMode::kUnthrottled;
}

// Takes the ticks that were slept through: nothing can have happened in them.
void WorldHost::WakeLocked() {
  if (!asleep_) return;
  asleep_ = false;
  if (closed_) return;
  const std::int64_t ticks =
      AwaitsFirstCommandLocked()
          ? 0
          : world_clock_.TakeAllDue(clock_.Now(), status_.tick);
  if (ticks > 0) {
    world_->AdvanceEmpty(ticks);
    inbox_.Skip(world_->tick());
    HashIfWanted();  // of nobody, which takes no other thread
    outcomes_.clear();
    UpdateStatusLocked();
    outdated_ = stream_->MarkStale(false);
  }
  const auto due = world_clock_.NextDue(status_.tick);
  if (due && !AwaitsFirstCommandLocked()) {
    workers_.Arm(shared_from_this(), *due, UrgencyLocked());
  }
}

}  // namespace meander::hosting
