// demo: the scenes of the gallery, live on the terminal or as a picture.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/demo_view.h"
#include "client_examples/meanderctl/demo_world.h"
#include "client_examples/meanderctl/frame_reader.h"
#include "client_examples/meanderctl/interrupt.h"
#include "client_examples/meanderctl/screen.h"
#include "client_examples/meanderctl/session.h"
#include "client_examples/meanderctl/watch_stats.h"
#include "client_examples/scenes/scene.h"
#include "client_examples/scenes/trail_picture.h"

namespace meander::ctl {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kPictureRedraw{33};
constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t kDefaultTickRate = 60;
// Between the samples of a picture.
constexpr std::int64_t kSampleTicks = 2;

constexpr CommandText kDemo{
    .group = "Time",
    .name = "demo",
    .summary = "show a scene of the gallery, live or as a picture",
    .text =
        "Makes a world of its own on the server, runs a scene in it and draws "
        "it live: dots in the color of their kind, the tick, frames a second, "
        "agents, mean speed and state hash. At its end a scene begins again "
        "with the next seed, until Ctrl-C; then the world is deleted. Where "
        "standard output is no terminal it is a line each second, and with "
        "--json each Frame is a line.\n"
        "\n"
        "With --svg the scene runs as fast as the server can, and the ways of "
        "its agents become a picture: the same scene, seed and ticks give the "
        "same file and the same hash.\n"
        "\n"
        "Without NAME, lists the scenes.\n",
    .examples =
        "$ meanderctl demo\n"
        "$ meanderctl demo flock  # until Ctrl-C\n"
        "$ meanderctl demo school --seconds 2 --seed 7\n"
        "$ meanderctl demo arrive --once --speed 20\n"
        "$ meanderctl demo keep-away --svg keep-away.svg\n"};

struct DemoOptions {
  std::string scene;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> ticks;
  std::optional<Microseconds> length;
  std::optional<double> speed;
  std::string svg;
  bool once = false;
  bool list = false;
};

// What is to be stopped by Ctrl-C, whatever is going on. Thread-safe.
class Stopper {
 public:
  void Stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (reader_ != nullptr) reader_->Stop();
  }
  bool stopped() const { return stopped_; }
  // nullptr: it has ended.
  void SetReader(FrameReader* reader) {
    const std::lock_guard lock(mutex_);
    reader_ = reader;
    if (stopped_ && reader != nullptr) reader->Stop();
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;
  FrameReader* reader_ = nullptr;
};

std::string EndText(const scenes::Scene& scene, std::int64_t tick,
                    std::int64_t agents, std::optional<std::uint64_t> hash) {
  return scene.name + ": seed " + std::to_string(scene.simulation.seed()) +
         ", tick " + std::to_string(tick) + ", " + std::to_string(agents) +
         " agents, hash " + Hash(hash);
}

int List(Session& session) {
  Table table({{"SCENE"}, {"WHAT IS SEEN"}});
  for (const scenes::Scene& scene : scenes::Scenes()) {
    if (session.json()) {
      session.Print("{\"name\":\"" + scene.name + "\",\"summary\":\"" +
                    scene.summary +
                    "\",\"ticks\":" + std::to_string(scene.ticks) + '}');
    } else {
      table.Add({scene.name, scene.summary});
    }
  }
  if (!session.json()) session.Print(table);
  return kOk;
}

std::int64_t TickRate(const scenes::Scene& scene) {
  const std::int64_t rate = scene.simulation.tick_rate_hz();
  return rate > 0 ? rate : kDefaultTickRate;
}

// Where the demo ends by itself, if it does.
std::optional<std::int64_t> Length(const DemoOptions& options,
                                   const scenes::Scene& scene) {
  if (options.ticks) return *options.ticks;
  if (options.length) {
    const std::chrono::duration<double> length = *options.length;
    return std::max<std::int64_t>(
        1, std::llround(length.count() * static_cast<double>(TickRate(scene))));
  }
  if (options.once || !options.svg.empty()) return scene.ticks;
  return std::nullopt;
}

// Shows one scene after the other, in the same place.
class Stage {
 public:
  Stage(Session& session, Stopper& stopper)
      : session_(session), stopper_(stopper) {
    if (isatty(STDOUT_FILENO) == 1 && !session.json()) screen_.emplace(stdout);
  }

