// The turn of a WorldHost: orders, steps, answers, sleep.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "core/codec/frame_codec.h"
#include "core/parallel_for.h"
#include "server/hosting/world_host.h"

namespace meander::hosting {
namespace {

using core::Error;
using core::ErrorCode;
using Verdict = StepQueue::Verdict;

constexpr std::int64_t kEpoch = 1;

// A turn that has taken this long lets other worlds have theirs. Whose turns
// compute for so long, one after the other, comes after others.
constexpr std::chrono::milliseconds kTurnSlice{2};

// The agents that one thread steps alone, unless they turn out to be heavy: in
// the time that waking up another one takes, and that the tick would be late if
// it were slow to come.
constexpr std::int64_t kAgentsForOneThread = 1'024;

bool StaysSmall(const core::World& world,
                std::span<const core::AdmittedCommand> commands) {
  return world.agent_count() <= kAgentsForOneThread &&
         std::none_of(commands.begin(), commands.end(),
                      [](const core::AdmittedCommand& command) {
                        return std::holds_alternative<core::SpawnAgents>(
                            command.operation);
                      });
}

Error ClockGoes() {
  return {ErrorCode::kClockMode, "",
          "the world steps by its own clock; it can be stepped when it is "
          "paused or of CLOCK_MODE_MANUAL"};
}

// The pool, for a step that nobody waits for once its world is gone.
class StepThreads final : public core::ParallelFor {
 public:
  StepThreads(WorkerPool& workers, const std::atomic<bool>& gone)
      : workers_(workers), gone_(gone) {}

  void Run(std::size_t count, core::IndexFunction body) override {
    workers_.Run(count, body);
  }
  bool Abandoned() const override { return gone_; }

