// watch: a world live, as a table that is redrawn, lines, or JSON.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/frame_reader.h"
#include "client_examples/meanderctl/interrupt.h"
#include "client_examples/meanderctl/screen.h"
#include "client_examples/meanderctl/session.h"
#include "client_examples/meanderctl/watch_stats.h"

namespace meander::ctl {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kRedraw{100};
constexpr std::int32_t kRows = 5;
constexpr std::size_t kEventLines = 5;  // of a table

constexpr CommandText kWatch{
    .group = "Time",
    .name = "watch",
    .summary = "watch a world live",
    .text =
        "Watches a world until Ctrl-C, or as long as --count and --seconds "
        "say: ticks and bytes a second, agents, frames that were skipped "
        "because this reader was too slow, the state hash, and the first few "
        "agents. On a terminal it is a table that is redrawn in place, else a "
        "line each second. With --json each Frame is a line. Ends with a "
        "summary.\n"
        "With --events it tells, too, what happens to agents after the first "
        "frame: one whose archetype reads a target slot that is not set, or "
        "whose target is gone, has lost a target. Frames that are left out "
        "lose no events.\n",
    .examples =
        "$ meanderctl watch meadow  # until Ctrl-C\n"
        "$ meanderctl watch meadow --seconds 3 --rows 8\n"
        "The frame of now, for a program:\n"
        "$ meanderctl watch meadow --count 1 --json\n"
        "With a line each second, into a file:\n"
        "$ meanderctl watch meadow --seconds 2 >watch.log\n"
        "Who loses a target, looked at once a second:\n"
        "$ meanderctl watch meadow --events --interval 60 --seconds 1\n"};

struct WatchOptions {
  std::string world;
  ReadLimits limits;
  std::optional<std::int32_t> rows;
};

std::string HashText(const Watched& watched) {
  std::string text = Hash(watched.hash);
  if (watched.hash && watched.hash_tick != watched.tick) {
    text += " of tick " + std::to_string(watched.hash_tick);
  }
  return text;
}

std::string EventText(const v1::Event& event) {
  const std::string who = "tick " + std::to_string(event.tick()) + "  agent " +
                          std::to_string(event.agent_id());
  switch (event.what_case()) {
    case v1::Event::kTargetLost:
      return who + " has lost the target in slot " +
             std::to_string(event.target_lost().slot());
    case v1::Event::WHAT_NOT_SET:
      break;
  }
  return who + ": an event of a kind that this program does not know";
}

// "3 events", and what else there was.
std::string EventCount(const Watched& watched) {
  std::string text = std::to_string(watched.events) +
                     (watched.events == 1 ? " event" : " events");
  if (watched.dropped_events > 0) {
    text += ", " + std::to_string(watched.dropped_events) + " dropped";
  }
  if (watched.remaining_events > 0) {
    text += ", " + std::to_string(watched.remaining_events) + " to come";
  }
  return text;
}

std::string LineText(const Watched& watched, const WatchRate& rate) {
  return "tick " + std::to_string(watched.tick) + "  " +
         Fixed(rate.TicksPerSecond(), 1) + " ticks/s  " +
         Bytes(rate.BytesPerSecond()) + "/s  " +
         std::to_string(watched.agents) + " agents  skipped " +
         std::to_string(watched.skipped) + "  hash " + HashText(watched);
}

std::vector<std::string> TableLines(const std::string& world,
                                    const Watched& watched,
                                    const WatchRate& rate) {
  const auto row = [](const char* name, std::string value, const char* name2,
                      const std::string& value2) {
    std::string line = name;
    line.resize(10, ' ');
    value.resize(std::max<std::size_t>(value.size() + 2, 20), ' ');
    return line + value + name2 + value2;
  };
  std::vector<std::string> lines;
  lines.push_back(world);
  lines.push_back(row("tick", std::to_string(watched.tick), "ticks/s   ",
                      Fixed(rate.TicksPerSecond(), 1)));
  lines.push_back(row("agents", std::to_string(watched.agents), "bytes/s   ",
                      Bytes(rate.BytesPerSecond())));
  lines.push_back(row("frames", std::to_string(watched.frames), "skipped   ",
                      std::to_string(watched.skipped)));
  lines.push_back("hash      " + HashText(watched));
  if (!watched.rows.empty()) {
    lines.emplace_back();
    for (const std::string& line : RowTable(watched.rows).Lines()) {
      lines.push_back(line);
    }
  }
  return lines;
}

std::string Summary(const std::string& world, const Watched& watched,
                    SteadyClock::duration passed, bool events) {
  const std::chrono::duration<double> time = passed;
  return "watched " + world + " for " + Fixed(time.count(), 1) +
         " s: " + std::to_string(watched.frames) + " frames, ticks " +
         std::to_string(watched.first_tick) + " to " +
         std::to_string(watched.tick) + ", " +
         Bytes(static_cast<double>(watched.bytes)) + ", " +
         std::to_string(watched.skipped) + " skipped, " +
         (events ? EventCount(watched) + ", " : "") + "hash " +
         HashText(watched);
}

// Shows what there is until the end: redrawn in place, or a line a second.
class Display {
 public:
  Display(Session& session, const std::string& world, WatchStats& stats,
          bool events)
      : session_(session), world_(world), stats_(stats), events_(events) {}