  // Until the tick, or Ctrl-C. An exit code.
  int Show(const scenes::Scene& scene, std::int64_t last_tick,
           const std::optional<double>& speed) {
    DemoWorld world(session_);
    grpc::Status status = world.Make(scene);
    if (status.ok()) status = world.Start(speed);
    if (!status.ok()) return session_.Fail(status);
    WatchStats stats(kAllRows);
    const ReadLimits limits{.last_tick = last_tick};
    FrameReader reader(session_, limits, stats);
    stopper_.SetReader(&reader);
    std::thread reading([&] { reader.Run(world.name()); });
    stats.WaitForFirst();
    if (session_.json()) {
      stats.WaitForEnd(SteadyClock::time_point::max());
    } else if (screen_) {
      Redraw(scene, stats);
    } else {
      PrintLines(stats);
    }
    reading.join();
    stopper_.SetReader(nullptr);
    last_ = stats.Now();
    return reader.Result();
  }

  // Leaves the last drawing where it is.
  void Close() { screen_.reset(); }
  const Watched& last() const { return last_; }

 private:
  void Redraw(const scenes::Scene& scene, const WatchStats& stats) {
    DemoView view(scene, session_.Colors(STDOUT_FILENO));
    WatchRate rate(seconds(2));
    SteadyClock::time_point next = SteadyClock::now();
    bool ended = false;
    while (!ended) {
      next += kPictureRedraw;
      ended = stats.WaitForEnd(next);
      const Watched watched = stats.Now();
      rate.Add(SteadyClock::now(), watched);
      if (watched.frames == 0) continue;
      screen_->Draw(view.Lines(watched, rate, screen_->Size()));
    }
  }

  void PrintLines(const WatchStats& stats) {
    WatchRate rate{seconds(0)};
    SteadyClock::time_point next = SteadyClock::now();
    rate.Add(next, stats.Now());
    while (!stats.WaitForEnd(next += kLine)) {
      const Watched watched = stats.Now();
      rate.Add(SteadyClock::now(), watched);
      session_.Print(DemoStatus(watched, rate));
      std::fflush(stdout);
    }
  }

  Session& session_;
  Stopper& stopper_;
  std::optional<Screen> screen_;
  Watched last_;
};

// Scene after scene, each with the next seed.
int Live(Session& session, const DemoOptions& options, Stopper& stopper,
         scenes::Scene scene) {
  const std::optional<std::int64_t> length = Length(options, scene);
  Stage stage(session, stopper);
  std::int64_t done = 0;
  int code = kOk;
  while (true) {
    const std::int64_t last =
        length ? std::min(*length - done, scene.ticks) : scene.ticks;
    code = stage.Show(scene, last, options.speed);
    done += last;
    if (code != kOk || stopper.stopped() || (length && done >= *length)) break;
    scene.simulation.set_seed(scene.simulation.seed() + 1);
  }
  stage.Close();
  const Watched& end = stage.last();
  if (end.frames > 0 && !session.json()) {
    session.Say(EndText(scene, end.tick, end.agents, end.hash));
  }
  return code;
}

std::string PictureText(const scenes::Scene& scene,
                        const scenes::Trails& trails,
                        const v1::StepWorldResponse& end) {
  scenes::Picture picture;
  picture.title = scene.name + ": " + scene.summary;
  picture.description =
      "The last " +
      std::to_string(static_cast<std::int64_t>(trails.samples() - 1) *
                     kSampleTicks) +
      " ticks. " +
      EndText(scene, end.tick(), end.frame().agent_count(), end.state_hash());
  picture.camera = scene.camera;
  picture.kinds = scene.kinds;
  picture.kind_of_agent = scenes::KindsOfAgents(scene);
  picture.circles = scene.marks;
  return scenes::ToSvg(picture, trails);
}

// "-" is standard output.
Wrong WriteFile(const std::string& name, const std::string& text) {
  std::FILE* const file = name == "-" ? stdout : std::fopen(name.c_str(), "wb");
  if (file == nullptr) return "cannot write " + name + ": " + strerror(errno);
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != stdout && std::fclose(file) != 0) written = false;
  if (!written) return "cannot write " + name + ": " + strerror(errno);
  return std::nullopt;
}

