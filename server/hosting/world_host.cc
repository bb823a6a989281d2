#include "server/hosting/world_host.h"

#include <algorithm>
#include <utility>

namespace meander::hosting {
namespace {

using core::ErrorCode;

constexpr std::int64_t kEpoch = 1;

// A turn that has taken this long lets other worlds have theirs.
constexpr std::chrono::milliseconds kTurnSlice{2};

// How many readers are answered at a time. The others wait until ticks that
// are due, and other worlds, have had their turn: answering takes time, too.
constexpr std::size_t kAnswersAtOnce = 16;

// For how long after a look every tick is published.
constexpr std::chrono::seconds kLookSpan{1};

bool Serves(const stream::PublishedState& state, Detail detail) {
  return detail == Detail::kMotion || state.cold != nullptr;
}

core::Error TooManyWait(const std::string& who, std::size_t limit) {
  return {ErrorCode::kQuotaExceeded, "",
          std::to_string(limit) + " " + who + " wait for this world already, " +
              "which is its limit"};
}

}  // namespace

// What is to be told once the lock is released.
struct WorldHost::Answers {
  TickInfo tick;
  StepCallback stepper;
  stream::PublishedStateRef state;
  std::vector<ReadCallback> readers;

  void Give() const {
    if (stepper) stepper(tick);
    for (const ReadCallback& reader : readers) reader(state);
  }
};

core::Result<std::shared_ptr<WorldHost>> WorldHost::Create(
    const HostContext& context, WorldIdentity identity) {
  if (auto error = context.log.CreateWorld(identity.uid)) {
    return *std::move(error);
  }
  std::shared_ptr<WorldHost> host(new WorldHost(context, std::move(identity)));
  host->Start(context);
  return host;
}

WorldHost::WorldHost(const HostContext& context, WorldIdentity identity)
    : identity_(std::move(identity)),
      limits_(context.limits),
      clock_(context.clock),
      log_(context.log),
      scheduler_(context.scheduler),
      workers_(context.workers),
      requests_(limits_, clock_),
      inbox_(identity_.uid, identity_.config, limits_, log_, context.agents,
             requests_),
      world_(std::in_place, identity_.config, identity_.seed),
      schedule_(clock_.Now(), identity_.config.tick_rate_hz),
      state_hash_(world_->Hash(workers_).value) {
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
  if (identity_.hosting.clock_mode == ClockMode::kRealtime) {
    scheduler_.Arm(shared_from_this(), schedule_.NextDue());
  }
}

core::Result<Submission, core::Violations> WorldHost::Submit(
    std::span<BatchCommand> batch, const AdmissionOptions& options) {
  core::Result<Admission, core::Violations> admission =
      inbox_.Admit(batch, options);
  if (!admission.ok()) return admission.error();
  const std::lock_guard lock(mutex_);
  return Submission{.results = std::move(admission->results),
                    .tick = admission->tick,
                    .epoch = status_.epoch};
}

core::Result<OutcomeReports> WorldHost::Outcomes(
    std::span<const std::int64_t> sequences) const {
  const std::lock_guard lock(mutex_);
  if (closed_) return *closed_;
  core::Result<std::vector<CommandReport>> reports = inbox_.Reports(sequences);
  if (!reports.ok()) return reports.error();
  return OutcomeReports{.reports = *std::move(reports),
                        .tick = status_.tick,
                        .epoch = status_.epoch};
}

void WorldHost::Step(std::int64_t ticks, std::stop_token stop,
                     StepCallback done) {
  std::optional<core::Error> refusal;
  {
    const std::lock_guard lock(mutex_);
    refusal = CheckStepLocked(ticks);
    if (!refusal) {
      steppers_.push_back({ticks, std::move(stop), std::move(done)});
      RequestTurnLocked();
    }
  }
  if (refusal) done(*std::move(refusal));
}

std::optional<core::Error> WorldHost::CheckStepLocked(
    std::int64_t ticks) const {
  if (closed_) return closed_;
  if (identity_.hosting.clock_mode != ClockMode::kManual) {
    return core::Error{ErrorCode::kClockMode, "",
                       "the world steps by its own clock; only worlds of "
                       "CLOCK_MODE_MANUAL can be stepped"};
  }
  if (ticks < 1 || ticks > limits_.max_step_ticks) {
    return core::Error{ErrorCode::kOutOfBounds, "ticks",
                       "must be 1 to " +
                           std::to_string(limits_.max_step_ticks) + "; it is " +
                           std::to_string(ticks)};
  }
  if (steppers_.size() >= limits_.max_waiting_steppers) {
    return TooManyWait("steppers", limits_.max_waiting_steppers);
  }
  return std::nullopt;
}

void WorldHost::Read(Detail detail, ReadCallback done) {
  std::optional<core::Error> refusal;
  stream::PublishedStateRef current;  // outlives the lock
  bool answered = false;
  {
    const std::lock_guard lock(mutex_);
    const std::chrono::nanoseconds now = clock_.Now();
    looked_until_ = now + kLookSpan;
    if (detail == Detail::kFull) looked_full_until_ = now + kLookSpan;
    current = stream_->Current();
    answered = current && Serves(*current, detail);
    if (closed_) {
      refusal = closed_;
    } else if (!answered && readers_.size() >= limits_.max_waiting_readers) {
      refusal = TooManyWait("readers", limits_.max_waiting_readers);
    } else if (!answered) {
      readers_.push_back({detail, std::move(done)});
      RequestTurnLocked();
    }
  }
  if (refusal) {
    done(*std::move(refusal));
  } else if (answered) {
    done(std::move(current));
  }
}

core::Result<WorldStatus> WorldHost::Status() const {
  const std::lock_guard lock(mutex_);
  if (closed_) return *closed_;
  WorldStatus status = status_;
  status.pending_commands = inbox_.pending();
  return status;
}

void WorldHost::Subscribe(
    const std::shared_ptr<stream::Subscription>& subscription) {
  stream_->Subscribe(subscription);
}

void WorldHost::Close(const core::Error& error) {
  std::deque<Stepper> steppers;
  std::vector<Reader> readers;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = error;
    steppers.swap(steppers_);
    readers.swap(readers_);
    RequestTurnLocked();  // the last one
  }
  scheduler_.Disarm(*this);
  inbox_.Close(error);
  log_.DeleteWorld(identity_.uid);
  stream_->Close(error);
  for (const Stepper& stepper : steppers) stepper.done(error);
  for (const Reader& reader : readers) reader.done(error);
}

