#include "server/hosting/world_host.h"

#include <string>
#include <utility>

#include "core/codec/frame_codec.h"

namespace meander::hosting {
namespace {

using core::Error;
using core::ErrorCode;
using Verdict = StepQueue::Verdict;

constexpr std::int64_t kEpoch = 1;

// A turn that has taken this long lets other worlds have theirs, and comes
// after them next time.
constexpr std::chrono::milliseconds kTurnSlice{2};

Error TooManyWait(const std::string& who, std::size_t limit) {
  return {ErrorCode::kQuotaExceeded, "",
          std::to_string(limit) + " " + who + " wait for this world already, " +
              "which is its limit"};
}

Error ClockGoes() {
  return {ErrorCode::kClockMode, "",
          "the world steps by its own clock; it can be stepped when it is "
          "paused or of CLOCK_MODE_MANUAL"};
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
      scheduler_(context.scheduler),
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
  HashState();
  UpdateStatusLocked();  // nobody else knows the host yet
}

WorldHost::~WorldHost() = default;

void WorldHost::Start(const HostContext& context) {
  const auto request_turn = [weak = weak_from_this()] {
    if (const auto host = weak.lock()) host->RequestTurn();
  };
  stream_ = std::make_shared<stream::WorldStream>(
      context.broadcaster, context.encode_frame, limits_.max_subscribers,
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

bool WorldHost::HasExpired() {
  if (stream_->subscribers() > 0) Touch();
  const std::lock_guard lock(mutex_);
  const std::chrono::nanoseconds ttl = status_.settings->hosting.idle_ttl;
  return ttl.count() > 0 && clock_.Now() - touched_.load() >= ttl;
}

void WorldHost::Close(const Error& error) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = error;
    steppers_.FailAll(error, calls);
    readers_.FailAll(error, calls);
    orders_.FailAll(error, calls);
    RequestTurnLocked();  // the last one
  }
  scheduler_.Disarm(*this);
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
      workers_.Post(shared_from_this(),
                    slice_used_ ? Urgency::kBackground : Urgency::kSoon);
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

// Called between a turn's end and the next, when there is no timer.
bool WorldHost::CanSleepLocked() const {
  return world_->agent_count() == 0 && submitting_ == 0 &&
         inbox_.pending() == 0 && readers_.size() == 0 && !owed_ &&
         stream_->subscribers() == 0;
}

// Takes the ticks that were slept through: nothing can have happened in them.
void WorldHost::WakeLocked() {
  if (!asleep_) return;
  asleep_ = false;
  if (closed_) return;
  const std::int64_t ticks =
      world_clock_.TakeAllDue(clock_.Now(), status_.tick);
  if (ticks > 0) {
    world_->AdvanceEmpty(ticks);
    inbox_.Skip(world_->tick());
    HashIfWanted();
    outcomes_.clear();
    UpdateStatusLocked();
    outdated_ = stream_->MarkStale(false);
  }
  if (const auto due = world_clock_.NextDue(status_.tick)) {
    scheduler_.Arm(shared_from_this(), *due);
  }
}

void WorldHost::RunTurn() {
  if (BeginTurn()) {
    const std::chrono::nanoseconds slice_end = clock_.Now() + kTurnSlice;
    slice_used_ = false;
    while (!slice_used_ && TickIsDue()) {
      TakeTick();
      slice_used_ = clock_.Now() >= slice_end;
    }
    ShowIfAsked();
  }
  EndTurn();
}

bool WorldHost::BeginTurn() {
  outdated_ = {};
  const std::lock_guard lock(mutex_);
  turn_ = Turn::kRunning;
  return !closed_;
}

bool WorldHost::TickIsDue() {
  for (;;) {
    Calls calls;
    Verdict verdict = Verdict::kIdle;
    {
      const std::lock_guard lock(mutex_);
      verdict = NextLocked(calls);
    }
    MakeAll(calls);
    if (verdict != Verdict::kReached) return verdict == Verdict::kStep;
    AnswerStepper();
  }
}

StepQueue::Verdict WorldHost::NextLocked(Calls& calls) {
  ObeyLocked(calls);
  step_ends_ = false;
  if (closed_) return Verdict::kIdle;
  if (world_clock_.Goes()) {
    if (steppers_.size() > 0) steppers_.FailAll(ClockGoes(), calls);
    return world_clock_.TakeIfDue(clock_.Now(), status_.tick) ? Verdict::kStep
                                                              : Verdict::kIdle;
  }
  const Verdict verdict = steppers_.Serve(status_.tick, calls);
  step_ends_ = steppers_.target() == status_.tick + 1;
  return verdict;
}

void WorldHost::ObeyLocked(Calls& calls) {
  if (orders_.size() == 0) return;
  orders_.ObeyAll(
      clock_.Now(), world_clock_, status_.settings,
      [this] { return StatusLocked(); }, calls);
  const HostingConfig& hosting = status_.settings->hosting;
  inbox_.SetInputDelay(hosting.input_delay_ticks);
  hash_interval_ = hosting.hash_interval_ticks;
}

void WorldHost::TakeTick() {
  const std::int64_t tick = world_->tick() + 1;
  const std::span<const core::AdmittedCommand> commands = inbox_.Collect(tick);
  outcomes_.resize(commands.size());
  world_->Step(commands, outcomes_, workers_);
  HashIfWanted();
  const std::optional<Detail> look = LookAt(tick);
  Announce(MakeState(look), look);
  if (step_ends_) AnswerStepper();
}

void WorldHost::HashIfWanted() {
  if (step_ends_ || world_->tick() % hash_interval_ == 0) {
    HashState();
  } else {
    state_hash_.reset();
  }
}

// Answers the stepper that has got where it wanted to be.
void WorldHost::AnswerStepper() {
  bool with_motion = false;
  {
    const std::lock_guard lock(mutex_);
    with_motion = steppers_.wants_motion();
  }
  if (!state_hash_) HashState();
  StepAnswer answer{{world_->tick(), kEpoch, *state_hash_}, nullptr};
  if (with_motion && FrameFits()) {
    auto motion = std::make_shared<core::MotionColumns>();
    world_->CopyMotion(*motion);
    answer.motion = std::move(motion);
  }
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    status_.state_hash = state_hash_;
    steppers_.Finish(answer, calls);
  }
  MakeAll(calls);
}

bool WorldHost::FrameFits() const {
  return static_cast<std::size_t>(world_->agent_count()) <=
         limits_.max_message_bytes / core::kColumnsBytesPerAgent;
}

// Answers looks that no tick has answered, with the newest one as it is.
void WorldHost::ShowIfAsked() {
  const std::optional<Detail> look = UnansweredLook();
  if (!look) return;
  stream::PublishedStateRef state = stream_->Current();
  const bool published = state && Serves(*state, *look);
  if (!published) state = MakeState(look);
  if (!state) return;  // on_free will bring the next turn
  Calls calls;
  stream::PublishedStateRef replaced;
  {
    const std::lock_guard lock(mutex_);
    if (readers_.Answer(state, calls)) RequestTurnLocked();
    if (!published) replaced = PublishLocked(std::move(state), look);
  }
  MakeAll(calls);
}

void WorldHost::EndTurn() {
  {
    const std::lock_guard lock(mutex_);
    const bool again = turn_ == Turn::kRunningAgain || steppers_.size() > 0 ||
                       orders_.size() > 0;
    turn_ = closed_ ? Turn::kOver : Turn::kIdle;
    if (!closed_) {
      const auto due = world_clock_.NextDue(status_.tick);
      if (again) {
        RequestTurnLocked();
      } else if (due && CanSleepLocked()) {
        asleep_ = true;
        scheduler_.Disarm(*this);
      } else if (due && *due <= clock_.Now()) {
        RequestTurnLocked();
      } else if (due) {
        scheduler_.Arm(shared_from_this(), *due);
      }
      return;
    }
  }
  publisher_.reset();
  world_.reset();
}

std::optional<Detail> WorldHost::LookAt(std::int64_t tick) const {
  const std::lock_guard lock(mutex_);
  if (const auto look = readers_.LookAt(clock_.Now())) return look;
  if (stream_->Wants(tick)) return Detail::kMotion;
  return std::nullopt;
}

std::optional<Detail> WorldHost::UnansweredLook() const {
  const std::lock_guard lock(mutex_);
  if (readers_.AnyWantsFull()) return Detail::kFull;
  const bool watched = owed_ || stream_->AwaitsFirstFrame();
  if (readers_.size() > 0 || (watched && !stream_->IsCurrent())) {
    return Detail::kMotion;
  }
  return std::nullopt;
}

stream::PublishedStateRef WorldHost::MakeState(std::optional<Detail> look) {
  if (!look) return {};
  return publisher_->Make(*world_, state_hash_, kEpoch, *look);
}

// Shows a step that has just been taken: from here on it has happened.
void WorldHost::Announce(stream::PublishedStateRef state,
                         std::optional<Detail> look) {
  Calls calls;
  stream::PublishedStateRef replaced;
  {
    const std::lock_guard lock(mutex_);
    inbox_.Applied(outcomes_, world_->agent_count());
    UpdateStatusLocked();
    if (readers_.Answer(state, calls)) RequestTurnLocked();
    replaced = PublishLocked(std::move(state), look);
  }
  MakeAll(calls);
}

void WorldHost::UpdateStatusLocked() {
  status_.tick = world_->tick();
  status_.epoch = kEpoch;
  status_.state_hash = state_hash_;
  status_.agent_count = world_->agent_count();
  status_.archetype_count = world_->archetype_count();
  status_.cell_size = world_->config().cell_size;
  status_.bound_stops = world_->bound_stops();
  for (const core::CommandOutcome outcome : outcomes_) {
    ++status_.outcomes[static_cast<std::size_t>(outcome)];
  }
}

stream::PublishedStateRef WorldHost::PublishLocked(
    stream::PublishedStateRef state, std::optional<Detail> look) {
  owed_ = look && !state;
  if (owed_) ++status_.withheld_states;
  if (!state) return stream_->MarkStale(owed_);
  ++status_.published_states;
  return stream_->Publish(std::move(state));
}

}  // namespace meander::hosting
