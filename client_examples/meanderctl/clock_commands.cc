// step, pause, resume: worlds in time.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/frame_rows.h"
#include "client_examples/meanderctl/session.h"

namespace meander::ctl {
namespace {

constexpr CommandText kStep{
    .group = "Time",
    .name = "step",
    .summary = "advance a world that is paused or stepped by hand",
    .text =
        "Advances a world whose clock is manual or paused, and prints its new "
        "tick and state hash. Commands admitted before take effect in it. "
        "Waits as long as it takes; Ctrl-C stops the world at a whole tick.\n",
    .examples =
        "$ meanderctl step meadow\n"
        "$ meanderctl step meadow --ticks 60\n"
        "To a tick, wherever it is now, and the agents there:\n"
        "$ meanderctl step meadow --until 180 --frame\n"
        "Only if nobody else has stepped it meanwhile:\n"
        "$ meanderctl step meadow --ticks 60 --expected 180\n"};

struct StepOptions {
  std::string world;
  std::optional<std::int64_t> ticks;
  std::optional<std::int64_t> until;
  std::optional<std::int64_t> expected;
  std::string request_id;
  bool frame = false;
};

int Step(Session& session, const StepOptions& options) {
  v1::StepWorldRequest request;
  request.set_name(WorldName(options.world));
  request.set_ticks(options.ticks.value_or(0));
  request.set_until_tick(options.until.value_or(0));
  if (options.expected) request.set_expected_tick(*options.expected);
  request.set_request_id(options.request_id.empty() ? NewRequestId()
                                                    : options.request_id);
  request.set_include_frame(options.frame);
  v1::StepWorldResponse response;
  const grpc::Status status =
      Call(session.LongCalls(), Repeat::kSafe, session.connection().worlds,
           &v1::WorldService::Stub::StepWorld, request, response);
  if (!status.ok()) return session.Fail(status);
  session.Say(response, "tick " + std::to_string(response.tick()) + "  hash " +
                            Hash(response.state_hash()));
  if (!options.frame || session.json()) return kOk;
  if (response.frame_omitted()) {
    return session.Fail("the frame was left out: it takes more than 1 MiB");
  }
  if (!IsWhole(response.frame())) return session.Fail("a frame is not whole");
  session.Print(RowTable(
      Rows(response.frame(), std::numeric_limits<std::size_t>::max())));
  return kOk;
}

constexpr CommandText kPause{
    .group = "Time",
    .name = "pause",
    .summary = "stop a world's clock",
    .text =
        "Stops the clocks of worlds, each at a whole tick, which is printed. "
        "Commands are still admitted, and `meanderctl step` advances them. "
        "Does nothing to a world that is paused.\n",
    .examples = "$ meanderctl pause meadow\n"};

constexpr CommandText kResume{
    .group = "Time",
    .name = "resume",
    .summary = "start the clock of a paused world again",
    .text =
        "Starts the clocks of paused worlds again, from now: no time is made "
        "up for. Does nothing to a world that is not paused.\n",
    .examples = "$ meanderctl resume meadow\n"};

// PauseWorld or ResumeWorld, one world after the other.
template <typename Request, typename Method>
int Each(Session& session, const std::vector<std::string>& names, Method method,
         const char* done) {
  for (const std::string& name : names) {
    Request request;
    request.set_name(WorldName(name));
    v1::World world;
    const grpc::Status status = session.Call(
        Repeat::kSafe, session.connection().worlds, method, request, world);
    if (!status.ok()) return session.Fail(status);
    session.Say(world, world.name() + done + std::to_string(world.tick()));
  }
  return kOk;
}

}  // namespace

void AddClockCommands(CommandLine& line) {
  const auto options = std::make_shared<StepOptions>();
  Command& step = line.Add(kStep);
  step.World(options->world);
  Option& ticks =
      step.Value("--ticks", options->ticks, "N", "how many steps; default 1")
          .Fills("ticks");
  step.Value("--until", options->until, "TICK",
             "step to this tick; does nothing when the world is there already")
      .Fills("until_tick")
      .Excludes(ticks);
  step.Value("--expected", options->expected, "TICK",
             "refuse unless the world is at this tick")
      .Fills("expected_tick");
  step.Switch("--frame", options->frame, "print the agents at the new tick")
      .Fills("include_frame");
  step.Text("--request-id", options->request_id, "UUID",
            "makes a repeated call safe; default a new one")
      .Fills("request_id");
  step.Does([options](Session& session) { return Step(session, *options); });

  const auto paused = std::make_shared<std::vector<std::string>>();
  Command& pause = line.Add(kPause);
  pause.Worlds(*paused);
  pause.Does([paused](Session& session) {
    return Each<v1::PauseWorldRequest>(session, *paused,
                                       &v1::WorldService::Stub::PauseWorld,
                                       " paused at tick ");
  });

  const auto resumed = std::make_shared<std::vector<std::string>>();
  Command& resume = line.Add(kResume);
  resume.Worlds(*resumed);
  resume.Does([resumed](Session& session) {
    return Each<v1::ResumeWorldRequest>(session, *resumed,
                                        &v1::WorldService::Stub::ResumeWorld,
                                        " resumed at tick ");
  });
}

}  // namespace meander::ctl