void WorldHost::RequestTurn() {
  const std::lock_guard lock(mutex_);
  if (!closed_) RequestTurnLocked();
}

// Posts under the lock: once Close has returned nobody posts any more, and the
// workers may go.
void WorldHost::RequestTurnLocked() {
  switch (turn_) {
    case Turn::kIdle:
      turn_ = Turn::kQueued;
      workers_.Post(shared_from_this());
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

void WorldHost::RunTurn() {
  if (BeginTurn()) {
    const std::chrono::nanoseconds slice_end = clock_.Now() + kTurnSlice;
    while (TickIsDue()) {
      TakeTick();
      if (clock_.Now() >= slice_end) break;
    }
    ShowIfAsked();
  }
  EndTurn();
}

bool WorldHost::BeginTurn() {
  const std::lock_guard lock(mutex_);
  turn_ = Turn::kRunning;
  return !closed_;
}

bool WorldHost::TickIsDue() {
  return identity_.hosting.clock_mode == ClockMode::kRealtime
             ? schedule_.TakeIfDue(clock_.Now())
             : StepIsAsked();
}

// Whether a stepper waits. Those that have been cancelled are sent away first.
bool WorldHost::StepIsAsked() {
  std::vector<Stepper> cancelled;
  bool asked = false;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = steppers_.begin(); it != steppers_.end();) {
      if (it->stop.stop_requested()) {
        cancelled.push_back(std::move(*it));
        it = steppers_.erase(it);
      } else {
        ++it;
      }
    }
    asked = !steppers_.empty();
  }
  for (const Stepper& stepper : cancelled) {
    stepper.done(core::Error{ErrorCode::kCancelled, "",
                             "the caller has gone; the world stays at the "
                             "tick that it had reached"});
  }
  return asked;
}