 private:
  WorkerPool& workers_;
  const std::atomic<bool>& gone_;
};

}  // namespace

// The tick that has its time, in a turn of its own unless there is one anyway.
void WorldHost::OnDue() {
  {
    const std::lock_guard lock(mutex_);
    if (turn_ == Turn::kRunning) turn_ = Turn::kRunningAgain;
    if (turn_ != Turn::kIdle || asleep_ || closed_) return;
    turn_ = Turn::kQueued;
  }
  RunTurn();
}

void WorldHost::RunTurn() {
  if (BeginTurn()) {
    // A thread that was kept from computing makes no world heavy. How long it
    // has computed is costly to know, and asked after turns that lasted.
    const bool measured = std::exchange(slice_used_, false);
    const auto computed =
        measured ? workers_.TurnCpu() : std::chrono::nanoseconds(0);
    slice_end_ = clock_.Now() + kTurnSlice;
    bool ticked = false;
    while (!slice_used_ && TickIsDue()) {
      TakeTick();
      ticked = true;
      slice_used_ = clock_.Now() >= slice_end_;
    }
    motion_.reset();
    ShowIfAsked();
    if (ticked) {
      // Half of the slice, for one that uses it up and is kept from a part.
      heavy_ = measured && slice_used_ &&
               workers_.TurnCpu() - computed >= kTurnSlice / 2;
    } else {
      // Questions in between tell nothing about ticks.
      slice_used_ = slice_used_ || measured;
    }
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
    slice_used_ = clock_.Now() >= slice_end_;
    if (slice_used_) return false;
  }
}

StepQueue::Verdict WorldHost::NextLocked(Calls& calls) {
  ObeyLocked(calls);
  step_ends_ = false;
  if (closed_) return Verdict::kIdle;
  if (world_clock_.Goes()) {
    if (steppers_.size() > 0) steppers_.RefuseAll(ClockGoes(), calls);
    if (AwaitsFirstCommandLocked() || CanSleepLocked()) return Verdict::kIdle;
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
  motion_.reset();
  const std::int64_t tick = world_->tick() + 1;
  const std::span<const core::AdmittedCommand> commands = inbox_.Collect(tick);
  outcomes_.resize(commands.size());
  const bool light = !heavy_ && StaysSmall(*world_, commands);
  core::SerialFor alone;
  StepThreads threads(workers_, gone_);
  world_->Step(commands, outcomes_,
               light ? static_cast<core::ParallelFor&>(alone) : threads);
  if (gone_) return;  // it may have been abandoned
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
    if (!motion_) {
      auto motion = std::make_shared<core::MotionColumns>();
      world_->CopyMotion(core::MotionDetail::kShown, *motion, workers_);
      motion_ = std::move(motion);
    }
    answer.motion = motion_;
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
  Calls calls;
  stream::PublishedStateRef replaced;
  if (!state) {
    // The buffer that is missing may be the one of the state before, which
    // nobody needs any more. That one is free will bring the next turn.
    const std::lock_guard lock(mutex_);
    // One that is not delivered yet is still for those who wait for its tick,
    // unless there is no other buffer.
    const bool needed = !stream_->IsCurrent() || limits_.published_states == 1;
    if (needed) replaced = stream_->MarkStale(true);
    owed_ = true;
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (readers_.Answer(state, calls)) RequestTurnLocked();
    if (!published) replaced = PublishLocked(std::move(state), look, {});
  }
  if (!published) stream_->QueueDelivery();
  MakeAll(calls);
}

void WorldHost::EndTurn() {
  {
    const std::lock_guard lock(mutex_);
    const bool again = turn_ == Turn::kRunningAgain || steppers_.size() > 0 ||
                       orders_.size() > 0;
    turn_ = closed_ ? Turn::kOver : Turn::kIdle;
    if (!closed_) {
      auto due = world_clock_.NextDue(status_.tick);
      if (AwaitsFirstCommandLocked()) due.reset();
      const bool sleeps = !again && due && CanSleepLocked();
      if (sleeps) {
        asleep_ = true;
        workers_.Disarm(*this);
      } else if (again || (due && *due <= clock_.Now())) {
        RequestTurnLocked();
      } else if (due) {
        workers_.ArmNext(shared_from_this(), *due, UrgencyLocked());
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
  if (closed_) return std::nullopt;
  if (readers_.AnyWantsFull()) return Detail::kFull;
  // Also of whom the tick found busy, and who has got ready since.
  const bool watched = owed_ || stream_->Wants(status_.tick);
  if (readers_.size() > 0 || (watched && !stream_->IsCurrent())) {
    return Detail::kMotion;
  }
  return std::nullopt;
}

stream::PublishedStateRef WorldHost::MakeState(std::optional<Detail> look) {
  if (!look) return {};
  return publisher_->Make(*world_, state_hash_, kEpoch, *look, workers_);
}

// Shows a step that has just been taken: from here on it has happened.
void WorldHost::Announce(stream::PublishedStateRef state,
                         std::optional<Detail> look) {
  const bool shown = static_cast<bool>(state);
  Calls calls;
  stream::PublishedStateRef replaced;
  {
    const std::lock_guard lock(mutex_);
    inbox_.Applied(outcomes_, world_->agent_count());
    UpdateStatusLocked();
    if (readers_.Answer(state, calls)) RequestTurnLocked();
    replaced = PublishLocked(std::move(state), look, world_->events());
  }
  if (shown) stream_->QueueDelivery();
  MakeAll(calls);
}

void WorldHost::UpdateStatusLocked() {
  status_.tick = world_->tick();
  status_.epoch = kEpoch;
  status_.state_hash = state_hash_;
  status_.agent_count = world_->agent_count();
  status_.archetype_count = world_->archetype_count();
  status_.cell_size = world_->config().cell_size;
  if (world_->archetypes_mix() != archetypes_seen_) {
    archetypes_seen_ = world_->archetypes_mix();
    status_.neighbor_radius = world_->LargestNeighborRadius();
  }
  status_.bound_stops = world_->bound_stops();
  for (const core::CommandOutcome outcome : outcomes_) {
    ++status_.outcomes[static_cast<std::size_t>(outcome)];
  }
}

// `events` of a step that has just been taken.
stream::PublishedStateRef WorldHost::PublishLocked(
    stream::PublishedStateRef state, std::optional<Detail> look,
    std::span<const core::Event> events) {
  owed_ = look && !state;
  if (owed_) ++status_.withheld_states;
  if (!state) return stream_->MarkStale(owed_, events);
  ++status_.published_states;
  return stream_->Publish(std::move(state), events);
}

}  // namespace meander::hosting