  void Run() {
    stats_.WaitForFirst();
    started_ = SteadyClock::now();
    if (session_.json()) {
      stats_.WaitForEnd(SteadyClock::time_point::max());
    } else if (isatty(STDOUT_FILENO) == 1) {
      Redraw();
    } else {
      PrintLines();
    }
    const Watched watched = stats_.Now();
    if (watched.frames == 0 || session_.json()) return;
    session_.Say(
        Summary(world_, watched, SteadyClock::now() - started_, events_));
  }

 private:
  void Redraw() {
    Screen screen(stdout);
    WatchRate rate(seconds(2));
    SteadyClock::time_point next = started_;
    bool ended = false;
    while (!ended) {
      next += kRedraw;
      ended = stats_.WaitForEnd(next);
      const Watched watched = stats_.Now();
      rate.Add(SteadyClock::now(), watched);
      if (watched.frames == 0) continue;
      std::vector<std::string> lines = TableLines(world_, watched, rate);
      if (events_) AddEvents(watched, lines);
      screen.Draw(lines);
    }
  }

  void PrintLines() {
    WatchRate rate{seconds(0)};
    SteadyClock::time_point next = started_;
    rate.Add(started_, stats_.Now());
    while (!stats_.WaitForEnd(next += kLine)) {
      const Watched watched = stats_.Now();
      rate.Add(SteadyClock::now(), watched);
      PrintEvents();
      session_.Print(LineText(watched, rate));
      std::fflush(stdout);
    }
    PrintEvents();
  }

  void PrintEvents() {
    for (const v1::Event& event : stats_.TakeEvents()) {
      session_.Print(EventText(event));
    }
  }

  void AddEvents(const Watched& watched, std::vector<std::string>& lines) {
    for (const v1::Event& event : stats_.TakeEvents()) {
      newest_events_.push_back(EventText(event));
      if (newest_events_.size() > kEventLines) newest_events_.pop_front();
    }
    lines.emplace_back();
    lines.push_back(EventCount(watched));
    lines.insert(lines.end(), newest_events_.begin(), newest_events_.end());
  }

  Session& session_;
  const std::string& world_;
  WatchStats& stats_;
  const bool events_;
  std::deque<std::string> newest_events_;
  SteadyClock::time_point started_;
};

int Watch(Session& session, const WatchOptions& options) {
  const std::string world = WorldName(options.world);
  const std::int32_t rows = options.rows.value_or(kRows);
  if (rows < 0) return session.Fail("--rows: must be at least 0", kUsage);
  const bool events = options.limits.events;
  WatchStats stats(static_cast<std::size_t>(rows), events && !session.json());
  FrameReader reader(session, options.limits, stats);
  const Interrupt interrupt([&reader] { reader.Stop(); });
  std::thread reading([&reader, &world] { reader.Run(world); });
  Display(session, world, stats, events).Run();
  reading.join();
  return reader.Result();
}

}  // namespace

void AddWatchCommand(CommandLine& line) {
  const auto options = std::make_shared<WatchOptions>();
  Command& command = line.Add(kWatch);
  command.World(options->world);
  command
      .Value("--interval", options->limits.interval, "TICKS",
             "only ticks divisible by it; default 1")
      .Fills("interval_ticks");
  command.Value("--count", options->limits.count, "N",
                "end after so many frames");
  command.Value("--seconds", options->limits.length, "TIME",
                "end after this time");
  command.Value("--rows", options->rows, "N",
                "how many agents to show; default 5");
  command
      .Switch("--events", options->limits.events,
              "tell what happens to agents: lost targets")
      .Fills("events");
  command.Does(
      [options](Session& session) { return Watch(session, *options); });
}

}  // namespace meander::ctl
