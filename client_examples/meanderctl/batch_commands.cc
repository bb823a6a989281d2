// command, outcomes: batches of commands, and what became of them.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client_examples/meanderctl/batch.h"
#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/json_input.h"
#include "client_examples/meanderctl/session.h"

namespace meander::ctl {
namespace {

constexpr CommandText kCommand{
    .group = "Agents",
    .name = "command",
    .summary = "submit commands, given as protobuf JSON",
    .text =
        "Submits one batch of commands (meander.v1.Command as JSON) and prints "
        "what became of each: its place in the world's order, and its tick. "
        "They come from arguments and files, in this order: one object after "
        "the other, or in an array. Each is admitted or refused by itself, "
        "unless --all-or-nothing is given; the exit code is 1 when any was "
        "refused.\n",
    .examples =
        "Point slot 0 of agents 1 and 2 somewhere:\n"
        "$ meanderctl command meadow '{\"set_target\": {\"agent_ids\": [1, 2], "
        "\"target\": {\"point\": {\"x\": 5}}}}'\n"
        "Push one, at a tick to come:\n"
        "$ meanderctl command meadow '{\"apply_tick\": 600, \"apply_impulse\": "
        "{\"agent_ids\": [1], \"impulse\": {\"y\": 3}}}'\n"
        "All of a file, or nothing of it:\n"
        "$ echo '{\"despawn_agents\": {\"agent_ids\": [3]}}' >commands.json\n"
        "$ meanderctl command meadow --file commands.json --all-or-nothing\n"
        "From another program:\n"
        "$ jq -n '{set_cell_size: {cell_size: 16}}' | meanderctl command "
        "meadow --file -\n"};

struct CommandOptions {
  BatchOptions batch;
  std::vector<std::string> commands;
  std::vector<std::string> files;
  bool all_or_nothing = false;
};

// What became of the commands, a line for each. True when none was refused.
bool PrintResults(const Session& session,
                  const v1::SubmitCommandsResponse& response) {
  bool all = true;
  Table table({{"COMMAND", true},
               {"RESULT"},
               {"SEQUENCE", true},
               {"TICK", true},
               {"AGENTS"},
               {"WHY"}});
  for (int i = 0; i < response.results_size(); ++i) {
    const v1::CommandResult& result = response.results(i);
    if (result.has_admission()) {
      const v1::CommandAdmission& admission = result.admission();
      table.Add(
          {std::to_string(i), "admitted", std::to_string(admission.sequence()),
           std::to_string(admission.apply_tick()), AgentRange(admission), ""});
      continue;
    }
    all = false;
    const v1::CommandRejection& rejection = result.rejection();
    std::string why = rejection.reason();
    for (const std::string& part :
         {rejection.field(), rejection.description()}) {
      if (!part.empty()) why += ": " + part;
    }
    table.Add({std::to_string(i), "refused", "", "", "", why});
  }
  if (session.json()) {
    session.Say(response, "");
  } else if (!all || !session.settings().quiet) {
    session.Print(table);
  }
  return all;
}

int Submit(Session& session, const CommandOptions& options) {
  v1::SubmitCommandsRequest request;
  for (const std::string& source : options.commands) {
    if (const Wrong wrong = ReadMessages(source, *request.mutable_commands())) {
      return session.Fail("COMMAND: " + *wrong, kUsage);
    }
  }
  for (const std::string& file : options.files) {
    if (const Wrong wrong = ReadMessages(file, *request.mutable_commands())) {
      return session.Fail(file + ": " + *wrong, kUsage);
    }
  }
  if (request.commands().empty()) {
    return session.Fail("no commands are given", kUsage);
  }
  request.set_all_or_nothing(options.all_or_nothing);
  v1::SubmitCommandsResponse response;
  const grpc::Status status = Submit(session, options.batch, request, response);
  if (!status.ok()) return session.Fail(status);
  return PrintResults(session, response) ? kOk : kFailed;
}

constexpr CommandText kOutcomes{
    .group = "Agents",
    .name = "outcomes",
    .summary = "tell how admitted commands ended at their ticks",
    .text =
        "Shows how commands ended: applied, or why they did nothing, or that "
        "their tick is still to come. Sequences are those that `meanderctl "
        "command` prints.\n",
    .examples =
        "$ meanderctl outcomes meadow 1\n"
        "$ meanderctl outcomes meadow 1-2\n"};

struct OutcomesOptions {
  std::string world;
  std::vector<std::string> sequences;
};

// "5" or "1-10".
Wrong AddSequences(std::string_view text,
                   v1::GetCommandOutcomesRequest& request) {
  // More than any server answers; it says how many that is.
  constexpr std::int64_t kMany = 100'000;
  const std::size_t dash = text.find('-', 1);
  std::int64_t first = 0;
  if (const Wrong wrong = ParseValue(text.substr(0, dash), first)) return wrong;
  std::int64_t last = first;
  if (dash != std::string_view::npos) {
    if (const Wrong wrong = ParseValue(text.substr(dash + 1), last)) {
      return wrong;
    }
  }
  if (last < first || last - first >= kMany) {
    return "must be FIRST-LAST, at most " + std::to_string(kMany);
  }
  for (std::int64_t i = first; i <= last; ++i) request.add_sequences(i);
  return std::nullopt;
}

int Outcomes(Session& session, const OutcomesOptions& options) {
  v1::GetCommandOutcomesRequest request;
  request.set_world(WorldName(options.world));
  for (const std::string& text : options.sequences) {
    if (const Wrong wrong = AddSequences(text, request)) {
      return session.Fail("SEQUENCE: \"" + text + "\" " + *wrong, kUsage);
    }
  }
  v1::GetCommandOutcomesResponse response;
  const grpc::Status status = session.Call(
      Repeat::kSafe, session.connection().commands,
      &v1::CommandService::Stub::GetCommandOutcomes, request, response);
  if (!status.ok()) return session.Fail(status);
  if (session.json()) {
    for (const auto& report : response.reports()) session.Print(report);
    return kOk;
  }
  Table table({{"SEQUENCE", true}, {"OUTCOME"}, {"TICK", true}});
  for (const v1::CommandReport& report : response.reports()) {
    table.Add({std::to_string(report.sequence()), Word(report.outcome()),
               std::to_string(report.tick())});
  }
  session.Print(table);
  return kOk;
}

}  // namespace

grpc::Status Submit(Session& session, const BatchOptions& options,
                    v1::SubmitCommandsRequest& request,
                    v1::SubmitCommandsResponse& response) {
  request.set_world(WorldName(options.world));
  if (options.late) request.set_late_policy(*options.late);
  request.set_request_id(options.request_id.empty() ? NewRequestId()
                                                    : options.request_id);
  const grpc::Status status = session.Call(
      Repeat::kSafe, session.connection().commands,
      &v1::CommandService::Stub::SubmitCommands, request, response);
  if (status.ok() && response.results_size() != request.commands_size()) {
    return {grpc::StatusCode::INTERNAL,
            "the answer has another number of results than there are commands"};
  }
  return status;
}

void AddBatchOptions(Command& command, BatchOptions& options) {
  command
      .Choice("--late", options.late,
              "what becomes of a command whose tick has begun; default "
              "next-tick")
      .Fills("late_policy");
  command
      .Text("--request-id", options.request_id, "UUID",
            "makes a repeated call safe; default a new one")
      .Fills("request_id");
}

std::string AgentRange(const v1::CommandAdmission& admission) {
  if (admission.agent_count() == 0) return "";
  const std::int64_t first = admission.first_agent_id();
  const std::string text = std::to_string(first);
  if (admission.agent_count() == 1) return text;
  return text + " to " + std::to_string(first + admission.agent_count() - 1);
}

void AddBatchCommands(CommandLine& line) {
  const auto options = std::make_shared<CommandOptions>();
  Command& command = line.Add(kCommand);
  command.World(options->batch.world);
  command.Texts("COMMAND", options->commands, "COMMAND", "commands as JSON");
  command
      .Texts("-f,--file", options->files, "FILE|-",
             "commands from a file, or from standard input; may come several "
             "times")
      .Offers(Offer::kFiles);
  command
      .Switch("--all-or-nothing", options->all_or_nothing,
              "admit all of them or none")
      .Fills("all_or_nothing");
  AddBatchOptions(command, options->batch);
  command.Does(
      [options](Session& session) { return Submit(session, *options); });

  const auto asked = std::make_shared<OutcomesOptions>();
  Command& outcomes = line.Add(kOutcomes);
  outcomes.World(asked->world);
  outcomes
      .Texts("SEQUENCE", asked->sequences, "SEQUENCE",
             "which commands: 5, or 1-10")
      .Required()
      .Fills("sequences");
  outcomes.Does(
      [asked](Session& session) { return Outcomes(session, *asked); });
}

}  // namespace meander::ctl