void WorldHost::TakeTick() {
  const std::int64_t tick = world_->tick() + 1;
  const std::span<const core::AdmittedCommand> commands = inbox_.Collect(tick);
  outcomes_.resize(commands.size());
  world_->Step(commands, outcomes_, workers_);
  state_hash_ = world_->Hash(workers_).value;
  const std::optional<Detail> look = LookAt(tick);
  Announce(MakeState(look), look);
}

// Answers looks that no tick has answered, with the newest one as it is.
void WorldHost::ShowIfAsked() {
  const std::optional<Detail> look = UnansweredLook();
  if (!look) return;
  stream::PublishedStateRef state = stream_->Current();
  const bool published = state && Serves(*state, *look);
  if (!published) state = MakeState(look);
  if (!state) return;  // on_free will bring the next turn
  Answers answers;
  stream::PublishedStateRef replaced;
  {
    const std::lock_guard lock(mutex_);
    TakeReadersLocked(state, answers);
    if (!published) replaced = PublishLocked(std::move(state), look);
  }
  answers.Give();
}

void WorldHost::EndTurn() {
  {
    const std::lock_guard lock(mutex_);
    const bool again = turn_ == Turn::kRunningAgain || !steppers_.empty();
    turn_ = closed_ ? Turn::kOver : Turn::kIdle;
    if (!closed_) {
      const bool realtime =
          identity_.hosting.clock_mode == ClockMode::kRealtime;
      if (again || (realtime && schedule_.NextDue() <= clock_.Now())) {
        RequestTurnLocked();
      } else if (realtime) {
        scheduler_.Arm(shared_from_this(), schedule_.NextDue());
      }
      return;
    }
  }
  publisher_.reset();
  world_.reset();
}

std::optional<Detail> WorldHost::LookAt(std::int64_t tick) const {
  const std::lock_guard lock(mutex_);
  const std::chrono::nanoseconds now = clock_.Now();
  if (now < looked_full_until_ ||
      std::any_of(readers_.begin(), readers_.end(), WantsFull)) {
    return Detail::kFull;
  }
  if (now < looked_until_ || !readers_.empty() || stream_->Wants(tick)) {
    return Detail::kMotion;
  }
  return std::nullopt;
}

std::optional<Detail> WorldHost::UnansweredLook() const {
  const std::lock_guard lock(mutex_);
  if (std::any_of(readers_.begin(), readers_.end(), WantsFull)) {
    return Detail::kFull;
  }
  const bool watched = owed_ || stream_->AwaitsFirstFrame();
  if (!readers_.empty() || (watched && !stream_->IsCurrent())) {
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
  Answers answers;
  stream::PublishedStateRef replaced;
  {
    const std::lock_guard lock(mutex_);
    inbox_.Applied(outcomes_, world_->agent_count());
    UpdateStatusLocked();
    TakeStepperLocked(answers);
    TakeReadersLocked(state, answers);
    replaced = PublishLocked(std::move(state), look);
  }
  answers.Give();
}

void WorldHost::UpdateStatusLocked() {
  status_.tick = world_->tick();
  status_.epoch = kEpoch;
  status_.state_hash = state_hash_;
  status_.agent_count = world_->agent_count();
  status_.archetype_count = world_->archetype_count();
  status_.bound_stops = world_->bound_stops();
  status_.slipped_ticks = schedule_.slipped_ticks();
  for (const core::CommandOutcome outcome : outcomes_) {
    ++status_.outcomes[static_cast<std::size_t>(outcome)];
  }
}

void WorldHost::TakeStepperLocked(Answers& answers) {
  if (steppers_.empty() || --steppers_.front().remaining > 0) return;
  answers.tick = {status_.tick, status_.epoch, status_.state_hash};
  answers.stepper = std::move(steppers_.front().done);
  steppers_.pop_front();
}

void WorldHost::TakeReadersLocked(const stream::PublishedStateRef& state,
                                  Answers& answers) {
  if (!state) return;
  bool more = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const bool served = Serves(*state, readers_[i].detail);
    if (served && answers.readers.size() < kAnswersAtOnce) {
      answers.readers.push_back(std::move(readers_[i].done));
      continue;
    }
    more = more || served;
    if (kept != i) readers_[kept] = std::move(readers_[i]);
    ++kept;
  }
  readers_.resize(kept);
  if (!answers.readers.empty()) answers.state = state;
  if (more) RequestTurnLocked();
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