int Draw(Session& session, const DemoOptions& options, const Stopper& stopper,
         const scenes::Scene& scene) {
  const std::int64_t last = *Length(options, scene);
  DemoWorld world(session);
  if (const grpc::Status status = world.Make(scene); !status.ok()) {
    return session.Fail(status);
  }
  scenes::Trails trails;
  v1::StepWorldResponse response;
  std::int64_t tick = std::max<std::int64_t>(1, last - scene.trail_ticks);
  // Whole steps from sample to sample, so that the last one is at the end.
  tick += (last - tick) % kSampleTicks;
  for (; tick <= last; tick += kSampleTicks) {
    const grpc::Status status = world.StepTo(tick, response);
    if (!status.ok()) return session.Fail(status);
    if (stopper.stopped()) return session.Fail("stopped; nothing was written");
    if (!response.has_frame() || !IsWhole(response.frame())) {
      return session.Fail("a frame is not whole");
    }
    std::vector<scenes::Body> bodies;
    for (const FrameRow& row : Rows(response.frame(), kAllRows)) {
      bodies.push_back(ToBody(row));
    }
    trails.Add(bodies);
  }
  const std::string text = PictureText(scene, trails, response);
  if (const Wrong wrong = WriteFile(options.svg, text)) {
    return session.Fail("--svg: " + *wrong);
  }
  if (options.svg == "-") return kOk;
  const std::string said =
      EndText(scene, response.tick(), response.frame().agent_count(),
              response.state_hash());
  response.clear_frame();
  session.Say(response, said);
  return kOk;
}

int Demo(Session& session, const DemoOptions& options) {
  if (options.scene.empty() || options.list) return List(session);
  if (options.ticks && *options.ticks < 1) {
    return session.Fail("--ticks: must be at least 1", kUsage);
  }
  const std::optional<scenes::Scene> scene = scenes::FindScene(
      options.scene, options.seed.value_or(scenes::kDefaultSeed));
  if (!scene) {
    return session.Fail("NAME: there is no scene \"" + options.scene +
                            "\"; `meanderctl demo` lists them",
                        kUsage);
  }
  Stopper stopper;
  const Interrupt interrupt([&stopper] { stopper.Stop(); });
  return options.svg.empty() ? Live(session, options, stopper, *scene)
                             : Draw(session, options, stopper, *scene);
}

}  // namespace

void AddDemoCommand(CommandLine& line) {
  const auto options = std::make_shared<DemoOptions>();
  Command& command = line.Add(kDemo);
  command.Text("NAME", options->scene, "NAME", "the scene; without it, a list")
      .OffersWords(scenes::SceneNames());
  command.Switch("--list", options->list, "list the scenes");
  command
      .Value("--seed", options->seed, "N",
             "where all random numbers come from; default 1")
      .Fills("world.simulation.seed");
  Option& ticks =
      command
          .Value("--ticks", options->ticks, "N",
                 "end after so many ticks; with --svg the default is the "
                 "scene's own length")
          .Fills("until_tick");
  command
      .Value("--seconds", options->length, "TIME",
             "end after this time of the world")
      .Excludes(ticks);
  command.Switch("--once", options->once, "end where the scene ends");
  Option& speed = command
                      .Value("--speed", options->speed, "SCALE",
                             "so many seconds of it in one second; default 1")
                      .Fills("world.hosting.time_scale");
  command
      .Text("--svg", options->svg, "FILE",
            "write the trails as a picture; - is standard output")
      .Offers(Offer::kFiles)
      .Excludes(speed);
  command.Does([options](Session& session) { return Demo(session, *options); });
}

}  // namespace meander::ctl
