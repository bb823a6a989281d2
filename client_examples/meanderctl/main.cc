// meanderctl: drives a Meander server from a shell.
//
// One command for each thing that an operator does; `meanderctl --help` lists
// them. Results on standard output, everything else on standard error.

#include <CLI/Error.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "client_examples/meanderctl/commands.h"
#include "client_examples/meanderctl/complete.h"
#include "client_examples/meanderctl/help.h"
#include "client_examples/meanderctl/session.h"

namespace meander::ctl {
namespace {

constexpr CommandText kProgram{
    .group = "",
    .name = "meanderctl",
    .summary = "",
    .text =
        "Drives a Meander server: makes worlds, puts agents into them, runs, "
        "steps and watches them. Each command explains itself, with examples "
        "that work: `meanderctl spawn --help`.\n"
        "\n"
        "A world is named as meadow or worlds/meadow. Results go to standard "
        "output, everything else to standard error. With --json each result "
        "is one line of protobuf JSON with all fields by their names in the "
        ".proto files; 64-bit numbers are strings there, and hashes are "
        "decimal.\n"
        "\n"
        "A call that finds the server unavailable is tried again a few times "
        "where that is safe. Requests that make or change something carry a "
        "request id for it, so that the server does them once.\n"
        "\n"
        "Exit codes:\n"
        "  0  done\n"
        "  1  refused by the server, or failed\n"
        "  2  the command line or its input is wrong; nothing was sent\n"
        "  3  no server can be reached, or it shuts down\n"
        "  4  the time of --timeout has passed\n",
    .examples =
        "$ meanderctl create meadow --clock manual --plane xy --seed 42\n"
        "$ meanderctl spawn meadow --wander 2,3,8 --count 1000 --disc 100\n"
        "$ meanderctl step meadow --ticks 60\n"
        "$ meanderctl hash meadow\n"
        "$ meanderctl agents meadow --limit 3\n"
        "$ meanderctl delete meadow\n"};

void AddGlobals(OptionList& globals, Settings& settings) {
  globals
      .Text("-s,--server", settings.server, "HOST:PORT",
            std::string("where the server listens; default ") + kDefaultServer +
                ", or what MEANDER_SERVER says")
      .Environment("MEANDER_SERVER");
  globals.Value("--timeout", settings.timeout, "TIME",
                "how long to wait for an answer: 5, 500ms, 2m; default 30 s, "
                "and for ever for step and hash --tick");
  globals.Value("--retries", settings.retries, "N",
                "how often to try again when the server is unavailable; "
                "default 3");
  globals.Switch("--json", settings.json,
                 "results as JSON, one object a line; so are errors");
  globals.Switch("-q,--quiet", settings.quiet,
                 "say nothing about what was done; what was asked for, and "
                 "errors, are still printed");
  globals.Switch("--no-color", settings.no_color,
                 "no colors on a terminal; NO_COLOR in the environment does "
                 "the same");
}

void AddCommands(CommandLine& line) {
  AddWorldCommands(line);
  AddUpdateCommand(line);
  AddClockCommands(line);
  AddHashCommand(line);
  AddWatchCommand(line);
  AddDemoCommand(line);
  AddSpawnCommand(line);
  AddBatchCommands(line);
  AddAgentCommands(line);
  AddServerCommands(line);
  AddCompletionCommand(line);
}

int Usage(const CommandLine& line, const std::string& wrong) {
  const Command* const command = line.chosen();
  std::fprintf(stderr, "meanderctl: %s\n", wrong.c_str());
  std::fprintf(stderr, "  `meanderctl%s%s --help` explains\n",
               command == nullptr ? "" : " ",
               command == nullptr ? "" : command->text().name);
  return kUsage;
}

int Run(CommandLine& line, const Settings& settings, int argc,
        const char* const* argv) {
  if (argc == 1) {
    std::fputs(Help(line).c_str(), stderr);
    return kUsage;
  }
  try {
    line.Parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const Command* const command = line.chosen();
    std::fputs((command == nullptr ? Help(line) : Help(line, *command)).c_str(),
               stdout);
    return kOk;
  } catch (const CLI::CallForVersion& version) {
    std::puts(version.what());
    return kOk;
  } catch (const CLI::ParseError& error) {
    return Usage(line, error.what());
  }
  if (settings.server.empty()) return Usage(line, "--server: is empty");
  const Command& command = *line.chosen();
  Session session(settings);
  session.set_command(command);
  return command.action()(session);
}

int Main(int argc, const char* const* argv) {
  // A reader that has gone ends us quietly, as it does any filter.
  std::signal(SIGPIPE, SIG_DFL);
  CommandLine line(kProgram);
  Settings settings;
  AddGlobals(line.globals(), settings);
  line.SetVersion(VersionText());
  AddCommands(line);
  if (argc > 1 && std::string_view(argv[1]) == kCompleteWord) {
    return Complete(line, {argv + 2, argv + argc});
  }
  const int code = Run(line, settings, argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "meanderctl: cannot write: %s\n",
                 std::strerror(errno));
    return kFailed;
  }
  return code;
}

}  // namespace
}  // namespace meander::ctl

int main(int argc, char** argv) { return meander::ctl::Main(argc, argv); }
