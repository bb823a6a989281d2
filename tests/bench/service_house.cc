#include "tests/bench/service_house.h"

#include <algorithm>

#include "tests/bench/figure.h"
#include "tests/bench/scenes.h"

namespace meander::bench {
namespace {

using std::chrono::nanoseconds;

nanoseconds DueOf(nanoseconds start, std::int64_t tick) {
  return start + nanoseconds(tick * 1'000'000'000 / kLightRateHz);
}

// What the calling thread is at: the tick it takes, until that is published.
thread_local WatchedWorld* t_world = nullptr;
thread_local std::int64_t t_tick = 0;
thread_local nanoseconds t_last_time{0};

void Populate(hosting::WorldHost& host, std::int64_t agents,
              const Stretch& stretch) {
  core::Archetype archetype;
  archetype.id = 1;
  archetype.max_speed = 6.0f;
  archetype.max_force = 12.0f;
  archetype.terms = {{.behavior = core::WanderWorldAngle{
                          .radius = 2.0f, .distance = 3.0f, .jitter = 8.0f}}};
  std::vector<hosting::BatchCommand> batch;
  batch.emplace_back(core::Command{0, core::DefineArchetype{archetype}});
  batch.emplace_back(core::Command{
      0, core::SpawnAgents{core::AreaPlacement{
             .count = agents,
             .prototype = {.archetype_id = 1},
             .area = core::Disc{.center = {}, .radius = 100.0f}}}});
  // One for each tick, so that the log is asked for each, and for the one after
  // the last, by which at the latest the last is over.
  for (std::int64_t tick = stretch.first_tick; tick <= stretch.end_tick();
       ++tick) {
    batch.emplace_back(core::Command{
        tick, core::SetTarget{.agent_ids = {1}, .slot = 0, .target = {}}});
  }
  const auto submission = host.Submit(batch);
  if (!submission.ok()) Fail("a world could not be made");
  for (const auto& result : submission->results) {
    if (!result.ok()) Fail("a command was refused: " + result.error().reason);
  }
}

}  // namespace

double P99(std::vector<nanoseconds>& values) {
  const auto place = static_cast<std::ptrdiff_t>(
      0.99 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(place)].count()) /
         1e6;
}

double BareTimer(const Stretch& stretch) {
  hosting::MonotonicClock clock;
  const nanoseconds start = clock.Now();
  std::vector<nanoseconds> lateness;
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  for (std::int64_t tick = 1; tick <= stretch.ticks; ++tick) {
    const nanoseconds due = DueOf(start, tick);
    while (clock.Now() < due) clock.WaitUntil(lock, never, due);
    lateness.push_back(clock.Now() - due);
  }
  return P99(lateness);
}

void Moments::Note(std::int64_t tick, nanoseconds time) {
  const std::lock_guard lock(mutex_);
  for (; next_ < stretch_.end_tick() && next_ <= tick; ++next_) {
    if (next_ >= stretch_.first_tick) times_.push_back(time);
  }
  if (next_ == stretch_.end_tick()) complete_.notify_all();
}

void Moments::Await() {
  std::unique_lock lock(mutex_);
  complete_.wait(lock, [this] { return next_ == stretch_.end_tick(); });
}

void Moments::AddLateness(nanoseconds start,
                          std::vector<nanoseconds>& out) const {
  std::int64_t tick = stretch_.first_tick;
  for (const nanoseconds time : times_) {
    out.push_back(time - DueOf(start, tick++));
  }
}

void WatchedWorld::BeginTick(std::int64_t tick) {
  const nanoseconds now = clock_.Now();
  const std::lock_guard lock(mutex_);
  begun_ = tick;
  published.Note(tick - 1, now);
}

// The pool and the world call this under locks of theirs, where a last
// reference to a state must not go. It does not: while the mutex is held the
// world's next tick does not begin, so its stream has the state, too.
bool WatchedWorld::LookAtTick(std::int64_t tick, nanoseconds now) {
  const std::lock_guard lock(mutex_);
  if (begun_ != tick) return true;  // and noted
  {
    const auto state = host->stream().Current();
    if (!state || state->tick < tick) return false;
  }
  // Only now: when all is noted the world may be closed.
  published.Note(tick, now);
  return true;
}

nanoseconds ObservingClock::Now() const {
  t_last_time = clock_.Now();
  if (t_world != nullptr && t_world->LookAtTick(t_tick, t_last_time)) {
    t_world = nullptr;
  }
  return t_last_time;
}

House::House(const Stretch& stretch, hosting::PoolObserver* observer)
    : stretch_(stretch), workers_(clock_, 0, observer) {
  // The log is asked for the commands of a tick by the thread that takes it.
  log_.on_collect = [this](std::string_view uid, std::int64_t tick) {
    t_world = nullptr;
    if (uid.find_first_not_of("0123456789") != uid.npos) return;
    if (tick < stretch_.first_tick) return;
    WatchedWorld& world = worlds_[std::stoul(std::string(uid))];
    world.BeginTick(tick);
    if (tick >= stretch_.end_tick()) return;
    t_world = &world;
    t_tick = tick;
  };
}

void House::Add(int count, std::int64_t agents) {
  core::SimulationConfig config;
  config.tick_rate_hz = kLightRateHz;
  config.plane = core::Plane::kXY;
  for (int i = 0; i < count; ++i) {
    worlds_.emplace_back(clock_, stretch_);
  }
  for (int i = 0; i < count; ++i) {
    WatchedWorld& world = worlds_[static_cast<std::size_t>(i)];
    const auto host =
        hosting::WorldHost::Create(context_,
                                   {.id = "w",
                                    .uid = std::to_string(i),
                                    .config = core::Normalized(config),
                                    .seed = static_cast<std::uint64_t>(i)},
                                   {});
    if (!host.ok()) Fail("a world could not be made");
    // The last thing that making a world does with the clock is to start.
    world.start = t_last_time;
    world.host = *host;
    Populate(**host, agents, stretch_);
    (*host)->Subscribe(world.subscription());
  }
}

void House::Await() {
  for (WatchedWorld& world : worlds_) {
    world.published.Await();
    world.delivered.Await();
  }
}

Lateness House::Tell() {
  Lateness result;
  std::vector<nanoseconds> published;
  std::vector<nanoseconds> delivered;
  for (WatchedWorld& world : worlds_) {
    result.slipped += world.host->Status()->slipped_ticks;
    world.host->Close({core::ErrorCode::kDraining, "", "the run is over"});
    world.AwaitFinish();
    world.published.AddLateness(world.start, published);
    world.delivered.AddLateness(world.start, delivered);
  }
  result.published = P99(published);
  result.delivered = P99(delivered);
  return result;
}

}  // namespace meander::bench
